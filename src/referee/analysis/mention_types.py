"""What kind of expression a mention is: name, noun, pronoun, demonstrative or verb.

The type comes from the part of speech of the mention's head; a mention whose head has an entity label is a
name too (Martschat & Strube 2014, footnote 8). The head comes, in this order, from the layers

* `head`, a dependency tree: the first word that hangs on nothing inside the mention;
* `parse`, a constituency tree: Collins' head;
* `pos` alone: the last noun before whatever follows the noun, and the output says that this was done.

Tags are those of the Penn Treebank, or universal ones. Where a document has none, mentions are `untyped`:
nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from referee.model import Document, Mention

NAME, NOUN, PRONOUN, DEMONSTRATIVE, VERB = "name", "noun", "pronoun", "demonstrative", "verb"
TYPES = (NAME, NOUN, PRONOUN, DEMONSTRATIVE, VERB)
UNTYPED = "untyped"

TAG_TYPES = {
    "NNP": NAME, "NNPS": NAME, "PROPN": NAME,
    "PRP": PRONOUN, "PRP$": PRONOUN, "PRON": PRONOUN, "WP": PRONOUN, "WP$": PRONOUN, "WDT": PRONOUN,
    "DT": DEMONSTRATIVE, "PDT": DEMONSTRATIVE, "DET": DEMONSTRATIVE,
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "VERB", "AUX"), VERB),
}  # fmt: skip
PERSONAL, POSSESSIVE, REFLEXIVE, OTHER_PRONOUN = "personal", "possessive", "reflexive", "other"
POSSESSIVE_WORDS = frozenset(  # not 'her', which the tag tells apart
    ("my", "your", "his", "its", "our", "their", "mine", "yours", "hers", "ours", "theirs")
)
PERSONAL_TAGS = frozenset(("PRP", "PRP$", "PRON"))
PUNCTUATION = frozenset((",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "PUNCT", "SYM"))
NOMINAL = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP", "PRP$", "NOUN", "PROPN", "PRON"))
AFTER_A_NOUN = frozenset(
    (
        "IN",
        "TO",
        "WDT",
        "WP",
        "WRB",
        "ADP",
        "SCONJ",
        *PUNCTUATION,
        *(t for t, k in TAG_TYPES.items() if k == VERB),
    )
)


@dataclass(frozen=True, slots=True)
class Described:
    """A mention in its document, with what is known about it. Two are equal if document and mention are."""

    document_id: str
    mention: Mention
    type: str = field(default=UNTYPED, compare=False)
    head: int | None = field(default=None, compare=False)  # a token of the document
    pronoun: str = field(default="", compare=False)  # personal, possessive, reflexive or other
    entity_type: str = field(default="", compare=False)  # as in the entity layer; empty for none
    document: Document | None = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        """Hash what makes two equal, in one step: sets of thousands are made."""
        return hash((self.document_id, self.mention.spans))

    @property
    def words(self) -> tuple[str, ...]:
        """The mention's words, without those between its spans."""
        if self.document is None:
            return ()
        if self.document.text is not None:
            return tuple(" ".join(self.document.text[start:end] for start, end in self.mention.spans).split())
        return tuple(word for start, end in self.mention.spans for word in self.document.tokens[start:end])

    @property
    def text(self) -> str:
        """The mention as people read it."""
        return " ".join(self.words)

    @property
    def head_word(self) -> str:
        """The head, in lower case; empty where it is not known."""
        return "" if self.head is None or self.document is None else self.document.tokens[self.head].lower()

    @property
    def tags(self) -> tuple[str, ...]:
        """The parts of speech of the words; empty where they are not known."""
        layer = self.document.layers.get("pos") if self.document else None
        return tuple(tag for start, end in self.mention.spans for tag in layer[start:end]) if layer else ()


Category = Callable[[Described], str]  # a user's own answer to what type a mention has


def describe(
    document: Document, mentions: Sequence[Mention], category: Category | None = None
) -> list[Described]:
    """Describe the mentions of a document, as far as its layers tell."""
    tags = document.layers.get("pos")
    labels = entity_labels(document)
    described = []
    for mention, head in zip(mentions, heads(document, mentions), strict=True):
        if tags is None or head is None:
            found = Described(document.id, mention, document=document)
        else:
            tag, label = tags[head], labels[head] if labels else ""
            kind = mention_type(tag, label)
            pronoun = pronoun_kind(document.tokens[head], tag) if kind == PRONOUN else ""
            found = Described(document.id, mention, kind, head, pronoun, label, document)
        described.append(found if category is None else _recategorised(found, category(found)))
    return described


def _recategorised(found: Described, kind: str) -> Described:
    return Described(
        found.document_id, found.mention, kind, found.head, found.pronoun, found.entity_type, found.document
    )


def mention_type(tag: str, entity_type: str = "") -> str:
    """Say the type of a mention whose head has this tag and this entity label.

    >>> mention_type("NNP"), mention_type("NN", "DATE"), mention_type("PRP$"), mention_type("CD")
    ('name', 'name', 'pronoun', 'noun')
    """
    kind = TAG_TYPES.get(tag, NOUN)
    return NAME if entity_type and kind != PRONOUN else kind


def pronoun_kind(word: str, tag: str) -> str:
    """Tell personal, possessive and reflexive pronouns apart.

    >>> pronoun_kind("Himself", "PRP"), pronoun_kind("her", "PRP$"), pronoun_kind("her", "PRP")
    ('reflexive', 'possessive', 'personal')
    """
    word = word.lower()
    if word.endswith(("self", "selves")):
        return REFLEXIVE
    if tag.endswith("$") or word in POSSESSIVE_WORDS:
        return POSSESSIVE
    return PERSONAL if tag in PERSONAL_TAGS else OTHER_PRONOUN


def head_source(document: Document) -> str:
    """Name what heads are found by: dependencies, trees, tags or nothing."""
    layers = document.layers
    if document.text is not None or "pos" not in layers:
        return "nothing"
    return "dependencies" if "head" in layers else "tags"


def heads(document: Document, mentions: Sequence[Mention]) -> list[int | None]:
    """Find the heads of mentions; None where nothing tells."""
    source = head_source(document)
    if source == "nothing":
        return [None] * len(mentions)
    tags = document.layers["pos"]
    if source == "dependencies":
        found = [_top_word(mention, document.layers["head"], tags) for mention in mentions]
    else:
        found = [_last_noun(mention, tags) for mention in mentions]
    # The 's of a possessive gives way to its noun.
    return [
        head - 1 if tags[head] == "POS" and head > mention.start else head
        for head, mention in zip(found, mentions, strict=True)
    ]


def _tokens(mention: Mention) -> Sequence[int]:
    if len(mention.spans) == 1:
        return range(*mention.spans[0])
    return [token for span in mention.spans for token in range(*span)]


def _top_word(mention: Mention, governors: Sequence[str], tags: Sequence[str]) -> int:
    """Take the first word, not a punctuation mark, whose governor is outside."""
    tokens = _tokens(mention)
    if len(tokens) == 1:
        return tokens[0]
    tops = [
        token for token in tokens if not governors[token].isdigit() or int(governors[token]) not in tokens
    ]
    return next((token for token in tops if tags[token] not in PUNCTUATION), tops[0] if tops else tokens[-1])


def _last_noun(mention: Mention, tags: Sequence[str]) -> int:
    """Take the last noun of the first run of words that ends before a preposition, a clause or a comma."""
    tokens = _tokens(mention)
    noun: int | None = None
    for token in tokens:
        if tags[token] in NOMINAL:
            noun = token
        elif noun is not None and tags[token] in AFTER_A_NOUN:
            break
    return tokens[-1] if noun is None else noun


def entity_labels(document: Document) -> list[str] | None:
    """Read the entity layer, `(ORG*` … `*)`, into a label for each token, empty for none."""
    cells = document.layers.get("entity")
    if cells is None:
        return None
    labels = []
    label = ""
    for cell in cells:
        if cell.startswith("("):
            label = cell[1:].split("*")[0].rstrip(")")
        labels.append(label)
        if cell.endswith(")"):
            label = ""
    return labels
