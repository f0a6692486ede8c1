"""What a report is made of, before any browser sees it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.cli import main
from referee.cli.report import gather, score_every_way
from referee.cli.study import Files, StudyOptions
from referee.errors.study import analyse
from referee.errors.transformations import CLASSES
from referee.matching.protocol import Protocol
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention, cut_text
from referee.page.data import Scores, report_data
from referee.page.render import SCRIPTS, STYLES, embedded, render

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
HARBOUR = "(nw/sample/harbour); part 000"
HOME = files("referee.page")

Clusters = Sequence[Sequence[tuple[int, int]]]


def data_of(key: DocumentCorpus, *responses: DocumentCorpus) -> dict[str, Any]:
    names = [chr(ord("a") + number) for number in range(len(responses))]
    study = analyse(key, responses, names=names)
    return report_data(study, scores_of(key, responses, names), key="key")


def scores_of(key: Corpus, responses: Sequence[Corpus], names: Sequence[str]) -> Scores:
    return score_every_way(Files(key, responses, names), [Protocol()])


def document(clusters: Clusters, words: str = "a b c d e f g h i j", **layers: str) -> Document:
    tokens = tuple(words.split())
    columns = {name: tuple(layer.split()) for name, layer in layers.items()}
    made = tuple(Cluster(str(i), tuple(Mention.at(*m) for m in c)) for i, c in enumerate(clusters))
    return Document.of("d", tokens, ((0, len(tokens)),), made, columns)


def corpus(clusters: Clusters, **options: str) -> DocumentCorpus:
    return DocumentCorpus([document(clusters, **options)], "made")


def sample() -> dict[str, Any]:
    key, *responses = (referee.read(path) for path in (KEY, ALPHA, BETA))
    study = analyse(key, responses, names=["alpha", "beta"])
    return report_data(study, scores_of(key, responses, ["alpha", "beta"]), key="key")


def test_the_value_is_plain_json() -> None:
    data = sample()
    assert json.loads(json.dumps(data)) == data


def test_there_are_as_many_errors_as_muc_counts() -> None:
    data = sample()
    counted = Counter((error[0], error[1]) for doc in data["documents"] for error in doc["errors"])
    for system, path in enumerate((ALPHA, BETA)):
        counts = referee.score(KEY, path).muc.counts
        for side, name in enumerate(("recall", "precision")):
            assert counted[system, side] == counts[f"{name}_denominator"] - counts[f"{name}_numerator"] > 0


def test_scores_are_those_of_the_scorer() -> None:
    data = sample()
    result = referee.score(KEY, ALPHA)
    at = data["metrics"].index("B³")
    assert data["scores"][0]["values"][0][at][2] == pytest.approx(result.b_cubed.f1, abs=1e-6)
    assert data["scores"][0]["conll"][0] == pytest.approx(result.conll, abs=1e-6)
    by_document = [part.conll for part in result.by(result.units).values()]
    shown = [doc["scores"][0] for doc in sorted(data["documents"], key=lambda doc: str(doc["id"]))]
    assert shown == pytest.approx(by_document, abs=1e-6)


def test_possible_errors_are_all_links_of_the_key_and_all_that_a_system_made() -> None:
    data = sample()
    counts = referee.score(KEY, BETA).muc.counts
    assert sum(count for *_, count in data["possible"]["recall"]) == counts["recall_denominator"]
    assert sum(count for *_, count in data["possible"]["precision"][1]) == counts["precision_denominator"]


def test_response_entities_have_the_number_of_the_key_entity_that_they_fit() -> None:
    key = corpus([[(0, 1), (2, 3), (4, 5)], [(1, 2), (3, 4)]])
    doc = data_of(key, corpus([[(1, 2), (3, 4)], [(0, 1), (2, 3)], [(4, 5), (6, 7)], [(8, 9)]]))["documents"][
        0
    ]
    by_first = {doc["mentions"][mentions[0]][0]: number for number, mentions in doc["responses"][0]}
    assert by_first == {0: 1, 1: 2, 4: 3, 8: 4}


CASES: dict[str, tuple[Clusters, Clusters, int]] = {
    "divided entity": ([[(0, 1), (2, 3)]], [[(0, 1)], [(2, 3)]], 0),
    "missing mention": ([[(0, 1), (2, 3), (5, 6)]], [[(0, 1), (2, 3)]], 0),
    "missing entity": ([[(0, 1), (2, 3)]], [], 0),
    "conflated entities": ([[(0, 1)], [(2, 3)]], [[(0, 1), (2, 3)]], 1),
    "extra mention": ([[(0, 1), (2, 3)]], [[(0, 1), (2, 3), (5, 6)]], 1),
    "extra entity": ([[(0, 1)]], [[(0, 1)], [(3, 4), (5, 6)]], 1),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_link_has_the_class_of_what_is_wrong_with_it(kind: str) -> None:
    key, response, side = CASES[kind]
    data = data_of(corpus(key), corpus(response))
    ((_, found_side, found, anaphor, antecedent, *_),) = data["documents"][0]["errors"]
    assert (found_side, data["kinds"][found]) == (side, kind)
    assert anaphor > antecedent


def test_wrong_boundaries_are_a_span_error_on_both_sides() -> None:
    data = data_of(corpus([[(0, 1), (2, 4)]]), corpus([[(0, 1), (3, 4)]]))
    assert [data["kinds"][kind] for _, _, kind, *_ in data["documents"][0]["errors"]] == ["span error"] * 2
    assert data["gains"][0][data["kinds"].index("span error")] == pytest.approx(
        1 - referee.score([["a", "b"]], [["a", "c"]]).conll
    )


def test_every_class_has_a_case() -> None:
    assert {*CASES, "span error"} == set(CLASSES)


def test_types_come_from_parts_of_speech_or_are_untyped() -> None:
    tags = "NNP VBD PRP DT NN . X X X X"
    typed = data_of(corpus([[(0, 1), (2, 3), (3, 5)]], pos=tags), corpus([]))
    assert [typed["types"][t] for t in typed["documents"][0]["types"]] == ["name", "pronoun", "noun"]
    untyped = data_of(corpus([[(0, 1), (2, 3)]]), corpus([]))
    assert untyped["types"] == ["untyped"]
    assert any("untyped" in notice for notice in untyped["notices"])


def test_an_error_says_what_its_mentions_have_in_common() -> None:
    words, tags = (
        "the National Hockey League met ; NHL players of the League",
        "DT NNP NNP NNP VBD : NNP NNS IN DT NNP",
    )
    data = data_of(corpus([[(0, 4), (6, 7), (9, 11)]], words=words, pos=tags), corpus([]))
    found = [
        (data["overlaps"][overlap], [data["hints"][hint] for hint in hints])
        for *_, overlap, hints in ((*error[:6], error[6:]) for error in data["documents"][0]["errors"])
    ]
    assert found == [("acronym", ["acronym"]), ("none", [])]


def test_a_missing_document_is_an_empty_one() -> None:
    other = DocumentCorpus([Document.of("other", ("a",), ((0, 1),), ())], "other")
    key = DocumentCorpus([document([[(0, 1), (2, 3)]]), *other.documents], "key")
    data = data_of(key, other)
    assert data["documents"][0]["responses"] == [[]]
    assert len(data["documents"][0]["errors"]) == 1
    assert any("missing" in notice for notice in data["notices"])


def test_a_running_text_is_cut_at_every_mention_of_any_side() -> None:
    def running(*spans: tuple[int, int]) -> DocumentCorpus:
        cluster = Cluster("0", tuple(Mention.at(*span) for span in spans))
        return DocumentCorpus([cut_text("d", "Anna's dog saw her.", [cluster])], "running")

    doc = data_of(running((0, 4), (15, 18)), running((0, 6), (15, 18)))["documents"][0]
    tokens = doc["tokens"].split("\n")
    texts = ["".join(tokens[start:end]) for start, end in doc["mentions"]]
    assert texts == ["Anna", "Anna's", "her"]


def test_turns_of_speakers_are_kept_where_there_are_any() -> None:
    spoken = data_of(corpus([[(0, 1), (2, 3)]], speaker="X X Y Y Y X X - - -"), corpus([]))["documents"][0]
    assert spoken["speakers"] == [[0, "X"], [2, "Y"], [5, "X"], [7, "-"]]
    silent = data_of(corpus([[(0, 1), (2, 3)]], speaker="- - - - - - - - - -"), corpus([]))["documents"][0]
    assert silent["speakers"] == []


def test_a_token_may_be_a_line_break() -> None:
    made = Document.of(
        "d", ("a", "\n", "b\nc"), ((0, 3),), (Cluster("0", (Mention.at(0, 1), Mention.at(2, 3))),)
    )
    doc = data_of(DocumentCorpus([made]), corpus([]))["documents"][0]
    assert doc["tokens"].split("\n") == ["a", " ", "b c"]


def test_a_running_text_is_shown_in_the_words_of_the_key(tmp_path: Path) -> None:
    running = tmp_path / "running.jsonl"
    words = " ".join(next(iter(referee.read(KEY))).words)
    line = {"doc_key": HARBOUR, "text": words, "clusters": [[[0, 3], [4, 8]]]}
    running.write_text(json.dumps(line), encoding="utf-8")
    shown = run(KEY, str(running), "-o", str(tmp_path / "r.html"))
    assert shown.exit_code == 0
    line["text"] = "The head"
    running.write_text(json.dumps(line), encoding="utf-8")
    assert "characters in the key, 7 in the response" in run(KEY, str(running)).output


def test_broken_mentions_keep_their_spans() -> None:
    broken = Mention(((0, 1), (3, 5)))
    made = Document.of("d", tuple("abcdef"), ((0, 6),), (Cluster("0", (broken, Mention.at(5, 6))),))
    doc = data_of(DocumentCorpus([made]), corpus([]))["documents"][0]
    assert doc["mentions"] == [[0, 1, 3, 5], [5, 6]]


@given(st.text())
def test_embedded_text_cannot_leave_its_script(text: str) -> None:
    written = embedded({"text": text})
    assert json.loads(written) == {"text": text}
    assert not set("<>&\u2028\u2029") & set(written)


def test_bytes_that_are_not_utf8_survive() -> None:
    text = b"caf\xe9".decode("utf-8", "surrogateescape")
    written = embedded({"text": text})
    assert json.loads(written.encode("utf-8")) == {"text": text}


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    page = render(data_of(corpus([[(0, 1), (2, 3)]]), corpus([])))
    assert "default-src 'none'" in page
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]+[^\s\"'`]*", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:script|img|iframe)[^>]+src|@import|url\((?!#)", page)


def test_a_title_is_escaped() -> None:
    key, response = corpus([[(0, 1), (2, 3)]]), corpus([])
    study = analyse(key, [response], names=["a"])
    scores = scores_of(key, [response], ["a"])
    assert "<title>&lt;b&gt; &amp; co</title>" in render(
        report_data(study, scores, key="key", title="<b> & co")
    )


def test_every_style_and_script_is_bundled_and_none_reads_markup() -> None:
    for folder, names, ending in (("style", STYLES, "css"), ("script", SCRIPTS, "js")):
        assert {entry.name for entry in (HOME / folder).iterdir()} == {f"{name}.{ending}" for name in names}
    for name in SCRIPTS:
        text = (HOME / "script" / f"{name}.js").read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|</script|<!--", text
        )


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


THEMES = [
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", rule))
    for rule in re.findall(
        r"\{[^{}]*--paper[^{}]*\}", (HOME / "style/colours.css").read_text(encoding="utf-8")
    )
]


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark by system", "dark by choice"])
def test_colours_have_contrast(theme: dict[str, str]) -> None:
    inks = ["ink", "soft", "accent", "recall", "precision", "alone", *(f"hue{i}" for i in range(8))]
    pairs = [(ink, ground) for ink in inks for ground in ("paper", "ground")]
    pairs += [("ink", mark) for mark in ("heat-recall", "heat-precision", "anaphor", "antecedent", "found")]
    assert {
        pair: contrast(*(theme[name] for name in pair))
        for pair in pairs
        if contrast(*(theme[name] for name in pair)) < 4.5
    } == {}


def test_both_dark_themes_are_the_same() -> None:
    assert len(THEMES) == 3
    assert THEMES[1] == THEMES[2]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    shown = run(KEY, ALPHA, BETA, "-o", str(target), "--title", "My systems")
    assert shown.exit_code == 0, shown.output
    assert str(target) in shown.stderr
    page = target.read_text(encoding="utf-8")
    assert "<title>My systems</title>" in page
    assert "Ellery" in page


def test_a_key_with_parses_is_scored_by_minimum_and_head_spans_too() -> None:
    data = gather(KEY, [ALPHA, BETA], Protocol(), StudyOptions())
    assert [part["label"].split()[0] for part in data["scores"]] == ["maximum", "minimum", "head"]
    for part, match in zip(data["scores"], ("exact", "mina", "head"), strict=True):
        protocol = Protocol(match=match, bad_parses="refuse" if match == "exact" else "skip")
        assert part["signature"] == protocol.signature
        assert part["conll"][0] == pytest.approx(referee.score(KEY, ALPHA, protocol=protocol).conll, abs=1e-6)
    assert data["scores"][1]["conll"][0] > data["scores"][0]["conll"][0]  # alpha's errors are of boundaries


def test_parses_may_stand_beside_the_key(tmp_path: Path) -> None:
    key = document([[(0, 3), (4, 5)]], "the old dog barked it", pos="DT JJ NN VBD PRP")
    response = document([[(1, 3), (4, 5)]], "the old dog barked it")
    paths = [str(tmp_path / f"{name}.conll") for name in ("key", "response")]
    for path, made in zip(paths, (key, response), strict=True):
        referee.write([made], path)
    trees = tmp_path / "d.ptb"
    trees.write_text(
        "(S (NP (DT the) (JJ old) (NN dog)) (VP (VBD barked) (NP (PRP it))))\n", encoding="utf-8"
    )
    without = gather(paths[0], paths[1:], Protocol(), StudyOptions())
    assert [part["label"] for part in without["scores"]] == ["maximum spans"]
    beside = gather(paths[0], paths[1:], Protocol(), StudyOptions(), parses=str(trees))
    assert [part["conll"] for part in beside["scores"]][2] == [1.0]


def test_singletons_can_be_dropped() -> None:
    kept, dropped = (
        gather(KEY, [ALPHA], Protocol(singletons=choice), StudyOptions()) for choice in ("keep", "drop")
    )
    assert "singletons:drop" in dropped["scores"][0]["signature"]
    assert len(dropped["documents"][0]["key"]) < len(kept["documents"][0]["key"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((KEY, "-"), "give files"),
        ((KEY, "nowhere.conll"), "nowhere.conll"),
        ((KEY, ALPHA, "-o", "nowhere/at/all.html"), "nowhere/at/all.html"),
        ((KEY, ALPHA, "--protocol", "strickt"), "did you mean strict"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], message: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code != 0
    assert message in shown.output
    assert "Traceback" not in shown.output
