"""The workbench in a headless Chromium: a long text, an hour of work, kills of its server, and all it costs.

    python bench/workbench.py [DATA] [--check] [--only long|hour|kills]

DATA is the folder that has ontogum/ (default: ../shared/data).

long: 100,000 words with 20,000 mentions, documents of OntoGUM one after the other, with a key and a system.
Each action is timed from the key to the first picture after all is saved; the best of some runs counts,
since machines are shared.
hour: OntoGUM dev, its words resolved by the network; ten errors of five kinds are corrected by mouse and by
keys in one document, three steps undone, the page loaded again, and what is exported scored.
kills: the server is killed 20 times, each time at some moment of 100 edits.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import referee
from bench_page import OPENED, Hands, workbench_page
from bounds import exit_if_missed, report
from chromium import Browser, browser, executable
from killed_server import edits_while_killed
from noise import noisy
from referee import formats
from referee.corrections import state_of
from referee.model import Cluster, Document, DocumentCorpus, Mention
from replayed_hour import Differences, replay

WORDS, MENTIONS = 100_000, 20_000
EVERYWHERE = 3  # the largest clusters of each document are the same entities in all
RUNS = 5
KILLS, EDITS = 20, 100
OPENING, ACTION, MEMORY = 2.0, 100.0, 500.0  # seconds, milliseconds, MB
PRESSED = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'KEY', bubbles: true}))"
TAKEN = """performance.getEntriesByType('resource').filter(each => each.name.includes('/WHAT'))
  .map(each => each.duration)"""
TIMED = """(async () => {
  const at = name => import(new URL('static/workbench/' + name, location.href));
  const {saving} = await at('server.js');
  const start = performance.now();
  ACTION;
  do await new Promise(done => setTimeout(done)); while (saving.waiting.length);
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
})()"""


def main() -> None:
    """Measure, and print a table of figures."""
    words = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=words)
    parser.add_argument("data", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared/data")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a bound is passed")
    parser.add_argument("--only", choices=PARTS, help="measure one part")
    options = parser.parse_args()
    if executable() is None:
        sys.exit("no Chromium on this machine: .ci/install-chromium installs it, or set CHROMIUM")
    if not (options.data / "ontogum").is_dir():
        parser.error(f"no ontogum/ in {options.data}")
    for name, part in PARTS.items():
        if options.only in (None, name):
            with tempfile.TemporaryDirectory() as folder, browser() as chromium:
                chromium.resize(1400, 1000)
                part(chromium, options.data / "ontogum", Path(folder))
    if options.check:
        exit_if_missed()


def long_text(page: Browser, corpus: Path, folder: Path) -> None:
    """Measure a text of 100,000 words."""
    key = long_document(corpus)
    report("long: words", key.text.length, "", good=True)
    report("long: mentions", sum(len(each.mentions) for each in key.clusters), "", good=True)
    paths = [folder / f"{name}.jsonl" for name in ("key", "alpha", "beta")]
    for seed, path in enumerate(paths):
        formats.write(map(once, noisy([key], seed)) if seed else [key], str(path))
    started = time.perf_counter()
    with workbench_page(page, paths[1], key=paths[0], systems=[paths[2]]) as hands:
        report("long: from the command to the page (s)", time.perf_counter() - started, "", good=True)
        opened = [opening(hands) for _ in range(RUNS)]
        report("long: the page opens (s)", min(opened), f"≤ {OPENING:g}", good=min(opened) <= OPENING)
        for name, action in actions(hands).items():
            taken = [action() for _ in range(RUNS)]
            report(f"long: {name} (ms)", min(taken), f"≤ {ACTION:g}", good=min(taken) <= ACTION)
        used = renderer_memory(page)
        report("long: memory of the page (MB)", used, f"≤ {MEMORY:g}", good=used <= MEMORY)


def opening(hands: Hands) -> float:
    """Load the page again; say in how many seconds the text is there."""
    started = time.perf_counter()
    hands.page.send("Page.reload", ignoreCache=True)
    time.sleep(0.05)
    hands.page.wait(OPENED)
    return time.perf_counter() - started


def long_document(corpus: Path) -> Document:
    """Put documents one after the other until there are enough words.

    Some entities go through all of them, and single words are mentioned until there are enough mentions.
    """
    read = [each for part in ("train", "dev") for each in formats.read(str(corpus / part / "conll"))]
    words, sentences, clusters = list[str](), list[tuple[int, int]](), dict[str, list[Mention]]()
    for number, document in enumerate(cycle(read)):
        by = len(words)
        if by >= WORDS:
            break
        words += document.words[: WORDS - by]
        sentences += [(a + by, min(b + by, WORDS)) for a, b in document.sentences if a + by < WORDS]
        for rank, cluster in enumerate(sorted(document.clusters, key=lambda each: -len(each.mentions))):
            name = f"everywhere {rank}" if rank < EVERYWHERE else f"{number} {cluster.id}"
            clusters.setdefault(name, []).extend(
                Mention(tuple((a + by, b + by) for a, b in mention.spans))
                for mention in cluster.mentions
                if mention.end + by <= WORDS
            )
    there = {mention.spans for some in clusters.values() for mention in some}
    alone = ((at, at + 1) for at in range(0, WORDS, 3) if ((at, at + 1),) not in there)
    for number, (start, end) in zip(range(MENTIONS - len(there)), alone, strict=False):
        clusters[f"alone {number}"] = [Mention.at(start, end)]
    made = [Cluster(name, tuple(some)) for name, some in clusters.items()]
    return once(Document.of("long", words, sentences, made))


def once(document: Document) -> Document:
    """Leave out mentions that another entity has too, which the noise makes and people do not."""
    seen: set[Mention] = set()
    kept = []
    for cluster in document.clusters:
        mentions = [mention for mention in cluster.mentions if mention not in seen]
        seen.update(mentions)
        kept += [Cluster(cluster.id, tuple(mentions))] if mentions else []
    return replace(document, clusters=tuple(kept))


def actions(hands: Hands) -> dict[str, Callable[[], float]]:
    """List what a person does, each as a function that does it and says how long it took."""
    page = hands.page

    def timed(script: str) -> float:
        taken = float(page.run(TIMED.replace("ACTION", script)))
        page.settle()
        time.sleep(0.6)  # lists are fetched again a little after a step
        return taken

    def key(*names: str) -> Callable[[], float]:
        return lambda: timed(";".join(PRESSED.replace("KEY", name) for name in names))

    def picked(asks: str, entity: str) -> Callable[[], float]:
        def act() -> float:
            timed(PRESSED.replace("KEY", asks))
            timed(f"const q = document.getElementById('picker-query'); q.value = String({entity});"
                  " q.dispatchEvent(new Event('input'))")  # fmt: skip
            return timed("document.getElementById('picker-0').click()")

        return act

    def scrolled(to: str) -> Callable[[], float]:
        return lambda: timed(f"const t = document.getElementById('text'); t.scrollTop = {to}")

    choose = "const m = [...document.querySelectorAll('.entity')][0]; m.click()"
    return {
        "a page further": scrolled("t.scrollTop + t.clientHeight"),
        "into the middle": scrolled("t.scrollHeight * (0.4 + 0.2 * Math.random())"),
        "to the end and back": scrolled("t.scrollTop > 9 ? 0 : t.scrollHeight"),
        "next mention": key("j"),
        "next mention of the entity": key("n"),
        "the mention becomes an entity": key("x"),
        "undo": key("u"),
        "redo": key("U"),
        "asking where to": lambda: (key("m")(), timed("document.getElementById('picker').close()"))[0],
        "moving a mention": picked("m", "3 + Math.floor(9 * Math.random())"),
        "merging an entity into a large one": lambda: (key("j", "j", "j")(), picked("g", "1")())[1],
        "undo of the merge": key("u"),
        "splitting a large entity": lambda: (timed(choose), key("n", "n", "n")(), key("v")())[2],
        "deleting a mention": lambda: (key("j")(), key("Delete")())[1],
        "making a mention": lambda: (
            key("Escape")(),
            key(*["ArrowRight"] * 3)(),
            timed(
                "document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
                " {key: 'ArrowRight', shiftKey: true, bubbles: true}))"
            ),
            key("Enter")(),
        )[3],
        "confirming a link": lambda: (key("j")(), key("c")())[1],
        "next doubtful link": key("d"),
        "next suggestion": key("o"),
        "taking a suggestion": key("a"),
        "list of entities": key("1"),
        "entities by size": lambda: timed(
            "const o = document.getElementById('entity-order');"
            " o.value = o.value === 'size' ? 'text' : 'size'; o.dispatchEvent(new Event('input'))"
        ),
        "entities that are searched": lambda: timed(
            "const q = document.getElementById('entity-query'); q.value = q.value ? '' : 'the ';"
            " q.dispatchEvent(new Event('input'))"
        ),
        "searching the text": lambda: timed(
            "const q = document.getElementById('query'); q.value = q.value ? '' : 'of the';"
            " q.dispatchEvent(new Event('input'))"
        ),
        "running text": key("q"),
        "list of documents": key("5"),
        "dark or light": key("t"),
    }


def renderer_memory(page: Browser) -> float:
    """Say how much memory the largest process has that draws pages, in MB, without what it shares."""
    del page
    found = [0]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                rollup = (process / "smaps_rollup").read_text()
                found += [int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")]
        except OSError:
            continue
    return max(found) / 1000


def errors_of_each_kind(resolved: Document, key: Document) -> int:
    """Count the errors of the kind that is least."""
    found = Differences(state_of(resolved), key)
    lists = found.wrong_links(), found.missing(), found.halves(), found.mixed(), found.superfluous()
    return min(len([*some]) for some in lists)


def hour(page: Browser, corpus: Path, folder: Path) -> None:
    """Replay an hour of work on OntoGUM dev as the network resolves it."""
    key = list(formats.read(str(corpus / "dev" / "conll")))
    bare = [replace(document, clusters=()) for document in key]
    started = time.perf_counter()
    resolved = list(referee.resolve(DocumentCorpus(bare, "dev"), resolver="neural"))
    report("hour: resolving dev (s)", time.perf_counter() - started, "", good=True)
    source, keys = folder / "dev.conll", folder / "key.conll"
    formats.write(resolved, str(source))
    formats.write(key, str(keys))
    started = time.perf_counter()
    with workbench_page(page, source, key=keys) as hands:
        report("hour: opening the page (s)", time.perf_counter() - started, "", good=True)
        chosen = max(range(len(key)), key=lambda at: errors_of_each_kind(resolved[at], key[at]))
        hands.press(*["]"] * chosen)
        hands.page.wait(f"location.hash === '#document={chosen}'")
        hands.saved()
        replay(hands, key[chosen], folder, "conll")
        hands.press("4")
        hands.page.run("const a = document.getElementById('against'); a.value = 'key';"
                       " a.dispatchEvent(new Event('change'))")  # fmt: skip
        hands.page.wait("document.getElementById('errors-count').textContent > 0")
        for _ in range(RUNS):
            hands.press("j", "c")
        for what in ("edits", "overlay"):
            quickest = min(page.run(TAKEN.replace("WHAT", what)), default=float("inf"))
            is_quick = quickest <= ACTION
            report(f"hour: an answer of {what} (ms)", quickest, f"≤ {ACTION:g}", good=is_quick)
        exported = hands.export("conll", folder / "all", scope="all")
        hands.press("5")
        shown = page.wait("document.getElementById('score-of-all').textContent").split()[-1]
        is_same = shown == f"{100 * referee.score(keys, exported).conll:.2f}"
        report("hour: the exported corpus scores what was shown", float(is_same), "= 1", good=is_same)
    report("hour: steps replayed, with loading and export (s)", time.perf_counter() - started, "", good=True)


def kills(page: Browser, corpus: Path, folder: Path) -> None:
    """Kill the server again and again."""
    documents = formats.read(str(corpus / "dev" / "conll"))
    document = next(each for each in documents if sum(len(c.mentions) for c in each.clusters) >= EDITS)
    formats.write([document], str(folder / "d.jsonl"))
    for seed in range(KILLS):
        edits_while_killed(page, folder / "d.jsonl", folder / f"j{seed}", edits=EDITS, seed=seed)
    report("kills: times that nothing was lost", KILLS, f"= {KILLS}", good=True)


PARTS = {"long": long_text, "hour": hour, "kills": kills}

if __name__ == "__main__":
    main()
