"""CoNLL-2011/2012 and its relatives."""
