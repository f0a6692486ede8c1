"""How sure a score is, whether systems differ, where they do, and how annotators agree."""
