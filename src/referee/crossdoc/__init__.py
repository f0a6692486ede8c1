"""Cross-document coreference: predicted topics, baselines, statistics, and links within and across documents."""
