"""Shows the notebook as a page of the site, as it was last run, and offers the file itself."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "examples" / "tour.ipynb"
PAGE = "tour.md"
FOLDER = "notebook"  # of the site, where the file and its figures lie
MARK = "<!-- the notebook, written when the site is built -->"


def with_notebook(page: str) -> str:
    """Put the cells where the page has the mark, without their title; link the site's file."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    shown = "\n\n".join(_cell(number, cell) for number, cell in enumerate(cells) if number)
    return page.replace(f"../examples/{NOTEBOOK.name}", f"{FOLDER}/{NOTEBOOK.name}").replace(MARK, shown)


def notebook_files() -> dict[str, bytes]:
    """Give the notebook and its figures, by their names in the site's folder."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    figures = {
        _figure(number): base64.b64decode(output["data"]["image/png"])
        for number, cell in enumerate(cells)
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", ())
    }
    return {NOTEBOOK.name: NOTEBOOK.read_bytes(), **figures}


def _figure(number: int) -> str:
    return f"cell-{number}.png"


def _cell(number: int, cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    shown = [_output(number, output) for output in cell["outputs"]]
    return "\n\n".join([f"```python\n{source}\n```", *shown])


def _output(number: int, output: dict[str, Any]) -> str:
    """Show the richest form of an output: a figure, a table, or text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "image/png" in data:
        return f"![The figure that the cell above draws]({FOLDER}/{_figure(number)})"
    if "text/html" in data:
        return f'<div class="notebook-output">\n{"".join(data["text/html"])}\n</div>'
    return f"```{{.text .notebook-output}}\n{''.join(data['text/plain'])}\n```"
