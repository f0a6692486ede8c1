"""What names, numbers, days and documents say about two mentions, beside what a model scores."""
