"""Some errors only: conditions, their values, and errors of one system that another does not make."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.analysis.link_errors import SIDES
from referee.analysis.listing import SORTS, list_errors, with_causes
from referee.analysis.selection import FIELDS, field_values, parse_filter, select
from referee.analysis.sheets.catalogue import all_tables, make_sheets
from referee.analysis.study import Study
from referee.analysis.transformation_rules import CAUSES, SIDES_OF
from referee.analysis.transformations import count_transformations, transformations
from referee.exceptions import RefereeError
from referee.model import Cluster, Document, DocumentCorpus, Mention
from studies import analyse

WORDS = ("Ann", "saw", "Bob", "when", "she", "met", "him", "and", "the", "girl", "told", "him", "it", ".")
TAGS = ("NNP", "VBD", "NNP", "WRB", "PRP", "VBD", "PRP", "CC", "DT", "NN", "VBD", "PRP", "PRP", ".")
ENTITIES = ("(PERSON)", "*", "(PERSON)", *["*"] * 11)
ANN, BOB, SHE, HIM, GIRL, HIM2, IT = (
    Mention.at(*span) for span in ((0, 1), (2, 3), (4, 5), (6, 7), (8, 10), (11, 12), (12, 13))
)
Clusters = list[list[Mention]]


def corpus(*documents: Clusters) -> DocumentCorpus:
    layers = {"pos": TAGS, "entity": ENTITIES}
    return DocumentCorpus(
        [
            Document.of(
                f"d{number}",
                WORDS,
                ((0, 7), (7, len(WORDS))),
                [Cluster(str(i), tuple(mentions)) for i, mentions in enumerate(clusters)],
                layers,
            )
            for number, clusters in enumerate(documents)
        ]
    )


KEY = corpus([[ANN, SHE, GIRL], [BOB, HIM, HIM2]], [[ANN, SHE], [BOB, HIM]])
A = corpus([[ANN, SHE], [BOB, HIM, GIRL]], [[ANN, SHE, IT], [BOB, HIM]])
B = corpus([[ANN, SHE, GIRL], [BOB, HIM]], [[ANN, BOB, SHE, HIM, IT]])


@pytest.fixture(scope="module")
def study() -> Study:
    return analyse(KEY, [A, B], names=["a", "b"])


def links(study: Study) -> list[tuple[str, str, str, str, str]]:
    return [
        (e.system, e.side, e.document, e.anaphor.text, e.antecedent.text)
        for system in study.systems
        for side in SIDES
        for e in system.errors(side)
    ]


def test_all_errors_of_the_example(study: Study) -> None:
    assert links(study) == [
        ("a", "recall", "d0", "the girl", "Ann"),
        ("a", "recall", "d0", "him", "him"),
        ("a", "precision", "d0", "the girl", "Bob"),
        ("a", "precision", "d1", "it", "she"),
        ("b", "recall", "d0", "him", "him"),
        ("b", "precision", "d1", "Bob", "Ann"),
        ("b", "precision", "d1", "it", "him"),
    ]


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("side=recall", [0, 1, 4]),
        ("document=d1", [3, 5, 6]),
        ("system=b", [4, 5, 6]),
        ("anaphor=pronoun and not document=d0", [3, 6]),
        ("class='mention missed'", [1, 4]),
        ("class='missing mention'", [1, 4]),
        ("class='mention invented'", [3, 6]),
        ("class!='entity split' and side=recall", [1, 4]),
        ("class ~ entit", [0, 2, 5]),
        ("anaphor.entity=PERSON", [5]),
        ("antecedent.pronoun=none", [0, 2, 5]),
    ],
)
def test_conditions_choose_errors(study: Study, condition: str, kept: list[int]) -> None:
    every = links(study)
    assert links(select(study, condition)) == [every[index] for index in kept]


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("anaphor=adjective", "anaphor is never 'adjective'; .*one of name, noun, pronoun"),
        ("antecedent != nown", "did you mean noun"),
        ("side=recal", "did you mean recall"),
        ("system=c", "it is one of a, b"),
        ("document=d2", "it is one of d0, d1"),
        ("class='mention mist'", "did you mean mention missed"),
        ("anaphor.pronoun=possesive", "did you mean possessive"),
        ("anaphor.entity=PERSONN", "did you mean PERSON. it is one of PERSON, none"),
        ("anaphor=noun and not (side=recall or side=both)", "side is never 'both'"),
    ],
)
def test_a_value_that_does_not_exist_is_an_error(study: Study, condition: str, message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        select(study, condition)


@pytest.mark.parametrize("condition", ["anaphor.text=nothing", "antecedent.head=x", "anaphor ~ adject"])
def test_free_text_stays_free(study: Study, condition: str) -> None:
    assert links(select(study, condition)) == []


def test_values_are_listed_for_each_field_that_has_a_few(study: Study) -> None:
    free = {f"{role}.{name}" for role in ("anaphor", "antecedent") for name in ("text", "head")}
    assert field_values(study).keys() == FIELDS.keys() - free


def test_many_values_are_cut() -> None:
    many = corpus(*([[[ANN, SHE]]] * 30))
    with pytest.raises(RefereeError, match=r"d19, … \(30 in all\)"):
        select(analyse(many, many), "document=x")


def test_types_of_ones_own_replace_the_usual_ones() -> None:
    study = analyse(KEY, A, mention_type=lambda mention: "long" if len(mention.words) > 1 else "short")
    assert len(links(select(study, "anaphor=long"))) == 2
    with pytest.raises(RefereeError, match="it is one of long, short"):
        select(study, "anaphor=noun")


def test_possible_errors_are_kept_if_a_system_could_make_them(study: Study) -> None:
    assert len(study.maximum) == 6
    for condition, possible in {
        "system=a": 6, "class='mention missed'": 6, "anaphor=noun": 1, "anaphor=noun and system=b": 1,
        "side=precision": 0, "document=d1 and class='entity split'": 2,
    }.items():  # fmt: skip
        assert len(select(study, condition).maximum) == possible


def test_what_was_selected_is_in_every_caption(study: Study) -> None:
    chosen = select(study, "side=recall", made_by=["a"], not_made_by=["b"])
    sheets, notices = make_sheets(chosen, all_tables(study))
    assert {sheet.name.split()[0] for sheet in sheets} == {*all_tables(study)} - {"gains"}
    assert all(sheet.caption.endswith("Filter: side=recall. Made by a. Not made by b.") for sheet in sheets)
    assert any("gains" in notice for notice in notices)
    assert select(study, made_by=["a"]).selection.words == "Made by a alone."
    assert not select(study).selection
    plain, _ = make_sheets(study, all_tables(study))
    assert {sheet.name.split()[0] for sheet in plain} == {*all_tables(study)}


def test_the_errors_of_one_system_and_not_of_another(study: Study) -> None:
    every = links(study)
    assert links(select(study, made_by=["a"], not_made_by=["b"])) == [every[i] for i in (0, 2, 3)]
    assert links(select(study, made_by=["b"])) == [every[i] for i in (5, 6)]
    assert links(select(study, not_made_by=["b"])) == [every[i] for i in (0, 2, 3)]
    assert links(select(study, made_by=["a", "b"])) == [every[i] for i in (1, 4)]
    assert links(select(study, "document=d0", made_by=["a"])) == [every[i] for i in (0, 2)]


@pytest.mark.parametrize(
    ("only", "without", "message"),
    [(["aa"], [], "no system 'aa'; did you mean a"), ([], ["x"], "systems: a, b"), (["a"], ["a"], "none")],
)
def test_systems_that_are_not_there(study: Study, only: list[str], without: list[str], message: str) -> None:
    with pytest.raises(RefereeError, match=message):
        select(study, made_by=only, not_made_by=without)


mentions = st.sampled_from([ANN, BOB, SHE, HIM, GIRL, HIM2, IT])
clusterings = st.lists(st.lists(mentions, min_size=1, max_size=5), max_size=3)


two_documents = st.lists(clusterings, min_size=2, max_size=2)


@given(st.lists(two_documents, min_size=4, max_size=4))
def test_made_by_is_what_sets_of_systems_share(documents: list[list[Clusters]]) -> None:
    key, *responses = (corpus(*each) for each in documents)
    study = analyse(key, responses, names=["a", "b", "c"])
    for only, without in ((["a"], ["b"]), (["a"], []), (["a", "b"], ["c"]), (["b"], ["a", "c"])):
        chosen = select(study, made_by=only, not_made_by=without)
        assert [system.name for system in chosen.systems] == only
        others = without or [name for name in "abc" if name not in only]
        for side in SIDES:
            wanted: Counter[object] = Counter()
            for names, errors in study.shared[side].items():
                if set(only) <= set(names) and not set(others) & set(names):
                    wanted.update(error.link for error in errors)
            for system in chosen.systems:
                assert Counter(error.link for error in system.errors(side)) == wanted


@given(two_documents, two_documents)
def test_steps_that_selected_links_need(keys: list[Clusters], responses: list[Clusters]) -> None:
    """A condition that holds of all keeps all steps but those of mentions without any link."""
    study = analyse(corpus(*keys), corpus(*responses))
    every = transformations(study, study.systems[0])
    all_sides = transformations(*_first(select(study, "side=recall or side=precision")))
    wrong = {(m, e.side) for s in study.systems for side in SIDES for e in s.errors(side) for m in e.link}
    linked = [
        step
        for step in every
        if any((m, side) in wrong for m in step.mentions for side in SIDES_OF[step.kind])
    ]
    assert all_sides == linked
    for kind, cause in CAUSES.items():
        chosen, system = _first(select(study, f"class='{kind}'"))
        kept = transformations(chosen, system)
        assert {step.kind for step in kept} <= {kind}
        assert [s for s in linked if s in kept] == kept
        with_cause = {m for e in (*system.recall, *system.precision) for m in e.link if e.cause == cause}
        assert all(with_cause & set(step.mentions) for step in kept)
        assert count_transformations(chosen, system)[kind] == len(kept)


def _first(study: Study):  # type: ignore[no-untyped-def]
    return study, study.systems[0]


def test_steps_are_filtered_by_side_and_type(study: Study) -> None:
    def steps(condition: str) -> Counter[str]:
        chosen, system = _first(select(study, condition))
        return Counter(step.kind for step in transformations(chosen, system))

    assert steps("side=recall") == {"missing mention": 1, "divided entity": 1}
    assert steps("side=precision") == {"extra mention": 1, "conflated entities": 1}
    assert steps("anaphor=noun") == {"divided entity": 1, "conflated entities": 1}
    assert steps("document=d1") == {"extra mention": 1}
    assert steps("class='entity split'") == {"divided entity": 1}


def test_a_selected_study_pickles(study: Study) -> None:
    chosen = select(study, "not (anaphor=noun or antecedent.text ~ 'b')", made_by=["a"])
    again = pickle.loads(pickle.dumps(chosen))
    assert links(again) == links(chosen)
    assert again.selection == chosen.selection
    condition = parse_filter("side=recall and anaphor=noun")
    assert pickle.loads(pickle.dumps(condition)) == condition


def test_every_error_has_a_cause(study: Study) -> None:
    causes = [(e.system, e.anaphor.text, e.cause) for s in with_causes(study).systems for e in s.recall]
    assert causes == [
        ("a", "the girl", "entity split"),
        ("a", "him", "mention missed"),
        ("b", "him", "mention missed"),
    ]
    assert not set(CAUSES.values()) & set(CAUSES)


def test_lists_are_sorted(study: Study) -> None:
    by_document = list_errors(study, sort=["document"])
    assert [e.document for e in by_document] == ["d0"] * 4 + ["d1"] * 3
    starts = [(e.document, e.anaphor.mention.start) for e in by_document]
    assert starts == sorted(starts)
    causes = [e.cause for e in list_errors(study, sort=["class"])]
    assert causes == sorted(causes, key=list(CAUSES.values()).index)
    types = [e.types for e in list_errors(study, sort=["types"])]
    assert types == sorted(types)
    by_both = [(e.cause, e.system) for e in list_errors(study, sort=["class", "system"])]
    assert by_both == sorted(by_both, key=lambda pair: (list(CAUSES.values()).index(pair[0]), pair[1]))
    assert [e.system for e in list_errors(study, sort=["system"])] == ["a"] * 4 + ["b"] * 3
    with pytest.raises(RefereeError, match=f"by {', '.join(SORTS)}, not by 'size'"):
        list_errors(study, sort=["size"])


def test_samples(study: Study) -> None:
    every = list_errors(study)
    assert list_errors(study, draw=7) == list_errors(study, draw=99) == every
    drawn = list_errors(study, draw=3, seed=5)
    assert drawn == list_errors(study, draw=3, seed=5)
    assert drawn == [error for error in every if error in drawn]  # in order, and none twice
    assert len(drawn) == 3
    seen = Counter(
        (*e.link, e.system, e.side) for seed in range(300) for e in list_errors(study, draw=3, seed=seed)
    )
    assert all(90 <= count <= 170 for count in seen.values())  # 128.6 expected of each
    assert len(seen) == 7
    assert list_errors(study, draw=5, seed=2, limit=2) == list_errors(study, draw=5, seed=2)[:2]
