"""SACR: braces around mentions, with the names of their chains."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import pytest

from referee import Corpus, Document, FormatError, read
from tool_specimens import put

STORY = """#textid: story

#COLOR:Ann=hsl(50, 100%, 80%)

{Ann:type="p PER" Ann Lee} took {hat:type="object",new=yes {Ann:type="p PER" her} hat } .

She liked {hat:type="object",new=no it} # really.

#TOKENIZATION-TYPE:1
"""


def opened(folder: Path, content: str) -> Corpus:
    return read(put(folder, "a.sacr", content))


def spelled(document: Document) -> dict[str, list[tuple[str, str | None]]]:
    return {c.id: [(document.text.spelled(m.spans), m.type) for m in c.mentions] for c in document.clusters}


def test_chains_types_and_names(tmp_path: Path) -> None:
    corpus = opened(tmp_path, STORY)
    (document,) = corpus
    assert (document.id, corpus.named) == ("story", True)
    assert spelled(document) == {
        "Ann": [("Ann Lee", "p PER"), ("her", "p PER")],
        "hat": [("her hat", "object"), ("it", "object")],
    }
    assert " ".join(document.words) == "Ann Lee took her hat . She liked it # really ."
    assert corpus.notices == [
        f"{tmp_path / 'a.sacr'}:5: features beside the type are left out: new: lines 5, 7"
    ]


def test_mentions_without_features_and_without_text(tmp_path: Path) -> None:
    corpus = opened(tmp_path, "{M1 Ann} saw {M2: {M1 her} {M3  } dog}.\r\n")
    assert spelled(corpus[0]) == {"M1": [("Ann", None), ("her", None)], "M2": [("her   dog", None)]}
    assert corpus.notices == [f"{tmp_path / 'a.sacr'}:1: a mention without text is skipped"]
    assert corpus.ids == ["a"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{M1:a="b" Ann} saw\nher} .', r"a\.sacr:2: a brace closes that was never opened"),
        ('{M1:a="b" Ann} saw\n{M1:a="b" her .', r"a\.sacr:2: this mention of M1 never closes"),
        ('{M1:a="b" Ann} saw\n{ her} .', r"a\.sacr:2: expected a mention, {CHAIN TEXT}, after a brace"),
    ],
)
def test_braces_without_a_partner_are_refused(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        opened(tmp_path, content)


def test_deep_nesting_takes_linear_time(tmp_path: Path) -> None:
    before = perf_counter()
    corpus = opened(tmp_path, '{M1:a="b" ' * 20_000 + "x " * 20_000 + "}" * 20_000)
    assert len(corpus[0].clusters[0].mentions) == 20_000
    assert perf_counter() - before < 30
