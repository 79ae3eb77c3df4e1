"""Journal, table, undo, odds and the registry of games."""
