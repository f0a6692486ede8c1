"""Constituency trees: arrays, readers, and the files that they come from."""
