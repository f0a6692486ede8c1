"""Marks again which statements about our texts hold: python bench/texts.py [--dry-run] [--model FOLDER].

For new weights: statements of tests/data/texts that do not hold get a question mark, those that hold lose
it, and both are listed. Read the list before committing it. With `--model`, another model than the one that
is installed is asked, and nothing is written. Texts in other languages are read by models/multi.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from stated_texts import (  # noqa: E402  found by the line above
    FILE,
    MORE,
    MORE_STATEMENTS,
    MULTI,
    OTHER,
    OTHER_STATEMENTS,
    STATEMENT,
    STATEMENTS,
    Statement,
    holds,
)


def main() -> None:
    """Resolve the texts, and write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument("--model", help="a model's folder or name")
    given = parser.parse_args()
    for file, statements, model in (
        (FILE, STATEMENTS, None), (MORE, MORE_STATEMENTS, None), (OTHER, OTHER_STATEMENTS, str(MULTI)),
    ):  # fmt: skip
        if model and given.model:
            print(f"{file.name}: not asked, since it needs a model of several languages")
            continue
        lines = marked(file, statements, given.model or model)
        if not (given.dry_run or given.model):
            file.write_text("\n".join(lines) + "\n", "utf-8")


def marked(file: Path, statements: Sequence[Statement], model: str | None) -> list[str]:
    """Give the lines of a file with new marks; print those that changed."""
    verdicts = iter([holds(statement, model) for statement in statements])
    lines, held, changed = [], 0, 0
    for line in file.read_text("utf-8").splitlines():
        new = line
        if STATEMENT.fullmatch(line):
            holding = next(verdicts)
            held += holding
            new = ("" if holding else "?") + line.removeprefix("?")
            if new != line:
                changed += 1
                print(new)
        lines.append(new)
    print(f"{file.name}: {held} of {len(statements)} statements hold; {changed} marks changed")
    return lines


if __name__ == "__main__":
    main()
