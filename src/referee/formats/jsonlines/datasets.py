"""Rows of data sets and results of tools, as dictionaries and in files: lines, a list or one value. Each kind
is recognised by its fields.

indiscrim   coref-data on the Hugging Face hub: `sentences` of {id, text, speaker, tokens [{id, text, lemma,
            upos, xpos, head, …}]}, `coref_chains` [[[sentence, first, last]]], from 0, the last *included*.
            A token whose id has a fraction (3.1) is a word that is not written.
ontonotes   conll2012_ontonotesv5: `document_id`, `sentences` of {part_id, words, pos_tags, speaker,
            coref_spans [[cluster, first, last]]}, counted in the sentence, the last *included*; each part
            is a document, since clusters end with it
CoreNLP     `sentences` of {tokens [{word, lemma, pos}]}, `corefs` {id: [{sentNum, startIndex, endIndex,
            headIndex}]}, from 1, the end *excluded*
wl-coref    `document_id`, `part_id`, `cased_words`, and for each word `sent_id`, `speaker`, `pos`;
            `span_clusters`, or else `clusters`, [[[first, end]]], in the document, the end *excluded*
PreCo       `id`, `sentences` of words, `mention_clusters` [[[sentence, first, end]]], the end *excluded*

coref-data's form can be written, one document per line, with the ids of tokens, sentences and speakers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import IO, Any, NamedTuple

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_items, json_value
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.jsonlines.fields import Fields
from referee.formats.jsonlines.reading import lines_of
from referee.formats.losses import refuse_unholdable
from referee.formats.recognition import MARK_AND_SPACE
from referee.model import Cluster, Document, DocumentCorpus, Mention, Span, Text, Zero, joined_spans
from referee.model.layers import HEAD, LEMMA, POS, SPEAKER, heads_from_sentences, heads_in_sentences
from referee.model.mentions import Runs

HEAD_BYTES = 2**16
COLUMNS = {POS: "xpos", LEMMA: "lemma"}  # layer → field of a token


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read all rows."""
    documents: list[Document] = []
    named = False
    for file in files:
        for number, (where, row) in enumerate(_rows(file), 1):
            unnamed = stem(file.path) + (f"#{number}" if number > 1 else "")
            with reading.surviving(where):
                if not isinstance(row, dict):
                    raise FormatError(f"{where}: expected a JSON object, not {json.dumps(row)[:40]}")
                made = documents_of_row(row, where)
                named |= any(document.id for document in made)
                documents += [each if each.id else each.with_text(id=unnamed) for each in made]
        file.close()
    corpus = DocumentCorpus(documents, name)
    corpus.named = named
    return corpus


def _rows(file: SeekableFile) -> Iterator[tuple[str, Any]]:
    """Read rows from lines, or from one list or value."""
    head = file.read(0, HEAD_BYTES)
    if head.lstrip(MARK_AND_SPACE).startswith(b"["):
        yield from json_items(file)
    elif _is_whole_line(head):
        for _, _, line, fields in lines_of(file):
            yield f"{file.path}:{line}", fields
    else:
        yield f"{file.path}:1", json_value(file)


def _is_whole_line(head: bytes) -> bool:
    """Whether a value ends with its line; the first line of a longer one is not a value."""
    first, end, _ = head.lstrip(MARK_AND_SPACE).partition(b"\n")
    if not end:
        return True
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write one row per line."""
    for document in documents:
        file.write(json.dumps(_row(document), ensure_ascii=True) + "\n")


def _row(document: Document) -> dict[str, Any]:
    refuse_unholdable(document, "coref-data")
    text = document.text
    sentences = text.stretches
    of_word = {
        word: (number, word - start)
        for number, (start, end) in enumerate(sentences)
        for word in range(start, end)
    }

    def located(mention: Mention) -> list[int]:
        (sentence, first), (other, last) = of_word[mention.start], of_word[mention.end - 1]
        if sentence != other:
            raise FormatError(
                f"document {document.id}: words {mention.start}-{mention.end - 1} run over the "
                "end of a sentence, which coref-data cannot hold in a mention; write jsonlines instead"
            )
        return [sentence, first, last]

    governors = list(heads_in_sentences(text.layers[HEAD], sentences)) if HEAD in text.layers else None
    rows = [
        {
            "id": number + 1,
            "text": text.spelled([span]),
            "speaker": _speaker(document, span[0]),
            "tokens": [_token(document, word, word - span[0] + 1, governors) for word in range(*span)],
        }
        for number, span in enumerate(sentences)
    ]
    chains = [[located(mention) for mention in cluster.mentions] for cluster in document.clusters]
    whole = text.spelled([(0, text.length)])
    return {"id": document.id, "text": whole, "sentences": rows, "coref_chains": chains}


def _speaker(document: Document, word: int) -> str | None:
    speaker = document.layers[SPEAKER][word] if SPEAKER in document.layers else "-"
    return None if speaker in ("-", "_") else speaker


def _token(document: Document, word: int, number: int, governors: Sequence[str] | None) -> dict[str, Any]:
    token: dict[str, Any] = {"id": number, "text": document.words[word]}
    token |= {
        field: document.layers[name][word] for name, field in COLUMNS.items() if name in document.layers
    }
    return token | ({"head": int(governors[word])} if governors else {})


Sentences = Sequence[Mapping[str, Any]]


class RowKind(NamedTuple):
    """A kind of row: its name, how it is recognised, and how it is read, given where it is."""

    label: str
    fits: Callable[[Fields], bool]
    documents: Callable[[Fields, str], Iterable[Document]]


def row_kind(fields: Fields) -> RowKind | None:
    """Find the kind of a row; None if it is not one of these."""
    return next((kind for kind in ROW_KINDS if kind.fits(fields)), None)


def documents_of_row(fields: Fields, where: str) -> list[Document]:
    """Read the documents of a row, which are named '' where they have no name."""
    kind = row_kind(fields)
    if kind is None:
        known = "; or ".join(kind.label for kind in ROW_KINDS)
        raise FormatError(f"{where}: expected {known}; fields: {', '.join(map(str, fields)) or 'none'}")
    try:
        return list(kind.documents(fields, where))
    except FormatError as error:
        raise error if str(error).startswith(where) else FormatError(f"{where}: {error}") from error
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise FormatError(f"{where}: not {kind.label}: {error!r}") from error


def _first_sentence(fields: Fields) -> Mapping[str, Any]:
    sentences = fields.get("sentences")
    first = sentences[0] if isinstance(sentences, list) and sentences else None
    return first if isinstance(first, Mapping) else {}


class _Tokens:
    """Numbers tokens: each sentence's, through the document, those that are not written last."""

    def __init__(
        self, sentences: Sequence[Sequence[Any]], written: Callable[[Any], bool], where: str
    ) -> None:
        self.where = where
        self.written = [token for sentence in sentences for token in sentence if written(token)]
        counts = [sum(map(written, sentence)) for sentence in sentences]
        self.sentences = tuple(edge for edge in pairwise(accumulate(counts, initial=0)) if edge[0] < edge[1])
        self.unwritten: list[tuple[Any, int, int]] = []  # token, written ones before it, sentence
        self.numbers: list[list[int]] = []
        before = 0
        for number, sentence in enumerate(sentences):
            self.numbers.append([])
            for token in sentence:
                is_written = written(token)
                self.numbers[-1].append(before if is_written else len(self.written) + len(self.unwritten))
                if not is_written:
                    self.unwritten.append((token, before, number))
                before += is_written
        self.runs = list(map(Runs, self.numbers))

    @property
    def all(self) -> list[Any]:
        """All tokens in the order of their numbers."""
        return [*self.written, *(token for token, _, _ in self.unwritten)]

    def spans(self, sentence: int, first: int, end: int) -> tuple[Span, ...]:
        """Number tokens of a sentence through the document."""
        known = 0 <= sentence < len(self.numbers)
        if not known or not 0 <= first < end <= len(self.numbers[sentence]):
            held = (
                f"which has {number_of(len(self.numbers[sentence]), 'token')}"
                if known
                else "which does not exist"
            )
            raise FormatError(
                f"{self.where}: tokens {first}-{end - 1} lie outside sentence {sentence}, {held}"
            )
        return joined_spans(self.runs[sentence].spans(first, end))


def _column(values: Iterable[Any]) -> tuple[str, ...] | None:
    """Make a layer of what tokens say; None if none says anything in words."""
    column = [value if isinstance(value, str) and value else "_" for value in values]
    return tuple(column) if set(column) - {"_"} else None


def _given_layers(layers: Mapping[str, tuple[str, ...] | None]) -> dict[str, tuple[str, ...]]:
    return {name: layer for name, layer in layers.items() if layer is not None}


# ----------------------------------------------------------------------------------------------- indiscrim
def _indiscrim(fields: Fields, where: str) -> Iterator[Document]:
    sentences: Sentences = fields["sentences"]
    tokens = _Tokens([sentence["tokens"] for sentence in sentences], _is_written, where)
    all_tokens = tokens.all
    speakers = [
        sentence.get("speaker") for sentence in sentences for t in sentence["tokens"] if _is_written(t)
    ]
    layers = _given_layers({
        POS: _column(token.get("xpos") or token.get("upos") for token in all_tokens),
        LEMMA: _column(token.get("lemma") for token in all_tokens),
        SPEAKER: _column([*speakers, *("" for _ in tokens.unwritten)]),
    })  # fmt: skip
    governors = [token.get("head") for token in tokens.written]
    if governors and all(type(governor) is int for governor in governors) and not tokens.unwritten:
        layers[HEAD] = tuple(heads_from_sentences(list(map(str, governors)), tokens.sentences, where))
    text = Text(
        str(fields.get("id") or ""),
        tuple(str(token["text"]) for token in all_tokens),
        tokens.sentences,
        layers,
        zeros=tuple(Zero(before, _ordinal(token), number) for token, before, number in tokens.unwritten),
    )
    clusters = tuple(
        Cluster(str(number), tuple(Mention(tokens.spans(at, first, last + 1)) for at, first, last in chain))
        for number, chain in enumerate(fields["coref_chains"])
        if chain
    )
    yield Document(text, clusters)


def _is_written(token: Mapping[str, Any]) -> bool:
    """Whether a token's number is whole; 3.1 is an empty node after the third."""
    return float(token.get("id") or 0).is_integer()


def _ordinal(token: Mapping[str, Any]) -> int:
    return int(str(token["id"]).partition(".")[2])


# ----------------------------------------------------------------------------------------------- OntoNotes
def _ontonotes(fields: Fields, where: str) -> Iterator[Document]:
    parts: dict[int, list[Mapping[str, Any]]] = {}
    for sentence in fields["sentences"]:
        parts.setdefault(int(sentence["part_id"]), []).append(sentence)
    for part, sentences in parts.items():
        tokens = _Tokens([sentence["words"] for sentence in sentences], lambda _: True, where)
        clusters: dict[str, list[Mention]] = {}
        for number, sentence in enumerate(sentences):
            for cluster, first, last in sentence["coref_spans"]:
                mention = Mention(tokens.spans(number, first, last + 1))
                clusters.setdefault(str(cluster), []).append(mention)
        layers = _given_layers({
            POS: _column(tag for sentence in sentences for tag in sentence.get("pos_tags", ())),
            SPEAKER: _column(sentence.get("speaker") for sentence in sentences for _ in sentence["words"]),
        })  # fmt: skip
        yield Document.of(
            f"({fields['document_id']}); part {part:03}",
            tuple(map(str, tokens.written)),
            tokens.sentences,
            [Cluster(name, tuple(mentions)) for name, mentions in clusters.items()],
            {name: layer for name, layer in layers.items() if len(layer) == len(tokens.written)},
        )


# ------------------------------------------------------------------------------------------------- CoreNLP
def _corenlp(fields: Fields, where: str) -> Iterator[Document]:
    tokens = _Tokens([sentence["tokens"] for sentence in fields["sentences"]], lambda _: True, where)

    def mention(given: Mapping[str, Any]) -> Mention:
        sentence = given["sentNum"] - 1
        spans = tokens.spans(sentence, given["startIndex"] - 1, given["endIndex"] - 1)
        head = (
            tokens.spans(sentence, given["headIndex"] - 1, given["headIndex"])
            if "headIndex" in given
            else None
        )
        return Mention(spans, head=head[0][0] if head else None)

    clusters = [Cluster(str(name), tuple(map(mention, chain))) for name, chain in fields["corefs"].items()]
    layers = {POS: _column(token.get("pos") for token in tokens.written),
              LEMMA: _column(token.get("lemma") for token in tokens.written)}  # fmt: skip
    words = (str(token["word"]) for token in tokens.written)
    name = str(fields.get("docId") or "")
    yield Document.of(
        name, words, tokens.sentences, [c for c in clusters if c.mentions], _given_layers(layers)
    )


# ------------------------------------------------------------------------------------- wl-coref and PreCo
def _wl_coref(fields: Fields, where: str) -> Iterator[Document]:
    words = [str(word) for word in fields["cased_words"]]
    tokens = _Tokens([words], lambda _: True, where)
    numbers = fields.get("sent_id") or [0] * len(words)
    starts = [i for i in range(len(words)) if i == 0 or numbers[i] != numbers[i - 1]]
    clusters = fields["span_clusters"] if "span_clusters" in fields else fields["clusters"]
    layers = _given_layers({
        POS: _column(fields.get("pos") or ()),
        SPEAKER: _column(fields.get("speaker") or ()),
    })  # fmt: skip
    name = str(fields.get("document_id") or "")
    yield Document.of(
        f"({name}); part {int(fields['part_id']):03}" if name and "part_id" in fields else name,
        words,
        tuple(pairwise([*starts, len(words)])),
        [
            Cluster(str(number), tuple(Mention(tokens.spans(0, first, end)) for first, end in cluster))
            for number, cluster in enumerate(clusters)
            if cluster
        ],
        {layer: column for layer, column in layers.items() if len(column) == len(words)},
    )


def _preco(fields: Fields, where: str) -> Iterator[Document]:
    tokens = _Tokens(fields["sentences"], lambda _: True, where)
    clusters = [
        Cluster(str(number), tuple(Mention(tokens.spans(at, first, end)) for at, first, end in cluster))
        for number, cluster in enumerate(fields["mention_clusters"])
        if cluster
    ]
    yield Document.of(str(fields.get("id") or ""), map(str, tokens.written), tokens.sentences, clusters)


ROW_KINDS = (
    RowKind(
        "a row of coref-data (sentences with tokens, coref_chains)",
        lambda fields: (
            "coref_chains" in fields
            and ("tokens" in _first_sentence(fields) or fields.get("sentences") == [])
        ),
        _indiscrim,
    ),
    RowKind(
        "a row of conll2012_ontonotesv5 (document_id, sentences with words and coref_spans)",
        lambda fields: "coref_spans" in _first_sentence(fields),
        _ontonotes,
    ),
    RowKind(
        "CoreNLP's JSON (sentences with tokens, corefs)",
        lambda fields: isinstance(fields.get("corefs"), Mapping) and "sentences" in fields,
        _corenlp,
    ),
    RowKind(
        "wl-coref's JSON lines (cased_words, clusters)",
        lambda fields: "cased_words" in fields,
        _wl_coref,
    ),
    RowKind(
        "PreCo (sentences of words, mention_clusters)",
        lambda fields: "mention_clusters" in fields,
        _preco,
    ),
)
