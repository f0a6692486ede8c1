"""Runs the notebook from top to bottom: `make refresh-docs` keeps what it shows, the tests compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "tour.ipynb"


def run() -> Any:
    """Run a copy of the notebook; an error in a cell is an error."""
    notebook = nbformat.read(NOTEBOOK, nbformat.NO_CONVERT)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata = {}  # when it ran
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def shown(notebook: Any) -> list[str]:
    """List what the cells show as plain text; a figure is only named."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output.get("text") or output["data"]["text/plain"] for output in outputs]


if __name__ == "__main__":
    nbformat.write(run(), NOTEBOOK)
