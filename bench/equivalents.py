"""Mutants that change nothing that a test could see, each with the reason.

An entry is a piece of a line before the change, and a piece of it after. Its first piece must occur in the
house (tests/test_mutants.py).
"""

from __future__ import annotations

SPEED = "how much is done at a time is a matter of speed and memory; results are the same"
EQUIVALENT: dict[tuple[str, str], str] = {
    ('f"={markable.name[0].', 'f"={markable.name[(-1)].'): "the name has one word",
    ("most_common(1)[0]", "most_common(2)[0]"): "the first of them is taken",
    ("most_common(1)[0]", "most_common(1)[(-1)]"): "there is one",
    (
        "return markable.modifiers <= said",
        "markable.modifiers < said",
    ): "its own head is said of the other, too",
    ("markable.modifiers <= said", "markable.complements and markable.modifiers < said"): (
        "its own head is said of the other, too"
    ),
    ("= [speaker] * (end - start)", "(end + start)"): "the words behind are set after these",
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
    ("BATCH = 2**22", "BATCH = "): SPEED,
    ("CHUNK = 8_000", "CHUNK = "): SPEED,
    ("IN_CACHE, IN_FAST_CACHE = 4096, 256", "IN_CACHE, IN_FAST_CACHE = "): SPEED,
    ("SCORED_AT_ONCE = 2**16", "SCORED_AT_ONCE = "): SPEED,
    ("DENSE = 2**16", "DENSE = "): SPEED,
    ("AT_A_TIME = 256", "AT_A_TIME = "): SPEED,
    ("MULTIPLIED = 4096", "MULTIPLIED = "): SPEED,
    ("DESCRIBED_AT_ONCE = 64", "DESCRIBED_AT_ONCE = "): SPEED,
    ("BLOCK = 64", "BLOCK = "): SPEED,
    ("PART = 256", "PART = "): SPEED,
    ("AT_ONCE = 1024", "AT_ONCE = "): SPEED,
    ("CHUNK = 2**17", "CHUNK = "): SPEED,
    ("CHUNK = 2**20", "CHUNK = "): SPEED,
    ("TOGETHER = 16", "TOGETHER = "): SPEED,
    ("AT_ONCE = 2**14", "AT_ONCE = "): SPEED,
    ("AT_ONCE = 64", "AT_ONCE = "): SPEED,
    ("NARROWED_AT_ONCE = 2**14", "NARROWED_AT_ONCE = "): SPEED,
    ("advance(1)", "advance("): "how far a bar of progress goes is not looked at",
    (
        "(int(end.max(initial=0)) + 1) + end",
        "(int(end.max(initial=0)) + 2) + end",
    ): "a factor that is large enough",
    (
        "(int(code.max(initial=0)) + 1) + code",
        "(int(code.max(initial=0)) + 2) + code",
    ): "a factor that is large enough",
    (
        "elif quote.speaker < 0:",
        "elif quote.speaker <= 0:",
    ): "who is named behind a quotation is not the first word",
    (
        "if ours.size * theirs.size <= 8 * ",
        "if ours.size * theirs.size ",
    ): "either way gives the same, one sooner",
    ("width = 2 + max(int(written.max(initial=0))", "initial=1"): "a factor that is large enough",
    (
        "[1] if number + 1 < len(marks) else 0",
        "else (-1)",
    ): "behind the last mark nothing is opened",
    ("np.where(inverse == group, weights, -1.0)", "weights, -(0.0))"): "weights are above 0",
    ("units = ways.recall[0].units", "ways.recall[(-1)].units"): "all metrics have the same units",
    ("next(_parts(words, mention.start, mention.end), (0, 0))", "(1, 0))"): "both are empty",
    ('rare[0] * self._same("head", pairs)', "rare["): "with the same head both are as rare",
    ("_SPEAKING = 3", "_SPEAKING = 4"): "a key beside those of the genders",
    ("free = 1 + max((mention.entity", "free = 2 + max("): "numbers need only be new",
    ("alpha = 0.0 if _too_few", "alpha = (-1.0) if"): "no p-value is below either",
    ("for term in numbers] or [0.0])", "or [1.0])"): "without terms nothing is weighed",
    ("total = (total + values[offset", "total = (total - values[offset"): "a hash, which is compared again",
    ("first, weight = number + 1, 0", "(-1)"): "how large a batch is is a matter of speed",
    ("sample.response.places(alike)[1].size)", "[(0)].size)"): "both columns have the same size",
    (
        "FIRST_INCREMENT, LAST_INCREMENT, FINER = 0.02",
        "FINER = 1.02",
    ): "where the auctions begin is a matter of speed",
    (
        "width = int(max(self.key.words.words.max(initial=0)",
        "width = int(max(self.key.words.words.max(initial=1)",
    ): "a factor that is large enough",
    (
        "self.response.words.words.max(initial=0))) + 1",
        "self.response.words.words.max(initial=1))) + 1",
    ): "a factor that is large enough",
    ("after = 0", "after = (-1)"): "no sentence begins before the first",
    (
        "scene.people_in(quote.end + 1, stop)",
        "quote.end + (0)",
    ): "no mention begins with the mark that closes",
    ("* end_base + end", "* end_base - end"): "numbers need only be distinct",
    (
        "start_base, end_base = int(start.max(initial=0)) + 1",
        "int(end.max(initial=0)) + (0)",
    ): "no mention ends at 0",
    ("past = int(end.max(initial=0)) + 1", "past = int(end.max(initial="): "numbers need only be new",
    (
        "(0 if r is None else self.response.weight(r))",
        "(1 if r is None",
    ): "how large a batch is is a matter of speed",
    (
        "(0 if r is None else self.response.weight(r))",
        "((-1) if r is None",
    ): "how large a batch is is a matter of speed",
    (
        "for at in range(verb + 1, len(lower)):",
        "for at in range(verb - 1, len(lower)):",
    ): "before a verb is its subject or an adverb",
    ("for at in range(verb + 1, len(lower)):", "range(verb + (0)"): "a verb joins nothing",
    ("cut = long[root < 0]", "cut = long[root < 1]"): "a phrase is the one piece of itself",
    ("max(initial=0)) + 1", "max(initial=0)) + 2"): "a factor, or a first new number, that is large enough",
    ("max(initial=0)", "max(initial=1)"): "a factor that is large enough",
    ("max(initial=0)", "max(initial=(-1))"): "where there is nothing, nothing is multiplied",
    ("1 + max(int(", "2 + max(int("): "numbers need only be new",
    ("earlier.speaker > earlier.end", "earlier.speaker >= earlier.end"): "no mark speaks",
    ("return parts[0] if len(parts) == 1", "return parts[(-1)] if len(parts) == 1"): "there is one",
    ("round(1 - self.level, 12)", "round(1 - self.level, "): "any of these hides the error of 1 - 0.95",
    ("piece.max(initial=0)) + 2) + piece + 1", ") + piece + 2"): "numbers need only be distinct",
    (
        "np.arange(response.size) + moved * response.size",
        "np.arange(response.size) + moved / response.size",
    ): "numbers need only be distinct",
    ("np.zeros(0, np.bool_)", "np.ones(0, np.bool_)"): "it is empty",
    ("(sets[0].size and sets[1].size)", "(sets[(-1)].size and"): "sets of one side alone share nothing",
    ("(sets[0].size and sets[1].size)", "and sets[(0)].size)"): "sets of one side alone share nothing",
    ("common[0].ids", "common[(-1)].ids"): "all have the documents that they have in common",
    (
        "free = 1 + max((mention.entity for mention in mentions), default=-1)",
        "mention in mentions), default=1)",
    ): "numbers need only be new",
    (
        "free = 1 + max((mention.entity for mention in mentions), default=-1)",
        "mention in mentions), default=-(0))",
    ): "numbers need only be new",
    ("ways = {(NOBODY, NOBODY): 0.0}", "{(NOBODY, NOBODY): 1.0}"): "all ways begin with it",
    (
        "_name_before(words, lower, index, max(start - BESIDE, 0))",
        "max(start - BESIDE, (-1)))",
    ): "-1, of the last word, says that there is nobody",
    (
        "lower[0] not in lists.nouns and lower[0] not in lists.countries",
        "lower[(-1)] not in",
    ): "the name has one word",
    ("MOST = 2**31", "MOST = "): "no text is so long",
    (
        "(child < word and parse.relations[child] in",
        "(child <= word and parse.relations[child] in",
    ): "no word is below itself",
    ('[:1] == "V" and word > anaphor.head', "word >= anaphor.head"): "a pronoun is no verb",
    (
        'titles <= discourse.lexicon["first_name_titles"]',
        'titles < discourse.lexicon["first_name_titles"]',
    ): "nobody has all titles that go before first names",
    ("indptr), shape=counts.shape, copy=True)", "shape=counts.shape, copy=False)"): (
        "the weight of a term is above 0, so that no cell is taken out"
    ),
    ("def weighted(counts: Rows, min_df: int, documents: int = 0)", "documents: int = "): "there is a text",
    ("FIRST_INCREMENT, LAST_INCREMENT, FINER = ", "FIRST_INCREMENT, LAST_INCREMENT, FINER = "): (
        "how far auctions go is a matter of speed: what they leave is found along shortest paths"
    ),
    ("UNSOLD, ROUNDS = 100, 10_000", "UNSOLD, ROUNDS = "): "likewise",
    ("graph.worth[cells], begin) + held", "graph.worth[cells], begin) - held"): (
        "likewise: a row that is never content loses its column"
    ),
    (
        "granted = np.zeros(line.max() + 1)",
        "line.max() + 2)",
    ): "the table of lines may be longer than it need be",
    ("blocks = [stack.scores(totals)[0]", "[stack.scores(totals)[(-1)]"): "there is one result",
    ("_headline_metrics(results[0])", "_headline_metrics(results[(-1)])"): "all have the metrics in common",
    ("any(each != documents[0] for", "any(each != documents[(-1)] for"): "they are alike if all are like any",
    (
        "(end for side in spans for _, end in side), default=0) + 1",
        "default=0) + 2",
    ): "a factor that is large enough",
    (
        "-np.arange(rows.size), int(entity.max(initial=-1)) + 2)",
        "initial=-(0))) + 2)",
    ): "the table may be longer than it need be",
    ("EXTRA_ENTITY: ((key < 0) & invented", "((key < 1) & invented"): "no mention of it is in the key",
    ("np.zeros(0)", "np.ones(0)"): "it is empty",
    ("np.zeros(0, np.int64)", "np.ones(0, np.int64)"): "it is empty",
    ("500  # earlier spans that a span", "  # earlier spans that a span"): "how far is looked bounds time",
    ("turn > 0 and turn - 2 in spoke", "turn >= 0 and turn - "): "turns are numbered from 1",
    ("says > 0 and says - 1 in spoke", "says >= 0 and says - 1 in"): "turns are numbered from 1",
    ("math.log1p(max(0, sentence - facts", "math.log1p(max((-1), sentence"): "no sentence before is behind",
    ("return 2 * (end - start > 2 and written", "(end - start > (1) and"): "a part begins with a letter",
    ("IMPOSSIBLE = -1e4", "IMPOSSIBLE = "): "low enough that it is never chosen",
    ("weighted_rows(map(root_terms, words), 1)", "words), (0))"): "each term is in a text",
    ("number=0,", "number=(-1),"): "it is numbered when all are there",
    ("float(worth.max()),", "float(worth.min()),"): (
        "what an auction bids by is a matter of speed: what it leaves is found along shortest paths"
    ),
    ("if min(rows.size, columns.size) >= LARGE:", "if max(rows.size"): "either solver finds the best",
    ("told // PAUSE if turns else 0", "told // PAUSE if turns else "): "numbers need only grow",
    ("for word in range(quote.start + 1, quote.end):", "range(quote.start + (0)"): "a mark is in no mention",
    ("math.log1p(max(0, span - entity.last))", "max(1, span"): "what is of an entity comes before",
    ("frozenset(range(*minimum[0])) if len(minimum) == 1", "minimum[(-1)]"): "there is one",
    (
        "if increment < LAST_INCREMENT * graph",
        "if increment <= LAST_INCREMENT",
    ): "how far auctions go is speed",
    (
        "3 * self.identities + self.response.identity_of_row",
        "4 * self.identities + self.response.identity_of_row",
    ): "numbers need only be distinct",
    ("(size * units + 7) // 8", "(size * units + 7) // (7)"): (
        "some bytes more than are used; but other tosses for a seed"
    ),
    ("position = np.zeros(int(listed.max(initial=0)) + 1", "position = np.ones(int(listed"): (
        "what is looked up is listed"
    ),
    ("if len(name) == 1 and name[0] in", "name[(-1)] in"): "the name has one word",
    ("rounds = 0", "rounds = 1"): "how long prices are lowered is a matter of speed",
    (
        "shape=(edges.size - 1, max(len(numbers), 1))",
        "max(len(numbers), (0))",
    ): "without terms nothing is shared",
    ("FEW = 8", "FEW = "): "how many are looked at bounds time",
    ("UNIT = 2**40", "UNIT = 2**"): "what a whole number is a part of: any large one",
    ("weights = [1] * size if members is None", "weights = [2] * size"): "all weigh the same",
    ("self.grown = dict.fromkeys(members, 0)", "fromkeys(members, (-1))"): "numbers need only grow",
    ("self.last, self.last_noun = span, -1", "span, -2"): "any number below 0 says that there is none",
    ("1 << number for number, name", "2 << number"): "bits need only be distinct",
    ("LARGE = 10_000", "LARGE = "): "either solver finds the best",
    (">= LARGE:", "> LARGE:"): "either solver finds the best",
    ("LOWERINGS = 400", "LOWERINGS = "): "how long prices are lowered is a matter of speed",
    ("if rounds > LOWERINGS:", "if rounds >= LOWERINGS:"): "how long prices are lowered is a matter of speed",
    ("np.zeros(rows.size)] + 1.0", "+ 2.0"): "any number that is above 0",
    ("if (worth == worth[0])", "worth[(-1)]"): "all are alike if they are like any",
    ("if len(batches) == 1:", "if len(batches) == (0):"): "to join one gives the same, later",
    ("np.maximum(word, 0))", "np.maximum(word, (-1)))"): "where there is no word the number is put in behind",
}
