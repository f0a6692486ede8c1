"""Prompts about the documents of a corpus, and the folder that they are saved in.

A folder has `instructions.txt`, which every model gets first, a text for each window, and `manifest.json`.
The same corpus and settings give the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.display import Shown, number_of
from referee.encoding import encoded
from referee.exceptions import FormatError, SettingError
from referee.formats.catalogue import CRAC, JSON
from referee.formats.io.json_file import json_object
from referee.formats.io.opening import read_text
from referee.formats.io.saving import save_bytes
from referee.formats.marked.manifest import HINT, PROMPTS, Manifest, Prompt, digest_of, read_manifest
from referee.llm.instructions import shown_text
from referee.llm.tokens import estimated_tokens
from referee.matching.answers.placing import file_name_of
from referee.matching.answers.stitching import words_digest
from referee.model import Corpus, Document, Span, Text, Window, window_spans

INSTRUCTIONS, TEXT, WORDS = "instructions.txt", ".txt", "words.json"
ODD = re.compile(r"[^\w.-]+", re.ASCII)
NUMBERED = re.compile(r"\.(?=[wr]\d+\Z)")  # what a window or a repair adds to a name
LONGEST_NAME = 120  # characters of a document's name in that of a file
ALL = "all"  # entities are carried


@dataclass(frozen=True, repr=False)
class PromptSet(Shown):
    """Prompts with their texts.

    Attributes:
        manifest: What each prompt is about.
        instructions: What a model is told before each text.
        texts: The text of each prompt, by its name.
        documents: The words of the documents, with their sentences.
    """

    _output = "llm:prompt_output"

    manifest: Manifest
    instructions: str
    texts: Mapping[str, str]
    documents: Mapping[str, Text]
    notices: Sequence[str] = ()

    @property
    def notation(self) -> str:
        """The notation that is asked for."""
        return self.manifest.notation

    @property
    def carry(self) -> int | None:
        """How many entities a prompt lists that were found before; None for all."""
        carry = self.manifest.facts.get("carry", ALL)
        return carry if isinstance(carry, int) else None

    @property
    def tokens(self) -> int:
        """About how many tokens all prompts have together, without the entities that are carried over."""
        again = estimated_tokens(self.instructions)
        return sum(again + estimated_tokens(text) for text in self.texts.values())

    def chains(self) -> list[list[Prompt]]:
        """Sort prompts into rows in which each waits for the answer before it."""
        rows: dict[str, list[Prompt]] = {}  # by the name of the last prompt
        for prompt in self.manifest.prompts:
            row = rows.pop(prompt.after, []) if prompt.after else []
            rows[prompt.name] = [*row, prompt]
        return list(rows.values())

    def save(self, folder: str | Path) -> None:
        """Write the folder; it may hold nothing else, or the same prompts.

        Raises:
            FormatError: If the folder has other files.
        """
        files = self._files()
        target = Path(folder)
        here = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
        if strangers := sorted(here - files.keys()):
            raise FormatError(f"{target}: has other files, such as {strangers[0]}; name another folder")
        if PROMPTS in here and encoded(files[PROMPTS]) != encoded(read_text(target / PROMPTS)):
            raise FormatError(f"{target}: has other prompts; name another folder, or delete it")
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FormatError(f"{target}: {error.strerror or error}") from error
        for name, content in files.items():
            save_bytes(target / name, encoded(content))

    def _files(self) -> dict[str, str]:
        """List the files of the folder, the manifest last: who finds it finds the others too."""
        texts = {f"{name}{TEXT}": text for name, text in self.texts.items()}
        words = {id_: [text.words, text.sentences] for id_, text in self.documents.items()}
        return {
            INSTRUCTIONS: self.instructions,
            **texts,
            WORDS: json.dumps(words) + "\n",
            PROMPTS: json.dumps(self.manifest.to_dict(), indent=1) + "\n",
        }


def prompts_about(
    corpus: Corpus, notation: str, told: str, *, window: int | None, overlap: int, facts: Mapping[str, Any]
) -> PromptSet:
    """Make a prompt for each window of each document that has words; `told` are the instructions."""
    documents = [document for document in corpus if document.text.length]
    empty = [document.id for document in corpus if not document.text.length]
    if not documents:
        raise FormatError(f"{corpus.name}: no document has words to ask about")
    if notation == JSON and (cut := [each.id for each in documents if each.text.cut]):
        raise SettingError(
            f"notation='{JSON}' numbers words, and document {cut[0]} has none of its own; choose another"
        )
    if len({document.id for document in documents}) < len(documents):
        raise FormatError(f"{corpus.name}: two documents have one name; give them names of their own")
    prompts, texts = list[Prompt](), dict[str, str]()
    carries = facts.get("carry") != 0
    for name, document in zip(_names([each.id for each in documents]), documents, strict=True):
        spans = window_spans(document.text, window, overlap)
        for prompt, text in _windows(name, document, spans, notation, told, carries=carries):
            prompts.append(prompt)
            texts[prompt.name] = text
    known = {each.id: Text(each.id, each.words[: each.text.length], each.sentences) for each in documents}
    said = [f"{corpus.name}: no prompt for {id_}, which has no words" for id_ in empty]
    zeros = sum(len(document.text.zeros) for document in documents)
    if zeros and notation != CRAC:
        count = number_of(zeros, "unwritten word")
        said.append(f"{corpus.name}: {count} cannot be marked in this notation; notation='{CRAC}' has them")
    return PromptSet(Manifest(notation, tuple(prompts), facts), told, texts, known, said)


def _windows(
    name: str, document: Document, spans: Sequence[Span], notation: str, told: str, *, carries: bool
) -> Iterator[tuple[Prompt, str]]:
    before = ""
    for number, (start, end) in enumerate(spans, 1):
        part = Window.of(document, start, end).document
        where = f"Part {number} of {len(spans)} of a longer text:" if len(spans) > 1 else "Text:"
        text = f"{where}\n\n{shown_text(part, notation)}\n"
        own = name if len(spans) == 1 else f"{name}.w{number}"
        words, digest = words_digest(document, start, end), digest_of([told, text])
        yield Prompt(own, document.id, number, start, end, words, digest, before if carries else ""), text
        before = own


def _names(ids: Sequence[str]) -> Iterator[str]:
    """Name files after documents; names that would be equal on some disk are numbered."""
    taken = {Path(INSTRUCTIONS).stem}
    for id_ in ids:
        plain = ODD.sub("_", file_name_of(id_)).strip("._-")[:LONGEST_NAME] or "document"
        plain = NUMBERED.sub("_", plain)
        name, count = plain, 1
        while name.casefold() in taken:
            count += 1
            name = f"{plain}~{count}"
        taken.add(name.casefold())
        yield name


def read_prompts(folder: str | Path) -> PromptSet:
    """Read a folder of prompts; texts that are not those of the manifest are refused."""
    place = Path(folder)
    manifest = read_manifest(place / PROMPTS)
    told = read_text(place / INSTRUCTIONS)
    texts = {prompt.name: read_text(place / f"{prompt.name}{TEXT}") for prompt in manifest.prompts}
    for prompt in manifest.prompts:
        if prompt.prompt != digest_of([told, texts[prompt.name]]):
            raise FormatError(
                f"{place / prompt.name}{TEXT}: it or {INSTRUCTIONS} is not as the manifest says; make the "
                "prompts again (guidelines= takes a file of your own)"
            )
    documents = _texts_of(place / WORDS)
    for prompt in manifest.prompts:
        text = documents.get(prompt.document)
        if text is None or prompt.words != digest_of(text.words[prompt.start : prompt.end]):
            raise FormatError(f"{place / WORDS}: lacks the words of {prompt.name}; make the prompts again")
    return PromptSet(manifest, told, texts, documents)


def _texts_of(path: Path) -> dict[str, Text]:
    value = json_object(path, HINT)
    try:
        return {
            id_: Text(id_, tuple(map(str, words)), tuple((int(start), int(end)) for start, end in sentences))
            for id_, (words, sentences) in value.items()
        }
    except (TypeError, ValueError) as error:
        raise FormatError(f"{path}: not the words of prompts; make them again") from error


def with_digest(prompt: Prompt, told: str, text: str) -> Prompt:
    """Give a prompt the digest of what it says now."""
    return replace(prompt, prompt=digest_of([told, text]))
