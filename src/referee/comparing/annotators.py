"""Agreement between annotators, none of whom is the key.

* Coreference metrics as agreement: the F1 of two annotations, one taken as key and then the other.
* Krippendorff's α over coreference chains (Passonneau 2004): the value that an annotator gives to a mention
  is the set of mentions in its chain, and two sets are 0 apart if equal, ⅓ if one holds the other, ⅔ if they
  only meet, and 1 if they share nothing. α is 1 for full agreement and 0 for what chance would give.

A mention that an annotator did not mark has no value from that annotator. Whether annotators mark the same
mentions is measured separately; α is given twice, with chains as they were annotated, and cut down to the
mentions that all annotators marked, where only links can differ. What chance would give is asked within each
document, since a chain cannot leave it; documents count by how many values they have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import nan

from referee.display import Rows, number_of
from referee.exceptions import FormatError, ProtocolError
from referee.matching.pairing import pair_documents
from referee.matching.protocol import Protocol
from referee.metrics.standard import CONLL_METRICS
from referee.model import Corpus, Document, Mention, SelectedDocuments, joined_spans, word_edges
from referee.scoring.evaluate import Progress, evaluate
from referee.scoring.result import Result
from referee.scoring.task import Task

# BLANC is not here: the reference scorer leaves out kinds of link that the key lacks, so it is not symmetric.
MEASURES = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea")
CONLL = "conll"

Chain = frozenset[Mention]
Coding = Mapping[Mention, Chain]  # what one annotator says of each mention


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Disagreement seen and expected, each the mean over so many values: mentions times annotators."""

    values: int
    observed: float
    expected: float


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Rows):
    """What annotators agree on, pair by pair and on the whole. Its rows are pairs and measures."""

    _output = "agreement:agreement_output"

    annotators: Sequence[str]
    documents: Sequence[str]
    pairs: Mapping[tuple[str, str], Mapping[str, float]]  # two annotators → measure → F1
    alpha: float  # not a number if chains do not vary
    alpha_common: float  # of chains reduced to the mentions that all annotators marked
    common_mentions: int
    signature: str
    notices: Sequence[str] = ()
    results: Mapping[tuple[str, str], Result] = field(default_factory=dict)  # the first as key

    @property
    def mean(self) -> dict[str, float]:
        """Each measure's mean over the pairs."""
        measured = list(self.pairs.values())
        return {name: sum(scores[name] for scores in measured) / len(measured) for name in measured[0]}


def agreement(
    corpora: Sequence[Corpus],
    names: Sequence[str],
    protocol: Protocol | None = None,
    *,
    progress: Progress | None = None,
) -> Agreement:
    """Measure agreement on the documents that all annotators have."""
    protocol = protocol or Protocol()
    if len(corpora) < 2:
        raise FormatError("agreement needs two or more annotators")
    if protocol.match != "exact" or protocol.scope != "document":
        raise ProtocolError(
            "agreement compares exact spans, document by document: match:exact, scope:document"
        )
    common = _common(corpora, names)
    notices = [
        f"{name}: {len(part)} of {number_of(len(corpus), 'document')} common to all annotators; "
        f"the others are left out"
        for name, corpus, part in zip(names, corpora, common, strict=True)
        if len(corpus) > len(part)
    ]
    pairs, results = {}, {}
    for (a, first), (b, second) in combinations(zip(names, common, strict=True), 2):
        pairs[a, b], results[a, b] = _symmetric(first, second, protocol)
        notices += [notice for notice in results[a, b].notices if notice not in notices]
        if progress:
            progress(len(first))
    # Words that we cut from running texts differ from annotator to annotator; their characters do not.
    by_characters = any(corpus.cut for corpus in corpora)
    codings = [
        [coding(document_in_characters(side) if by_characters else side, protocol) for side in sides]
        for sides in zip(*common, strict=True)
    ]
    cut = [cut_to_common(coded) for coded in codings]
    return Agreement(
        names, common[0].ids, pairs, alpha_of(map(disagreement, codings)), alpha_of(map(disagreement, cut)),
        sum(len(coded[0]) for coded in cut), protocol.signature, notices, results,
    )  # fmt: skip


def _symmetric(first: Corpus, second: Corpus, protocol: Protocol) -> tuple[dict[str, float], Result]:
    """The mean F1 with either side as the key (they differ where mentions are repeated); the first result."""
    tasks = [Task.of(*sides, protocol=protocol) for sides in ((first, second), (second, first))]
    results = [result for task in tasks for result in evaluate(task, MEASURES)]
    scores = {name: sum(result.scores[name].f1 for result in results) / 2 for name in MEASURES}
    scores[CONLL] = sum(scores[name] for name in CONLL_METRICS) / len(CONLL_METRICS)
    return scores, results[0]


def _common(corpora: Sequence[Corpus], names: Sequence[str]) -> list[SelectedDocuments]:
    """Keep the documents that all have, in the first one's order."""
    paired = [dict(pair_documents(corpora[0], corpus, strict=False)[0]) for corpus in corpora]
    shared = [number for number in paired[0] if all(numbers[number] is not None for numbers in paired)]
    if not shared:
        raise FormatError(f"{' and '.join(names)} have no document in common: their names all differ")
    ids = [corpora[0].ids[number] for number in shared]
    return [
        SelectedDocuments(corpus, [other for number in shared if (other := numbers[number]) is not None], ids)
        for corpus, numbers in zip(corpora, paired, strict=True)
    ]


def document_in_characters(document: Document) -> Document:
    """Give a document's mentions in characters that are not white space."""
    edges = word_edges(document.text).tolist()

    def moved(mention: Mention) -> Mention:
        spans = [(edges[start], max(edges[end], edges[start] + 1)) for start, end in mention.spans]
        return Mention(joined_spans(spans))

    clusters = (replace(c, mentions=tuple(map(moved, c.mentions))) for c in document.clusters)
    return replace(document, clusters=tuple(clusters))


def coding(document: Document, protocol: Protocol | None = None) -> Coding:
    """Give each mention its chain; one that occurs in two chains belongs to the first."""
    alone = protocol is not None and protocol.singletons == "drop"
    chains: dict[Mention, Chain] = {}
    for cluster in document.clusters:
        chain = frozenset(cluster.mentions)
        if len(chain) > alone:
            for mention in chain:
                chains.setdefault(mention, chain)
    return chains


def cut_to_common(codings: Sequence[Coding]) -> list[Coding]:
    """Keep the mentions that all annotators marked, in chains and as what is coded."""
    common = frozenset.intersection(*(frozenset(coded) for coded in codings))
    return [{mention: coded[mention] & common for mention in common} for coded in codings]


def chain_distance(a: Chain, b: Chain) -> float:
    """The distance between two chains (Passonneau 2004)."""
    if a == b:
        return 0.0
    if a < b or b < a:
        return 1 / 3
    return 2 / 3 if a & b else 1.0


def disagreement(codings: Sequence[Coding]) -> Disagreement:
    """Compare what annotators say of one document's mentions; those that only one marked are left out."""
    mentions = {mention for coded in codings for mention in coded}
    values = {mention: [coded[mention] for coded in codings if mention in coded] for mention in mentions}
    values = {mention: chains for mention, chains in values.items() if len(chains) > 1}
    if not values:
        return Disagreement(0, 0.0, 0.0)
    total = sum(map(len, values.values()))
    observed = sum(
        2 * sum(chain_distance(a, b) for a, b in combinations(chains, 2)) / (len(chains) - 1)
        for chains in values.values()
    )
    expected = _all_pairs(chain for chains in values.values() for chain in chains)
    return Disagreement(total, observed / total, expected / (total * (total - 1)))


def _all_pairs(chains: Iterable[Chain]) -> float:
    """Sum the distances between all ordered pairs. Only chains that share a mention are less than 1 apart."""
    counts = Counter(chains)
    of_mention: dict[Mention, list[Chain]] = defaultdict(list)
    for chain in counts:
        for mention in chain:
            of_mention[mention].append(chain)
    meeting = {frozenset(two) for chains in of_mention.values() for two in combinations(chains, 2)}
    nearer = sum(2 * counts[a] * counts[b] * (1 - chain_distance(a, b)) for a, b in map(tuple, meeting))
    pairs = sum(counts.values()) ** 2 - sum(count**2 for count in counts.values())
    return pairs - nearer


def alpha_of(documents: Iterable[Disagreement]) -> float:
    """Krippendorff's α: 1 − disagreement seen / disagreement that chance would give."""
    observed = expected = 0.0
    for document in documents:
        observed += document.values * document.observed
        expected += document.values * document.expected
    return 1 - observed / expected if expected else nan
