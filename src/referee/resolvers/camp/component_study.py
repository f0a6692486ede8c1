"""The paper's table: each component alone, and with all before it; what it links, and what of it is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from referee.model import Corpus, Document
from referee.resolvers.camp.camp import Camp, resolved_document
from referee.resolvers.camp.discourse import Discourse, Link
from referee.resolvers.camp.pipeline import chosen_components, run_components
from referee.scoring.result import Result
from referee.scoring.scorer import Scorer

METRICS = ("muc", "b_cubed")


@dataclass
class ComponentRow:
    """What one component does."""

    name: str
    alone: Scorer = field(default_factory=lambda: Scorer(metric=METRICS))
    with_earlier: Scorer = field(default_factory=lambda: Scorer(metric=METRICS))
    links: int = 0  # that it adds to those of earlier components
    wrong: Counter[str] = field(default_factory=Counter)  # kind of anaphor → links that the key does not have

    @property
    def scores(self) -> tuple[Result, Result]:
        """The scores alone, and with all earlier components."""
        return self.alone.compute(), self.with_earlier.compute()


def study_components(
    key: Corpus, camp: Camp, progress: Callable[[int], None] | None = None
) -> list[ComponentRow]:
    """Score each component; a text is parsed once."""
    names = chosen_components(camp.only, camp.until, camp.skip)
    rows = [ComponentRow(name) for name in names]
    documents = list(key)
    parses = camp.parsed(document.text for document in documents)
    for document, (_, parsed) in zip(documents, parses, strict=True):
        if parsed.length:
            _add(rows, document, camp.discourse(parsed), partial(camp.discourse, parsed))
        if progress:
            progress(1)
    return rows


def _add(
    rows: Iterable[ComponentRow], document: Document, together: Discourse, fresh: Callable[[], Discourse]
) -> None:
    """Run the components over one text, each alone, and one after the other."""
    clusters = _spans(document)
    entity = {mention: number for number, cluster in enumerate(clusters) for mention in cluster}
    for row in rows:
        alone = fresh()
        run_components(alone, [row.name])
        before = len(together.links)
        run_components(together, [row.name])
        added = together.links[before:]
        row.links += len(added)
        row.wrong.update(link.anaphor.kind.value for link in added if not _is_right(link, entity))
        for scorer, discourse in ((row.alone, alone), (row.with_earlier, together)):
            response = resolved_document(document.text, discourse)
            scorer.update(clusters, _spans(response), name=document.id)


def _spans(document: Document) -> list[list[tuple[int, int]]]:
    return [[(m.start, m.end) for m in cluster.mentions] for cluster in document.clusters]


def _is_right(link: Link, entity: dict[tuple[int, int], int]) -> bool:
    one, other = ((markable.start, markable.end) for markable in (link.anaphor, link.antecedent))
    return one in entity and entity[one] == entity.get(other)
