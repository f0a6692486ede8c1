"""Corpora with bridging and sets, through every format that can hold them and back: no relation may be lost.

    PYTHONPATH=tests python bench/round_trips.py DATA [FOLDER ...]

DATA has `gum`; folders are others, such as NARC's in brat. Documents are converted with `lossy=True`, since
some formats have no types, zeros, gaps or minimum spans. What must come back is each relation with its kind,
its label and the mentions at both ends; in JSON lines and CoNLL-U also all mentions of all entities.
Otherwise the exit status is 1. GUM comes back whole from all. Of NARC's Bokmål, CoNLL-U loses which mention
is an antecedent in 24 documents, WebAnno TSV and CAS JSON mentions with gaps in 5; `convert` counts both.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import referee
from formats.tools.test_beyond_identity import told
from referee import Document
from referee.formats import FORMATS
from referee.model.mentions import BRIDGING, SPLIT_ANTECEDENT

FORMS = ("conllu", "conllua", "jsonlines", "crossdoc-jsonlines", "brat", "webanno", "cas-json")
SETS_OF_ENTITIES = ("conllu", "conllua")  # which name no mention of a set; `convert` counts these
WHOLE = ("conllu", "jsonlines", "crossdoc-jsonlines")  # which hold all mentions


def lost_in(form: str, source: Path) -> tuple[int, list[str]]:
    """Convert a corpus and read it back; count the relations, and name what has not come back."""
    documents = [*referee.read(source)]
    with tempfile.TemporaryDirectory() as folder:
        suffixes = FORMATS[form].suffixes or (".jsonl",)
        target = Path(folder) / ("d" if FORMATS[form].contents else f"d{suffixes[0]}")
        referee.convert(documents, target, to=form, lossy=True)
        back = {document.id: document for document in referee.read(target)}
    lost: list[str] = []
    relations = 0
    for document in documents:
        before, after = (all_told(each, form) for each in (document, back[document.id]))
        relations += sum(before[-1].values())
        lost += [f"{document.id}: {a - b or b - a}" for a, b in zip(before, after, strict=True) if a != b]
    return relations, lost


def all_told(document: Document, form: str) -> list[Counter[Any]]:
    """Tell entities, if all their mentions must come back, and relations with the mentions at their ends."""
    clusters, nothing, relations = [*told(document)][:3]
    ends: Counter[Any] = Counter()
    for (kind, label, anaphor, antecedent, *spans), times in relations.items():
        of_entities = kind == SPLIT_ANTECEDENT and form in SETS_OF_ENTITIES
        ends[kind, label, *((anaphor[0], antecedent[0]) if of_entities else spans)] += times
    return [clusters, nothing, ends] if form in WHOLE else [ends]


def main(data: Path, *folders: Path) -> int:
    """Go through all corpora and formats."""
    warnings.simplefilter("ignore", referee.exceptions.LossWarning)
    failed = False
    for source in (data / "gum" / "train", data / "gum" / "dev", *folders):
        kinds = [r.kind for document in referee.read(source) for r in document.relations]
        print(
            f"{source}: {kinds.count(BRIDGING)} bridging, {kinds.count(SPLIT_ANTECEDENT)} split antecedents"
        )
        for form in FORMS:
            relations, lost = lost_in(form, source)
            print(f"  {form}: {relations} links, {len(lost)} documents with losses", *lost[:1])
            failed |= bool(lost)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
