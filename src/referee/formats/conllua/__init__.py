"""CONLL-UA, the format of Universal Anaphora."""
