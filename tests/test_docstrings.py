"""Every public name is documented: parameters, what comes back, what is raised, and an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import referee

REFERENCE = (Path(__file__).parents[1] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
FUNCTIONS = [name for name in referee.__all__ if inspect.isfunction(getattr(referee, name))]
CLASSES = [name for name in referee.__all__ if inspect.isclass(getattr(referee, name))]


def documented(name: str) -> str:
    return inspect.getdoc(getattr(referee, name)) or ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_documented(name: str) -> None:
    said = re.findall(r"^    \*{0,2}(\w+): ", documented(name), re.MULTILINE)
    assert [each for each in inspect.signature(getattr(referee, name)).parameters if each not in said] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_returns_and_raises(name: str) -> None:
    assert [part for part in ("Returns:", "Raises:", "Examples:") if part not in documented(name)] == []


@pytest.mark.parametrize("name", referee.__all__)
def test_examples_run(name: str) -> None:
    tests = doctest.DocTestFinder(recurse=False).find(getattr(referee, name), name)
    assert any(test.examples for test in tests)
    assert sum(doctest.DocTestRunner(verbose=False).run(test).failed for test in tests) == 0


def test_shared_parameters_are_described_alike() -> None:
    """One word has one meaning: where two functions have a parameter, they say the same of it."""
    same = ("protocol", "singletons", "zeros", "heads", "parses", "on_bad_parse", "gaps", "progress", "names")
    for parameter in same:
        pattern = rf"^    {parameter}: (.+?)(?=^    \S|^\S|\Z)"
        found = {
            name: re.sub(r"\s+", " ", match[1]).strip()
            for name in ("score", "compare", "errors", "report")
            if (match := re.search(pattern, documented(name), re.MULTILINE | re.DOTALL))
        }
        assert len(set(found.values())) == 1, found


def test_the_reference_lists_every_public_name() -> None:
    assert sorted(re.findall(r"^::: referee\.(\w+)$", REFERENCE, re.MULTILINE)) == sorted(referee.__all__)
