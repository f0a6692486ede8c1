"""Joins the fragments of changelog.d into CHANGELOG.md under a new version, and deletes them.

`make release VERSION=x.y.z` calls it; changelog.d/README.md has the rule of the names.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

HEADINGS = {"score": "Scores that changed", "new": "New", "change": "Changed", "fix": "Fixed"}
NAME = re.compile(r"[\w-]+\.(?P<kind>[\w-]+)\.md")
FACE = Path("src/referee/__init__.py")


def main(root: Path, version: str) -> None:
    """Bump the version, then join the fragments under it; nothing is written if a fragment is wrong."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"'{version}' is not a version; give three numbers, for instance 0.2.0")
    fragments = sorted(path for path in (root / "changelog.d").glob("*") if path.name != "README.md")
    news = section(version, fragments)
    log, face = root / "CHANGELOG.md", root / FACE
    head, newest, rest = log.read_text(encoding="utf-8").partition("\n## ")
    if f"\n## {version} " in newest + rest:
        raise SystemExit(f"{log}: has {version} already; give a new version")
    code = face.read_text(encoding="utf-8")
    bumped, count = re.subn(r'^__version__ = ".*"$', f'__version__ = "{version}"', code, flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"{face}: has {count} lines with __version__; one is needed")
    face.write_text(bumped, encoding="utf-8")
    log.write_text(f"{head.rstrip()}\n\n{news}{newest}{rest}", encoding="utf-8")
    for path in fragments:
        path.unlink()


def section(version: str, fragments: list[Path]) -> str:
    """Write a version's part of the changelog: a heading for each kind, an item for each fragment."""
    if not fragments:
        raise SystemExit("changelog.d has no fragment: there is nothing to release")
    items: dict[str, list[str]] = {kind: [] for kind in HEADINGS}
    for path in fragments:
        kind = match["kind"] if (match := NAME.fullmatch(path.name)) else None
        text = path.read_text(encoding="utf-8").strip()
        if kind not in items or not text:
            raise SystemExit(
                f"{path}: empty, or not named SLUG.KIND.md with KIND one of {', '.join(HEADINGS)}"
            )
        items[kind].append("- " + text.replace("\n", "\n  "))
    parts = [f"## {version} ({datetime.now(UTC).date()})\n"]
    parts += [f"### {HEADINGS[kind]}\n\n" + "\n".join(texts) + "\n" for kind, texts in items.items() if texts]
    return "\n".join(parts)


if __name__ == "__main__":
    main(Path(__file__).parents[1], sys.argv[1] if len(sys.argv) == 2 else "")
