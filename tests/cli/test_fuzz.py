"""Damaged files and odd options, through every command: an answer or one line, never a traceback.

The same inputs every time: a number is the seed of each. Output is strict UTF-8, as in most terminals.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee import formats
from referee.cli import COMMANDS, main
from referee.service.workbench.running import OpenWorkbench
from small_corpora import cat_xml, corpus

TEXT = """#begin document (nw/a); part 000
nw/a 0 0 The DT (TOP(S(NP* - - - - * (1
nw/a 0 1 dog NN *) - - - - * 1)
nw/a 0 2 saw VBD (VP* - - - - * -
nw/a 0 3 itself PRP (NP*)))) - - - - * (1)

nw/a 0 0 It PRP (TOP(S(NP*) - - - - * (1)|(2
nw/a 0 1 barked VBD (VP*))) - - - - * 2)
#end document
#begin document (bc/b); part 000
bc/b 0 0 Ann NNP (TOP(S(NP*) - - - - (PERSON) (7)
bc/b 0 1 left VBD (VP*))) - - - - * -

bc/b 0 0 She PRP (TOP(S(NP*) - - - - * (7)
bc/b 0 1 slept VBD (VP*))) - - - - * -
#end document
"""
CONLLU = """# newdoc id = (nw/a); part 000
1\tThe\t_\tDET\tDT\t_\t2\t_\t_\t_
2\tdog\t_\tNOUN\tNN\t_\t3\t_\t_\t_
3\tsaw\t_\tVERB\tVBD\t_\t0\t_\t_\t_
4\titself\t_\tPRON\tPRP\t_\t3\t_\t_\t_

1\tIt\t_\tPRON\tPRP\t_\t2\t_\t_\t_
2\tbarked\t_\tVERB\tVBD\t_\t0\t_\t_\t_

# newdoc id = (bc/b); part 000
1\tAnn\t_\tPROPN\tNNP\t_\t2\t_\t_\t_
2\tleft\t_\tVERB\tVBD\t_\t0\t_\t_\t_

1\tShe\t_\tPRON\tPRP\t_\t2\t_\t_\t_
2\tslept\t_\tVERB\tVBD\t_\t0\t_\t_\t_
"""
DATA = Path(__file__).parents[1] / "data"
SEEDS = range(600)
HALF = "half-written file"
ODD = [b"\xff", b"\x00", b"\xe9", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"(", b")", b"|", b"{", b"]",
       b"-1", b"99999999999999999999", b"\t", b"\\ud800", b'"', b"#end document\n", b"<COREF"]  # fmt: skip
WORDS = ["", "x", "-", "-1", "0", "2", "1e9", "nan", "a,b", "muc", "b3,,", "mina", "exact,head", "strict",
         "topic", "corpus", "crossdoc", "match:head", "genre", "all", "gains", "anaphor=noun", "(",
         "a\udce9", "json", "conll", "jsonlines", "permutation", "keep", "drop", "skip"]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files in every format, and those that options name."""
    made = tmp_path_factory.mktemp("whole")
    (made / "a.conll").write_text(TEXT, encoding="utf-8")
    (made / "b.conll").write_text(TEXT.replace("(1)|(2", "(2").replace("(7)", "-", 1), encoding="utf-8")
    odd = (
        TEXT.encode().replace(b"(nw/a)", b"(nw/\xe9)").replace(b"dog", b"d\xf6g").replace(b"Ann", b"\xff\xfe")
    )
    (made / ODD_FILE).write_bytes(odd)
    formats.write(formats.read(made / "a.conll"), made / "a.jsonl")
    across = corpus(
        {"x": [("1_ecb_1", 0), ("1_ecb_2", 1)], "y": [("2_ecb_4", 0)]}, ["1_ecb_1", "1_ecb_2", "2_ecb_4"]
    )
    formats.write(across, made / "topic.conll", "topic-conll", cross_document=True)
    formats.write(across, made / "across.jsonl", cross_document=True)
    (made / "one.xml").write_text(
        cat_xml(["Quake kills six"], [("ACTION_OCCURRENCE", [1])], [("CROSS_DOC_COREF", [1], "A1")]), "utf-8"
    )
    for name in ("key.sgm", "key.ptb"):
        (made / name).write_bytes((DATA / "muc" / name).read_bytes())
    (made / "layers.conllu").write_text(CONLLU, encoding="utf-8")
    (made / "groups.tsv").write_text("(nw/a); part 000\tg\n(bc/b); part 000\tg\n", encoding="utf-8")
    (made / "links.tsv").write_text("(nw/a); part 000\t(3, 3)\t(0, 1)\n", encoding="utf-8")
    CliRunner().invoke(
        main,
        ["score", str(made / "a.conll"), str(made / "b.conll"), "-f", "json", "-o", str(made / "saved.json")],
    )
    return made


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Damage a file once or twice, each time in one way."""
    ways: list[Callable[[bytes], bytes]] = [
        lambda d: d[: chance.randrange(len(d) + 1)],
        lambda d: b"\xef\xbb\xbf" + d,
        lambda d: d.replace(b"\n", chance.choice([b"\r\n", b"\r", b" ", b"\n\n"])),
        lambda d: d.decode("utf-8", "replace").encode("utf-16"),
        lambda d: _at(d, chance, lambda byte: bytes([byte[0] ^ (1 << chance.randrange(8))]) if byte else b""),
        lambda d: _at(d, chance, lambda byte: chance.choice(ODD) + byte),
        lambda d: _at(d, chance, lambda _: b""),
        lambda d: _lines(d, chance, lambda _: []),
        lambda d: _lines(d, chance, lambda line: [line, line]),
        lambda d: _lines(d, chance, lambda line: [line[: chance.randrange(len(line) + 1)]]),
        lambda d: d,
    ]
    for _ in range(chance.choice([1, 1, 2])):
        data = chance.choice(ways)(data)
    return data


def _at(data: bytes, chance: random.Random, change: Callable[[bytes], bytes]) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + change(data[at : at + 1]) + data[at + 1 :]


def _lines(data: bytes, chance: random.Random, change: Callable[[bytes], list[bytes]]) -> bytes:
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[:at], *change(lines[at]), *lines[at + 1 :]])


def option_words(command: str, files: list[str], chance: random.Random) -> list[str]:
    """Take some of a command's options, with values that mostly fit."""
    loaded = main.get_command(main.make_context("referee", [], resilient_parsing=True), command)
    assert loaded
    known = [p for p in loaded.params if p.param_type_name == "option" and p.name not in NOT_FUZZED]
    words: list[str] = []
    for parameter in chance.sample(known, min(chance.choice([0, 1, 1, 2, 3]), len(known))):
        fitting = list(getattr(parameter.type, "choices", ())) or FITTING.get(str(parameter.name), WORDS)
        words.append(parameter.opts[-1])
        if not getattr(parameter, "is_flag", False):
            value = chance.choice(fitting if chance.random() < 0.9 else [*WORDS, *files])
            words.append(
                next((file for file in files if Path(file).name.startswith(value or "?")), str(value))
            )
    return words


NOT_FUZZED = ("help", "output", "record", "plots", "plot", "jobs", "nlp", "samples")
FITTING = {
    "parses": ["key.ptb", "layers.conllu", "bad"], "layers": ["layers.conllu", "bad"],
    "scope": ["document", "topic", "corpus", "groups.tsv", "bad"], "genres": ["groups.tsv", "bad"],
    "antecedents": ["links.tsv", "bad"], "within": ["document", "corpus", "groups.tsv", "predicted"],
    "match": ["exact", "mina", "head", "min", "exact,mina"],
    "protocol": ["conll", "strict", "crossdoc", "match:head"],
    "metrics": ["muc,b3", "links", "blanc", "b_cubed_0"], "seed": ["0", "7"], "level": ["0.5", "0.9"],
    "similarity": ["0.1", "1"], "limit": ["1", "3"], "documents": ["0", "2"], "baseline": ["a", "b"],
    "tables": ["all", "gains", "recall"], "condition": ["anaphor=noun", "side=recall or not type~noun"],
}  # fmt: skip
ODD_FILE = "odd.conll"  # no UTF-8
CORPORA = ("a.conll", "b.conll", "a.jsonl", "across.jsonl", "topic.conll", "key.sgm", "one.xml", "saved.json")
ARGUMENTS = {"score": 2, "compare": 3, "errors": 2, "report": 2, "agree": 2}  # files; other commands take one
SLOW = ("report", "topics")


def command_line(seed: int, folder: Path, work: Path) -> tuple[list[str], Path]:
    """Make a command line from a seed: a command, damaged and whole files, options, and where to write."""
    chance = random.Random(seed)
    names = sorted(COMMANDS)
    command = names[seed % len(names)]
    if command in SLOW and seed >= 10 * len(names):
        command = chance.choice([name for name in names if name not in SLOW])
    whole = sorted(folder.iterdir())
    first = folder / chance.choice(CORPORA if command != "compare" else ("a.conll", "saved.json"))
    first = folder / ODD_FILE if seed % 3 == 0 else first
    damaged_one = first if chance.random() < 0.7 else chance.choice(whole)
    bad = work / f"bad{damaged_one.suffix}"
    bad.write_bytes(damaged(damaged_one.read_bytes(), chance))
    alike = (
        [first]
        if first.name == ODD_FILE
        else [folder / name for name in CORPORA if name.endswith(first.suffix)]
    )
    files = [
        str(chance.choice([bad, bad, first])),
        *map(str, chance.choices([first, *alike, *alike, bad], k=2)),
    ]
    files = files[: ARGUMENTS.get(command, 1)]
    chance.shuffle(files)
    target = work / f"out.{chance.choice(['conll', 'jsonl', 'txt'])}"
    target.write_bytes(b"old")
    before = [chance.choice(["same-string", "singletons", "head-lemma"])] if command == "baseline" else []
    after = {"convert": [str(target)], "validate": []}.get(
        command, ["-o", str(target)] * (chance.random() < 0.5)
    )
    after = ["-o", str(target)] if command in ("baseline", "report") else after
    after += ["--samples", "100"] if command in ("score", "compare") else []
    return [
        command,
        *before,
        *files,
        *after,
        *option_words(command, [str(bad), *map(str, whole)], chance),
    ], target


def test_every_command_is_fuzzed(folder: Path, tmp_path: Path) -> None:
    assert {command_line(seed, folder, tmp_path)[0][0] for seed in SEEDS} == COMMANDS.keys()


@pytest.fixture
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbench that opens ends at once, and opens no browser."""
    monkeypatch.setattr(OpenWorkbench, "wait", lambda _: None)
    monkeypatch.setattr("webbrowser.open", lambda *_: False)


@pytest.mark.usefixtures("nobody_waits")
@pytest.mark.parametrize("part", range(6))
def test_no_input_ends_in_a_traceback(
    part: int, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = []
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")  # a word that is drawn may be the name of an output
    for seed in SEEDS[part::6]:
        work = tmp_path / str(seed)
        work.mkdir()
        arguments, target = command_line(seed, folder, work)
        shown = CliRunner().invoke(main, arguments)
        fault = _fault(shown.exit_code, shown.exception, shown.stdout_bytes, arguments, target)
        survived = " failed:\n" in shown.stderr  # what is written lacks documents, and says so
        fault = "" if survived and fault == HALF else fault
        faults += [f"{seed}: {fault}: {arguments}"] if fault else []
    assert not faults, "\n".join(faults)


def _fault(
    code: int, exception: BaseException | None, output: bytes, arguments: list[str], target: Path
) -> str:
    if exception is not None and not isinstance(exception, SystemExit):
        return repr(exception)
    if code not in (0, 1, 2):
        return f"exit {code}"
    if code and target.read_bytes() != b"old" and arguments[0] != "validate":
        return HALF
    if {path.name.split(".")[0] for path in target.parent.iterdir()} - {"bad", "out"}:
        return "a file left behind"
    if not code and arguments[-2:] == ["--format", "json"]:
        try:
            json.loads((output if target.read_bytes() == b"old" else target.read_bytes()).decode("utf-8"))
        except ValueError as error:
            return f"bad JSON: {error}"
    return ""
