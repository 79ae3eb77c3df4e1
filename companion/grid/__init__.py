"""Triangular points and hexes: positions, facings, arcs and ranges."""
