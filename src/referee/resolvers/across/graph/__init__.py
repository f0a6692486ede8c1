"""Linked texts as a graph: who did what to whom, where and when, written for graph databases and programs."""
