"""From two corpora to a result: counts of each unit, sums and scores."""
