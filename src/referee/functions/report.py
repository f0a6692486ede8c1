"""referee.report: scores, errors and texts in one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.analysis.link_errors import Tree
from referee.exceptions import SettingError
from referee.functions.kinds import types_for
from referee.functions.study_options import Antecedents, refuse_trees, study_settings
from referee.functions.task_options import Scope, TaskOptions
from referee.language.mention_types import Category
from referee.matching.protocol import RELATION_LAYERS, Protocol
from referee.page.gather import Report, report_of
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.task import PathName


def report(
    key: Any, *responses: Any, title: str = "", protocol: Protocol | str | None = None,
    singletons: str | None = None, zeros: str | None = None, heads: str | None = None,
    scope: Scope | None = None, kind: str | None = None, ids: str | None = None, gaps: str | None = None,
    sets: str | None = None, layer: str | None = None, repair: bool = False,
    spanning_tree: Tree | str = "accessibility", mention_type: Category | str | None = None,
    antecedents: Antecedents = (), types: PathName | None = None, layers: PathName | None = None,
    nlp: str | None = None, parses: PathName | None = None, jobs: Jobs = 1,
    names: Sequence[str] | None = None, progress: Bar = no_bar,
) -> Report:  # fmt: skip
    """Make a page that shows how responses differ from a key.

    It has scores with intervals and tests, errors by mention type, and every document with an arc for each
    error. With `parses`, or trees in the key itself, responses are scored by minimum and head spans too.

    Args:
        key: The annotated corpus: a path, a corpus, documents, or what else `read` takes.
        *responses: The responses, of the same kinds.
        title: The page's title; otherwise the names of the files.
        protocol: A preset (`conll`, `crac`, `crossdoc`, …), a signature, or a `Protocol`. Otherwise the
            key's usual one: `crac` for CorefUD's CoNLL-U, `ua` for CONLL-UA, `crossdoc` where clusters
            span documents, or else `conll`.
        singletons: `keep` or `drop` clusters of one mention.
        zeros: Whether words that are not written match by what they depend on (`dependent`, CorefUD's
            rules) or by position (`linear`), or are left out (`drop`, Universal Anaphora's rules).
        heads: By CorefUD's rules, take the heads that the files give (`given`) or those of trees (`tree`).
        scope: What is one unit: `document`, `block`, `subtopic`, `topic`, `corpus`, a file of groups, or a
            mapping of documents to groups.
        kind: Take `all` mentions, `events` or `entities`, where a corpus distinguishes them.
        ids: Where a cluster's id means the same, if the format cannot say so: in its `document`, or in the
            whole `corpus`.
        gaps: Whether to `keep` the gaps in mentions of several spans, or to `fill` them.
        sets: Whether split antecedents count (`keep`), do not (`drop`), or alone do (`only`).
        layer: What is scored: `identity`, discourse `deixis`, `bridging` or `non-referring` expressions.
        repair: Where key and response follow different conventions, repair what is safe: names of documents,
            case, singletons on one side. Notices say what was found and repaired.
        spanning_tree: How links are chosen: `accessibility`, `distance`, `FILE.py:FUNCTION`, or a function.
        mention_type: A function that says the type of a mention, or `FILE.py:FUNCTION`.
        antecedents: Antecedents that systems chose, for precision errors: a file, `SYSTEM=FILE` where there
            are several systems, or one mapping for each system.
        types: Where the types of entities come from, for scores by type and span: a file or folder that
            annotates the same texts, or `entity` for the named entities in a column of the key; otherwise
            from the key itself, if it has any.
        layers: A CoNLL-U file or folder with parts of speech and heads for the key.
        nlp: A spaCy pipeline that fills in parts of speech, heads and entities.
        parses: A file or folder of Penn trees for the key; otherwise its parse column is taken.
        jobs: How many processes work, or an engine.
        names: What the systems are called; otherwise after their files.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        A `Report`, whose method `save` writes it to a file that any browser opens.

    Raises:
        FormatError: If a file cannot be read.
        ProtocolError: If a choice does not exist, or does not go with another.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> page = referee.report(key, key, title="Ann")
        >>> "<title>Ann" in page.html
        True
    """
    task = TaskOptions.taken(locals()).task(key, responses).of_links(relations=True)
    refuse_trees(task, spanning_tree, None, antecedents)
    task = task.with_layers(layers, nlp)
    settings = study_settings(spanning_tree, mention_type, antecedents, task.systems)
    if types is not None and task.protocol.layer in RELATION_LAYERS:
        raise SettingError(f"types= does nothing with layer='{task.protocol.layer}', which has no entities")
    return report_of(task, **settings, types_of=types_for(task, types), title=title, progress=progress)
