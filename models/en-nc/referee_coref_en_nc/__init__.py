"""English weights for the neural resolver of Referee; its files lie in this folder."""
