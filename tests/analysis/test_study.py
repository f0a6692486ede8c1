"""What an analysis is given: paths or corpora, layers, processes; and functions of one's own that fail."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

import referee
from referee import formats
from referee.analysis.sheets.catalogue import TABLES, make_sheets
from referee.analysis.study import Study
from referee.exceptions import FormatError, RefereeError, SettingError
from referee.language.mention_types import Described
from referee.matching import aligned
from referee.matching.protocol import Protocol
from referee.model import Cluster, Document, DocumentCorpus, Mention
from referee.scoring.task import system_names
from studies import analyse

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (SAMPLE / f"{name}.conll" for name in ("key", "alpha", "beta"))


def everything(study: Study) -> list[object]:
    """List all that a study says."""
    sheets, notices = make_sheets(study, list(TABLES))
    errors = [(s.name, s.recall, s.precision, dict(s.decisions), s.precision_from) for s in study.systems]
    return [sheets, notices, errors, study.maximum, study.units, study.spanning_tree, study.documents]


def test_paths_and_corpora_are_the_same() -> None:
    by_path = analyse(KEY, [str(ALPHA), BETA])
    corpora = [formats.read(path, role="response") for path in (ALPHA, BETA)]
    by_corpus = analyse(formats.read(KEY, role="key"), corpora)
    assert [system.name for system in by_path.systems] == ["alpha", "beta"]
    assert everything(by_path) == everything(by_corpus)
    assert analyse(KEY, ALPHA).systems[0].recall == by_path.systems[0].recall


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["a/x.conll", Path("y.conll.gz")], ["x", "y"]),
        (["a/x.conll", "b/x.conll"], ["a/x.conll", "b/x.conll"]),
        (["x.conll", "x.conll"], ["x.conll (1)", "x.conll (2)"]),
        (["-", DocumentCorpus([], "made")], ["stdin", "made"]),
    ],
)
def test_systems_are_called_after_their_files(given, names: list[str]) -> None:  # type: ignore[no-untyped-def]
    assert system_names(given) == names


def test_no_response() -> None:
    with pytest.raises(RefereeError, match="no response: give at least one"):
        analyse(KEY, [])


def test_layers_come_from_a_file(tmp_path: Path) -> None:
    document = Document.of(
        "d", ("Ann", "sleeps", "she"), ((0, 3),), [Cluster("0", (Mention.at(0, 1), Mention.at(2, 3)))]
    )
    (tmp_path / "d.conllu").write_text(
        "1\tAnn\t_\tPROPN\tNNP\t_\t2\tnsubj\t_\t_\n2\tsleeps\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
        "3\tshe\t_\tPRON\tPRP\t_\t2\tdep\t_\t_\n\n",
        encoding="utf-8",
    )
    study = analyse(DocumentCorpus([document]), DocumentCorpus([document]), layers=tmp_path)
    assert [mention.type for mention in study.mentions] == ["name", "pronoun"]


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "# text = Ann sleeps\n", "# newdoc\n1\tAnn\t_\tX\tX\t_\t0\troot\t_\t_\n", "# newdoc id = \n",
     "# newdoc id = other\n1\tAnn\t_\tX\tX\t_\t0\troot\t_\t_\n", "1\tAnn\t_\tX\tX\t_\t0\troot\t_\t_\n"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["layers.conllu", "d.conllu"])
def test_layers_without_the_document_are_refused_in_words(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    document = Document.of(
        "d", ("Ann", "sleeps"), ((0, 2),), [Cluster("0", (Mention.at(0, 1), Mention.at(1, 2)))]
    )
    with pytest.raises(FormatError, match=r"layers\.conllu|d\.conllu"):
        analyse(DocumentCorpus([document]), DocumentCorpus([document]), layers=path)


def test_a_pipeline_that_is_not_installed_is_refused() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    with pytest.raises(SettingError, match="nlp='stanza' is not a spaCy pipeline that is installed"):
        analyse(KEY, ALPHA, nlp="stanza")


def test_several_processes_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligned, "BATCH", 1)  # a batch for each document
    told: list[int] = []
    several = analyse(KEY, [ALPHA, BETA], jobs=2, progress=told.append)
    assert told == [1] * len(several.documents)
    assert len(told) > 1
    assert everything(several) == everything(analyse(KEY, [ALPHA, BETA]))


def test_a_study_pickles_and_copies() -> None:
    study = analyse(KEY, [ALPHA, BETA])
    before = everything(study)
    for again in (pickle.loads(pickle.dumps(study)), copy.deepcopy(study)):
        assert everything(again) == before


def test_strict_refuses_repeated_mentions_as_scoring_does() -> None:
    once = [Cluster("0", (Mention.at(0, 1), Mention.at(2, 3)))]
    again = [*once, Cluster("1", (Mention.at(0, 1), Mention.at(4, 5)))]
    plain, repeated = (
        DocumentCorpus([Document.of("d", tuple("abcdef"), ((0, 6),), clusters)], name)
        for clusters, name in ((once, "plain"), (again, "repeated"))
    )
    strict = Protocol(input="strict")
    for key, response in ((plain, repeated), (repeated, plain)):
        messages = []
        for judge in (
            lambda k, r: analyse(k, r, protocol=strict),
            lambda k, r: referee.score(k, r, protocol=strict),
        ):
            with pytest.raises(FormatError) as refused:
                judge(key, response)
            messages.append(str(refused.value))
        assert "repeated: 1 repeated mention" in messages[0]
        assert messages[0] == messages[1]
        assert analyse(key, response).notices


def failing(mention: Described) -> str:
    return {"dog": "animal"}[mention.words[-1]]


def numbering(mention: Described) -> int:
    return len(mention.words)


@pytest.mark.parametrize(
    ("category", "message"),
    [
        (failing, "the category 'failing' of 'a cat' .document d, words 2:4.: KeyError: 'cat'"),
        (numbering, "the category 'numbering' of 'dog' .document d, words 0:1.: gave 1, which is not a word"),
    ],
)
def test_a_category_that_fails_is_named_with_its_mention(category, message: str) -> None:  # type: ignore[no-untyped-def]
    document = Document.of(
        "d", ("dog", "bit", "a", "cat"), ((0, 4),), [Cluster("0", (Mention.at(0, 1), Mention.at(2, 4)))]
    )
    with pytest.raises(RefereeError, match=message):
        analyse(DocumentCorpus([document]), DocumentCorpus([document]), mention_type=category)


def test_a_tree_that_fails_is_named_with_its_entity() -> None:
    def broken(entity: Sequence[Described]) -> list[int]:
        return [1 // (len(entity) - 3)]

    document = Document.of(
        "d", tuple("abc"), ((0, 3),), [Cluster("0", tuple(Mention.at(i, i + 1) for i in range(3)))]
    )
    with pytest.raises(
        RefereeError, match=r"the tree 'broken' of an entity of 3 mentions .'a', … in document d.: Zero"
    ):
        analyse(DocumentCorpus([document]), DocumentCorpus([document]), spanning_tree=broken)


def test_the_signature_names_trees_as_that_of_a_score_does() -> None:
    for match in ("exact", "mina", "head"):
        protocol = Protocol(match=match)
        scored = referee.score(str(KEY), str(ALPHA), protocol=protocol)
        study = analyse(KEY, ALPHA, protocol=protocol)
        assert study.signature == scored.signature
        assert ("trees:" in study.signature) is (match != "exact")
    corpus = DocumentCorpus(list(formats.read(KEY)), "key", cross_document=True)
    groups = {id_: f"g{number % 2}" for number, id_ in enumerate(corpus.ids)}
    protocol = Protocol(scope="group")
    study = analyse(corpus, corpus, protocol=protocol, groups=groups)
    assert "groups:" in study.signature
    assert study.signature == referee.score(corpus, corpus, scope=groups).signature


def test_nothing_in_common_is_said() -> None:
    def corpus(*starts: int) -> DocumentCorpus:
        clusters = [Cluster("0", tuple(Mention.at(start, start + 1) for start in starts))] if starts else []
        return DocumentCorpus([Document.of("d", tuple("abcdef"), ((0, 6),), clusters)], "made")

    assert any("NO MENTION IN COMMON" in notice for notice in analyse(corpus(0, 1), corpus(2, 3)).notices)
    assert any("THE RESPONSE HAS NO MENTION" in notice for notice in analyse(corpus(0, 1), corpus()).notices)
    assert not any("NO MENTION" in notice for notice in analyse(corpus(0, 1), corpus(1, 2)).notices)
