"""`import referee` costs nothing, and `referee --help` little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import referee

HEAVY = ("numpy", "scipy", "pandas", "click", "rich", "jinja2", "torch", "spacy", "matplotlib", "sklearn")


def loaded(code: str) -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*{{m.split('.')[0] for m in sys.modules}})"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(shown.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    assert not loaded("import referee") & set(HEAVY)


def test_help_loads_no_numbers() -> None:
    code = "from referee.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    assert not loaded(code) & (set(HEAVY) - {"click"})


def test_scoring_loads_only_what_it_needs() -> None:
    """No solver is needed where each cluster has one partner."""
    code = "import referee\nreferee.score([['a', 'b']], [['a', 'b']])"
    assert not loaded(code) & (set(HEAVY) - {"numpy"})


def test_a_plain_score_loads_what_a_plain_score_needs() -> None:
    files = [str(Path(referee.__file__).parent / "sample" / f"{name}.conll") for name in ("key", "alpha")]
    words = ["score", *files, "-o", "/dev/null"]
    code = f"from referee.cli import main\ntry: main({words})\nexcept SystemExit: pass"
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(shown.stdout.split()) - {"referee.language.english"}  # words that the pre-flight looks for
    assert "referee.formats.conll.reading" in modules
    unneeded = (
        "scipy", "multiprocessing", "concurrent", "numpy.ma", "importlib.metadata", "referee.language",
        "referee.comparing", "referee.crossdoc", "referee.formats.marked", "referee.formats.conllu",
        "referee.formats.tools", "referee.formats.corpora", "referee.formats.objects",
        "referee.matching.answers", "referee.resolvers",
    )  # fmt: skip
    assert not [name for name in modules if name.startswith(tuple(f"{one}." for one in unneeded))]


def test_models_are_listed_without_what_runs_them() -> None:
    code = "from referee.cli import main\ntry: main(['models', '--quiet'])\nexcept SystemExit: pass"
    assert not loaded(code) & {"onnxruntime", "safetensors", "tokenizers", "torch", "spacy", "matplotlib"}


@pytest.mark.parametrize("name", referee.__all__)
def test_public_names_exist(name: str) -> None:
    assert getattr(referee, name).__doc__
