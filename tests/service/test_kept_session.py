"""What the workbench answers in a session of random edits, and what it exports and keeps, stays as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

import kept
from noisy_anaphora import noisy
from random_edits import random_document, random_edit
from referee import formats
from referee.functions.workbench import workbench
from referee.model import Document
from referee.service.workbench.running import OpenWorkbench

HEADERS = {"X-Referee": "1"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+Z]*|[0-9a-f]{16,}|version:[^|\"]*")


def plain(value: Any, folder: Path) -> Any:
    """Leave out times, hashes, versions and folders."""
    written = TIME.sub("", json.dumps(value, ensure_ascii=False)).replace(str(folder), "")
    return json.loads(written, object_hook=kept.without_version)


@pytest.mark.filterwarnings("ignore::referee.exceptions.LossWarning")
def test_a_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [random_document(seed, f"d{seed}") for seed in (3, 5)]
    keys = [noisy(Document(each.text, each.clusters), Random(9)) for each in documents]
    for name, some in (("response", documents), ("key", keys)):
        formats.write(some, tmp_path / f"{name}.conllu", "conllu")
    monkeypatch.setattr(OpenWorkbench, "started", lambda opened, **_: opened)
    monkeypatch.setattr("referee.corrections.journal.now", lambda: "now")
    opened = workbench(
        tmp_path / "response.conllu", journal=tmp_path / "j", no_open=True, resolver="none", who="ann",
        key=tmp_path / "key.conllu", systems=[tmp_path / "key.conllu"],
    )  # fmt: skip
    shown: dict[str, Any] = {}
    draw = Random(1)
    with opened, TestClient(opened.app, base_url="http://127.0.0.1") as client:
        client.headers["Authorization"] = f"Bearer {opened.address.partition('#token=')[2]}"

        def get(path: str) -> Any:
            return plain(client.get(f"/workbench/api/{path}").json(), tmp_path)

        def state() -> Any:
            return {name: value for name, value in get("state").items() if name in ("documents", "score")}

        shown["state"] = state()
        for index in (0, 1):
            shown[f"document {index}"] = whole = get(f"documents/{index}")
            revision = whole["revision"]
            for step in range(22):
                kind = draw.choice(("edits", "edits", "edits", "edits", "undo", "redo", "done"))
                body: dict[str, Any] = {"revision": revision, "client": "tab", "step": f"{index}.{step}"}
                if kind == "edits":
                    body["edit"] = random_edit(draw, opened.bench.document(index).state)
                if kind == "done":
                    body["done"] = bool(step % 2)
                answer = client.post(f"/workbench/api/documents/{index}/{kind}", json=body, headers=HEADERS)
                told = plain(answer.json(), tmp_path)
                told.pop("score", None)
                shown[f"{index}.{step} {kind} {json.dumps(body.get('edit'))}"] = [answer.status_code, told]
                revision = told.get("revision", revision)
            for path in ("doubtful", "suggestions", "overlay?against=key"):
                shown[f"{path} {index}"] = get(f"documents/{index}/{path}")
            for form in ("conllu", "jsonlines"):
                query = {"format": form, "lossy": "1"}
                answer = client.get(f"/workbench/api/documents/{index}/export", params=query)
                shown[f"{form} {index}"] = [answer.status_code, *plain(answer.text, tmp_path).split("\n")]
        shown["state at the end"] = state()
    journals = sorted((tmp_path / "j").rglob("*.jsonl"))
    shown["journals"] = [plain(path.read_text("utf-8"), tmp_path).split("\n") for path in journals]
    kept.check("workbench", shown)
