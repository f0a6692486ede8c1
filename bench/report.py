"""Times the report of 280 documents with two noisy systems: making it, its size, opening and filtering it.

    python bench/report.py [DATA] [--check]

DATA is the folder that has ontogum/ (default: ../shared/data). Documents are repeated under new names until
there are 280. The last part runs in a headless Chromium, if there is one. Times inside the browser run from
the action to the first picture that shows it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from chromium import Browser, browser, executable
from noise import noisy

from referee import formats
from referee.model import Document

DOCUMENTS = 280
BOUNDS = {"make (s)": 30.0, "size (MB)": 25.0, "open (ms)": 1500.0}  # the issue's, and a short wait
NOTICED = 100.0  # ms: below this a person sees no pause (Nielsen 1993)
AFTER_PICTURE = "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0)))"

ACTIONS = {  # what a person does → the JavaScript that does it
    "filter: one system off": "document.getElementById('filter-system-1').click()",
    "filter: one system on": "document.getElementById('filter-system-1').click()",
    "filter: recall off": "document.getElementById('filter-side-0').click()",
    "filter: all": "document.querySelector('.chip.reset').click()",
    "list of documents": "document.getElementById('to-documents').click()",
    "filter in the list": "document.getElementById('filter-side-1').click()",
    "filter in the list: all": "document.querySelector('.chip.reset').click()",
    "open the longest document": "document.querySelectorAll('.listing a')[LONGEST].click()",
    "next error": "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true}))",
    "filter in a document": "document.getElementById('filter-system-0').click()",
    "filter in a document: all": "document.querySelector('.chip.reset').click()",
    "next document": "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ']', bubbles: true}))",
    "search": "q = document.getElementById('query'), q.value = 'university of', q.dispatchEvent(new Event('input'))",
}


def main() -> None:
    """Print a table of figures; with --check, fail if a bound is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bound is passed")
    parser.add_argument("--keep", type=Path, help="keep the report here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = dict(_figures(options.data / "ontogum", Path(folder), options.keep))
    failed = []
    for name, figure in figures.items():
        bound = BOUNDS.get(name, NOTICED)
        failed += [name] * (figure > bound)
        print(f"{name:<30}{figure:>10.1f}   bound {bound:g}{'  PASSED BY' if figure > bound else ''}")
    if options.check and failed:
        sys.exit(f"over the bound: {', '.join(failed)}")


def _figures(corpus: Path, folder: Path, keep: Path | None) -> Iterator[tuple[str, float]]:
    paths = [folder / f"{name}.conll" for name in ("key", "alpha", "beta")]
    key = list(_documents(corpus))
    for seed, path in enumerate(paths):
        formats.write(noisy(key, seed) if seed else key, str(path))
    page = keep or folder / "report.html"
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "referee", "report", *map(str, paths), "-o", str(page)], check=True)
    yield "make (s)", time.perf_counter() - started
    yield "size (MB)", page.stat().st_size / 1e6
    if executable() is None:
        print("no Chromium on this machine: opening and filtering not measured", file=sys.stderr)
        return
    longest = max(range(len(key)), key=lambda i: key[i].length)
    with browser() as chromium:
        chromium.resize(1400, 1000)
        yield from _in_browser(chromium, page, longest)


def _documents(corpus: Path) -> Iterator[Document]:
    """Read OntoGUM, again under new names until there are enough."""
    read = [document for part in ("train", "dev") for document in formats.read(str(corpus / part / "conll"))]
    for number, document in zip(range(DOCUMENTS), cycle(read), strict=False):
        yield replace(document, id=f"{document.id}-again" if number >= len(read) else document.id)


def _in_browser(chromium: Browser, page: Path, longest: int) -> Iterator[tuple[str, float]]:
    chromium.open(page.resolve().as_uri())
    paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    yield "open (ms)", float(chromium.wait(paint))
    for name, action in ACTIONS.items():
        action = action.replace("LONGEST", str(longest))
        script = f"(() => {{ let q; const start = performance.now(); {action}; return {AFTER_PICTURE}.then(end => end - start); }})()"
        yield name, float(chromium.run(script))
        chromium.settle()
    if chromium.complaints:
        sys.exit(f"the page complains: {chromium.complaints}")


if __name__ == "__main__":
    main()
