"""What kind of expression a mention is: name, noun, pronoun, demonstrative or verb.

The type comes from the part of speech of the mention's head; a mention whose head has an entity label is a
name too (Martschat & Strube 2014, footnote 8). `head_words` finds the head. Tags are those of the Penn
Treebank, universal ones, or Dutch ones (`tag_sets`). Where a document has none, mentions are `untyped`:
nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from referee.language.english import POSSESSIVES
from referee.language.heads import head_words
from referee.language.tag_sets import common_tags
from referee.model import Document, Mention
from referee.model.layers import VERBAL

NAME, NOUN, PRONOUN, DEMONSTRATIVE, VERB = "name", "noun", "pronoun", "demonstrative", "verb"
TYPES = (NAME, NOUN, PRONOUN, DEMONSTRATIVE, VERB)
UNTYPED = "untyped"

TAG_TYPES = {
    "NNP": NAME, "NNPS": NAME, "PROPN": NAME,
    "PRP": PRONOUN, "PRP$": PRONOUN, "PRON": PRONOUN, "WP": PRONOUN, "WP$": PRONOUN, "WDT": PRONOUN,
    "DT": DEMONSTRATIVE, "PDT": DEMONSTRATIVE, "DET": DEMONSTRATIVE,
    **dict.fromkeys(VERBAL, VERB),
}  # fmt: skip
PERSONAL, POSSESSIVE, REFLEXIVE, OTHER_PRONOUN = "personal", "possessive", "reflexive", "other"
POSSESSIVE_WORDS = POSSESSIVES - {"her"}  # whose tag says whether it is one
PERSONAL_TAGS = frozenset(("PRP", "PRP$", "PRON"))


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
        words = self.document.words if self.document else ()
        return tuple(word for start, end in self.mention.spans for word in words[start:end])

    @property
    def text(self) -> str:
        """The mention as people read it."""
        return "" if self.document is None else self.document.text.spelled(self.mention.spans)

    @property
    def head_word(self) -> str:
        """The head, in lower case; empty where it is not known."""
        return "" if self.head is None or self.document is None else self.document.words[self.head].lower()

    @property
    def tags(self) -> tuple[str, ...]:
        """The parts of speech of the words; empty where they are not known."""
        layer = self.document.layers.get("pos") if self.document else None
        return tuple(tag for start, end in self.mention.spans for tag in layer[start:end]) if layer else ()


Category = Callable[[Described], str]  # a user's answer to what type a mention has


def describe(
    document: Document, mentions: Sequence[Mention], category: Category | None = None
) -> list[Described]:
    """Describe the mentions of a document, as far as its layers say. One beyond its end is unknown."""
    tags, words, labels = common_tags(document.layers.get("pos", ())), document.words, entity_labels(document)
    described = []
    for mention, head in zip(mentions, head_words(document, mentions), strict=True):
        if head is None:
            inside = document if mention.end <= document.text.length else None
            each = Described(document.id, mention, document=inside)
        else:
            tag, label = tags[head], labels[head] if labels else ""
            kind = mention_type(tag, label)
            pronoun = pronoun_kind(words[head], tag) if kind == PRONOUN else ""
            each = Described(document.id, mention, kind, head, pronoun, label, document)
        described.append(each if category is None else _recategorised(each, category(each)))
    return described


def _recategorised(each: Described, kind: str) -> Described:
    return Described(
        each.document_id, each.mention, kind, each.head, each.pronoun, each.entity_type, each.document
    )


def mention_type(tag: str, entity_type: str = "") -> str:
    """Say the type of a mention whose head has this tag and this entity label.

    >>> mention_type("NNP"), mention_type("NN", "DATE"), mention_type("PRP$"), mention_type("CD")
    ('name', 'name', 'pronoun', 'noun')
    """
    kind = TAG_TYPES.get(tag, NOUN)
    return NAME if entity_type and kind != PRONOUN else kind


def pronoun_kind(word: str, tag: str) -> str:
    """Say whether a pronoun is personal, possessive, reflexive or another one.

    >>> pronoun_kind("Himself", "PRP"), pronoun_kind("her", "PRP$"), pronoun_kind("her", "PRP")
    ('reflexive', 'possessive', 'personal')
    """
    word = word.lower()
    if word.endswith(("self", "selves")):
        return REFLEXIVE
    if tag.endswith("$") or word in POSSESSIVE_WORDS:
        return POSSESSIVE
    return PERSONAL if tag in PERSONAL_TAGS else OTHER_PRONOUN


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
