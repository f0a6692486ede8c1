"""Files of rows of data sets, and CoreNLP's JSON: lines, a list or one value, read by `dataset_rows`.

Written is coref-data's form, one document a line: with the ids of tokens, sentences and speakers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_items, json_value
from referee.formats.io.opening import SeekableFile, stem
from referee.formats.jsonlines.dataset_rows import documents_of_row
from referee.formats.jsonlines.reading import lines_of
from referee.formats.losses import refuse_unholdable
from referee.formats.recognition import MARK_AND_SPACE
from referee.model import Document, DocumentCorpus, Mention
from referee.model.layers import HEAD, LEMMA, POS, SPEAKER, heads_in_sentences

OBJECTS = re.compile(rb'"sentences"\s*:\s*\[\s*\{')
ROWS = re.compile(rb'"(?:coref_chains|coref_spans|corefs|part_id)"\s*:')
HEAD_BYTES = 2**16
COLUMNS = {POS: "xpos", LEMMA: "lemma"}  # layer → field of a token


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read all rows."""
    del reading
    documents: list[Document] = []
    named = False
    for file in files:
        for number, (where, row) in enumerate(_rows(file), 1):
            if not isinstance(row, dict):
                raise FormatError(f"{where}: expected a JSON object, not {json.dumps(row)[:40]}")
            made = documents_of_row(row, where)
            named |= any(document.id for document in made)
            unnamed = stem(file.path) + (f"#{number}" if number > 1 else "")
            documents += [document if document.id else document.with_text(id=unnamed) for document in made]
        file.close()
    corpus = DocumentCorpus(documents, name)
    corpus.named = named
    return corpus


def _rows(file: SeekableFile) -> Iterator[tuple[str, Any]]:
    """Read rows from lines, or from one list or value."""
    head = file.read(0, HEAD_BYTES)
    if head.lstrip(MARK_AND_SPACE).startswith(b"["):
        yield from json_items(file)
    elif _is_whole_line(head):
        for _, _, line, fields in lines_of(file):
            yield f"{file.path}:{line}", fields
    else:
        yield f"{file.path}:1", json_value(file)


def _is_whole_line(head: bytes) -> bool:
    """Whether a value ends with its line; one of many lines begins with a line that is none."""
    first, end, _ = head.lstrip(MARK_AND_SPACE).partition(b"\n")
    if not end:
        return True
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write a row a line."""
    for document in documents:
        file.write(json.dumps(_row(document), ensure_ascii=True) + "\n")


def _row(document: Document) -> dict[str, Any]:
    refuse_unholdable(document, "coref-data")
    text = document.text
    sentences = text.stretches
    of_word = {
        word: (number, word - start)
        for number, (start, end) in enumerate(sentences)
        for word in range(start, end)
    }

    def located(mention: Mention) -> list[int]:
        (sentence, first), (other, last) = of_word[mention.start], of_word[mention.end - 1]
        if sentence != other:
            raise FormatError(
                f"document {document.id}: words {mention.start}-{mention.end - 1} run over the "
                "end of a sentence, which coref-data cannot hold in a mention; write jsonlines instead"
            )
        return [sentence, first, last]

    governors = list(heads_in_sentences(text.layers[HEAD], sentences)) if HEAD in text.layers else None
    rows = [
        {
            "id": number + 1,
            "text": text.spelled([span]),
            "speaker": _speaker(document, span[0]),
            "tokens": [_token(document, word, word - span[0] + 1, governors) for word in range(*span)],
        }
        for number, span in enumerate(sentences)
    ]
    chains = [[located(mention) for mention in cluster.mentions] for cluster in document.clusters]
    whole = text.spelled([(0, text.length)])
    return {"id": document.id, "text": whole, "sentences": rows, "coref_chains": chains}


def _speaker(document: Document, word: int) -> str | None:
    speaker = document.layers[SPEAKER][word] if SPEAKER in document.layers else "-"
    return None if speaker in ("-", "_") else speaker


def _token(document: Document, word: int, number: int, governors: Sequence[str] | None) -> dict[str, Any]:
    token: dict[str, Any] = {"id": number, "text": document.words[word]}
    token |= {
        field: document.layers[name][word] for name, field in COLUMNS.items() if name in document.layers
    }
    return token | ({"head": int(governors[word])} if governors else {})
