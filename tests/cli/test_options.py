"""No option is ever ignored: each of every command changes something, or is refused with exit status 2.

`SHOWN` has for each option a command line with it. It is run with the option and without, and something must
differ: standard output, standard error, the exit status, files that are written, or what the engine and the
network are asked to do. An option that is not in the table fails the test.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

import referee
from corrected_journals import write_corrected
from llm_server import answered, right_answers, some_documents
from referee import formats, registry
from referee.cli import COMMANDS, main, terminal
from referee.cli.commands import EXCLUDES, NEEDS, OTHER, SECTIONS, section_of
from referee.llm.running import RunReport
from referee.llm.tokens import Prices
from referee.resolvers.across import across
from referee.resolvers.neural import neural
from referee.resolvers.neural.running import open_model
from referee.scoring.engines import ENGINES, HERE
from referee.tables.rendering import Output
from small_corpora import cat_xml, write_ecbplus, write_gap, write_plural
from surface_scorer import SurfaceScorer
from toy_model import write_toy

SAMPLE = Path(referee.__file__).parent / "sample"
LLM = tuple(f"llm {name}" for name in ("prompt", "repair", "run", "score"))
STORE = ("entities", "entity", "joins", "merge", "split", "rename", "undo", "apply", "export")
EVERY = (*COMMANDS, *LLM, *(f"store {name}" for name in STORE))
RUN_ELSEWHERE = ("link", "resolve", "tune", "export")  # whose first line is not a whole command
SHARED = ("--verbose", "--quiet")  # of all commands, which report a package that is skipped
SCORING = {
    "--protocol": "-p strict", "--singletons": "--singletons drop", "--match": "--match head",
    "--parses": "--match mina --parses trees", "--on-bad-parse": "--match mina --on-bad-parse skip",
    "--scope": "--scope corpus --ids corpus", "--kind": "--kind events", "--ids": "--ids corpus",
    "--gaps": "--gaps fill", "--jobs": "--jobs 2", "--engine": "--engine dask",
    "--scheduler": "--engine dask --scheduler tcp://h:1",
}  # fmt: skip
COREFUD = {"--zeros": "-p crac --zeros linear", "--heads": "-p crac --heads tree"}
ANAPHORA = {"--sets": "--sets drop", "--layer": "--layer deixis"}
PRINTED = {"--format": "-f json", "--output": "-o out.txt"}
STUDIED = {
    "--spanning-tree": "--spanning-tree distance", "--mention-type": "--mention-type own.py:kind",
    "--antecedents": "--antecedents chosen.tsv", "--layers": "--layers key.conllu",
    "--nlp": "--nlp nonsense",
}  # fmt: skip
CAMP = {
    "--precision": "--precision 99", "--threshold": "--threshold 0.9", "--recall": "--recall",
    "--only": "--only names", "--until": "--until names", "--skip": "--skip pronouns",
    "--rules": "--rules rules.toml", "--nlp": "--nlp nonsense", "--layers": "--layers key.conllu",
    "--corpus-layers": "--corpus-layers nonsense", "--guidelines": "--guidelines litbank",
}  # fmt: skip
DIALOGUE = (
    'Clara slept.\n\n"I am tired," said Peter.\n\nPeter saw Clara. Clara saw him. She smiled. He saw her.\n'
)
# command → what comes before the options → option → a command line with it
SHOWN: dict[str, list[tuple[str, dict[str, str]]]] = {
    "score": [
        ("key.conll alpha.conll", SCORING | PRINTED | {
            "--response": "--response systems", "--macro": "--response systems --macro",
            "--metric": "-m muc", "--by": "--by genre", "--genres": "--by genre --genres genres.tsv",
            "--types": "--by entity-span --types entity",
            "--layers": "--by mention-type --layers key.conllu", "--nlp": "--by mention-type --nlp nonsense",
            "--ci": "--ci", "--samples": "--ci --samples 100", "--seed": "--ci --samples 100 --seed 2",
            "--level": "--ci --samples 100 --level 0.5",
        }),
        ("key.conllu alpha.conllu", COREFUD),
        ("key.conllua alpha.conllua", ANAPHORA),
        ("two.jsonl half.jsonl", {"--strict": "--strict"}),
    ],
    "compare": [
        ("key.conll alpha.conll beta.conll --samples 100", SCORING | PRINTED | {
            "--metric": "-m muc", "--baseline": "--baseline beta", "--test": "--test bootstrap",
            "--samples": "--samples 200", "--seed": "--seed 2", "--level": "--level 0.5",
            "--by": "--by genre", "--genres": "--by genre --genres genres.tsv",
            "--types": "--by entity-span --types entity",
            "--documents": "--documents 1", "--layers": "--by mention-type --layers key.conllu",
            "--nlp": "--by mention-type --nlp nonsense", "--plot": "--plot figures",
            "--plot-format": "--plot figures --plot-format svg",
        }),
        ("key.conll alpha.conll beta.conll gamma.conll --samples 100", {"--correction": "--correction none"}),
        ("key.conllu alpha.conllu beta.conllu --samples 100", COREFUD),
        ("key.conllua alpha.conllua alpha.conllua --samples 100", ANAPHORA),
    ],
    "errors": [
        ("key.conll alpha.conll beta.conll -f json", SCORING),
        ("key.conllu alpha.conllu -f json", COREFUD),
        ("key.conllua alpha.conllua -f json", ANAPHORA),
        ("key.conll alpha.conll beta.conll", PRINTED | STUDIED | {
            "--common": "--common", "--table": "--table gains", "--filter": "--filter anaphor=noun",
            "--made-by": "--made-by alpha", "--not-made-by": "--not-made-by alpha",
            "--classes": "--classes kummerfeld-klein", "--list": "--list", "--context": "--context",
            "--sort": "--list --sort class", "--draw": "--draw 3", "--seed": "--draw 3 --seed 2",
            "--limit": "--list --limit 2",
            "--antecedents": "--antecedents alpha=chosen.tsv", "--by": "--by distance",
            "--genres": "--by genre --genres genres.tsv", "--types": "--by entity-type --types entity",
        }),
    ],
    "report": [
        ("key.conll alpha.conll", SCORING | STUDIED | {
            "--output": "-o other.html", "--types": "--types entity", "--title": "--title Other",
            "--parses": "--parses trees",
        }),
        ("key.conllu alpha.conllu", COREFUD),
        ("key.conllua alpha.conllua", ANAPHORA),
    ],
    "agree": [
        ("key.conll alpha.conll", PRINTED | {
            "--protocol": "-p strict", "--singletons": "--singletons drop", "--zeros": "--zeros linear",
            "--heads": "--heads tree",
        }),
    ],
    "curate": [
        ("key.conll alpha.conll beta.conll", {
            "--format": "-f json", "--output": "-o out.jsonl", "--rule": "--rule union",
            "--trust": "--trust key", "--cases": "--cases cases.csv", "--decided": "--decided done.csv",
            "--names": "--names a,b,c", "--protocol": "-p strict", "--context": "--context",
        }),
        ("many.jsonl others.jsonl", {
            "--samples": "--samples 200", "--seed": "--seed 2", "--level": "--level 0.5",
        }),
        ("key.conll alpha.conll -o out.jsonl", {"--to": "--to corpus-conll", "--open": "--open"}),
        ("key.conllu alpha.conllu -o out.conll", {"--lossy": "--lossy"}),
    ],
    "stats": [("ecb/dev", PRINTED | {"--kind": "--kind events"}), ("key.conll", {"--ids": "--ids corpus"})],
    "spans": [("key.conll", PRINTED | {
        "--match": "--match head", "--parses": "--parses trees",
        "--stats": "--stats", "--plot": "--plot lengths.png", "--against-min": "--against-min",
    }), ("broken.conll", {"--on-bad-parse": "--on-bad-parse skip"})],
    "validate": [("alpha.conll", PRINTED | {"--key": "--key short.conll"})],
    "convert": [
        ("ecb/dev out.conll", {"--kind": "--kind events"}),
        ("alpha.conllu out.conll", {"--lossy": "--lossy"}),
        ("both.jsonl out.conll", {"--role": "--role response"}),
        ("story.ann out.jsonl", {"--identity": "--identity SamePerson"}),
        ("half.jsonl out.conll", {"--strict": "--strict", "--record": "--record run.json"}),
        ("key.conll out.jsonl", {"--to": "--to mentions-json", "--ids": "--ids corpus"}),
    ],
    "baseline": [
        ("same-string ecb/dev", {
            "--output": "--scope topic -o out.conll", "--to": "--scope topic -o out.conll --to topic-conll",
            "--kind": "--scope topic -o out.conll --kind events", "--scope": "-o out.conll --scope document",
        }),
        ("same-string key.conll", {"--ids": "-o out.conll --ids corpus"}),
    ],
    "gap": [("gap.tsv gap-out.tsv", PRINTED | {"--decisions": "--decisions decided.tsv"})],
    "models": [("", PRINTED)],
    "restore": [("changed.txt changed.csv", {"--output": "-o restored.txt"})],
    "components": [("short.conll", PRINTED | CAMP)],
    "topics": [("ecb/dev", PRINTED | {"--similarity": "--similarity 0.99"})],
    "link": [("story.txt --model toy", {
        "--singletons": "-o out.jsonl --singletons keep", "--into": "--into new",
    }), ("ecb/dev --model toy --mentions gold", PRINTED | {
        "--output": "-o out.jsonl", "--to": "-o out.conll --to topic-conll", "--resolver": "--resolver camp",
        "--kind": "--kind events", "--mentions": "--mentions predicted", "--scope": "--scope document",
        "--threads": "--threads 1", "--model": "--model nonsense", "--precision": "--precision 99",
        "--threshold": "--threshold 0.999", "--jobs": "--jobs 2", "--engine": "--engine dask",
        "--scheduler": "--engine dask --scheduler tcp://h:1",
    }), ("half --model toy", {"--strict": "--strict", "--record": "--record run.json"}),
        ("story.txt --model toy --into new", {"--explain": "--explain", "--format": "-f json"}),
        ("changed/story.txt --model toy --into changing", {"--update": "--update"})],
    "resolve": [
        ("short.conll --resolver camp", CAMP),
        ("half --resolver camp", {"--strict": "--strict", "--record": "--record run.json"}),
        ("story.txt --resolver camp", {
            "--output": "-o out.jsonl", "--to": "-o out --to jsonlines", "--replace": "--replace",
            "--pseudonyms": "--pseudonyms table.json", "--seed": "--pseudonyms table.json --seed 2",
            "--explain": "--explain", "--jobs": "--jobs 2", "--engine": "--engine dask",
            "--scheduler": "--engine dask --scheduler tcp://h:1", "--characters": "--characters",
        }),
        ("story.txt --resolver camp --characters", {"--format": "-f json"}),
        ("people.txt --resolver neural --model english", {
            "--links-only": "--links-only", "--language": "--language any",
        }),
        ("story.txt --resolver neural --model toy", {
            "--resolver": "--resolver camp", "--model": "--model nonsense", "--threshold": "--threshold 9",
            "--mentions": "--mentions gold", "--singletons": "--singletons keep",
            "--find": "--find everything", "--threads": "--threads 1", "--scores": "-o out.jsonl --scores",
        }),
    ],
}  # fmt: skip
SHOWN |= {
    "llm prompt": [("short.conll -o out", {
        "--notation": "--notation markdown", "--guidelines": "--guidelines gum",
        "--shots": "--shots 1 --examples examples.jsonl", "--examples": "--shots 1 --examples examples.jsonl",
        "--seed": "--shots 1 --examples examples.jsonl --seed 4", "--window": "--window 60",
        "--overlap": "--window 60 --overlap 20", "--carry": "--window 60 --carry 0",
    }), ("short.conll", {"--output": "-o out"})],
    "llm run": [
        ("prompts -o out --model m --endpoint http://localhost:1/v1", {
            "--key-variable": "--key-variable NO_SUCH_KEY", "--insecure": "--insecure",
            "--parallel": "--parallel 2", "--retries": "--retries 1", "--timeout": "--timeout 1",
            "--temperature": "--temperature 0.5", "--max-tokens": "--max-tokens 9",
            "--extra": "--extra '{\"seed\": 1}'", "--price-in": "--price-in 1",
            "--price-out": "--price-out 1", "--max-cost": "--price-in 1 --max-cost 2",
            "--format": "-f json",
        }),
        ("prompts", {
            "--endpoint": "-o out --model m --endpoint http://localhost:1/v1",
            "--model": "-o out --endpoint http://localhost:1/v1 --model m",
            "--output": "--endpoint http://localhost:1/v1 --model m -o out",
            "--dry-run": "--dry-run",
        }),
    ],
    "llm repair": [
        ("prompts answers -o out", {"--mentions": "--mentions 1"}),
        ("prompts answers", {"--output": "-o out"}),
    ],
    "llm score": [("key.conll answers", SCORING | PRINTED | {"--metric": "-m muc"}),
                  ("key.conllu answers-u", COREFUD)],
}  # fmt: skip
SHOWN["train"] = [
    ("key.conll", {"--dev": "-o made --encoder toy --dev key.conll"}),
    ("key.conll --dev key.conll --encoder toy", {"--output": "-o made"}),
    ("key.conll --dev key.conll -o made", {"--encoder": "--encoder toy"}),
    ("key.conll --dev key.conll -o made --encoder toy", {
        "--resolver": "--resolver across", "--epochs": "--epochs 3", "--seed": "--seed 2",
        "--device": "--device cpu", "--resume": "--resume", "--encoder-layers": "--encoder-layers 2",
        "--vocabulary": "--vocabulary 9", "--patience": "--patience 1", "--language": "--language de",
        "--learning-rate": "--learning-rate 1",
        "--batch-words": "--batch-words 9", "--max-words": "--max-words 9", "--int8": "--int8",
        "--teacher": "--teacher toy", "--entities": "--entities key.conll", "--gap": "--gap gap.tsv",
    }),
    ("key.conll --dev key.conll -o made --resolver across", {
        "--kind": "--kind events", "--no-reader": "--no-reader", "--way": "--way end-to-end",
    }),
    ("-o made --model toy", {"--from": "--from kept.journal"}),
    ("--from kept.journal -o made", {"--model": "--model toy"}),
    ("--from kept.journal -o made --model toy", {
        "--guidelines": "--guidelines litbank", "--folds": "--folds 2", "--epochs": "--epochs 3",
        "--seed": "--seed 2",
    }),
]  # fmt: skip
SHOWN["workbench"] = [
    ("alpha.conll --key key.conll", {
        "--key": "--key beta.conll", "--systems": "--systems beta.conll", "--journal": "--journal kept",
        "--who": "--who ann", "--port": "--port 9", "--no-open": "--no-open", "--protocol": "-p strict",
    }),
    ("short.conll --resolver camp", CAMP),
    ("story.txt --resolver neural --model toy", {
        "--resolver": "--resolver camp", "--model": "--model nonsense", "--threshold": "--threshold 9",
        "--mentions": "--mentions gold", "--singletons": "--singletons keep", "--threads": "--threads 1",
        "--find": "--find everything",
    }),
    ("people.txt --resolver neural --model english", {
        "--links-only": "--links-only", "--language": "--language any",
    }),
]  # fmt: skip
SHOWN["tune"] = [
    ("toy", {"--dev": "--dev key.conll"}),
    ("toy --dev key.conll", PRINTED | {
        "--resolver": "--resolver across", "--plot": "--plot a.png", "--keep-thresholds": "--keep-thresholds",
        "--dry-run": "--dry-run", "--threads": "--threads 1",
    }),
    ("linker --dev key.conll --resolver across", {
        "--kind": "--kind events", "--mentions": "--mentions gold",
    }),
]  # fmt: skip
SHOWN["serve"] = [
    ("", {
        "--host": "--host 0.0.0.0", "--port": "--port 0", "--allow-host": "--allow-host api.example",
        "--token-file": "--host 0.0.0.0 --token-file token.txt", "--resolver": "--resolver camp",
        "--preload": "--preload camp", "--max-size": "--max-size 1", "--timeout": "--timeout 1",
        "--queue": "--queue 1",
    }),
    ("--resolver camp", CAMP),
    ("--resolver neural", {
        "--model": "--model nonsense", "--find": "--find everything", "--mentions": "--mentions gold",
        "--singletons": "--singletons keep", "--links-only": "--links-only", "--threads": "--threads 1",
        "--language": "--language any",
    }),
    ("--resolver across", {
        "--kind": "--kind events", "--scope": "--scope topic", "--singletons": "--singletons keep",
    }),
]  # fmt: skip
SHOWN |= {
    "store entities": [("store", PRINTED | {"--minimum": "--minimum 1"})],
    "store entity": [("store e1", PRINTED)],
    "store joins": [("store", PRINTED | {"--addition": "--addition 2"})],
    "store merge": [("store e1 e2", {})], "store split": [("store e1 story:0-1", {})],
    "store rename": [("store e1 Ann", {})], "store apply": [("store decided.jsonl", {})],
    "store undo": [("store", {"--join": "--join 1"})],
    "store export": [("store", {"--output": "-o out.jsonl"}), ("store -o out.jsonl", {
        "--singletons": "--singletons", "--to": "--to graphml",
    })],
}  # fmt: skip
SHOWN["export"] = [
    ("toy", {"--output": "-o made"}), ("toy -o made", {"--int8": "--int8", "--dev": "--dev no.conll"}),
]  # fmt: skip


@cache
def loaded(command: str) -> click.Command:
    name, _, within = command.partition(" ")
    found = main.get_command(click.Context(main), name)
    if isinstance(found, click.Group) and within:
        found = found.get_command(click.Context(found), within)
    assert found
    return found


def options_of(command: str) -> list[click.Option]:
    return [each for each in loaded(command).params if isinstance(each, click.Option)]


def table() -> Iterator[tuple[str, str, str, str]]:
    """List command, option, what comes before, and the options in the table that this command has."""
    for command in ("score", "compare", "errors", "report"):
        yield command, "--repair", "key.conll renamed.conll alpha.conll", "--repair"
    for command, groups in SHOWN.items():
        known = {option.opts[-1] for option in options_of(command)}
        for files, lines in groups:
            yield from ((command, option, files, line) for option, line in lines.items() if option in known)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the small files that the command lines name."""
    folder = tmp_path_factory.mktemp("options")
    for name in ("key", "alpha", "beta"):
        shutil.copy(SAMPLE / f"{name}.conll", folder)
        formats.write(formats.read(SAMPLE / f"{name}.conll"), folder / f"{name}.conllu")
    shutil.copy(SAMPLE / "beta.conll", folder / "gamma.conll")
    named = (SAMPLE / "alpha.conll").read_text("utf-8").replace("#begin document (", "#begin document (out/")
    (folder / "renamed.conll").write_text(named, "utf-8")
    (folder / "systems").mkdir()
    for name in ("key", "alpha"):
        shutil.copy(SAMPLE / "beta.conll", folder / "systems" / f"{name}.conll")
    key = formats.read(SAMPLE / "key.conll")
    (folder / "genres.tsv").write_text("".join(f"{id_}\tgenre\n" for id_ in key.ids), "utf-8")
    (folder / "trees").mkdir()
    text = (SAMPLE / "key.conll").read_text("utf-8")
    (folder / "broken.conll").write_text(text.replace("(TOP", "((TOP", 1), "utf-8")
    (folder / "chosen.tsv").write_text("", "utf-8")
    (folder / "done.csv").write_text("document,kind,decision,mentions\nno such,mention,no,[]\n")
    (folder / "own.py").write_text("def kind(mention):\n    return 'thing'\n", "utf-8")
    (folder / "token.txt").write_text("a-token-that-nobody-guesses\n", "utf-8")
    (folder / "rules.toml").write_text("nonsense = 1\n", "utf-8")
    (folder / "story.txt").write_text("Clara opened the door. She smiled. Clara saw her dog.\n", "utf-8")
    brat = "T1\tName 0 5\tClara\nT2\tName 23 26\tShe\nR1\tSamePerson Arg1:T2 Arg2:T1\n"
    (folder / "story.ann").write_text(brat, "utf-8")
    line = {"doc_key": "d", "sentences": [["a", "b", "c"]], "clusters": [[[0, 0], [1, 1]]]}
    (folder / "both.jsonl").write_text(json.dumps(line | {"predicted_clusters": [[[1, 1], [2, 2]]]}) + "\n")
    for name, odd in (("many", 3), ("others", 4)):
        lines = [
            line | {"doc_key": str(n), "clusters": [[[0, 0], [1 + (n % odd == 0), 2]]]} for n in range(20)
        ]
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in lines), "utf-8")
    two = [json.dumps(line), json.dumps(line | {"doc_key": "e"})]
    (folder / "two.jsonl").write_text("\n".join(two) + "\n", "utf-8")
    (folder / "half.jsonl").write_text(two[0] + "\n{\n", "utf-8")
    (folder / "half").mkdir()
    (folder / "half" / "fine.txt").write_text("Clara smiled.", "utf-8")
    (folder / "half" / "latin.txt").write_bytes(b"Clara drank caf\xe9.")
    formats.write([next(iter(key))], folder / "short.conll")
    texts = [next(iter(key)).with_text(id=f"d{number}") for number in range(4)]
    write_corrected(folder / "kept.journal", zip(texts, texts, strict=True))
    events = [("ACTION_OCCURRENCE", (2,)), ("HUMAN_PART_PER", (1,)), ("ACTION_OCCURRENCE", (7,))]
    first = {1: "Police arrested two men .", 2: "Rain flooded many fields ."}
    second = {1: "They fled .", 2: "Rivers rose ."}
    files = {
        f"{topic}_{number}ecb": cat_xml(
            [first[topic], second[number]], events, [("CROSS_DOC_COREF", (1, 3), f"A{topic}")]
        )
        for topic in first
        for number in second
    }
    write_ecbplus(folder / "ecb", files, [(name, sentence) for name in files for sentence in (0, 1)])
    (folder / "changed.txt").write_text("Maria opened the door.\n", "utf-8")
    (folder / "changed.csv").write_text("start,end,invented,original\n0,5,Maria,Clara\n", "utf-8")
    write_plural(folder / "key.conllua", element="4")
    write_plural(folder / "alpha.conllua", element="9")
    write_gap(folder / "gap.tsv")
    (folder / "gap-out.tsv").write_text("v-1\tTRUE\tFALSE\n", "utf-8")
    (folder / "people.txt").write_text(DIALOGUE, "utf-8")
    write_toy(folder / "toy")
    (folder / "toy" / "across.json").write_text("{}", "utf-8")  # what it says of linking, which is not asked
    write_toy(folder / "english", language="English")
    (folder / "changed").mkdir()
    (folder / "changed" / "story.txt").write_text("Clara left.\n", "utf-8")
    (folder / "decided.jsonl").write_text('{"referee": "decisions", "version": 1}\n', "utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(across, "opened_scorer", lambda *_: SurfaceScorer())
        store = referee.open_store(folder / "store", model=str(folder / "toy"))
        store.add([referee.raw_text("story", (folder / "story.txt").read_text("utf-8"))])
    shutil.copytree(folder / "store", folder / "changing")
    (folder / "linker").mkdir()
    (folder / "linker" / "across.json").write_text("{}", "utf-8")
    _answer(folder)
    return folder


def _answer(folder: Path) -> None:
    """Write prompts about the key and answers to them: one that is unreadable, and one with a broken mark."""
    for name, answers in (("key.conll", "answers"), ("key.conllu", "answers-u")):
        key = formats.read(folder / name)
        prompts = referee.llm_prompt(key)
        if name == "key.conll":
            prompts.save(folder / "prompts")
        right = right_answers(prompts, key)
        texts = {each: right[text].replace("</m>", "", 1) for each, text in prompts.texts.items()}
        answered(prompts, folder / answers, texts | {next(iter(texts)): "I am sorry."})
    examples = some_documents(5, length=30)
    formats.write(examples, folder / "examples.jsonl")


@pytest.fixture
def observed(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], object]:
    """Give a function that runs a command line in a folder of its own and returns what can be seen."""
    asked: list[object] = []

    def noting(function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any, **named: Any) -> Any:
            asked.append(str((given, {name: value for name, value in named.items() if not callable(value)})))
            return function(*given)

        return noted

    monkeypatch.setitem(ENGINES, "processes", noting(lambda *_: HERE))
    monkeypatch.setitem(ENGINES, "dask", noting(lambda *_: HERE))
    monkeypatch.setattr(neural, "open_model", noting(open_model))
    monkeypatch.setattr(across, "opened_scorer", noting(lambda *_: SurfaceScorer()))
    monkeypatch.setattr(registry, "SKIPPED", ["a package is skipped"])
    monkeypatch.setattr("referee.cli.SKIPPED", ["a package is skipped"])
    monkeypatch.setattr(terminal, "SHOWN_NOTICES", 0)

    _stand_in_for_training(monkeypatch, noting)
    monkeypatch.setattr("referee.service.running.serve_until_stopped", noting(lambda *_: None))
    _stand_in_for_the_workbench(monkeypatch, asked)
    asking = noting(lambda prompts, *_: RunReport(len(prompts.texts), prices=Prices(1.0)))
    monkeypatch.setattr("referee.functions.llm.run_prompts", asking)

    def run(line: str) -> object:
        asked.clear()
        place = tmp_path / str(len(list(tmp_path.iterdir())))
        place.mkdir()
        for path in made.iterdir():
            (place / path.name).symlink_to(path)
        monkeypatch.chdir(place)
        shown = CliRunner().invoke(main, shlex.split(line))
        assert shown.exception is None or isinstance(shown.exception, SystemExit), shown.exc_info
        written = [path for path in place.rglob("*") if path.is_file() and not path.is_symlink()]
        files = {path.name: path.read_bytes() for path in written}
        return shown.exit_code, shown.stdout, shown.stderr, files, list(asked)

    return run


def _stand_in_for_training(
    monkeypatch: pytest.MonkeyPatch, noting: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> None:
    """Note what training, tuning and exporting are asked to do, instead of doing it: that needs torch."""
    loaded("train"), loaded("tune"), loaded("export")  # the modules that are changed
    trained = SimpleNamespace(train_resolver=noting(lambda *_: None))
    made = SimpleNamespace(has_singletons=True)
    learnt = noting(lambda given, *_, **__: vars(made).update(key=given, before=given, after=given) or made)
    corrected = SimpleNamespace(Learning=lambda *given, **named: (given, *named.items()), learn_from=learnt)
    monkeypatch.setitem(sys.modules, "referee.training.corrected", corrected)
    exported = SimpleNamespace(export_model=noting(lambda *_: SimpleNamespace(parameters=1)))
    monkeypatch.setitem(sys.modules, "referee.training.train", trained)
    monkeypatch.setitem(sys.modules, "referee.training.export.model", exported)
    for command in ("train", "export"):
        monkeypatch.setattr(f"referee.functions.{command}.need_package", lambda *_: None)
    nothing = Output(lambda: [], lambda: {})
    for way in ("within", "across"):
        monkeypatch.setattr(f"referee.functions.tune._Asked.{way}", noting(lambda *_: nothing))


def _stand_in_for_the_workbench(monkeypatch: pytest.MonkeyPatch, asked: list[object]) -> None:
    """Note where a workbench would be served and what its page would show, and end it at once."""
    from referee.service.workbench import running
    from referee.service.workbench.answers import suggestions_value

    class Place:
        def __init__(self, _host: str, port: int) -> None:
            self.port = port

        def __enter__(self) -> Place:
            return self

        def __exit__(self, *_error: object) -> None:
            pass

        def getsockname(self) -> tuple[str, int]:
            return "127.0.0.1", self.port

    def wait(opened: running.OpenWorkbench) -> None:
        documents = [
            (opened.bench.whole(each.index), suggestions_value(each, 1000)) for each in opened.bench.documents
        ]
        asked.append((opened.bench.state(), documents))

    def started(opened: running.OpenWorkbench, *, no_open: bool) -> running.OpenWorkbench:
        asked.append(no_open)
        return opened

    monkeypatch.setattr(running, "bound", Place)
    monkeypatch.setattr("secrets.token_urlsafe", lambda _size: "token" * 9)
    monkeypatch.setattr("referee.corrections.journal.now", lambda: "today")
    monkeypatch.setattr(running.OpenWorkbench, "started", started)
    monkeypatch.setattr(running.OpenWorkbench, "wait", wait)


def without(command: str, option: str, line: str) -> str:
    """Take an option and its value out of a command line."""
    parameter = next(each for each in options_of(command) if each.opts[-1] == option)
    words, kept = shlex.split(line), list[str]()
    while words:
        word = words.pop(0)
        if word not in parameter.opts:
            kept.append(word)
        elif not parameter.is_flag:
            words.pop(0)
    return shlex.join(kept)


def test_the_table_has_every_option_of_every_command() -> None:
    shown = {(command, option) for command, option, _, _ in table()}
    there = {(command, option.opts[-1]) for command in EVERY for option in options_of(command)}
    assert sorted(there - shown - {(command, option) for command in EVERY for option in SHARED}) == []


@pytest.fixture(scope="module")
def seen_without() -> dict[str, object]:
    """What is seen of command lines without an option."""
    return {}


@pytest.mark.parametrize(("command", "option", "files", "line"), [*table()], ids=lambda value: value[:40])
def test_every_option_changes_something(
    command: str, option: str, files: str, line: str, observed: Callable[[str], object],
    seen_without: dict[str, object],
) -> None:  # fmt: skip
    given = f"{command} {files} {line}"
    before = without(command, option, line)
    if without(command, option, files) != files:  # it is given there, and again
        files = without(command, option, files) if option in before else files
    usual = f"{command} {files} {before}"
    if usual not in seen_without:  # many options of a command are taken out of the same line
        seen_without[usual] = observed(usual)
    assert seen_without[usual] != observed(given)


@pytest.mark.parametrize("option", SHARED)
@pytest.mark.parametrize(
    "command", [command for command in SHOWN if command not in ("link", "resolve", "tune", "export")]
)
def test_notices_are_shown_or_not(command: str, option: str, observed: Callable[[str], object]) -> None:
    line = f"{command} {SHOWN[command][0][0]}"
    assert observed(line) != observed(f"{line} {option}")


IDLE = [
    *((command, option, option) for command, needed in NEEDS.items() for option in needed),
    *((command, option, condition) for command, excluded in EXCLUDES.items()
      for option, conditions in excluded.items() for condition in conditions),
]  # fmt: skip
VALUES = {
    "--samples": "100", "--seed": "1", "--level": "0.9", "--genres": "genres.tsv", "--layers": "key.conllu",
    "--nlp": "en", "--plot-format": "pdf", "--scheduler": "tcp://h:1", "--to": "jsonlines", "--jobs": "1",
    "--engine": "processes", "--table": "gains", "--sort": "system", "--draw": "1", "--limit": "1",
    "--classes": "referee", "--by": "genre", "--parses": "trees", "--on-bad-parse": "skip",
    "--types": "entity", "--shots": "1", "--examples": "examples.jsonl", "--overlap": "9", "--carry": "1",
    "--max-cost": "1", "--pseudonyms": "table.json", "--format": "json", "--into": "new",
    "--resolver": "across", "--scope": "document", "--mentions": "gold",
}  # fmt: skip


@pytest.mark.parametrize(("command", "option", "condition"), IDLE)
def test_an_option_in_vain_is_refused(
    command: str, option: str, condition: str, observed: Callable[[str], Any]
) -> None:
    files = SHOWN[command][0][0].replace("--model toy", "")
    other = condition if " " in condition else f"{condition} {VALUES.get(condition, '')}"
    other = "" if condition == option else other
    code, _, said, *_ = observed(f"{command} {files} {option} {VALUES.get(option, '')} {other}")
    assert code == 2
    assert f"{option} does nothing with" in said


def test_sections_list_options_that_there_are() -> None:
    there = {option.opts[-1] for command in EVERY for option in options_of(command)} | {"--help"}
    assert {name for names in SECTIONS.values() for name in names} <= there


def test_every_option_has_a_section() -> None:
    assert [
        (command, option.opts[-1])
        for command in EVERY
        for option in options_of(command)
        if section_of(option) == OTHER
    ] == []
