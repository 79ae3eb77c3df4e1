"""The document tree and its renderers; they know no device and no game."""


class PrintError(Exception):
    """Root of everything that can go wrong while a document is made; the message is one plain sentence."""
