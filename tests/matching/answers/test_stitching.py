"""Windows joined: right answers give the key back, each mention is decided once, and losses are counted."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from documents_to_mark import NOTATIONS, made_document
from llm_server import INLINE, without_crossings
from referee import Cluster, Document, FormatError, Mention
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.marked.manifest import ANSWERED, CUT, EMPTY, REFUSED, Prompt
from referee.formats.marked.windowed import WindowAnswer, read_window
from referee.llm.instructions import answer_for
from referee.matching.answers.stitching import Stitching, stitched, words_digest
from referee.model import Span, Window, window_spans

ENDINGS = {
    "tags": ".tags.txt", "markdown": ".markdown.txt", "brackets": ".brackets.txt", "crac-text": ".crac.txt",
    "json-answer": ".answer.json",
}  # fmt: skip


def answer(
    key: Document, number: int, span: Span, raw: str | None, folder: Path, notation: str = "tags",
    carried: Mapping[str, str] | None = None, outcome: str = ANSWERED,
) -> WindowAnswer:  # fmt: skip
    """Make an answer about a window, from what a model wrote."""
    prompt = Prompt(f"d.w{number}", key.id, number, *span, words_digest(key, *span), "")
    if raw is None:
        return read_window(prompt, folder, None, Ledger())
    (folder / "replies").mkdir(exist_ok=True)
    record: dict[str, Any] = {"outcome": outcome, "carried": {}, "prompt": ""}
    record["carried"] = {id_: [[name, id_]] for id_, name in (carried or {}).items()}
    (folder / "replies" / f"d.w{number}.reply").write_text(json.dumps(record))
    path = folder / f"d.w{number}{ENDINGS[notation]}"
    path.write_text(raw, encoding="utf-8")
    return read_window(prompt, folder, SeekableFile(str(path)), Ledger())


def spans_of(document: Document) -> set[tuple[str, Mention]]:
    return {(cluster.id, mention) for cluster in document.clusters for mention in cluster.mentions}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_right_answers_give_the_key_back(notation: str, tmp_path: Path) -> None:
    for seed in range(12):
        chance = random.Random(seed)
        key = made_document(chance, crossing=notation == "json-answer", length=60)
        size = chance.randint(6, 30)
        spans = window_spans(key.text, size, chance.randint(0, size - 1))
        known: dict[str, str] = {}
        answers, expected = [], set[tuple[str, Mention]]()
        for number, span in enumerate(spans, 1):
            window = Window.of(key, *span)
            part = without_crossings(window.document) if notation in INLINE else window.document
            raw = answer_for(part, notation)
            answers.append(answer(key, number, span, raw, tmp_path, notation, dict(known)))
            known |= {cluster.id: f"d.w{number}" for cluster in part.clusters}
            expected |= {(c.id, window.in_whole(m)) for c in part.clusters for m in c.mentions}
        document, loss = stitched(key, answers, str(tmp_path))
        assert spans_of(document) == expected, seed
        assert sum(len(cluster.mentions) for cluster in document.clusters) == len(expected)
        assert loss.windows == len(spans)
        assert not loss.lost_windows
        assert not loss.taken_ids


TEXT = "Ann slept . She woke . Bob saw her . He left ."
STORY = Document.of("d", TEXT.split(), [(0, 3), (3, 6), (6, 10), (10, 13)], [])
FIRST, SECOND = (0, 10), (6, 13)  # they share the third sentence


def joined(
    tmp_path: Path, one: str | None, two: str | None, *carried: str
) -> tuple[dict[str, list[int]], int]:
    """Join two answers: where the mentions of each entity begin, and how many ids were taken."""
    answers = [
        answer(STORY, 1, FIRST, one, tmp_path),
        answer(STORY, 2, SECOND, two, tmp_path, "tags", dict.fromkeys(carried, "d.w1")),
    ]
    document, loss = stitched(STORY, answers, str(tmp_path))
    return {c.id: [mention.start for mention in c.mentions] for c in document.clusters}, loss.taken_ids


ONE = '<m id="1">Ann</m> slept . <m id="1">She</m> woke . <m id="2">Bob</m> saw <m id="1">her</m> .'


def test_a_listed_id_is_the_entity_that_it_stood_for(tmp_path: Path) -> None:
    two = '<m id="2">Bob</m> saw <m id="1">her</m> . <m id="2">He</m> left .'
    assert joined(tmp_path, ONE, two, "1", "2") == ({"1": [0, 3, 8], "2": [6, 10]}, 0)


def test_ids_that_begin_anew_are_linked_by_the_mentions_in_the_overlap(tmp_path: Path) -> None:
    two = '<m id="1">Bob</m> saw <m id="2">her</m> . <m id="1">He</m> left .'
    assert joined(tmp_path, ONE, two) == ({"1": [0, 3, 8], "2": [6, 10]}, 0)


def test_a_new_entity_with_the_id_of_another_gets_a_free_one(tmp_path: Path) -> None:
    two = 'Bob saw her . <m id="1">He</m> left .'
    assert joined(tmp_path, ONE, two) == ({"1": [0, 3], "2": [6], "3": [10]}, 0)  # nothing was listed
    assert joined(tmp_path, ONE, two, "2") == ({"1": [0, 3], "2": [6], "3": [10]}, 1)


def test_an_entity_is_linked_to_one_id_of_a_window_only(tmp_path: Path) -> None:
    two = '<m id="7">Bob</m> saw <m id="8">her</m> . <m id="2">He</m> left .'
    assert joined(tmp_path, ONE, two, "2") == ({"1": [0, 3, 8], "2": [6, 10]}, 0)


def test_each_half_of_the_overlap_is_decided_by_the_window_that_sees_more_around_it(tmp_path: Path) -> None:
    one = ONE.replace('saw <m id="1">her</m>', "saw her")  # misses what the second window finds, and so on
    two = 'Bob saw <m id="1">her</m> . <m id="2">He</m> left .'
    assert joined(tmp_path, one, two, "1", "2")[0] == {"1": [0, 3, 8], "2": [6, 10]}
    assert joined(tmp_path, ONE, 'Bob saw her . <m id="2">He</m> left .', "1", "2")[0] == {
        "1": [0, 3], "2": [6, 10],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("start", "end", "middle"),
    [
        (2, 12, 7), (0, 12, 7), (0, 10, 4), (0, 11, 4), (6, 16, 12), (5, 14, 7), (3, 9, 7),
        (8, 12, 10), (8, 11, 9), (4, 7, 5),  # no sentence begins within
        (9, 9, 9), (9, 5, 9), (0, 0, 0),  # no overlap
    ],
)  # fmt: skip
def test_a_window_decides_from_the_sentence_nearest_to_the_middle_of_the_overlap(
    start: int, end: int, middle: int
) -> None:
    whole = Document.of("d", tuple("abcdefghijklmnop"), ((0, 4), (4, 7), (7, 12), (12, 16)), ())
    assert Stitching(whole.text, end=end)._middle(Window.of(whole, start, 16)) == middle


def test_a_window_without_an_answer_decides_nothing(tmp_path: Path) -> None:
    two = '<m id="2">Bob</m> saw <m id="1">her</m> . <m id="2">He</m> left .'
    assert joined(tmp_path, None, two)[0] == {"2": [6, 10], "1": [8]}
    assert joined(tmp_path, ONE, None)[0] == {"1": [0, 3, 8], "2": [6]}


def test_ids_of_later_windows_mean_what_was_known_when_they_were_asked(tmp_path: Path) -> None:
    """The first answer was repaired later, with other ids than those that the second began with."""
    repaired = answer(STORY, 1, FIRST, ONE, tmp_path)
    repaired = replace(repaired, prompt=replace(repaired.prompt, name="d.w1.r2", attempt=2))
    second = answer(STORY, 2, (6, 11), '<m id="1">Bob</m> saw her . <m id="1">He</m>', tmp_path)
    third = answer(STORY, 3, (10, 13), '<m id="1">He</m> left .', tmp_path, carried={"1": "d.w2"})
    document, _ = stitched(STORY, [repaired, second, third], str(tmp_path))
    assert {c.id: [mention.start for mention in c.mentions] for c in document.clusters} == {
        "1": [0, 3], "2": [6, 10],
    }  # fmt: skip


def test_the_first_free_id_is_like_the_others() -> None:
    assert Stitching(STORY.text, {"e2": [], "e10": [], "x": []}).next_id() == "e11"
    assert Stitching(STORY.text).next_id() == "1"


CASES = [
    (REFUSED, "", [REFUSED]),
    (EMPTY, "", [EMPTY]),
    (CUT, '<m id="1">Ann</m> slept . <m id="1">She</m> woke . Bob', [CUT]),
    (CUT, "", [CUT]),
    (ANSWERED, "I am sorry.", ["unparsable"]),
    (
        ANSWERED,
        '<m id="1">It</m> rains in <m id="2">Spain</m> all day long and all night too.',
        ["another text"],
    ),
    (ANSWERED, "Ann slept . She woke . Bob saw her .", []),  # nothing corefers: that is an answer
]


@pytest.mark.parametrize(("outcome", "raw", "reasons"), CASES)
def test_windows_are_lost_for_a_reason(outcome: str, raw: str, reasons: list[str], tmp_path: Path) -> None:
    one = answer(STORY, 1, FIRST, raw, tmp_path, outcome=outcome)
    _, loss = stitched(STORY, [one], str(tmp_path))
    assert [window.reason for window in loss.lost_windows] == reasons
    assert loss.is_whole == (not reasons)
    assert loss.to_dict()["windows"] == 1


def test_what_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    one = answer(STORY, 1, FIRST, CASES[2][1], tmp_path, outcome=CUT)
    document, _ = stitched(STORY, [one], str(tmp_path))
    assert [len(cluster.mentions) for cluster in document.clusters] == [2]


def test_the_better_of_two_attempts_counts() -> None:
    prompt = Prompt("a", "d", 1, 0, 1, "", "")
    first, later = WindowAnswer(prompt, CUT), WindowAnswer(replace(prompt, attempt=2), REFUSED)
    assert max([first, later], key=lambda each: each.rank) is first
    good = WindowAnswer(replace(prompt, attempt=3), ANSWERED)
    assert max([first, later, good, replace(good, prompt=prompt)], key=lambda each: each.rank) is good


def test_another_text_than_the_one_asked_about_is_refused(tmp_path: Path) -> None:
    other = Document.of("d", ["x", *STORY.words[1:]], STORY.sentences, [])
    one = answer(STORY, 1, FIRST, ONE, tmp_path)
    with pytest.raises(FormatError, match=r"document d, words 1 to 10: the prompt was made of another text"):
        stitched(other, [one], str(tmp_path))


def test_a_second_answer_in_an_answer_is_a_loss(tmp_path: Path) -> None:
    raw = f'# newdoc id = a\n{ONE}\n# newdoc id = b\n<m id="9">Ann</m>\n'
    document, loss = stitched(STORY, [answer(STORY, 1, FIRST, raw, tmp_path)], str(tmp_path))
    assert spans_of(document) == {
        ("1", Mention.at(0, 1)), ("1", Mention.at(3, 4)), ("1", Mention.at(8, 9)), ("2", Mention.at(6, 7))
    }  # fmt: skip
    assert [lost.reason for lost in loss.lost] == ["one of several answers, of which the longest is read"]
    assert Cluster("2", (Mention.at(6, 7),)) in document.clusters
