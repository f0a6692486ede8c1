"""Adds texts to a store: they are read and linked with each other, and their clusters with what is there.

What is there is not compared with itself again. Its passages are not read again either: their lower states
are in the store.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from referee.arrays import IntArray, by_first_sight
from referee.encoding import encoded
from referee.model import Document, Text
from referee.resolvers.across.cluster_parts import Fresh, joined_parts
from referee.resolvers.across.compatibility.same_names import FORMS, SHORTEST, initials_of, joins_by_name
from referee.resolvers.across.linkage import Join
from referee.resolvers.across.mention_table import head_number, word_buckets
from referee.resolvers.across.mentions import (
    AcrossScorer,
    MentionArrays,
    Naming,
    Remembering,
    StudiedDocuments,
    joined_mentions,
)
from referee.resolvers.across.neighbours import (
    NARROW,
    NARROWED_AT_ONCE,
    Vectors,
    principal_directions,
    unit_rows,
)
from referee.resolvers.across.progress import Done, Steps
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.across.store import files
from referee.resolvers.across.store.alike import linked_to_alike
from referee.resolvers.across.store.contents import GONE, HALF, Contents, places_of, text_line
from referee.resolvers.across.store.redeciding import JoinLog
from referee.resolvers.across.workers import one_blas_thread

COPIED_AT_ONCE = 4096  # rows: bounds memory


class Linked(NamedTuple):
    """What adding texts has found: their mentions in columns with the buckets of words, and all joins."""

    mentions: MentionArrays
    narrow: Vectors
    directions: npt.NDArray[np.float32]
    buckets: tuple[IntArray, IntArray]
    log: JoinLog  # by rows of the store


def add_texts(
    contents: Contents,
    texts: Sequence[Text],
    whole: Sequence[Sequence[str]],
    scorer: AcrossScorer,
    gone: Sequence[int],
    progress: Callable[[int], None] | None = None,
) -> files.Manifest:
    """Add texts, and replace those that are `gone`: what the store says of itself then."""
    contents = replace(contents, gone=contents.gone | {*gone})
    known = [
        Text(text.id, (), ()) if number in contents.gone else text
        for number, text in enumerate(contents.texts)
    ]
    documents = [Document(text, ()) for text in (*known, *texts)]
    with one_blas_thread():
        before = [() if number in contents.gone else words for number, words in enumerate(contents.whole)]
        studied = scorer.study(documents, [*before, *whole])
        if isinstance(studied, Remembering):
            passages = files.stored_rows(
                contents.folder, contents.manifest, files.PASSAGES, files.PASSAGE_TYPE
            )
            studied.lower.remember(places_of(passages), contents.vectors(files.STATES, "states"))
        resolver = AcrossResolver(scorer, contents.manifest.kind, contents.manifest.threshold)
        linked = _linked(contents, studied, resolver, progress)
    lines = [{GONE: number} for number in gone]
    lines += [text_line(text, words) for text, words in zip(texts, whole, strict=True)]
    return _written(contents, lines, studied, linked)


def _linked(
    contents: Contents,
    studied: StudiedDocuments,
    resolver: AcrossResolver,
    progress: Callable[[int], None] | None,
) -> Linked:
    """Link new texts with each other, then with what is there."""
    fresh, log, met = linked_to_alike(contents, studied, resolver, progress)
    directions = _directions(contents, fresh.vector)
    narrow = _narrowed(fresh.vector, directions)
    buckets = word_buckets(studied.documents, fresh, np.arange(fresh.size))
    linked = Linked(fresh, narrow, directions, buckets, log)
    alive = np.flatnonzero(contents.alive)
    steps = Steps(len(studied.documents) - len(contents.texts), progress)
    rows = np.concatenate([alive, contents.rows.size + np.arange(fresh.size)])
    if fresh.size and alive.size:
        log.add(_joins_of_parts(contents, studied, resolver, linked, rows, met, steps))
    if isinstance(studied, Naming):
        log.add(_joins_by_name(contents, studied, linked, rows))
    steps(1)
    return linked


def _joins_of_parts(
    contents: Contents, studied: StudiedDocuments, resolver: AcrossResolver, linked: Linked, rows: IntArray,
    met: Sequence[IntArray], done: Done,
) -> list[Join]:  # fmt: skip
    """Compare the clusters that new mentions are in now with all others but those that they `met`."""
    old, fresh = contents.mentions(), linked.mentions
    every = joined_mentions([old, fresh], rows)
    near = np.concatenate([contents.vectors(files.NARROW, "narrow"), linked.narrow])[rows]
    both = zip((contents.rows["head"], contents.rows["words"]), linked.buckets, strict=True)
    label = by_first_sight(linked.log.parts(contents.rows.size + fresh.size)[rows])[0]
    new = Fresh(rows.size - fresh.size, [np.searchsorted(rows, some) for some in met])
    joins = list[Join]()
    joined_parts(
        label, near, [np.concatenate(sides)[rows] for sides in both], resolver.looks(studied, every),
        studied.workers, joins, new, done,
    )  # fmt: skip
    return [Join(int(rows[a]), int(rows[b]), average) for a, b, average in joins]


def _joins_by_name(contents: Contents, studied: Naming, linked: Linked, rows: IntArray) -> list[Join]:
    """Join clusters of one name, as far as new mentions have its head, another form or the first letters."""
    base, fresh = contents.rows.size, linked.mentions
    label = linked.log.parts(base + fresh.size)[rows]
    head = np.concatenate([contents.rows["head"], linked.buckets[0]])[rows]
    wanted = np.unique(linked.buckets[0])
    forms = np.array([head_number(form.split()) for form in FORMS])
    wanted = np.union1d(wanted, forms) if np.isin(forms, wanted).any() else wanted
    names = {named.name.words for named in studied.names(fresh) if named}
    short = [initials for words in names if len(initials := initials_of(words)) >= SHORTEST]
    wanted = np.union1d(wanted, np.array([head_number([initials]) for initials in short], np.int64))
    acronyms = {words[0] for words in names if len(words) == 1 and len(words[0]) >= SHORTEST}
    long = np.isin(rows, _with_initials(contents, acronyms))
    chosen = np.flatnonzero(np.isin(label, label[np.isin(head, wanted) | long]))
    mentions = joined_mentions([contents.mentions(), fresh] if base else [fresh], rows[chosen])
    named = joins_by_name(label[chosen], studied.names(mentions))
    new = np.isin(label[chosen], label[rows >= base])  # what is stored was joined, or people split it
    return [
        Join(int(rows[chosen[a]]), int(rows[chosen[b]]), average)
        for a, b, average in named
        if new[a] or new[b]
    ]


def _with_initials(contents: Contents, acronyms: Set[str]) -> IntArray:
    """List stored mentions the first letters of whose names have one of these acronyms in them."""
    if not acronyms:
        return np.zeros(0, np.int64)
    found = list[int]()
    wide = np.flatnonzero(contents.rows["end"] - contents.rows["start"] >= SHORTEST - 1)
    columns = (contents.rows[name][wide].tolist() for name in ("document", "start", "end"))
    for row, document, start, end in zip(wide.tolist(), *columns, strict=True):
        words = contents.texts[document].words[start : end + 1]
        letters = initials_of(word for word in words if word[:1].isupper()).lower()
        if len(letters) >= SHORTEST and any(acronym in letters for acronym in acronyms):
            found.append(row)
    return np.array(found, np.int64)


def _directions(contents: Contents, vectors: Vectors) -> npt.NDArray[np.float32]:
    """The columns by which near mentions are found: those of the first texts, for ever."""
    count = contents.manifest.counted(files.DIRECTIONS)
    if count or vectors.shape[1] <= NARROW or not len(vectors):
        stored = files.stored_rows(
            contents.folder, contents.manifest, files.DIRECTIONS, np.dtype("<f4"), NARROW
        )
        return np.array(stored)
    sample = np.linspace(0, len(vectors) - 1, min(len(vectors), NARROWED_AT_ONCE)).astype(np.int64)
    return cast(npt.NDArray[np.float32], principal_directions(vectors[sample]))


def _narrowed(vectors: Vectors, directions: Vectors) -> Vectors:
    parts = [np.zeros((0, directions.shape[1] if len(directions) else vectors.shape[1]), np.float16)]
    for begin in range(0, len(vectors), NARROWED_AT_ONCE):
        rows = unit_rows(vectors[begin : begin + NARROWED_AT_ONCE])
        parts.append((rows @ directions if len(directions) else rows).astype(np.float16))
    return np.concatenate(parts)


def _written(
    contents: Contents, lines: Sequence[Mapping[str, Any]], studied: StudiedDocuments, linked: Linked
) -> files.Manifest:
    """Write all rows, and then that they count."""
    folder, fresh = contents.folder, linked.mentions
    lower = studied.lower if isinstance(studied, Remembering) else None
    state_rows = lower.rows if lower and len(lower.rows) else None
    manifest = contents.manifest
    widths = {
        "places": fresh.places.shape[1], "vectors": fresh.vector.shape[1], "narrow": linked.narrow.shape[1],
        "states": state_rows.shape[1] if state_rows is not None else 0,
    }  # fmt: skip
    first = not manifest.counted(files.MENTIONS)
    manifest = replace(
        manifest, widths=widths if first else manifest.widths, additions=manifest.additions + 1
    )

    def add(name: str, parts: Iterator[bytes]) -> None:
        nonlocal manifest
        manifest = files.append(folder, manifest, name, parts)

    if lower and state_rows is not None:
        before = manifest.counted(files.STATES)
        passages = [(document, begin, before + row) for (document, begin), row in lower.first.items()]
        add(files.PASSAGES, iter([np.array(passages, files.PASSAGE_TYPE).tobytes()]))
        add(files.STATES, _copied(state_rows))
    if not manifest.counted(files.DIRECTIONS) and len(linked.directions):
        add(files.DIRECTIONS, iter([linked.directions.astype("<f4").tobytes()]))
    add(files.VECTORS, _copied(fresh.vector))
    add(files.NARROW, iter([linked.narrow.tobytes()]))
    add(files.MENTIONS, iter([_mention_rows(linked).tobytes()]))
    joins = [(*join, manifest.additions) for join in linked.log.added]
    add(files.JOINS, iter([np.array(joins, files.JOIN_TYPE).tobytes()]))
    taken_back = [(number, manifest.additions) for number in linked.log.taken_back]
    add(files.TAKEN_BACK, iter([np.array(taken_back, files.TAKEN_BACK_TYPE).tobytes()]))
    add(files.TEXTS, (encoded(f"{json.dumps(line)}\n") for line in lines))
    files.write_manifest(folder, manifest)
    return manifest


def _copied(rows: Any) -> Iterator[bytes]:
    """Read rows some at a time."""
    for begin in range(0, len(rows), COPIED_AT_ONCE):
        yield np.asarray(rows[begin : begin + COPIED_AT_ONCE], HALF).tobytes()


def _mention_rows(linked: Linked) -> files.Rows:
    mentions = linked.mentions
    rows = np.zeros(mentions.size, files.mention_type(mentions.places.shape[1]))
    for name in ("document", "start", "end", "kind", "score", "places"):
        rows[name] = getattr(mentions, name)
    rows["head"], rows["words"] = linked.buckets
    return rows
