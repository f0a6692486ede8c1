"""A scorer across documents that ends the process which it works in."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from referee.model import Document, Mention
from referee.resolvers.across.mentions import MentionArrays
from surface_scorer import SurfaceScorer, SurfaceStudy


class Fragile(SurfaceScorer):
    """Ends the process that it works in, unless it is the first one, or there is a file that it makes."""

    def __init__(self, file: Path | None = None) -> None:
        self.first, self.file = os.getpid(), file

    def study(self, documents: Sequence[Document], words: Sequence[Sequence[str]]) -> SurfaceStudy:
        del words
        return FragileStudy(documents, self)


class FragileStudy(SurfaceStudy):
    def __init__(self, documents: Sequence[Document], scorer: Fragile) -> None:
        super().__init__(documents)
        self.scorer = scorer

    def mentions(self, number: int, kind: str, given: Sequence[Mention] | None = None) -> MentionArrays:
        file = self.scorer.file
        if number == 4 and os.getpid() != self.scorer.first and not (file and file.exists()):
            if file:
                file.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().mentions(number, kind, given)
