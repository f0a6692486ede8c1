"""Formats that one corpus, or one family of corpora, is published in."""
