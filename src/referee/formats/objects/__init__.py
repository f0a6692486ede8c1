"""Documents that other libraries hold in memory or write to their files."""
