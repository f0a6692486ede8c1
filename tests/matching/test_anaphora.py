"""What goes beyond identity, from documents to counts: by the rules stated plainly, and over noisy GUM."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import referee
from corpora import corpus
from noisy_anaphora import expected, noisy, random_document
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, ProtocolError
from referee.matching.anaphora.numbering import _Candidate, _inside_first_parts, _share, _shares
from referee.model import Relation
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT
from small_corpora import write_plural

METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc")
LEVELS = ("bridging_recognition", "bridging_mention", "bridging_entity")


def differences(
    keys: Sequence[Document], responses: Sequence[Document], protocol: str = "ua", **choices: Any
) -> list[str]:
    """Compare the counts of each document with those of the rules."""
    ours, theirs = DocumentCorpus(keys), DocumentCorpus(responses)
    counted = {**referee.score(ours, theirs, protocol=protocol, metric=METRICS, **choices).counts}
    if protocol == "ua":
        counted |= referee.score(ours, theirs, layer="bridging", metric=LEVELS).counts
    return [
        f"{key.id}: {name} {rows[number].tolist()}, not {wanted[name]}"
        for number, (key, response) in enumerate(zip(keys, responses, strict=True))
        for wanted in [expected(key, response)]
        for name, rows in counted.items()
        if rows[number].tolist() != pytest.approx(wanted[name], abs=1e-9)
    ]


def random_pairs(count: int, seed: int) -> tuple[list[Document], list[Document]]:
    chance = random.Random(seed)
    keys = [random_document(chance).with_text(id=str(number)) for number in range(count)]
    return keys, [noisy(key, chance) for key in keys]


def test_counts_are_those_of_the_rules() -> None:
    assert differences(*random_pairs(120, seed=1)) == []


@pytest.mark.parametrize("protocol", ["conll", "crac", "corefud"])
def test_sets_count_by_the_same_rules_where_others_match_the_mentions(protocol: str) -> None:
    pairs = random_pairs(40, seed=4)
    assert differences(*pairs, protocol, match="exact", sets="keep", singletons="keep") == []


def test_noisy_copies_of_gum_are_counted_by_the_rules() -> None:
    chance = random.Random(2)
    documents = list(referee.read(corpus("gum") / "dev"))[::3]  # bench/anaphora.py takes all, five times
    keys = [noisy(document, chance, 0) for document in documents]
    assert sum(len(key.relations) for key in keys) > 50
    assert differences(keys, [noisy(key, chance) for key in keys]) == []


# ------------------------------------------------------------------------------------- other rules and files
def pair(*elements: str) -> Document:
    """Make a text in which the last entity is what the elements are together."""
    clusters = [Cluster(str(i), (Mention.at(i, i + 1), Mention.at(i + 5, i + 6))) for i in range(4)]
    made = Document.of("d", list("abcdefghij"), [(0, 10)], clusters)
    return replace(made, relations=(Relation(SPLIT_ANTECEDENT, "3", elements),)) if elements else made


@pytest.mark.parametrize("protocol", ["conll", "corefud", "crac", "ua", "ua-2021"])
def test_sets_count_alike_under_all_rules(protocol: str) -> None:
    key, right, half = pair("0", "1"), pair("0", "1"), pair("0", "2")
    metrics = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc")
    choices: dict[str, Any] = {"match": "exact", "sets": "keep"}
    same = referee.score(key, right, protocol=protocol, metric=metrics, **choices)
    assert [same[name].f1 for name in metrics] == [1] * 6
    counted = referee.score(key, half, protocol=protocol, metric=metrics, **choices)
    wanted = expected(key, half)
    for name in metrics:
        assert counted.counts[name][0].tolist() == pytest.approx(wanted[name]), name


def test_sets_of_one_side_alone_count() -> None:
    with_set, without = pair("0", "1"), pair()
    assert differences([with_set], [without]) == differences([without], [with_set]) == []


@pytest.mark.parametrize("protocol", ["conll", "corefud", "crac", "ua"])
def test_without_sets_nothing_changes(protocol: str) -> None:
    key, response = pair(), noisy(pair(), random.Random(3), 1)
    choices: dict[str, Any] = {
        "protocol": protocol, "match": "exact", "singletons": "keep", "metric": METRICS,
    }  # fmt: skip
    with_sets, without = (referee.score(key, response, sets=sets, **choices) for sets in ("keep", "drop"))
    for name in METRICS:
        assert with_sets.counts[name].tolist() == without.counts[name].tolist()


def test_entities_with_equal_sets_are_one() -> None:
    """PA-8 of the plural tests: {ac}f and {ac}g are {ac}fg."""
    clusters = [Cluster(str(i), (Mention.at(i, i + 1),)) for i in range(5)]
    elements = [Relation(SPLIT_ANTECEDENT, whole, ("0", "1")) for whole in ("3", "4")]
    split = replace(Document.of("d", list("abcde"), [(0, 5)], clusters), relations=tuple(elements))
    one = replace(
        split, clusters=(*clusters[:3], Cluster("3", (Mention.at(3, 4), Mention.at(4, 5)))),
        relations=tuple(elements[:1]),
    )  # fmt: skip
    result = referee.score(one, split, protocol="ua", metric=METRICS)
    assert [result[name].f1 for name in METRICS] == [1] * 6


def test_a_set_that_contains_itself_is_refused() -> None:
    circle = replace(pair("0", "1"), relations=(Relation(SPLIT_ANTECEDENT, "3", ("0", "3")),))
    with pytest.raises(FormatError, match=r"document d: entity 3 is an element of 3: .*sets='drop'"):
        referee.score(circle, circle, protocol="ua")
    assert referee.score(circle, circle, protocol="ua", sets="drop").muc.f1 == 1


def test_singletons_and_sets_do_not_go_together() -> None:
    with_set = pair("0", "1")
    for sides in ((with_set, pair()), (pair(), with_set)):
        with pytest.raises(ProtocolError, match="needs singletons='keep'"):
            referee.score(*sides, protocol="ua", singletons="drop")
    assert referee.score(pair(), pair(), protocol="ua", singletons="drop").muc.f1 == 1


def test_an_anchor_that_is_an_entity_is_its_mention_before_the_anaphor() -> None:
    def bridged(anchor: str, *spans: int) -> Document:
        named = (((spans[0], spans[0] + 1),),) if spans else ()
        return replace(pair(), relations=(Relation(BRIDGING, "3", (anchor,), "", ((8, 9),), named),))

    by_entity, by_mention = bridged("0"), bridged("0", 5)
    result = referee.score(by_entity, by_mention, layer="bridging")
    assert result.bridging_mention.f1 == 1
    assert "1 anchor named as an entity" in " ".join(result.notices)
    first = referee.score(by_entity, bridged("0", 0), layer="bridging")
    assert (first.bridging_mention.f1, first.bridging_entity.f1) == (0, 1)
    other = referee.score(by_entity, bridged("1", 1), layer="bridging")
    assert (other.bridging_recognition.f1, other.bridging_entity.f1) == (1, 0)


def test_layers_of_a_file(tmp_path: Path) -> None:
    write_plural(tmp_path / "key.conllua", element="4")
    write_plural(tmp_path / "a.conllua", element="9", bridge="(MarkableID=team|MentionAnchor=she)")
    sides = tmp_path / "key.conllua", tmp_path / "a.conllua"
    identity = referee.score(*sides)
    assert "counting:ua|zeros:linear|sets:keep" in identity.signature
    assert identity.muc.f1 < 1
    assert referee.score(*sides, sets="drop").muc.f1 == 1
    assert referee.score(*sides, layer="deixis").muc.counts["recall_denominator"] == 1
    assert referee.score(*sides, layer="non-referring").non_referring.f1 == 1
    bridging = referee.score(*sides, layer="bridging")
    assert (bridging.bridging_recognition.f1, bridging.bridging_entity.f1) == (1, 0)
    assert "layer:bridging" in bridging.signature


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"protocol": "conll", "layer": "bridging"}, "give protocol='ua'"),
        ({"layer": "bridging", "metric": "muc"}, "metric 'muc' is not one of layer='bridging'"),
        ({"metric": "bridging_entity", "protocol": "ua"}, "give layer='bridging'"),
        ({"protocol": "ua", "metric": "b_cubed_sys"}, "does not count sets"),
        ({"sets": "only", "protocol": "ua", "metric": "mentions"}, "does not count sets"),
        ({"layer": "deixis"}, "has no discourse deixis"),
        ({"protocol": "ua", "match": "head"}, "not one of those of protocol='ua'"),
        ({"protocol": "ua-2021", "zeros": "drop"}, "not one of the choices of protocol='ua-2021'"),
        ({"protocol": "conll", "match": "craft"}, "goes with protocol='ua'"),
        ({"protocol": "crac", "zeros": "drop"}, "zeros='drop' needs protocol='ua'"),
        ({"protocol": "crac", "sets": "keep", "singletons": "drop"}, "needs singletons='keep'"),
    ],
)
def test_what_does_not_go_together_is_refused(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(referee.RefereeError, match=said):
        referee.score(pair("0", "1"), pair("0", "1"), **choices)


def test_documents_that_are_missing_are_left_out_in_2021() -> None:
    both = DocumentCorpus([pair(), pair().with_text(id="e")])
    left_out, as_empty = (
        referee.score(both, DocumentCorpus([pair()]), protocol=name) for name in ("ua-2021", "ua")
    )
    assert (left_out.muc.recall, as_empty.muc.recall) == (1, 0.5)
    assert "1 document missing, LEFT OUT" in " ".join(left_out.notices)


# ----------------------------------------------------------------- mentions that are twice in an element
def twice(*entities: str) -> Document:
    """Make a text whose last entity is what those before it are together; a letter is a mention."""
    clusters = [
        Cluster(
            str(n), tuple(Mention.at("abcdef".index(letter), "abcdef".index(letter) + 1) for letter in some)
        )
        for n, some in enumerate(entities)
    ]
    *elements, whole = clusters
    sets = Relation(SPLIT_ANTECEDENT, whole.id, tuple(each.id for each in elements))
    return replace(Document.of("d", list("abcdef"), [(0, 6)], clusters), relations=(sets,))


def test_a_repeated_mention_of_an_element_is_counted_as_the_scorer_counts_it() -> None:
    """These are the official scorer's counts; `aa` is found in `ab` by precision alone, with F1 0."""
    result = referee.score(twice("ab", "de"), twice("aa", "de"), protocol="ua", metric=METRICS)
    assert result.counts["muc"].tolist() == [[1.0, 3.0, 2.0, 2.0]]
    assert result.counts["lea"].tolist() == [[1.0, 5.0, 3.0, 4.0]]


def test_sets_alone_have_the_scorers_links_of_repeated_mentions() -> None:
    key, response = twice("aa", "bc", "de"), twice("aaf", "de")
    (row,) = (
        referee.score(key, response, protocol="ua", sets="only", metric=["blanc"]).counts["blanc"].tolist()
    )
    assert row == [1.0, 2.0, 1.0, 3.0, 0.0, 4.0, 0.0, 0.0]


def test_a_set_alone_in_its_entity_is_found_by_lea_if_it_is_the_same(tmp_path: Path) -> None:
    """With zeros dropped, entity 1 is its set alone; LEA has 2 of 2 and 2 of 2, as the official scorer."""
    path = tmp_path / "key.conllua"
    path.write_text(
        "# global.columns = ID FORM IDENTITY\n# newdoc id = d\n1\ta\t_\n"
        "1.1\t_\t(EntityID=1|MarkableID=m1)\n2\tb\t(EntityID=4|MarkableID=m2|ElementOf=1)\n\n"
    )
    result = referee.score(path, path, protocol="ua", zeros="drop", metric=["lea"])
    assert result.counts["lea"].tolist() == [[2.0, 2.0, 2.0, 2.0]]


# ------------------------------------------------------------------------------- partial matches of mentions
def candidate(*parts: tuple[int, int], minimum: tuple[int, ...] = ()) -> _Candidate:
    return _Candidate(parts[0][0], parts, frozenset(minimum))


def test_the_largest_sum_of_shares_is_chosen_and_what_is_not_alike_adds_nothing() -> None:
    keys = candidate((0, 10), minimum=(0,)), candidate((0, 30), minimum=(8,))
    responses = candidate((0, 9)), candidate((0, 5))
    assert [[_share(key, response) for response in responses] for key in keys] == [[0.9, 0.5], [0.3, 0]]
    assert [*_shares(keys, responses)] == [(keys[0], responses[0])]  # not 0.5 and 0.3
    assert [*_shares(keys[1:], responses[1:])] == []


@pytest.mark.parametrize(
    ("key", "response", "share"),
    [
        (candidate((0, 4), minimum=(1, 2)), candidate((1, 3)), 0.5),
        (candidate((0, 4), minimum=(1, 2)), candidate((1, 2)), 0),
        (candidate((0, 4), minimum=(1, 2)), candidate((1, 5)), 0),
        (candidate((1, 3)), candidate((0, 4), minimum=(1, 2)), 0.5),
        (candidate((1, 2)), candidate((0, 4), minimum=(1, 2)), 0),
        (candidate((1, 3)), candidate((0, 4)), 0),
        (candidate((0, 1), (3, 6), minimum=(4,)), candidate((3, 5)), 0.5),
    ],
)
def test_one_holds_the_other_with_its_minimum(key: _Candidate, response: _Candidate, share: float) -> None:
    assert _share(key, response) == share


def test_mentions_are_sorted_by_their_first_and_last_words_and_their_number() -> None:
    assert candidate((2, 3), (5, 9)).place == (2, 9, 5)


def test_a_response_is_the_first_keys_that_has_it_in_its_first_part() -> None:
    one, two, broken = candidate((0, 6)), candidate((3, 9)), candidate((10, 12), (14, 16))
    inside, other, second = candidate((3, 6)), candidate((4, 5)), candidate((14, 15))
    found = [*_inside_first_parts([one, two, broken], [inside, other, second, candidate((10, 11), (20, 21))])]
    assert [(key.place[0], response.place[0]) for key, response in found] == [(0, 3), (10, 10)]
