"""What is written, what is read again, and what is made of damaged files, stays as it was in every format."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import kept
from every_format import SPECIMENS, lay_out
from noisy_anaphora import random_document
from referee import RefereeError, formats
from referee.formats.catalogue import FORMATS, WRITABLE
from referee.model import Cluster, Corpus, Document, Mention, Text

WORDS = tuple(
    "“ Ann ’s dog , Rex , saw me & her cousin Bo in Zürich — it <b> barked </b> at us . He sat".split()  # noqa: SIM905
)
EDITS = 10  # of each format
PIECES = [
    "",
    " ",
    "\t",
    "\n",
    "\n\n",
    "-",
    "1",
    "(1",
    "1)",
    "|",
    "[",
    "]",
    "{",
    "}",
    '"',
    ",",
    ":",
    "<",
    ">",
    "é",
    "0",
    "9999",
    "_",
]


def rich_documents() -> list[Document]:
    """Documents with sets, bridging, a mention of two parts, types, speakers and two sentences."""
    made = []
    for number in range(2):
        document = random_document(Random(40 + number), words=24)
        words = WORDS[:24]
        clusters = [
            replace(cluster, type=("PER", "", "LOC")[at % 3]) if number else cluster
            for at, cluster in enumerate(document.clusters)
        ]
        clusters.append(Cluster("two parts", (Mention(((1, 2), (4, 5))), Mention.at(21, 22))))
        layers = {"speaker": ("Ann",) * 10 + ("Bo",) * 14} if number else {}
        text = Text(f"d/{number}", tuple(words), ((0, 20), (20, 24)), layers, topic="7", subtopic=str(number))
        made.append(Document(text, tuple(clusters), document.relations))
    return made


def told(corpus: Corpus, folder: Path) -> list[str]:
    """Spell out all that was read."""
    lines = []
    for document in corpus:
        text = document.text
        lines.append(f"{document.id} {text.length} {text.sentences} {' '.join(text.words)}")
        lines += [f"{name}: {' '.join(map(str, layer))}" for name, layer in sorted(text.layers.items())]
        lines += [
            f"{cluster.id} {cluster.type}: "
            + ", ".join(f"{each.spans}{each.head or ''}{each.minimum or ''}" for each in cluster.mentions)
            for cluster in document.clusters
        ]
        lines += [
            f"{each.kind} {each.anaphor} {each.antecedents} {each.anaphor_spans} {each.antecedent_spans}"
            for each in document.relations
        ]
    return [line.replace(str(folder), "") for line in [*lines, *corpus.notices]]


def outcome(path: Path, folder: Path) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return told(formats.read(path), folder)
    except RefereeError as error:
        return str(error).replace(str(folder), "")


@pytest.mark.filterwarnings("ignore::referee.exceptions.LossWarning")
@pytest.mark.parametrize("form", sorted({*WRITABLE} - {"docbin"}))
def test_what_is_written_and_read_again(form: str, tmp_path: Path) -> None:
    chosen = FORMATS[form]
    given = rich_documents()[1:] if chosen.contents is not None else rich_documents()
    target = tmp_path / f"a{next(iter(chosen.suffixes), '.conll')}"
    try:
        formats.write(given, target, form, cross_document=chosen.across)
    except RefereeError as error:
        kept.check(f"written_{form}", {"refused": str(error).replace(str(tmp_path), "")})
        return
    files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    shown = {
        str(path.relative_to(tmp_path)): path.read_text("utf-8", "replace").split("\n") for path in files[:4]
    }
    kept.check(f"written_{form}", {**shown, "read": outcome(target, tmp_path)})


@pytest.mark.filterwarnings("ignore::referee.exceptions.LossWarning")
@pytest.mark.parametrize("form", sorted(SPECIMENS.keys() - {"docbin"}))  # bytes of spaCy
def test_what_is_made_of_damaged_files(form: str, tmp_path: Path) -> None:
    path = lay_out(form, tmp_path)
    folder = path.parent
    damaged_file = path if path.is_file() else min(path.iterdir())
    whole = damaged_file.read_bytes().decode("utf-8", "replace")
    shown = {"whole": outcome(path, folder)}
    draw = Random(len(form))
    for number in range(EDITS):
        at, gone = draw.randrange(len(whole)), draw.choice((0, 0, 1, 1, 3, 12))
        damaged = whole[:at] + draw.choice(PIECES) + whole[at + gone :]
        damaged_file.write_bytes(damaged.encode("utf-8", "replace"))
        shown[f"{number}: {at} {gone}"] = outcome(path, folder)
    kept.check(f"damaged_{form}", shown)
