"""A resolver that takes its time, for tests that end processes in the middle of their work.

    python slow_parts.py resolve INPUT... -o FOLDER/ [OPTIONS]

runs the command with it. Processes leave their numbers in the folder that SLOW_PARTS names.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.cli import main
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers import part_files
from referee.resolvers.base import Resolver
from referee.resolvers.part_files import PartRecipe

SECONDS = 0.05  # for each document


class Slow(Resolver):
    """Puts the first and the last word into one cluster, and sleeps over it."""

    def resolve(self, texts: Iterable[Text]) -> Iterator[Document]:
        for text in texts:
            marker = Path(os.environ["SLOW_PARTS"]) / f"working-{os.getpid()}"
            with marker.open("a", encoding="utf-8") as file:
                print(text.id, file=file)
            time.sleep(SECONDS)
            mentions = (Mention.at(0, 1), Mention.at(len(text.words) - 1, len(text.words)))
            yield Document(text, (Cluster("1", mentions),))


class SlowRecipe(PartRecipe):
    """Has the slow resolver, whatever name is given."""

    made = Slow()


if __name__ == "__main__":
    from slow_parts import SlowRecipe as Importable  # as workers of a cluster find it

    part_files.PartRecipe = Importable  # type: ignore[misc]
    main(sys.argv[1:])
