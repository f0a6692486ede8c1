"""Parsed texts with changes at random: what a parser mistakes, other words, sentences elsewhere.

A rule that looks one word too far gives the same on a few good texts, and something else on one of these. The
changes depend on a name and a number alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from camp_stories import DATA, blocks
from camp_texts import by_hand
from chance import Chance
from referee.model import Text

Row = list[str]  # word, tag, lemma, head, relation, entity
Sentence = list[Row]
# Words that rules look for, by tag: a word becomes another of its kind.
WORDS = {
    "PRP": "he she it they I we you him her them me us himself herself itself themselves myself mine 's",
    "PRP$": "his her its their my our your",
    "DT": "the a an this that these those some every no all both",
    "NNP": """
        Clara Peter Holt Moss William Bill Dent Jan Kim Leeds America Norway Mr. Mrs. Miss Dr. Sir Lady
        Professor King Queen Old Dear Duke Kent Acme Corp. Inc. Bank Zorby A. J. US Charlotte Tom Harriet
        Friday @clara #Leeds Clara-Ann
    """,
    "NNPS": "Americans Moores States Holts",
    "NN": """
        house dog man woman mayor doctor sister team friend time letter people government boat morning rain
        someone nurse teacher king city way one owner driver mother father idea river
    """,
    "NNS": "houses dogs men women doctors sisters teams friends letters people owners years",
    "VBD": "said asked was became saw rained seemed took told wanted answered is left smiled whispered",
    "VBZ": "says is seems rains becomes takes looks asks",
    "IN": "of in at near from by to behind because that if",
    "CC": "and or but",
    "JJ": "old young late cold new long dear good American dark",
    "CD": "two 40 1990 one three",
    "RB": "just only very about not there then",
    ".": ". ! ? …",
    ",": ", ;",
    ":": ": - — -- * •",
    "``": '`` " “ ‘',
    "''": "'' \" ” ’",
}
LISTS = {tag: words.split() for tag, words in WORDS.items()}
_LEMMAS = """
    said say asked ask was be is be became become saw see rained rain seemed seem took take told tell
    wanted want answered answer left leave smiled smile whispered whisper says say seems seem looks look
    rains rain becomes become takes take asks ask men man women woman
"""
LEMMAS = dict(zip(_LEMMAS.split()[::2], _LEMMAS.split()[1::2], strict=True))
QUOTED = frozenset("\"'“”‘’")
CLOSE = frozenset((*".,;:!?”’", "''", "'s", "n't"))  # no blank before these
TAGS = (*LISTS, "UH", "POS", "VB", "HYPH", "NFP")
_RELATIONS = """
    nsubj nsubj dobj pobj poss appos conj compound nmod amod attr acomp prep npadvmod intj det relcl acl ccomp
    xcomp advcl nsubjpass expl dative vocative cc punct advmod nummod
"""
RELATIONS = _RELATIONS.split()
LABELS = (
    "PERSON",
    "PERSON",
    "GPE",
    "ORG",
    "LOC",
    "FAC",
    "NORP",
    "DATE",
    "MONEY",
    "TIME",
    "PRODUCT",
    "EVENT",
    "LAW",
)


def sentences_of(table: str) -> list[Sentence]:
    """Read a table as `by_hand` has it."""
    return [
        [[*line.split(), "*"][:6] for line in block.strip().splitlines()]
        for block in table.strip().split("\n\n")
    ]


STORIES = {
    f"{path.stem}, {name}": sentences_of(table)
    for path in (DATA / "fifteen.txt", DATA / "parses.txt")
    for name, table in blocks(path).items()
}
SPOKEN = [
    sentence
    for sentences in STORIES.values()
    for sentence in sentences
    if any(row[1] in ("``", "''") or row[0] in QUOTED for row in sentence)
]
LONG = [name for name, sentences in STORIES.items() if len(sentences) > 5]


class Changes(Chance):
    """Changes of sentences; each function takes one at random."""

    def __init__(self, seed: str) -> None:
        """Begin a sequence."""
        super().__init__(seed)
        self.words: Sequence[Callable[[Sentence, int], None]] = (
            self._spell, self._spell, self._spell, self._tag, self._relate, self._relate, self._hang,
            self._name,
        )  # fmt: skip

    def text(self, name: str, *, spoken: int = 0) -> Text:
        """Change a sentence or two in six, and one word in fourteen, and add some that are `spoken`."""
        sentences = [[[*row] for row in sentence] for sentence in STORIES[name]]
        for _ in range(spoken):
            at, first = self.below(len(sentences)), self.below(len(SPOKEN))
            sentences[at:at] = [[[*row] for row in sentence] for sentence in SPOKEN[first : first + 3]]
        for _ in range(1 + len(sentences) // 6):
            self._move(sentences)
        for sentence in sentences:
            for word in range(len(sentence)):
                if not self.below(14):
                    self.one(self.words)(sentence, word)
        return by_hand("\n\n".join("\n".join(map(" ".join, sentence)) for sentence in sentences))

    def laid_out(self, name: str) -> Text:
        """Change a story in which people speak, and write it with its blanks and paragraphs."""
        text = self.text(name, spoken=4)
        begins = {start for start, _ in text.sentences}
        running, characters, is_open = "", [], False
        for number, word in enumerate(text.words):
            blank = "" if word in CLOSE or (word in QUOTED and is_open) else " "
            if number and running[-1] in '"“‘' and is_open:
                blank = ""
            if word in QUOTED:
                is_open = is_open != bool(self.below(30))
            if number in begins:
                blank = self.one((" ", " ", "\n", "\n\n", "\n\n"))
            elif not self.below(40):
                blank = self.one(("", " "))
            running += blank if number else ""
            characters.append((len(running), len(running) + len(word)))
            running += word
        return replace(text, running=running, characters=tuple(characters))

    def _move(self, sentences: list[Sentence]) -> None:
        at, kind = self.below(len(sentences)), self.below(4)
        if kind == 0 and len(sentences) > 2:
            del sentences[at]
        elif kind == 1:
            sentences.insert(at, [[*row] for row in self.one(sentences)])
        else:
            story = STORIES[self.one(list(STORIES))]
            sentences.insert(at, [[*row] for row in self.one(story)])

    def _spell(self, sentence: Sentence, word: int) -> None:
        row = sentence[word]
        if row[1] in LISTS:
            row[0] = self.one(LISTS[row[1]])
            row[2] = LEMMAS.get(row[0], row[0].lower().removesuffix("s") if row[1] == "NNS" else row[0])
            if word == 0:
                row[0] = row[0][:1].upper() + row[0][1:]

    def _tag(self, sentence: Sentence, word: int) -> None:
        sentence[word][1] = self.one(TAGS)

    def _relate(self, sentence: Sentence, word: int) -> None:
        if sentence[word][4] != "ROOT":
            sentence[word][4] = self.one(RELATIONS)

    def _hang(self, sentence: Sentence, word: int) -> None:
        if sentence[word][4] != "ROOT":
            sentence[word][3] = str(1 + self.below(len(sentence)))

    def _name(self, sentence: Sentence, word: int) -> None:
        cell = sentence[word][5]
        inside = any(row[5] == "*)" for row in sentence[word:]) and not cell.startswith("(")
        if cell.startswith("("):
            sentence[word][5] = f"({self.one(LABELS)}{'*' if cell.endswith('*') else ')'}"
        elif cell == "*" and not inside:
            sentence[word][5] = f"({self.one(LABELS)})"
