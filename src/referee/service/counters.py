"""What the service has done, in the text format that Prometheus reads."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

BOUNDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 60.0)  # seconds of the histogram's buckets
OTHER = "other"  # a path that is none of ours, so that strangers cannot fill the table
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(slots=True)
class Counters:
    """Requests by path and status, how long they took, and what was resolved."""

    known: frozenset[str] = frozenset()
    requests: Counter[tuple[str, int]] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    buckets: Counter[tuple[str, float]] = field(default_factory=Counter)
    words: int = 0

    def observe(self, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        path = path if path in self.known else OTHER
        self.requests[path, status] += 1
        self.seconds[path] += seconds  # type: ignore[assignment]  # a Counter adds any numbers
        self.buckets[path, next((bound for bound in BOUNDS if seconds <= bound), float("inf"))] += 1

    def lines(self, more: Iterable[tuple[str, str, str, float]]) -> str:
        """Write all, with `more`: name, kind, help, value."""
        written = [
            "# HELP referee_requests_total Requests answered.",
            "# TYPE referee_requests_total counter",
        ]
        for (path, status), count in sorted(self.requests.items()):
            written.append(f'referee_requests_total{{path="{path}",status="{status}"}} {count}')
        written += ["# HELP referee_seconds Time to an answer.", "# TYPE referee_seconds histogram"]
        for path in sorted(self.seconds):
            total = 0
            for bound in (*BOUNDS, float("inf")):
                total += self.buckets[path, bound]
                label = "+Inf" if bound == float("inf") else f"{bound:g}"
                written.append(f'referee_seconds_bucket{{path="{path}",le="{label}"}} {total}')
            written.append(f'referee_seconds_sum{{path="{path}"}} {self.seconds[path]:.6f}')
            written.append(f'referee_seconds_count{{path="{path}"}} {total}')
        words = ("referee_words_total", "counter", "Words of texts that were resolved.", self.words)
        for name, kind, said, value in (words, *more):
            written += [f"# HELP {name} {said}", f"# TYPE {name} {kind}", f"{name} {value:g}"]
        return "\n".join(written) + "\n"


def resident(process: int | None = None) -> int:
    """Count the bytes of memory that a process has; 0 where the system does not say."""
    try:
        pages = Path(f"/proc/{process or 'self'}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
