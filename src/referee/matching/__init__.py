"""Which documents, units and mentions of a key and a response belong together."""
