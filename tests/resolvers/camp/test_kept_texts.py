"""What the rules find in our fifteen texts and a long dialogue, parsed once and for all, stays as it was."""

from __future__ import annotations

from zlib import crc32

import pytest

import kept
from camp_stories import DATA, blocks, decided, described
from camp_texts import by_hand, discourse_by_rules
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.pipeline import chosen_components, discourse_of, run_components

TEXTS = {name: by_hand(table) for name, table in blocks(DATA / "fifteen.txt").items()}
SHARE = 8  # of mentions whose descriptions are summed up together


def told(discourse: Discourse) -> list[object]:
    """Links and near misses in words; what is known of mentions as sums, which show where it differs."""
    known = [described(markable) for markable in discourse.markables]
    sums = [crc32("\n".join(known[at : at + SHARE]).encode()) for at in range(0, len(known), SHARE)]
    return [sums, *decided(discourse)]


@pytest.mark.parametrize("name", TEXTS)
def test_mentions_links_and_near_misses(name: str) -> None:
    shown = {
        guidelines: told(discourse_by_rules(TEXTS[name], guidelines=guidelines))
        for guidelines in ("ontonotes", "litbank")
    }
    cautious = discourse_of(TEXTS[name], lexicon(), guidelines_named("gum"), boldness_for())
    run_components(cautious, chosen_components())
    kept.check(f"camp_{name.replace(' ', '_')}", {**shown, "gum, with the default precision": told(cautious)})
