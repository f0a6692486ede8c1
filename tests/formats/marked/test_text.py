"""Files of marked text: the notation, the documents in them, what is written and read again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from documents_to_mark import INLINE, NOTATIONS, made_document, spans_of, written
from referee import Cluster, Document, FormatError, Mention, formats
from referee.cli import main
from referee.formats.catalogue import NOTATION_ENDINGS
from referee.formats.marked import text as marked_text
from referee.formats.marked.json_answers import json_answers, scan_json
from referee.formats.marked.text import Answer, MarkedCorpus, notation_of
from referee.matching.answers.placing import place_answer
from referee.model import Zero

SPECIMENS = {
    "crac-text": "Anna|[1] met the|[2 president|2] . She|[1] left .",
    "markdown": "[Anna](#1) met [the president](#2). [She](#1) left.",
    "tags": '<m id="1">Anna</m> met <m id="2">the president</m>. <m id="1">She</m> left.',
    "brackets": "[Anna: 1] met [the president: 2]. [She: 1] left.",
    "json-answer": '{"clusters": [["Anna", "She"], ["the president"]], '
    '"text": "Anna met the president. She left."}',
}


def read(path: Path, raw: str) -> MarkedCorpus:
    path.write_text(raw, encoding="utf-8")
    corpus = formats.read(path)
    assert isinstance(corpus, MarkedCorpus)
    return corpus


def mentions(document: Document) -> dict[str, list[str]]:
    return {c.id: [document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters}


@pytest.mark.parametrize("notation", SPECIMENS)
@pytest.mark.parametrize(
    "around", ["{}", "Here is the annotated text:\n\n{}\n\nI hope it helps!", "x\n```\n{}\n```\n"]
)
def test_each_notation_is_recognised_by_its_tags(notation: str, around: str, tmp_path: Path) -> None:
    corpus = read(tmp_path / "story.txt", around.replace("{}", SPECIMENS[notation]))
    assert corpus.answers[0].notation == notation
    if notation != "crac-text" or around == "{}":
        assert mentions(corpus.document(0)) == {"1": ["Anna", "She"], "2": ["the president"]}
        assert corpus.ids == ["story"]
    assert "marked text, read as" in corpus.notices[0]


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_name_of_a_file_may_say_its_notation(notation: str, tmp_path: Path) -> None:
    other = '[x](#1) [y](#2) [z](#3) w|[e1] <m id=\'1\'>v</m> [u: 1] {"clusters": [["t"]]}'
    corpus = read(tmp_path / f"story{NOTATION_ENDINGS[notation]}", other)
    assert {answer.notation for answer in corpus.answers} == {notation}
    assert corpus.ids[0] == "story"


def test_without_any_tag_the_notations_are_listed(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"story.txt:1: no mention is marked; .*\[the president\]\(#1\)"):
        read(tmp_path / "story.txt", "Anna met the president [yesterday].")


def test_of_many_files_some_may_have_no_tag(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Nothing here.")
    (tmp_path / "b.txt").write_text(SPECIMENS["markdown"])
    corpus = formats.read(tmp_path)
    assert corpus.ids == ["a", "b"]
    assert f"no mention is marked in 1 of its files (first {tmp_path / 'a.txt'})" in corpus.notices[1]


def test_a_folder_of_another_format_is_not_taken_for_answers(tmp_path: Path) -> None:
    (tmp_path / "LICENSE.txt").write_text(SPECIMENS["markdown"])
    (tmp_path / "a.conll").write_text("#begin document (a); part 000\na 0 0 x (1)\n#end document\n")
    assert formats.read(tmp_path).ids == ["(a); part 000"]


@pytest.mark.parametrize(
    "raw",
    [
        "#begin document (a); part 000\na 0 0 [x](#1) (1)\n#end document\n",
        "a 0 0 The (1\na 0 1 cat 1)\n",
        '{"doc_key": "a", "sentences": [["[x](#1)"]], "clusters": [[[0, 0]]]}\n',
        '{"text": "[x](#1)", "clusters": [[[0, 1]]]}\n',
        '{"doc_key": "a", "tokens": ["x"], "clusters": [[[0, 0]]]}\n',
        '{"clusters": [[[0, 0]]], "tokens": ["x"]}\n{"clusters": [[[0, 0]]], "tokens": ["x"]}\n',
        '{"sentences": [["x"]]}\n',
        '<DOC><DOCID>a</DOCID><COREF ID="1">x</COREF></DOC>',
    ],
)
def test_other_formats_stay_what_they_are(raw: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(raw)
    assert not isinstance(formats.read(tmp_path / "a"), MarkedCorpus)


def test_a_line_that_ends_like_a_coreference_cell_is_no_conll(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", "[Anna](#1) said it (laughing)\nand [she](#1) left (1)\n").ids == ["a"]


@pytest.mark.parametrize(
    "raw",
    [
        '{"clusters": [[{"text": "x"}]]}',
        '{"clusters": {"1": ["x"]}, "text": "x"}',
        '{"text": "x", "clusters": [[{"text": "x"}]]}',
        '{"id": 1, "mentions": [{"text": "x"}]}\n{"id": 2, "mentions": [{"text": "y"}]}',
        "{'text': 'x', 'clusters': [[[0, 1]]]}",
        "{{x|1}} y",
        "[x: Ann] [y: Ann]",
        "[x]₁ y",
        "<PERSON_1>x</PERSON_1> y",
    ],
)
def test_answers_are_taken_for_answers(raw: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(raw)
    assert isinstance(formats.read(tmp_path / "a.txt"), MarkedCorpus)


def test_tags_of_muc_are_an_answer_where_a_response_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text('Sure: <coref id="1">x</coref> y <coref id="1">z')
    assert isinstance(formats.read(tmp_path / "a", role="response"), MarkedCorpus)
    (tmp_path / "b").write_text('<DOC><COREF ID="1">x</COREF> y</DOC>')
    assert not isinstance(formats.read(tmp_path / "b", role="response"), MarkedCorpus)


def test_repairs_are_notices(tmp_path: Path) -> None:
    corpus = read(tmp_path / "a.txt", "// clusters\n{'clusters': [['x']]}")
    assert corpus.notices[-1] == f"{tmp_path / 'a.txt'}:2: repaired before it was read: single quotes"


@pytest.mark.parametrize("notation", ["markdown", "tags", "brackets"])
def test_asterisks_of_the_text_are_not_bold(notation: str, tmp_path: Path) -> None:
    document = Document.of("a", ("**x**", "**", "y"), ((0, 3),), (Cluster("1", (Mention.at(0, 1),)),))
    formats.write([document], tmp_path / "a.txt", notation)
    answer = answer_in((tmp_path / "a.txt").read_text(), notation)
    assert answer.marking.text.split() == ["**x**", "**", "y"]
    assert not answer.marking.repairs


def test_documents_begin_with_headings(tmp_path: Path) -> None:
    raw = "Prose.\n# newdoc id = a/1\n[x](#1)\n# newdoc id = b\n[y](#2)\nz](#3)\n"
    corpus = read(tmp_path / "all.txt", raw)
    assert corpus.ids == ["a/1", "b"]
    assert corpus.named
    assert corpus.flaws(1) == [(6, "'z](#3)' does not mark a mention: unopened")]
    assert corpus.location(1) == f"{tmp_path / 'all.txt'}:4"


def test_thoughts_and_other_blocks_are_no_text(tmp_path: Path) -> None:
    raw = "<think>[w](#9)?</think>Text:\n```\nx y\n```\nAnswer:\n```text\n[x](#1) [y](#1)\n```\n[Bye](#2)"
    [answer] = read(tmp_path / "a.txt", raw).answers
    assert answer.marking.text == "x y\n"
    assert answer.where(answer.marking.marks[0].position).endswith("a.txt:7")


def test_lines_are_sentences_and_bytes_that_are_no_text_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"[Caf\xe9](#1) .\n\nIt is [it](#1) .\n")
    document = formats.read(path).document(0)
    assert document.sentences == ((0, 3), (3, 7))
    assert document.words[:2] == ("Caf", "\udce9")


@pytest.mark.parametrize("notation", NOTATIONS)
def test_what_is_written_is_read_again(notation: str) -> None:
    chance = random.Random(notation)
    for _ in range(300):
        document = made_document(chance, crossing=notation == "json-answer")
        raw = written(document, notation)
        again = answer_in(raw, notation)
        back, loss = place_answer(document, again)
        assert sorted(spans_of(back).values()) == sorted(spans_of(document).values()), raw
        assert notation == "json-answer" or spans_of(back) == spans_of(document)
        assert not loss.lost


@pytest.mark.parametrize("notation", ["crac-text", "json-answer"])
def test_notations_with_words_keep_words_and_zeros(notation: str) -> None:
    zeros = (Zero(1, governors=((0, "nsubj"),)), Zero(3))
    document = Document.of("d", ["Dice", "que", "si", "_", "ella"], [(0, 3)], [
        Cluster("e1", (Mention(((0, 2), (3, 4))), Mention.at(4, 5)))
    ]).with_text(zeros=zeros)  # fmt: skip
    again = answer_in(written(document, notation), notation).document
    assert again.words == document.words
    assert [cluster.mentions for cluster in again.clusters] == [
        cluster.mentions for cluster in document.clusters
    ]


def answer_in(raw: str, notation: str) -> Answer:
    scan = marked_text.NOTATIONS[notation].scan
    marking = scan(raw, 0, len(raw)) if scan else scan_json(json_answers(raw)[0])
    return Answer("d", "d.txt", 1, notation, marking, [])


@pytest.mark.parametrize("notation", NOTATIONS)
def test_several_documents_are_written_and_read(notation: str, tmp_path: Path) -> None:
    documents = [
        Document.of(name, ["Anna", "left", "."], [(0, 3)], [Cluster("1", (Mention.at(0, 1),))])
        for name in "ab"
    ]
    path = tmp_path / f"all{NOTATION_ENDINGS[notation]}"
    formats.write(documents, path)
    corpus = formats.read(path)
    assert corpus.ids == (["all", "all#2"] if notation == "crac-text" else ["a", "b"])
    assert [mentions(document) for document in corpus] == [{"1": ["Anna"]}] * 2


def test_ids_that_a_notation_cannot_write_become_numbers() -> None:
    document = Document.of("d", ["x", "y"], [(0, 2)], [
        Cluster("a b", (Mention.at(0, 1),)), Cluster("c]", (Mention.at(1, 2),))
    ])  # fmt: skip
    assert written(document, "markdown") == "[x](#1) [y](#2)\n"
    assert written(document, "brackets") == "[x: 1] [y: 2]\n"
    assert written(document, "crac-text") == "x|[e1] y|[e2]\n"
    assert written(document, "tags") == '<m id="a b">x</m> <m id="c]">y</m>\n'


@pytest.mark.parametrize("notation", INLINE)
def test_crossing_mentions_are_refused(notation: str) -> None:
    clusters = [Cluster("1", (Mention.at(0, 2),)), Cluster("2", (Mention.at(1, 3),))]
    document = Document.of("d", ["x", "y", "z"], [(0, 3)], clusters)
    with pytest.raises(FormatError, match=r"'x y' and 'y z' cross, .*crac-text and json-answer can"):
        written(document, notation)


def test_running_text_is_written_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "Ann  met\\tBob.", "clusters": [[[0, 3], [9, 12]]]}\n')
    result = CliRunner().invoke(main, ["convert", str(tmp_path / "a.jsonl"), "-", "--to", "markdown", "-q"])
    assert result.output == "[Ann](#0)  met\t[Bob](#0).\n"


def test_a_word_that_means_a_zero_is_refused() -> None:
    document = Document.of("d", ["##"], [(0, 1)], [])
    with pytest.raises(FormatError, match="'##' would be read as one that is not written"):
        written(document, "crac-text")


def test_strings_without_text_need_a_key(tmp_path: Path) -> None:
    with pytest.raises(
        FormatError, match=r"a.txt:2: the clusters come without their text; score them against"
    ):
        read(tmp_path / "a.txt", 'Here:\n{"clusters": [["Anna"]]}').document(0)


def test_most_tags_win() -> None:
    assert notation_of("[x](#1) [y](#1) [z: 1]") == "markdown"
    assert notation_of("[x](#1) [y: 1] [z: 1]") == "brackets"
    assert notation_of("no tags: [1], a|b, x < y") is None
