"""Runs once when the Pico gets power: a port for the console, and one of its own for the dice."""

import usb_cdc  # type: ignore[import-not-found]

usb_cdc.enable(console=True, data=True)
