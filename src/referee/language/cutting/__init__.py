"""Running text is cut into words and sentences, by the rules and marks of its language.

Each word is a stretch of the text's characters, and all characters that are neither blank nor without a shape
are in one word. Words are those that treebanks and coreference corpora of the language have.
"""
