"""What all commands have: help in sections, and options that are refused where they would do nothing.

An option means the same in every command, so its section is listed once, by name. `NEEDS` and `EXCLUDES` say
of each command which options work only with others, or not with others: giving one in vain is a usage error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import click
from click.core import ParameterSource

SECTIONS: dict[str, tuple[str, ...]] = {
    "Input": (
        "--response", "--role", "--key", "--parses", "--on-bad-parse", "--layers", "--nlp", "--antecedents",
        "--genres", "--types", "--dev", "--from", "--ids", "--identity",
        "--systems", "--names",
    ),
    "What counts": (
        "--protocol", "--match", "--metric", "--singletons", "--repair", "--kind", "--scope", "--gaps",
        "--sets", "--layer", "--zeros", "--heads", "--spanning-tree", "--mention-type", "--classes",
        "--against-min", "--similarity",
    ),
    "Breakdowns and statistics": (
        "--by", "--macro", "--ci", "--test", "--samples", "--seed", "--level", "--correction", "--baseline",
        "--documents", "--stats",
    ),
    "Which errors": (
        "--common", "--table", "--filter", "--made-by", "--not-made-by", "--list", "--context", "--sort",
        "--draw", "--limit",
    ),
    "Merging": ("--rule", "--trust", "--decided"),
    "Prompts": (
        "--notation", "--guidelines", "--shots", "--examples", "--window", "--overlap", "--carry",
    ),
    "Server": (
        "--host", "--port", "--token-file", "--allow-host", "--max-size", "--queue",
        "--endpoint", "--key-variable", "--insecure", "--parallel", "--retries", "--timeout",
    ),
    "Requests and costs": (
        "--temperature", "--max-tokens", "--extra", "--price-in", "--price-out", "--max-cost",
    ),
    "Resolver": ("--resolver", "--preload", "--mentions", "--model", "--threads"),
    "Training": (
        "--int8", "--keep-thresholds", "--dry-run",
    ),
    "Work": ("--jobs", "--engine", "--scheduler", "--strict", "--journal", "--who"),
    "Store": ("--into", "--update", "--join", "--addition", "--minimum"),
    "Output": (
        "--output", "--to", "--format", "--title", "--replace", "--pseudonyms", "--characters", "--explain",
        "--scores", "--no-open", "--open", "--cases",
        "--lossy", "--decisions", "--plot", "--plot-format", "--record", "--verbose", "--quiet", "--help",
    ),
}  # fmt: skip
OTHER = "Options"
OF_TYPES = ("--by entity-type", "--by entity-type-strict", "--by entity-span")
OF_LAYERS = ("--by mention-type", *OF_TYPES)  # parts of speech say which mentions are pronouns
# command → option → what it needs: one of these options, with this value where one is named
NEEDS: dict[str, dict[str, tuple[str, ...]]] = {
    "score": {
        "--macro": ("--response",), "--genres": ("--by genre",), "--samples": ("--ci",), "--seed": ("--ci",),
        "--level": ("--ci",), "--scheduler": ("--engine dask",), "--types": OF_TYPES,
        "--layers": OF_LAYERS, "--nlp": OF_LAYERS,
    },
    "compare": {
        "--genres": ("--by genre",), "--types": OF_TYPES, "--layers": OF_LAYERS, "--nlp": OF_LAYERS,
        "--plot-format": ("--plot",), "--scheduler": ("--engine dask",),
    },
    "errors": {
        "--genres": ("--by genre",), "--seed": ("--draw",), "--scheduler": ("--engine dask",),
        "--types": ("--by entity-type", "--by entity-span"),
    },
    "report": {"--scheduler": ("--engine dask",)},
    "resolve": {
        "--to": ("--output",), "--seed": ("--pseudonyms",), "--format": ("--characters",),
        "--scheduler": ("--engine dask",),
    },
    "link": {
        "--to": ("--output",), "--update": ("--into",), "--scheduler": ("--engine dask",),
    },
    "curate": {"--to": ("--output",), "--lossy": ("--output",), "--open": ("--output",)},
    "llm prompt": {
        "--shots": ("--examples",), "--examples": ("--shots",), "--seed": ("--shots",),
        "--overlap": ("--window",), "--carry": ("--window",),
    },
    "llm run": {"--max-cost": ("--price-in", "--price-out")},
    "llm score": {"--scheduler": ("--engine dask",)},
}  # fmt: skip
# command → option → the options that leave it nothing to do
EXCLUDES: dict[str, dict[str, tuple[str, ...]]] = {
    "errors": {
        "--common": ("--table", "--list", "--context", "--sort", "--draw", "--limit"),
        "--table": ("--list", "--context", "--sort", "--draw", "--limit"),
        "--by": ("--list", "--context", "--sort", "--draw", "--limit"),
        "--classes": ("--list", "--context", "--sort", "--draw", "--limit", "--common"),
    },
    "resolve": {
        "--scores": ("--replace", "--pseudonyms", "--characters", "--explain"),
        "--to": ("--replace", "--pseudonyms", "--characters", "--explain"),
        "--replace": ("--characters", "--explain", "--pseudonyms"),
        "--pseudonyms": ("--characters", "--explain"), "--characters": ("--explain",),
        "--jobs": ("--explain",), "--engine": ("--explain",),
    },
    "link": {
        "--resolver": ("--into",), "--scope": ("--into",), "--mentions": ("--into",), "--jobs": ("--into",),
        "--engine": ("--into",),
    },
    "spans": {"--parses": ("--match min",), "--on-bad-parse": ("--match min",)},
}  # fmt: skip


class RefereeCommand(click.Command):
    """A command whose help has sections, and which refuses options that would do nothing."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options section by section, and those of resolvers under their names."""
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in (*SECTIONS, OTHER)}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record:
                sections.setdefault(section_of(parameter), []).append(record)
        last = list(SECTIONS)[-1]
        for title in sorted(sections, key=lambda title: title == last):
            if sections[title]:
                with formatter.section(title):
                    formatter.write_dl(sections[title])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, unless an option was given in vain; SIGTERM ends it without leftovers."""
        from referee.scoring.engines import end_by_exception  # which no help needs

        refuse_idle(ctx)
        end_by_exception()
        return super().invoke(ctx)


class OptionOf(click.Option):
    """An option that is in another section than those of its name are in other commands."""

    def __init__(self, *names: Any, section: str, **how: Any) -> None:
        """Say which section."""
        super().__init__(*names, **how)
        self.section = section


def section_of(option: click.Parameter) -> str:
    """Name the section of an option: its own, that of resolvers which have it, or the one that lists it."""
    if isinstance(option, OptionOf):
        return option.section
    if owners := getattr(option, "owners", ()):
        return f"Settings of {' and '.join(owners)}"
    return next((title for title, names in SECTIONS.items() if option.opts[-1] in names), OTHER)


def given_options(ctx: click.Context) -> dict[str, object]:
    """List the options that the user gave, with their values."""
    return {
        parameter.opts[-1]: ctx.params.get(parameter.name or "")
        for parameter in ctx.command.params
        if isinstance(parameter, click.Option)
        and ctx.get_parameter_source(parameter.name or "") is not ParameterSource.DEFAULT
    }


def refuse_idle(ctx: click.Context) -> None:
    """Refuse an option that would do nothing, and say what it needs or what leaves it nothing to do."""
    command, given = name_of(ctx), given_options(ctx)
    for option in given:
        needed = NEEDS.get(command, {}).get(option, ())
        if needed and not any(_holds(condition, given, ctx) for condition in needed):
            raise click.UsageError(f"{option} does nothing without {' or '.join(needed)}", ctx)
        for condition in EXCLUDES.get(command, {}).get(option, ()):
            if _holds(condition, given, ctx):
                raise click.UsageError(f"{option} does nothing with {condition}", ctx)


def name_of(ctx: click.Context) -> str:
    """Name a command as it is called, after its group if it has one: `llm run`."""
    group = ctx.parent.command.name if ctx.parent and ctx.parent.parent else ""
    return f"{group} {ctx.command.name}".strip()


def _holds(condition: str, given: dict[str, object], ctx: click.Context) -> bool:
    """Whether an option was given and, where the condition names a value, with that one."""
    option, _, wanted = condition.partition(" ")
    value = given.get(option)
    if option == "--engine":  # is remembered, not handed on
        value = ctx.meta.get("referee.engine")
    return option in given and (not wanted or wanted in _words(value))


def _words(value: object) -> Iterator[str]:
    for word in value if isinstance(value, Iterable) and not isinstance(value, str) else [value]:
        yield from re.split("[,|:]", str(word))
