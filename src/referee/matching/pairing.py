"""Says which document of a response belongs to which of the key, by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from referee.display import number_of
from referee.exceptions import FormatError
from referee.model import Corpus

ENDINGS = re.compile(r"(?:\.(?:\w*conll\w*|txt|xml|jsonl?|ann|tsv|html?|key|response|gold|auto))+$")
SHOWN = 3  # names given in a notice before "and N more"
Pair = tuple[int, int | None]  # a key document and its response, if it has one


def pair_documents(key: Corpus, response: Corpus, *, strict: bool) -> tuple[list[Pair], list[str]]:
    """Find each key document's response by name. As in the reference scorer, the key's names decide,
    the last of several documents with one name counts, and a missing response is an empty one. Where there
    is one document on each side, and the reference scorer would not look for names, these belong together.
    """
    if key.ids == response.ids and _all_distinct(key.ids):
        return [(number, number) for number in range(len(key))], []
    keys = {id_: number for number, id_ in enumerate(key.ids)}
    responses = {id_: number for number, id_ in enumerate(response.ids)}
    if not keys.keys() & responses.keys():
        if not key.named and not response.named and len(key) == len(response):
            return list(zip(range(len(key)), range(len(response)), strict=True)), []
        plain_keys = {plain_name(id_): number for id_, number in keys.items()}
        plain_responses = {plain_name(id_): number for id_, number in responses.items()}
        if len(plain_keys) == len(keys) and plain_keys.keys() & plain_responses.keys():
            keys, responses = plain_keys, plain_responses
        elif len(key) == len(response) == 1 and not (key.reference_names and response.reference_names):
            said = f"{response.name}: taken for document {key.ids[0]}, the only one of the key"
            if strict:
                raise FormatError(
                    f"{response.name}: {_names_differ(key, response)}; give them the same names"
                )
            return [(0, 0)], [said]
    notices = _differences(key, response, keys, responses)
    if notices and strict:
        raise FormatError(notices[0])
    return [(number, responses.get(id_)) for id_, number in keys.items()], notices


def _all_distinct(names: Sequence[str]) -> bool:
    """Whether names differ for sure: a dictionary of millions would take more memory than all else."""
    codes = np.sort(np.fromiter(map(hash, names), np.int64, len(names)))  # `np.unique` loads numpy.ma
    return bool((codes[1:] != codes[:-1]).all())


def check_common_documents(key: Corpus, response: Corpus, pairs: Sequence[Pair]) -> None:
    """Refuse a key without documents, and a response that has none of them.

    If no name fits, the reference scorer gives 0, and so do we on what it reads; elsewhere it is a mistake.
    """
    if not len(key):
        raise FormatError(f"{key.name}: the key has no documents")
    by_reference = key.reference_names and response.reference_names
    if len(response) and not by_reference and all(r is None for _, r in pairs):
        folded = any(r is not None for _, r in folded_pairs(key, response))
        advice = "repair=True matches them without path, ending, case and part" * folded
        raise FormatError(
            f"{response.name}: {_names_differ(key, response)}; {advice or 'give them the same names'}"
        )


def _differences(key: Corpus, response: Corpus, keys: dict[str, int], responses: dict[str, int]) -> list[str]:
    """Say which names occur twice, which are missing and which are too many."""
    notices: list[str] = []
    for corpus, numbers in ((key, keys), (response, responses)):
        if len(corpus) > len(numbers):
            twice = [id_ for number, id_ in enumerate(corpus.ids) if numbers.get(id_, number) != number]
            notices.append(f"{corpus.name}: {some_names(twice)} occurs more than once; the last one counts")
    missing = [id_ for id_ in keys if id_ not in responses]
    extra = [id_ for id_ in responses if id_ not in keys]
    if missing:
        count = f"{len(missing)} of the key's {number_of(len(keys), 'document')}"
        notices.append(f"{response.name}: {count} missing, scored as empty: {some_names(missing)}")
        if len(missing) == len(keys) and extra:
            notices.append(f"NO DOCUMENT IS SCORED: {_names_differ(key, response)}")
    if extra:
        notices.append(
            f"{response.name}: {number_of(len(extra), 'document')} that the key does not have, "
            f"ignored: {some_names(extra)}"
        )
    return notices


def _names_differ(key: Corpus, response: Corpus) -> str:
    names = f"the key has '{key.ids[0]}', the response '{response.ids[0]}'"
    return f"key and response name their documents differently: {names}"


def plain_name(id_: str) -> str:
    """Write names as e2e systems do, and ECB+'s files without `.xml`.

    >>> plain_name("(bc/x_0001); part 002"), plain_name("(bc/x_0001);"), plain_name("1_ecb.xml")
    ('bc/x_0001_2', 'bc/x_0001_0', '1_ecb')
    """
    named = re.fullmatch(r"\((.*)\);(?: part (\d+))?", id_)
    return f"{named[1]}_{int(named[2] or 0)}" if named else id_.removesuffix(".xml")


def folded_name(id_: str) -> str:
    """Write a name without what systems change in names: path, ending, case and the number of part 0.

    >>> folded_name("(bc/CNN_0001); part 000"), folded_name("out/cnn_0001.v4_gold_conll")
    ('cnn_0001', 'cnn_0001')
    """
    name = ENDINGS.sub("", plain_name(id_).casefold().replace("\\", "/").rpartition("/")[2])
    return name.removesuffix("_0") or id_


def folded_pairs(key: Corpus, response: Corpus) -> list[Pair]:
    """Find each key document's response by folded names; a name that folds as another does finds none."""
    counts = Counter(map(folded_name, key.ids))
    responses: dict[str, int | None] = {}
    for number, id_ in enumerate(response.ids):
        name = folded_name(id_)
        responses[name] = None if name in responses else number
    names = [folded_name(id_) for id_ in key.ids]
    return [(number, responses.get(name) if counts[name] == 1 else None) for number, name in enumerate(names)]


def some_names(names: Sequence[str]) -> str:
    """List the first names, and count the others."""
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
