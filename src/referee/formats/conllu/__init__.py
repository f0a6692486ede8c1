"""CoNLL-U with coreference, as CorefUD and GUM have it."""
