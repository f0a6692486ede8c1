"""Every argument that names a file takes a pipe or standard input, with the same output as for the file."""

from __future__ import annotations

import json
import os
import re
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee import Document, formats
from referee.cli import main

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
FAST = ["--samples", "100"]
# What comes through the pipe, and the command line, in which FILE names it.
ARGUMENTS = {
    "a response": (ALPHA, ["score", KEY, "FILE", "-f", "csv"]),
    "a key in CoNLL-U": ("key.conllu", ["score", "FILE", "alpha.conllu"]),
    "a key with lines": ("key.jsonl", ["errors", "FILE", "alpha.jsonl", "--list"]),
    "genres": ("groups.tsv", ["score", KEY, ALPHA, "--by", "genre", "--genres", "FILE"]),
    "genres of errors": ("groups.tsv", ["errors", KEY, ALPHA, "--by", "genre", "--genres", "FILE"]),
    "groups": ("groups.tsv", ["score", "across.conll", "across.conll", "--scope", "FILE"]),
    "groups in JSON": ("groups.json", ["score", "across.conll", "across.conll", "--scope", "FILE"]),
    "groups of a baseline": (
        "groups.tsv",
        ["baseline", "same-string", "across.conll", "--scope", "FILE", "-o", "-", "--to", "corpus-conll"],
    ),
    "trees": ("trees.ptb", ["score", KEY, ALPHA, "--match", "mina", "--parses", "FILE"]),
    "trees of spans": ("trees.ptb", ["spans", KEY, "--parses", "FILE"]),
    "trees of a report": ("trees.ptb", ["report", KEY, ALPHA, "--parses", "FILE", "-o", "-"]),
    "layers": ("layers.conllu", ["errors", KEY, ALPHA, "--layers", "FILE", "--list"]),
    "layers of a comparison": (
        "layers.conllu",
        ["compare", KEY, ALPHA, BETA, "--layers", "FILE",
         "--by", "mention-type", *FAST],
    ),
    "antecedents": ("links.tsv", ["errors", KEY, ALPHA, "--antecedents", "FILE", "--list"]),
    "a saved result": ("saved.json", ["compare", "other.json", "FILE", *FAST]),
    "a key of a comparison": (KEY, ["compare", "FILE", ALPHA, BETA, *FAST]),
    "a file to check": (ALPHA, ["validate", "FILE", "--key", KEY]),
    "a key to check with": (KEY, ["validate", ALPHA, "--key", "FILE"]),
    "a corpus to convert": (KEY, ["convert", "FILE", "-", "--to", "jsonlines"]),
    "an annotator": (ALPHA, ["agree", KEY, "FILE", "-f", "csv"]),
    "a corpus to link": ("across.conll", ["topics", "FILE"]),
}  # fmt: skip


def as_layers(document: Document) -> str:
    """Write a document's words as CoNLL-U, in which all depend on the first."""
    rows = [
        f"{number}\t{word}\t_\tNOUN\tNN\t_\t{int(number > 1)}\t_\t_\t_\n" + "\n" * (number == end - start)
        for start, end in document.sentences
        for number, word in enumerate(document.words[start:end], 1)
    ]
    return f"# newdoc id = {document.id}\n{''.join(rows)}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the files that the command lines name."""
    made = tmp_path_factory.mktemp("piped")
    key = formats.read(KEY)
    for ending in ("conllu", "jsonl"):
        for name, path in (("key", KEY), ("alpha", ALPHA)):
            formats.write(formats.read(path), made / f"{name}.{ending}")
    (made / "layers.conllu").write_text("".join(map(as_layers, key)))
    formats.write(key, made / "across.conll", "corpus-conll", cross_document=True)
    ids = sorted({*key.ids, *formats.read(made / "across.conll").ids})
    (made / "groups.tsv").write_text("".join(f"{id_}\tg\n" for id_ in ids))
    (made / "groups.json").write_text(json.dumps({"g": ids}))
    (made / "links.tsv").write_text("# document\tanaphor\tantecedent\n")
    trees = [
        " ".join(f"(X {word.replace('(', '-LRB-').replace(')', '-RRB-')})" for word in document.words[a:b])
        for document in key
        for a, b in document.sentences
    ]
    (made / "trees.ptb").write_text("".join(f"(S {tree})\n" for tree in trees))
    for name, path in (("saved", ALPHA), ("other", BETA)):
        CliRunner().invoke(main, ["score", KEY, path, "-f", "json", "-o", str(made / f"{name}.json")])
    return made


def shown(words: list[str], given: bytes | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(main, words, input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout if done.exit_code == 0 else done.output


def named(output: str, name: str) -> str:
    """Take away how a response is called, and the widths of columns with it."""
    return re.sub(rf"\b({Path(name).stem}|stdin|pipe)\b", "NAME", re.sub(r"\s+|─+", " ", output))


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_a_pipe_gives_what_the_file_gives(
    argument: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    name, words = ARGUMENTS[argument]
    content = Path(name).read_bytes()
    code, from_file = shown([name if word == "FILE" else word for word in words])
    assert code == 0, from_file
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True).start()
    for path, given in ((str(pipe), None), ("-", content)):
        code, output = shown([path if word == "FILE" else word for word in words], given)
        assert code == 0, output
        same = output == from_file
        assert same or named(output, name) == named(from_file, name)


def test_standard_input_for_two_arguments_is_refused() -> None:
    code, output = shown(["score", "-", ALPHA, "--by", "genre", "--genres", "-"], Path(KEY).read_bytes())
    assert code == 2
    assert "standard input can be read only once: give '-' once" in output
