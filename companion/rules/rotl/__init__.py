"""Rise of the Luftwaffe."""
