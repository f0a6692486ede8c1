"""Answers of models against a key: names, losses, and that mentions which nothing happened to are found."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import referee
from documents_to_mark import made_document, spans_of, with_words, written
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, Protocol, Result, formats
from referee.formats.marked import text as marked_text
from referee.formats.marked.json_answers import json_answers, scan_json
from referee.formats.marked.text import Answer, MarkedCorpus
from referee.matching.answers.losses import TextLoss
from referee.matching.answers.placing import answer_problems, file_name_of, names_of_documents, place_answer
from referee.model import Zero

STORY = ["Anna", "met", "the", "president", ".", "She", "did", "n't", "like", "him", "."]


def story(name: str = "story") -> Document:
    clusters = [
        Cluster("1", (Mention.at(0, 1), Mention.at(5, 6))),
        Cluster("2", (Mention.at(2, 4), Mention.at(9, 10))),
    ]
    return Document.of(name, STORY, [(0, 5), (5, 11)], clusters)


def answer(raw: str, notation: str = "markdown") -> Answer:
    scan = marked_text.NOTATIONS[notation].scan
    assert scan is not None
    marking = scan(raw, 0, len(raw))
    newlines = [match.start() for match in re.finditer("\n", raw)]
    return Answer("story", "story.txt", 1, notation, marking, newlines)


def told(raw: str, notation: str = "markdown") -> tuple[dict[str, list[str]], TextLoss]:
    document, loss = place_answer(story(), answer(raw, notation))
    assert document.words == tuple(STORY)
    return {c.id: [document.text.spelled(m.spans) for m in c.mentions] for c in document.clusters}, loss


def test_mentions_are_on_the_words_of_the_key() -> None:
    mentions, loss = told("[Anna](#a) met [the president](#b). [She](#a) didn’t like [him](#b).")
    assert mentions == {"a": ["Anna", "She"], "b": ["the president", "him"]}
    assert loss.is_whole
    assert (loss.share, loss.mentions) == (1, 4)


def test_losses_have_reasons_and_lines() -> None:
    raw = (
        "Sure:\n[Anna](#1) met [the\npresident. She](#1) did [hate\n[him](#2). [](#9)\n\n[Zoe](#1) too](#3)."
    )
    mentions, loss = told(raw)
    assert mentions == {"1": ["Anna", "the president . She"], "2": ["him"]}
    assert [(lost.where, lost.reason) for lost in loss.lost] == [
        ("story.txt:3", "unclosed"),
        ("story.txt:4", "empty"),
        ("story.txt:6", "text not found"),
        ("story.txt:6", "unopened"),
    ]
    assert loss.mentions == 7
    assert str(loss.lost[2]) == "story.txt:6: 'Zoe': text not found"


def test_brackets_of_the_key_are_no_lost_mentions() -> None:
    key = Document.of("story", ["He", "[", "sic", "]", "saw", "[", "her"], [(0, 7)], [])
    _, loss = place_answer(key, answer("[He](#1) [sic] saw [her"))
    assert loss.lost == []
    _, loss = place_answer(key, answer("[He](#1) sic saw [her] and [him"))
    assert [lost.reason for lost in loss.lost] == ["unclosed"]


def test_repeated_and_invented_sentences_find_no_place() -> None:
    raw = "[Anna](#1) met the president. [Anna](#1) met the president. She didn't like him. [He](#3) wept."
    mentions, loss = told(raw)
    assert mentions == {"1": ["Anna"]}
    assert [lost.reason for lost in loss.lost] == ["text not found"] * 2


def test_strings_and_offsets_without_text_are_looked_up_in_the_key() -> None:
    marking = scan_json(
        json_answers('{"clusters": [["anna", "She", "Zoe"], [[2, 3], [9, 9], [5, 99], [3, 2]]]}')[0]
    )
    document, loss = place_answer(story(), Answer("story", "s.txt", 1, "json-answer", marking, []))
    assert list(spans_of(document).values()) == list(spans_of(story()).values())
    reasons = sorted(lost.reason for lost in loss.lost)
    assert reasons == ["outside the text", "outside the text", "text not found"]
    assert loss.to_dict()["words"] is None


def test_zeros_are_found_by_what_they_depend_on() -> None:
    words = ["Dice", "que", "viene", "_", "ella", "_"]
    zeros = (Zero(0, governors=((0, "nsubj"),)), Zero(3, governors=((2, "nsubj"),)), Zero(3, 2))
    key = Document.of("story", words, [(0, 3)], [Cluster("1", (Mention.at(3, 4),))]).with_text(zeros=zeros)
    raw = "Dice|[e2] ##|[e1] que viene|[e4 ##|[e1],e4] ##|[e3] ##|[e5]"
    document, loss = place_answer(key, answer(raw, "crac-text"))
    assert spans_of(document) == {
        "e1": [((3, 4),), ((4, 5),)],
        "e2": [((0, 1),)],
        "e3": [((5, 6),)],
        "e4": [((2, 3), (4, 5))],
    }
    assert [(lost.shown, lost.reason) for lost in loss.lost] == [("##", "text not found")]


def score(folder: Path, files: dict[str, str], keys: list[str], **settings: str) -> Result:
    for name, raw in files.items():
        (folder / name).write_text(raw, encoding="utf-8")
    response = formats.read(*(folder / name for name in files), role="response")
    return referee.score(
        DocumentCorpus([story(id_) for id_ in keys], "key"), response, protocol=Protocol(**settings)
    )


MARKDOWN = "[Anna](#1) met [the president](#2). [She](#1) didn't like [him](#2)."
CRAC = "Anna|[1] met the|[2 president|2] . She|[1] did n't like him|[2] ."


def test_one_file_needs_no_name(tmp_path: Path) -> None:
    result = score(tmp_path, {"gpt.txt": MARKDOWN}, ["story"])
    assert result.conll == 1
    assert f"{tmp_path / 'gpt.txt'}: taken for document story, the only one of the key" in result.notices


def test_a_file_of_one_document_may_have_many_lines(tmp_path: Path) -> None:
    result = score(tmp_path, {"gpt.txt": CRAC.replace(" . ", " .\n")}, ["story"])
    assert result.conll == 1


@pytest.mark.parametrize("name", ["(bc/x_1); part 002", "bc/x_1_2", "bc_x_1_2"])
def test_files_are_named_after_documents(name: str, tmp_path: Path) -> None:
    result = score(tmp_path, {"bc_x_1_2.txt": MARKDOWN, "b.txt": MARKDOWN}, [name, "a/b"])
    assert result.conll == 1
    assert result.alignment["mentions"] == 8


def test_lines_are_documents_in_the_order_of_the_key(tmp_path: Path) -> None:
    result = score(tmp_path, {"run.txt": f"{CRAC}\n{CRAC}\n"}, ["a", "b"])
    assert result.conll == 1
    assert any(
        "its 2 lines are taken for the key's documents, in their order" in each for each in result.notices
    )


def test_headings_and_names_in_json_name_documents(tmp_path: Path) -> None:
    raw = f"# newdoc id = b\n{MARKDOWN}\n# newdoc id = a\n{MARKDOWN}\n"
    assert score(tmp_path, {"run.txt": raw}, ["a", "b"]).conll == 1
    corpus = DocumentCorpus([story("a"), story("b")])
    formats.write(corpus, tmp_path / "run.answer.json")
    result = referee.score(corpus, formats.read(tmp_path / "run.answer.json", role="response"))
    assert result.conll == 1


def test_files_that_name_no_document_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"its files are not named after documents of the key, .*name each"):
        score(tmp_path, {"x.txt": MARKDOWN, "y.txt": MARKDOWN}, ["a", "b"])


def test_another_text_is_an_error_or_a_loud_notice(tmp_path: Path) -> None:
    other = "[Once](#1) upon a time there was [a king](#2) who had no crown."
    with pytest.raises(FormatError, match=r"x.txt:1: only 9.1 % of the words of document story were found"):
        score(tmp_path, {"x.txt": other}, ["story"])
    result = score(tmp_path, {"a.txt": MARKDOWN, "b.txt": other}, ["a", "b"])
    assert (
        f"{tmp_path / 'b.txt'}:1: ONLY 9.1 % OF DOCUMENT b WAS FOUND: is it about this text?"
        in result.notices
    )


def test_losses_are_told_and_saved(tmp_path: Path) -> None:
    raw = MARKDOWN.replace("[him](#2)", "him](#2)").replace("Anna", "Hanna")
    result = score(tmp_path, {"a.txt": raw, "b.txt": MARKDOWN}, ["a", "b"])
    summary = next(notice for notice in result.notices if "aligned" in notice)
    assert summary.endswith(
        "Markdown of 2 documents aligned to the key's words: 95.5 % of 22 words kept, 1 changed, 0 dropped, "
        "0 added; 1 of 8 mentions lost (1 unopened)"
    )
    assert any(notice.startswith(f"lost: {tmp_path / 'a.txt'}:1: ") for notice in result.notices)
    again = Result.from_dict(result.to_dict())
    assert again.alignment == result.alignment
    assert result.alignment["words"] == {
        "words": 22,
        "kept": 21,
        "changed": 1,
        "moved": 0,
        "dropped": 0,
        "added": 0,
    }
    assert result.alignment["lost"] == {"unopened": 1}
    assert [document["document"] for document in result.alignment["documents"]] == ["a", "b"]
    assert not result.where([0]).alignment


def test_strict_refuses_any_loss(tmp_path: Path) -> None:
    assert score(tmp_path, {"story.txt": MARKDOWN}, ["story"], input="strict").conll == 1
    with pytest.raises(FormatError, match="strict"):
        score(tmp_path, {"story.txt": MARKDOWN + " So."}, ["story"], input="strict")


def test_marked_text_may_be_the_key(tmp_path: Path) -> None:
    (tmp_path / "key.txt").write_text(MARKDOWN)
    (tmp_path / "response.txt").write_text(MARKDOWN.replace("[him](#2)", "him").replace("met", "saw"))
    key = formats.read(tmp_path / "key.txt")
    assert isinstance(key, MarkedCorpus)
    result = referee.score(key, formats.read(tmp_path / "response.txt", role="response"))
    assert (result.mentions.recall, result.mentions.precision) == (3 / 4, 1)


def test_names_of_files() -> None:
    assert file_name_of("(bc/x); part 000") == "bc_x_0"
    assert names_of_documents(["a/b", "b"]) == {"b": "b", "a_b": "a/b", "a/b": "a/b"}


@pytest.mark.parametrize("notation", ["crac-text", "markdown", "tags", "brackets"])
def test_unharmed_mentions_are_found_exactly(notation: str) -> None:
    """Words are replaced outside mentions and their neighbours; every mention is found where it is."""
    chance = random.Random(notation)
    for _ in range(100):
        document = made_document(chance, length=60)
        document = with_words(document, [f"w{number}" for number in range(len(document.words))])
        inside = {word for mention in document.mentions for word in range(mention.start - 1, mention.end + 1)}
        harmed = [
            word if number in inside or chance.random() < 0.5 else chance.choice(["zzz", "zzz yyy"])
            for number, word in enumerate(document.words)
        ]
        prose = "Here you are :\n" if notation != "crac-text" else ""
        raw = prose + written(with_words(document, harmed), notation)
        back, loss = place_answer(document, answer(raw, notation))
        assert spans_of(back) == spans_of(document), raw
        assert not loss.lost


@pytest.mark.parametrize(
    ("notation", "tag"),
    [
        ("crac-text", r"\|\S+"),
        ("markdown", r"\[|\]\(#\d+\)"),
        ("tags", "</?m[^>]*>"),
        ("brackets", r"\[|: \d+\]"),
    ],
)
def test_a_broken_tag_takes_few_others_along(notation: str, tag: str) -> None:
    """Of mentions that are neither nested nor crossing, a missing tag harms its own alone."""
    chance = random.Random(notation)
    words = [f"w{number}" for number in range(60)]
    clusters = [Cluster(str(i), (Mention.at(3 * i, 3 * i + 2),)) for i in range(20)]
    document = Document.of("story", words, [(0, 60)], clusters)
    raw = written(document, notation)
    tags = list(re.finditer(tag, raw))
    for _ in range(40):
        gone = chance.choice(tags)
        harmed = sum(other.start() < gone.start() for other in tags) // 2
        back, loss = place_answer(document, answer(raw[: gone.start()] + raw[gone.end() :], notation))
        kept = {cluster.id for cluster in back.clusters}
        assert kept == {str(i) for i in range(20)} - {str(harmed)}
        assert len(loss.lost) == 1


def test_a_whole_copy_has_no_problems(tmp_path: Path) -> None:
    def problems(raw: str) -> list[str]:
        (tmp_path / "story.txt").write_text(raw)
        answers = formats.read(tmp_path / "story.txt", role="response")
        assert isinstance(answers, MarkedCorpus)
        return [problem.what for problem in answer_problems(DocumentCorpus([story()], "key"), answers)]

    assert problems(MARKDOWN) == []
    (problem,) = problems(MARKDOWN.replace(" met ", " "))
    assert "1 dropped" in problem
