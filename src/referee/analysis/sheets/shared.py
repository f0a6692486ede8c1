"""Tables of what systems share (Martschat & Strube 2014); of one system, all its errors are common."""

from __future__ import annotations

from collections import Counter
from itertools import zip_longest

from referee.analysis.link_errors import RECALL
from referee.analysis.shared_errors import common_errors, recovered
from referee.analysis.sheets.sheet import CATEGORIES, SYSTEM, Head, Sheet, Value, share, whose
from referee.analysis.study import Study
from referee.display import number_of
from referee.language.hints import HINTS, NEED_WORDNET, hints
from referee.language.mention_types import NAME, NOUN
from referee.language.overlap import ACRONYM, NONE, OVERLAPS, is_indefinite, overlap
from referee.language.wordnet import installed

MOST_FREQUENT = 10  # heads that are listed
SHOWN_ENTITY_TYPES = 5


def combinations(study: Study, side: str) -> Sheet:
    """Count the errors that each set of systems makes, and no other: together they are all errors."""
    shared = study.shared[side]
    names = [system.name for system in study.systems]
    sets = sorted(shared, key=lambda systems: (-len(shared[systems]), systems))
    rows = [[*("x" if name in made_by else "" for name in names), len(shared[made_by])] for made_by in sets]
    total: list[Value] = [len(system.errors(side)) for system in study.systems]
    rows.append([*map(str, total), sum(map(len, shared.values()))])
    notes = ("x: the system makes these errors. The last row counts the errors of each system, and of any.",)
    caption = f"{side.capitalize()} errors by the systems that make them."
    return Sheet(f"combinations {side}", caption, [*names, "Errors"], rows, words=len(names), notes=notes)


def recovered_links(study: Study, category: tuple[str, str] | None = (NOUN, NAME)) -> Sheet:
    """Errors of the system in the row whose mentions are together in the system of the column (Table 8)."""
    rows: list[list[Value]] = []
    for system in study.systems:
        missed = [error for error in system.recall if category is None or error.types == category]
        rows.append(
            [
                system.name,
                *(None if by is system else len(recovered(study, missed, by)) for by in study.systems),
            ]
        )
    of = "All recall errors" if category is None else f"{'-'.join(category).capitalize()} recall errors"
    caption = f"{of} of the system in the row that the one in the column recovers."
    name = "recovered" if category is None else f"recovered {'-'.join(category)}"
    return Sheet(name, caption, [SYSTEM, *(("Recovered by", s.name) for s in study.systems)], rows)


def entity_types(study: Study, category: tuple[str, str]) -> Sheet:
    """Entity types of antecedents, in errors that all systems make and in all possible ones (Tables 5, 7)."""
    columns = []
    known = any("entity" in document.layers for document in study.documents)
    for errors in (common_errors(study, RECALL), study.maximum) if known else ((), ()):
        counts = Counter(e.antecedent.entity_type or "NONE" for e in errors if e.types == category)
        whole = sum(counts.values())
        columns.append(
            [(kind, share(count, whole)) for kind, count in counts.most_common(SHOWN_ENTITY_TYPES)]
        )
    rows: list[list[Value]] = [
        [whose(study), *(cell for pair in line for cell in pair)]
        for line in zip_longest(*columns, fillvalue=("", ""))
    ]
    heads: list[Head] = [
        SYSTEM,
        ("Errors", "type"),
        ("Errors", "%"),
        ("All possible", "type"),
        ("All possible", "%"),
    ]
    name = "-".join(category)
    notes = () if known else ("No document has an entity layer.",)
    return Sheet(f"entity-types {name}", f"Entity types of {name} recall errors.", heads, rows, notes=notes)


def lexical_overlap(study: Study) -> Sheet:
    """Common name and noun errors by what the two mentions share as strings (§5.4.1)."""
    common = common_errors(study, RECALL)
    counts = Counter((error.types, overlap(*error.link)) for error in common if error.types in CATEGORIES)
    rows: list[list[Value]] = [
        [whose(study), kind, *(counts[category, kind] for category in CATEGORIES)] for kind in OVERLAPS
    ]
    indefinite = Counter(error.types for error in common if is_indefinite(error.anaphor))
    rows.append([whose(study), "(indefinite anaphor)", *(indefinite[category] for category in CATEGORIES)])
    heads: list[Head] = [SYSTEM, "Overlap", *map("-".join, CATEGORIES)]
    return Sheet(
        "overlap", f"{_of(study)} recall errors by lexical overlap.", heads, rows, words=2, grouped=True
    )


def anaphor_heads(study: Study, category: tuple[str, str] = (NOUN, NAME)) -> Sheet:
    """The most frequent heads of anaphors among common errors, by default of noun-name ones (§5.4.1)."""
    errors = [error for error in common_errors(study, RECALL) if error.types == category]
    counts = Counter(error.anaphor.head_word for error in errors)
    rows: list[list[Value]] = [
        [whose(study), head, n, share(n, len(errors))] for head, n in counts.most_common(MOST_FREQUENT)
    ]
    once = sum(n == 1 for n in counts.values())
    contained = sum(overlap(*error.link) != NONE for error in errors)
    notes = (
        f"Different heads: {len(counts)} in {number_of(len(errors), 'error')}, {once} of them once.",
        f"With some lexical overlap: {contained}.",
    )
    name = "-".join(category)
    caption = f"{_of(study)} {name} recall errors by the anaphor's head."
    heads = [SYSTEM, "Head", "Errors", "%"]
    return Sheet(f"heads {name}", caption, heads, rows, words=2, notes=notes, grouped=True)


def knowledge_hints(study: Study) -> Sheet:
    """Common name and noun errors by what knowledge would have helped (after Table 6)."""
    nominal = [error for error in common_errors(study, RECALL) if error.types in CATEGORIES]
    common = [error for error in nominal if overlap(*error.link) in (ACRONYM, NONE)]
    given = [(error.types, hints(*error.link)) for error in common]
    counts = Counter((types, hint) for types, several in given for hint in several or ("(none)",))
    rows: list[list[Value]]
    rows = [
        [whose(study), hint, *(counts[category, hint] for category in CATEGORIES)]
        for hint in (*HINTS, "(none)")
    ]
    notes = ["An error may have several hints."]
    if not installed():
        notes.append(f"{', '.join(NEED_WORDNET)} need WordNet (extra 'wordnet').")
    heads: list[Head] = [SYSTEM, "Hint", *map("-".join, CATEGORIES)]
    return Sheet(
        "hints",
        f"{_of(study)} recall errors without a common word by missing knowledge.",
        heads,
        rows,
        words=2,
        notes=notes,
        grouped=True,
    )


def _of(study: Study) -> str:
    return "Common" if len(study.systems) > 1 else study.systems[0].name
