"""Reads clusters in the forms that people have them in.

Clusters are any iterable of iterables of mentions, a mapping of names to them, a `Document`, spaCy's `Doc`.
A mention is any hashable value; `Mention`s, spaCy's spans and tokens, arrays and lists become tuples, so that
(3, 5), [3, 5], `np.array([3, 5])`, `Mention.at(3, 5)` and `doc[3:5]` are the same mention.

`score` takes a *batch* as well, one item for each document, or a mapping of names to documents. What a
cluster holds says which it is: mentions, or lists. A list (or another container that is not hashable) inside
a cluster is a mention only if it has two whole numbers, start and end; any other means that what looked like
a cluster was a document.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Integral
from typing import Any, Protocol, TypeAlias, TypeGuard

from referee.exceptions import RefereeError
from referee.formats.objects.libraries import is_single_object
from referee.formats.objects.spacy_docs import has_span_groups, spacy_clusters
from referee.model import Corpus, Document, Mention


class SpanGroups(Protocol):
    """spaCy's `Doc`, as far as it matters here."""

    @property
    def spans(self) -> Mapping[str, Iterable[Any]]:
        """Groups of spans by name."""


Clusters: TypeAlias = Iterable[Iterable[Any]] | Mapping[str, Iterable[Any]] | Document | SpanGroups
PLAIN = {tuple, str, int}  # mentions that are themselves
OUTLINE = "clusters are a list of lists of mentions"


def clusters_of(given: Any, side: str) -> list[list[Hashable]]:
    """Read the clusters of one document; `side` is what messages call them."""
    return [
        _mentions(list(cluster), f"{side}, cluster {number}")
        for number, cluster in enumerate(_clusters(given, side), 1)
    ]


def listed(given: Any) -> Any:
    """Keep what an iterator yields, iterators in it likewise: looking would use them up."""
    if is_single_object(given) or has_span_groups(given):
        return given
    if isinstance(given, str | bytes | Mapping | Corpus):
        return given
    return [_listed(part) for part in given] if isinstance(given, Iterable) else given


def is_batch(given: Any) -> bool:
    """Whether clusters occur where a document would have mentions."""
    if not isinstance(given, list):
        return False
    if any(has_span_groups(part) or isinstance(part, Mapping) for part in given):
        return True
    return any(
        _is_container(inner) and not _is_pair(inner)
        for part in given
        if isinstance(part, list)
        for inner in part
    )


def is_named_batch(given: Any) -> bool:
    """Whether it is a mapping of names to documents, not of names to clusters.

    >>> is_named_batch({"cluster": [(0, 2), (5, 6)]}), is_named_batch({"document": [[(0, 2), (5, 6)]]})
    (False, True)
    """
    if not isinstance(given, Mapping):
        return False
    values = [*given.values()]
    return is_batch(values) or any(isinstance(value, Document) for value in values)


def _listed(part: Any) -> Any:
    if (
        _is_leaf(part)
        or is_single_object(part)
        or isinstance(part, Mapping)
        or hasattr(part, "ndim")
        or _has_mentions(part)
    ):
        return part
    if isinstance(part, Iterable):
        return [inner if isinstance(inner, Hashable) and not _is_iterator(inner) else _listed(inner)
                for inner in part]  # fmt: skip
    return part


def _is_iterator(value: Any) -> bool:
    return hasattr(value, "__next__")


def _is_leaf(value: Any) -> bool:
    """Whether a value is a mention or a document by its kind."""
    return isinstance(value, str | bytes | Mention) or _is_span(value) or has_span_groups(value)


def _is_container(value: Any) -> bool:
    """Whether something in a cluster is not a mention by its kind: a list, an array of rows, a cluster."""
    return isinstance(value, list | set) or _rows(value) or _has_mentions(value)


def _has_mentions(value: Any) -> bool:
    """Whether it is a cluster, Referee's own or another library's."""
    return hasattr(value, "mentions") and not isinstance(value, Document)


def _rows(value: Any) -> bool:
    """Whether it is an array of rows, of any library."""
    return getattr(value, "ndim", 0) > 1


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(part, Integral) and not isinstance(part, bool) for part in value)
    )


def _is_span(value: Any) -> TypeGuard[Any]:
    """Whether it looks like spaCy's `Span` or `Token`."""
    return hasattr(value, "doc") and (
        hasattr(value, "i") or (hasattr(value, "start") and hasattr(value, "end"))
    )


def _clusters(given: Any, side: str) -> list[Iterable[Any]]:
    given = spacy_clusters(given, side) if has_span_groups(given) else given
    if isinstance(given, Document):
        return [cluster.mentions for cluster in given.clusters]
    if isinstance(given, Corpus):
        raise RefereeError(f"{side}: this is a corpus; pass one document, or call referee.score with corpora")
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise RefereeError(f"{side}: {OUTLINE}, not {_called(given)}")
    if is_named_batch(given):
        raise RefereeError(f"{side}: this is a mapping of documents; pass one, or all to referee.score")
    parts = given.values() if isinstance(given, Mapping) else given
    return [_held(part, f"{side}, cluster {number}") for number, part in enumerate(parts, 1)]


def _held(part: Any, where: str) -> Iterable[Any]:
    """What a cluster holds."""
    part = part.mentions if _has_mentions(part) else part
    if (
        isinstance(part, str | bytes | Mention | Mapping | Document)
        or _is_span(part)
        or not isinstance(part, Iterable)
    ):
        raise RefereeError(f"{where}: {OUTLINE}, and this is not a list of mentions but {_called(part)}")
    return part


def _mentions(cluster: list[Any], where: str) -> list[Hashable]:
    if {*map(type, cluster)} <= PLAIN and _is_hashable(tuple(cluster)):  # the usual case, quickly
        return cluster
    return [_mention(mention, where) for mention in cluster]


def _mention(given: Any, where: str) -> Hashable:
    """Give a mention its hashable form, the same for all ways to write a span."""
    if type(given) in PLAIN and _is_hashable(given):
        return given
    if isinstance(given, Mention):
        return (given.start, given.end) if len(given.spans) == 1 else given.spans
    if _is_span(given):
        return (given.start, given.end) if hasattr(given, "start") else (given.i, given.i + 1)
    if hasattr(given, "tolist"):  # an array or a number of one, of whatever library
        given = given.tolist()
    if isinstance(given, list | tuple):
        return tuple(_mention(part, where) for part in given)
    if isinstance(given, Document) or _has_mentions(given):
        kind = type(given).__name__
        raise RefereeError(f"{where}: this is a {kind}, not a mention; call update for each document")
    if not _is_hashable(given):
        raise RefereeError(
            f"{where}: {_called(given)} is not a mention, since it is not hashable; give (start, end)"
        )
    if _is_iterator(given):
        raise RefereeError(f"{where}: {_called(given)} is not a mention; call update for each document")
    return given


def _is_hashable(value: object) -> TypeGuard[Hashable]:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _called(given: Any) -> str:
    shown = repr(given)
    kind = "string" if isinstance(given, str) else type(given).__name__
    return f"a {kind}: {shown if len(shown) <= 40 else shown[:40] + '…'}"
