"""Texts in which mentions are marked, as language models write them."""
