"""Texts that are changed by their entities: names for pronouns, invented names for people."""
