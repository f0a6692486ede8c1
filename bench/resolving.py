"""Times the neural resolver. Costs are ratios measured in one run, since machines differ.

    python bench/resolving.py MODEL DATA [--check]

MODEL is a model's folder; DATA holds ontogum/ (dev) and litbank/. --check exits 1 if a bound is not met:
beside the encoder's own forward pass on the same windows, in words per second on two cores, from import to
the first result, for a text of 100,000 words in time and memory, and the same output for any number of
threads. Ratios are of seconds of CPU where one thread works, since machines are shared.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path

import numpy as np

from bounds import exit_if_missed, report
from referee import formats
from referee.arrays import IntArray
from referee.resolvers.neural.cutting import cut_sentences, cut_words, sentence_numbers, words_of
from referee.resolvers.neural.running import Model
from scoring import peak_memory

ROUNDS = 5
LONG = 100_000
Text = tuple[list[str], IntArray]
Windows = list[tuple[IntArray, IntArray]]


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--child", choices=CHILDREN, help=argparse.SUPPRESS)
    parser.add_argument("--words", type=int, default=LONG, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        CHILDREN[arguments.child](arguments.model, arguments.data, arguments.words)
        return
    beside_the_encoder(arguments.model, arguments.data)
    on_two_cores(arguments.model, arguments.data)
    start_up(arguments.model)
    long_text(arguments.model, arguments.data)
    any_number_of_threads(arguments.model, arguments.data)
    if arguments.check:
        exit_if_missed()


def texts(data: Path, corpus: str, count: int) -> list[Text]:
    """Read the first documents of a corpus."""
    read = islice(formats.read(data / corpus), count)
    return [(words_of(document.text), sentence_numbers(document.text)) for document in read]


def long_one(data: Path, words: int) -> Text:
    """Lay books end to end."""
    books = texts(data, "litbank", 80)
    joined = list(islice(chain.from_iterable(book for book, _ in books), words))
    return joined, cut_sentences(joined)


def windows_of(model: Model, some: Sequence[Text]) -> Windows:
    """Resolve texts and note which windows were encoded."""
    encode, seen = model.encode, []

    def noting(row: IntArray, kinds: IntArray) -> object:
        seen.append((row, kinds))
        return encode(row, kinds)

    model.encode = noting  # type: ignore[method-assign, assignment]
    resolve(model, some)
    model.encode = encode  # type: ignore[method-assign]
    return seen


def encode(model: Model, windows: Windows) -> None:
    """Run the encoder alone."""
    for row, kinds in windows:
        model.session.run(None, {"rows": row[None], "kinds": kinds[None]})


def resolve(model: Model, some: Sequence[Text]) -> None:
    """Resolve texts that are cut into words and sentences."""
    for words, sentences in some:
        model.resolve(words, sentences)


def resolve_raw(model: Model, raw: Sequence[str]) -> None:
    """Resolve raw texts."""
    for text in raw:
        words = [text[start:end] for start, end in cut_words(text)]
        model.resolve(words, cut_sentences(words))


def best(clock: Callable[[], float], *works: Callable[[], object]) -> list[float]:
    """Do several things in turn, a few times; the best time of each."""
    times = []
    for _ in range(ROUNDS):
        for work in works:
            started = clock()
            work()
            times.append(clock() - started)
    return [min(times[number :: len(works)]) for number in range(len(works))]


def beside_the_encoder(folder: Path, data: Path) -> None:
    """Compare the whole with the encoder's own forward pass, on one core."""
    model = Model(folder, threads=1)
    long = [long_one(data, 12_000)]
    for name, some in (("OntoGUM", texts(data, "ontogum/dev", 8)), ("a book of 12,000 words", long)):
        windows = windows_of(model, some)
        whole, alone = best(time.process_time, partial(resolve, model, some), partial(encode, model, windows))
        report(
            f"{name}: the whole / the encoder alone, CPU", whole / alone, "≤ 1.35", good=whole <= 1.35 * alone
        )


def on_two_cores(folder: Path, data: Path) -> None:
    """Count the words that two cores resolve in a second, as they are in files and as running text."""
    model = Model(folder, threads=2)
    some = texts(data, "ontogum/dev", 8) + texts(data, "litbank", 3)
    windows = windows_of(model, some)
    raw = [" ".join(words) for words, _ in some]
    count = sum(len(words) for words, _ in some)
    whole, cut, alone = best(
        time.perf_counter,
        lambda: resolve(model, some),
        lambda: resolve_raw(model, raw),
        lambda: encode(model, windows),
    )
    report("two cores: words per second", count / whole, "≥ 3000", good=count >= 3000 * whole)
    report("two cores: words per second of raw text", count / cut, "≥ 3000", good=count >= 3000 * cut)
    report("two cores: the whole / the encoder alone", whole / alone, "≤ 1.35", good=whole <= 1.35 * alone)


def child(name: str, folder: Path, data: Path, words: int = LONG, threads: int = 0) -> list[str]:
    """Do something in a fresh process; the words that it prints."""
    limits = {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS") if threads}
    command = [sys.executable, __file__, str(folder), str(data), "--child", name, "--words", str(words)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | limits)
    return run.stdout.split()


def start_up(folder: Path) -> None:
    """Resolve a sentence in a fresh process, import included."""
    code = (
        "import time; begun = time.process_time(), time.perf_counter()\n"
        "import sys; from pathlib import Path; import numpy as np\n"
        "from referee.resolvers.neural.running import Model\n"
        "words = 'Ada met Bo . She liked him .'.split()\n"
        "assert Model(Path(sys.argv[1])).resolve(words, np.arange(8) // 4).start.size\n"
        "print(time.process_time() - begun[0], time.perf_counter() - begun[1])\n"
        "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
    )
    runs = []
    for _ in range(ROUNDS):
        run = subprocess.run(
            [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True
        )
        runs.append([float(word) for word in run.stdout.split()])
    cpu, wall, memory = np.min(runs, axis=0)
    report("import to first result, seconds of CPU", cpu, "≤ 1.5", good=cpu <= 1.5)
    report("import to first result, seconds", wall, "≤ 1.5", good=wall <= 1.5)
    report("import to first result, MB", memory * 1.024e-3, "≤ 400", good=memory * 1024 <= 400e6)


def long_text(folder: Path, data: Path) -> None:
    """Resolve a tenth of a long text, and all of it: each word costs the same, and memory is flat."""
    taken = {}
    for words in (LONG // 10, LONG):
        cpu, memory = (float(word) for word in child("long", folder, data, words, threads=1))
        taken[words] = cpu / words
        if words == LONG:
            report("100,000 words: GiB", memory / 2**20, "≤ 1.5", good=memory <= 1.5 * 2**20)
    growth = taken[LONG] / taken[LONG // 10]
    report("100,000 words: CPU for each / of 10,000", growth, "≤ 1.15", good=growth <= 1.15)


def resolve_long(folder: Path, data: Path, words: int) -> None:
    """Print the CPU time and the peak memory of one long text."""
    model, text = Model(folder, threads=1), long_one(data, words)
    started = time.process_time()
    model.resolve(*text)
    print(time.process_time() - started, peak_memory())


def any_number_of_threads(folder: Path, data: Path) -> None:
    """Compare outputs of one, two and three threads, in the encoder and in numpy, to the last bit."""
    outputs = {tuple(child("output", folder, data, threads=threads)) for threads in (1, 2, 3)}
    report("different outputs of 1, 2 and 3 threads", len(outputs), "= 1", good=len(outputs) == 1)


def print_output(folder: Path, data: Path, _words: int) -> None:
    """Print a digest of the output for some texts."""
    model = Model(folder, threads=int(os.environ["OMP_NUM_THREADS"]))
    digest = hashlib.sha256()
    for text in texts(data, "ontogum/dev", 4) + texts(data, "litbank", 2):
        linked = model.resolve(*text)
        for column in (linked.start, linked.end, linked.cluster, linked.score, linked.mention):
            digest.update(column.tobytes())
    print(digest.hexdigest())


CHILDREN = {"long": resolve_long, "output": print_output}

if __name__ == "__main__":
    main()
