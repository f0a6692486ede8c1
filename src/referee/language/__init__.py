"""Trees, constituents and dependencies, in flat arrays; their readers; and the rules that find heads."""
