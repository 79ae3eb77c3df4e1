"""The edges to hardware; they know nothing of games.

Every error of this room is a `DriverError`. Each leaf is also a builtin, and its message is one plain
sentence: what is wrong, where, and what to do.
"""


class DriverError(Exception):
    """Something at the edge to hardware went wrong; the message is fit to be shown to a player."""


class DeviceMissing(DriverError, FileNotFoundError):
    """The device is not plugged in, or is switched off."""


class DeviceBusy(DriverError, BlockingIOError):
    """Another program holds the device."""


class DeviceDenied(DriverError, PermissionError):
    """The device is there, but this user may not open it."""


class DeviceLost(DriverError, ConnectionError):
    """The device went away while it was in use."""


class BadSetting(DriverError, ValueError):
    """A setting of a device cannot be right."""
