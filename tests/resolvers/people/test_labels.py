"""Who says each stretch of a text, by labels, heads of e-mails and greetings: `speaker: what is said | …`."""

from __future__ import annotations

import pytest

from referee.resolvers.people.labels import spoken_lines


def said(running: str) -> str:
    parts = spoken_lines(running)
    assert all(running[slice(*part.label)] == part.speaker for part in parts)
    return " | ".join(f"{part.speaker}: {running[part.start : part.end].strip()}" for part in parts)


@pytest.mark.parametrize(
    ("running", "expected"),
    [
        ("ANN: I go.\nBEN: No.\nANN: Yes.\n", "ANN: I go. | BEN: No. | ANN: Yes."),
        ("ANN: I go.\nBEN: You go?\n", ""),  # two lines may be anything
        ("ANN: a.\nANN: b.\nANN: c.\n", ""),  # one speaker is none
        ("[10:01] Ann: a\n[10:02] Ben: b\n10:03 pm Ann: c", "Ann: a | Ben: b | Ann: c"),
        ("<ann> hi\n<ben> hi\n<ann> ho\n", "ann: hi | ben: hi | ann: ho"),
        ("Hello\nAnn: a\nBen: b\nAnn: c\nmore\n", "Ann: a | Ben: b | Ann: c\nmore"),
        ("Q. Go?\nA. No.\nQ: Why?\n", "Q: Go? | A: No. | Q: Why?"),
        ("Note: x\nFrom: y\nTo: z\nAnn: a\nBen: b\n", ""),
        ("Ann: a\n" + "x\n" * 7 + "Ben: b\nAnn: c", "Ann: a" + "\nx" * 7 + " | Ben: b | Ann: c"),
        ("Ann: a\n" + "\nx\n" * 7 + "Ben: b\nAnn: c", "Ann: a\n" + "\nx\n" * 6 + "\nx | Ben: b | Ann: c"),
        ("Ann: a\n" + "x\n" * 8 + "Ben: b\nAnn: c", ""),  # too few of its lines
    ],
)
def test_a_chat_is_cut_at_its_labels(running: str, expected: str) -> None:
    assert said(running) == expected


PLAY = "KARL. Ich gehe.\nDER JÄGER (leise). Nein.\nDoch.\n"


@pytest.mark.parametrize(
    ("running", "expected"),
    [
        (3 * PLAY, " | ".join(3 * ["KARL: Ich gehe. | DER JÄGER: Nein.\nDoch."])),
        (2 * PLAY + "KARL: Ich gehe.\n", ""),  # five lines may be headings
        (3 * PLAY.replace("KARL", "Karl"), ""),  # nor is a name without capitals one of a play
        (6 * "KARL. Ich gehe.\n", ""),
        ("FINIS. Here.\n" + 3 * "ANN. a\nBO: b\n", "ANN: a | BO: b | ANN: a | BO: b | ANN: a | BO: b"),
        (
            3 * ("ANN.\n" + 18 * "x\n" + "BO.\n" + 18 * "x\n"),
            " | ".join(3 * ["ANN: " + "x\n" * 17 + "x", "BO: " + "x\n" * 17 + "x"]),
        ),
        (3 * ("ANN.\n" + 20 * "x\n" + "BO.\n" + 20 * "x\n"), ""),  # too few of its lines
    ],
)
def test_a_play_is_cut_at_names_in_capitals_that_come_again(running: str, expected: str) -> None:
    assert said(running) == expected


@pytest.mark.parametrize(
    ("running", "expected"),
    [
        ("From: Ann Holt <a@b>\nTo: Ben\n\nI go.\n", "Ann Holt: I go."),
        ("From: Ann \nTo: Ben\n\nI go.\n\nSoon.\n", "Ann: I go. | Ann: Soon."),
        ("To: Ben\n\nI go.\n", ""),
        ('Hi\nfrom: "Ann"\n\nI\n-----\nFrom: Ben\n\nyou\n', "Ann: I | Ann: ----- | Ben: you"),
        (
            "From: Ann\n\nI go.\n> who?\nOn May 3, Ben <b@c> wrote:\n> I hope\nme\nFrom: Eve\n\n> so\nI\n",
            "Ann: I go. | Ben: > I hope | Ann: me | Eve: I",
        ),
    ],
)
def test_an_e_mail_is_by_its_sender_and_what_it_quotes_by_who_wrote(running: str, expected: str) -> None:
    assert said(running) == expected


@pytest.mark.parametrize(
    ("running", "speaker", "hearer", "text"),
    [
        ("Dear Ruth,\nI miss you.\n\nClara\n", "Clara", "Ruth", "I miss you."),
        ("X\nMy dearest Ruth Hall!\n\nI miss.\n  Clara Dean .\n", "Clara Dean", "Ruth Hall", "I miss."),
        ("Hi\n" * 11 + "Dear Ruth,\nI.\nClara", "Clara", "Ruth", "I."),
    ],
)
def test_a_letter_is_by_who_signs(running: str, speaker: str, hearer: str, text: str) -> None:
    (part,) = spoken_lines(running)
    assert (part.speaker, running[slice(*part.label)]) == (speaker, speaker)
    assert part.hearer is not None
    assert (part.hearer[0], running[slice(*part.hearer[1])]) == (hearer, hearer)
    assert running[part.start : part.end].strip() == text


@pytest.mark.parametrize(
    "running",
    ["Hi\n" * 12 + "Dear Ruth,\nI.\nClara", "Dear Ruth,\nI miss you.\n", "Dear Ruth\nI.\nClara", ""],
)
def test_without_greeting_or_signature_it_is_no_letter(running: str) -> None:
    assert spoken_lines(running) == []
