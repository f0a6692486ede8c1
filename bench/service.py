"""Puts `referee serve` under load, and sends it what is no request. Costs are ratios measured in one run.

    python bench/service.py DATA [--check] [--seconds N] [--callers N] [--malformed N]

DATA has ontogum/dev, of which passages of three sentences are sent as running text. The callers are on this
machine too, so on two cores the service, its callers and other programs share them. Parts of the minute under
load alternate with the resolver alone, in one process with as many threads, on the same texts. Each answer
must be, to the byte, what the service answers to the same request when nothing else is sent.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import httpx

import referee
from bounds import exit_if_missed, report
from malformed_requests import malformed, statuses
from referee import formats

PARTS = 12  # of the time under load; before each the resolver is measured alone
PASSAGES, SENTENCES = 200, 3
BUSY = (429, 503)
MEBIBYTE = 2**20


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0, help="under load, in all")
    parser.add_argument("--callers", type=int, default=50)
    parser.add_argument("--malformed", type=int, default=10_000)
    arguments = parser.parse_args()
    texts = passages(arguments.data)
    with served() as service:
        under_load(service, texts, arguments.callers, arguments.seconds / PARTS)
        what_is_no_request(service, arguments.malformed)
    if arguments.check:
        exit_if_missed()


def passages(data: Path) -> list[str]:
    """Take short texts from OntoGUM's documents, as they run."""
    found = []
    for document in formats.read(data / "ontogum" / "dev" / "conllu"):
        text = document.text
        for first in range(0, len(text.sentences) - SENTENCES, 4 * SENTENCES):
            several = text.sentences[first : first + SENTENCES]
            begin, end = text.characters[several[0][0]][0], text.characters[several[-1][1] - 1][1]
            found.append((text.running or "")[begin:end])
    return found[:PASSAGES]


@contextmanager
def served() -> Iterator[httpx.Client]:
    """Run the service as a person would, and give a client of it."""
    command = [sys.executable, "-m", "referee", "serve", "--port", "0", "--resolver", "neural"]
    with (
        TemporaryFile("w+") as log,
        subprocess.Popen([*command, "--preload", "neural"], stderr=log) as process,
    ):
        address = None
        while address is None and process.poll() is None:
            time.sleep(0.2)
            log.seek(0)
            address = re.search(r"http://[\w.:]+", log.read())
        if address is None:
            sys.exit("the service did not start")
        try:
            with httpx.Client(base_url=address[0], timeout=120, trust_env=False) as client:
                yield client
        finally:
            process.terminate()
            code = process.wait(30)
    report("ends with status 0 when it is told to", code, "0", good=code == 0)


def metric(service: httpx.Client, name: str) -> float:
    """Read one of the service's own figures."""
    lines = service.get("/metrics").text.splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))


def alone(texts: list[str], seconds: float) -> float:
    """Count the words that the resolver does in a second, in this process."""
    words, started = 0, time.perf_counter()
    for text in itertools.cycle(texts):
        words += len(referee.resolve(text, "neural").document.words)
        if (took := time.perf_counter() - started) > seconds:
            return words / took
    raise AssertionError


def under_load(service: httpx.Client, texts: list[str], callers: int, seconds: float) -> None:
    """Let many callers ask at once, part by part."""
    bodies = [json.dumps({"texts": text}).encode() for text in texts]
    head = {"content-type": "application/json"}
    answers = [service.post("/resolve", content=body, headers=head).content for body in bodies]
    words = [len(json.loads(answer)["results"][0]["tokens"]) for answer in answers]
    print(f"{len(texts)} texts of {min(words)} to {max(words)} words, {median(words):.0f} in the middle")
    load = Load(service.base_url.host, service.base_url.port or 0, bodies, answers)
    ratios, memory = [], []
    alone(texts, seconds / 2)
    for _ in range(PARTS):
        own = alone(texts, seconds / 2)
        before, started = metric(service, "referee_words_total"), time.perf_counter()
        asyncio.run(load.of(callers, seconds))
        rate = (metric(service, "referee_words_total") - before) / (time.perf_counter() - started)
        memory.append(metric(service, "referee_memory_bytes") / MEBIBYTE)
        ratios.append(rate / own)
        print(f"  alone {own:7.0f} words/s, served {rate:7.0f}, ratio {ratios[-1]:.2f}, {memory[-1]:.0f} MiB")
    print(f"  answers: {dict(load.statuses)}")
    others = sum(count for status, count in load.statuses.items() if status != 200 and status not in BUSY)
    report(f"{callers} callers: answers but 200, 429 and 503", others, "0", good=not others)
    report("answers that differ from those to a single caller", load.different, "0", good=not load.different)
    share = median(ratios)
    report("words per second, beside the resolver alone", share, ">= 0.8", good=share >= 0.8)
    grown = memory[-1] / memory[0]
    report("memory at the end, beside that after the first part", grown, "<= 1.05", good=grown <= 1.05)


class Load:
    """Callers who ask again as soon as they are answered."""

    def __init__(self, host: str, port: int, bodies: list[bytes], answers: list[bytes]) -> None:
        """Say whom to ask what, and what the answers are."""
        lines = (
            b"POST /resolve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        )
        self.where = host, port
        self.requests = [lines + b"%d\r\n\r\n" % len(body) + body for body in bodies]
        self.answers = answers
        self.statuses: Counter[int] = Counter()
        self.different = 0
        self.next = itertools.cycle(range(len(bodies)))

    async def of(self, callers: int, seconds: float) -> None:
        """Let callers ask for a time; who waits for an answer then still gets it."""
        end = time.perf_counter() + seconds
        await asyncio.gather(*(self.call(end) for _ in range(callers)))

    async def call(self, end: float) -> None:
        """Ask over one connection."""
        reader, writer = await asyncio.open_connection(*self.where)
        while time.perf_counter() < end:
            number = next(self.next)
            writer.write(self.requests[number])
            head = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", head)
            assert size is not None
            content, status = await reader.readexactly(int(size[1])), int(head.split(None, 2)[1])
            self.statuses[status] += 1
            self.different += status == 200 and content != self.answers[number]
            if status in BUSY:
                await asyncio.sleep(0.5)
        writer.close()


def what_is_no_request(service: httpx.Client, count: int) -> None:
    """Send what is wrong, of all kinds; each must be answered or hung up on, and none with a 500."""
    started = time.perf_counter()
    found = asyncio.run(statuses(service.base_url.host, service.base_url.port or 0, malformed(count)))
    by_kind: dict[str, Counter[str]] = {}
    for wrong, status in found:
        by_kind.setdefault(wrong.kind, Counter())["hung" if status is None else str(status)] += 1
    print(f"{len(found):,} malformed requests in {time.perf_counter() - started:.0f} s")
    for kind, counts in by_kind.items():
        print(f"  {kind:28} {', '.join(f'{status}: {n}' for status, n in sorted(counts.items()))}")
    failed = sum(status is not None and status >= 500 for _, status in found)
    hung = sum(status is None for _, status in found)
    report("malformed requests answered with 500 or more", failed, "0", good=not failed)
    report("malformed requests that hung", hung, "0", good=not hung)
    good = service.post("/resolve", json={"texts": "Tom slept. He snored."}).status_code
    report("status of a good request after them", good, "200", good=good == 200)
    restarts = metric(service, "referee_restarts_total")
    report("processes started again", restarts, "0", good=restarts == 0)


if __name__ == "__main__":
    main()
