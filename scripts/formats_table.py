"""Draws the table of what each file format can hold, from what the formats themselves say."""

from __future__ import annotations

from referee.formats.catalogue import OURS, WRITABLE
from referee.formats.format import ACROSS, ANNOTATION, BESIDE_ANNOTATION, CROSSING, LAYERS, Format

BEGIN, END = "<!-- formats: written by `make refresh-docs` -->\n", "<!-- end of formats -->\n"
HEADINGS = {
    "mentions of several spans": "gaps", "annotated minimum spans": "MIN", "annotated heads": "heads",
    "relations between clusters": "relations", "words that are not written": "zeros",
    "mentions that cross another of their cluster": "crossing", "clusters that span documents": "across",
    "ids of clusters": "ids", "governors of zeros": "governors",
    "mentions that are antecedents of relations": "antecedents",
    "mentions that are parts of split antecedents": "set parts",
    "antecedents of bridging that are entities (the last mention before the anaphor is named)":
        "whole antecedents",
    "expressions that refer to nothing": "non-referring", "minimum spans of several parts": "MIN in parts",
    "mentions of other layers (discourse deixis)": "deixis",
}  # fmt: skip
COLUMNS = (*ANNOTATION, CROSSING, ACROSS, *BESIDE_ANNOTATION)


def with_table(page: str) -> str:
    """Write the table again where a page has it."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}{formats_table()}{end}{after}" if end else page


def formats_table() -> str:
    """Draw the table: a row for each format that is read or written, a column for each thing to hold."""
    titles = ["format", "written", *(HEADINGS.get(what, what) for what in COLUMNS)]
    shown = {name: form for name, form in OURS.items() if name in WRITABLE or form.suffixes}
    rows = [
        [
            f"{form.label} (`{name}`)",
            "✓" if form.write or form.contents else "",
            *(_cell(form, what) for what in COLUMNS),
        ]
        for name, form in sorted(shown.items())
    ]
    rule = ["---", *[":-:"] * (len(titles) - 1)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (titles, rule, *rows))


def _cell(form: Format, what: str) -> str:
    if what == LAYERS:
        named = sorted(held.removeprefix("layer ") for held in form.holds if held.startswith("layer "))
        return "any" if LAYERS in form.holds else ", ".join(named)
    held = {ACROSS: form.across, CROSSING: not form.bracketed}.get(what, what in form.holds)
    return "✓" if held else ""
