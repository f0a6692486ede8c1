"""Documents in the forms in which other libraries have them in memory, recognised by what they look like.

    Document            Referee's own, and corpora of them
    spaCy               `Doc`, lists of them, `DocBin`: see `spacy_documents`
    fastcoref           `CorefResult`: pairs of characters, or of tokens if it was given tokens; ends excluded
    stanza              `Document` with `coref`: words of a sentence, the end excluded
    Maverick            dictionaries with `tokens` and `clusters_token_offsets`, the last token included
    AllenNLP            dictionaries with `document` and `clusters`, the last token included
    JSON lines          dictionaries as on a line of the file format, e2e's and fastcoref's
    datasets            rows and `Dataset`s of the kinds in `dataset_rows`; CoreNLP's JSON

None of these libraries is imported, except spaCy's vocabulary if a `DocBin` is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeGuard

from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.jsonlines.datasets import ROW_KINDS, documents_of_row, row_kind
from referee.formats.jsonlines.fields import CLUSTER_FIELDS, document_of, has_words
from referee.formats.jsonlines.reading import name_in
from referee.formats.objects.spacy_docs import document_of_spacy, is_spacy_document
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention, cut_text


class ObjectKind(NamedTuple):
    """A kind of object: its name, how it is recognised, and how it is read."""

    label: str
    fits: Callable[[Any], bool]
    documents: Callable[[Any, str, bool], Iterable[Document]]  # given where it is, whether it is a response


def is_object(given: Any) -> bool:
    """Whether something is a document, or several, in one of these forms."""
    if _kind_of(given) is not None or _is_bin(given) or isinstance(given, Corpus):
        return True
    return isinstance(given, list) and bool(given) and all(_kind_of(item) is not None for item in given)


def is_single_object(given: Any) -> bool:
    """Whether something is one item of these kinds."""
    return _kind_of(given) is not None or _is_bin(given)


def corpus_of(given: Any, name: str = "objects", *, predicted: bool = False) -> Corpus:
    """Make a corpus of objects: of one, or of all that a list, a data set or another iterable has."""
    if isinstance(given, Corpus):
        return given
    documents: list[Document] = []
    named = False
    for number, item in enumerate(_items(given, name), 1):
        where = f"{name}, item {number}"
        made = list(_documents(item, where, predicted=predicted))
        for document in made:
            _check_spans(document, where)
        named |= any(document.id for document in made)
        documents += made
    numbered = (
        document if document.id else document.with_text(id=str(number))
        for number, document in enumerate(documents, 1)
    )
    corpus = DocumentCorpus(numbered, name)
    corpus.named = named
    return corpus


def in_order(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Name objects that have no names after the other side's documents, if there are as many."""
    if len(key) == len(response) and key.named != response.named:
        if _is_numbered(response):
            return key, _named_as(response, key)
        if _is_numbered(key):
            return _named_as(key, response), response
    return key, response


def _is_numbered(corpus: Corpus) -> TypeGuard[DocumentCorpus]:
    """Whether documents only have the numbers that `corpus_of` gave them; files give names."""
    return (
        isinstance(corpus, DocumentCorpus)
        and not corpus.named
        and all(id_ == str(number) for number, id_ in enumerate(corpus.ids, 1))
    )


def _named_as(corpus: DocumentCorpus, other: Corpus) -> DocumentCorpus:
    documents = (
        document.with_text(id=name) for document, name in zip(corpus.documents, other.ids, strict=True)
    )
    return DocumentCorpus(documents, corpus.name)


def _items(given: Any, name: str) -> Iterable[Any]:
    if _is_bin(given):
        from spacy.vocab import Vocab  # whoever has a DocBin has spaCy

        return list(given.get_docs(Vocab()))
    if _kind_of(given) is not None:
        return [given]
    if isinstance(given, Mapping) and any(hasattr(value, "column_names") for value in given.values()):
        raise FormatError(f"{name}: a data set of several splits ({', '.join(map(str, given))}); choose one")
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise _refused(given, name)
    return given


def _documents(item: Any, where: str, *, predicted: bool) -> Iterable[Document]:
    kind = _kind_of(item)
    if kind is None:
        raise _refused(item, where)
    try:
        return kind.documents(item, where, predicted)
    except FormatError:
        raise
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise FormatError(f"{where}: not a valid value for {kind.label}: {error!r}") from error


def _refused(item: Any, where: str) -> FormatError:
    fields = f" with {', '.join(map(str, item)) or 'nothing'}" if isinstance(item, Mapping) else ""
    known = "; ".join((*(kind.label for kind in OBJECT_KINDS), *(kind.label for kind in ROW_KINDS)))
    return FormatError(f"{where}: cannot read a {type(item).__name__}{fields}; expected one of: {known}")


def _check_spans(document: Document, where: str) -> None:
    length = len(document.words)
    for cluster in document.clusters:
        for mention in cluster.mentions:
            if mention.end > length:
                raise FormatError(
                    f"{where}: the mention {mention.spans} of cluster {cluster.id} lies outside the text, "
                    f"which has {number_of(length, 'word')}"
                )


def _kind_of(item: Any) -> ObjectKind | None:
    return next((kind for kind in OBJECT_KINDS if kind.fits(item)), None)


def _is_bin(given: Any) -> bool:
    return hasattr(given, "get_docs") and hasattr(given, "to_bytes")


# -------------------------------------------------------------------------------------------------- fastcoref
def _fastcoref(item: Any, where: str, _: bool) -> Iterable[Document]:
    clusters = []
    for number, part in enumerate(item.get_clusters(as_strings=False), 1):
        if any(pair is None for pair in part):
            raise FormatError(
                f"{where}: cluster {number} has a mention that fastcoref could not place in the text"
            )
        clusters.append(Cluster(str(number), tuple(Mention.at(int(start), int(end)) for start, end in part)))
    if isinstance(item.text, str):
        for cluster in clusters:
            if (end := max(mention.end for mention in cluster.mentions)) > len(item.text):
                raise FormatError(f"{where}: a mention ends at character {end} of {len(item.text)}")
        return [cut_text("", item.text, clusters, where)]
    return [Document.of("", tuple(item.text), ((0, len(item.text)),) if item.text else (), clusters)]


# ----------------------------------------------------------------------------------------------------- stanza
def _stanza(item: Any, where: str, _: bool) -> Iterable[Document]:
    sentences = [[word.text for word in sentence.words] for sentence in item.sentences]
    edges = list(pairwise(accumulate(map(len, sentences), initial=0)))

    def mention(given: Any) -> Mention:
        if not 0 <= given.start_word < given.end_word <= len(sentences[given.sentence]):
            raise FormatError(
                f"{where}: words {given.start_word}-{given.end_word} are not in sentence {given.sentence}"
            )
        first = edges[given.sentence][0]
        return Mention.at(first + given.start_word, first + given.end_word)

    clusters = [Cluster(str(chain.index), tuple(map(mention, chain.mentions))) for chain in item.coref]
    words = [word for sentence in sentences for word in sentence]
    return [Document.of("", words, [edge for edge in edges if edge[0] < edge[1]], clusters)]


# ----------------------------------------------------------------------------------------------- dictionaries
def _is_line(item: Any) -> bool:
    return (
        isinstance(item, Mapping)
        and any(name in item for name in CLUSTER_FIELDS)
        and (has_words(dict(item)) or "text" in item or "document" in item)
    )


def _line(item: Mapping[str, Any], where: str, predicted: bool) -> Iterable[Document]:
    fields = _plain(item)
    if not has_words(fields) and "document" in fields:
        fields["tokens"] = fields.pop("document")
    return [document_of(fields, name_in(fields), where, predicted=predicted)]


def _row(item: Mapping[str, Any], where: str, _: bool) -> Iterable[Document]:
    return documents_of_row(_plain(item), where)


def _plain(value: Any) -> Any:
    """Make lists of tuples and arrays, as if the value had been a file."""
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


OBJECT_KINDS = (
    ObjectKind("a Document", lambda item: isinstance(item, Document), lambda item, _, __: [item]),
    ObjectKind("spaCy's Doc", is_spacy_document, lambda item, where, _: [document_of_spacy(item, where)]),
    ObjectKind(
        "fastcoref's CorefResult",
        lambda item: hasattr(item, "get_clusters") and hasattr(item, "text"),
        _fastcoref,
    ),
    ObjectKind(
        "stanza's Document with coref",
        lambda item: hasattr(item, "coref") and hasattr(item, "sentences"),
        _stanza,
    ),
    ObjectKind(
        "a row of a data set",
        lambda item: isinstance(item, Mapping) and row_kind(dict(item)) is not None,
        _row,
    ),
    ObjectKind(
        "a dictionary with clusters (or Maverick's clusters_token_offsets), and sentences, tokens or text",
        _is_line,
        _line,
    ),
)
