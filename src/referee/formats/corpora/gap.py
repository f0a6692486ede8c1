"""GAP (Webster et al. 2018): texts with one pronoun and two names, and what systems say about them.

* The data: tab-separated `ID Text Pronoun Pronoun-offset A A-offset A-coref B B-offset B-coref URL` under
  these heads; offsets count characters. Each row is a document: the pronoun and the names that it refers to
  are a cluster, a name that it does not refer to is a cluster by itself.
* A system's output: `ID A-coref B-coref` without heads, TRUE or FALSE in any case. It has no text, so it is
  not a corpus: `scoring.gap` compares it with the data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.encoding import decoded
from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.opening import SeekableFile
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span, cut_text

HEADS = (
    "ID",
    "Text",
    "Pronoun",
    "Pronoun-offset",
    "A",
    "A-offset",
    "A-coref",
    "B",
    "B-offset",
    "B-coref",
    "URL",
)
DECISION_HEADS = ("ID", "A-coref", "B-coref")
DECISIONS = "gap-decisions"
LARGEST = 2**28  # bytes; GAP has two million
LABELS = {"true": True, "false": False}
Answers = dict[
    str, tuple[bool | None, bool | None]
]  # example → whether A and B are what the pronoun refers to


@dataclass(frozen=True, slots=True)
class GapExample:
    """A row of the data: where its pronoun and its names are, in characters, and what is true."""

    id: str
    word: str  # the pronoun
    pronoun: Span
    names: tuple[Span, Span]
    coreferent: tuple[bool, bool]

    @property
    def clusters(self) -> list[Cluster]:
        """Put the pronoun and the names that it refers to together."""
        named = list(zip("AB", self.names, self.coreferent, strict=True))
        referent = tuple(Mention.at(*span) for _, span, same in named if same)
        together = Cluster("pronoun", tuple(sorted((Mention.at(*self.pronoun), *referent))))
        return [together, *(Cluster(name, (Mention.at(*span),)) for name, span, same in named if not same)]


class GapCorpus(DocumentCorpus):
    """GAP's texts."""

    def __init__(self, examples: Sequence[GapExample], documents: Sequence[Document], name: str) -> None:
        """Keep the rows, and the documents that they are."""
        super().__init__(documents, name)
        self.examples = tuple(examples)
        self.notices = self.about = [
            f"{name}: GAP marks a pronoun and two names in each text, so every other mention of a "
            "response counts as wrong; GAP's own score only asks about these three"
        ]


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> GapCorpus:
    """Read the data."""
    del reading
    examples: dict[str, GapExample] = {}
    documents = []
    for file in files:
        for where, columns in _rows(file, HEADS):
            example = _example(columns, where)
            if example.id in examples:
                raise FormatError(f"{where}: the example {example.id} occurs twice")
            examples[example.id] = example
            documents.append(cut_text(example.id, columns[1], example.clusters, where))
    return GapCorpus(list(examples.values()), documents, name)


def read_decisions(file: SeekableFile) -> tuple[Answers, list[str]]:
    """Read a system's output, and notices about it. As in GAP's own script the first of several counts."""
    answers: Answers = {}
    notices = []
    for where, (id_, *labels) in _rows(file, DECISION_HEADS):
        if id_ in answers:
            notices.append(f"{where}: {id_} is decided twice; the first decision counts")
            continue
        one, other = (LABELS.get(label.strip().lower()) for label in labels)
        if one is None or other is None:
            notices.append(
                f"{where}: expected TRUE or FALSE twice, not '{' '.join(labels)}'; other values count as none"
            )
        answers[id_] = (one, other)
    return answers, notices


def _rows(file: SeekableFile, heads: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Cut lines into columns, each with where it is; a line of `heads` is skipped."""
    data = file.read(0, LARGEST + 1)
    file.close()
    if len(data) > LARGEST:
        raise FormatError(f"{file.path}: more than {LARGEST >> 20} MiB; GAP's files have two")
    for number, line in enumerate(data.split(b"\n"), start=1):
        where = f"{file.path}:{number}"
        columns = decoded(line.rstrip(b"\r"), file.path, number).split("\t")
        if not line.strip() or (number == 1 and columns[: len(heads)] == list(heads)):
            continue
        if len(columns) != len(heads):
            raise FormatError(
                f"{where}: expected {len(heads)} columns ({', '.join(heads)}), not {len(columns)}"
            )
        yield where, columns


def _example(columns: Sequence[str], where: str) -> GapExample:
    id_, text, pronoun, at, a, a_at, a_true, b, b_at, b_true, _ = columns
    spans = [_span(text, word, offset, where) for word, offset in ((pronoun, at), (a, a_at), (b, b_at))]
    labels = [LABELS.get(label.strip().lower()) for label in (a_true, b_true)]
    if labels[0] is None or labels[1] is None:
        raise FormatError(f"{where}: A-coref and B-coref are TRUE or FALSE, not '{a_true}' and '{b_true}'")
    return GapExample(id_, pronoun, spans[0], (spans[1], spans[2]), (labels[0], labels[1]))


def _span(text: str, word: str, offset: str, where: str) -> Span:
    start = int(offset) if offset.isascii() and offset.isdigit() and len(offset) < 10 else -1
    if not word or start < 0 or text[start : start + len(word)] != word:
        raise FormatError(f"{where}: '{word}' is not at character {offset} of the text")
    return start, start + len(word)
