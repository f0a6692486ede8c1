"""referee validate: all that is wrong with some files."""

from __future__ import annotations

import sys

import click

from referee import formats
from referee.cli.commands import RefereeCommand
from referee.cli.options import output_options
from referee.cli.terminal import mention_done, show
from referee.display import number_of
from referee.exceptions import FormatError
from referee.formats.marked.text import MarkedCorpus
from referee.formats.validation import Problem, problems, unreadable
from referee.matching.answers.placing import answer_problems
from referee.model import Corpus
from referee.scoring.task import PathName, gathered
from referee.tables.problems import problem_output


@click.command("validate", cls=RefereeCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--key", help="Compare documents and tokens with this file or folder.")
@output_options
def validate_command(files: tuple[str, ...], key: str | None, form: str, output: str | None) -> None:
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
      referee validate response.conll --format json
    """
    key_corpus = formats.read(key) if key else None
    given = gathered(key_corpus, files) if key_corpus else files
    found = [problem for path in given for problem in _problems(path, key_corpus)]
    if found or output or form != "text":
        show(problem_output(found), form, output)
    if found:
        mention_done(f"{number_of(len(found), 'problem')} found")
        sys.exit(1)


def _problems(path: PathName | Corpus, key: Corpus | None) -> list[Problem]:
    """List the problems of a file or folder; a model's copy of a text is aligned to the key first."""
    found: list[Problem] = []
    try:
        corpus = formats.opened(path, role="response")
        if key and isinstance(corpus, MarkedCorpus):
            found.extend(answer_problems(key, corpus))
        else:
            found.extend(problems(corpus, key))
    except FormatError as error:
        return [*found, unreadable(error)]
    if not found:
        mention_done(f"{corpus.name}: {number_of(len(corpus), 'document')}, no problem found")
    return found
