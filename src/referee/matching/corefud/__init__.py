"""The rules of CorefUD's scorer."""
