"""Files of real servers on this machine are read as local ones: HTTP, and S3 as moto plays it."""

from __future__ import annotations

import gzip
import os
import pickle
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import fsspec
import pytest

import referee
from referee import FormatError
from referee.formats.io.opening import SeekableFile

SAMPLE = Path(referee.__file__).parent / "sample"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


class _Silent(SimpleHTTPRequestHandler):
    """Says nothing on standard error. It gives no ranges, as simple servers do not."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The sample behind a server of the standard library, plain and packed."""
    pytest.importorskip("aiohttp", reason="aiohttp, which fsspec reads http with, is not installed")
    for name in ("key", "alpha"):
        content = (SAMPLE / f"{name}.conll").read_bytes()
        (tmp_path / f"{name}.conll").write_bytes(content)
        (tmp_path / f"{name}.conll.gz").write_bytes(gzip.compress(content))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("ending", [".conll", ".conll.gz"])
def test_files_of_a_web_server_score_as_local_ones(site: str, ending: str) -> None:
    local = referee.score(SAMPLE / "key.conll", SAMPLE / "alpha.conll")
    remote = referee.score(f"{site}/key{ending}", f"{site}/alpha{ending}")
    assert remote.to_dict()["scores"] == local.to_dict()["scores"]


def test_a_worker_elsewhere_fetches_what_cannot_be_read_in_ranges_itself(site: str) -> None:
    file = SeekableFile(f"{site}/key.conll")
    there: SeekableFile = pickle.loads(pickle.dumps(file))
    there._location += "-elsewhere"
    assert there.read() == file.read() == (SAMPLE / "key.conll").read_bytes()


def test_what_a_web_server_does_not_have_is_named(site: str) -> None:
    with pytest.raises(FormatError, match=rf"^{site}/none\.conll: No such file or directory$"):
        referee.read(f"{site}/none.conll")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket with the sample, on a server that plays S3."""
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    servers = pytest.importorskip("moto.server", reason="moto[server] is not installed")
    server = servers.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():  # fmt: skip
        monkeypatch.setitem(os.environ, name, value)
    system = fsspec.filesystem("s3", skip_instance_cache=True)
    corpus = f"corpus-{uuid4().hex}"  # moto remembers the buckets of other tests
    system.mkdir(corpus)
    for name in ("key", "alpha"):
        system.pipe(f"{corpus}/{name}/{name}.conll", (SAMPLE / f"{name}.conll").read_bytes())
    fsspec.filesystem("s3").clear_instance_cache()
    yield f"s3://{corpus}"
    fsspec.filesystem("s3").clear_instance_cache()
    server.stop()


def test_a_bucket_scores_as_a_folder(bucket: str) -> None:
    local = referee.score(SAMPLE / "key.conll", SAMPLE / "alpha.conll")
    for paths in (("key", "alpha"), ("key/key.conll", "alpha/alpha.conll")):
        remote = referee.score(*(f"{bucket}/{path}" for path in paths))
        assert remote.to_dict()["scores"] == local.to_dict()["scores"]
    assert referee.score(f"{bucket}/key", f"{bucket}/alpha", jobs=2).conll == local.conll


def test_an_object_that_is_written_again_is_refused(bucket: str) -> None:
    corpus = referee.read(f"{bucket}/key/key.conll")
    content = (SAMPLE / "key.conll").read_bytes()
    fsspec.filesystem("s3").pipe(f"{bucket}/key/key.conll", content.replace(b"harbour", b"harboor"))
    with pytest.raises(FormatError, match=rf"^{bucket}/key/key\.conll: has changed since it was opened"):
        corpus.document(0)
