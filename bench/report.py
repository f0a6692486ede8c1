"""Times the report of 280 documents with two noisy systems: making it, its size, opening and filtering it.
Then the same of one document of 20,000 words.

    python bench/report.py [DATA] [--check]

DATA is the folder that has ontogum/ (default: ../shared/data). Documents are repeated under new names until
there are 280. The second part runs in a headless Chromium, if there is one: each action is timed from its
beginning to the first picture that shows it, and the median of some runs counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from chromium import Browser, browser, executable
from noise import noisy
from referee import formats
from referee.language.added_layers import ConlluLayers
from referee.model import Cluster, Document, Mention

DOCUMENTS = 280
LONG = 20_000  # words of the one long document
RUNS = 5
BOUNDS = {"make (s)": 30.0, "size (MB)": 25.0, "open (ms)": 1000.0}
NOTICED = 200.0  # ms: up to here an answer seems to come at once
PATIENCE = 200.0  # ms, for a document of 20,000 words

KEY = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'KEY', bubbles: true}))"
SEARCH = "const q = document.getElementById('query'); q.value = 'of the'; q.dispatchEvent(new Event('input'))"
RESET = "document.querySelector('.chip.reset').click()"
ACTIONS = {  # what a person does → the JavaScript that does it
    "filter: a system off": "document.getElementById('filter-system-1').click()",
    "filter: a system on": "document.getElementById('filter-system-1').click()",
    "filter: recall off": "document.getElementById('filter-side-0').click()",
    "filter: a mention type off": "document.getElementById('filter-anaphor-1').click()",
    "filter: all": RESET,
    "list of documents": "document.getElementById('to-documents').click()",
    "list: precision off": "document.getElementById('filter-side-1').click()",
    "list: all": RESET,
    "open the longest document": "location.hash = 'doc=LONGEST'",
    "next error": KEY.replace("KEY", "j"),
    "document: a system off": "document.getElementById('filter-system-0').click()",
    "document: all": RESET,
    "next document": KEY.replace("KEY", "]"),
    "search": SEARCH,
}
IN_A_LONG_TEXT = {
    "long: open the document": "location.hash = 'doc=LONGEST'",
    "long: next error": KEY.replace("KEY", "j"),
    "long: a cause off": "document.getElementById('filter-kind-1').click()",
    "long: a system off": "document.getElementById('filter-system-1').click()",
    "long: all": RESET,
    "long: compact": KEY.replace("KEY", "c"),
}
TIMED = """(() => {
  const start = performance.now();
  ACTION;
  return new Promise(done =>
    setTimeout(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))));
})()"""


def main() -> None:
    """Print a table of figures; with --check, fail if a bound is passed."""
    words = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=words)
    parser.add_argument("data", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bound is passed")
    parser.add_argument("--keep", type=Path, help="keep the report here")
    options = parser.parse_args()
    if not (options.data / "ontogum").is_dir():
        parser.error(f"no ontogum/ in {options.data}")
    with tempfile.TemporaryDirectory() as folder:
        figures = dict(_figures(options.data / "ontogum", Path(folder), options.keep))
    failed = []
    for name, figure in figures.items():
        bound = BOUNDS.get(name, PATIENCE if name.startswith("long:") else NOTICED)
        failed += [name] * (figure > bound)
        print(f"{name:<30}{figure:>10.1f}   at most {bound:g}{', which it is not' if figure > bound else ''}")
    if options.check and failed:
        sys.exit(f"over the bound: {', '.join(failed)}")


def _figures(corpus: Path, folder: Path, keep: Path | None) -> Iterator[tuple[str, float]]:
    key = list(_documents(corpus))
    page = keep or folder / "report.html"
    started = time.perf_counter()
    _make(key, folder, page)
    yield "make (s)", time.perf_counter() - started
    yield "size (MB)", page.stat().st_size / 1e6
    if executable() is None:
        print("no Chromium on this machine: opening and filtering not measured", file=sys.stderr)
        return
    longest = max(key, key=lambda document: document.text.length)
    joined = _joined(key)
    _make([joined], folder, folder / "long.html")
    with browser() as chromium:
        chromium.resize(1400, 1000)
        runs = [
            dict(_in_browser(chromium, page, longest.id, ACTIONS))
            | dict(_in_browser(chromium, folder / "long.html", joined.id, IN_A_LONG_TEXT, "long: open (ms)"))
            for _ in range(RUNS)
        ]
    yield from ((name, median(run[name] for run in runs)) for name in runs[0])


def _make(key: list[Document], folder: Path, page: Path) -> None:
    """Write a key and two noisy copies of it, and report on them."""
    paths = [folder / f"{name}.conll" for name in ("key", "alpha", "beta")]
    for seed, path in enumerate(paths):
        formats.write(noisy(key, seed) if seed else key, str(path))
    subprocess.run([sys.executable, "-m", "referee", "report", *map(str, paths), "-o", str(page)], check=True)


def _joined(documents: list[Document]) -> Document:
    """Put documents one after the other until there are enough words."""
    tokens, tags = list[str](), list[str]()
    sentences, clusters = list[tuple[int, int]](), list[Cluster]()
    for document in documents:
        before = len(tokens)
        if before >= LONG:
            break
        tokens += document.words
        tags += document.layers["pos"]
        sentences += [(start + before, end + before) for start, end in document.sentences]
        clusters += [
            Cluster(f"{before}-{cluster.id}", tuple(_moved(each, before) for each in cluster.mentions))
            for cluster in document.clusters
        ]
    return Document.of("long", tuple(tokens), tuple(sentences), tuple(clusters), {"pos": tuple(tags)})


def _moved(mention: Mention, by: int) -> Mention:
    return Mention(tuple((start + by, end + by) for start, end in mention.spans))


def _documents(corpus: Path) -> Iterator[Document]:
    """Read OntoGUM with parts of speech, again under new names until there are enough."""
    fill = ConlluLayers(str(corpus))
    read = [
        fill(document) for part in ("train", "dev") for document in formats.read(str(corpus / part / "conll"))
    ]
    for number, document in zip(range(DOCUMENTS), cycle(read), strict=False):
        layers = {name: layer for name, layer in document.layers.items() if name != "row"}  # written anew
        name = f"{document.id}-again" if number >= len(read) else document.id
        yield document.with_text(id=name, layers=layers)


def _in_browser(
    chromium: Browser, page: Path, longest: str, actions: Mapping[str, str], opening: str = "open (ms)"
) -> Iterator[tuple[str, float]]:
    chromium.open(page.resolve().as_uri())
    loaded = "performance.getEntriesByType('navigation')[0].loadEventEnd"  # the scripts have drawn by then
    yield opening, float(chromium.wait(loaded))
    for name, action in actions.items():
        yield name, float(chromium.run(TIMED.replace("ACTION", action.replace("LONGEST", longest))))
        chromium.settle()
    if chromium.complaints:
        sys.exit(f"the page complains: {chromium.complaints}")


if __name__ == "__main__":
    main()
