"""The options that commands share."""

from __future__ import annotations

import os
from collections.abc import Callable

import click
from click.core import ParameterSource

from referee import formats
from referee.cli.names import Names, completing
from referee.cli.outputs import OUTPUT_FILE
from referee.cli.terminal import QUIET, VERBOSE, Command
from referee.exceptions import need_package
from referee.matching.protocol import CHOICES, PRESETS, Protocol
from referee.matching.units import SCOPES
from referee.metrics.catalogue import CATALOGUE
from referee.metrics.mention_metrics import MENTION_METRICS
from referee.metrics.standard import CONLL, DEFAULT_METRICS
from referee.scoring.engines import ENGINES, Engine
from referee.tables.rendering import RENDERERS

Decorator = Callable[[Command], Command]


def _metric(written: str) -> str:
    from referee.scoring.evaluate import metric_names  # not every command needs it

    if not written or written == CONLL:
        return written
    return metric_names([written], Protocol())[0]


def described_format(name: str) -> str:
    """Say what a format is, and the endings of its files."""
    form = formats.FORMATS[name]
    return f"{form.label} ({' '.join(form.suffixes)})"


FORMAT = Names("format that can be written", formats.writable, several=False, about=described_format)
METRIC = Names(
    "metric", lambda: CATALOGUE, _metric, about=lambda name: CATALOGUE[name].label,
    others={CONLL: "the average of MUC, B³ and CEAFe, which are shown with it"},
)  # fmt: skip
MATCHING = Names("matching", lambda: CHOICES["match"])


def together(*options: Decorator) -> Decorator:
    """Make one decorator of several options, shown in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
    if parameter.name:
        context.meta[f"referee.{parameter.name}"] = value


notice_options = together(
    click.option(
        "-v", "--verbose", VERBOSE, is_flag=True, expose_value=False, callback=_remember,
        help="Show every notice.",
    ),
    click.option(
        "-q", "--quiet", QUIET, is_flag=True, expose_value=False, callback=_remember,
        help="Show only results and errors, no notices and no progress.",
    ),
)  # fmt: skip

output_options = together(
    click.option(
        "-f", "--format", "form", type=click.Choice(list(RENDERERS)), default="text", show_default=True,
        help="How to print the result.",
    ),
    click.option(
        "-o", "--output", type=OUTPUT_FILE, metavar="FILE", help="Write to a file instead of the terminal."
    ),
    notice_options,
)  # fmt: skip


def _engine(ctx: click.Context, parameter: click.Parameter, jobs: int) -> Engine:
    """Make the engine; it lets go of its processes when the command ends, however it ends."""
    name, given = ctx.meta[_ENGINE], ctx.get_parameter_source(parameter.name or "")
    if name == "dask" and given is ParameterSource.DEFAULT:
        jobs = os.cpu_count() or 1
    engine = ENGINES[name](jobs, ctx.meta[_SCHEDULER])
    ctx.call_on_close(engine.close)
    return engine


def _remember_engine(ctx: click.Context, parameter: click.Parameter, value: str | None) -> None:
    ctx.meta[f"referee.{parameter.name}"] = value


_ENGINE, _SCHEDULER = "referee.engine", "referee.scheduler"
jobs_option = together(
    click.option(
        "-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, callback=_engine,
        help="Number of processes; with --engine dask, all cores unless this is given.",
    ),
    click.option(
        "--engine", type=click.Choice(list(ENGINES)), default="processes", show_default=True,
        callback=_remember_engine, is_eager=True, expose_value=False,
        help="Where to compute: in processes of this machine, or on a Dask cluster.",
    ),
    click.option(
        "--scheduler", metavar="ADDRESS", callback=_remember_engine, is_eager=True, expose_value=False,
        help="Address of a running Dask cluster, as tcp://host:8786; without it, --engine dask starts one on "
        "this machine.",
    ),
)  # fmt: skip

metric_option = click.option(
    "-m", "--metric", multiple=True, metavar="NAME", type=METRIC,
    help=f"Metrics to show, separated by commas; `--metric list` lists all. Default: "
    f"{', '.join(DEFAULT_METRICS)}; under CorefUD's rules also {', '.join(MENTION_METRICS)}.",
)  # fmt: skip

genres_option = click.option(
    "--genres", type=click.Path(exists=True, allow_dash=True, dir_okay=False), metavar="FILE",
    help="A file with a line 'document<tab>genre' for each document, if the names do not contain the genre.",
)  # fmt: skip

types_option = click.option(
    "--types", metavar="PATH|entity",
    help="Where the types of entities come from: a file or folder that annotates the same texts, or 'entity' "
    "for the named entities in a column of the key.  [default: the key]",
)  # fmt: skip

resampling_options = together(
    click.option(
        "--samples", type=click.IntRange(100), default=10_000, show_default=True, help="Resamples."
    ),
    click.option(
        "--seed", type=click.IntRange(0), default=1, show_default=True,
        help="Random seed; the same seed gives the same numbers.",
    ),
    click.option(
        "--level", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True,
        help="Level of the intervals; p-values below 1 − level are significant.",
    ),
)  # fmt: skip

protocol_options = together(
    click.option(
        "-p", "--protocol", metavar="NAME", shell_complete=completing(lambda: PRESETS),
        help=f"{', '.join(PRESETS)}, or a signature.  [default: crac for a key in CorefUD's CoNLL-U, ua for "
        "CONLL-UA, otherwise conll]",
    ),
    click.option(
        "--singletons", type=click.Choice(CHOICES["singletons"]),
        help="Keep or drop clusters with one mention.",
    ),
    click.option(
        "--zeros", type=click.Choice(CHOICES["zeros"]),
        help="Match unwritten words by what they depend on (CorefUD's rules), or by position; or drop them "
        "(Universal Anaphora's rules).",
    ),
    click.option(
        "--heads", type=click.Choice(CHOICES["heads"]),
        help="Under CorefUD's rules: use the heads in the files, or those of the key's trees.",
    ),
)  # fmt: skip

anaphora_options = together(
    click.option(
        "--sets", type=click.Choice(CHOICES["sets"]),
        help="Split antecedents, as of 'they' that refers to two entities: count them as one more mention, "
        "leave them out, or count nothing else.  [default: keep under Universal Anaphora's rules, "
        "otherwise drop]",
    ),
    click.option(
        "--layer", type=click.Choice(CHOICES["layer"]),
        help="Score identity, discourse deixis, bridging, or non-referring expressions; all but identity by "
        "Universal Anaphora's rules unless a protocol is named.  [default: identity]",
    ),
)  # fmt: skip

repair_option = click.option(
    "--repair", is_flag=True,
    help="Where key and response follow different conventions, repair what is safe: documents' names, case, "
    "singletons on one side, offsets that are one too high or low.",
)  # fmt: skip

ids_option = click.option(
    "--ids", type=click.Choice(CHOICES["ids"]),
    help="Whether a cluster's id is valid in its document or in the whole corpus, for formats that do not "
    "say so.  [default: document]",
)  # fmt: skip

unit_options = together(
    click.option(
        "--scope", metavar="|".join(SCOPES[:-1]) + "|FILE",
        help="Which documents may share clusters. FILE maps documents to groups: JSON {document: group}, or "
        "lines of document, tab, group.",
    ),
    click.option(
        "--kind", type=click.Choice(CHOICES["kind"]),
        help="Take only events or only entities, if the corpus distinguishes them.",
    ),
    ids_option,
    click.option(
        "--gaps", type=click.Choice(CHOICES["gaps"]),
        help="Keep the gaps of mentions with several spans, or fill them from the first word to the last.  "
        "[default: keep; crossdoc: fill]",
    ),
)  # fmt: skip

parse_options = together(
    click.option(
        "--parses", type=click.Path(exists=True, allow_dash=True), metavar="PATH",
        help="Penn-bracketed trees of the key, one file per document or one for all (for heads also "
        "CoNLL-U); by default the key's parse column.",
    ),
    click.option(
        "--on-bad-parse", type=click.Choice(CHOICES["bad_parses"]),
        help="Refuse trees that cannot be read, or skip them and use maximum spans.  [default: refuse]",
    ),
)  # fmt: skip

matching_options = together(
    click.option(
        "--match", metavar="NAME", type=MATCHING,
        help=f"When two mentions are the same: {', '.join(CHOICES['match'])}; several, separated by commas, "
        "give one table with ranks. exact: the same span. mina, head: the same minimum span or head "
        "word in the key's parse. min: within the annotated minimum and maximum. CorefUD has exact, head "
        "and partial; Universal Anaphora exact, partial and craft.  [default: exact; for CorefUD head]",
    ),
    parse_options,
)  # fmt: skip


def _check_nlp(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse a tagger that is not there before any file is read."""
    if value is not None:
        need_package("spacy", "nlp", "spaCy")
    return value


def needs(package: str, extra: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """Refuse an option whose package is not there before the work is done."""

    def check(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            need_package(package, extra)
        return value

    return check


layer_options = together(
    click.option(
        "--layers", metavar="PATH", help="CoNLL-U file or folder with parts of speech and heads for the key."
    ),
    click.option(
        "--nlp", metavar="NAME", callback=_check_nlp,
        help="Add parts of speech, heads and entities with this spaCy pipeline; 'spacy' uses the best "
        "installed one.",
    ),
)  # fmt: skip
