"""Intervals of scores, tests of differences between systems, breakdowns, and agreement of annotators."""
