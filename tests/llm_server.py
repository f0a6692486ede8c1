"""A server like those of language models, on this machine, that answers well, badly, slowly or not at all.

`Model` answers prompts from a key; a script says what goes wrong with which request.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from documents_to_mark import made_document
from referee.formats.losses import nested
from referee.llm.instructions import answer_for
from referee.llm.journal import Journal
from referee.llm.patience import Patience
from referee.llm.prompts import PromptSet
from referee.llm.replies import Reply
from referee.llm.running import RunReport, run_prompts
from referee.llm.server import Server
from referee.llm.tokens import Prices, Usage
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Window
from referee.scoring.evaluate import ignore_progress

PATH = "/v1/chat/completions"
INLINE = ("tags", "markdown", "brackets")  # notations that cannot hold mentions that cross


def right_answers(prompts: PromptSet, key: Corpus) -> dict[str, str]:
    """Write the right answer to each prompt, by its text; mentions that cross others are left out."""
    answers = {}
    for prompt in prompts.manifest.prompts:
        window = Window.of(key[prompt.document], prompt.start, prompt.end)
        document = without_crossings(window.document) if prompts.notation in INLINE else window.document
        answers[prompts.texts[prompt.name]] = answer_for(document, prompts.notation)
    return answers


def without_crossings(document: Document) -> Document:
    """Leave out mentions that cross others."""
    listed = [(mention, cluster.id) for cluster in document.clusters for mention in cluster.mentions]
    kept = [listed[number] for number in nested([mention for mention, _ in listed])]
    ids = dict.fromkeys(id_ for _, id_ in kept)
    return Document(document.text, tuple(Cluster(i, tuple(m for m, id_ in kept if id_ == i)) for i in ids))


def completion(text: str, **changes: Any) -> dict[str, Any]:
    """Write a reply as servers do."""
    message = {"role": "assistant", "content": text} | changes.pop("message", {})
    choice = {"index": 0, "message": message, "finish_reason": changes.pop("finish_reason", "stop")}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return {"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage, **changes}


@dataclass
class Said:
    """What the server does about a request."""

    body: bytes | str | Mapping[str, Any] = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0  # before anything is sent
    pieces: int = 1  # that the body is sent in, with `pause` between them
    pause: float = 0.0
    drop: bool = False  # break the connection off in the middle of the body
    hang_up: bool = False  # break it off before anything is sent

    @property
    def data(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        words = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return words.encode("utf-8", "surrogatepass")


@dataclass
class Asked:
    """A request as it came, and how far its reply got."""

    content: str  # of the last message
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    started: float
    done: float | None = None  # when the last byte of the reply was sent


Model = Callable[[Asked, int], Said]  # a request, and how often the same text was asked about before


class Quiet(ThreadingHTTPServer):
    """A server that says nothing of clients that are killed."""

    def handle_error(self, *_: Any) -> None:
        pass


class FakeServer:
    """A server, what it was asked, and its address."""

    def __init__(self, model: Model) -> None:
        self.model, self.asked = model, list[Asked]()
        self.lock = threading.Lock()
        self._times: dict[str, int] = {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                server.handle(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answer in a thread; whoever has asked before waits until then."""
        thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.http.shutdown()
            self.http.server_close()
            thread.join()

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        asked = Asked(body["messages"][-1]["content"], body, dict(request.headers), time.monotonic())
        with self.lock:
            self.asked.append(asked)
            before = self._times.get(asked.content, 0)
            self._times[asked.content] = before + 1
        said = self.model(asked, before)
        if request.path != PATH:
            said = Said({"error": {"message": "no such path"}}, 404)
        try:
            self._send(request, said)
            asked.done = None if said.drop or said.hang_up else time.monotonic()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def _send(self, request: BaseHTTPRequestHandler, said: Said) -> None:
        time.sleep(said.wait)
        if said.hang_up:
            request.close_connection = True
            request.connection.shutdown(2)
            return
        data = said.data
        request.send_response(said.status)
        for name, value in {"Content-Type": "application/json", **said.headers}.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        data = data[: len(data) // 2] if said.drop else data
        step = max(1, -(-len(data) // said.pieces))
        for start in range(0, len(data), step):
            request.wfile.write(data[start : start + step])
            request.wfile.flush()
            time.sleep(said.pause)
        if said.drop:
            request.close_connection = True
            request.connection.shutdown(2)


def run(
    prompts: PromptSet, folder: Path, url: str, *, model: str = "m", key: str = "", timeout: float = 5.0,
    fields: Mapping[str, Any] | None = None, parallel: int = 4, prices: Prices | None = None,
    max_cost: float | None = None, patience: Patience | None = None,
) -> RunReport:  # fmt: skip
    """Run prompts without waiting long."""
    return run_prompts(
        prompts, folder, Server(url, model, key, timeout, fields or {}), parallel=parallel,
        patience=patience or Patience(2, 0.01), prices=prices or Prices(), max_cost=max_cost,
        progress=ignore_progress,
    )  # fmt: skip


def answered(prompts: PromptSet, folder: Path, texts: Mapping[str, str], **outcomes: str) -> None:
    """Write answers as a run leaves them, by the names of prompts; those without a text have no answer."""
    journal = Journal(folder, prompts, "m")
    with journal.opened():
        for prompt in prompts.manifest.prompts:
            if prompt.name in texts:
                text = texts[prompt.name]
                outcome = outcomes.get(prompt.name, "answered")
                reply = Reply(json.dumps(completion(text)), text, outcome)
                journal.keep(prompt, reply, Usage(9, 9), carried=prompt.carried, listed="")


def asked_name(asked: Asked, prompts: PromptSet) -> str:
    """Name the prompt that a request was about."""
    return next(name for name, text in prompts.texts.items() if asked.content.endswith(text))


def some_documents(count: int = 3, length: int = 40) -> DocumentCorpus:
    """Make documents of odd words with some entities."""
    made: list[Document] = []
    chance = random.Random(7)
    while len(made) < count:
        document = made_document(chance, length=length)
        if len(document.words) > length // 2 and len(document.clusters) > 1:
            made.append(document.with_text(id=f"d{len(made)}"))
    return DocumentCorpus(made, "key")


@contextmanager
def serving(model: Model) -> Iterator[FakeServer]:
    """Let a server answer while a test runs."""
    server = FakeServer(model)
    with server.running():
        yield server


def answering(answers: Mapping[str, str], change: Callable[[str], str] = str) -> Model:
    """Make a model that knows the right answers, which `change` may harm."""

    def model(asked: Asked, before: int) -> Said:
        del before
        return Said(completion(change(answer_to(asked.content, answers))))

    return model


def answer_to(content: str, answers: Mapping[str, str]) -> str:
    """Find the answer to a prompt, whose text comes last."""
    return next(answer for text, answer in answers.items() if content.endswith(text))
