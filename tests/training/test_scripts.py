"""The scripts that trained the English model go with the product's training."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

SETTINGS = {"train": "Settings", "train_mentions": "MentionSettings", "train_reader": "ReaderSettings"}
PLANS = ("TEACHERS", "TEACHING", "PUPIL", "STUDENT", "DISTILLED", "LAST")
MODELS = Path(__file__).parents[2] / "models" / "en"


def listed(plans: Any) -> list[dict[str, Any]]:
    return plans if isinstance(plans, list) else [plans]


@pytest.mark.parametrize("path", sorted(MODELS.glob("train*.py")), ids=lambda path: path.stem)
def test_scripts_of_the_english_model_are_of_this_version(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(MODELS)
    named = runpy.run_path(str(path))
    assert callable(named["main"])
    settings = named[SETTINGS[path.stem]].__dataclass_fields__.keys()
    plans = [plan for name in PLANS if name in named for plan in listed(named[name])]
    assert plans
    assert not [plan for plan in plans if plan.keys() - settings - {"encoder_layers"}]
