"""Who speaks to whom in a dialogue, as a reader would say: `speaker>hearer`, and how the speaker was found.

Mentions are marked as in marked_story.py; `-` is nobody.
"""

from __future__ import annotations

import pytest

from marked_story import story
from referee.model import Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.second_pass import found_in, turns_of
from referee.resolvers.people.speakers import find_turns

MET = "[Tom/T] met [Ann/A].\n\n"


def dialogue(marked: str) -> list[str]:
    document = story(marked)
    turns = turns_of(layout_of(document.text), found_in(document))
    names = [*(cluster.id for cluster in document.clusters), "-"]
    return [f"{names[turn.speaker]}>{names[turn.hearer]} {turn.how}".strip() for turn in turns]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (MET + '"Go," said [Tom/T].', ["T>- named"]),
        (MET + '"Go, [Ann/A]," [he/X] said.', ["T>A named"]),
        (MET + '[Ben/B] came.\n\n"[Sam/S] knows [Tom/T]," [he/X] said.', ["B>- named"]),
        (MET + '[Ben/B] and [Eve/E] came.\n\n"Go, [Ben/B]," [he/X] said.', ["T>B named"]),
        (MET + '[The vase/V] fell.\n\n"Go," said [Tom/T] to [it/V].', ["T>- named"]),
        ("[Ann/A] met [Mary/M].\n\n" + '"Go," [he/X] said.', ["X>- named"]),
        ("[Tom/T] met [Ann/A]." + " It rained on." * 12 + '\n\n"Go," [he/X] said.', ["T>- named"]),
        ("[Tom/T] met [Ann/A]." + " It rained on." * 13 + '\n\n"Go," [he/X] said.', ["X>- named"]),
        (MET + 'Then [Tom/T] said:\n\n"Go."', ["T>- named"]),
        (
            '"Go," said [Tom/T]. "Now\n\n"you must go."\n\n"No," said [Ann/A].',
            ["T>- named"] * 2 + ["A>T named"],
        ),
    ],
)
def test_who_is_the_subject_of_a_verb_of_speech_speaks(text: str, turns: list[str]) -> None:
    assert dialogue(text) == turns


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ('[Ann/A] rose. [Tom/T] looked at [her/A]. "Go."', ["T>- acting"]),
        ('[Ann/A] rose. [Tom/T] looked at [Ann/A]: "Go." [Ann/A] left.', ["T>- acting"]),
        ('[Ann/A] rose. "Go." [Tom/T] sat.', ["T>- acting"]),
        ('[Ann/A] rose, "Go." [Tom/T] sat.', ["A>- acting"]),
        ('[Ann/A] rose. "Go." It rained.', ["A>- acting"]),
        ('[Ann/A] rose. It rained. "Go."', ["A>- acting"]),
        ('"Go." It rained. "Now." [Ann/A] sat.', ["A>- acting"]),
        ('"Go." [Tom/T] sat. "Now." [Ann/A] sat.', ["T>- acting"]),
        ('[Ann/A] turned to [Tom/T],\n\n"Go."', ["A>- before"]),
        ('[Ann/A] rose. [Tom/T] saw [Ann/A],\n\n"Go."', ["T>- before"]),
        ('[Ann/A] turned to [Tom/T].\n\n"Go."', ["T>- by turns"]),
        ('"No." [Ann/A] turned to [Tom/T],\n\n"Go."', ["A>- acting", "A>- before"]),
    ],
)
def test_who_acts_beside_a_quotation_speaks(text: str, turns: list[str]) -> None:
    assert dialogue(MET + text) == turns


@pytest.mark.parametrize(
    ("said", "hearer"),
    [
        ("Well, [Ben/B], go,", "B"),
        ("[Ben/B], go,", "B"),
        ("Go, dear [Ben/B]!", "B"),
        ("Go, [my dear Ben/B]!", "-"),
        ("I saw [Ben/B], then,", "-"),
        ("So [Ben/B] goes,", "-"),
        ("Go! [Ben/B]. Now,", "-"),
        ("Go! [Ben/B], now,", "B"),
        ("Go, [friend/B], now,", "-"),
        ("Go, [Mr. Ben/B], now,", "B"),
        ("Go, [you/B], go,", "-"),
        ("Yes. I know. Oh, [Ben/B], go. I, [Tom/T], say so,", "B"),
    ],
)
def test_who_is_called_by_name_is_spoken_to(said: str, hearer: str) -> None:
    assert dialogue(f'{MET}[Ben/B] was there.\n\n"{said}" said [Tom/T].') == [f"T>{hearer} named"]


GO = '"Go," said [Tom/T].\n\n"No," said [Ann/A].\n\n'
BOTH = ["T>A named", "A>T named"]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (GO + '"Yes."\n\n"No."\n\n"Yes."', [*BOTH, "T>A by turns", "A>T by turns", "T>A by turns"]),
        ('"Yes."\n\n"No."\n\n' + GO, ["T>A by turns", "A>T by turns", *BOTH]),
        (GO + 'It rained.\n\nIt rained.\n\n"Yes."', [*BOTH, "A>- by turns"]),
        (GO + 'It rained.\n\n"Yes."', [*BOTH, "T>A by turns"]),
        (GO + '"I\n\n"am sure."\n\n"No."', [*BOTH, "T>A by turns", "T>- by turns", "A>T by turns"]),
        (
            '"Go, [Ann/A]," said [Tom/T].\n\n"Where?"\n\n"Home."',
            ["T>A named", "A>T by turns", "T>A by turns"],
        ),
        ('"Where?"\n\n"Home, [Ann/A]," said [Tom/T].', ["A>T by turns", "T>A named"]),
        ('"Go." [Ann/A] and [Tom/T] sat. [Tom/T] rose.\n\n"Where?"', ["A>T acting", "T>A by turns"]),
        ('[Tom/T] sat.\n\n"Go."\n\n"Where?"', ["T>- by turns", "->T"]),
        ('[Tom/T] sat. [Ann/A] rose.\n\n"Go."\n\n"Where?"', ["A>T by turns", "T>A by turns"]),
        ('It rained.\n\n"Go."\n\n"Where?"', ["->-", "->-"]),
    ],
)
def test_two_speak_by_turns(text: str, turns: list[str]) -> None:
    assert dialogue(text) == turns


THREE = "[Tom/T], [Ben/B] and [Ann/A] sat.\n\n"


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        # he who spoke before the last turn
        (
            '"No," said [Ben/B].\n\n"Why?" said [Ann/A].\n\n"Go," [he/T] said.',
            ["B>A named", "A>B named", "B>A named"],
        ),
        # behind a paragraph of narration anybody may speak, and he does who was named last
        ('"No," said [Ben/B].\n\n[Ben/B] sat.\n\n"Why?" [he/X] asked.', ["B>- named", "B>- named"]),
        # who is spoken about does not speak
        ('"Go," said [Ann/A].\n\n"[Tom/T] will go."', ["A>B named", "B>A by turns"]),
        ('"Go," said [Ann/A].\n\n"[Ben/B] will go."', ["A>T named", "T>A by turns"]),
        # who is called answers, also where two others spoke by turns
        (
            '"No," said [Ben/B].\n\n"Yes," said [Tom/T]. "Go, [Ann/A], now."\n\n"Where?"',
            ["B>T named", "T>A named", "A>T by turns"],
        ),
    ],
)
def test_who_speaks_among_three_is_decided_by_the_turns_around(text: str, turns: list[str]) -> None:
    assert dialogue(THREE + text) == turns


def test_without_paragraphs_each_quotation_with_what_continues_it_is_a_turn() -> None:
    text = '[Tom/T] met [Ann/A]. "Go," said [Tom/T], "now." It rained. "No," said [Ann/A].'
    assert dialogue(text) == BOTH
    assert dialogue('It rained. "Go," said [Tom/T], "now."') == ["T>- named"]


@pytest.mark.parametrize(
    ("running", "found"),
    [
        ('He said "go. It rained.\n\nShe left.\n\n"Come," he said.', ['"go. It rained.', '"Come,"']),
        ('"One.\n\n"Two," he said.', ['"One.', '"Two,"']),  # opened again in the next paragraph
        ('It fell" there. She said, "Go."', ['"Go."']),  # not opened
        ('He said, "go. "Come," she said.', ['"go.', '"Come,"']),  # not closed
        ('"' + "Go on. " * 140 + '"', ['"' + "Go on. " * 140 + '"']),  # of any length, in one paragraph
        (
            "He said 'I am.' She left. 'No,' she said. 'It isn't.'",
            ["'I am.'", "'No,'", "'It isn't.'"],
        ),
        (
            "He said \"I am.\" 'Tis late. 'No,' it said.",
            ['"I am."'],
        ),  # single ones are none beside double ones
    ],
)
def test_marks_stand_at_words_and_in_paragraphs(running: str, found: list[str]) -> None:
    text = cut_raw(Text("d", (), (), running=running))
    quotes = (quote for turn in find_turns(layout_of(text)) for quote in turn.quotes)
    assert [text.spelled([(quote.start, quote.end + 1)]).strip() for quote in quotes] == found


@pytest.mark.parametrize(
    ("paragraph", "said"),
    [
        ('"Why?" asked Tom. "Because," she answered, "I must."', [["Tom"], ["she"]]),
        ('"Why?" asked Tom. "Because," Ann replied.', [["Tom"], ["Ann"]]),
        ('"Why?" asked Tom. "Tell me," he said.', [["Tom", "he"]]),  # he goes on
        ('"Why?" asked Tom. "Because."', [["Tom"]]),
        ('"Because," she answered. "I must."', [["she"]]),
    ],
)
def test_a_paragraph_with_an_answer_is_two_turns(paragraph: str, said: list[list[str]]) -> None:
    text = cut_raw(Text("d", (), (), running=f"Tom met Ann.\n\n{paragraph}\n\nThey left."))
    turns = find_turns(layout_of(text))
    speakers = [[text.words[quote.speaker] for quote in turn.quotes if quote.speaker >= 0] for turn in turns]
    assert speakers == said
    assert all(turn.start <= quote.start < turn.end for turn in turns for quote in turn.quotes)
