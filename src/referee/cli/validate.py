"""referee validate: all that is wrong with some files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO

import click

from referee import formats
from referee.cli.options import notice_options
from referee.cli.terminal import mention_done
from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.io.opening import STDIN
from referee.formats.io.saving import save
from referee.formats.marked.text import MarkedCorpus
from referee.formats.validation import Problem, problems
from referee.matching.answers.placing import answer_problems
from referee.model import Corpus
from referee.scoring.task import PathName, gathered


@click.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--key", help="Compare documents and tokens with this file or folder.")
@notice_options
def validate_command(files: tuple[str, ...], key: str | None) -> None:
    """List every problem of FILEs (or folders), one a line, with file and line.

    Unbalanced and crossing brackets, repeated mentions, mentions that run over the end of a sentence,
    documents that stand twice, lines outside of documents, empty files; with --key also missing documents and
    tokens that differ. Of a model's copy of a text (marked text) it lists every mention that is lost, and
    how much of the text was kept. The exit status is 1 if there is any problem.

    \b
    Examples:
      referee validate response.conll
      referee validate response/ --key key/
      referee validate answers/*.txt --key key.conll
    """
    key_corpus = formats.read(key) if key else None
    counts: list[int] = []
    given = gathered(key_corpus, files) if key_corpus else files
    save(STDIN, lambda output: counts.extend(_validate(path, key_corpus, output) for path in given))
    if total := sum(counts):
        mention_done(f"{number_of(total, 'problem')} found")
        sys.exit(1)


def _validate(path: PathName | Corpus, key: Corpus | None, output: IO[str]) -> int:
    """List the problems of a file or folder, and count them."""
    count = 0
    try:
        corpus = formats.opened(path, role="response")
        for problem in _problems(corpus, key):
            output.write(f"{problem}\n")
            count += 1
    except FormatError as error:
        output.write(f"{error}\n")
        return count + 1
    if not count:
        mention_done(f"{corpus.name}: {number_of(len(corpus), 'document')}, no problem found")
    return count


def _problems(corpus: Corpus, key: Corpus | None) -> Iterator[Problem]:
    """List the problems of a corpus; a model's copy of a text is aligned to the key first."""
    return answer_problems(key, corpus) if key and isinstance(corpus, MarkedCorpus) else problems(corpus, key)
