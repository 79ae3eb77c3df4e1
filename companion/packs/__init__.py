"""The only reader of TOML and CSV: charts, aircraft, cards, slots and house marks."""
