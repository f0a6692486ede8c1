"""What the rules find in texts with changes at random stays as it was, and is always well-formed."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import pytest

import kept
from camp_stories import decided, described
from referee.model import Text
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.pipeline import chosen_components, discourse_of, run_components
from varied_parses import LONG, Changes

VARIANTS = 12
WAYS = (("ontonotes", True), ("litbank", True), ("gum", False))


def resolved(text: Text, number: int) -> Discourse:
    guidelines, recall = WAYS[number % len(WAYS)]
    boldness = boldness_for(recall=True) if recall else boldness_for()
    discourse = discourse_of(text, lexicon(), guidelines_named(guidelines), boldness)
    run_components(discourse, chosen_components())
    return discourse


def told(discourse: Discourse) -> list[int]:
    """Sum up mentions, decisions and entities, so that a difference says where it begins."""
    annotated = [" ".join(str(m.number) for m in entity.markables) for entity in discourse.annotated()]
    parts = [*map(described, discourse.markables)], [*decided(discourse)], annotated
    return [crc32("\n".join(part).encode()) for part in parts]


@pytest.mark.parametrize("name", LONG)
def test_what_is_found_in_a_varied_story(name: str) -> None:
    check(name, "camp_varied", [Changes(f"{name} {number}").text(name) for number in range(VARIANTS)])


@pytest.mark.parametrize("name", LONG)
def test_what_is_found_in_a_varied_story_with_paragraphs(name: str) -> None:
    texts = [Changes(f"{name} {number}").laid_out(name) for number in range(VARIANTS)]
    check(name, "camp_laid_out", texts)


def check(name: str, kept_as: str, texts: Sequence[Text]) -> None:
    shown = []
    for number, text in enumerate(texts):
        discourse = resolved(text, number)
        length = len(discourse.parse.words)
        assert all(0 <= m.start <= m.head < m.end <= length for m in discourse.markables)
        assert sorted(m.number for entity in discourse.entities for m in entity.markables) == [
            *range(len(discourse.markables))
        ]
        shown.append(told(discourse))
    kept.check_one(kept_as, name, shown)
