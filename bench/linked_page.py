"""Measures the page of what many texts mention: writing it, its size, opening it, and finding in it.

    python bench/linked_page.py [--texts 1000 10000] [--keep FOLDER]

Texts are made from the templates of models/link-en/stories, several stories in each. Things are linked as
they are marked there, towns and countries in all texts, so that no model is needed. The page is opened in a
headless Chromium (.ci/install-chromium): how long until it is drawn, until what is searched and filtered is,
and until the sentences of a widespread thing are, in milliseconds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1] / "tests"))
sys.path.append(str(Path(__file__).parents[1] / "models" / "link-en"))

from chromium import Browser, browser
from referee.model import Cluster, Document, Mention
from referee.page.recurring import recurring_page

SHARED = ("c=", "l=")  # towns and countries are the same in all groups
EVENTS = ("e", "e2", "e3")  # slots of what happens
STORIES = 20  # in a text, of which it tells some
MEASURE = """
    const start = performance.now();
    const ended = () => { document.body.offsetHeight; return performance.now() - start; };
    const set = (id, value, event) => {
        document.getElementById(id).value = value;
        document.getElementById(id).dispatchEvent(new Event(event));
    };
"""
SCRIPTS = (
    ("first search", "set('query', 'port', 'input')"),
    ("next search", "set('query', 'porto', 'input')"),
    ("events", "set('query', '', 'input'); set('kind', 'event', 'change')"),
    ("all again", "set('kind', '', 'change')"),
    ("50 more", "document.getElementById('more-things').click()"),
    ("sentences", "document.querySelector('details:nth-child(9)').open = true"),
)


def linked_texts(count: int, seed: int = 1) -> list[Document]:
    """Make texts whose things are linked across them."""
    return [*islice(_texts(seed), count)]


def _texts(seed: int) -> Iterator[Document]:
    """Put the tellings of several groups into texts: what is told twice is told in two of them."""
    made = import_module("made_stories")  # a script, which no package has
    groups = enumerate(made.made_groups(Random(seed), 10**9))
    while True:
        several = [*islice(groups, STORIES)]
        for part in range(max(len(documents) for _, documents in several)):
            told = [(group, documents[part]) for group, documents in several if part < len(documents)]
            yield together(f"{several[0][0]}-{part}", told)


def together(name: str, told: Sequence[tuple[int, Document]]) -> Document:
    """Make one text of stories; things have names that are theirs in all texts, and kinds."""
    words, sentences = list[str](), list[tuple[int, int]]()
    things = defaultdict[str, list[Mention]](list)
    for group, document in told:
        shift = len(words)
        words += document.words
        sentences += [(start + shift, end + shift) for start, end in document.text.stretches]
        for each in document.clusters:
            id_ = each.id if each.id.startswith(SHARED) else f"{group}/{each.id}"
            things[id_] += [Mention.at(each.start + shift, each.end + shift) for each in each.mentions]
    kinds = {id_: "event" if id_.rpartition(".")[2] in EVENTS else "entity" for id_ in things}
    clusters = [Cluster(id_, tuple(mentions), kinds[id_]) for id_, mentions in things.items()]
    return Document.of(name, words, sentences, clusters)


def opened(page: Browser, path: Path) -> dict[str, float]:
    """Open the page, and let it find."""
    start = time.perf_counter()
    page.open(path.as_uri())
    found = {"open, ms": 1000 * (time.perf_counter() - start)}
    for name, script in SCRIPTS:
        found[f"{name}, ms"] = page.run(f"(() => {{ {MEASURE} {script}; return ended(); }})()")
    found["elements"] = page.run("document.querySelectorAll('*').length")
    return found


def measured(texts: Sequence[Document], folder: Path, page: Browser) -> dict[str, float]:
    """Write the page and open it."""
    path, start = folder / f"{len(texts)}.html", time.process_time()
    html = recurring_page(texts, "linked")
    seconds = time.process_time() - start
    path.write_text(html, "utf-8")
    size = {"texts": len(texts), "words": sum(len(text.words) for text in texts)}
    return {**size, "write, s": seconds, "MB": path.stat().st_size / 1e6, **opened(page, path)}


def main() -> None:
    """Measure each number of texts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--keep", type=Path, help="a folder for the pages")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, browser() as page:
        for count in given.texts:
            figures = measured(linked_texts(count), given.keep or Path(temporary), page)
            print("  ".join(f"{name} {value:,.1f}" for name, value in figures.items()), flush=True)


if __name__ == "__main__":
    main()
