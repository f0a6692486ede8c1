"""Draws CAMP's knob: recall against precision for each of its settings, into docs/images/camp-knob.svg."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from referee.resolvers.camp.camp import GOAL, knob

TARGET = Path(__file__).parents[1] / "docs" / "images" / "camp-knob.svg"

if __name__ == "__main__":
    mpl.rcParams["svg.hashsalt"] = "referee"  # the same file each time
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    recall, precision = ([row[name] for row in knob()] for name in ("recall", "precision"))
    axes.plot(recall, precision, marker="o", color="#0072b2")
    axes.axhline(GOAL, color="#777777", linestyle="--", linewidth=1)
    axes.annotate("the paper's goal", (min(recall), GOAL), xytext=(0, 4), textcoords="offset points")
    axes.set_xlabel("MUC recall, OntoGUM dev")
    axes.set_ylabel("MUC precision, the lowest of three parts")
    figure.savefig(TARGET, metadata={"Date": None})
