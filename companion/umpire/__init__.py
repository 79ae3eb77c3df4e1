"""Asks, answers, dice, modifiers, lines, changes and charts, and the three umpires."""
