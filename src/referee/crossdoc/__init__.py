"""Cross-document coreference: topics, baselines, statistics, links within and across documents."""
