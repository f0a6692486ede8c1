"""Brings key and response together for what goes beyond identity, by the rules of Universal Anaphora."""
