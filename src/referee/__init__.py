"""Referee judges coreference: scores, intervals, error analysis and reports.

>>> import referee
>>> referee.score([["a", "b"], ["c"]], [["a", "b", "c"]]).muc.f1
0.6666666666666666
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.analysis.study import analyse
    from referee.comparing.annotators import agreement
    from referee.comparing.significance import intervals
    from referee.comparing.verdicts import Comparison, Interval, Plan, Verdict
    from referee.exceptions import FormatError, MissingExtra, ProtocolError, RefereeError
    from referee.formats import read, write
    from referee.functions.compare import compare
    from referee.functions.score import score
    from referee.functions.scores import Scores
    from referee.language.span_survey import minimum_spans
    from referee.matching.protocol import Protocol
    from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention
    from referee.page.gather import report
    from referee.resolvers.resolved import Resolved
    from referee.resolvers.resolving import link, resolve
    from referee.scoring.gap import GapScore, gap_score
    from referee.scoring.metric_scores import Score
    from referee.scoring.result import Result
    from referee.scoring.scorer import Scorer
    from referee.tables.comparison import ComparisonReport

__version__ = "0.7.0"

# Names are loaded when they are first used, so that `import referee` costs nothing.
_HOMES = {
    "exceptions": ("FormatError", "MissingExtra", "ProtocolError", "RefereeError"),
    "formats": ("read", "write"),
    "model": ("Cluster", "Corpus", "Document", "DocumentCorpus", "Mention"),
    "matching.protocol": ("Protocol",),
    "scoring.gap": ("GapScore", "gap_score"),
    "scoring.metric_scores": ("Score",),
    "scoring.result": ("Result",),
    "scoring.scorer": ("Scorer",),
    "comparing.annotators": ("agreement",),
    "comparing.significance": ("intervals",),
    "comparing.verdicts": ("Comparison", "Interval", "Plan", "Verdict"),
    "analysis.study": ("analyse",),
    "language.span_survey": ("minimum_spans",),
    "page.gather": ("report",),
    "functions.compare": ("compare",),
    "functions.score": ("score",),
    "functions.scores": ("Scores",),
    "tables.comparison": ("ComparisonReport",),
    "resolvers.resolved": ("Resolved",),
    "resolvers.resolving": ("link", "resolve"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Cluster", "Comparison", "ComparisonReport", "Corpus", "Document", "DocumentCorpus",
    "FormatError", "GapScore", "Interval", "Mention", "MissingExtra", "Plan", "Protocol",
    "ProtocolError", "RefereeError", "Resolved", "Result", "Score", "Scorer", "Scores", "Verdict",
    "agreement", "analyse", "compare", "gap_score", "intervals", "link", "minimum_spans", "read",
    "report", "resolve", "score", "write",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'referee' has no attribute '{name}'")
    return getattr(import_module(f"referee.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
