"""Coreference across documents: candidate pairs by nearest neighbours, a scorer, average linkage."""
