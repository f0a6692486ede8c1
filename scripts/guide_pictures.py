"""Draws a picture for each guide: `make refresh-docs` writes them to docs/pictures beside the glossary's."""

from __future__ import annotations

from collections.abc import Callable

from drawing import COLOURS, GREY, Picture


def extras() -> Picture:
    """What needs no extra, and what each extra adds."""
    picture = Picture("The core scores, compares and reports; each extra adds one thing to it")
    picture.boxes("referee-coref", joined=False)
    picture.note("score  compare  errors  report  agree  stats  spans  validate  convert", x=24)
    added = {
        "resolve": "referee resolve, referee link: a network, offline, on a CPU",
        "nlp": "rules that explain each link; tags and trees for raw text",
        "plot": "figures",
        "crossdoc": "predicted topics",
        "cluster": "several machines",
        "train": "models of your own",
    }
    for name, what in added.items():
        picture.text(24, picture.top + 17, "+", GREY)
        picture.text(164, picture.top + 17, what)
        picture.boxes(f"[{name}]", x=44, joined=False, colour=COLOURS[2])
    return picture


GUIDES: dict[str, Callable[[], Picture]] = {  # name of a picture's file → the picture
    "extras": extras,
}
