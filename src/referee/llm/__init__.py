"""Asks language models for coreference: prompts, a runner against any OpenAI-compatible server, repairs."""
