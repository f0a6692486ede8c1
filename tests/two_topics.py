"""Three short texts of two topics with clusters across them, and a response that divides one."""

from __future__ import annotations

import json
from pathlib import Path

TEXTS = {
    "fire-1": "A blaze destroyed the old mill . It began at noon .",
    "fire-2": "The mill burned down . Police blame the fire on Ann .",
    "flood-1": "The river rose . It took the bridge .",
}
TOPICS = {"fire-1": "fire", "fire-2": "fire", "flood-1": "flood"}
KEY = [  # document, first, last, cluster
    ("fire-1", 0, 1, 1), ("fire-1", 3, 5, 2), ("fire-1", 7, 7, 1), ("fire-2", 0, 1, 2), ("fire-2", 7, 8, 1),
    ("flood-1", 0, 1, 3), ("flood-1", 4, 4, 3),
]  # fmt: skip
RESPONSE = [
    ("fire-1", 0, 1, 1), ("fire-1", 3, 5, 2), ("fire-1", 7, 7, 1), ("fire-2", 0, 1, 5), ("fire-2", 7, 8, 5),
    ("flood-1", 0, 1, 3), ("flood-1", 4, 4, 3),
]  # fmt: skip


def write_corpus(path: Path, mentions: list[tuple[str, int, int, int]]) -> str:
    line = {
        "id": "all", "doc_ids": list(TEXTS), "topics": list(TOPICS.values()),
        "tokens": [words.split() for words in TEXTS.values()], "mentions": mentions,
    }  # fmt: skip
    path.write_text(json.dumps(line), encoding="utf-8")
    return str(path)
