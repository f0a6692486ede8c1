"""Several annotations of one text become one: mentions are aligned, votes counted, and cases left to people.

`texts` brings annotators together, `mentions` says which of their mentions are the same, `votes` which belong
together, `merging` makes the document, and `decisions` reads what a person decided of the rest.
"""
