"""Referee judges coreference: scores, intervals, error analysis and reports.

>>> import referee
>>> referee.score([["a", "b"], ["c"]], [["a", "b", "c"]]).muc.f1
0.6666666666666666
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.comparing.significance import intervals
    from referee.comparing.verdicts import Comparison, Interval, Plan, Verdict
    from referee.exceptions import (
        FailureWarning,
        FormatError,
        LossWarning,
        MissingExtra,
        ProtocolError,
        RefereeError,
    )
    from referee.formats import read, write
    from referee.formats.failures import Failure
    from referee.functions.agree import agree
    from referee.functions.baseline import baseline
    from referee.functions.compare import compare
    from referee.functions.components import components
    from referee.functions.convert import Conversion, convert
    from referee.functions.curate import curate
    from referee.functions.errors import errors
    from referee.functions.export import Export, export
    from referee.functions.gap import gap
    from referee.functions.llm import llm_prompt, llm_repair, llm_run, llm_score
    from referee.functions.models import models
    from referee.functions.report import report
    from referee.functions.restore import restore
    from referee.functions.score import score
    from referee.functions.scores import Scores
    from referee.functions.serve import serve
    from referee.functions.spans import spans
    from referee.functions.stats import stats
    from referee.functions.topics import Topics, topics
    from referee.functions.train import train
    from referee.functions.tune import Tuning, tune
    from referee.functions.validate import validate
    from referee.functions.workbench import workbench
    from referee.matching.protocol import Protocol
    from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention
    from referee.resolvers.across.store.store import Store, open_store
    from referee.resolvers.base import raw_text, resolver_named
    from referee.resolvers.part_files import planned_parts, recipe_for, resolve_parts
    from referee.resolvers.resolved import Resolved
    from referee.resolvers.resolving import link, resolve
    from referee.scoring.dask_engine import DaskEngine
    from referee.scoring.gap import GapScore
    from referee.scoring.metric_scores import Score
    from referee.scoring.result import Result
    from referee.scoring.scorer import Scorer
    from referee.service.client import connect
    from referee.tables.comparison import ComparisonReport

__version__ = "0.7.0"

# Names are loaded when they are first used, so that `import referee` costs nothing.
_HOMES = {
    "exceptions": (
        "FailureWarning",
        "FormatError",
        "LossWarning",
        "MissingExtra",
        "ProtocolError",
        "RefereeError",
    ),
    "formats": ("read", "write"),
    "formats.failures": ("Failure",),
    "model": ("Cluster", "Corpus", "Document", "DocumentCorpus", "Mention"),
    "matching.protocol": ("Protocol",),
    "scoring.gap": ("GapScore",),
    "scoring.metric_scores": ("Score",),
    "scoring.result": ("Result",),
    "scoring.scorer": ("Scorer",),
    "comparing.significance": ("intervals",),
    "comparing.verdicts": ("Comparison", "Interval", "Plan", "Verdict"),
    "functions.agree": ("agree",),
    "functions.baseline": ("baseline",),
    "functions.compare": ("compare",),
    "functions.components": ("components",),
    "functions.convert": ("Conversion", "convert"),
    "functions.curate": ("curate",),
    "functions.errors": ("errors",),
    "functions.export": ("Export", "export"),
    "functions.gap": ("gap",),
    "functions.llm": ("llm_prompt", "llm_repair", "llm_run", "llm_score"),
    "functions.models": ("models",),
    "functions.report": ("report",),
    "functions.restore": ("restore",),
    "functions.score": ("score",),
    "functions.serve": ("serve",),
    "functions.spans": ("spans",),
    "functions.stats": ("stats",),
    "functions.topics": ("Topics", "topics"),
    "functions.train": ("train",),
    "functions.tune": ("Tuning", "tune"),
    "functions.validate": ("validate",),
    "functions.workbench": ("workbench",),
    "functions.scores": ("Scores",),
    "tables.comparison": ("ComparisonReport",),
    "resolvers.across.store.store": ("Store", "open_store"),
    "resolvers.base": ("raw_text", "resolver_named"),
    "resolvers.part_files": ("planned_parts", "recipe_for", "resolve_parts"),
    "scoring.dask_engine": ("DaskEngine",),
    "resolvers.resolved": ("Resolved",),
    "service.client": ("connect",),
    "resolvers.resolving": ("link", "resolve"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Cluster", "Comparison", "ComparisonReport", "Conversion", "Corpus", "DaskEngine", "Document",
    "DocumentCorpus", "Export", "Failure", "FailureWarning", "FormatError", "GapScore", "Interval",
    "LossWarning", "Mention", "MissingExtra", "Plan", "Protocol", "ProtocolError", "RefereeError",
    "Resolved", "Result", "Score", "Scorer", "Scores", "Store", "Topics", "Tuning", "Verdict", "agree",
    "baseline", "compare", "components", "connect", "convert", "curate", "errors", "export", "gap",
    "intervals", "link", "llm_prompt", "llm_repair", "llm_run", "llm_score", "models", "open_store",
    "planned_parts", "raw_text", "read",
    "recipe_for", "report", "resolve", "resolve_parts", "resolver_named", "restore", "score", "serve",
    "spans", "stats", "topics", "train", "tune", "validate", "workbench", "write",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'referee' has no attribute '{name}'")
    return getattr(import_module(f"referee.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
