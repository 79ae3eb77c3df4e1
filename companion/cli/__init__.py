"""The command line; no rules and no layout of paper."""
