"""Turns results into what people read and other programs take in."""
