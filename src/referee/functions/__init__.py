"""One function for each command, under the command's name and with its words: options in, a value out."""
