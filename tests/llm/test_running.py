"""Runs against a server that answers well, badly, slowly, cut off, and not at all."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import referee
from llm_server import (
    Asked,
    Model,
    Said,
    answer_to,
    answering,
    asked_name,
    completion,
    right_answers,
    run,
    serving,
    some_documents,
)
from referee import DocumentCorpus, FormatError, RefereeError
from referee.exceptions import SettingError
from referee.llm import patience as patience_module
from referee.llm import server as server_module
from referee.llm.patience import Patience
from referee.llm.prompts import PromptSet
from referee.llm.server import Server, checked_endpoint, key_in
from referee.llm.tokens import Prices

KEY = "sk-secret-of-mine"


@pytest.fixture(scope="module")
def key() -> DocumentCorpus:
    return some_documents()


@pytest.fixture(scope="module")
def prompts(key: DocumentCorpus) -> PromptSet:
    return referee.llm_prompt(key, notation="markdown", window=12, overlap=4)


@pytest.fixture(scope="module")
def whole(key: DocumentCorpus) -> PromptSet:
    """One prompt for each document."""
    return referee.llm_prompt(key, notation="markdown")


def texts_in(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.txt")}


def test_answers_are_kept_as_they_came(prompts: PromptSet, key: DocumentCorpus, tmp_path: Path) -> None:
    right = right_answers(prompts, key)
    with serving(answering(right)) as server:
        report = run(prompts, tmp_path / "a", server.url, fields={"seed": 1}, prices=Prices(2.0, 5.0))
    count = len(prompts.texts)
    assert (report.prompts, report.outcomes, report.failures) == (count, {"answered": count}, [])
    assert (report.usage.tokens_in, report.usage.tokens_out) == (100 * count, 10 * count)
    assert report.cost == pytest.approx(count * (200 + 50) / 1e6)
    for prompt in prompts.manifest.prompts:
        record = json.loads((tmp_path / "a" / "replies" / f"{prompt.name}.reply").read_text())
        text = right[prompts.texts[prompt.name]]
        assert json.loads(record["body"]) == completion(text)
        assert (tmp_path / "a" / f"{prompt.name}.markdown.txt").read_text("utf-8") == text
    assert {asked.body["model"] for asked in server.asked} == {"m"}
    assert {asked.body["seed"] for asked in server.asked} == {1}
    assert referee.llm_score(key, tmp_path / "a").result.conll == 1.0


def test_what_is_answered_is_not_asked_again(prompts: PromptSet, key: DocumentCorpus, tmp_path: Path) -> None:
    with serving(answering(right_answers(prompts, key))) as server:
        run(prompts, tmp_path, server.url)
        before = texts_in(tmp_path)
        first = len(server.asked)
        next(tmp_path.glob("*.markdown.txt")).unlink()  # which is in the record of its reply
        report = run(prompts, tmp_path, server.url)
    assert len(server.asked) == first == report.before == len(prompts.texts)
    assert texts_in(tmp_path) == before
    assert (report.usage.tokens_in, report.usage_before.tokens_in) == (0, 100 * first)


def test_a_window_is_asked_about_with_the_entities_of_those_before(
    prompts: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    with serving(answering(right_answers(prompts, key))) as server:
        run(prompts, tmp_path, server.url)
    for row in prompts.chains():
        contents = [next(a for a in server.asked if a.content.endswith(prompts.texts[p.name])) for p in row]
        assert contents[0].content == prompts.texts[row[0].name]
        assert [asked.started for asked in contents] == sorted(asked.started for asked in contents)
        for asked, prompt in zip(contents[1:], row[1:], strict=True):
            listed = json.loads((tmp_path / "replies" / f"{prompt.name}.reply").read_text())["carried"]
            assert bool(listed) == ("mentioned before" in asked.content)
            assert all(f"\n{id_}: " in asked.content for id_ in listed)
            known = {c.id for c in key[prompt.document].clusters if c.mentions[0].end <= prompt.start}
            assert known <= set(listed)


def first_then(said: Said) -> Callable[[dict[str, str]], Model]:
    """Make a model that does something odd at first, and answers then."""

    def make(right: dict[str, str]) -> Model:
        def model(asked: Asked, before: int) -> Said:
            return Said(completion(answer_to(asked.content, right))) if before else said

        return model

    return make


def always(said: Said) -> Callable[[dict[str, str]], Model]:
    return lambda _right: lambda _asked, _before: said


HTML = Said("<html><body>Bad gateway</body></html>", headers={"Content-Type": "text/html"})
WELL = completion("[x](#1)")
LATER = [
    Said(json.dumps(WELL)[:40]),  # truncated, though whole for the protocol
    HTML,
    Said({"error": {"message": "oops"}}, 500),
    Said("", 503, {"Retry-After": "0"}),
    Said({"error": {"message": "slow down"}}, 429, {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}),
    Said(WELL, drop=True),
    Said(hang_up=True),
    Said(WELL, 408),
]


@pytest.mark.parametrize("said", LATER)
def test_what_may_pass_is_tried_again(
    said: Said, whole: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    right = right_answers(whole, key)
    with serving(first_then(said)(right)) as server:
        report = run(whole, tmp_path, server.url)
    assert (report.failures, report.outcomes["answered"], len(server.asked)) == ([], 3, 6)
    assert referee.llm_score(key, tmp_path).result.conll == 1.0


NEVER = [
    (HTML, "the reply is not JSON: <html><body>Bad gateway</body></html> (3 tries)", 3),
    (Said(""), "the reply is not JSON: nothing (3 tries)", 3),
    (Said({"object": "list"}), 'the reply is JSON without choices and a message: {"object": "list"}', 1),
    (Said({"choices": [{"message": "x"}]}), "the reply is JSON without choices", 1),
    (Said({"choices": [{"message": {"content": 7}}]}), "the reply is JSON without choices", 1),
    (Said([1, 2]), "the reply is not a JSON object: [1, 2]", 1),  # type: ignore[arg-type]
    (Said({"error": {"message": "out of memory"}}), "the server says: out of memory", 1),
    (Said({"error": {"message": "too long", "code": "context"}}, 400), "HTTP 400: too long", 1),
    (Said("no", 422), "HTTP 422: no", 1),
    (Said({"error": "busy"}, 529), "HTTP 529: busy (3 tries)", 3),
    (Said("", 502), "HTTP 502 (3 tries)", 3),
    (Said(WELL, drop=True), "the connection failed: ", 3),
    (Said(WELL, wait=0.4), "no reply in 0.2 s (3 tries)", 3),
    (Said(WELL, pieces=9, pause=0.1), "no whole reply in 0.2 s (3 tries)", 3),
    (Said("", 429, {"Retry-After": "7200"}), "HTTP 429; it asks to wait 7,200 s: run again later", 1),
    (Said("[" * 100_000), "the reply is not JSON: [[", 3),
]


@pytest.mark.parametrize(("said", "reason", "tries"), NEVER)
def test_what_does_not_pass_is_a_failure(
    said: Said, reason: str, tries: int, whole: PromptSet, tmp_path: Path
) -> None:
    with serving(always(said)({})) as server:
        report = run(whole, tmp_path, server.url, timeout=0.2, patience=Patience(2, 0.001))
    assert [failure.document for failure in report.failures] == [*whole.texts]
    assert all(failure.reason.startswith(reason) for failure in report.failures), report.failures[0]
    assert len(server.asked) == 3 * tries
    assert not [*tmp_path.glob("*.txt"), *tmp_path.glob("replies/*")]


def test_a_server_that_is_not_there_is_a_failure(whole: PromptSet, tmp_path: Path) -> None:
    with serving(always(HTML)({})) as server:
        pass
    report = run(whole, tmp_path, server.url)
    assert [failure.reason for failure in report.failures] == [
        "the connection failed: [Errno 111] Connection refused (3 tries)"
    ] * 3


ENDS = [
    (Said(completion("[a](#1) b", finish_reason="length")), "cut off"),
    (Said(completion("", message={"content": None, "refusal": "I will not"})), "refused"),
    (Said(completion("", finish_reason="content_filter")), "refused"),
    (Said({"error": {"message": "filtered", "code": "content_filter"}}, 400), "refused"),
    (Said(completion("  \n")), "empty answer"),
    (Said(completion("", message={"content": [{"type": "text", "text": "[a](#1)"}]})), "answered"),
]


@pytest.mark.parametrize(("said", "outcome"), ENDS)
def test_answers_that_end_badly_are_kept(said: Said, outcome: str, whole: PromptSet, tmp_path: Path) -> None:
    with serving(always(said)({})) as server:
        for _ in range(2):  # they are answers: nobody pays for them twice
            report = run(whole, tmp_path, server.url)
    assert (len(server.asked), report.before) == (3, 3)
    records = [json.loads(path.read_text()) for path in (tmp_path / "replies").iterdir()]
    assert [record["outcome"] for record in records] == [outcome] * 3
    assert [record["body"] for record in records] == [said.data.decode()] * 3


BAD_KEY = Said({"error": {"message": f"Incorrect API key: {KEY}"}}, 401)
MOVED = Said("", 302, {"Location": "https://user:pass@elsewhere.example/x?y"})
FATAL = [
    (BAD_KEY, r"the key is not accepted; the server says HTTP 401: Incorrect API key: \*\*\*"),
    (Said("", 404), "there is no such address or model"),
    (Said({"error": {"message": "pay", "code": "insufficient_quota"}}, 429), "its quota is used up"),
    (MOVED, "sends requests on to elsewhere.example,"),
]


@pytest.mark.parametrize(("said", "reason"), FATAL)
def test_what_would_fail_for_all_ends_the_run(
    said: Said, reason: str, whole: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    with serving(answering(right_answers(whole, key))) as server:
        run(whole, tmp_path, server.url, key=KEY)
        next((tmp_path / "replies").glob("d1*")).unlink()
        server.model = always(said)({})
        with pytest.raises(RefereeError, match=reason) as caught:
            run(whole, tmp_path, server.url, key=KEY)
    assert KEY not in str(caught.value)
    assert len(server.asked) == 4
    assert len([*(tmp_path / "replies").iterdir()]) == 2


def test_a_redirect_is_not_followed(whole: PromptSet, tmp_path: Path) -> None:
    with serving(always(Said(WELL))({})) as other:
        moved = Said("", 307, {"Location": f"{other.url}/chat/completions"})
        with (
            serving(always(moved)({})) as server,
            pytest.raises(RefereeError, match="sends requests on to 127"),
        ):
            run(whole, tmp_path, server.url)
    assert other.asked == []


def test_the_key_is_sent_and_never_written(whole: PromptSet, key: DocumentCorpus, tmp_path: Path) -> None:
    right = right_answers(whole, key)

    def model(asked: Asked, before: int) -> Said:
        if before == 0:
            return Said({"error": {"message": f"overloaded, {KEY}"}}, 500)
        return Said(completion(answer_to(asked.content, right) + KEY, key=KEY))

    with serving(model) as server:
        run(whole, tmp_path, server.url, key=KEY)
    assert {asked.headers["Authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 8  # the manifest, the lock, and two for each prompt
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert KEY not in repr(Server(server.url, "m", KEY))


def test_without_a_key_none_is_sent(whole: PromptSet, key: DocumentCorpus, tmp_path: Path) -> None:
    with serving(answering(right_answers(whole, key))) as server:
        run(whole, tmp_path, server.url)
    assert not [asked for asked in server.asked if "Authorization" in asked.headers]


def test_all_threads_keep_the_pause_that_a_server_asks_for(
    whole: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    right, pauses = right_answers(whole, key), [0.3]

    def model(asked: Asked, _: int) -> Said:
        if pauses and "d0" in asked_name(asked, whole):
            return Said("", 429, {"Retry-After": str(pauses.pop())})
        return Said(completion(answer_to(asked.content, right)), wait=0.05)

    with serving(model) as server:
        run(whole, tmp_path, server.url, parallel=1)
    first, *others = (asked.started for asked in server.asked)
    assert min(others) - first > 0.29


def test_waits_grow_and_differ() -> None:
    patience, waits = Patience(retries=9, first_wait=1.0), []

    class Stop(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0.0)
            return False

    patience.stop = Stop()
    for attempt in range(9):
        patience._wait(attempt, None)
    assert all(0.5 * min(60, 2**n) <= wait <= min(60, 2**n) for n, wait in enumerate(waits))
    assert len(set(waits)) == 9


def test_no_more_requests_are_under_way_than_asked_for(tmp_path: Path) -> None:
    many = some_documents(8)
    prompts = referee.llm_prompt(many)
    right, now, most = right_answers(prompts, many), Counter[str](), []
    lock = threading.Lock()

    def model(asked: Asked, _: int) -> Said:
        with lock:
            now["here"] += 1
            most.append(now["here"])
        time.sleep(0.03)
        with lock:
            now["here"] -= 1
        return Said(completion(answer_to(asked.content, right)))

    with serving(model) as server:
        run(prompts, tmp_path, server.url, parallel=3)
    assert max(most) == 3


def test_windows_after_one_without_an_answer_are_not_asked_about(
    prompts: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    right = right_answers(prompts, key)
    row = max(prompts.chains(), key=len)
    assert len(row) > 2
    bad = prompts.texts[row[1].name]

    def model(asked: Asked, _: int) -> Said:
        is_bad = asked.content.endswith(bad)
        return Said("", 400) if is_bad else Said(completion(answer_to(asked.content, right)))

    with serving(model) as server:
        report = run(prompts, tmp_path, server.url)
        assert [*map(str, report.failures)] == [
            f"{row[1].name}: HTTP 400", *(f"{each.name}: waits for {row[1].name}" for each in row[2:])
        ]  # fmt: skip
        server.model = answering(right)
        again = run(prompts, tmp_path, server.url)
    assert again.failures == []
    assert again.outcomes["answered"] == len(row) - 1
    assert referee.llm_score(key, tmp_path).result.conll == 1.0


def test_nothing_is_sent_that_would_cost_too_much(key: DocumentCorpus, tmp_path: Path) -> None:
    prompts = referee.llm_prompt(key)
    price = Prices(0.0, 1_000_000.0)  # one for each token of an answer
    with serving(answering(right_answers(prompts, key))) as server:
        limits = {"max_tokens": 15}
        report = run(prompts, tmp_path, server.url, prices=price, max_cost=34.0, parallel=1, fields=limits)
        assert (len(server.asked), report.cost) == (2, 20.0)  # a third might cost 15
        assert [*map(str, report.failures)] == ["d2: not asked: it would pass max_cost=34"]
        report = run(prompts, tmp_path, server.url, prices=price, max_cost=34.0, parallel=1, fields=limits)
        assert len(server.asked) == 2  # what was spent before counts
        report = run(prompts, tmp_path, server.url, prices=price, max_cost=35.0, parallel=1, fields=limits)
    assert (len(server.asked), report.cost, report.cost_before) == (3, 10.0, 20.0)


def test_a_folder_belongs_to_one_model_and_its_prompts(
    whole: PromptSet, prompts: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    with serving(answering(right_answers(whole, key))) as server:
        run(whole, tmp_path, server.url)
        with pytest.raises(FormatError, match="has answers of the model m; name another folder"):
            run(whole, tmp_path, server.url, model="n")
        with pytest.raises(FormatError, match="has answers to other prompts"):
            run(prompts, tmp_path, server.url)
    assert len(server.asked) == 3


def test_two_runs_do_not_pay_for_the_same_prompts(
    whole: PromptSet, key: DocumentCorpus, tmp_path: Path
) -> None:
    right = right_answers(whole, key)
    with serving(lambda asked, _: Said(completion(answer_to(asked.content, right)), wait=0.3)) as server:
        first = threading.Thread(target=run, args=(whole, tmp_path, server.url))
        first.start()
        while not server.asked:
            time.sleep(0.01)
        with pytest.raises(FormatError, match="another run is writing answers here"):
            run(whole, tmp_path, server.url)
        first.join()
    assert len(server.asked) == 3


def test_a_reply_that_is_too_long_is_not_read(
    whole: PromptSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "LARGEST", 2**20)
    with serving(always(Said("x" * 2**21))({})) as server:
        report = run(whole, tmp_path, server.url)
    assert report.failures[0].reason == "the reply has more than 1 MiB (3 tries)"


def test_odd_characters_are_sent_and_kept(tmp_path: Path) -> None:
    document = referee.Document.of("d", ["caf\udce9", "😀", "她"], [(0, 3)], [])
    prompts = referee.llm_prompt(document, notation="markdown")
    with serving(lambda asked, _: Said(completion(asked.content))) as server:
        run(prompts, tmp_path, server.url)
    assert server.asked[0].content == prompts.texts["d"]
    assert referee.llm_score(document, tmp_path).result.alignment["words"]["kept"] == 3


def test_addresses_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (
        "localhost:8000",
        "ftp://x/v1",
        "http://",
        "http://a:b@x/v1",
        "https://x/v1?key=1",
        "http://[x",
    ):
        with pytest.raises(SettingError, match="endpoint="):
            checked_endpoint(wrong, "")
    with pytest.raises(SettingError, match="in plain text to another machine"):
        checked_endpoint("http://10.0.0.7/v1", KEY)
    assert checked_endpoint("http://10.0.0.7/v1", KEY, insecure=True) == "http://10.0.0.7/v1"
    for fine in (("http://10.0.0.7/v1", ""), ("https://x.org/v1", KEY), ("http://127.0.0.1:1/v1", KEY)):
        assert checked_endpoint(*fine) == fine[0]
        with pytest.raises(SettingError, match="insecure=True does nothing"):
            checked_endpoint(*fine, insecure=True)
    monkeypatch.setenv("MINE", "two words")
    with pytest.raises(SettingError, match="the key in MINE has characters"):
        key_in("MINE")
    monkeypatch.delenv("MINE")
    with pytest.raises(SettingError, match="key_variable='MINE' is not set"):
        key_in("MINE")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert key_in("OPENAI_API_KEY") == ""


@pytest.mark.parametrize("name", ["model", "messages", "stream", "n"])
def test_fields_that_change_what_a_reply_is_are_refused(name: str) -> None:
    with pytest.raises(SettingError, match=f"extra= may not have {name}"):
        Server("http://localhost/v1", "m", fields={name: 1})


def test_a_dry_run_sends_nothing(prompts: PromptSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module.Server, "client", None)
    monkeypatch.setattr(patience_module.Patience, "ask", None)
    report = referee.llm_run(prompts, dry_run=True, price_in=1.0, price_out=2.0)
    assert report.usage.estimated
    assert report.usage.tokens_in >= prompts.tokens > 0
    assert report.cost == pytest.approx((report.usage.tokens_in + 2 * report.usage.tokens_out) / 1e6)


def test_a_run_needs_an_address_a_model_and_a_folder(prompts: PromptSet) -> None:
    with pytest.raises(SettingError, match="endpoint=, model= and an output folder are needed"):
        referee.llm_run(prompts, model="m")
    for wrong in ({"parallel": 0}, {"retries": -1}, {"timeout": -1.0}, {"max_cost": float("nan")}):
        with pytest.raises(SettingError, match=f"{next(iter(wrong))}= is too small, or not a number"):
            referee.llm_run(prompts, dry_run=True, **wrong)
    with pytest.raises(SettingError, match="max_cost= needs price_in= or price_out="):
        referee.llm_run(prompts, dry_run=True, max_cost=1)
