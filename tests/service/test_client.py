"""What a service answers is what the function of the same name returns in this process, to the bit."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import referee
from referee.exceptions import FailureWarning, FormatError, RefereeError, SettingError
from referee.service.client import Client
from referee.service.settings import ServiceSettings
from running_service import running
from small_corpora import write_plural
from toy_model import write_toy

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = (str(SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
STORY = "Clara opened the door. She smiled, \udce9 and 😀 Clara saw her dog.\n\nIt barked."
TOKEN = "a-token-of-the-tests"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_toy(tmp_path_factory.mktemp("model") / "toy"))


@pytest.fixture(scope="module")
def service(toy: str) -> Iterator[httpx.Client]:
    settings = ServiceSettings(
        token=TOKEN, resolver="neural", settings={"model": toy, "singletons": "keep"}, preload=("neural",)
    )
    with running(settings, works=True) as client:
        yield client


@pytest.fixture(scope="module")
def client(service: httpx.Client) -> Iterator[Client]:
    with referee.connect(str(service.base_url), TOKEN) as client:
        yield client


@pytest.fixture
def resolve(toy: str) -> Callable[..., Any]:
    def resolved(texts: Any, **settings: Any) -> Any:
        return referee.resolve(texts, "neural", **{"model": toy, "singletons": "keep", **settings})

    return resolved


def exactly(value: Any) -> str:
    """Write all of a value, also what equality does not look at."""
    return repr(value.to_dict() if hasattr(value, "to_dict") else value)


@pytest.mark.parametrize("text", [STORY, "", " ", "a", "Clara " * 500, "<b>Clara</b> & she\0\x07"])
def test_a_text_is_resolved_as_here(client: Client, resolve: Callable[..., Any], text: str) -> None:
    there, here = client.resolve(text), resolve(text)
    assert there == here
    assert exactly(there) == exactly(here)
    assert there.choice == here.choice


def test_several_texts_documents_and_a_corpus_are_resolved_as_here(
    client: Client, resolve: Callable[..., Any]
) -> None:
    documents = list(referee.read(KEY))
    for given in (
        [STORY, "", "Clara"], [referee.raw_text("a", STORY)], documents[0], documents, documents[0].text,
        referee.DocumentCorpus(documents, "mine"),
    ):  # fmt: skip
        there, here = client.resolve(given), resolve(given)
        assert there == here
        assert type(there) is type(here)
    assert exactly(there.documents) == exactly(here.documents)


def test_settings_are_put_over_those_of_the_service(client: Client, resolve: Callable[..., Any]) -> None:
    assert client.resolve(STORY, singletons="drop") == resolve(STORY, singletons="drop")
    assert client.resolve(STORY, threshold=9.0) == resolve(STORY, threshold=9.0)
    assert client.resolve(STORY, singletons="drop") != client.resolve(STORY)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model": "/etc"}, "model= names something on the machine of the service"),
        ({"threads": 64}, "threads= names something"),
        ({"resolver": "camp", "rules": "/etc/passwd"}, "rules= names something"),
        ({"resolver": "camp", "layers": "/etc"}, "layers= names something"),
        ({"resolver": "camp", "nlp": "/etc"}, "nlp= names something"),
        ({"singleton": "keep"}, "no setting singleton=; there are"),
        ({"singletons": "x"}, "singletons='x' must be one of keep, drop"),
        ({"resolver": "nevral"}, "did you mean neural"),
        ({"resolver": "across"}, "call referee.link()"),
    ],
)
def test_settings_that_no_caller_may_give_are_refused(
    client: Client, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(SettingError) as error:
        client.resolve(STORY, **settings)
    assert said in str(error.value)


def test_a_scope_of_links_is_no_path(client: Client) -> None:
    with pytest.raises(SettingError, match="scope= names something"):
        client.link(["a", "b"], scope="/etc/passwd")


SCORED: dict[str, dict[str, Any]] = {
    "one": {}, "metrics": {"metric": ["muc", "lea"]}, "protocol": {"protocol": "strict"},
    "singletons": {"singletons": "drop"}, "matchings": {"match": ["exact", "head"]}, "by": {"by": "genre"},
    "kinds": {"by": "entity-size"}, "intervals": {"ci": True, "samples": 50},
    "both": {"by": "genre", "ci": True, "samples": 50}, "names": {"names": ["mine"]},
    "corpus": {"scope": "corpus", "ids": "corpus"},
    "groups": {"scope": {"(nw/sample/harbour); part 000": "a"}},
    "typed": {"by": "entity-span", "types": "entity"},
}  # fmt: skip


@pytest.mark.parametrize("name", SCORED)
def test_a_score_is_the_one_here(client: Client, name: str) -> None:
    def outcome(score: Callable[..., Any]) -> Any:
        try:
            return exactly(score(KEY, ALPHA, **SCORED[name]))
        except RefereeError as error:
            return type(error), str(error)

    assert outcome(client.score) == outcome(referee.score)
    if name == "one":
        assert client.score(KEY, ALPHA) == referee.score(KEY, ALPHA)
        both = client.score(KEY, ALPHA, BETA)
        assert both.to_dict() == referee.score(KEY, ALPHA, BETA).to_dict()
        assert type(both) is referee.Scores


def test_clusters_and_documents_are_scored_as_here(client: Client) -> None:
    key, response = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]
    assert client.score(key, response) == referee.score(key, response)
    named = {"x": key}, {"x": response}
    assert client.score(*named) == referee.score(*named)
    spans = [[[(0, 2), (5, 6)]]], [[[(0, 2), (7, 8)]]]
    assert client.score(*spans) == referee.score(*spans)
    documents = list(referee.read(KEY)), list(referee.read(ALPHA))
    assert client.score(*documents) == referee.score(*documents)
    corpora = [referee.DocumentCorpus(each, "x") for each in documents]
    assert client.score(*corpora) == referee.score(*corpora)


def test_names_and_folders_in_messages_are_those_of_the_caller(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    shutil.copy(KEY, tmp_path / "a" / "key.conll")
    broken = Path(ALPHA).read_text("utf-8").replace("(0)", "(0", 1)
    for folder in ("a", "b"):
        (tmp_path / folder / "out.conll").write_text(broken, "utf-8")
    monkeypatch.chdir(tmp_path / "a")
    for key, *responses in (
        ("key.conll", "out.conll"), ("../a/key.conll", "../b/out.conll", "out.conll"),
        (str(tmp_path / "a/key.conll"), str(tmp_path / "b/out.conll")),
        (str(tmp_path / "a"), str(tmp_path / "b")),
    ):  # fmt: skip
        here, there = referee.validate(*responses, key=key), client.validate(*responses, key=key)
        if key.startswith("../"):  # folders above are told from the root
            assert [problem.what for problem in there] == [problem.what for problem in here]
        else:
            assert there == here
        assert "referee-request" not in str(there)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FailureWarning)
            scored = client.score(key, *responses).to_dict(), referee.score(key, *responses).to_dict()
        assert json.dumps(scored[0]).count("referee-request") == 0
        if not key.startswith("../"):
            assert scored[0] == scored[1]


def test_formats_with_several_files_are_sent_whole(client: Client, tmp_path: Path) -> None:
    referee.convert(KEY, tmp_path / "brat", to="brat", lossy=True)
    some = sorted((tmp_path / "brat").glob("*.ann"))
    for path in (tmp_path / "brat", some[0]):
        assert client.validate(path) == referee.validate(path)
        assert client.score(path, path) == referee.score(path, path)


def test_a_failed_document_is_a_warning_as_here(client: Client, tmp_path: Path) -> None:
    line = {"doc_key": "d", "sentences": [["a", "b", "c"]], "clusters": [[[0, 0], [1, 1]]]}
    two, half = tmp_path / "two.jsonl", tmp_path / "half.jsonl"
    two.write_text(json.dumps(line) + "\n" + json.dumps(line | {"doc_key": "e"}) + "\n", "utf-8")
    half.write_text(json.dumps(line) + "\n{\n", "utf-8")
    with pytest.warns(FailureWarning) as here:
        local = referee.score(two, half)
    with pytest.warns(FailureWarning) as there:
        remote = client.score(two, half)
    assert [str(each.message) for each in here] == [str(each.message) for each in there]
    assert local == remote
    assert local.failures == remote.failures


CONVERTED: dict[str, tuple[str, dict[str, Any]]] = {
    "jsonl": ("out.jsonl", {}), "conllu": ("out.conllu", {"lossy": True}), "refused": ("out.conllu", {}),
    "unknown": ("out.xyz", {}), "folder": ("sub/brat", {"to": "brat", "lossy": True}),
    "kind": ("out.jsonl", {"kind": "events"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVERTED)
def test_what_is_converted_is_written_here_byte_by_byte(client: Client, name: str, tmp_path: Path) -> None:
    target, options = CONVERTED[name]

    def outcome(convert: Callable[..., Any], folder: Path) -> Any:
        folder.mkdir()
        try:
            made = repr(convert(KEY, folder / target, **options))
        except RefereeError as error:
            made = f"{type(error)} {error}"
        written = {
            str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
        }
        return made.replace(str(folder), ""), written

    assert outcome(client.convert, tmp_path / "there") == outcome(referee.convert, tmp_path / "here")


def test_packed_files_and_relations_go_through(client: Client, tmp_path: Path) -> None:
    import gzip

    packed = tmp_path / "key.conll.gz"
    packed.write_bytes(gzip.compress(Path(KEY).read_bytes()))
    assert client.score(packed, ALPHA) == referee.score(packed, ALPHA)
    write_plural(tmp_path / "key.conllua", element="4")
    write_plural(tmp_path / "alpha.conllua", element="9")
    sides = tmp_path / "key.conllua", tmp_path / "alpha.conllua"
    assert client.score(*sides, layer="deixis") == referee.score(*sides, layer="deixis")


def test_errors_are_those_of_the_functions(client: Client, tmp_path: Path) -> None:
    latin = tmp_path / "latin.conll"
    latin.write_bytes(b"\xe9\xe9")
    for wrong in ((KEY, latin), (KEY, [["a"]]), (KEY,)):
        with pytest.raises(RefereeError) as here:
            referee.score(*wrong)
        with pytest.raises(RefereeError) as there:
            client.score(*wrong)
        if len(wrong) == 2:
            assert (str(there.value), type(there.value)) == (str(here.value), type(here.value))
    with pytest.raises(FormatError, match="No such file"):
        client.score(KEY, tmp_path / "nothing.conll")


def test_what_cannot_be_sent_is_refused_here(client: Client) -> None:
    with pytest.raises(SettingError, match="is sent by their path"):
        client.score(referee.read(KEY), ALPHA)
    with pytest.raises(SettingError, match="no standard output"):
        client.convert(KEY, "-")
    with pytest.raises(SettingError, match="files of its own machine"):
        client.score("https://example.org/key.conll", ALPHA)


@pytest.mark.parametrize("url", ["x", "ftp://a", "http://", "http://a/?b", "http://u:p@a", "http://[", "//a"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="is not an address"):
        referee.connect(url)


def test_a_token_does_not_go_over_an_open_network() -> None:
    with pytest.raises(SettingError, match="in plain text"):
        referee.connect("http://10.0.0.1:8080", TOKEN)
    assert TOKEN not in repr(referee.connect("http://10.0.0.1:8080", TOKEN, insecure=True))
    assert referee.connect("https://example.org/", TOKEN).url == "https://example.org"


def test_the_token_comes_from_the_environment(
    service: httpx.Client, monkeypatch: pytest.MonkeyPatch, resolve: Callable[..., Any]
) -> None:
    with pytest.raises(RefereeError, match="give the service's token"):
        referee.connect(str(service.base_url)).resolve("a")
    monkeypatch.setenv("REFEREE_TOKEN", TOKEN)
    assert referee.connect(str(service.base_url)).resolve(STORY) == resolve(STORY)


def test_a_service_that_is_not_there_is_an_error() -> None:
    with pytest.raises(RefereeError, match="cannot be reached"):
        referee.connect("http://127.0.0.1:9", patience=2).resolve("a")


def test_no_warning_is_made_up(client: Client) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        client.resolve(STORY)
