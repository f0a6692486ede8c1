"""What `referee resolve` does with several documents at once: options, topics, and what is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from referee import formats
from referee.cli.options import together
from referee.cli.terminal import Command, progress_bar, save_words, say, tell, terminal_look
from referee.crossdoc.predicted_topics import predict_topics
from referee.exceptions import ProtocolError
from referee.matching.units import read_groups, unit_labels
from referee.model import Corpus, Document, DocumentCorpus
from referee.page.recurring import recurring_page
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import AcrossScorer
from referee.resolvers.across.resolver import MENTION_KINDS, AcrossResolver
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.neural.models import model_named
from referee.resolvers.raw_texts import texts_of
from referee.tables.resolved import recurring_view

GOLD, PREDICTED, WHOLE = "gold", "predicted", "corpus"
TOPICS = (GOLD, PREDICTED, WHOLE)

KEPT = "referee.across."


class AcrossChoices(NamedTuple):
    """What the options say."""

    across: bool
    mentions_kind: str
    topics: str
    mentions: str | None
    model: str | None


CHOICES = AcrossChoices._fields


def _kept(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta[f"{KEPT}{parameter.name}"] = value


def _option(name: str, **how: Any) -> Callable[[Command], Command]:
    return click.option(name, expose_value=False, callback=_kept, **how)


across_options = together(
    _option("--across", is_flag=True, help="Link mentions across all documents of INPUT, not in each alone."),
    _option(
        "--mentions-kind", type=click.Choice(MENTION_KINDS), default="all", show_default=True,
        help="What is linked (with --across).",
    ),
    _option(
        "--topics", default=PREDICTED, show_default=True, metavar="|".join(TOPICS) + "|FILE",
        help="Which documents may share clusters (with --across).",
    ),
)  # fmt: skip


def across_choices() -> AcrossChoices | None:
    """Take what was chosen, if documents are to be resolved together."""
    context = click.get_current_context()
    told: dict[str, Any] = {
        name: context.meta.get(f"{KEPT}{name}", context.params.get(name)) for name in CHOICES
    }
    chosen = AcrossChoices(**told)
    if chosen.across:
        return chosen
    for name in CHOICES:
        if (
            f"{KEPT}{name}" in context.meta
            and context.get_parameter_source(name) == ParameterSource.COMMANDLINE
        ):
            raise click.UsageError(f"--{name.replace('_', '-')} is for documents together: --across")
    return None


def resolve_across(inputs: Sequence[str], output: str | None, to: str | None, chosen: AcrossChoices) -> None:
    """Link mentions across the documents of some inputs, and show or write what was found."""
    corpus = _corpus(inputs, chosen.mentions_kind)
    tell(corpus.notices)
    given = chosen.mentions == GOLD
    if given and not any(document.clusters for document in corpus):
        raise ProtocolError(f"{corpus.name}: has no mentions to be linked; --mentions predicted finds them")
    groups = topic_groups(corpus, chosen.topics)
    resolver = AcrossResolver(opened_scorer(chosen.model), chosen.mentions_kind)
    with progress_bar(2 * len(corpus), "resolving") as advance:  # found, then linked
        response = resolver.resolve(
            list(corpus), groups, given=given, words=every_word(corpus), progress=advance
        )
    if output and output.endswith(".html") and not to:
        save_words(recurring_page(response.documents, Path(output).stem), output)
    elif output:
        formats.write(response, output, to, cross_document=True)
    else:
        say(recurring_view(response.documents, terminal_look()))


def opened_scorer(model: str | None) -> AcrossScorer:
    """Open a model across documents, by name or folder, or the one that is installed."""
    from referee.resolvers.across.model import AcrossModel

    return AcrossModel(model_named(model).folder)


def _corpus(inputs: Sequence[str], kind: str) -> Corpus:
    """Open what is to be resolved; running texts are cut into words."""
    texts = texts_of(inputs)
    if isinstance(texts, Corpus):
        return texts.only(kind)
    return DocumentCorpus([Document(cut_raw(text), ()) for text in texts], inputs[0], cross_document=True)


def topic_groups(corpus: Corpus, topics: str) -> Mapping[str, str] | None:
    """Say which documents may share clusters; None if all may."""
    if topics == WHOLE:
        return None
    if topics == PREDICTED:
        return predict_topics(corpus)
    if topics == GOLD:
        return dict(zip(corpus.ids, unit_labels(corpus, "topic"), strict=True))
    if not Path(topics).is_file():
        raise click.BadParameter(
            f"'{topics}' is neither one of {', '.join(TOPICS)} nor a file", param_hint="--topics"
        )
    groups = read_groups(topics)
    return dict(zip(corpus.ids, unit_labels(corpus, "group", groups), strict=True))
