"""Training of models across documents: heads, readers, scorers of mentions."""
