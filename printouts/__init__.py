"""The document tree and its renderers; they know no device and no game."""
