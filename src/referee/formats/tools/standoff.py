"""What formats that mark a running text from beside it have in common.

Reading: marks count characters, and links between them make clusters. Writing: words become a running text,
and mentions spans of its characters. What was read goes along with the document, and comes out again as it
was, with all that the model has no field for, as long as the document still says the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from referee.encoding import decoded
from referee.exceptions import FormatError
from referee.formats.format import USUAL, Reading
from referee.formats.io.opening import UNPACKERS, SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.tools.marks import (
    NO_FLAGS,
    Flags,
    Group,
    MarkRelation,
    kind_beyond,
    layered,
    plain_name,
)
from referee.model import (
    Cluster,
    ClusterLayer,
    Document,
    DocumentCorpus,
    Mention,
    Span,
    Text,
    cut_text,
    in_characters,
    joined_spans,
    linked_groups,
)

LARGEST = 2**28  # bytes of a file
FORGIVEN = 100  # times as much white space as a repeated text has characters
LETTER = re.compile(r"\S")  # anything but white space
WIDE = re.compile("[\U00010000-\U0010ffff]")  # characters that UTF-16 writes as two units
UNTYPED = "Mention"  # the label of a mention whose type is not known: tools want one
COREFERENCE = "Coreference"  # the label of a link between two mentions of one thing
# What annotators call that link, in lower case and without signs.
IDENTITY_NAMES = frozenset({
    "coreference", "coreferences", "coref", "corefer", "corefers", "coreferent", "coreferential",
    "coreferencelink", "coreferencerelation", "coreflink", "corefrel", "corefrelation", "corefident",
    "corefidentity", "identity", "ident", "identical", "identicalto", "same", "sameas",
    "samereferent", "equiv", "equivalence", "equivalent", "anaphora", "anaphor", "anaphoric",
    "anaphoriclink", "antecedent", "refersto",
})  # fmt: skip


class StandoffMark(NamedTuple):
    """A mention in a file: its spans of characters, what is said of it, and where it is (FILE:LINE)."""

    spans: Sequence[Span]
    type: str | None
    where: str
    score: float | None = None
    flags: Flags = NO_FLAGS


class FiledCorpus(DocumentCorpus):
    """Documents of which each is at a known location in a file."""

    def __init__(
        self,
        documents: Iterable[tuple[str, Document]],
        name: str,
        *,
        named: bool,
        row: Callable[[Text, int], str] | None = None,
    ) -> None:
        """Keep documents, each with its location: FILE:LINE.

        `row` makes the pattern of the line that has a mention or a word, given its first word, where a file
        has lines for them.
        """
        located = list(documents)
        super().__init__((document for _, document in located), name)
        self.locations = [where for where, _ in located]
        self.named, self._row = named, row

    def location(self, number: int, word: int | None = None) -> str:
        """Say where a document is, or one of its words."""
        where, document = self.locations[number], self.documents[number]
        if word is None or self._row is None:
            return where
        found = re.search(self._row(document.text, word), document.layout[1], re.MULTILINE)
        line = document.layout[1].count("\n", 0, found.start()) + 1 if found else 1
        return f"{where.rpartition(':')[0]}:{line}"


def means_identity(name: str, reading: Reading = USUAL) -> bool:
    """Whether a relation of this name says that two mentions are of one thing.

    >>> means_identity("CO-REF"), means_identity("same_as"), means_identity("part_of")
    (True, True, False)
    >>> means_identity("part_of", Reading(identity=("PartOf",)))
    True
    """
    label = plain_name(name)
    given = {each for each in reading.identity if plain_name(each) == label}
    reading.met.update(given)
    return bool(given) or label in IDENTITY_NAMES


def is_coreference_layer(name: str) -> bool:
    """Whether the relations of a layer are of coreference, by the last part of its name.

    >>> is_coreference_layer("webanno.custom.Coref"), is_coreference_layer("webanno.custom.PartOf")
    (True, False)
    """
    return is_called_coreference(name) or means_identity(name.rsplit(".", 1)[-1])


def kind_of_relation(name: str, reading: Reading = USUAL, *, within_coreference: bool = False) -> str | None:
    """Say what a relation of this name means: '' is identity, None nothing that is read.

    `within_coreference` says that it is in a layer of coreference, where other names are kinds of identity.

    >>> kind_of_relation("coref"), kind_of_relation("ana"), kind_of_relation("ana", within_coreference=True)
    ('', None, '')
    >>> kind_of_relation("bridge", within_coreference=True)
    'bridging'
    """
    if means_identity(name, reading):
        return ""
    beyond = kind_beyond(name, within_coreference=within_coreference)
    return "" if beyond is None and within_coreference else beyond


def note_relation(ledger: Ledger, name: str, where: str) -> None:
    """Note a relation whose name does not mean identity; one that is called after coreference is a doubt."""
    if "coref" in name.casefold():
        ledger.skip(
            f"the relation '{name}' is called after coreference, but is not read as such (to read it, "
            f"convert the files with identity='{name}')",
            where,
        )
    else:
        ledger.leave_out(f"the relation '{name}' does not mean coreference: kept but not read", where)


def note_spans(ledger: Ledger, layer: str, *places: str) -> None:
    """Note the spans of a layer that is called after coreference, though nothing says which are the same."""
    ledger.skip(
        f"the span layer '{layer.rsplit('.', 1)[-1]}' is called after coreference, but is not read: only "
        "chains, and relations between spans, say which are the same",
        *places,
    )


def is_called_coreference(name: str) -> bool:
    """Whether the last part of a layer's name has `coref` in it.

    >>> is_called_coreference("webanno.custom.CorefSpan"), is_called_coreference("my.coref.type.Person")
    (True, False)
    """
    return "coref" in name.rsplit(".", 1)[-1].casefold()


def reads_as(running: str, spans: Sequence[Span], text: str) -> bool:
    """Whether spans of a running text read as a file repeats them; white space does not count.

    >>> reads_as("Ann\\nLee", [(0, 7)], "Ann Lee"), reads_as("Ann Lee", [(0, 3), (4, 7)], "Ann")
    (True, False)
    """
    if sum(end - start for start, end in spans) > FORGIVEN * (len(text) + 1):
        return False  # without a look at what may be most of a long text
    here = "".join(running[max(start, 0) : max(end, 0)] for start, end in spans)
    return "".join(here.split()) == "".join(text.split())


def whole_text(file: SeekableFile, start: int = 0, size: int = -1) -> str:
    """Read a file, or a part of it, that is UTF-8 and not too large."""
    data = file.read(start, size if size >= 0 else LARGEST + 1)
    file.close()
    if len(data) > LARGEST:
        raise FormatError(f"{file.path}: more than {LARGEST >> 20} MiB; split it into several documents")
    return decoded(data, file.path)


def linked_document(
    id_: str,
    running: str,
    marks: Mapping[str, StandoffMark],
    links: Iterable[tuple[str, str]],
    where: str,
    relations: Iterable[MarkRelation] = (),
    ledger: Ledger | None = None,
) -> Document:
    """Make a document of a running text: marks that are linked, directly or not, are one cluster.

    Of `relations`, those of identity are expected among the links too.
    """
    mentions = {name: mention_of(mark, running) for name, mark in marks.items()}
    group_of = linked_groups(marks, links)
    groups: dict[str, list[str]] = {}
    for name in sorted(mentions, key=lambda name: mentions[name]):
        groups.setdefault(group_of[name], []).append(name)
    clusters = [Cluster(names[0], tuple(mentions[name] for name in names)) for names in groups.values()]
    flagged = [Group(some, NO_FLAGS.union(*(marks[n].flags for n in some))) for some in groups.values()]
    return layered(cut_text(id_, running, clusters, where), flagged, relations, ledger)


def mention_of(mark: StandoffMark, running: str) -> Mention:
    """Make a mention of a mark, whose spans must be inside the text and more than white space."""
    for start, end in mark.spans:
        if not 0 <= start < end <= len(running):
            raise FormatError(
                f"{mark.where}: the span {start}-{end} is empty, or not inside the text, which has "
                f"{len(running)} characters"
            )
    spans = [span for span in mark.spans if LETTER.search(running, *span)]
    if not spans:
        raise FormatError(f"{mark.where}: the span {mark.spans[0]} is white space alone; remove it")
    return Mention(joined_spans(spans), type=mark.type, score=mark.score)


Clusters = list[list[tuple[Mention, list[Span]]]]  # mentions, and their characters


class Placed(NamedTuple):
    """A document's running text, the characters of each word, and those of each cluster's mentions."""

    running: str
    characters: Sequence[Span]
    clusters: Clusters


def placed(document: Document, label: str, *, gaps: bool = False) -> Placed:
    """Give a document in characters; refuse what a format, called `label`, cannot hold."""
    if not _is_placed(document.text):
        document = _with_running(document)
    text = document.text
    clusters = []
    for cluster in document.clusters:
        for mention in cluster.mentions:
            what = ""
            if mention.end > text.length:
                what = "a mention of a word that is not written"
            elif len(mention.spans) > 1 and not gaps:
                what = "a mention of several spans"
            elif not all(
                LETTER.search(text.running or "", *span) for span in in_characters(text, mention.spans)
            ):
                what = "a mention without letters"
            if what:
                raise FormatError(
                    f"document {document.id}: cluster {cluster.id} has {what}, which {label} cannot hold; "
                    "write jsonlines instead"
                )
        typed = [_typed(mention, cluster) for mention in cluster.mentions]
        clusters.append([(m, in_characters(text, m.spans)) for m in typed])
    return Placed(text.running or "", text.characters, clusters)


def _is_placed(text: Text) -> bool:
    """Whether the running text is known, and where each word is in it."""
    if text.running is None or len(text.characters) != text.length:
        return False
    edges = [edge for span in text.characters for edge in span]
    return all(one <= other for one, other in pairwise([0, *edges, len(text.running)]))


def _typed(mention: Mention, cluster: Cluster) -> Mention:
    """Give a mention its cluster's type if it has none: tools have types of mentions only."""
    if mention.type is not None or cluster.type is None:
        return mention
    return Mention(mention.spans, type=cluster.type, score=mention.score)


def _with_running(document: Document) -> Document:
    """Join the written words: a blank between two, a line break between two sentences."""
    words = document.words[: document.text.length]
    ends = {end for _, end in document.sentences}
    gaps = ["\n" if number in ends else " " for number in range(1, len(words))]
    starts = list(accumulate((len(word) + 1 for word in words), initial=0))
    characters = tuple((start, start + len(word)) for start, word in zip(starts, words, strict=False))
    running = "".join(word + gap for word, gap in zip(words, [*gaps, ""], strict=True)) if words else ""
    return document.with_text(running=running, characters=characters)


def as_it_came(document: Document, form: str, read: Callable[[str, str], Document]) -> str | None:
    """Give back what a document was read from, if that still says the same; `read` takes it, and a name."""
    if len(document.layout) != 2 or document.layout[0] != form:
        return None
    try:
        before = read(document.layout[1], document.id)
    except (FormatError, ValueError, RecursionError):  # not from a file: made up by the caller
        return None
    return document.layout[1] if _said(before) == _said(document) else None


def _said(document: Document) -> tuple[object, ...]:
    """List what counts of a document; equality of mentions only compares spans."""
    text = document.text
    layers: list[Document | ClusterLayer] = [document, *document.cluster_layers]
    clusters = [
        (c.id, c.type, [(m.spans, m.minimum, m.head, m.type, m.score) for m in c.mentions])
        for layer in layers
        for c in (*layer.clusters, *layer.non_referring)
    ]
    beyond = document.relations, document.non_referring, document.cluster_layers
    return text.id, text.words, text.running, text.sentences, clusters, beyond


class CodeUnits:
    r"""Offsets in units of UTF-16, as Java and JavaScript count them, and in characters.

    >>> units = CodeUnits("a\U0001f60ab")
    >>> [units.before(character) for character in range(4)], [units.character(unit) for unit in (0, 1, 3, 4)]
    ([0, 1, 3, 4], [0, 1, 2, 3])
    """

    def __init__(self, running: str) -> None:
        """Find the characters that take two units."""
        wide = [] if running.isascii() else [match.start() for match in WIDE.finditer(running)]
        self._wide = wide
        self._wide_units = [position + number for number, position in enumerate(wide)]
        self.length = len(running) + len(wide)

    def before(self, character: int) -> int:
        """Count the units before a character."""
        return character + bisect_left(self._wide, character)

    def character(self, unit: int) -> int:
        """Find the character that starts at a unit; ValueError if one does not end before it."""
        wide = bisect_left(self._wide_units, unit)
        if wide and self._wide_units[wide - 1] == unit - 1:
            raise ValueError(f"{unit} is in the middle of a character")
        return unit - wide


def name_by_file(path: str, endings: Sequence[str]) -> str:
    """Name a document after its file, which may write signs such as `/` as `%2F`.

    >>> name_by_file("dev/nw%2Fwsj_01.ann", [".ann"]), name_by_file("a.cas.json.gz", [".cas.json", ".json"])
    ('nw/wsj_01', 'a')
    """
    name = Path(path).name
    packing = next((packing for packing in UNPACKERS if name.endswith(packing)), "")
    name = name.removesuffix(packing)
    return unquote(name.removesuffix(next((ending for ending in endings if name.endswith(ending)), "")))
