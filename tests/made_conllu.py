"""Small CoNLL-U out of one line: words with blanks between them, sentences with ` | `, entities in braces."""

from __future__ import annotations

import re
from pathlib import Path

from referee.formats.conllu.reading import ConlluCorpus
from referee.formats.io.opening import SeekableFile

HEADER = "eid-etype-head-other"
WORD = re.compile(r"(?P<form>[^{\s]*)(?:\{(?P<entity>[^}]*)\})?")


def sentence_lines(sentence: str) -> list[str]:
    """Write the rows of a sentence; `*` begins an empty node, and goes on with its DEPS."""
    lines, word, ordinal = [], 0, 0
    for piece in sentence.split():
        match = WORD.fullmatch(piece)
        assert match
        form, misc = match["form"], match["entity"]
        if misc is None:
            misc = "_"
        elif not misc.startswith(("Entity=", "Bridge=", "_")):
            misc = f"Entity={misc}"
        if form.startswith("*"):
            ordinal += 1
            lines.append(f"{word}.{ordinal}\t_\t_\tPRON\t_\t_\t_\t_\t{form[1:] or '_'}\t{misc}")
        else:
            word, ordinal = word + 1, 0
            head, relation = ("0", "root") if word == 1 else ("1", "dep")
            lines.append(f"{word}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t_\t{misc}")
    return lines


def conllu(text: str, name: str | None = "d", header: str = HEADER) -> str:
    """Write a document; without a name it has no line that begins it, without a header none of that."""
    lines = [] if name is None else [f"# newdoc id = {name}"]
    lines += [f"# global.Entity = {header}"] if header else []
    for number, sentence in enumerate(text.split(" | "), start=1):
        lines += [f"# sent_id = {name}-{number}", *sentence_lines(sentence), ""]
    return "\n".join(lines) + "\n"


def opened_conllu(folder: Path, *texts: str, strict: bool = False) -> ConlluCorpus:
    """Open texts as files of one corpus."""
    files = []
    for number, text in enumerate(texts, start=1):
        path = folder / f"file{'' if len(texts) == 1 else number}.conllu"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        files.append(SeekableFile(str(path)))
    return ConlluCorpus(files, "corpus", strict=strict)
