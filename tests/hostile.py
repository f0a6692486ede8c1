"""Hostile inputs: real files in every format, broken on purpose, through every command.

A number is the seed of an input, so each can be made again. What is judged is the same for all: an answer or
one line of error, in time; no traceback, no half-written file; and nothing lost, and no score of 0, without a
word on standard error.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import referee
from referee import DocumentCorpus, RefereeError, formats
from referee.cli import main
from referee.model import Document
from toy_model import write_toy

PATIENCE = 30  # seconds of processor time that a small input may take
IDLE = 4  # times as long by the clock
LOST = 0.75  # of the mentions must be read from a file that was only damaged, or a notice must say so
WHOLE = Path(referee.__file__).parent / "sample" / "key.conll"
ODD_BYTES = [b"\xff", b"\x00", b"\xe9", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\xc2\x85", b"\xe2\x80\xa8"]
ODD_WORDS = [b"(", b")", b"|", b"{", b"}", b"[", b"]", b"<", b">", b"&", b"\\", b'"', b"'", b"\t", b" ",
             b"\n", b"#end document\n", b"#begin document (x); part 000\n", b"# newdoc id = x\n", b"_", b"-",
             b"*", b"\\ud800", b"null", b"<COREF", b"]]", b"Entity=(", b"%ID", b"T1\t"]  # fmt: skip
ODD_NUMBERS = [b"0", b"-1", b"1", b"99999999999999999999", b"1.5", b"1e9", b"\xc2\xb2", b"\xd9\xa3", b"",
               b"007", b"NaN", b"x"]  # fmt: skip
ODD_VALUES: list[Any] = [None, [], {}, "", "x", -1, 10**30, 1.5, True, [[]], [None], {"a": None}, "\ud800",
                         [0, 0], [[-1, 2]], "é" * 300]  # fmt: skip
ODD_NAMES = ["-a", "a b", "a\nb", "a\udce9", "é" * 60, "a.b.c", "%s", "a;b", "~", "[1]", "'"]
# What commands say of any file of some formats.
ABOUT = re.compile("JSON lines of the|marked text, read as|taken for|aligned to the key's words: 100 %")
# Ways in which nothing goes.
GENTLE = ("odd byte", "odd word", "odd number", "odd value", "encoding", "name", "repeat", "tabs")


@dataclass(frozen=True, slots=True)
class Specimen:
    """A corpus in a folder, and the path that commands are given."""

    format: str
    folder: Path
    name: str  # below the folder; empty for the folder itself
    mentions: int
    documents: int

    @property
    def path(self) -> Path:
        """The path that commands are given."""
        return self.folder / self.name if self.name else self.folder


def first_sentences(document: Document, count: int) -> Document:
    """Cut a document after some sentences; what reaches over them goes."""
    end = document.sentences[:count][-1][1]
    text = document.text
    clusters = [
        referee.Cluster(c.id, kept, c.type)
        for c in document.clusters
        if (kept := tuple(m for m in c.mentions if m.end <= end))
    ]
    layers = {name: layer[:end] for name, layer in text.layers.items()}
    return Document.of(document.id, text.words[:end], document.sentences[:count], clusters, layers)


def make_specimens(folder: Path, source: Path = WHOLE, sentences: int = 12) -> list[Specimen]:
    """Write the first sentences of a corpus in every format that can be written."""
    documents = [first_sentences(d, sentences) for d in list(referee.read(source))[:2]]
    made = []
    for name in formats.writable():
        form, place = formats.FORMATS[name], folder / name
        place.mkdir()
        path = place / f"corpus{(*form.suffixes, '.txt')[0]}"
        corpus = DocumentCorpus(documents, "corpus")
        with (
            suppress(RefereeError),
            warnings.catch_warnings(),
        ):  # what a format cannot hold is for others
            warnings.simplefilter("ignore")
            formats.write(corpus, path, name, cross_document=form.across)
        if specimen := _specimen(name, place, path.name if path.exists() else ""):
            made.append(specimen)
    return made


def copied_specimen(folder: Path, name: str, source: Path, file: str = "") -> Specimen | None:
    """Copy a corpus as it is published, with the files beside it."""
    place = folder / name
    if source.is_dir():
        shutil.copytree(source, place)
    else:
        place.mkdir()
        shutil.copy(source, place)
    return _specimen(name, place, file)


def _specimen(name: str, place: Path, file: str) -> Specimen | None:
    path = place / file if file else place
    try:
        corpus = referee.read(path)
        mentions = sum(len(cluster.mentions) for document in corpus for cluster in document.clusters)
    except RefereeError:
        return None
    return Specimen(name, place, file, mentions, len(corpus))


# ------------------------------------------------------------------------------------------------ mutations
def broken(data: bytes, chance: random.Random) -> tuple[bytes, str]:
    """Break a file's bytes once, and say in which way."""
    way = chance.choice(sorted(WAYS))
    return WAYS[way](data, chance), way


def _spliced(data: bytes, chance: random.Random, new: bytes, gone: int = 0) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + new + data[at + gone :]


def _number(data: bytes, chance: random.Random) -> bytes:
    found = list(re.finditer(rb"-?\d+", data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(ODD_NUMBERS) + data[one.end() :]


def _lines(data: bytes, chance: random.Random, change: Callable[[list[bytes], int], list[bytes]]) -> bytes:
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[:at], *change(lines, at), *lines[at + 1 :]])


def _cells(data: bytes, chance: random.Random) -> bytes:
    def shuffled(lines: list[bytes], at: int) -> list[bytes]:
        cells = lines[at].split(b"\t") if b"\t" in lines[at] else lines[at].split(b" ")
        chance.shuffle(cells)
        return [b"\t".join(cells)]

    return _lines(data, chance, shuffled)


def _value(data: bytes, chance: random.Random) -> bytes:
    """Put an odd value somewhere into JSON, or into a line of JSON; another file gets an odd word."""
    try:
        return _json_with_odd(data.decode(), chance)
    except ValueError:
        lines = data.decode("utf-8", "replace").split("\n")
    at = chance.randrange(len(lines))
    try:
        lines[at] = _json_with_odd(lines[at], chance).decode()
    except ValueError:
        return _spliced(data, chance, chance.choice(ODD_WORDS))
    return "\n".join(lines).encode()


def _json_with_odd(text: str, chance: random.Random) -> bytes:
    value = json.loads(text)
    places: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        one = stack.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else ()
        places += [(one, key) for key in keys]
        stack += [one[key] for key in keys]
    if not places:
        raise ValueError("nothing to replace")
    holder, key = chance.choice(places)
    holder[key] = chance.choice(ODD_VALUES)
    return json.dumps(value).encode()


WAYS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "cut off": lambda d, c: d[: c.randrange(len(d) + 1)],
    "begins late": lambda d, c: d[c.randrange(len(d) + 1) :],
    "odd byte": lambda d, c: _spliced(d, c, c.choice(ODD_BYTES)),
    "odd word": lambda d, c: _spliced(d, c, c.choice(ODD_WORDS)),
    "gone": lambda d, c: _spliced(d, c, b"", c.randrange(1, 40)),
    "flipped": lambda d, c: _spliced(d, c, bytes([c.randrange(256)]), 1),
    "odd number": _number,
    "odd value": _value,
    "line gone": lambda d, c: _lines(d, c, lambda _, __: []),
    "repeat": lambda d, c: _lines(d, c, lambda lines, at: [lines[at]] * 2),
    "twice": lambda d, _: d + d,
    "swapped": lambda d, c: _lines(d, c, lambda lines, at: [lines[at - 1]]),
    "cells": _cells,
    "tabs": lambda d, c: d.replace(b"\t", c.choice([b" ", b"    ", b"\t\t"])),
    "ends": lambda d, c: d.replace(b"\n", c.choice([b"\r\n", b"\r", b"\n\n", b" \n"])),
    "encoding": lambda d, c: d.decode("utf-8", "replace").encode(
        c.choice(["utf-16", "utf-8-sig", "latin-1", "utf-32"]), "replace"
    ),
    "empty": lambda _, c: c.choice([b"", b"\n", b" ", b"\xef\xbb\xbf", b"{}", b"[]", b"null"]),
}  # fmt: skip


def make_input(specimen: Specimen, folder: Path, chance: random.Random) -> tuple[Path, str]:
    """Copy a specimen, break one of its files, and sometimes its name."""
    place = folder / "bad"
    shutil.copytree(specimen.folder, place)
    files = sorted(path for path in place.rglob("*") if path.is_file())
    victim = chance.choice(files)
    content, way = broken(victim.read_bytes(), chance)
    victim.write_bytes(content)
    path = place / specimen.name if specimen.name else place
    if chance.random() < 0.1 and specimen.name and len(files) == 1:
        odd = path.with_name(chance.choice(ODD_NAMES) + path.name[6:])
        path.rename(odd)
        return odd, f"{way}, name"
    return path, way


# ------------------------------------------------------------------------------------------------- commands
TARGETS = (".conll", ".jsonl", ".conllu", ".tags.txt", ".CONLLUA", ".crac.txt", ".answer.json")


def command_line(bad: Path, whole: Path, target: Path, model: Path, chance: random.Random) -> list[str]:
    """Choose a command for a broken corpus and a whole one."""
    one, other = str(bad), str(whole)
    lines = [
        ["score", other, one, "-f", "json"], ["score", one, other, "-f", "json"], ["score", one, one],
        ["score", other, one, "--match", "head"], ["score", other, one, "--scope", "corpus"],
        ["stats", one, "-f", "json"], ["stats", one, "-f", "json"], ["validate", one],
        ["validate", one, "--key", other], ["convert", one, str(target)],
        ["convert", one, str(target), "--lossy"],
        ["errors", other, one, "--list"], ["errors", one, other], ["agree", one, other], ["spans", one],
        ["compare", other, one, other, "--samples", "100"], ["topics", one], ["gap", one, other],
        ["baseline", "same-string", one, "-o", str(target)], ["report", other, one, "-o", str(target)],
        ["score", other, other, "--parses", one, "--match", "mina"],
        ["errors", other, other, "--layers", one],
        ["score", other, other, "--scope", one], ["score", other, other, "--by", "genre", "--genres", one],
        ["compare", one, one], ["errors", other, other, "--antecedents", one],
        ["resolve", one, "-o", str(target), "--resolver", "camp"], ["components", one],
        ["resolve", one, "-o", str(target), "--resolver", "neural", "--mentions", "gold"],
        ["link", one, "-o", str(target)], ["tune", str(model), "--dev", one],
        ["models", "test", one], ["export", one, "-o", str(target)],
    ]  # fmt: skip
    return chance.choice(lines)


@dataclass(frozen=True, slots=True)
class Run:
    """What became of an input."""

    seed: int
    format: str
    way: str
    words: list[str]
    code: int
    said: str  # on standard error
    fault: str


class TooSlow(BaseException):
    """An input took longer than a user waits."""


@contextmanager
def at_most(limit: int) -> Iterator[None]:
    """Stop after some seconds."""

    def stop(*_: object) -> None:
        raise TooSlow

    before = [signal.signal(each, stop) for each in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, limit)  # of the processor: others may have the machine for a while
    signal.alarm(IDLE * limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for each, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(each, handler)


def run_seed(seed: int, specimens: list[Specimen], folder: Path) -> Run:
    """Make the input of a seed, run its command, and judge what comes of it."""
    chance = random.Random(seed)
    specimen = specimens[seed % len(specimens)]
    folder.mkdir()
    bad, way = make_input(specimen, folder, chance)
    target = folder / f"out{chance.choice(TARGETS)}"
    target.write_bytes(b"old")
    words = command_line(bad, specimen.path, target, folder / "out_model", chance)
    if words[0] == "tune":
        with suppress(ImportError):  # the command says what is not installed
            write_toy(folder / "out_model")
    before = _names(folder)
    try:
        with at_most(PATIENCE):
            done = CliRunner().invoke(main, words)
    except TooSlow:
        return Run(seed, specimen.format, way, words, -1, "", f"slower than {PATIENCE} s")
    fault = ""
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        fault = repr(done.exception)[:300]
    elif done.exit_code not in (0, 1, 2):
        fault = f"exit {done.exit_code}"
    elif done.exit_code and target.read_bytes() != b"old" and " failed:" not in done.stderr:
        fault = "half-written file"  # of some documents the others are written
    elif extra := {name for name in _names(folder) - before if "out" not in name}:
        fault = f"a file left behind: {sorted(extra)[:3]}"
    elif not done.exit_code and not [line for line in done.stderr.splitlines() if not ABOUT.search(line)]:
        fault = _silent(specimen, bad, way, words, done.stdout, target)
    return Run(seed, specimen.format, way, words, done.exit_code, done.stderr, fault)


def _names(folder: Path) -> set[str]:
    return {os.fsdecode(path.relative_to(folder)) for path in folder.rglob("*")}


def _silent(specimen: Specimen, bad: Path, way: str, words: list[str], shown: str, target: Path) -> str:
    """Say what was lost although standard error is empty."""
    if words[0] == "score" and words[-1] == "json":
        results = json.loads(shown)["results"]
        zero = [each for each in results if not any(score["f1"] for score in each["scores"].values())]
        return "a score of 0 without a word" if zero and specimen.mentions else ""
    if words[0] == "convert" and words[-1] != "--lossy":
        read, written = (_counted(path) for path in (bad, target))
        return f"{read} became {written} without a word" if written[1] < read[1] else ""
    if words[:2] == ["stats", str(bad)]:
        documents, mentions = _counted(bad)
        gentle = way.split(",")[0] in GENTLE
        if gentle and (documents < specimen.documents or mentions < LOST * specimen.mentions):
            return f"of {specimen.documents, specimen.mentions} only {documents, mentions} without a word"
        if not documents or (not mentions and specimen.mentions):
            return "nothing was read, without a word"
    return ""


def _counted(path: Path) -> tuple[int, int]:
    corpus = referee.read(path)
    return len(corpus), sum(len(cluster.mentions) for document in corpus for cluster in document.clusters)
