"""The notebook runs, and shows what it says."""

import nbformat

import run_notebook


def test_the_notebook_shows_what_it_gives_today() -> None:
    kept = nbformat.read(run_notebook.NOTEBOOK, nbformat.NO_CONVERT)
    assert len(run_notebook.shown(kept)) >= 7
    assert run_notebook.shown(run_notebook.run()) == run_notebook.shown(kept), (
        "`make refresh-docs` runs it again"
    )
    images = [output["data"] for cell in kept.cells for output in cell.get("outputs", ()) if "data" in output]
    assert any("image/png" in data for data in images)
