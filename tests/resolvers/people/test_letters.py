"""Letters in other languages: who is greeted, who signs, and where each is named."""

from __future__ import annotations

import pytest

from referee.resolvers.people.labels import spoken_lines


@pytest.mark.parametrize(
    ("language", "running", "speaker", "hearer"),
    [
        ("de", "Liebe Hanna,\nwie geht es dir?\nDeine Petra\n", "Petra", "Hanna"),
        ("de", "Köln\n\nSehr geehrter Herr Dr. Klein!\nIch komme.\nHerzliche Grüße\nUte Bär", "Ute Bär",
         "Herr Dr. Klein"),
        ("nl", "Beste mevrouw Jansen, ik kom.\nTot dan.\nGroeten, Karin", "Karin", "mevrouw Jansen"),
        ("nl", "Lieve oma,\nik kom.\nKusjes, Roos", "Roos", "oma"),
        ("fr", "Chère Lucie,\nje viens.\nAntoine.\n", "Antoine", "Lucie"),
        ("hu", "Kedves Péter bácsi!\nJövök.\nCsókol: Márta", "Márta", "Péter bácsi"),
    ],
)  # fmt: skip
def test_a_letter_is_by_who_signs(language: str, running: str, speaker: str, hearer: str) -> None:
    (part,) = spoken_lines(running, language)
    assert part.speaker == running[slice(*part.label)] == speaker
    assert part.hearer is not None
    assert part.hearer[0] == running[slice(*part.hearer[1])] == hearer
    assert part.hearer[1][1] < part.start < part.end <= part.label[0]


@pytest.mark.parametrize(
    ("language", "running"),
    [
        ("de", "Liebe Hanna,\nich komme.\nHerzliche Grüße\n"),  # nobody signs
        ("de", "Liebe Hanna,\nich komme.\nAlles wird gut.\n"),
        ("de", "Liebe ist schön,\nich komme.\nPetra\n"),  # nobody is greeted
        ("de", "Liebe,\nich komme.\nPetra\n"),
        ("de", "Liebe Hanna\nich komme.\nPetra\n"),  # nothing ends the greeting
        ("de", "x\n" * 12 + "Liebe Hanna,\nich komme.\nPetra\n"),
        ("de", "Liebe Hanna,\nPetra\n"),  # nothing is said
        ("de", "Dear Hanna,\nI come.\nPetra\n"),
        ("ja", "Liebe Hanna,\nich komme.\nPetra\n"),
        ("xx", "Liebe Hanna,\nich komme.\nPetra\n"),
        ("de", ""),
    ],
)
def test_other_texts_are_no_letters(language: str, running: str) -> None:
    assert spoken_lines(running, language) == []


def test_the_table_of_a_language_is_not_for_english() -> None:
    assert spoken_lines("Liebe Hanna,\nich komme.\nPetra\n") == []
