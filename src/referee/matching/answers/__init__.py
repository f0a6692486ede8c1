"""What a language model wrote, brought to the key's words."""
