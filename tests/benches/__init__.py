"""Figures: one module each, with `measure()` that returns its lines."""
