"""The edges to hardware; they know nothing of games."""


class DriverError(Exception):
    """Root of everything that can go wrong at a device; the message says what to do."""
