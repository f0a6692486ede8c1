"""A workbench in a process of its own that is killed while a page sends edits, and started again at once."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from bench_page import OPENED, SAVED, STATE
from chromium import Browser
from referee.corrections import read_corrections

CONFIRMED = STATE.format("[...bench.doc.mentions.values()].filter(m => m.confirmed).map(m => m.id)")


class KilledServer:
    """The command `referee workbench`, which is started again after each kill."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.command = [sys.executable, "-m", "referee", "workbench", str(source), "--no-open"]
        self.command += ["--resolver", "none", "--journal", str(folder)]
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()

    def kill(self) -> None:
        """Kill it, with no time to write anything."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def edits_while_killed(page: Browser, source: Path, folder: Path, *, edits: int, seed: int) -> None:
    """Confirm mentions one after the other, and kill the server at some moment while these edits are sent.

    What the page shows as confirmed must be in the journal then; in the end each edit is there once.
    """
    rng, server = Random(seed), KilledServer(source, folder)
    try:
        page.open(server.address)
        page.wait(OPENED)
        before = rng.randrange(1, edits)
        page.press(*["j", "c"] * before)
        time.sleep(rng.uniform(0, 0.2))
        server.kill()
        seen, kept = set(page.run(CONFIRMED)), confirmed_in(folder)
        assert seen <= kept
        server.start()
        page.press(*["j", "c"] * (edits - before))
        page.wait(f"{SAVED}")
        server.kill()
        assert set(page.run(CONFIRMED)) == confirmed_in(folder)
        (journal,) = read_corrections(folder)
        assert (
            len(journal.history.past) == len({step.edit["mention"] for step in journal.history.past}) == edits
        )
        assert {path.suffix for path in folder.iterdir()} <= {".journal", ".lock", ".address", ""}
    finally:
        server.kill()


def confirmed_in(folder: Path) -> set[str]:
    """Read which mentions a journal has as confirmed; there may be no journal yet."""
    if not any(folder.glob("*.journal")):
        return set()
    (journal,) = read_corrections(folder)
    return {id_ for id_, placed in journal.history.state.mentions.items() if placed.confirmed}
