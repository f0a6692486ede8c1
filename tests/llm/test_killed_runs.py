"""A run that is killed at any moment and started again loses no answer, and pays for none twice.

The process that runs is killed by SIGKILL, at moments spread over its work. What cannot be kept is what is
under way then: at most one reply for each thread.
"""

from __future__ import annotations

import os
import random
import signal
import time
import warnings
from pathlib import Path

import referee
from llm_server import (
    Asked,
    FakeServer,
    Said,
    answer_to,
    asked_name,
    completion,
    right_answers,
    run,
    some_documents,
)
from referee.llm.prompts import PromptSet

KILLS = 20
PARALLEL = 4  # requests under way


def test_a_run_that_is_killed_loses_no_answer_and_pays_for_none_twice(tmp_path: Path) -> None:
    key = some_documents(4, length=60)
    prompts = referee.llm_prompt(key, notation="markdown", window=20, overlap=5)
    right, chance = right_answers(prompts, key), random.Random(3)

    def model(asked: Asked, _: int) -> Said:
        return Said(completion(answer_to(asked.content, right)), wait=0.005, pieces=3, pause=0.003)

    interrupted = 0
    for number in range(KILLS):
        server, folder = FakeServer(model), tmp_path / str(number)
        process = started(prompts, folder, server.url)
        with server.running():
            reached = chance.randint(1, len(prompts.texts) - PARALLEL)
            while len(server.asked) < reached:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.02))
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            time.sleep(0.05)  # until the server has seen all that was sent
            before = list(server.asked)
            kept = {path.name: path.read_bytes() for path in (folder / "replies").glob("*.reply")}
            interrupted += len(kept) < len(prompts.texts)
            run(prompts, folder, server.url)
        check_restart(server, prompts, folder, kept, before)
        written = {path.name: path.read_text("utf-8") for path in folder.glob("*.markdown.txt")}
        assert written == {f"{name}.markdown.txt": right[text] for name, text in prompts.texts.items()}
    assert interrupted > KILLS // 2


def test_an_interrupted_run_waits_for_what_is_under_way(tmp_path: Path) -> None:
    key = some_documents(6, length=60)
    prompts = referee.llm_prompt(key, notation="markdown")
    right = right_answers(prompts, key)
    server = FakeServer(lambda asked, _: Said(completion(answer_to(asked.content, right)), wait=0.2))
    process = started(prompts, tmp_path, server.url)
    with server.running():
        while len(server.asked) < PARALLEL:
            time.sleep(0.001)
        os.kill(process, signal.SIGINT)
        os.waitpid(process, 0)
    kept = {path.name.removesuffix(".reply") for path in (tmp_path / "replies").glob("*.reply")}
    assert kept == {asked_name(asked, prompts) for asked in server.asked}
    assert len(kept) == PARALLEL < len(prompts.texts)


def started(prompts: PromptSet, folder: Path, url: str) -> int:
    """Run prompts in a process of its own, which has everything loaded; the server does not answer yet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of earlier requests may be ending
        process = os.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            run(prompts, folder, url)
        finally:
            os._exit(0)
    return process


def check_restart(
    server: FakeServer, prompts: PromptSet, folder: Path, kept: dict[str, bytes], before: list[Asked]
) -> None:
    """See that what was written stayed and was not asked again, and that only what was under way was lost."""
    now = {path.name: path.read_bytes() for path in (folder / "replies").glob("*.reply")}
    assert len(now) == len(prompts.texts)
    assert {name: now[name] for name in kept} == kept
    again = [asked_name(asked, prompts) for asked in server.asked[len(before) :]]
    assert not {f"{name}.reply" for name in again} & kept.keys()
    assert len(again) == len(set(again)) == len(prompts.texts) - len(kept)
    lost = {f"{asked_name(asked, prompts)}.reply" for asked in before} - kept.keys()
    assert len(lost) <= PARALLEL
    for row in prompts.chains():  # a window is asked about when the answer before it is written
        asked = [f"{prompt.name}.reply" in kept.keys() | lost for prompt in row]
        assert all(f"{prompt.name}.reply" in kept for prompt in row[: max(sum(asked) - 1, 0)])
