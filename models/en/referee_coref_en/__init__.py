"""English weights for the neural resolver of Referee, from texts that anybody may use."""
