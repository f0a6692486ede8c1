"""Tables of cross-document scores: levels side by side, statistics of a corpus, predicted topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from referee.crossdoc.corpus_statistics import CorpusCounts, CorpusStatistics
from referee.crossdoc.levels import Level
from referee.crossdoc.predicted_topics import TopicFit
from referee.display import number_of
from referee.metrics.catalogue import CATALOGUE
from referee.scoring.metric_scores import Score
from referee.tables.rendering import Output, Records
from referee.tables.scores import (
    HEADS,
    NUMBERS,
    best_of_groups,
    count_cell,
    counted_records,
    joined_notices,
    metric_record,
    metric_records,
    percent,
    score_cell,
)
from referee.tables.table import Cell, Column, Table

LINK_LABELS = {"within": "Links within documents", "across": "Links across documents"}
STATISTICS = {
    "topics": "Topics",
    "subtopics": "Subtopics",
    "documents": "Documents",
    "sentences": "Sentences",
    "tokens": "Tokens",
    "mentions": "Mentions",
    "singletons": "Singletons",
    "clusters": "Clusters, without singletons",
    "across": "… of several documents",
}


def level_table(levels: Sequence[Level]) -> Table:
    """Show one system in full, its levels side by side; or a row for each system and level."""
    systems = list(dict.fromkeys(level.result.system for level in levels))
    table = _one_system if len(systems) == 1 else _several_systems
    return table(levels)


def _one_system(levels: Sequence[Level]) -> Table:
    columns = [Column("", left=True)]
    columns += [Column(HEADS[number], _units(level)) for level in levels for number in NUMBERS]
    names = list(levels[0].result.scores)
    rows = [_row(CATALOGUE[name].label, [level.result.scores[name] for level in levels]) for name in names]
    if levels[0].result.has_conll:
        conll = [(Cell(""), Cell(""), score_cell(level.result.conll)) for level in levels]
        rows.append([Cell("CoNLL"), *(cell for cells in conll for cell in cells)])
    for kind, label in LINK_LABELS.items():
        rows.append(_row(label, [getattr(level.links, kind) for level in levels]))
    notes = ["", f"The response's mentions are {levels[0].mentions}."]
    notes += [_errors(level) for level in levels]
    return Table(columns, rows, levels[0].result.system, [*notes, *_signatures(levels)])


def _row(label: str, scores: Sequence[Score]) -> list[Cell]:
    return [Cell(label), *(score_cell(getattr(s, number)) for s in scores for number in NUMBERS)]


def _units(level: Level) -> str:
    """Name a level by its units: "8 topics"."""
    count, scope = len(level.result.units), level.result.protocol.scope
    return "corpus" if scope == "corpus" else number_of(count, scope)


def _errors(level: Level) -> str:
    """Say how many of the wrong links are the cross-document ones."""
    said = []
    for what, (within, across) in (("missed", level.links.missed), ("invented", level.links.invented)):
        share = f" ({100 * across / (within + across):.1f}%)" if within + across else ""
        said.append(
            f"{number_of(within + across, 'link')} {what}, {across:,}{share} of them across documents"
        )
    return f"{level.result.protocol.scope.capitalize()}: {'; '.join(said)}."


def _signatures(levels: Sequence[Level]) -> list[str]:
    """Write each protocol once, with the score that it gave if there is one system."""
    if len({level.result.system for level in levels}) == 1 and levels[0].result.has_conll:
        return [f"conll-f1|{level.result.signature} = {percent(level.result.conll)}" for level in levels]
    return list(dict.fromkeys(level.result.signature for level in levels))


def _several_systems(levels: Sequence[Level]) -> Table:
    first = levels[0].result
    labels = [CATALOGUE[name].label for name in first.scores] + ["CoNLL"] * first.has_conll
    columns = [Column("System", left=True), Column("Level", left=True)]
    columns += [Column(label) for label in [*labels, *LINK_LABELS.values()]]
    values = [_f1(level) for level in levels]
    best = best_of_groups([_units(level) for level in levels], values)
    cells = [
        [
            *(Cell(level.result.system), Cell(_units(level))),
            *(score_cell(value, best=top) for value, top in zip(scores, marks, strict=True)),
        ]
        for level, scores, marks in zip(levels, values, best, strict=True)
    ]
    mentions = {level.result.system: level.mentions for level in levels}
    notes = [f"{system}: its mentions are {setting}." for system, setting in mentions.items()]
    return Table(columns, cells, "F1", ["", *notes, *_signatures(levels)])


def _f1(level: Level) -> list[float]:
    values = [score.f1 for score in level.result.scores.values()]
    values += [level.result.conll] * level.result.has_conll
    return [*values, level.links.within.f1, level.links.across.f1]


def level_output(key: str, levels: Sequence[Level]) -> Output:
    """Show scores across documents."""
    return Output(
        lambda: [level_table(levels)], lambda: level_data(key, levels), lambda: level_records(levels)
    )


def level_data(key: str, levels: Sequence[Level]) -> dict[str, Any]:
    """Give every count, of each unit too, the links, and how the mentions compare."""
    values = [
        {**level.result.to_dict(), "mentions": level.mentions, "links": level.links.to_dict()}
        for level in levels
    ]
    return {"key": key, "notices": joined_notices([level.result for level in levels]), "results": values}


def level_records(levels: Sequence[Level]) -> Records:
    """List a row for each system, level and metric; the two kinds of link are metrics too."""
    rows = []
    for level in levels:
        result, scope = level.result, level.result.protocol.scope
        rows += metric_records((result.system, scope), result)
        for kind in LINK_LABELS:
            words = (result.system, scope, f"links_{kind}")
            rows.append(metric_record(words, getattr(level.links, kind)))
    return counted_records(["system", "group", "metric"], rows)


def corpus_counts_output(counted: CorpusCounts) -> Output:
    """Show what a corpus holds; its rows are its parts and kinds of mention."""
    heads = [field.name for field in fields(CorpusStatistics)]
    return Output(
        lambda: [statistics_table(counted, counted.name)],
        lambda: {"notices": counted.notices, "counts": [asdict(part) for part in counted]},
        lambda: (heads, [list(asdict(part).values()) for part in counted]),
    )


def statistics_table(counted: Sequence[CorpusStatistics], name: str) -> Table:
    """Show counts as Table 7 of Cattan et al. (2021): a column for each part and kind of mention."""
    columns = [Column("", left=True), *(Column(s.kind.capitalize(), s.part) for s in counted)]
    rows = [
        [Cell(label), *(count_cell(getattr(s, field)) for s in counted)]
        for field, label in STATISTICS.items()
        if any(getattr(s, field) for s in counted) or not field.endswith(("topics", "across"))
    ]
    return Table(columns, rows, name)


def topic_output(
    predicted: Mapping[str, str], fits: Sequence[TopicFit], notices: Sequence[str] = (), *, mapping: bool
) -> Output:
    """Show how predicted topics fit the gold ones, if there are any, and which is mostly which if asked."""
    tables = [
        topic_table(predicted, fits),
        *([mapping_table(predicted, fits[-1])] if mapping and fits else []),
    ]
    unfit = f"{topic_count(predicted)}; the corpus does not say its own"
    return Output(
        lambda: tables,
        lambda: {"notices": list(notices), "topics": dict(predicted), "fits": [asdict(fit) for fit in fits]},
        words=None if fits else lambda: unfit,
    )


def topic_table(predicted: Mapping[str, str], agreements: Sequence[TopicFit]) -> Table:
    """Show how predicted topics fit the gold ones."""
    heads = ("Homogeneity", "Completeness", "V-measure")
    columns = [Column("Against", left=True), Column("Gold")]
    columns += [Column(head) for head in heads] + [
        Column(HEADS[n], "B³", key=f"b_cubed_{n}") for n in NUMBERS
    ]
    rows = [
        [
            Cell(f"{a.level}s"), count_cell(a.gold),
            *(score_cell(v) for v in (a.homogeneity, a.completeness, a.v_measure, *a.b_cubed)),
        ]
        for a in agreements
    ]  # fmt: skip
    return Table(columns, rows, topic_count(predicted))


def topic_count(predicted: Mapping[str, str]) -> str:
    """Say how many topics were predicted."""
    topics, documents = len(set(predicted.values())), len(predicted)
    return f"{number_of(topics, 'topic')} found in {number_of(documents, 'document')}"


def mapping_table(predicted: Mapping[str, str], agreement: TopicFit) -> Table:
    """Show which gold group most documents of each predicted one belong to."""
    sizes: dict[str, int] = {}
    for group in predicted.values():
        sizes[group] = sizes.get(group, 0) + 1
    columns = [Column("Topic", left=True), Column("Documents"), Column(f"Mostly {agreement.level}")]
    largest_first = sorted(sizes.items(), key=lambda item: -item[1])
    rows = [[Cell(g), count_cell(n), Cell(agreement.majority[g])] for g, n in largest_first]
    return Table(columns, rows)
