"""Finds what a package offers, so that a new entry is one new file and no list has to be kept."""

from __future__ import annotations
