"""How Hypothesis runs: no deadlines, for machines are shared; the same examples every time on CI.

A hundred examples a test, its default, cost a minute more: HYPOTHESIS_EXAMPLES=100 make test.
"""

import gc
import os
from collections.abc import Generator

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from open_page import chromium, page, sample_page, site, started_browser  # noqa: F401 fixtures

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "40"))

settings.register_profile("here", deadline=None, max_examples=EXAMPLES)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=EXAMPLES)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leave what is collected out of the search for garbage, which took a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in `src` only: a file here that cannot be imported would be skipped, not an error."""
    return [found for found in (yield) if not isinstance(found, DoctestModule)]
