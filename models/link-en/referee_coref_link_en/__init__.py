"""Weights of Referee that link texts; nothing is imported from here."""
