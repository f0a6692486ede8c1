"""Resolvers: what makes clusters of a text."""
