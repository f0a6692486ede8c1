"""JSON lines, within and across documents."""
