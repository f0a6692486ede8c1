"""Resolvers: what makes clusters of texts, within documents and across them."""
