"""What contradicts each other is not joined, and neither are clusters that have it."""

from __future__ import annotations

import numpy as np
import pytest

from alike_stories import joined_again, mixed_things, news_groups, told_again
from referee import link
from referee.language.cutting.texts import cut_raw
from referee.model import Document, DocumentCorpus, Text
from referee.resolvers.across.compatibility.contradictions import is_another, is_plural, noun_of
from referee.resolvers.across.compatibility.profiles import NamedTexts, stated_facts
from referee.resolvers.across.constants import IMPOSSIBLE
from referee.resolvers.across.linkage import average_linkage
from referee.resolvers.across.neighbours import RowPairs, all_pairs
from referee.resolvers.across.pair_features import Located
from referee.resolvers.across.resolver import likelihoods
from referee.resolvers.across.similarity import CorpusSimilarity
from referee.resolvers.neural.models import installed_models

TEXTS = {
    "marsh": "Yesterday Helen Marsh left the bank. Marsh had lost 12 million euros on Tuesday.",
    "minister": "On Thursday David Marsh said that 20 million euros were lost. One minister wept.",
    "kate": "Then Kate Boyle wrote to Helen Marsh.",
    "katie": "Later Katie Boyle met all 140 people and three judges.",
    "judge": "The judge told 90 people that 140 of them could go.",
    "quake": "A quake shook the port. Another quake followed, and another ship sank beside the ship.",
}


def contradict(one: str, other: str, kinds: tuple[int, int] = (1, 1)) -> bool:
    """Say whether two mentions contradict each other, given as text and words; kind 0 is an event."""
    texts = [cut_raw(Text(name, (), (), running=text)) for name, text in TEXTS.items()]
    columns = []
    for mention in (one, other):
        name, _, said = mention.partition(": ")
        number, wanted = [*TEXTS].index(name), tuple(said.split())
        words = texts[number].words
        found = [at for at in range(len(words)) if words[at : at + len(wanted)] == wanted]
        at = found[-1] if mention == other else found[0]
        columns.append((number, at, at + len(wanted)))
    located = Located(*np.array(columns, np.int64).T)
    every = [text.words for text in texts]
    similarity = CorpusSimilarity.of(every)
    named = NamedTexts(texts, every, similarity.proper)
    facts = stated_facts(named, similarity, located, np.array(kinds, np.int64))
    return bool(facts.contradictions.between(all_pairs(2))[0])


def test_two_people_of_one_surname() -> None:
    assert contradict("marsh: Helen Marsh", "minister: David Marsh")
    assert contradict("marsh: Marsh", "minister: David Marsh")
    assert not contradict("marsh: Marsh", "kate: Helen Marsh")
    assert contradict("kate: Kate Boyle", "minister: David Marsh")


def test_first_names_of_one_initial_may_be_one_person_s() -> None:
    assert not contradict("kate: Kate Boyle", "katie: Katie Boyle")


def test_numbers_and_days() -> None:
    assert contradict("marsh: 12 million euros", "minister: 20 million euros")
    assert contradict("marsh: Tuesday", "minister: Thursday")
    assert not contradict("marsh: 12 million euros", "minister: David Marsh")


def test_a_number_before_a_mention_counts_and_one_thing_is_not_counted() -> None:
    assert contradict("katie: people", "judge: people")
    assert not contradict("katie: people", "judge: 140 of them")
    assert not contradict("minister: minister", "katie: people")


def test_one_judge_is_not_three() -> None:
    assert contradict("judge: judge", "katie: judges")
    assert noun_of(("the", "Senate"), 0, 2) == noun_of(("they",), 0, 1) == ""
    assert [is_plural(noun) for noun in ("judges", "press", "virus", "crisis", "judge")] == [
        True,
        *[False] * 4,
    ]


def test_another_one_is_nothing_before_and_another_event_nothing_else() -> None:
    assert contradict("quake: A quake", "quake: quake", kinds=(0, 0))
    assert contradict("marsh: lost", "quake: quake", kinds=(0, 0))
    assert contradict("quake: the port", "quake: another ship")
    assert not contradict("marsh: the bank", "quake: another ship")
    assert not contradict("quake: another ship", "quake: the ship")
    assert is_another(("another", "one"), 1)
    assert not is_another(("ship", "another"), 0)


def test_no_cluster_has_what_is_impossible_however_likely_all_other_pairs_are() -> None:
    odds = np.full(10, 5.0)
    odds[0] = IMPOSSIBLE
    label = average_linkage(all_pairs(5), likelihoods(odds), 5, 0.3)
    assert label[0] != label[1]
    assert len({*label.tolist()}) == 2


def test_parts_with_a_contradiction_are_not_joined() -> None:
    sizes, pairs = np.array([900, 900, 1]), RowPairs(np.array([0, 0]), np.array([1, 2]))
    averages = np.array([np.mean(likelihoods(np.array([IMPOSSIBLE, *[9.0] * 15]))), 0.9])
    assert average_linkage(pairs, averages, 3, 0.3, members=sizes).tolist() == [0, 1, 0]


@pytest.mark.skipif("link-en" not in installed_models(), reason="needs the model that links: make models")
def test_groups_of_news_about_one_story_and_one_like_it() -> None:
    """Before contradictions kept them apart, 13 pairs of things were mixed, and 39 of 41 joined."""
    mixed, joined, told = list[tuple[str, str]](), 0, 0
    for name, texts in news_groups().items():
        plain = [Document(text.text, ()) for text in texts]
        found = link(DocumentCorpus(plain, name, cross_document=True), model="link-en", threads=1)
        response = {document.id: document for document in found}
        mixed += mixed_things(texts, response)
        joined += len(joined_again(texts, response))
        told += len(told_again(texts))
    assert {*mixed} <= {
        ("n.brandauer", "n.weidt"),  # "the goalkeeper" is the one who shoots
        ("d.after", "d.mourning"),  # three days of two sorts
        ("n.belistan", "n.korum"),  # a town and the north of its country
        ("n.aerosafe", "n.morvan"),  # "the company" is its supplier
        ("n.carinth", "n.rail"),  # a region and its railway
    }
    assert (joined, told) == (39, 41)
