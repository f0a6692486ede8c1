"""Constituency trees of many documents in flat arrays.

Tokens are numbered through all documents read at once. Phrases are numbered in the order in which they
open, so that a phrase comes before those inside it. A label is kept as a number (see `code`): its letters
up to the first other character, so that function tags, indices and the dollar of PRP$ are gone.

`referee.language.trees.treebank` reads trees, `referee.language.head_rules` finds the heads of phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from referee.arrays import BoolArray, IntArray, bracket_pairs, scattered
from referee.encoding import encoded
from referee.exceptions import FormatError

Codes = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.uint8]

WIDTH = 8  # the bytes of a label that count
UNREAD = "UNREAD"  # the label of a phrase that is only there to hold the words of a malformed tree
EVERY_BYTE = np.uint64(0x0101010101010101)
LETTER_BITS = EVERY_BYTE << np.uint64(6)  # letters have this bit; what ends a label has not
OPEN, CLOSE, STAR, BLANK = b"()* "
PUNCTUATION = (",", ".", ":", "``", "''", '"', "-LRB-", "-RRB-", "(", ")", "HYPH", "NFP")


class TreeError(FormatError):
    """A tree that cannot be read: which sentence of which document, counted from 0, and why.

    `line` is the first line of a Penn tree in its text, from 1; `token` is the first token of a sentence
    whose parse column is at fault, in its document, from 0. The caller, which knows the file, adds its name.
    """

    def __init__(
        self, reason: str, *, document: int, sentence: int, line: int | None = None, token: int | None = None
    ) -> None:
        """Keep the location; the message says the sentence and the reason."""
        super().__init__(f"sentence {sentence + 1}: {reason}")
        self.reason = reason
        self.document, self.sentence, self.line, self.token = document, sentence, line, token

    def __reduce__(self) -> tuple[Callable[[str], TreeError], tuple[str]]:
        """Keep the location when sent to another process."""
        location = {name: getattr(self, name) for name in ("document", "sentence", "line", "token")}
        return partial(TreeError, **location), (self.reason,)


@dataclass(frozen=True, slots=True)
class Words:
    """Where the words are in the bytes they were read from."""

    data: bytes
    begin: IntArray
    end: IntArray

    def __getitem__(self, token: int) -> str:
        """Spell a token, its brackets as brackets."""
        return unescape(self.data[self.begin[token] : self.end[token]]).decode(errors="replace")


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees of some documents, in columns over tokens and columns over phrases."""

    documents: IntArray  # document → its first token; and the number of tokens
    sentences: IntArray  # sentence → its first token; and the number of tokens
    words: Words
    tag: Codes  # token → part of speech
    holder: IntArray  # token → the phrase that it is in directly, or −1
    label: Codes  # phrase → label
    start: IntArray  # phrase → its first token
    end: IntArray  # phrase → one past its last token
    parent: IntArray  # phrase → the phrase around it, or −1
    breadth_first: IntArray  # the children of one phrase are together, from left to right
    first_child: IntArray  # phrase → index of its first child in `breadth_first`
    children: IntArray  # phrase → how many phrases are directly in it
    bad: tuple[TreeError, ...] = ()  # one for each sentence whose tree cannot be read

    def digests(self) -> list[bytes]:
        """Sum up the trees of each document: tags, and the labels and spans of phrases."""
        phrases = np.searchsorted(self.start, self.documents)
        sums = []
        for document, (first, last) in enumerate(pairwise(self.documents.tolist())):
            part = slice(*phrases[document : document + 2])
            whole = blake2b(self.tag[first:last].tobytes(), digest_size=8)
            for column in (self.label[part], self.start[part] - first, self.end[part] - first):
                whole.update(column.tobytes())
            sums.append(whole.digest())
        return sums

    def unread(self) -> BoolArray:
        """Say of each token whether it is in a sentence whose tree cannot be read."""
        unread: BoolArray = np.append(self.label == code(UNREAD), False)[self.holder]
        return unread


def code(label: str) -> np.uint64:
    """Write a label as the number that stands for it in `Trees.label` and `Trees.tag`.

    >>> spelled(code("NP"))
    'NP'
    """
    return np.uint64(int.from_bytes(encoded(label)[:WIDTH], "little"))


def spelled(label: np.uint64) -> str:
    """Write the label that a number stands for."""
    return int(label).to_bytes(WIDTH, "little").rstrip(b"\0").decode(errors="replace")


def windows_of(data: bytes | Bytes) -> Codes:
    """See the eight bytes from each position on as one number."""
    return np.ndarray(len(data) - WIDTH + 1, np.dtype("<u8"), data, strides=(1,))


def codes_at(windows: Codes) -> Codes:
    """Cut a label out of the bytes that begin with it: letters, or else everything up to a blank."""
    codes = windows & _before_first(~windows & LETTER_BITS, 6)
    symbols = np.flatnonzero(codes == 0)
    codes[symbols] = windows[symbols] & _before_first(_blanks(windows[symbols]), 7)
    return codes


def labels_at(windows: Codes) -> Codes:
    """Cut the labels of phrases, which may be missing, out of the bytes after their brackets."""
    following = windows & np.uint64(0xFF)
    return np.where((following >= OPEN) & (following <= STAR), np.uint64(0), codes_at(windows))


def _blanks(windows: Codes) -> Codes:
    """Flag, in its highest bit, the first byte that is a blank (and perhaps some after it)."""
    return (windows - EVERY_BYTE * np.uint64(BLANK + 1)) & ~windows & (EVERY_BYTE << np.uint64(7))


def _before_first(flags: Codes, bit: int) -> Codes:
    """Mask the bytes before the first one in which a bit is set."""
    lowest = flags & (~flags + np.uint64(1))
    return (lowest >> np.uint64(bit)) - np.uint64(1)


def lengths_at(windows: Codes) -> IntArray:
    """Count the bytes before the first blank."""
    mask = _before_first(_blanks(windows), 7)
    return np.frexp(mask.astype(np.float64))[1].astype(np.int64) >> 3


def unescape(word: bytes) -> bytes:
    r"""Undo the treebank's spelling of brackets, slashes and asterisks.

    >>> unescape(b"friend-LRB-s-RRB-")
    b'friend(s)'
    """
    for escaped, plain in ((b"-LRB-", b"("), (b"-RRB-", b")"), (rb"\/", b"/"), (rb"\*", b"*")):
        word = word.replace(escaped, plain)
    return word


def escape(word: str) -> str:
    """Spell brackets as a treebank does, and an empty word as one."""
    return word.replace("(", "-LRB-").replace(")", "-RRB-") or "_"


@dataclass(frozen=True, slots=True)
class Brackets:
    """The brackets of phrases in a row, and where the tokens are between them: the shape of the trees."""

    opening: BoolArray
    label: Codes  # of the opening ones
    tokens: IntArray  # bracket → tokens before it
    before: IntArray  # token → brackets before it

    def without_empty_phrases(self) -> Brackets:
        """Take away phrases that hold no token."""
        if not (self.opening[:-1] & ~self.opening[1:] & (self.tokens[:-1] == self.tokens[1:])).any():
            return self
        opens, closes = bracket_pairs(self.opening)
        full = np.ones(self.opening.size, np.bool_)
        empty = self.tokens[opens] == self.tokens[closes]
        full[opens[empty]] = full[closes[empty]] = False
        left = np.append(0, np.cumsum(full))
        label = self.label[full[self.opening]]
        return Brackets(self.opening[full], label, self.tokens[full], left[self.before])


def assemble(
    brackets: Brackets,
    words: Words,
    tag: Codes,
    sentences: IntArray,
    documents: IntArray,
    bad: Sequence[TreeError],
) -> Trees:
    """Number the phrases, and find where each lies and what is directly in it."""
    brackets = brackets.without_empty_phrases()
    opens, closes = bracket_pairs(brackets.opening)
    opened = np.cumsum(brackets.opening) - 1  # bracket → the phrase that it opens
    breadth_first = opened[opens]
    parent_of_each, first_child, children = _families(brackets.opening, opens, opened)
    around = np.full(brackets.opening.size + 1, -1)  # bracket → the phrase open after it; −1: no bracket yet
    around[opens], around[closes] = breadth_first, parent_of_each
    return Trees(
        documents=documents,
        sentences=sentences,
        words=words,
        tag=tag,
        holder=around[brackets.before - 1],
        label=brackets.label,
        start=scattered(brackets.tokens[opens], breadth_first),
        end=scattered(brackets.tokens[closes], breadth_first),
        parent=scattered(parent_of_each, breadth_first),
        breadth_first=breadth_first,
        first_child=first_child,
        children=children,
        bad=tuple(bad),
    )


def _families(opening: BoolArray, opens: IntArray, opened: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Find the parent of each phrase, breadth first; then each phrase's first child there, and how many.

    A first child opens right after its parent, any other phrase right after the sibling before it: first
    children mark where families begin. The roots are one family, whose parent is −1.
    """
    begins_family = (opens == 0) | opening[opens - 1]
    oldest = np.flatnonzero(begins_family)
    parent = np.where(opens[oldest] == 0, -1, opened[opens[oldest] - 1])
    sizes = np.diff(oldest, append=opens.size)
    first_child, children = np.zeros((2, opens.size + 1), np.int64)  # one more, for the parent −1
    first_child[parent], children[parent] = oldest, sizes
    return np.repeat(parent, sizes), first_child[:-1], children[:-1]
