"""Files: opening, unpacking, remote ones, saving."""
