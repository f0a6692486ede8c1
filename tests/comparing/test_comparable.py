"""Only results that were made alike are compared, and a refusal says what differs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from referee import formats, score
from referee.comparing.significance import alike
from referee.exceptions import FormatError, ProtocolError
from referee.matching.protocol import Protocol
from referee.model import Chains, Cluster, Document, DocumentCorpus, Mention, cut_text
from referee.scoring.fingerprints import fingerprints, name_of_key
from referee.scoring.result import Result
from referee.scoring.saved import looks_saved, read_results
from referee.tables.rendering import as_json
from referee.tables.scores import score_output
from strategies import Clusters, partitions
from systems import documents, spoiled

KEY = documents(4)


def scored(response: list[Document], key: list[Document] = KEY, protocol: Protocol | None = None) -> Result:
    return score(DocumentCorpus(key), DocumentCorpus(response, "system"), protocol=protocol)


BASE = scored(spoiled(KEY, 0.1, 1))
OTHER = replace(scored(spoiled(KEY, 0.2, 2)), system="other")
MOVED = replace(
    KEY[0],
    clusters=(
        Cluster("0", (*KEY[0].clusters[0].mentions[:-1], KEY[0].clusters[1].mentions[0])),
        Cluster("1", (KEY[0].clusters[0].mentions[-1], *KEY[0].clusters[1].mentions[1:])),
        *KEY[0].clusters[2:],
    ),
)


@pytest.mark.parametrize(
    ("other", "field"),
    [
        (scored(KEY, protocol=Protocol(singletons="drop")), "singletons is keep and drop"),
        (scored(KEY, protocol=Protocol(input="strict")), "input is conll and strict"),
        (replace(OTHER, version="9.9"), r"version is \S+ and 9.9"),
        (replace(OTHER, trees="0a1b2c"), "trees are none and 0a1b2c; score both with the same trees"),
        (replace(OTHER, groups="ffee00"), "groups are none and ffee00; score both with the same groups"),
        (scored(KEY, key=[MOVED, *KEY[1:]]), "key is"),
        (scored(KEY[:3], key=KEY[:3]), "key is"),
    ],
)
def test_a_refusal_names_the_field_that_differs(other: Result, field: str) -> None:
    with pytest.raises(ProtocolError, match=f"{BASE.system} and {other.system} cannot be compared: {field}"):
        alike([BASE, other])


def test_keys_without_a_name_are_told_apart_by_their_units() -> None:
    base, other = replace(BASE, key=""), replace(scored(KEY[:3], key=KEY[:3]), key="")
    with pytest.raises(ProtocolError, match=KEY[3].id):
        alike([base, other])


def test_keys_without_a_name_are_told_apart_by_their_counts() -> None:
    shorter = replace(KEY[1], clusters=KEY[1].clusters[1:])
    other = replace(scored(KEY, key=[KEY[0], shorter, *KEY[2:]]), key="")
    with pytest.raises(ProtocolError, match=f"their keys differ in {KEY[1].id}"):
        alike([replace(BASE, key=""), other])


def test_units_are_put_in_one_order_and_common_metrics_are_kept() -> None:
    turned = OTHER.where([3, 1, 0, 2])
    turned = replace(turned, key=OTHER.key, counts={name: turned.counts[name] for name in ("lea", "muc")})
    first, second = alike([BASE, turned])
    assert list(first.counts) == list(second.counts) == ["muc", "lea"]
    assert first.units == second.units == BASE.units
    assert np.array_equal(second.counts["lea"], OTHER.counts["lea"])
    assert second.lengths == OTHER.lengths


def test_groups_of_units_keep_what_they_were_scored_with() -> None:
    (part,) = replace(BASE, trees="0a1b2c", groups="ffee00").by(["x"] * 4).values()
    assert (part.trees, part.groups, part.lengths) == ("0a1b2c", "ffee00", BASE.lengths)
    assert "|trees:0a1b2c|groups:ffee00|version:" in part.signature
    assert part.to_dict()["protocol"]["trees"] == "0a1b2c"


def test_the_same_trees_compare() -> None:
    assert len(alike([replace(BASE, trees="0a1b2c"), replace(OTHER, trees="0a1b2c")])) == 2


def test_nothing_in_common_is_refused() -> None:
    muc, lea = (replace(BASE, counts={name: BASE.counts[name]}) for name in ("muc", "lea"))
    with pytest.raises(ProtocolError, match="no metric in common"):
        alike([muc, lea])


def test_a_key_has_the_same_name_in_any_format_and_order(tmp_path: Path) -> None:
    names = set()
    for ending, key in (("conll", KEY), ("jsonl", KEY), ("conll", KEY[::-1])):
        formats.write(key, tmp_path / f"key.{ending}")
        response = DocumentCorpus(spoiled(KEY, 0.3, 5))
        names.add(score(formats.read(tmp_path / f"key.{ending}"), response).key)
    assert names == {BASE.key}


def test_a_key_keeps_its_name_when_a_response_counts_characters() -> None:
    document = KEY[0]
    response = cut_text(document.id, " ".join(document.words))
    with_characters = score(DocumentCorpus([document]), DocumentCorpus([response]))
    with_tokens = score(DocumentCorpus([document]), DocumentCorpus([document]))
    assert with_characters.key == with_tokens.key
    assert with_characters.lengths == with_tokens.lengths == [document.text.length]


def as_document(clusters: Clusters) -> Document:
    made = tuple(Cluster(str(i), tuple(Mention.at(m, m + 1) for m in c)) for i, c in enumerate(clusters))
    return Document.of("d", ("w",) * 12, ((0, 12),), made)


@given(partitions(), partitions())
def test_fingerprints_tell_clusterings_apart(first: Clusters, second: Clusters) -> None:
    prints = fingerprints(Chains.of([as_document(first), as_document(second)]))
    same = {frozenset(c) for c in first} == {frozenset(c) for c in second}
    assert (prints[0] == prints[1]) == same
    turned = fingerprints(Chains.of([as_document([c[::-1] for c in first[::-1]])]))
    assert turned[0] == prints[0]


def test_fingerprints_see_the_parts_of_a_mention() -> None:
    def document(*spans: tuple[int, int]) -> Document:
        return Document.of("d", ("w",) * 9, ((0, 9),), (Cluster("0", (Mention(spans), Mention.at(8, 9))),))

    whole, parts = document((0, 5)), document((0, 2), (3, 5))
    assert len(set(fingerprints(Chains.of([whole, parts])).tolist())) == 2


def test_fingerprints_join_clusters_that_span_documents() -> None:
    def topic(*ids: str) -> Chains:
        mention = (Mention.at(0, 1),)
        documents = [
            Document.of(f"d{i}", ("w",), ((0, 1),), (Cluster(id_, mention),)) for i, id_ in enumerate(ids)
        ]
        return Chains.of(documents, cross_document=True)

    one_unit = np.zeros(3, np.int64)
    names = {str(fingerprints(topic(*ids), one_unit)) for ids in ("aab", "bba", "aba", "abc", "aaa")}
    assert len(names) == 4  # what clusters are called does not matter, and which documents they join does


def test_the_name_of_a_key_depends_on_its_documents_names() -> None:
    assert name_of_key(["a", "b"], [1, 2]) == name_of_key(["b", "a"], [2, 1])
    assert name_of_key(["a", "b"], [1, 2]) != name_of_key(["a", "b"], [2, 1])


def test_a_result_survives_being_saved(tmp_path: Path) -> None:
    saved = tmp_path / "run.json"
    saved.write_text(as_json(score_output("key", [BASE, OTHER])), encoding="utf-8")
    assert looks_saved(str(saved))
    (found,) = read_results([str(saved)]).values()
    for before, after in zip([BASE, OTHER], found, strict=True):
        assert (after.system, after.units, after.key) == (before.system, before.units, before.key)
        assert (after.signature, after.lengths, after.scores) == (
            before.signature,
            before.lengths,
            before.scores,
        )
        for name, rows in before.counts.items():
            assert np.array_equal(after.counts[name], rows)


def test_saved_systems_of_one_name_are_told_apart_by_their_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.json").write_text(as_json(score_output("key", [BASE])), encoding="utf-8")
    (found,) = read_results([str(tmp_path / "one.json"), str(tmp_path / "two.json")]).values()
    assert [result.system for result in found] == ["one", "two"]


def test_of_several_scopes_one_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    whole = replace(BASE, protocol=Protocol(scope="corpus"))
    path.write_text(as_json(score_output("key", [BASE, whole])), encoding="utf-8")
    (first,) = read_results([str(path)])["exact"]
    assert (first.system, first.protocol.scope) == (BASE.system, "document")
    assert "scope=corpus for the others" in first.notices[0]
    assert read_results([str(path)], "corpus")["exact"][0].protocol.scope == "corpus"
    with pytest.raises(FormatError, match="no saved result has scope topic"):
        read_results([str(path)], "topic")


def under(result: Result, match: str) -> Result:
    """The same counts as if they came from another matching, which may not exist yet."""
    protocol = replace(result.protocol)
    object.__setattr__(protocol, "match", match)
    return replace(result, protocol=protocol)


def test_matchings_stand_side_by_side_if_all_systems_have_them(tmp_path: Path) -> None:
    for name, result in (("a", BASE), ("b", OTHER)):
        results = [result, under(result, "min")]
        (tmp_path / f"{name}.json").write_text(as_json(score_output("key", results)), encoding="utf-8")
    both = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    assert {match: len(found) for match, found in read_results(both).items()} == {"exact": 2, "min": 2}
    (tmp_path / "b.json").write_text(as_json(score_output("key", [under(OTHER, "min")])), encoding="utf-8")
    with pytest.raises(ProtocolError, match="match is exact and min"):
        alike(read_results(both)["exact"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "no saved results"),
        ('{"schema": 1, "results": [{"schema": 99}]}', "schema 99"),
        ('{"schema": 1, "results": [{"schema": 1, "system": "s"}]}', "not a whole result"),
    ],
)
def test_what_is_no_result_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=f"run.json: .*{said}"):
        read_results([str(path)])


def test_a_result_with_unknown_columns_is_refused() -> None:
    value = json.loads(as_json(score_output("key", [BASE])))["results"][0]
    value["columns"]["muc"] = ["a", "b"]
    with pytest.raises(FormatError, match="muc"):
        Result.from_dict(value)


def test_a_result_of_a_newer_protocol_is_refused() -> None:
    value = json.loads(as_json(score_output("key", [BASE])))["results"][0]
    value["protocol"] |= {"colour": "red", "version": "9.9"}
    with pytest.raises(FormatError, match=r"made by Referee 9\.9, whose protocol says colour"):
        Result.from_dict(value)


def test_corpora_do_not_look_saved(tmp_path: Path) -> None:
    formats.write(KEY, tmp_path / "key.jsonl")
    assert not looks_saved(str(tmp_path / "key.jsonl"))
    assert not looks_saved(str(tmp_path / "absent.json"))
