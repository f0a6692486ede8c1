"""Documents to learn from, as arrays."""
