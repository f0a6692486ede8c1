"""The workbench over HTTP: what its page is told, what it may do, and what is kept."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

import referee
from every_format import WORDS
from random_edits import random_document, random_edit
from referee.corrections.state import facts_of
from referee.functions.workbench import workbench
from referee.model import Chains, Cluster, Corpus, Document, Mention, Relation, Text, Zero
from referee.model.mentions import BRIDGING
from referee.service.workbench.columns import Columns
from referee.service.workbench.opening import in_words_of
from referee.service.workbench.running import OpenWorkbench

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (SAMPLE / f"{name}.conll" for name in ("key", "alpha", "beta"))
SENT = {"X-Referee": "1"}


class Page:
    """What a page does."""

    def __init__(self, opened: OpenWorkbench, client: TestClient, name: str = "tab") -> None:
        self.opened, self.client, self.name = opened, client, name
        self.revisions: dict[int, int] = {}

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.client.get(f"/workbench/api/{path}", params=query)
        assert answer.status_code == status, answer.text
        return answer.json()

    def load(self, index: int = 0) -> Any:
        document = self.get(f"documents/{index}")
        self.revisions[index] = document["revision"]
        return document

    def post(self, kind: str, index: int = 0, status: int = 200, **body: Any) -> Any:
        told = {"revision": self.revisions.get(index, 0), "client": self.name, **body}
        answer = self.client.post(f"/workbench/api/documents/{index}/{kind}", json=told, headers=SENT)
        assert answer.status_code == status, answer.text
        if status == 200:
            self.revisions[index] = answer.json()["revision"]
        return answer.json()

    def edit(self, index: int = 0, status: int = 200, **edit: Any) -> Any:
        return self.post("edits", index, status, edit=edit)

    def export(self, path: str, status: int = 200, **query: Any) -> Any:
        answer = self.client.get(f"/workbench/api/{path}", params=query)
        assert answer.status_code == status, answer.text
        return answer


@contextmanager
def page_of(source: Path, journal: Path | None = None, **how: Any) -> Iterator[Page]:
    """Open a workbench without a server, and a client of its application."""
    how.setdefault("resolver", "none")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenWorkbench, "started", lambda opened, **_: opened)
        opened = workbench(source, journal=journal, no_open=True, **how)
    with opened:
        token = opened.address.partition("#token=")[2]
        with TestClient(opened.app, base_url="http://127.0.0.1") as client:
            client.headers["Authorization"] = f"Bearer {token}"
            yield Page(opened, client)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with page_of(ALPHA, tmp_path / "j", key=KEY, systems=[BETA], who="ann") as found:
        yield found


def put(document: dict[str, Any], delta: dict[str, Any]) -> None:
    """Put what an edit changed over a document, as the page does."""
    for what in ("entities", "mentions"):
        values = {each["id"]: each for each in document[what]}
        values |= {each["id"]: each for each in delta["changes"][what]}
        for id_ in delta["changes"][f"removed_{what}"]:
            values.pop(id_, None)
        document[what] = list(values.values())
    document |= {name: delta[name] for name in ("revision", "undo", "redo", "score", "done", "changed")}


def sorted_values(document: dict[str, Any]) -> dict[str, Any]:
    by_id = {what: sorted(document[what], key=lambda each: each["id"]) for what in ("entities", "mentions")}
    return {**document, **by_id}


def test_the_page_is_told_what_is_open(page: Page) -> None:
    state = page.get("state")
    assert [each["id"] for each in state["documents"]] == list(referee.read(ALPHA).ids)
    assert (state["has_key"], state["systems"], state["who"]) == (True, ["beta"], "ann")
    assert {each["name"] for each in state["formats"]} >= {"conll", "conllu", "brat", "jsonlines"}
    expected = referee.score(KEY, ALPHA)
    assert state["score"]["metrics"]["conll"] == 100 * expected.conll
    assert state["score"]["signature"] == expected.signature
    document = page.load()
    assert document["words"] == list(referee.read(ALPHA)[0].words)
    assert sum(each["size"] for each in document["entities"]) == len(document["mentions"])
    assert sorted(each["color"] for each in document["entities"]) == [*range(1, 38)]
    assert document["score"]["metrics"]["conll"] == state["documents"][0]["score"]


def test_what_an_edit_answers_is_what_the_document_becomes(page: Page) -> None:
    """Random edits, undoing and suggestions: a page that puts the changes over what it has is up to date."""
    rng, document = Random(4), page.load()
    done = 0
    while done < 60:
        state = page.opened.bench.documents[0].state
        found = [each["id"] for each in page.get("documents/0/suggestions")["suggestions"][:5]]
        kind = rng.choice(["edits"] * 8 + ["undo", "undo", "redo"])
        body = {"edit": random_edit(rng, state, found)} if kind == "edits" else {}
        told = {"revision": document["revision"], "client": "tab", **body}
        answer = page.client.post(f"/workbench/api/documents/0/{kind}", json=told, headers=SENT)
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 200:
            done += 1
            before = document["score"]["metrics"]
            put(document, answer.json())
            change = answer.json()["change"]
            assert change == {name: f1 - before[name] for name, f1 in document["score"]["metrics"].items()}
            assert sorted_values(document) == sorted_values(page.load())


def test_undoing_and_doing_again_go_over_a_restart(tmp_path: Path) -> None:
    with page_of(ALPHA, tmp_path / "j") as page:
        begin = sorted_values(page.load())
        for id_ in ("m0", "m5", "m9"):
            page.edit(op="delete", mention=id_)
        page.post("undo")
        middle = sorted_values(page.load())
    with page_of(ALPHA, tmp_path / "j") as page:
        assert sorted_values(page.load()) == middle
        page.post("undo")
        page.post("undo")
        there = page.load()
        assert sorted_values(there) | {"revision": 0, "redo": False} == begin
        page.post("undo", status=422)
        for _ in range(3):
            page.post("redo")
        page.post("redo", status=422)
        assert {"m0", "m5", "m9"} & {each["id"] for each in page.load()["mentions"]} == set()


def test_the_second_of_two_clients_is_told(page: Page) -> None:
    other = Page(page.opened, page.client, "other")
    page.load(), other.load()
    page.edit(op="detach", mention="m0")
    refused = other.edit(status=409, op="detach", mention="m1")
    assert refused["revision"] == 1
    assert "load it again" in refused["detail"]
    other.load()
    other.edit(op="detach", mention="m1")
    assert page.load()["changed"] == 2  # neither is lost


def test_a_step_whose_answer_was_lost_is_answered_again(tmp_path: Path) -> None:
    with page_of(ALPHA, tmp_path / "j") as page:
        first = page.post("edits", edit={"op": "detach", "mention": "m0"}, step="s1")
        again = page.post("edits", edit={"op": "detach", "mention": "m0"}, step="s1", revision=0)
        assert {**again, "change": None} == {**first, "change": None}
        undone = page.post("undo", step="s2")
    with page_of(ALPHA, tmp_path / "j") as page:  # the server was killed before it answered
        assert page.post("undo", step="s2", revision=1)["changes"] == undone["changes"]
        assert page.load()["revision"] == 2
        page.post("undo", step="s1", revision=1, status=409)


def test_doubtful_links_come_in_order_until_a_person_decides(tmp_path: Path) -> None:
    scores = (None, 0.9, 0.3, 0.6)
    mentions = tuple(Mention(((n, n + 1),), link_score=score) for n, score in enumerate(scores))
    document = Document.of("d", WORDS[:6], [(0, 6)], [Cluster("1", mentions)])
    referee.write([document], tmp_path / "d.jsonl")
    with page_of(tmp_path / "d.jsonl") as page:
        page.load()
        found = page.get("documents/0/doubtful")
        assert [each["confidence"] for each in found["doubtful"]] == [0.3, 0.6, 0.9]
        assert found["doubtful"][0] == {
            "mention": "m2", "antecedent": "m1", "entity": "e0", "confidence": 0.3,
        }  # fmt: skip
        page.edit(op="confirm", mention="m2", value=True)
        page.edit(op="detach", mention="m3")
        found = page.get("documents/0/doubtful", limit=1)
        assert (found["count"], [each["mention"] for each in found["doubtful"]]) == (1, ["m1"])
        assert page.get("state")["documents"][0]["doubtful"] == 1
        page.post("undo"), page.post("undo")
        assert page.get("documents/0/doubtful")["count"] == 3
        page.get("documents/0/doubtful", 400, limit="x")


def test_suggestions_are_taken_and_refused_one_by_one(tmp_path: Path) -> None:
    with page_of(ALPHA, tmp_path / "j", key=KEY, systems=[KEY]) as page:
        page.load()
        before = page.get("documents/0/suggestions")["suggestions"]
        refused = before[0]["id"]
        page.edit(op="refuse", suggestion=refused)
        assert refused not in {each["id"] for each in page.get("documents/0/suggestions")["suggestions"]}
        score = page.load()["score"]["metrics"]["muc"]
        while found := page.get("documents/0/suggestions")["suggestions"]:
            page.edit(op="accept", suggestion=found[0]["id"])
        assert page.load()["score"]["metrics"]["muc"] > score + 20  # the key's own links
        page.edit(status=422, op="accept", suggestion=before[-1]["id"])
    with page_of(ALPHA, tmp_path / "j", systems=[KEY]) as page:
        assert page.get("documents/0/suggestions")["suggestions"] == []


def test_finished_documents_stay_so(page: Page) -> None:
    page.load()
    assert page.post("done", done=True)["done"]
    page.edit(op="detach", mention="m0")
    page.post("undo")
    assert page.load()["done"]
    page.post("done", done="yes", status=400)


def test_an_overlay_is_in_the_form_of_the_report(page: Page) -> None:
    document = page.load()
    against = page.get("documents/0/overlay", against="key")
    (shown,) = against["documents"]
    assert shown["tokens"].split("\n") == document["words"]
    assert against["same_words"]
    assert against["systems"] == ["present"]
    assert shown["errors"]
    other = page.get("documents/0/overlay", against="beta")
    assert other["documents"][0]["errors"] != shown["errors"]
    assert "did you mean" in page.get("documents/0/overlay", 404, against="bta")["detail"]


FORMS = {
    "conll": ("conll", "conllu", "jsonlines", "conllua", "webanno", "cas-json", "tags", "docbin"),
    "crac": ("conllu", "jsonlines"),
    "strict": ("conll", "jsonlines"),
    "ua": ("conllua", "jsonlines"),
}


@pytest.mark.parametrize(
    ("protocol", "form"), [(name, form) for name, some in FORMS.items() for form in some]
)
def test_the_exported_file_scores_what_was_shown(form: str, protocol: str, tmp_path: Path) -> None:
    key, source = KEY, ALPHA
    if protocol in ("crac", "ua"):
        ending = "conllu" if protocol == "crac" else "conllua"
        key, source = tmp_path / f"key.{ending}", tmp_path / f"alpha.{ending}"
        referee.convert(KEY, key, lossy=True)
        referee.convert(ALPHA, source, lossy=True)
    with page_of(source, tmp_path / "j", key=key, protocol=protocol) as page:
        rng = Random(7)
        for index in (0, 1):
            page.load(index)
            for _ in range(25):
                state = page.opened.bench.documents[index].state
                body = {"edit": random_edit(rng, state), "revision": page.revisions[index], "client": "t"}
                answer = page.client.post(f"/workbench/api/documents/{index}/edits", json=body, headers=SENT)
                page.revisions[index] += answer.status_code == 200
            remove_what_few_formats_hold(page, index)
        exported = page.export("export", format=form, lossy=1)
        target = tmp_path / f"out{Path(filename(exported)).suffix}"
        target.write_bytes(exported.content)
        if filename(exported).endswith(".zip"):
            target = tmp_path / "out"
            zipfile.ZipFile(BytesIO(exported.content)).extractall(target)
        shown = page.get("state")["score"]["metrics"]
        result = referee.score(key, target, protocol=protocol)
        expected = {name: 100 * score.f1 for name, score in result.scores.items()}
        assert shown == expected | ({"conll": 100 * result.conll} if result.has_conll else {})


def remove_what_few_formats_hold(page: Page, index: int) -> None:
    """Remove mentions of several spans, and those that cross another."""
    document = page.opened.bench.documents[index]
    mentions = sorted(document.state.mentions.items(), key=lambda item: item[1].mention.spans)
    kept: list[Mention] = []
    for id_, placed in mentions:
        mention = placed.mention
        crosses = any(one.start < mention.start < one.end < mention.end for one in kept)
        if len(mention.spans) > 1 or crosses:
            page.edit(index, op="delete", mention=id_)
        else:
            kept.append(mention)


def filename(answer: Any) -> str:
    return unquote(answer.headers["content-disposition"].partition("UTF-8''")[2])


def test_what_a_format_cannot_hold_is_refused_until_a_person_allows_it(page: Page) -> None:
    page.load()
    page.edit(op="add", spans=[[1, 2], [5, 6]], entity="e0")
    refused = page.export("documents/0/export", 422, format="conll").json()
    assert refused["lossy"]
    assert "mentions of several spans (1)" in refused["detail"]
    allowed = page.export("documents/0/export", format="conll", lossy=1)
    assert "mentions of several spans (1)" in unquote(allowed.headers["x-referee-notices"])
    assert "there is no format" in page.export("export", 422, format="docx").json()["detail"]
    assert "/tmp" not in json.dumps(refused)


def test_relations_of_entities_that_are_gone_are_said_to_be_left_out(tmp_path: Path) -> None:
    clusters = [Cluster(name, (Mention.at(at, at + 1),)) for at, name in enumerate("12")]
    bridging = Relation(BRIDGING, "2", ("1",))
    document = Document.of("d", ["the", "house", "door"], [(0, 3)], clusters)
    referee.write([replace(document, relations=(bridging,))], tmp_path / "d.conllua")
    with page_of(tmp_path / "d.conllua", tmp_path / "j") as page:
        page.load()
        entity = page.load()["mentions"][0]["entity"]
        page.edit(op="delete_entity", entity=entity)
        exported = page.export("export", format="conllua")
        (said,) = json.loads(unquote(exported.headers["x-referee-notices"]))
        assert said == "1 relation of entities that were deleted or merged left out"
        page.post("undo")
        assert json.loads(unquote(page.export("export", format="conllua").headers["x-referee-notices"])) == []


def test_exporting_nothing_changed_gives_the_file(page: Page) -> None:
    exported = page.export("export", format="conll")
    assert exported.content == ALPHA.read_bytes()
    assert filename(exported) == "alpha.conll.conll"


def test_the_source_is_never_touched(tmp_path: Path) -> None:
    source = tmp_path / "a.conll"
    source.write_bytes(ALPHA.read_bytes())
    with page_of(source) as page:
        page.load()
    assert [path.name for path in tmp_path.iterdir()] == ["a.conll"]  # to look leaves nothing behind
    with page_of(source) as page:
        page.load()
        page.edit(op="detach", mention="m0")
    assert source.read_bytes() == ALPHA.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.conll", "a.conll.journal"]
    (kept,) = (path for path in (tmp_path / "a.conll.journal").iterdir() if path.name != ".lock")
    assert kept.suffix == ".journal"  # and no token


def test_after_a_kill_the_page_that_is_open_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "j"
    with page_of(ALPHA, folder) as page:
        address = page.opened.address
        left = (folder / ".address").read_bytes()
        assert (folder / ".address").stat().st_mode & 0o777 == 0o600
    with page_of(ALPHA, folder) as page:
        assert page.opened.address.partition("#")[2] != address.partition("#")[2]
    folder.mkdir(exist_ok=True)
    (folder / ".address").write_bytes(left)  # as if it had been killed
    with page_of(ALPHA, folder) as page:
        assert page.opened.address == address
    folder.mkdir(exist_ok=True)
    (folder / ".address").write_text('{"port": 0, "token": "short"}')
    with page_of(ALPHA, folder) as page:
        assert "short" not in page.opened.address


def test_a_text_is_resolved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy")
    story = tmp_path / "story.txt"
    story.write_text("Clara opened the door. She smiled. Clara saw her dog.\n", "utf-8")
    with page_of(story, resolver="camp") as page:
        document = page.load()
        assert document["mentions"]
        assert document["space_after"][:4] == [1, 1, 1, 0]
        page.edit(op="delete", mention="m0")
        middle = sorted_values(page.load())
    monkeypatch.setattr("referee.service.workbench.opening.resolve_all", lambda *_, **__: 1 / 0)
    with page_of(story, resolver="camp") as page:
        assert sorted_values(page.load()) == middle
    story.write_text("Clara closed the door.\n", "utf-8")
    with (
        pytest.raises(referee.FormatError, match="a journal of another text"),
        page_of(story, resolver="camp"),
    ):
        pass


def test_a_resolver_suggests_where_a_corpus_has_clusters(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    with page_of(ALPHA, tmp_path / "j", resolver="camp") as page:
        found = page.get("documents/0/suggestions")["suggestions"]
        assert {each["system"] for each in found} == {"camp"}
        assert any(each["confidence"] is not None for each in found)


def test_two_workbenches_cannot_have_one_journal(tmp_path: Path) -> None:
    said = "another workbench has this journal open"
    with page_of(ALPHA, tmp_path / "j"), pytest.raises(referee.FormatError, match=said):
        workbench(ALPHA, journal=tmp_path / "j", no_open=True, resolver="none")


BAD_BODIES: Sequence[tuple[Any, str]] = [
    ([], "must be a JSON object"),
    ({"edit": []}, "edit must be an object"),
    ({"edit": {"op": "detach", "mention": "m0"}, "client": 5}, "client must be a text"),
    ({"edit": {"op": "detach", "mention": "m0"}, "step": "x" * 101}, "step must be a text"),
]


def test_requests_of_another_form_are_refused(page: Page) -> None:
    path = "/workbench/api/documents/0/edits"
    for body, said in BAD_BODIES:
        answer = page.client.post(path, json=body, headers=SENT)
        assert (answer.status_code, said in answer.text) == (400, True), answer.text
    body = {"revision": 0, "edit": {"op": "detach", "mention": "m0"}}
    assert page.client.post(path, json=body).status_code == 400  # which any page could send
    form = {"content-type": "text/plain", **SENT}
    assert page.client.post(path, content=json.dumps(body), headers=form).status_code == 400
    deep = {"content-type": "application/json", **SENT}
    assert page.client.post(path, content="[" * 100_000, headers=deep).status_code == 400
    for index in (9, 10**30):
        answer = page.client.get(f"/workbench/api/documents/{index}")
        assert answer.status_code == 404
    assert page.load()["revision"] == 0


def test_nothing_is_told_without_the_token(page: Page) -> None:
    stranger = TestClient(page.client.app, base_url="http://127.0.0.1")
    for path in ("state", "documents/0", "documents/0/overlay", "export?format=conll"):
        assert stranger.get(f"/workbench/api/{path}").status_code == 401
    assert stranger.post("/workbench/api/documents/0/undo", json={}, headers=SENT).status_code == 401
    shown = stranger.get("/workbench/")
    assert shown.status_code == 200
    assert "unsafe-inline" not in shown.headers["content-security-policy"]
    assert stranger.get("/workbench/static/script/dom.js").status_code == 200
    assert stranger.get("/workbench/static/../assets.py").status_code in (401, 404)
    assert stranger.get("/workbench/static/script/%2e%2e/assets.py").status_code == 404


def test_words_that_are_not_written_are_shown_where_they_belong(tmp_path: Path) -> None:
    text = Text("d", ("ama", "corre", "_"), ((0, 1), (1, 2)), zeros=(Zero(1, sentence=1),))
    document = Document(text, (Cluster("1", (Mention.at(2, 3), Mention.at(0, 1))),))
    referee.write([document], tmp_path / "d.jsonl")
    with page_of(tmp_path / "d.jsonl") as page:
        shown = page.load()
        assert (shown["words"], shown["zeros"], shown["sentences"]) == (
            ["ama", "∅", "corre"], [1], [[0, 1], [1, 3]],
        )  # fmt: skip
        assert [each["spans"] for each in shown["mentions"]] == [[[1, 2]], [[0, 1]]]
        made = page.edit(op="add", spans=[[1, 3]], entity=None)["changes"]["mentions"][0]
        assert made["spans"] == [[1, 3]]
        mention = page.opened.bench.documents[0].state.mentions[made["id"]].mention
        assert mention.spans == ((1, 3),)  # in the text's own numbers, the zero is the last
        assert page.edit(status=422, op="add", spans=[[2, 9]])["detail"].startswith("the words [2, 9]")


def test_a_system_with_other_words_is_told_in_ours() -> None:
    ours = Document.of("d", ["I", "can", "n't", "go"], [(0, 4)], [])
    theirs = Document.of("d", ["I", "ca", "nn't", "go"], [(0, 4)], [
        Cluster("1", (Mention.at(0, 1), Mention.at(1, 2), Mention.at(2, 3), Mention.at(3, 4))),
    ])  # fmt: skip
    (cluster,), said = in_words_of(ours, theirs)
    assert [mention.spans for mention in cluster.mentions] == [((0, 1),), ((1, 2),), ((1, 3),), ((3, 4),)]
    assert not said
    other = Document.of("d", ["We", "go"], [(0, 2)], theirs.clusters)
    assert in_words_of(other, theirs) == ((), "d: another text, so that nothing is suggested for it")


def test_the_columns_that_are_scored_are_those_of_the_document(tmp_path: Path) -> None:
    for seed in range(12):
        document, rng = random_document(seed), Random(seed)
        referee.write([document], tmp_path / f"{seed}.jsonl")
        with page_of(tmp_path / f"{seed}.jsonl", tmp_path / f"j{seed}") as page:
            opened = page.opened.bench.documents[0]
            assert isinstance(opened.columns, Columns)
            for _ in range(30):
                body = {"edit": random_edit(rng, opened.state), "revision": opened.history.revision}
                page.client.post("/workbench/api/documents/0/edits", json=body, headers=SENT)
            assert rows(opened.columns.chains()) == rows(Chains.of([opened.document()]))


def rows(chains: Chains) -> list[Any]:
    """List what is known of each mention, cluster by cluster."""
    parts, minimums = chains.parts.by_row(), chains.minimums.by_row()
    heads = [-1] * chains.start.size if chains.head is None else chains.head.tolist()
    columns = zip(chains.cluster.tolist(), chains.start.tolist(), chains.end.tolist(), heads, strict=True)
    found = [(*row, parts.get(n, ()), minimums.get(n, ())) for n, row in enumerate(columns)]
    return [chains.lengths.tolist(), chains.cluster_document.tolist(), sorted(found)]


def test_the_corrected_documents_are_there_in_python(tmp_path: Path) -> None:
    with page_of(ALPHA, tmp_path / "j") as page:
        page.load()
        page.edit(op="delete", mention="m0")
        corrected: Corpus = page.opened.corrected
        before = referee.read(ALPHA)[0]
        assert len(corrected[0].mentions) == len(before.mentions) - 1
        assert corrected[1] == referee.read(ALPHA)[1]
        assert all(facts_of(one) == facts_of(other) for one, other in zip(
            corrected[1].mentions, referee.read(ALPHA)[1].mentions, strict=True,
        ))  # fmt: skip
        assert page.opened.address.partition("token=")[2] not in repr(page.opened)
