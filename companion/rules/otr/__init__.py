"""Over the Reich."""
