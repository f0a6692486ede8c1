"""referee.errors: which links are wrong, what kinds they are of, and what systems share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.analysis.link_errors import Tree
from referee.analysis.selection import parse_filter, select
from referee.analysis.study import Study, study_of
from referee.analysis.transformation_rules import REFEREE, TransformationRules
from referee.functions.study_options import Antecedents, refuse_trees, study_settings
from referee.functions.task_options import Names, Scope, TaskOptions, names_in
from referee.language.mention_types import Category
from referee.matching.protocol import Protocol
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.task import PathName


def errors(
    key: Any, *responses: Any, filter: str | None = None, made_by: Names = (), not_made_by: Names = (),
    classes: TransformationRules | str = REFEREE.name, spanning_tree: Tree | str = "accessibility",
    precision_spanning_tree: Tree | str | None = None, mention_type: Category | str | None = None,
    antecedents: Antecedents = (), layers: PathName | None = None, nlp: str | None = None,
    protocol: Protocol | str | None = None, singletons: str | None = None, zeros: str | None = None,
    heads: str | None = None, match: str | None = None, parses: PathName | None = None,
    on_bad_parse: str | None = None, scope: Scope | None = None, kind: str | None = None,
    ids: str | None = None, gaps: str | None = None, sets: str | None = None,
    layer: str | None = None, repair: bool = False,
    jobs: Jobs = 1, names: Sequence[str] | None = None,
    progress: Bar = no_bar,
) -> Study:  # fmt: skip
    """Find which links responses get wrong.

    Recall errors are links that a response lacks, precision errors links that it should not have.

    Args:
        key: The annotated corpus: a path, a corpus, documents, or what else `read` takes.
        *responses: The responses, of the same kinds.
        filter: Keep the errors that fulfil a condition, `anaphor=noun and antecedent=name`.
        made_by: Keep the errors that these systems all make and, without `not_made_by`, no other.
        not_made_by: Keep the errors that none of these systems makes.
        classes: How steps are sorted into classes: `referee` or `kummerfeld-klein`.
        precision_spanning_tree: Like `spanning_tree`, for precision errors only; otherwise the same.
        spanning_tree: How links are chosen: `accessibility`, `distance`, `FILE.py:FUNCTION`, or a function.
        mention_type: A function that says the type of a mention, or `FILE.py:FUNCTION`.
        antecedents: Antecedents that systems chose, for precision errors: a file, `SYSTEM=FILE` where there
            are several systems, or one mapping for each system.
        layers: A CoNLL-U file or folder with parts of speech and heads for the key.
        nlp: A spaCy pipeline that fills in parts of speech, heads and entities.
        protocol: A preset (`conll`, `crac`, `crossdoc`, …), a signature, or a `Protocol`. Otherwise the
            key's usual one: `crac` for CorefUD's CoNLL-U, `ua` for CONLL-UA, `crossdoc` where clusters
            span documents, or else `conll`.
        singletons: `keep` or `drop` clusters of one mention.
        zeros: Whether words that are not written match by what they depend on (`dependent`, CorefUD's
            rules) or by position (`linear`), or are left out (`drop`, Universal Anaphora's rules).
        heads: By CorefUD's rules, take the heads that the files give (`given`) or those of trees (`tree`).
        match: When two mentions are the same: `exact`, `mina`, `head`, `min` or `partial`.
        parses: A file or folder of Penn trees for the key; otherwise its parse column is taken.
        on_bad_parse: Whether trees that cannot be read are refused (`refuse`), or their mentions keep
            their maximum spans (`skip`).
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
        jobs: How many processes work, or an engine.
        names: What the systems are called; otherwise after their files.
        progress: What makes a progress bar, given a number of steps and a label.

    Returns:
        A `Study`, with the errors of each system in `systems`; its methods count, list and select them.

    Raises:
        FormatError: If a file cannot be read.
        ProtocolError: If a choice does not exist, or does not go with another.
        RefereeError: If the filter cannot be read, or responses are paired with different documents.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> study = referee.errors(key, referee.Document.of("d", words, [(0, 5)], []))
        >>> [(error.antecedent.text, error.anaphor.text) for error in study.systems[0].recall]
        [('Ann', 'she')]
    """
    wanted = parse_filter(filter) if filter else None
    task = TaskOptions.taken(locals()).single(key, responses, "errors").of_links(relations=True)
    refuse_trees(task, spanning_tree, precision_spanning_tree, antecedents, classes)
    settings = study_settings(spanning_tree, mention_type, antecedents, task.systems)
    task = task.with_layers(layers, nlp)
    with progress(len(task.key), "reading") as advance:
        whole = study_of(
            task,
            classes=classes,
            precision_spanning_tree=precision_spanning_tree,
            **settings,
            progress=advance,
        )
    return select(whole, wanted, made_by=names_in(made_by), not_made_by=names_in(not_made_by))
