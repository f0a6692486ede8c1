"""Tables of an error analysis, as plain values."""
