"""ECB+ (Cybulska & Vossen 2014) as its authors publish it: CAT XML, and a list of curated sentences.

* A file's folder is its topic; `ecb` or `ecbplus` in its name is the subtopic.
  `FOLDER/train`, `dev` and `test` are the topics of that part, even if FOLDER holds all topics side by side.
* `ECBplus_coreference_sentences.csv`, in the folder read or above it, lists the sentences whose annotation
  was checked. Documents consist of these alone, as in the cross-document CoNLL that systems exchange; files
  without any are left out. Without the list all sentences are read, and a notice says so.
* `<token t_id sentence>` are the words; `<Markables>` hold mentions, with `<token_anchor t_id>`, and what
  they refer to, with `RELATED_TO` and an `instance_id`; `<Relations>` tie `<source>` mentions to one
  `<target>`. A CROSS_DOC_COREF's instance holds in all documents, an INTRA_DOC_COREF in its own; a mention
  in no relation is a singleton.
* Tags in ACTION… and NEG… are events, all others entities. The two kinds never share a cluster, for in the
  papers they are separate tasks; "all" puts them side by side.
* A mention with a gap (40 in train and dev) has several spans. In that CoNLL it reaches from its first word
  to its last, which the protocol `crossdoc` and gaps="fill" take for both sides.

XML is read without document types, which the corpus does not use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.csv_file import csv_cells
from referee.formats.io.opening import SeekableFile
from referee.formats.io.xml import Element, parse
from referee.formats.ledger import Ledger
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span, joined_spans

SENTENCE_HEAD = "Sentence Number"  # of the list's last column
SENTENCE_LIST = "ECBplus_coreference_sentences.csv"
PARENTS = 3  # folders above a file in which the list may lie: topic, part, corpus
LARGEST = 2**26  # bytes of a file; ECB+'s largest has 200,000
EVENT_TAGS = ("ACTION", "NEG")
KINDS = ("events", "entities")
PARTS = {  # the split of Cybulska & Vossen (2015) and Cattan et al. (2021), by topic
    "dev": frozenset({2, 5, 12, 18, 21, 23, 34, 35}),
    "train": frozenset(range(1, 36)) - {2, 5, 12, 18, 21, 23, 34, 35},
    "test": frozenset(range(36, 46)),
}
Sentences = Mapping[str, frozenset[int]]  # document → its curated sentences


class Annotation(NamedTuple):
    """A mention, what it refers to, and its kind."""

    mention: Mention
    cluster: str
    kind: str


@dataclass(frozen=True, slots=True)
class _File:
    """What a file holds: the curated text, its annotation, and all words."""

    document: Document  # without clusters
    annotations: Sequence[Annotation]
    words: tuple[str, ...]


def part_of(topic: str | None) -> str | None:
    """Name the part of the split that a topic belongs to."""
    if topic is None or not topic.isdigit():
        return None
    return next((part for part, topics in PARTS.items() if int(topic) in topics), None)


def files_of_part(path: Path) -> list[str]:
    """List the files of `FOLDER/dev` where FOLDER holds the topics of all parts, as ECB+ is distributed."""
    topics = PARTS.get(path.name, frozenset())
    return sorted(str(file) for topic in topics for file in (path.parent / str(topic)).glob("*.xml"))


class EcbPlusCorpus(DocumentCorpus):
    """The curated sentences of ECB+ files, with events, entities or both."""

    kinds = KINDS

    def __init__(self, files: Sequence[_File], name: str, kind: str) -> None:
        """Put the mentions of the wanted kind into their clusters."""
        kinds = KINDS if kind == "all" else (kind,)
        super().__init__((_with_clusters(file, kinds) for file in files), name, cross_document=True)
        self._files = files
        self._kind = kind

    @classmethod
    def read(cls, files: Iterable[SeekableFile], name: str) -> EcbPlusCorpus:
        """Read files, each with the list of curated sentences that lies above it."""
        listed = list(files)
        ledger = Ledger()
        lists = _SentenceLists(ledger)
        chosen = [(file, lists.of(Path(file.path))) for file in listed]
        curated = [_read(file, sentences, ledger) for file, sentences in chosen if sentences != frozenset()]
        left_out = [f"{file.path}:1" for file, sentences in chosen if sentences == frozenset()]
        ledger.leave_out("a file without a curated sentence is left out", *left_out)
        corpus = cls(curated, name, "all")
        ledger.close(corpus, [] if lists.any_read else [f"{name}: {NO_LIST}"])
        return corpus

    def of_kind(self, kind: str) -> EcbPlusCorpus:
        """Keep the events or the entities."""
        if kind == self._kind:
            return self
        chosen = EcbPlusCorpus(self._files, self.name, kind)
        chosen.notices, chosen.about = self.notices, self.about
        return chosen

    def all_words(self, number: int) -> Sequence[str]:
        """Give the words of all sentences, curated or not."""
        return self._files[number].words


def _with_clusters(file: _File, kinds: Sequence[str]) -> Document:
    clusters: defaultdict[str, list[Mention]] = defaultdict(list)
    for mention, cluster, kind in sorted(file.annotations):
        if kind in kinds:
            clusters[cluster].append(mention)
    return replace(
        file.document, clusters=tuple(Cluster(id_, tuple(mentions)) for id_, mentions in clusters.items())
    )


class _SentenceLists:
    """Lists of curated sentences, each read once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lists: dict[Path, Sentences | None] = {}
        self.any_read = False

    def of(self, file: Path) -> frozenset[int] | None:
        """The curated sentences of a file; None if there is no list."""
        for folder in list(file.absolute().parents)[:PARENTS]:
            path = folder / SENTENCE_LIST
            if path not in self._lists:
                self._lists[path] = _read_list(path, self._ledger) if path.is_file() else None
            sentences = self._lists[path]
            if sentences is not None:
                self.any_read = True
                return sentences.get(file.stem, frozenset())
        return None


def _read_list(path: Path, ledger: Ledger) -> Sentences:
    sentences: defaultdict[str, set[int]] = defaultdict(set)
    for where, row in csv_cells(SeekableFile(str(path))):
        if len(row) >= 3 and row[2].strip().isdecimal():
            sentences[f"{row[0].strip()}_{row[1].strip()}"].add(int(row[2]))
        elif "".join(row).strip() and row[2:3] != [SENTENCE_HEAD]:
            ledger.skip("a line without topic, file and sentence number is skipped", where)
    if not sentences:
        raise FormatError(f"{path}: lists no sentence; expected lines of topic, file and sentence number")
    return {document: frozenset(numbers) for document, numbers in sentences.items()}


def _parse(file: SeekableFile) -> Element:
    root = parse(file, LARGEST, typed=False)
    if root.tag != "Document":
        raise FormatError(f"{file.path}: expected <Document>, as CAT writes it, not <{root.tag}>")
    return root


def _read(file: SeekableFile, curated: frozenset[int] | None, ledger: Ledger) -> _File:
    """Read a file's curated sentences and the mentions in them."""
    root = _parse(file)
    path = Path(file.path)
    tokens = _tokens(root, file.path)
    ledger.skip("text outside of tokens is not read", *(f"{path}:{line}" for line in root.loose))
    for number in sorted((curated or frozenset()) - {sentence for sentence, _ in tokens.values()}):
        ledger.skip(f"the file does not have the curated sentence {number}", f"{path}:1")
    ids = [id_ for id_, (sentence, _) in tokens.items() if curated is None or sentence in curated]
    position_of = {id_: position for position, id_ in enumerate(ids)}
    document = Document.of(
        path.name,
        tuple(tokens[id_][1] for id_ in ids),
        _sentences([tokens[id_][0] for id_ in ids]),
        (),
        {"sentence": tuple(str(tokens[id_][0]) for id_ in ids), "token": tuple(ids)},
        topic=path.parent.name or None,
        subtopic="ecbplus" if path.stem.endswith("ecbplus") else "ecb",
    )
    annotations = _annotations(root, file.path, tokens, position_of, ledger)
    return _File(document, annotations, tuple(word for _, word in tokens.values()))


def _tokens(root: Element, path: str) -> dict[str, tuple[int, str]]:
    """Read the words: t_id → sentence, word. White space inside a word would end it in other formats."""
    tokens: dict[str, tuple[int, str]] = {}
    for token in root.within("token"):
        id_, sentence = token.get("t_id"), token.get("sentence")
        where = f"{path}:{token.line}"
        if not id_ or not sentence.isdecimal():
            raise FormatError(f"{where}: a token needs t_id and a sentence number: {token.attributes}")
        if id_ in tokens:
            raise FormatError(f"{where}: two tokens have the t_id {id_}")
        tokens[id_] = int(sentence), "".join(token.text.split())
    if not tokens:
        raise FormatError(f"{path}: has no token")
    return tokens


def _sentences(numbers: Sequence[int]) -> tuple[Span, ...]:
    """Cut where the sentence number changes."""
    edges = [i for i, number in enumerate(numbers) if i == 0 or number != numbers[i - 1]] + [len(numbers)]
    return tuple(pairwise(edges)) if numbers else ()


def _annotations(
    root: Element,
    path: str,
    tokens: Mapping[str, tuple[int, str]],
    position_of: Mapping[str, int],
    ledger: Ledger,
) -> list[Annotation]:
    """Read the mentions of curated sentences; note the others."""
    referents = _referents(root, path)
    annotations = []
    for markable in root.within("Markables", "*"):
        if "RELATED_TO" in markable.attributes:
            continue
        id_ = markable.get("m_id")
        anchors = [anchor.get("t_id") for anchor in markable.within("token_anchor")]
        unknown = [anchor for anchor in anchors if anchor not in tokens]
        if unknown:
            where = f"{path}:{markable.line}"
            raise FormatError(f"{where}: mention {id_} points to token {unknown[0]}, which does not exist")
        positions = sorted(position_of[anchor] for anchor in set(anchors) if anchor in position_of)
        if len(positions) < len(set(anchors)) or not positions:
            where = f"{path}:{markable.line}"
            ledger.leave_out(OUTSIDE, where) if anchors else ledger.skip(NO_WORDS, where)
            continue
        kind = KINDS[0] if markable.tag.startswith(EVENT_TAGS) else KINDS[1]
        cluster = referents.get(id_, f"{path}#{id_}")
        mention = Mention(joined_spans([(position, position + 1) for position in positions]))
        annotations.append(Annotation(mention, f"{kind}:{cluster}", kind))
    return annotations


NO_LIST = f"no {SENTENCE_LIST} there or above: all sentences are read, curated or not"
OUTSIDE = "mentions outside the curated sentences are left out"
NO_WORDS = "mentions without words are left out"


def _referents(root: Element, path: str) -> dict[str, str]:
    """Read the relations: mention → the instance that it refers to."""
    markables = {markable.get("m_id"): markable for markable in root.within("Markables", "*")}
    referents: dict[str, str] = {}
    for relation in root.within("Relations", "*"):
        where = f"{path}:{relation.line}: relation {relation.get('r_id')}"
        targets = [target.get("m_id") for target in relation.within("target")]
        if len(targets) != 1 or targets[0] not in markables:
            raise FormatError(f"{where} needs one target that exists, not {targets or 'none'}")
        instance = markables[targets[0]].get("instance_id") or f"{path}#r{relation.get('r_id')}"
        for source in relation.within("source"):
            id_ = source.get("m_id")
            if id_ not in markables:
                raise FormatError(f"{where} has the source {id_}, which does not exist")
            if referents.setdefault(id_, instance) != instance:
                raise FormatError(f"{where}: mention {id_} refers to two things")
    return referents


def read_corpus(files: Sequence[SeekableFile], name: str, reading: Reading) -> EcbPlusCorpus:
    """Read events and entities of all files."""
    del reading
    return EcbPlusCorpus.read(files, name)
