"""Prompts: the same bytes each time, no annotation of the text asked about, and examples from elsewhere."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import referee
from documents_to_mark import NOTATIONS, made_document
from llm_server import INLINE, some_documents, without_crossings
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention
from referee.exceptions import SettingError
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.formats.marked.manifest import read_manifest, read_reply
from referee.formats.marked.text import answers_in
from referee.llm.instructions import GUIDELINES, RULES, STORY, answer_for, guideline_text, instructions
from referee.llm.prompts import read_prompts
from referee.llm.tokens import Budget, estimated_tokens
from referee.model import Text, Zero, cut_text


@pytest.fixture(scope="module")
def key() -> DocumentCorpus:
    return some_documents()


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_same_prompts_are_the_same_bytes(notation: str, key: DocumentCorpus, tmp_path: Path) -> None:
    made = referee.llm_prompt(key, notation=notation, window=15, overlap=5)
    made.save(tmp_path / "a")
    made.save(tmp_path / "a")  # again, over itself
    bare = DocumentCorpus([Document(each.text, ()) for each in key], "key")
    referee.llm_prompt(bare, notation=notation, window=15, overlap=5).save(tmp_path / "b")  # no annotation
    assert files_in(tmp_path / "a") == files_in(tmp_path / "b")
    again = read_prompts(tmp_path / "a")
    assert (again.manifest, again.texts, again.instructions) == (made.manifest, made.texts, made.instructions)
    assert [*again.documents.values()] == [*made.documents.values()]


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_examples_of_the_instructions_are_right(notation: str, tmp_path: Path) -> None:
    told = instructions(notation, "")
    answer = told[told.index("Answer:\n\n") + len("Answer:\n\n") :]
    assert answer.strip() == answer_for(STORY, notation)
    assert RULES[notation] in told
    ending = "answer.json" if notation == "json-answer" else f"{notation.removesuffix('-text')}.txt"
    (tmp_path / f"story.{ending}").write_text(answer)
    (found,), _ = answers_in(SeekableFile(str(tmp_path / f"story.{ending}")), Ledger(), whole=True)
    assert len(found.marking.marks) + len(found.marking.wanted) == len(STORY.mentions)


@pytest.mark.parametrize("name", GUIDELINES)
def test_guidelines_are_texts_of_their_own(name: str) -> None:
    text = guideline_text(name)
    assert len(text.split()) > 150
    assert sum(text == guideline_text(other) for other in GUIDELINES) == 1
    assert text in instructions("tags", text)


def test_guidelines_may_be_a_file_or_none(key: DocumentCorpus, tmp_path: Path) -> None:
    (tmp_path / "own.md").write_text("Mark cats only.\n")
    made = referee.llm_prompt(key, guidelines=tmp_path / "own.md")
    assert "Mark cats only." in made.instructions
    assert made.manifest.facts["guidelines"] == "own.md"
    assert "What to mark" not in referee.llm_prompt(key, guidelines="none").instructions
    with pytest.raises(SettingError, match="guidelines='gumm' is neither ontonotes, gum"):
        referee.llm_prompt(key, guidelines="gumm")


def test_examples_are_never_texts_that_are_asked_about(key: DocumentCorpus) -> None:
    others = [each.with_text(id=f"e{number}") for number, each in enumerate(some_documents(7, length=30))]
    renamed = key[0].with_text(id="e9")  # another name, the same words
    examples = DocumentCorpus([*key, *others, renamed], "train")
    drawn = [referee.llm_prompt(key, shots=3, examples=examples, seed=seed) for seed in range(9)]
    names = {name for made in drawn for name in made.manifest.facts["examples"]}
    assert names <= {each.id for each in others}
    assert len({tuple(made.manifest.facts["examples"]) for made in drawn}) > 4
    assert drawn[0] == referee.llm_prompt(key, shots=3, examples=examples, seed=0)
    assert drawn[0].instructions.count("Example ") == 3
    with pytest.raises(FormatError, match="train: only 7 of its documents can be examples, not 8"):
        referee.llm_prompt(key, shots=8, examples=examples)


def test_examples_follow_their_corpus(key: DocumentCorpus) -> None:
    """Ids count from 1; without singletons in the corpus the beginning of a document has none either."""
    words = [f"w{number}" for number in range(300)]
    sentences = [(start, start + 10) for start in range(0, 300, 10)]
    clusters = [
        Cluster("x7", (Mention.at(3, 4), Mention.at(5, 6))),
        Cluster("z", (Mention.at(0, 1), Mention.at(8, 9))),
        Cluster("y", (Mention.at(2, 3), Mention.at(250, 251))),
    ]  # fmt: skip
    example = Document.of("example", words, sentences, clusters)
    told = referee.llm_prompt(key, shots=1, examples=example).instructions
    assert '<m id="1">w0</m> w1 w2 <m id="2">w3</m> w4 <m id="2">w5</m> w6 w7 <m id="1">w8</m>' in told
    assert "w199" in told
    assert "w200" not in told
    alone = Document.of("alone", words, sentences, [*clusters, Cluster("a", (Mention.at(4, 5),))])
    told = referee.llm_prompt(key, shots=1, examples=alone).instructions
    assert '<m id="2">w2</m> <m id="3">w3</m> <m id="4">w4</m>' in told


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_text_is_shown_so_that_copying_it_is_an_answer_without_mentions(notation: str) -> None:
    for seed in range(20):
        document = made_document(random.Random(seed), length=30)
        (text,) = referee.llm_prompt(document, notation=notation).texts.values()
        bare = Document(document.text, ())
        if notation == "json-answer":
            shown = [word.split(":", 1) for word in text.split()[1:]]
            assert [word for _, word in shown] == [*document.words]
            assert [number for number, _ in shown] == [str(number) for number in range(len(shown))]
        else:
            assert text == f"Text:\n\n{answer_for(bare, notation)}\n"


def test_names_are_those_of_files(tmp_path: Path) -> None:
    ids = ["(bc/cctv/00); part 002", "../../etc/passwd", "CON/../x", "a b", "a_b", "A_B", ".", "x" * 400]
    ids += ["日本", "instructions", "a.w1", "a.r2"]
    documents = [Document.of(id_, [f"w{number}"], [(0, 1)], []) for number, id_ in enumerate(ids)]
    made = referee.llm_prompt(documents)
    made.save(tmp_path / "prompts")
    names = [prompt.name for prompt in made.manifest.prompts]
    assert names[:6] == ["bc_cctv_00_2", "etc_passwd", "CON_.._x", "a_b", "a_b~2", "A_B~3"]
    assert (len(names[7]), names[8:]) == (120, ["document~2", "instructions~2", "a_w1", "a_r2"])
    assert {path.parent for path in tmp_path.rglob("*.txt")} == {tmp_path / "prompts"}
    assert [each.document for each in read_prompts(tmp_path / "prompts").manifest.prompts] == ids


def test_what_cannot_be_asked_is_said(key: DocumentCorpus, tmp_path: Path) -> None:
    empty = Document.of("empty", [], [], [])
    made = referee.llm_prompt([key[0], empty])
    assert (len(made.texts), made.notices) == (1, ["key: no prompt for empty, which has no words"])
    with pytest.raises(FormatError, match="no document has words"):
        referee.llm_prompt(empty)
    with pytest.raises(FormatError, match="two documents have one name"):
        referee.llm_prompt([key[0], key[0]])
    with pytest.raises(SettingError, match="notation='json-answer' numbers words, and document d has none"):
        referee.llm_prompt(cut_text("d", "Ann slept."), notation="json-answer")
    with pytest.raises(SettingError, match="did you mean tags"):
        referee.llm_prompt(key, notation="tag")
    with pytest.raises(SettingError, match="overlap=50 must be less than window=50"):
        referee.llm_prompt(key, window=50)
    with pytest.raises(SettingError, match="shots= and examples= need each other"):
        referee.llm_prompt(key, shots=1)
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(FormatError, match=r"has other files, such as mine\.txt; name another folder"):
        made.save(tmp_path)


def test_zeros_that_a_notation_cannot_hold_are_said() -> None:
    text = Text("d", ("Vino", "."), ((0, 2),))
    with_zero = Text("d", ("Vino", ".", "él"), ((0, 2),), zeros=(Zero(0),))
    assert referee.llm_prompt(Document(text, ())).notices == []
    (said,) = referee.llm_prompt(Document(with_zero, ())).notices
    assert said.endswith("1 unwritten word cannot be marked in this notation; notation='crac-text' has them")
    made = referee.llm_prompt(Document(with_zero, ()), notation="crac-text")
    assert (made.notices, made.texts) == ([], {"d": "Text:\n\n##él Vino .\n"})


def test_other_prompts_are_not_written_over(key: DocumentCorpus, tmp_path: Path) -> None:
    referee.llm_prompt(key).save(tmp_path)
    with pytest.raises(FormatError, match="has other prompts; name another folder, or delete it"):
        referee.llm_prompt(key, guidelines="gum").save(tmp_path)


def test_prompts_that_were_changed_are_refused(key: DocumentCorpus, tmp_path: Path) -> None:
    referee.llm_prompt(key).save(tmp_path)
    (tmp_path / "d1.txt").write_text("Text:\n\nanother\n")
    with pytest.raises(FormatError, match=r"d1\.txt: it or instructions\.txt is not as the manifest says"):
        read_prompts(tmp_path)


def test_words_that_are_not_those_of_the_prompts_are_refused(key: DocumentCorpus, tmp_path: Path) -> None:
    referee.llm_prompt(key).save(tmp_path)
    for words in ("{}", '{"d0": [["x"], [[0, 1]]]}', '{"d0": 1}'):
        (tmp_path / "words.json").write_text(words)
        with pytest.raises(FormatError, match=r"words\.json: .*make .* again"):
            read_prompts(tmp_path)


BROKEN = [
    ("version", 2), ("notation", "xml"), ("prompts", {}), ("prompts", [{}]), ("prompts", ["x"]),
    ("name", "../x"), ("name", "a/b"), ("name", ".x"), ("name", "x\n"), ("name", 3), ("document", None),
    ("start", -1), ("end", 0), ("end", True), ("window", 0), ("attempt", "1"), ("carried", [1]),
    ("carried", {"1": [[1, 2]]}), ("carried", {"1": ["abc"]}), ("after", "../y"), ("odd", 1),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), BROKEN)
def test_a_hostile_manifest_is_refused(
    field: str, value: object, key: DocumentCorpus, tmp_path: Path
) -> None:
    made = referee.llm_prompt(key).manifest.to_dict()
    target = made if field in ("version", "notation", "prompts") else made["prompts"][1]
    target[field] = value
    (tmp_path / "manifest.json").write_text(json.dumps(made))
    with pytest.raises(FormatError, match=r"manifest\.json: .+; referee llm prompt makes prompts"):
        read_manifest(tmp_path / "manifest.json")


def test_two_prompts_of_one_name_are_refused(key: DocumentCorpus, tmp_path: Path) -> None:
    made = referee.llm_prompt(key).manifest.to_dict()
    made["prompts"][1]["name"] = made["prompts"][0]["name"].upper()
    (tmp_path / "manifest.json").write_text(json.dumps(made))
    with pytest.raises(FormatError, match="two prompts have one name"):
        read_manifest(tmp_path / "manifest.json")


@pytest.mark.parametrize("record", ["[]", "{}", '{"outcome": "fine", "carried": {}, "prompt": ""}', "{"])
def test_a_record_that_is_none_is_refused(record: str, tmp_path: Path) -> None:
    (tmp_path / "a.reply").write_text(record)
    with pytest.raises(FormatError, match=r"a\.reply"):
        read_reply(tmp_path / "a.reply")


def test_right_answers_can_always_be_written() -> None:
    for notation in INLINE:
        crossing = made_document(random.Random(5), crossing=True)
        assert answer_for(without_crossings(crossing), notation)


def test_tokens_are_estimated_by_script() -> None:
    assert estimated_tokens("a" * 400) == 100
    assert estimated_tokens("语" * 400) == 400
    assert estimated_tokens("я" * 400) == 200


def test_a_budget_counts_what_is_under_way() -> None:
    budget = Budget(10.0)
    assert budget.reserve(6.0)
    assert not budget.reserve(5.0)
    budget.settle(6.0, 2.0)
    assert budget.reserve(8.0)
    assert not budget.reserve(0.1)
    assert Budget(None).reserve(1e9)


def test_guidelines_are_in_the_package() -> None:
    assert {path.stem for path in (Path(referee.__file__).parent / "llm" / "texts").glob("*.md")} == {
        *GUIDELINES
    }
