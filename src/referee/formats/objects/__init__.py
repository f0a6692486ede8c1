"""Documents that other libraries hold in memory or write to files of their own."""
