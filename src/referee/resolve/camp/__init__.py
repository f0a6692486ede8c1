"""CAMP: coreference by rules, in components that run in order and that each can be judged alone."""
