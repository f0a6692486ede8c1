"""Where the mentions of harmed answers are placed, and how texts are aligned, stays as it was."""

from __future__ import annotations

import json
import random
import re
from dataclasses import astuple, replace
from zlib import crc32

import numpy as np
import pytest

import kept
from documents_to_mark import INLINE, WORDS, made_document, spans_of, written
from referee import Document
from referee.formats.marked import text as marked_text
from referee.formats.marked.json_answers import json_answers, scan_json
from referee.formats.marked.markings import Marking
from referee.formats.marked.text import Answer
from referee.matching.answers.losses import loss_notices
from referee.matching.answers.placing import loss_problems, place_answer
from referee.matching.answers.sequence_alignment import equal_items
from referee.model import Zero

HARMS = 40


def with_zeros(document: Document, chance: random.Random) -> Document:
    """Add some words that are not written, each behind its governor or elsewhere."""
    size, zeros = len(document.words), []
    for ordinal in range(chance.randrange(4)):
        before = chance.randrange(size + 1)
        governors = ((chance.randrange(size), "nsubj"),) if chance.randrange(2) else ()
        zeros.append(Zero(before, ordinal, governors=governors))
    zeros.sort(key=lambda zero: zero.before)
    text = replace(document.text, words=(*document.words, *("_" for _ in zeros)), zeros=tuple(zeros))
    return replace(document, text=text)


def harmed(raw: str, chance: random.Random) -> str:
    """Lose, repeat, move and invent some pieces of an answer, and letters in it."""
    pieces = re.findall(r"\s+|\S+", raw)
    for _ in range(chance.randrange(5)):
        at, size = chance.randrange(len(pieces) + 1), chance.randrange(1, 12)
        some = pieces[at : at + size]
        kind = chance.randrange(4)
        if kind == 0:
            del pieces[at : at + size]
        elif kind == 1:
            pieces[at:at] = some
        elif kind == 2:
            del pieces[at : at + size]
            to = chance.randrange(len(pieces) + 1)
            pieces[to:to] = [" ", *some, " "]
        else:
            pieces[at:at] = [" ", WORDS[chance.randrange(len(WORDS))], " "]
    return "".join(piece for piece in pieces if chance.randrange(30))


def told(document: Document, marking: Marking, raw: str, notation: str) -> int:
    """Place an answer, and sum up what is where and what is lost."""
    newlines = [match.start() for match in re.finditer("\n", raw)]
    placed, loss = place_answer(document, Answer("d", "d.txt", 1, notation, marking, newlines))
    assert loss.kept + loss.changed + loss.moved + loss.dropped == loss.words
    said = [*map(str, loss_problems(loss)), *loss_notices("answers", [loss])]
    return crc32(repr([spans_of(placed), astuple(loss), said]).encode())


@pytest.mark.parametrize("notation", ["crac-text", *INLINE])
def test_harmed_answers(notation: str) -> None:
    chance = random.Random(notation)
    scan = marked_text.NOTATIONS[notation].scan
    assert scan is not None
    shown = []
    for _ in range(HARMS):
        document = with_zeros(made_document(chance, crossing=notation == "crac-text", length=60), chance)
        raw = harmed(written(document, notation), chance)
        shown.append(told(document, scan(raw, 0, len(raw)), raw, notation))
    kept.check_one("answers_harmed", notation, shown)


def test_answers_of_strings_and_numbers() -> None:
    """Numbers of words may be in the wrong order or outside, and strings may be shortened or invented."""
    chance = random.Random("strings")
    shown = []
    for _ in range(HARMS):
        document = made_document(chance, length=40)
        size, clusters = len(document.words), []
        for _ in range(chance.randrange(1, 5)):
            spans = [sorted((chance.randrange(-1, size + 2), chance.randrange(size))) for _ in range(3)]
            strings = [" ".join(document.words[max(a, 0) : b + 1]) for a, b in spans]
            clusters.append([spans[0][:: chance.choice((1, 1, -1))], strings[1].lower(), strings[2][1:]])
        raw = json.dumps({"clusters": clusters})
        shown.append(told(document, scan_json(json_answers(raw)[0]), raw, "json-answer"))
    kept.check_one("answers_harmed", "json-answer", shown)


def rearranged(ours: list[int], chance: random.Random, values: int) -> list[int]:
    """Lose, invent and repeat items, alone and many in a row."""
    theirs = [item for item in ours if chance.randrange(12)]
    for _ in range(chance.randrange(6)):
        at, to, size = (chance.randrange(len(theirs) + 1) for _ in range(3))
        some = theirs[at : at + size // 4]
        kind = chance.randrange(3)
        if kind == 0:
            del theirs[at : at + size // 4]
        elif kind == 1:
            theirs[to:to] = some
        else:
            theirs[to:to] = [chance.randrange(values) for _ in some]
    return theirs


@pytest.mark.parametrize(("values", "length"), [(2, 60), (4, 700), (30, 900), (200, 2000), (10**6, 1200)])
def test_rearranged_sequences(values: int, length: int) -> None:
    chance = random.Random(values)
    shown = []
    for _ in range(12):
        ours = [chance.randrange(values) for _ in range(chance.randrange(1, length))]
        theirs = rearranged(ours, chance, values)
        aligned = equal_items(np.array(ours, np.int64), np.array(theirs, np.int64))
        assert all(ours[i] == theirs[j] for i, j in zip(*(side.tolist() for side in aligned), strict=True))
        shown.append(crc32(repr([side.tolist() for side in aligned]).encode()))
    kept.check_one("aligned_rearranged", f"{values} values", shown)
