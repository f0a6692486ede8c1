"""In which order the two scorers of a head across documents learn, and from which pairs.

Cattan et al. (2021, §4 and §5.3) compare three ways. In each the two scorers share how they see a span, and
pairs are those of the λT spans that the mention scorer keeps: a pair is the same if both are annotated
mentions of one cluster. Where both scorers learn at once, theirs learn from pairs alone; here the mention
scorer goes on to learn from the annotated spans, too.
"""

from __future__ import annotations

from typing import NamedTuple

GIVEN, KEPT_SPANS = "given", "kept"


class Phase(NamedTuple):
    """What learns in a part of the training: the mention scorer, and from which pairs the pairwise scorer."""

    mentions: bool
    pairs: str = ""

    def learns(self, weight_of_mentions: bool) -> bool:
        """Decide whether weights learn: those of the mention scorer, or the others."""
        return self.mentions if weight_of_mentions else bool(self.pairs)


APART = "apart"  # the scorers share nothing, and pairs are those of annotated mentions
WAYS = {
    APART: (Phase(mentions=True), Phase(mentions=False, pairs=GIVEN)),
    "pipeline": (Phase(mentions=True), Phase(mentions=False, pairs=KEPT_SPANS)),
    "continued": (Phase(mentions=True), Phase(mentions=True, pairs=KEPT_SPANS)),
    "end-to-end": (Phase(mentions=True, pairs=KEPT_SPANS),),
}
