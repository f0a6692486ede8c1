"""The command line takes what installed packages add, and reports what it skips."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from made_packages import make_module

SAMPLE = Path(referee.__file__).parent / "sample"
METRICS = """
from dataclasses import replace
from referee.metrics.mention_metrics import MENTION_METRICS
from referee.metrics.standard import METRICS

TWIN = replace(METRICS["muc"], label="Twin of MUC")
ZEROS = replace(MENTION_METRICS["mention_overlap"], label="Twin of overlap")
NOTHING = None
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that finds the packages of a folder."""
    places = [str(folder), str(Path(referee.__file__).parents[1])]
    return subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        cwd=folder,
    )


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    offers = {"twin": "TWIN", "overlap_twin": "ZEROS", "nothing": "NOTHING", "muc": "TWIN"}
    make_module(tmp_path, "metrics", METRICS, {"referee.metrics": offers})
    return tmp_path


def test_a_metric_of_a_package_is_counted_and_broken_ones_are_reported(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "muc,twin,overlap_twin", "--format", "json")
    assert made.returncode == 0, made.stderr
    scores = json.loads(made.stdout)["results"][0]["scores"]
    assert scores["twin"] == scores["muc"]
    assert scores["overlap_twin"]["f1"] > 0
    skipped = [line for line in made.stderr.splitlines() if "is skipped" in line]
    assert skipped == [
        "note: made-metrics: muc of referee.metrics is skipped: "
        "ValueError: there is one of this name already",
        "note: made-metrics: nothing of referee.metrics is skipped: "
        "TypeError: made_metrics:NOTHING is a NoneType, not a Metric or MentionMetric",
    ]


def test_packages_are_not_asked_for_metrics_of_the_house(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "muc")
    assert made.returncode == 0
    assert "skipped" not in made.stderr


def test_an_unknown_metric_is_an_error_that_names_those_of_packages(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "twim")
    assert made.returncode == 2
    assert "overlap_twin, twin; did you mean twin?" in made.stderr
    assert "nothing of referee.metrics is skipped" in made.stderr


def test_quiet_says_nothing_of_skipped_packages(metrics: Path) -> None:
    files = [str(SAMPLE / name) for name in ("key.conll", "alpha.conll")]
    made = run(metrics, "score", *files, "-m", "twin", "-q")
    assert made.returncode == 0
    assert not made.stderr


FORMATS = """
from referee.formats.format import Format
from referee.model import Cluster, Document, DocumentCorpus, Mention, Text


def read(files, name, reading):
    documents = []
    for file in files:
        words, *lines = file.read().decode().split("\\n")[1:-1]
        clusters = [
            Cluster(str(number), tuple(Mention.at(*map(int, mention.split("-"))) for mention in line.split()))
            for number, line in enumerate(lines)
        ]
        text = Text("d", tuple(words.split()), ((0, len(words.split())),))
        documents.append(Document(text, tuple(clusters)))
    return DocumentCorpus(documents, name)


def write(documents, file):
    for document in documents:
        print("!simple", " ".join(document.text.words), sep="\\n", file=file)
        for cluster in document.clusters:
            spans = [mention.spans[0] for mention in cluster.mentions]
            print(*(f"{start}-{end}" for start, end in spans), file=file)


SIMPLE = Format(
    label="Simple", looks_like=lambda head: head.startswith(b"!simple"), read=read, write=write,
    suffixes=(".simple",),
)
"""
DOCUMENT = "!simple\nAnn saw that she won .\n0-1 3-4\n"


@pytest.fixture
def simple(tmp_path: Path) -> Path:
    offers = {"simple": "SIMPLE", "conll": "SIMPLE", "wrong": "read"}
    make_module(tmp_path, "formats", FORMATS, {"referee.formats": offers})
    (tmp_path / "a.simple").write_text(DOCUMENT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("to", [(), ("--to", "simple")])
def test_a_format_of_a_package_is_converted_from_and_to(simple: Path, to: tuple[str, ...]) -> None:
    made = run(simple, "convert", "a.simple", "a.jsonl")
    assert made.returncode == 0, made.stderr
    assert [line for line in made.stderr.splitlines() if "skipped" in line] == [
        "note: made-formats: conll of referee.formats is skipped: "
        "ValueError: there is one of this name already",
        "note: made-formats: wrong of referee.formats is skipped: "
        "TypeError: made_formats:read is a function, not a Format",
    ]
    back = run(simple, "convert", "a.jsonl", "b.simple", *to)
    assert back.returncode == 0, back.stderr
    assert (simple / "b.simple").read_text(encoding="utf-8") == DOCUMENT


def test_a_folder_of_a_format_of_a_package_is_scored(simple: Path) -> None:
    folder = simple / "key"
    folder.mkdir()
    (simple / "a.simple").rename(folder / "d.simple")
    made = run(simple, "score", "key", "key/d.simple", "-m", "muc", "--format", "json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["results"][0]["scores"]["muc"]["f1"] == 1


def test_a_format_that_nobody_has_names_those_of_packages(simple: Path) -> None:
    made = run(simple, "convert", "a.simple", "b", "--to", "simpel")
    assert made.returncode == 2
    assert "simple; did you mean simple?" in made.stderr
    assert "conll of referee.formats is skipped" in made.stderr
