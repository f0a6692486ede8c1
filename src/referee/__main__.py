"""Runs the command line with `python -m referee`."""

from referee.cli import main

main()
