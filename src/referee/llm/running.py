"""Runs prompts: rows of windows side by side, each window after the one before it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from referee.display import Shown
from referee.exceptions import RefereeError
from referee.formats.failures import Failure
from referee.formats.marked.manifest import Prompt
from referee.llm.carrying import KnownEntities
from referee.llm.journal import Journal
from referee.llm.patience import FailedPromptError, Patience, StoppedError
from referee.llm.prompts import PromptSet
from referee.llm.server import Message, Server
from referee.llm.tokens import ANSWER_RATIO, Budget, Prices, Usage, estimated_tokens

MAX_TOKENS = ("max_tokens", "max_completion_tokens")  # fields that bound an answer
Progress = Callable[[int], None]


@dataclass(repr=False)
class RunReport(Shown):
    """What a run has done, and what it cost.

    Attributes:
        prompts: How many there are.
        before: How many were answered by earlier runs.
        usage: The tokens of this run.
        usage_before: The tokens of the answers that were there.
        failures: The prompts without an answer, and why.
        outcomes: How the answers of this run ended.
        dry: Whether nothing was sent, and the tokens are estimates.
    """

    _output = "llm:run_output"

    prompts: int
    before: int = 0
    usage: Usage = field(default_factory=Usage)
    usage_before: Usage = field(default_factory=Usage)
    prices: Prices = field(default_factory=Prices)
    failures: list[Failure] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    dry: bool = False

    @property
    def cost(self) -> float:
        """What this run costs."""
        return self.prices.cost(self.usage.tokens_in, self.usage.tokens_out)

    @property
    def cost_before(self) -> float:
        """What the answers that were there have cost, at the same prices."""
        return self.prices.cost(self.usage_before.tokens_in, self.usage_before.tokens_out)


def messages_for(prompts: PromptSet, prompt: Prompt, listed: str) -> list[Message]:
    """Write what is sent: the instructions, and the text with the entities that are known."""
    text = prompts.texts[prompt.name]
    return [
        {"role": "system", "content": prompts.instructions},
        {"role": "user", "content": f"{listed}\n\n{text}" if listed else text},
    ]


def estimated_usage(messages: Sequence[Message], prompts: PromptSet, prompt: Prompt) -> Usage:
    """Estimate the tokens of a request, and of its answer from the text."""
    tokens_in = sum(estimated_tokens(message["content"]) for message in messages)
    text = estimated_tokens(prompts.texts[prompt.name])
    return Usage(tokens_in, round(ANSWER_RATIO[prompts.notation] * text), estimated=True)


def planned(prompts: PromptSet, folder: Path | None, model: str | None, prices: Prices) -> RunReport:
    """Estimate what a run would cost, and send nothing."""
    report = RunReport(len(prompts.manifest.prompts), prices=prices, dry=True)
    journal = Journal(folder, prompts, model) if folder else None
    for prompt in prompts.manifest.prompts:
        if journal and journal.has(prompt):
            report.before += 1
        else:
            report.usage += estimated_usage(messages_for(prompts, prompt, ""), prompts, prompt)
    report.usage_before = sum(journal.usage().values() if journal else [], Usage())
    return report


@dataclass
class Runner:
    """One run: what to ask, whom, where the answers go, and what it may cost."""

    prompts: PromptSet
    journal: Journal
    server: Server
    patience: Patience
    prices: Prices
    budget: Budget
    progress: Progress
    report: RunReport = field(init=False)
    _fault: RefereeError | None = None

    def __post_init__(self) -> None:
        """Begin the report."""
        self.report = RunReport(len(self.prompts.manifest.prompts), prices=self.prices)

    def run(self, parallel: int) -> RunReport:
        """Ask all that is not answered.

        Raises:
            RefereeError: If no prompt can be answered. Answers that are there are kept.
        """
        with self.journal.opened():
            known = self.journal.usage()
            self.report.usage_before = sum(known.values(), Usage())
            self.report.before = sum(prompt.name in known for prompt in self.prompts.manifest.prompts)
            self.budget.spent = self.report.cost_before
            with self._threads(parallel) as pool:
                done = list(pool.map(self._row, self.prompts.chains()))
        if self._fault:
            raise self._fault
        for usage, outcomes, failures in done:
            self.report.usage += usage
            self.report.outcomes += outcomes
            self.report.failures += failures
        return self.report

    @contextmanager
    def _threads(self, parallel: int) -> Iterator[ThreadPoolExecutor]:
        """Work in threads; if the run is broken off, replies that are under way are still waited for."""
        client = self.server.client
        pool = ThreadPoolExecutor(parallel, "referee-llm")
        try:
            yield pool
        except BaseException:
            self.patience.stop.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            client.close()

    def _row(self, row: Sequence[Prompt]) -> tuple[Usage, Counter[str], list[Failure]]:
        """Ask about windows one after the other; without an answer, those after it are not asked about."""
        used, outcomes = Usage(), Counter[str]()
        known = KnownEntities(self.prompts.documents[row[0].document])
        for number, prompt in enumerate(row):
            try:
                if not self.journal.has(prompt):
                    usage, outcome = self._ask(prompt, known)
                    used, outcomes[outcome] = used + usage, outcomes[outcome] + 1
                if prompt is not row[-1]:
                    known.add(prompt, self.journal.folder, self.journal.ending)
            except StoppedError:
                return used, outcomes, []  # the run's error says it
            except RefereeError as error:
                self._fault = self._fault or error
                self.patience.stop.set()
                return used, outcomes, []
            except FailedPromptError as error:
                waiting = [Failure(p.name, f"waits for {prompt.name}") for p in row[number + 1 :]]
                return used, outcomes, [Failure(prompt.name, str(error)), *waiting]
            self.progress(1)
        return used, outcomes, []

    def _ask(self, prompt: Prompt, known: KnownEntities) -> tuple[Usage, str]:
        """Ask about one window, and keep the answer."""
        listed, carried = known.listed(self.prompts.carry) if prompt.after else ("", prompt.carried)
        messages = messages_for(self.prompts, prompt, listed)
        expected = estimated_usage(messages, self.prompts, prompt)
        bounds = [self.server.fields[name] for name in MAX_TOKENS if name in self.server.fields]
        reserved = self.prices.cost(expected.tokens_in, min(bounds, default=expected.tokens_out))
        if not self.budget.reserve(reserved):
            raise FailedPromptError(f"not asked: it would pass max_cost={self.budget.limit:g}")
        usage, started = Usage(), time.time()
        try:
            reply = self.patience.ask(self.server, messages)
            answered = Usage(expected.tokens_in, estimated_tokens(reply.text), estimated=True)
            usage = reply.usage or answered
            self.journal.keep(
                prompt, reply, usage, carried=carried, listed=listed, endpoint=self.server.endpoint,
                request=dict(self.server.fields), started=round(started, 3),
                seconds=round(time.time() - started, 3),
            )  # fmt: skip
        finally:
            self.budget.settle(reserved, self.prices.cost(usage.tokens_in, usage.tokens_out))
        return usage, reply.outcome


def run_prompts(
    prompts: PromptSet,
    folder: Path,
    server: Server,
    *,
    parallel: int,
    patience: Patience,
    prices: Prices,
    max_cost: float | None,
    progress: Progress,
) -> RunReport:
    """Ask all prompts that have no answer in the folder yet."""
    journal = Journal(folder, prompts, server.model)
    return Runner(prompts, journal, server, patience, prices, Budget(max_cost), progress).run(parallel)
