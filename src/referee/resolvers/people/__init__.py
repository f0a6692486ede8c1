"""People in whole texts: their names, who speaks, and one entity for each of them."""
