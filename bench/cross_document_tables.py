"""Makes Tables 2 to 5 and 8 of Cattan et al. (2021) with a model, each row beside the paper's.

    python bench/cross_document_tables.py DATA MODEL [--part dev] [--format markdown] [--table 4] …

DATA is the folder that holds ecbplus/, MODEL a model's folder, or `surface` for the words alone. The paper's
rows are of the test part (10 topics), with RoBERTa-large; ours are of the part that is named. Intervals are
bootstrapped over topics (95 %), for rows that are scored topic by topic.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import referee
from referee import formats, score
from referee.comparing.significance import intervals
from referee.crossdoc.link_scopes import link_groups
from referee.matching.protocol import Protocol
from referee.metrics.standard import CONLL
from referee.model import Corpus
from referee.resolvers.across.across import opened_scorer
from referee.resolvers.across.mention_table import every_word
from referee.resolvers.across.mentions import AcrossScorer
from referee.resolvers.across.resolver import AcrossResolver
from referee.resolvers.baselines import respond
from referee.scoring.result import Result
from referee.tables.rendering import RENDERERS, Output
from referee.tables.table import Cell, Column, Table
from surface_scorer import SurfaceScorer

METRICS = {"muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAFe", "lea": "LEA"}
KINDS = {"events": "Event", "entities": "Entity", "all": "ALL"}
Row = tuple[float, ...]  # recall, precision and F1 of four metrics, and CoNLL

# fmt: off
PAPER_2 = {  # events, predicted subtopics, gold mentions; + with singletons, - without
    "Singleton+": (0, 0, 0, 45.2, 100, 62.3, 86.7, 39.2, 54.0, 35.0, 35.0, 35.0, 38.8),
    "Singleton-": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "Same head lemma+": (76.5, 80.0, 78.2, 71.8, 85.0, 77.8, 75.5, 71.8, 73.6, 57.0, 72.0, 63.7, 76.5),
    "Same head lemma-": (76.5, 80.0, 78.2, 54.4, 72.6, 62.2, 68.0, 42.5, 52.3, 50.6, 69.6, 58.6, 64.2),
    "Model+": (85.1, 81.9, 83.5, 82.1, 82.7, 82.4, 75.2, 78.9, 77.0, 68.8, 72.0, 70.4, 81.0),
    "Model-": (85.1, 81.9, 83.5, 70.8, 70.2, 70.5, 68.2, 52.3, 59.2, 68.2, 67.6, 67.9, 71.1),
}
PAPER_3 = {  # entities, likewise
    "Singleton+": (0, 0, 0, 29.6, 100, 45.7, 80.3, 23.8, 36.7, 20.1, 20.1, 20.1, 27.5),
    "Singleton-": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "Same head lemma+": (71.3, 83.0, 76.7, 53.4, 84.9, 65.6, 70.1, 52.5, 60.0, 40.6, 69.1, 51.1, 67.4),
    "Same head lemma-": (71.3, 83.0, 76.7, 39.4, 77.2, 52.2, 60.1, 34.7, 44.0, 35.2, 73.6, 47.6, 57.6),
    "Model+": (85.7, 81.7, 83.6, 70.7, 74.8, 72.7, 59.3, 67.4, 63.1, 56.8, 65.8, 61.0, 73.1),
    "Model-": (85.7, 81.7, 83.6, 62.4, 67.6, 64.9, 62.3, 46.6, 53.3, 59.3, 65.0, 62.0, 67.3),
}
PAPER_4 = {  # predicted mentions, without singletons
    "Event, topic": (64.8, 62.0, 63.4, 52.5, 36.8, 43.2, 40.2, 36.2, 38.1, 49.6, 33.4, 40.0, 48.2),
    "Event, corpus": (64.3, 61.0, 62.6, 51.5, 34.4, 41.2, 38.3, 35.5, 36.8, 48.5, 31.0, 37.8, 46.9),
    "Entity, topic": (41.7, 52.3, 46.4, 24.8, 37.1, 29.7, 27.4, 26.8, 27.1, 22.3, 34.4, 27.1, 34.4),
    "Entity, corpus": (41.7, 52.3, 46.4, 24.6, 37.0, 29.6, 27.2, 26.1, 26.7, 22.3, 34.3, 27.0, 34.2),
    "ALL, topic": (49.3, 56.7, 52.8, 31.7, 41.4, 35.9, 39.2, 32.4, 35.5, 28.7, 37.5, 32.5, 41.4),
    "ALL, corpus": (49.3, 55.9, 52.4, 31.5, 39.2, 34.9, 37.1, 32.8, 34.8, 28.6, 35.5, 31.7, 40.7),
}
PAPER_5 = {  # gold mentions, without singletons
    "Event, topic": (80.1, 76.3, 78.1, 63.4, 54.1, 58.4, 56.3, 44.2, 49.5, 59.7, 49.6, 54.2, 62.0),
    "Event, corpus": (79.9, 74.8, 77.2, 62.2, 48.9, 54.8, 53.3, 42.3, 47.2, 58.4, 44.4, 50.5, 59.7),
    "Entity, topic": (85.8, 79.3, 82.4, 64.3, 60.0, 62.1, 58.6, 45.9, 51.5, 60.9, 56.8, 58.8, 65.3),
    "Entity, corpus": (85.7, 79.3, 82.4, 63.7, 60.0, 61.8, 58.1, 45.0, 50.7, 60.3, 56.8, 58.5, 65.0),
    "ALL, topic": (83.8, 78.4, 81.0, 66.0, 55.5, 60.3, 56.2, 43.3, 48.9, 62.6, 51.8, 56.7, 63.4),
    "ALL, corpus": (83.8, 77.4, 80.5, 65.8, 51.9, 58.1, 52.9, 43.5, 47.8, 62.4, 48.4, 54.5, 62.1),
}
PAPER_8 = {  # appendix B; the paper gives no CoNLL average
    "S1, with singletons": (100, 60.0, 75.0, 100, 63.3, 77.6, 66.7, 93.3, 77.8, 90.0, 56.0, 69.0),
    "S2, with singletons": (100, 75.0, 85.7, 60.0, 66.7, 63.2, 25.7, 60.0, 36.0, 50.0, 57.1, 53.3),
    "S1, without": (100, 60.0, 75.0, 100, 36.1, 53.1, 33.3, 66.7, 44.4, 100, 26.7, 42.1),
    "S2, without": (100, 75.0, 85.7, 100, 72.2, 83.9, 90.0, 90.0, 90.0, 100, 66.7, 80.0),
}
# fmt: on


class Tables:
    """Makes the tables of one part of ECB+ with one model."""

    def __init__(self, corpus: Corpus, scorer: AcrossScorer) -> None:
        """Keep the corpus and the model."""
        self.corpus = corpus
        self.scorer = scorer

    def table(self, number: int) -> Table:
        """Make one of the paper's tables."""
        made = {2: self._subtopics, 3: self._subtopics, 4: self._levels, 5: self._levels}
        if number == 8:
            return shown(8, PAPER_8, dict(partitions()), "by definition")
        return shown(number, PAPERS[number], dict(made[number](number)), Path(self.corpus.name).name)

    def _subtopics(self, number: int) -> Iterator[tuple[str, Result]]:
        """Link gold mentions within predicted subtopics; score all together, with singletons and without."""
        kind = "events" if number == 2 else "entities"
        key = self.corpus.of_kind(kind)
        groups = link_groups(key, "predicted")
        responses = {
            "Singleton": respond(key, "singletons", groups),
            "Same head lemma": respond(key, "head-lemma", groups),
            "Model": AcrossResolver(self.scorer, kind).resolve(
                list(key), groups, given=True, words=every_word(key)
            ),
        }
        for name, response in responses.items():
            for mark, singletons in (("+", "keep"), ("-", "drop")):
                protocol = Protocol(scope="corpus", singletons=singletons, gaps="fill", kind=kind)
                yield f"{name}{mark}", score(key, response, protocol=protocol, metric=list(METRICS))

    def _levels(self, number: int) -> Iterator[tuple[str, Result]]:
        """Resolve within gold topics and score by topic; within predicted ones, and score the corpus."""
        for kind, label in KINDS.items():
            key = self.corpus.of_kind(kind)
            for scope, linked in (("topic", "topic"), ("corpus", "predicted")):
                resolver = AcrossResolver(self.scorer, kind)
                groups = link_groups(key, linked)
                response = resolver.resolve(list(key), groups, given=number == 5, words=every_word(key))
                protocol = Protocol(scope=scope, singletons="drop", gaps="fill", kind=kind)
                yield f"{label}, {scope}", score(key, response, protocol=protocol, metric=list(METRICS))


PAPERS: dict[int, Mapping[str, Row]] = {2: PAPER_2, 3: PAPER_3, 4: PAPER_4, 5: PAPER_5, 8: PAPER_8}
CAPTIONS = {
    2: "Table 2: events, gold mentions, predicted subtopics; with (+) and without (-) singletons",
    3: "Table 3: entities, gold mentions, predicted subtopics; with (+) and without (-) singletons",
    4: "Table 4: predicted mentions, without singletons",
    5: "Table 5: gold mentions, without singletons",
    8: "Table 8: what singletons do to two made-up systems",
}


def partitions() -> Iterator[tuple[str, Result]]:
    """Score the two systems of appendix B."""
    key, *systems = (
        [list(c) for c in words.split()] for words in ("A B C D E FG HIJ", "A B C D EFGHIJ", "EFG HIJ Z")
    )
    for label, singletons in (("with singletons", "keep"), ("without", "drop")):
        for name, system in zip(("S1", "S2"), systems, strict=True):
            result = referee.score(key, system, protocol=f"singletons:{singletons}", metric=list(METRICS))
            yield f"{name}, {label}", result


def shown(number: int, paper: Mapping[str, Row], ours: Mapping[str, Result], name: str) -> Table:
    """Put our rows under the paper's."""
    columns = [Column("", left=True), Column("whose", left=True)]
    columns += [Column(head, label) for label in METRICS.values() for head in ("R", "P", "F1")]
    columns += [Column("F1", "CoNLL"), Column("95 %", "CoNLL")]
    rows = []
    for label, numbers in paper.items():
        printed = [Cell(f"{value:.1f}") for value in numbers] + [Cell("")] * (14 - len(numbers))
        rows.append([Cell(label), Cell("paper, test"), *printed])
        rows.append([Cell(""), Cell(f"ours, {name}"), *(Cell(words) for words in _cells(ours[label]))])
    return Table(columns, rows, CAPTIONS[number])


def _cells(result: Result) -> list[str]:
    scores = [result.scores[name] for name in METRICS]
    cells = [f"{100 * value:.1f}" for s in scores for value in (s.recall, s.precision, s.f1)]
    return [*cells, f"{100 * result.conll:.1f}", _interval(result)]


def _interval(result: Result) -> str:
    if len(result.units) < 2:
        return ""
    around = intervals(result)[CONLL][-1]
    return f"{100 * around.low:.1f}–{100 * around.high:.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("model")
    parser.add_argument("--part", default="dev", choices=("train", "dev"))
    parser.add_argument("--format", default="text", choices=("text", "markdown", "latex"))
    parser.add_argument("--table", type=int, action="append", choices=tuple(PAPERS))
    options = parser.parse_args(arguments)
    scorer = SurfaceScorer() if options.model == "surface" else opened_scorer(options.model)
    tables = Tables(formats.read(options.data / "ecbplus" / options.part), scorer)
    for number in options.table or PAPERS:
        table = tables.table(number)
        print(RENDERERS[options.format](Output(partial(list, [table]), dict)), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
