"""Answers of a run: scored with windows joined, losses counted by document and reason, and repaired."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import referee
from corpora import corpus
from documents_to_mark import NOTATIONS
from llm_server import (
    INLINE,
    Said,
    answered,
    answering,
    completion,
    right_answers,
    run,
    serving,
    some_documents,
)
from referee import DocumentCorpus, FormatError
from referee.cli import main
from referee.llm.prompts import PromptSet, read_prompts


def command(*words: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def key(tmp_path: Path) -> DocumentCorpus:
    """Documents of words that have no brackets, so that what is lost can be counted."""
    documents = some_documents(4, length=60)
    plain = [
        each.with_text(words=tuple(f"{each.id}w{n}" for n, _ in enumerate(each.words))) for each in documents
    ]
    made = DocumentCorpus(plain, "key")
    referee.write(made, tmp_path / "key.conll")
    return made


def asked(key: DocumentCorpus, folder: Path, **how: Any) -> tuple[PromptSet, dict[str, str]]:
    """Make prompts, and the right answers to them by name."""
    prompts = referee.llm_prompt(key, **{"notation": "markdown", **how})
    prompts.save(folder / "prompts")
    right = right_answers(prompts, key)
    return prompts, {name: right[text] for name, text in prompts.texts.items()}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_perfect_model_gets_everything_right(notation: str, tmp_path: Path) -> None:
    """On real texts in windows, with entities carried over: what the notation can hold is found."""
    some = [referee.read(corpus("ontogum/dev/conll"))[0], referee.read(corpus("litbank"))[0]]
    key = DocumentCorpus(some, "key")
    prompts = referee.llm_prompt(key, notation=notation, window=600)
    with serving(answering(right_answers(prompts, key))) as server:
        report = run(prompts, tmp_path, server.url)
    assert report.outcomes["answered"] == len(prompts.texts) > 4
    scores = referee.llm_score(key, tmp_path)
    assert scores.result.conll == 1.0
    assert not scores.result.alignment["lost"]
    assert not scores.result.alignment["lost_windows"]


def test_every_command_takes_the_folder(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right)
    files = (tmp_path / "key.conll", tmp_path / "answers")
    shown = command("score", *files, "-q")
    assert "100.00" in shown.stdout
    assert shown.stdout in command("llm", "score", *files, "-q").stdout + "\n"
    assert command("errors", *files).stdout
    assert command("compare", *files, files[1], "--samples", "100").stdout
    command("validate", files[1], "--key", files[0])
    assert "have no text of their own; score them" in command("stats", files[1], code=1).output


LOST = {"d0": "I am sorry.", "d1": "[It](#1) rained all day in the south of [Spain](#2), people say."}


def test_losses_are_counted_by_document_and_reason(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    broken = right["d2"].replace("](#", "] (#", 2)
    answered(prompts, tmp_path / "answers", LOST | {"d2": broken}, d2="cut off")
    scores = referee.llm_score(key, tmp_path / "answers")
    lost = scores.result.alignment
    assert lost["windows"] == 4
    assert lost["lost_windows"] == {"unparsable": 1, "another text": 1, "cut off": 1, "no answer": 1}
    assert lost["lost"]["no id"] == 2
    shown = command("llm", "score", tmp_path / "key.conll", tmp_path / "answers")
    lines = {line.split()[0]: line.split() for line in shown.stdout.splitlines() if line[:1] in ("d", "A")}
    assert {*lines} >= {"d0", "d1", "d2", "d3", "All"}
    assert "no answer" in shown.stdout
    assert "4 of 4 windows lost (1 unparsable, 1 another text, 1 cut off, 1 no answer)" in shown.stderr
    data = json.loads(
        command("llm", "score", tmp_path / "key.conll", tmp_path / "answers", "-f", "json").stdout
    )
    reasons = {each["document"]: [w["reason"] for w in each["lost_windows"]] for each in
               data["results"][0]["alignment"]["documents"]}  # fmt: skip
    assert reasons == {"d0": ["unparsable"], "d1": ["another text"], "d2": ["cut off"], "d3": ["no answer"]}


@pytest.mark.parametrize("notation", INLINE)
def test_a_noisy_model_loses_what_it_should(notation: str, key: DocumentCorpus, tmp_path: Path) -> None:
    """Each end of a mention that is taken away is a mention that is lost, and no other."""
    prompts, right = asked(key, tmp_path, notation=notation, window=25, overlap=8)
    chance, gone, texts = random.Random(1), 0, {}
    end = {"tags": "</m>", "markdown": "](#", "brackets": ": 1]"}[notation]
    for name, text in right.items():
        if text.count(end) and chance.random() < 0.5:
            text = text.replace(end, "", 1)
            gone += 1
        texts[name] = text
    answered(prompts, tmp_path / "answers", texts)
    whole, noisy = tmp_path / "right", tmp_path / "answers"
    answered(prompts, whole, right)
    best, result = referee.llm_score(key, whole).result, referee.llm_score(key, noisy).result
    assert gone > 4
    assert gone <= Counter(result.alignment["lost"]).total() <= 2 * gone  # a tag may be two broken ones
    assert result.conll < best.conll
    assert result.muc.precision > 0.85


def test_validate_lists_what_is_wrong_with_a_key_and_without(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path, notation="tags")
    texts = LOST | {"d1": "", "d2": right["d2"].replace("</m>", "", 1)}
    answered(prompts, tmp_path / "answers", texts, d1="refused")
    alone = referee.validate(tmp_path / "answers")
    assert [problem.what for problem in alone][:3] == [
        "window 1: refused", alone[1].what, "window 1: no answer"
    ]  # fmt: skip
    assert alone[1].where.endswith("d2.tags.txt:1")
    assert "does not mark a mention: unclosed" in alone[1].what
    found = [problem.what for problem in referee.validate(tmp_path / "answers", key=key)]
    windows = [
        f"document {each}"
        for each in ("d0: window 1: unparsable", "d1: window 1: refused", "d3: window 1: no answer")
    ]
    assert [each for each in found if "window" in each] == windows
    assert len([each for each in found if each.endswith(": unclosed")]) == 1


def test_answers_that_are_all_cut_off_are_scored(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    cut = {name: text[: len(text) // 4] for name, text in right.items()}
    answered(prompts, tmp_path / "answers", cut, **dict.fromkeys(cut, "cut off"))
    assert referee.llm_score(key, tmp_path / "answers").result.alignment["lost_windows"] == {"cut off": 4}


def test_another_folder_is_refused(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right)
    others = DocumentCorpus([each.with_text(words=each.words[::-1]) for each in key], "others")
    with pytest.raises(FormatError, match="made of another text than the key's"):
        referee.llm_score(others, tmp_path / "answers")
    with pytest.raises(FormatError, match="not answers of a language model"):
        referee.llm_score(key, tmp_path / "key.conll")


def test_answers_that_no_prompt_asked_for_are_named(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right)
    (tmp_path / "answers" / "d9.markdown.txt").write_text("[x](#1)")
    (notice,) = [each for each in referee.llm_score(key, tmp_path / "answers").scores.notices if "d9" in each]
    assert notice.endswith("d9.markdown.txt answers none of its prompts, and is not read")


def test_a_record_of_another_prompt_is_refused(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right)
    record = tmp_path / "answers" / "replies" / "d1.reply"
    record.write_text(record.read_text().replace(prompts.manifest.prompts[1].prompt, "0" * 32))
    shown = command("llm", "score", tmp_path / "key.conll", tmp_path / "answers", code=1)
    assert "1 document failed:" in shown.stderr
    assert "d1.reply: answers another prompt than d1; run it in another folder" in shown.stderr
    with pytest.warns(referee.FailureWarning, match="answers another prompt than d1"):
        referee.llm_score(key, tmp_path / "answers")


def test_lost_answers_are_repaired(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path, window=25, overlap=8)
    names = [*right]
    bad = right | {names[0]: "I am sorry.", names[3]: ""}
    del bad[names[5]]
    answered(prompts, tmp_path / "answers", bad, **{names[3]: "refused"})
    repairs = referee.llm_repair(tmp_path / "prompts", tmp_path / "answers")
    assert [*repairs.texts] == [f"{names[0]}.r2", f"{names[3]}.r2"]  # what is missing is only to be run again
    text = repairs.texts[f"{names[0]}.r2"]
    parts = [prompts.texts[names[0]].strip(), "I am sorry.", "No marks could be read", "Answer again"]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)
    repairs.save(tmp_path / "repairs")
    again = read_prompts(tmp_path / "repairs")
    model = {again.texts[f"{name}.r2"]: right[name] for name in (names[0], names[3])}
    with serving(answering(model)) as server:
        report = run(again, tmp_path / "answers", server.url)
    assert (report.prompts, report.outcomes["answered"]) == (2, 2)
    lost = referee.llm_score(key, tmp_path / "answers").result.alignment
    assert (lost["windows"], lost["lost_windows"]) == (len(names), {"no answer": 1})
    with serving(answering(right_answers(prompts, key))) as server:  # the rest of the first run
        run(prompts, tmp_path / "answers", server.url)
    with pytest.raises(FormatError, match="no answer needs a repair"):
        referee.llm_repair(tmp_path / "prompts", tmp_path / "answers")


def test_a_repair_is_repaired_itself(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right | {"d0": "no"})
    for attempt in (2, 3):
        repairs = referee.llm_repair(prompts, tmp_path / "answers")
        assert [*repairs.texts] == [f"d0.r{attempt}"]
        with serving(lambda *_: Said(completion(f"no {attempt}"))) as server:  # noqa: B023 ends with the round
            run(repairs, tmp_path / "answers", server.url)
    (text,) = referee.llm_repair(prompts, tmp_path / "answers").texts.values()
    assert "no 3" in text
    assert "no 2" not in text


def test_mentions_that_were_lost_are_repaired_if_wanted(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right | {"d1": right["d1"].replace("](#", "] (#", 1)})
    with pytest.raises(FormatError, match="no answer needs a repair"):
        referee.llm_repair(prompts, tmp_path / "answers")
    (text,) = referee.llm_repair(prompts, tmp_path / "answers", mentions=1).texts.values()
    assert "These marks could not be read:\n- " in text


def test_repairs_belong_to_the_folder_of_their_answers(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts, right = asked(key, tmp_path)
    answered(prompts, tmp_path / "answers", right | {"d0": "no"})
    repairs = referee.llm_repair(prompts, tmp_path / "answers")
    with pytest.raises(FormatError, match="has no answers, and these prompts repair some"):
        run(repairs, tmp_path / "other", "http://127.0.0.1:1/v1")
    with pytest.raises(FormatError, match="has answers to other prompts"):
        referee.llm_repair(referee.llm_prompt(key, window=25, overlap=2), tmp_path / "answers")
    with pytest.raises(FormatError, match="has no answers; referee llm prompt"):
        referee.llm_repair(prompts, tmp_path / "nothing")


def test_the_commands_go_from_a_corpus_to_a_table(key: DocumentCorpus, tmp_path: Path) -> None:
    folder = tmp_path / "prompts"
    command("llm", "prompt", tmp_path / "key.conll", "-o", folder, "--window", "25", "--overlap", "5")
    prompts = read_prompts(folder)
    planned = command("llm", "run", folder, "--dry-run", "--price-in", "1", "-f", "json")
    assert json.loads(planned.stdout)["prompts"] == len(prompts.texts)
    asks = ("llm", "run", folder, "-o", tmp_path / "answers", "--model", "m", "--retries", "0")
    with serving(answering(right_answers(prompts, key))) as server:
        failing = server.model
        server.model = lambda *_: Said({"error": {"message": "busy"}}, 500)
        shown = command(*asks, "--endpoint", server.url, code=1)
        assert f"{len(prompts.texts)} prompts failed:" in shown.stderr
        assert "HTTP 500: busy" in shown.stderr
        server.model = failing
        shown = command(*asks, "--endpoint", server.url)
    assert f"note: no key goes to {server.url}" in shown.stderr
    table = command("llm", "score", tmp_path / "key.conll", tmp_path / "answers", "-m", "muc", "-q").stdout
    assert "nothing was lost" in table
    command("llm", "run", folder, "--model", "m", code=2)
    command("llm", "run", folder, "--dry-run", "--extra", "[1]", code=2)
    command("llm", "run", folder, "--dry-run", "--extra", "{", code=2)
