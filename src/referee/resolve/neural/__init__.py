"""A small neural resolver: an encoder, spans that may be mentions, and an antecedent for each of them."""
