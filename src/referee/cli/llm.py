"""referee llm: language models measured, from prompts over a run to scores."""

from __future__ import annotations

import json
from typing import Any

import click

from referee.cli.commands import OptionOf, RefereeCommand
from referee.cli.options import (
    jobs_option,
    matching_options,
    metric_option,
    notice_options,
    output_options,
    protocol_options,
)
from referee.cli.outputs import OUTPUT_FOLDER
from referee.cli.survival import show_failures
from referee.cli.terminal import mention_done, print_notices, progress_bar, show
from referee.display import number_of
from referee.functions.llm import llm_prompt, llm_repair, llm_run, llm_score
from referee.llm.instructions import GUIDELINES, NOTATIONS
from referee.llm.prompts import PromptSet
from referee.llm.server import USUAL_KEY
from referee.tables.llm import run_output
from referee.tables.rendering import RENDERERS


@click.group("llm")
def llm_command() -> None:
    """Measure a language model: make prompts, run them, score the answers.

    \b
    Examples:
      referee llm prompt corpus/dev -o prompts/ --guidelines ontonotes --window 800
      referee llm run prompts/ -o answers/ --endpoint http://localhost:8000/v1 --model NAME
      referee llm score corpus/dev answers/
    """


@llm_command.command("prompt", cls=RefereeCommand)
@click.argument("corpus")
@click.option(
    "-o", "--output", required=True, type=OUTPUT_FOLDER, metavar="FOLDER", help="The folder of the prompts."
)
@click.option(
    "--notation", type=click.Choice(NOTATIONS), default="tags", show_default=True,
    help="How the model is to mark mentions.",
)  # fmt: skip
@click.option(
    "--guidelines", metavar="NAME", default="ontonotes", show_default=True,
    help=f"What a mention is and what corefers: {', '.join(GUIDELINES)}, none, or a file of your own.",
)  # fmt: skip
@click.option(
    "--shots", type=click.IntRange(0), default=0, show_default=True, help="How many examples to show."
)
@click.option(
    "--examples", metavar="CORPUS",
    help="The annotated corpus to take examples from; never documents that are asked about.",
)  # fmt: skip
@click.option(
    "--window", type=click.IntRange(1), metavar="WORDS",
    help="Ask about so many words at a time, up to the end of a sentence; otherwise about whole documents.",
)  # fmt: skip
@click.option(
    "--overlap", type=click.IntRange(0), default=50, show_default=True, metavar="WORDS",
    help="How many words at least a window has from the one before it, in whole sentences.",
)  # fmt: skip
@click.option(
    "--carry", type=click.IntRange(0), metavar="N",
    help="List at most so many entities of earlier windows, the latest; 0: none, and windows do not wait for "
    "each other.  [default: all]",
)  # fmt: skip
@click.option(
    "--seed", cls=OptionOf, section="Prompts", type=click.IntRange(0), default=1, show_default=True,
    help="Draws the examples; the same seed gives the same ones.",
)  # fmt: skip
@notice_options
def prompt_command(corpus: str, output: str, **options: Any) -> None:
    """Write prompts about CORPUS: one for each document, or for each window of long ones.

    The annotation of CORPUS is not used. The folder gets the instructions, which are the same for all
    prompts, a text for each, and a manifest.

    \b
    Examples:
      referee llm prompt corpus/dev -o prompts/
      referee llm prompt books/ -o prompts/ --guidelines litbank --window 800 --notation markdown
      referee llm prompt corpus/dev -o prompts/ --shots 2 --examples corpus/train
    """
    _save(llm_prompt(corpus, **options), output)


def _save(made: PromptSet, output: str) -> None:
    print_notices(made.notices)
    made.save(output)
    prompts, documents = number_of(len(made.texts), "prompt"), number_of(len(made.documents), "document")
    mention_done(f"{output}: {prompts} about {documents}, about {made.tokens:,} tokens")


def _object(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Any:
    """Read fields of a request."""
    if value is None:
        return None
    try:
        fields = json.loads(value)
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise click.BadParameter('not a JSON object, such as {"seed": 1}')
    return fields


@llm_command.command("run", cls=RefereeCommand)
@click.argument("prompts")
@click.option("-o", "--output", type=OUTPUT_FOLDER, metavar="FOLDER", help="The folder of the answers.")
@click.option(
    "--endpoint", metavar="URL", help="The server's address, as http://localhost:8000/v1. Only it is asked."
)
@click.option(
    "--model", cls=OptionOf, section="Server", metavar="NAME", help="The model, as the server calls it."
)
@click.option(
    "--key-variable", metavar="NAME", default=USUAL_KEY, show_default=True,
    help="The environment variable that has the key. It is never written.",
)  # fmt: skip
@click.option("--insecure", is_flag=True, help="Allow a key to be sent over plain HTTP to another machine.")
@click.option(
    "--parallel", type=click.IntRange(1), default=4, show_default=True, metavar="N",
    help="How many requests are under way at a time.",
)  # fmt: skip
@click.option(
    "--retries", type=click.IntRange(0), default=5, show_default=True, metavar="N",
    help="How often a request is sent again that failed for a reason that may pass.",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=600.0, show_default=True,
    metavar="SECONDS", help="How long a reply may take.",
)  # fmt: skip
@click.option("--temperature", type=click.FloatRange(0), help="Sent with each request, as the next two.")
@click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="How long an answer may be.")
@click.option(
    "--extra", metavar="JSON", callback=_object, help='Further fields of the request, as {"seed": 1}.'
)
@click.option("--price-in", type=click.FloatRange(0), metavar="PRICE", help="Of a million tokens of prompts.")
@click.option(
    "--price-out", type=click.FloatRange(0), metavar="PRICE", help="Of a million tokens of answers."
)
@click.option(
    "--max-cost", type=click.FloatRange(0), metavar="COST",
    help="What all answers in the folder may cost: what would pass it, by its estimate, is not sent.",
)  # fmt: skip
@click.option(
    "--dry-run", cls=OptionOf, section="Requests and costs", is_flag=True,
    help="Send nothing, and estimate tokens and cost.",
)  # fmt: skip
@click.option(
    "-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text", show_default=True,
    help="How to print what was done.",
)  # fmt: skip
@notice_options
def run_command(prompts: str, form: str, **options: Any) -> None:
    """Send PROMPTS to an OpenAI-compatible server, and keep its answers as they come.

    A run may be broken off at any moment and started again: what is answered is not asked again. What fails
    is listed at the end, and the exit status is 1; running again asks only about that.

    \b
    Examples:
      referee llm run prompts/ --dry-run --price-in 2.5 --price-out 10
      referee llm run prompts/ -o answers/ --endpoint http://localhost:8000/v1 --model NAME
      referee llm run prompts/ -o answers/ --endpoint https://api.example.com/v1 --model NAME --max-cost 5 \\
        --price-in 2.5 --price-out 10 --temperature 0
    """
    report = llm_run(prompts, **options, progress=progress_bar, notify=print_notices)
    show(run_output(report), form)
    show_failures(report.failures, "prompt")


@llm_command.command("repair", cls=RefereeCommand)
@click.argument("prompts")
@click.argument("answers")
@click.option(
    "-o", "--output", required=True, type=OUTPUT_FOLDER, metavar="FOLDER", help="The folder of the repairs."
)
@click.option(
    "--mentions", cls=OptionOf, section="Prompts", type=click.IntRange(1), metavar="N",
    help="Ask again, too, where at least so many mentions were lost.",
)  # fmt: skip
@notice_options
def repair_command(prompts: str, answers: str, output: str, mentions: int | None) -> None:
    """Write prompts that ask again about the answers of ANSWERS that were lost, and say what was wrong.

    Run them into ANSWERS, where the repaired answers then count. What has no answer at all needs no repair:
    running PROMPTS again asks about it.

    \b
    Examples:
      referee llm repair prompts/ answers/ -o repairs/
      referee llm run repairs/ -o answers/ --endpoint http://localhost:8000/v1 --model NAME
    """
    _save(llm_repair(prompts, answers, mentions=mentions), output)


@llm_command.command("score", cls=RefereeCommand)
@click.argument("key")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS...")
@protocol_options
@matching_options
@metric_option
@jobs_option
@output_options
def score_command(key: str, answers: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Score folders of ANSWERS against KEY, the corpus that was asked about, and count what was lost.

    Windows are joined. A window without a usable answer has no mentions, and costs recall. `referee score`
    and all other commands take the folders, too.

    \b
    Examples:
      referee llm score corpus/dev answers/
      referee llm score corpus/dev gpt/ claude/ --metric muc,b3,ceafe --format markdown
    """
    made = llm_score(key, *answers, **options, progress=progress_bar)
    print_notices(made.scores.notices)
    show(made.output, form, output)
    show_failures(made.scores.failures)
