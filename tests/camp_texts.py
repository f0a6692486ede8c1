"""Small texts for the tests of camp: parsed by hand, or by spaCy where it is installed."""

from __future__ import annotations

from typing import Any

import pytest

from referee.model import Text
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse, Link
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.pipeline import chosen_components, discourse_of, run_components

Clusters = list[list[str]]


def by_hand(table: str) -> Text:
    """Make a text of lines: word, tag, lemma, head (from 1 in the sentence), relation and, if any, entity."""
    rows: list[list[str]] = []
    sentences, heads = [], []
    for block in table.strip().split("\n\n"):
        start = len(rows)
        for line in block.strip().splitlines():
            word, tag, lemma, head, relation, *entity = line.split()
            heads.append("-" if head == "0" else str(start + int(head) - 1))
            rows.append([word, tag, lemma, relation, entity[0] if entity else "*"])
        sentences.append((start, len(rows)))
    words, tags, lemmas, relations, entities = (tuple(column) for column in zip(*rows, strict=True))
    layers = {"pos": tags, "lemma": lemmas, "head": tuple(heads), "deprel": relations, "entity": entities}
    return Text("made", words, tuple(sentences), layers)


def discourse_by_rules(text: Text, *, guidelines: str = "ontonotes", **chosen: Any) -> Discourse:
    """Run components over a parsed text, as boldly as can be."""
    discourse = discourse_of(text, lexicon(), guidelines_named(guidelines), boldness_for(recall=True))
    run_components(discourse, chosen_components(**chosen))
    return discourse


def spelled(discourse: Discourse) -> Clusters:
    """Write out the entities that have several mentions."""
    text = discourse.parse.text
    return [
        [text.spelled([(m.start, m.end)]) for m in sorted(entity.markables, key=lambda m: m.number)]
        for entity in discourse.entities
        if len(entity.markables) > 1
    ]


def parsed(running: str) -> Text:
    """Parse running text with spaCy, or skip the test."""
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    from referee.language.pipelines import load_pipeline
    from referee.resolvers.base import raw_text
    from referee.resolvers.camp.spacy_parsing import parsed_text

    return parsed_text(raw_text("story", running), (), load_pipeline())


def resolved(running: str, *components: str, guidelines: str = "ontonotes") -> Clusters:
    """Resolve running text by some components, or by all."""
    return spelled(discourse_by_rules(parsed(running), guidelines=guidelines, only=components))


def links(running: str, *components: str, guidelines: str = "ontonotes") -> list[Link]:
    """List what components link."""
    return discourse_by_rules(parsed(running), guidelines=guidelines, only=components).links
