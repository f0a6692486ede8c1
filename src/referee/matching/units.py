"""Says which documents are scored as one unit: one document, a subtopic, a topic, the corpus, or a group.

Cross-document is a choice of unit: a cluster that spans documents is joined within a unit, and cut where one
unit ends, for key and response alike. The key decides what belongs to which unit. Units that are one document
each are columns (`DocumentUnits`): a corpus may have millions.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, overload

from referee.display import number_of
from referee.exceptions import FormatError, ProtocolError, SettingError
from referee.formats.io.opening import read_text
from referee.matching.pairing import Pair
from referee.model import Corpus

if TYPE_CHECKING:
    from referee.matching.protocol import Protocol

SCOPES = ("document", "block", "subtopic", "topic", "corpus", "group")
Groups = Mapping[str, str]  # document → the group that it is scored with


def unit_labels(key: Corpus, scope: str, groups: Groups | None = None) -> list[str]:
    """Name the unit of each document of the key."""
    if scope == "corpus":
        return ["corpus"] * len(key)
    if scope == "group":
        return _group_labels(key, groups)
    if scope == "document":
        return list(key.ids)
    if scope == "block":
        return [_block_label(key, number) for number in range(len(key))]
    return [_topic_label(key, number, scope) for number in range(len(key))]


def default_scope(key: Corpus, protocol: Protocol) -> Protocol:
    """Take blocks as units if the key has them and no scope was chosen.

    A block of cross-document CoNLL is one document for every other scorer; its clusters span what is in it.
    """
    if protocol.scope == "document" and len(key) and key.block_of(0) is not None:
        return replace(protocol, scope="block")
    return protocol


def _block_label(key: Corpus, number: int) -> str:
    block = key.block_of(number)
    if block is None:
        raise ProtocolError(
            f"{key.name}: has no blocks of documents, as cross-document CoNLL has them; give scope='corpus'"
        )
    return block


def _topic_label(key: Corpus, number: int, scope: str) -> str:
    topic, subtopic = key.topic_of(number)
    if topic is None or (scope == "subtopic" and subtopic is None):
        raise ProtocolError(
            f"{key.name}: has no {scope} for document {key.ids[number]}; give scope='corpus', or "
            "groups= that assigns each document to a group"
        )
    return topic if scope == "topic" else f"{topic}_{subtopic}"


def _group_labels(key: Corpus, groups: Groups | None) -> list[str]:
    if groups is None:
        raise SettingError("scope='group' needs groups=, which maps each document to its group")
    missing = [id_ for id_ in key.ids if id_ not in groups]
    if missing:
        raise ProtocolError(
            f"the groups lack {len(missing)} of {number_of(len(key), 'document')} of {key.name}: {missing[0]}"
        )
    return [groups[id_] for id_ in key.ids]


def check_scope(key: Corpus, response: Corpus, scope: str) -> list[str]:
    """Refuse a key whose clusters end with their document; say so of a response."""
    if scope == "document":
        return []
    if not key.cross_document:
        raise ProtocolError(
            f"{key.name}: its clusters hold within a document only, so scope {scope} cannot be scored; give "
            "ids='corpus' if its ids hold in all documents, or a key in a cross-document format"
        )
    notices = []
    if scope == "block":
        notices.append(
            f"{key.name}: cross-document CoNLL: each block is scored as one unit, as other scorers do; "
            "scope='document' scores the documents inside"
        )
    if not response.cross_document:
        notices.append(
            f"{response.name}: its clusters hold within a document only; no link crosses documents (if its "
            "ids hold in all documents, give ids='corpus')"
        )
    return notices


def read_groups(path: str) -> dict[str, str]:
    """Read groups: JSON, {document: group} or {group: [documents]}; or lines of document, tab, group."""
    words = read_text(path)
    if not words.lstrip().startswith("{"):
        return _groups_of_lines(words, path)
    try:
        value = json.loads(words)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: not JSON: {error}") from error
    groups: dict[str, str] = {}
    for name, members in value.items():
        if isinstance(members, list):
            _put(groups, [(str(member), name) for member in members], path)
        else:
            _put(groups, [(name, str(members))], path)
    return groups


def _groups_of_lines(words: str, path: str) -> dict[str, str]:
    groups: dict[str, str] = {}
    for number, line in enumerate(words.splitlines(), start=1):
        document, tab, group = line.strip().partition("\t")
        if line.strip() and not tab:
            raise FormatError(f"{path}:{number}: expected a document, a tab and its group")
        if tab:
            _put(groups, [(document, group)], f"{path}:{number}")
    return groups


def _put(groups: dict[str, str], members: Sequence[tuple[str, str]], where: str) -> None:
    for document, group in members:
        if groups.setdefault(document, group) != group:
            raise FormatError(
                f"{where}: document {document} is in two groups, {groups[document]} and {group}"
            )


MISSING = -1  # the number of a response that is not there


class Unit(NamedTuple):
    """What is scored as one partition: a name, and pairs of documents."""

    name: str
    pairs: Sequence[Pair]


class DocumentUnits(Sequence[Unit]):
    """A unit for each pair of documents, made when it is asked for."""

    def __init__(self, ids: Sequence[str], pairs: Sequence[Pair]) -> None:
        """Call units after the key's documents."""
        self._ids = ids
        self._keys = _shortest(array("q", (k for k, _ in pairs)))
        self._responses = _shortest(array("q", (MISSING if r is None else r for _, r in pairs)))

    @property
    def names(self) -> Sequence[str]:
        """The names of the units."""
        if self._keys == range(len(self._ids)):
            return self._ids
        return [self._ids[key] for key in self._keys]

    def __len__(self) -> int:
        """Count the units."""
        return len(self._keys)

    @overload
    def __getitem__(self, number: int) -> Unit: ...

    @overload
    def __getitem__(self, number: slice) -> list[Unit]: ...

    def __getitem__(self, number: int | slice) -> Unit | list[Unit]:
        """Return a unit, or a list of some."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        key, response = self._keys[number], self._responses[number]
        return Unit(self._ids[key], [(key, None if response == MISSING else response)])


def _shortest(numbers: array[int]) -> Sequence[int]:
    """Write numbers that count from 0 as a range: millions that are paired in order take no memory then."""
    counted = range(len(numbers))
    return counted if numbers == array("q", counted) else numbers
