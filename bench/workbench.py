"""The workbench in a headless Chromium: a long text, an hour of work, kills of its server, and all it costs.

    python bench/workbench.py [DATA] [--check] [--only long|hour|kills]

DATA is the folder that has ontogum/ (default: ../shared/data).

long: 100,000 words with 20,000 mentions, documents of OntoGUM one after the other, with a key and a system.
Each action is timed until the first picture after all is saved. What server and page compute for it in the
best of some runs is held to the bound, since machines are shared.
hour: OntoGUM dev, its words resolved by the network; ten errors of five kinds are corrected by mouse and by
keys in one document, three steps undone, the page loaded again, and what is exported scored.
kills: the server is killed 20 times, each time at some moment of 100 edits.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from dataclasses import replace
from itertools import cycle
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import referee
from bench_page import Hands, workbench_page
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
QUIET = 0.03  # seconds of computing in 0.7 seconds
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
        measured(hands)
        used = renderer_memory(page)
        report("long: memory of the page (MB)", used, f"≤ {MEMORY:g}", good=used <= MEMORY)


def opening(hands: Hands) -> float:
    """Load the page again; say in how many seconds the text is there."""
    started = time.perf_counter()
    hands.open()
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


KNOWN = """const {done} = await at('editing.js'), {bench} = await at('bench.js'), {doc} = bench;
  const sizes = [...doc.entities.values()].sort((one, other) => doc.sizeOf(other) - doc.sizeOf(one));
  const several = doc.order.filter(mention => doc.sizeOf(doc.entityOf(mention)) > 1 && !mention.confirmed);
  const any = list => list[Math.floor(list.length * Math.random())]"""
STEPS = {  # each is an edit
    "a mention becomes an entity": "done.detach(any(several))",
    "undo": "done.undo()",
    "redo": "done.redo()",
    "moving a mention into a large entity": "const others = several.filter(m => m.entity !== sizes[0].id);"
    " done.move(any(others), sizes[0])",
    "deleting a mention": "done.remove(any(doc.order))",
    "making a mention": "const w = Math.floor(9e4 * Math.random()); done.add([[w, w + 9]])",
    "confirming a link": "done.confirm(any(several))",
    "naming an entity": "done.rename(any(sizes), String(Math.random()))",
    "merging two large entities": "done.merge(sizes[0], sizes[1])",
    "undo of the merge": "done.undo()",
    "merging a small entity into a large one": "done.merge(any(sizes.slice(9)), sizes[0])",
    "splitting a large entity": "done.split(sizes[1], doc.members.get(sizes[1].id).slice(9))",
    "undo of the split": "done.undo()",
}
VIEWS = {
    "a page further": "const t = document.getElementById('text'); t.scrollTop += t.clientHeight",
    "into the middle": "const t = document.getElementById('text');"
    " t.scrollTop = t.scrollHeight * (0.4 + 0.2 * Math.random())",
    "next mention": "KEY(j)",
    "next mention of the entity": "KEY(n)",
    "asking where to": "KEY(m)",
    "no answer": "document.getElementById('picker').close()",
    "next suggestion": "KEY(o)",
    "list of entities": "KEY(1)",
    "entities by size or by text": "const o = document.getElementById('entity-order');"
    " o.value = o.value === 'size' ? 'text' : 'size'; o.dispatchEvent(new Event('input'))",
    "entities that are searched": "const q = document.getElementById('entity-query');"
    " q.value = q.value ? '' : 'the '; q.dispatchEvent(new Event('input'))",
    "searching the text": "const q = document.getElementById('query');"
    " q.value = q.value ? '' : 'of the'; q.dispatchEvent(new Event('input'))",
    "sentences or running text": "KEY(q)",
    "list of documents": "KEY(5)",
    "dark or light": "KEY(t)",
}


def timed(hands: Hands, script: str) -> tuple[float, float]:
    """Do something; say how many milliseconds passed, and how many of them server and page computed."""
    page = hands.page
    quiet(page)
    before = time.process_time(), computed(page)
    taken = float(page.run(TIMED.replace("ACTION", script)))
    server, drawn = time.process_time() - before[0], computed(page) - before[1]
    return taken, 1000 * (server + drawn)


def quiet(page: Browser) -> None:
    """Wait until lists were fetched again, as they are a little after a step."""
    while True:
        before = time.process_time() + computed(page)
        time.sleep(0.7)
        if time.process_time() + computed(page) - before < QUIET:
            return


def computed(page: Browser) -> float:
    """Say how many seconds the page's thread computed so far."""
    metrics = {each["name"]: each["value"] for each in page.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])


def measured(hands: Hands) -> None:
    """Do each action some times, and print what it took."""
    hands.page.send("Performance.enable", timeDomain="threadTicks")
    runs: dict[str, list[tuple[float, float]]] = {}
    for _ in range(RUNS):
        for name, script in STEPS.items():
            revision = hands.document.history.revision
            runs.setdefault(name, []).append(timed(hands, f"{KNOWN}; {script}"))
            if hands.document.history.revision == revision:
                sys.exit(f"nothing was done: {name}")
        for name, script in VIEWS.items():
            keyed = re.sub(r"KEY\((.)\)", lambda found: PRESSED.replace("KEY", found[1]), script)
            runs.setdefault(name, []).append(timed(hands, keyed))
    for name, taken in runs.items():
        passed, cpu = (min(column) for column in zip(*taken, strict=True))
        report(f"long: {name} (ms)", passed, "", good=True)
        report(f"long: {name}: of them computing (ms)", cpu, f"≤ {ACTION:g}", good=cpu <= ACTION)


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
