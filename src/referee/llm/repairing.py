"""Asks again about windows whose answers could not be used, and says what was wrong with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.exceptions import FormatError
from referee.formats.io.json_file import json_object
from referee.formats.io.opening import SeekableFile, read_text
from referee.formats.marked.manifest import (
    ANSWERS,
    CUT,
    EMPTY,
    HINT,
    NO_ANSWER,
    REFUSED,
    REPLIES,
    REPLY,
    Prompt,
    read_manifest,
)
from referee.formats.marked.windowed import WindowAnswer, read_windowed
from referee.llm.journal import REPAIRS
from referee.llm.prompts import PromptSet, with_digest
from referee.matching.answers.losses import ANOTHER_TEXT, UNPARSABLE, TextLoss
from referee.matching.answers.stitching import placed_window
from referee.model import Document, Window

COMPLAINTS = {
    CUT: "It ended before the text did.",
    EMPTY: "It was empty.",
    REFUSED: "It was refused, although the text need only be annotated.",
    UNPARSABLE: "No marks could be read in it.",
    ANOTHER_TEXT: "Its words are not those of the text: most of them were not found in it.",
}
LISTED = 20  # lost mentions in a complaint
AGAIN = "Answer again, with the complete answer from the beginning, and nothing else."


def repairs_of(prompts: PromptSet, folder: Path, *, mentions: int | None = None) -> PromptSet:
    """Make a prompt for each window whose answer is lost, or has lost at least so many mentions.

    Prompts without any answer are left out: running them again asks about them.

    Raises:
        FormatError: If the folder has no answers to these prompts.
    """
    if not (folder / ANSWERS).is_file():
        raise FormatError(f"{folder}: has no answers; {HINT}")
    manifest = read_manifest(folder / ANSWERS)
    firsts = {(each.document, each.window): each for each in prompts.manifest.prompts}
    if {each.prompt for each in firsts.values()} != {e.prompt for e in manifest.prompts if e.attempt == 1}:
        raise FormatError(f"{folder}: has answers to other prompts")
    files = [SeekableFile(str(path)) for path in sorted(folder.glob(f"*{manifest.ending}"))]
    corpus = read_windowed(files, str(folder), folder / ANSWERS)
    repairs, texts = list[Prompt](), dict[str, str]()
    for number, id_ in enumerate(corpus.ids):
        for answer in corpus.windows(number):
            window = Window.of(Document(prompts.documents[id_], ()), answer.prompt.start, answer.prompt.end)
            _, loss = placed_window(window, answer, str(folder))
            if said := _complaint(loss, mentions):
                first = firsts[id_, answer.prompt.window]
                prompt, text = _repair(prompts, folder, manifest.ending, first, answer, said)
                repairs.append(prompt)
                texts[prompt.name] = text
    if not repairs:
        raise FormatError(
            f"{folder}: no answer needs a repair; running the prompts again asks what is missing"
        )
    known = {prompt.document for prompt in repairs}
    documents = {id_: text for id_, text in prompts.documents.items() if id_ in known}
    facts = {**prompts.manifest.facts, REPAIRS: len(repairs)}
    made = replace(prompts.manifest, prompts=tuple(repairs), facts=facts)
    return PromptSet(made, prompts.instructions, texts, documents)


def _complaint(loss: TextLoss, mentions: int | None) -> str:
    """Say what was wrong with an answer; nothing if it can be used, or there is none."""
    reasons = [window.reason for window in loss.lost_windows]
    if NO_ANSWER in reasons:
        return ""
    said = [COMPLAINTS[reason] for reason in reasons]
    if loss.lost and (said or (mentions is not None and len(loss.lost) >= mentions)):
        said.append("These marks could not be read:")
        said += [f"- {lost.shown}: {lost.reason}" for lost in loss.lost[:LISTED]]
    return "\n".join(said)


def _repair(
    prompts: PromptSet, folder: Path, ending: str, first: Prompt, answer: WindowAnswer, said: str
) -> tuple[Prompt, str]:
    """Write what is asked: the first prompt as it was sent, the answer to it, and what was wrong."""
    record = folder / REPLIES / f"{first.name}{REPLY}"
    listed = str(json_object(record, HINT).get("listed") or "") if record.is_file() else ""
    given = read_text(folder / f"{answer.prompt.name}{ending}").strip()
    before = f"Your answer to this was:\n\n{given}" if given else "There was no text in your answer to this."
    parts = [*([listed] if listed else []), prompts.texts[first.name].rstrip(), before, said, AGAIN]
    text = "\n\n".join(parts) + "\n"
    attempt = answer.prompt.attempt + 1
    prompt = replace(
        first, name=f"{first.name}.r{attempt}", attempt=attempt, after="", carried=answer.carried
    )
    return with_digest(prompt, prompts.instructions, text), text
