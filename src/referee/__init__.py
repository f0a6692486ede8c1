"""Referee judges coreference: scores, intervals, error analysis and reports."""

__version__ = "0.1.0"
