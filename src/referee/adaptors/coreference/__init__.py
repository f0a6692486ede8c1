"""A module of Hugging Face evaluate: `evaluate.load(referee.adaptors.COREFERENCE)` takes this folder."""
