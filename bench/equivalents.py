"""Mutants that change nothing that a test could see, each with the reason.

An entry is a piece of a line before the change, and a piece of it after. Its first piece must occur in the
house (tests/test_mutants.py).
"""

from __future__ import annotations

EQUIVALENT: dict[tuple[str, str], str] = {
    ('f"={markable.name[0].', 'f"={markable.name[(-1)].'): "the name has one word",
    ("Counter(votes).most_common(1)", "Counter(votes).most_common(2)"): "the first of them is taken",
    ("if few[0] == many[-1]:", "if few[(-1)] == many[-1]:"): "the name has one word",
    ("self.sentence_of = [0] * length", "self.sentence_of = ["): "each word is in a sentence, which sets it",
    ("strict=True)", "strict=False)"): "it asserts that both have one length, which they have",
    ("assume_unique=True", "assume_unique=False"): "they are unique, so that this is only slower",
    ("max(responses.sizes.size, 1)", "max(responses.sizes.size, (0))"): "without clusters there is no cell",
    (
        "self.response.document.max(initial=0))) + 1",
        "self.response.document.min(initial=0))) + 1",
    ): "documents without a cell are left out",
    ("[()] * len(numbers[0])", "[()] * len(numbers[1])"): "both list the same pairs",
    ("if named else (1, 0)", "if named else ((0), 0)"): "the second number of a name is below 0",
    ("(self.target.size), -1, self", "(self.target.size), -2, self"): "any number below 0 is no partner",
    ("(keys > 0)", "(keys >= 0)"): "a group without key mentions has no pairs to settle",
    ("(keys > 0)", "(keys > (-1))"): "a group without key mentions has no pairs to settle",
    ("taken.max(initial=0)", "taken.max(initial=1)"): "the table of lines may be longer than it need be",
    ("LEAST = 128", "LEAST = "): "how much is drawn at a time is a matter of speed",
    ("BLOCK = 2**18", "BLOCK = "): "how much is drawn at a time is a matter of speed",
    ("SMALL = 2**18", "SMALL = "): "how much is multiplied at a time is a matter of speed",
    (">= 2**63:", ">= (1)**63:"): "numbering first is needed for large offsets only, and right for all",
    ("trees.label.size + 1, np", "trees.label.size + 2, np"): "a place more than the one that no phrase uses",
    ("granted[line[leaves]] = value[leaves]", "pass"): "without folding the solver does more of the work",
    ("taken.max(initial=0)", "taken.max(initial=(-1))"): "the table has room for all lines anyway",
    (
        "cut = long[root < 0]",
        "cut = long[root <= 0]",
    ): "a phrase is the one piece of itself, and its head is the same",
    ("int(start.max(initial=0)) + 1", "int(start.max(initial=0)) + 2"): "a factor that is large enough",
    ("nothing = np.zeros(1", "nothing = np.zeros(2"): "a missing document has no mentions to be told",
    (
        "(size * units + 7) // 8",
        "(size * units + 8) // 8",
    ): "a byte more than is used; but other tosses for a seed",
    (
        "np.append(trees.end, -1)",
        "np.append(trees.end, -(0))",
    ): "no phrase is inside nothing, by its start already",
    ("np.array([end]))[0])", "np.array([end]))[(-1)])"): "there is one",
    ("np.flatnonzero(root < 0)", "np.flatnonzero(root < 1)"): "a phrase is the one piece of itself",
    ("<= ours:", "< ours:"): "a response of the same span has been matched before",
    ("if end - start > 1:", "if end - start > (0):"): "of one mention there is nothing to list",
    ("before = 0", "before = (-1)"): "numbers need only be distinct",
    (
        "np.append(trees.start, -1), np",
        "np.append(trees.start, -(0)), np",
    ): "the first token covers all as well",
    ("scale = trees.holder.size + 1", "scale = trees.holder.size + 2"): "a factor that is large enough",
    ("trees.label, np.uint64(0))", "trees.label, np.uint64(1))"): "the label of no phrase is not shown",
    (
        "(ends - starts > 1)",
        "(ends - starts >= 1)",
    ): "a mention of one word of one side has no like on the other",
    ("max(words - 1, 0)", "max(words - 1, (-1))"): "a text without words has no mentions",
    (
        "np.append(trees.end, -1)",
        "np.append(trees.end, -2)",
    ): "no phrase is inside nothing, by its start already",
    ("if end - start > 1:", "if end - start >= 1:"): "a tree says nothing about an entity of one mention",
    ("max(initial=-1)) + 1", "max(initial=-2)) + 1"): "there is always a document",
    ("lines.max(initial=0)", "lines.max(initial=1)"): "the table of lines may be longer than it need be",
    (
        "self.entered = 0",
        "self.entered = (-1)",
    ): "no span is before the first, and the last has no words there",
    ("else -1 - span", "else -2 - span"): "numbers need only be distinct and negative",
    ("weights.max(1, initial=0.0)", "weights.max(1, initial="): "what is hopeful is looked at again",
    ("return 2, 0", "return 2, "): "pronouns are all as good as each other",
    ("if named else (1, 0)", "if named else (1, "): "noun phrases are all as good as each other",
    (
        "stretch.depth >= DEEPEST",
        "stretch.depth > DEEPEST",
    ): "how often anchors are looked for is a matter of speed",
    ("COUNTED = 48", "COUNTED = "): "as many bits as any number of pairs needs",
    ("(rank[row], minlength=1)", "(rank[row], minlength=2)"): "there may be more counts than are asked for",
    ("len(results[0].units)", "len(results[(-1)].units)"): "all results have the same units",
    ("DOCUMENTS = 1_000", "DOCUMENTS = "): "how much is sampled is a matter of speed",
    ("FACTOR = np.uint64(", "FACTOR = np.uint64("): "any odd number makes hashes, which are compared again",
    ("total >> np.uint64(29)", "total >> np.uint64("): "a hash, which is compared again",
    ("astype(np.uint64) + np.uint64(1)", "np.uint64("): "a hash, which is compared again",
    ("else -1)", "else -2)"): "any number below 0 ends the chain",
    ("if positions else -1", "if positions else -2"): "any number below 0 ends the chain",
    (
        "np.zeros(int(listed.max(initial=0)) + 1",
        "np.zeros(int(listed.max(initial=0)) + 2",
    ): "the table of positions may be longer than it need be",
}
