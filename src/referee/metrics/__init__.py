"""The contingency table, the metrics that are short functions of it, and their catalogue."""
