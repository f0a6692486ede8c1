"""referee.llm_prompt, llm_run, llm_repair and llm_score: a language model measured, prompts to scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from referee import formats
from referee.display import Shown
from referee.exceptions import FormatError, SettingError, did_you_mean
from referee.formats.failures import Failures
from referee.functions.score import scored
from referee.functions.scores import Scores
from referee.functions.task_options import Names
from referee.llm.examples import chosen_examples
from referee.llm.instructions import NOTATIONS, guideline_text, instructions
from referee.llm.patience import Patience
from referee.llm.prompts import ALL, PromptSet, prompts_about, read_prompts
from referee.llm.repairing import repairs_of
from referee.llm.running import RunReport, planned, run_prompts
from referee.llm.server import USUAL_KEY, Server, checked_endpoint, key_in
from referee.llm.tokens import Prices
from referee.matching.protocol import Protocol
from referee.model import Corpus
from referee.scoring.engines import Jobs
from referee.scoring.evaluate import Bar, no_bar
from referee.scoring.result import Result
from referee.scoring.task import PathName
from referee.tables.llm import answer_output
from referee.tables.rendering import Output


def llm_prompt(
    corpus: Any,
    *,
    notation: str = "tags",
    guidelines: str | PathLike[str] = "ontonotes",
    shots: int = 0,
    examples: Any = None,
    window: int | None = None,
    overlap: int = 50,
    carry: int | None = None,
    seed: int = 1,
) -> PromptSet:
    """Make prompts that ask a language model for coreference, one for each document or window of a corpus.

    The annotation of the corpus is not used, and the same arguments give the same prompts. `save(folder)` of
    the value writes them.

    Args:
        corpus: A path, a corpus or documents.
        notation: How the model is to mark mentions: `tags`, `markdown`, `brackets`, `crac-text` or
            `json-answer`.
        guidelines: What a mention is and what corefers: `ontonotes`, `gum`, `litbank`, `corefud`, `none`, or
            a file of your own.
        shots: How many examples to show.
        examples: The annotated corpus to take them from. Documents that are asked about are never examples.
        window: How many words a prompt may be about; otherwise each is about a whole document. Windows end
            with a sentence.
        overlap: How many words at least a window has from the one before it, in whole sentences.
        carry: How many entities of earlier windows a prompt lists, the latest; otherwise all, and with 0
            none, so that windows do not wait for each other.
        seed: Draws the examples; the same seed gives the same ones.

    Returns:
        The prompts.

    Raises:
        SettingError: If there is no such notation or guideline, or the numbers do not go together.
        FormatError: If a corpus cannot be read, or has too few examples.

    Examples:
        >>> import referee
        >>> document = referee.Document.of("d", ["Ann", "slept", "."], [(0, 3)], [])
        >>> prompts = referee.llm_prompt(document, notation="markdown")
        >>> prompts.texts
        {'d': 'Text:\\n\\nAnn slept .\\n'}
    """
    if notation not in NOTATIONS:
        near = did_you_mean(notation, NOTATIONS)
        raise SettingError(f"notation='{notation}' is none of {', '.join(NOTATIONS)}{near}")
    if window is not None and not 0 <= overlap < window:
        raise SettingError(f"overlap={overlap} must be less than window={window}, and not negative")
    if bool(shots) != (examples is not None):
        raise SettingError("shots= and examples= need each other: how many examples, and from which corpus")
    asked = corpus if isinstance(corpus, Corpus) else formats.read(corpus)  # which may have no annotation
    chosen = chosen_examples(formats.opened(examples), shots, asked, notation, seed=seed) if shots else []
    facts: dict[str, Any] = {
        "guidelines": Path(guidelines).name, "examples": [each.id for each in chosen], "window": window,
        "overlap": overlap if window else 0, "carry": ALL if carry is None else carry,
    }  # fmt: skip
    told = instructions(notation, guideline_text(guidelines), chosen)
    made = prompts_about(asked, notation, told, window=window, overlap=overlap, facts=facts)
    return replace(made, notices=[*asked.notices, *made.notices])


def llm_run(
    prompts: PathName | PromptSet,
    output: PathName | None = None,
    *,
    endpoint: str | None = None,
    model: str | None = None,
    key_variable: str = USUAL_KEY,
    parallel: int = 4,
    retries: int = 5,
    timeout: float = 600.0,
    temperature: float | None = None,
    max_tokens: int | None = None,
    extra: Mapping[str, Any] | None = None,
    price_in: float | None = None,
    price_out: float | None = None,
    max_cost: float | None = None,
    insecure: bool = False,
    dry_run: bool = False,
    progress: Bar = no_bar,
    notify: Callable[[Sequence[str]], None] = lambda _: None,
) -> RunReport:
    """Send prompts to a server, and keep its answers in a folder.

    Answers that are in the folder are not asked for again, so a run may be broken off and started again. What
    is sent goes to `endpoint` alone, and no other function sends prompts.

    Args:
        prompts: A folder of prompts, or what `llm_prompt` returns.
        output: The folder of the answers.
        endpoint: The server's address, such as `http://localhost:8000/v1`.
        model: The model's name, as the server knows it.
        key_variable: The environment variable that has the key. It is read and never written.
        parallel: How many requests are under way at a time.
        retries: How often a request is sent again that failed for a reason that may pass.
        timeout: How many seconds a reply may take.
        temperature: Sent with each request; otherwise the server decides.
        max_tokens: How long an answer may be; sent likewise.
        extra: Further fields of the request, such as `{"seed": 1}`.
        price_in: What a million tokens of prompts cost.
        price_out: What a million tokens of answers cost.
        max_cost: What all answers in the folder may cost. A request that would pass it, by its estimate, is
            not sent.
        insecure: Allow a key to be sent over plain HTTP to another machine.
        dry_run: Send nothing, and estimate tokens and cost.
        progress: What makes a progress bar, given a number of steps and a label.
        notify: Is given what should be known before anything is sent.

    Returns:
        What was answered, what failed and why, the tokens and the cost.

    Raises:
        SettingError: If arguments are missing or do not go together.
        FormatError: If the folder has answers to other prompts, or of another model.
        RefereeError: If the server refuses every request, as without a valid key.
        MissingExtra: If httpx is not installed.

    Examples:
        >>> import referee
        >>> document = referee.Document.of("d", ["Ann", "slept", "."], [(0, 3)], [])
        >>> report = referee.llm_run(referee.llm_prompt(document), dry_run=True, price_in=1.0)
        >>> report.prompts, report.usage.estimated
        (1, True)
    """
    _refuse_numbers(parallel=parallel - 1, retries=retries, timeout=timeout, max_cost=max_cost)
    prices = Prices(price_in, price_out)
    if max_cost is not None and not prices.known:
        raise SettingError("max_cost= needs price_in= or price_out=")
    asked = prompts if isinstance(prompts, PromptSet) else read_prompts(Path(prompts))
    key = key_in(key_variable)
    address = checked_endpoint(endpoint, key, insecure=insecure) if endpoint else ""
    folder = Path(output) if output is not None else None
    if dry_run:
        return planned(asked, folder, model, prices)
    if not (folder and address and model):
        raise SettingError("endpoint=, model= and an output folder are needed, unless dry_run=True")
    fields = {**(extra or {})}
    fields |= {"temperature": temperature} if temperature is not None else {}
    fields |= {"max_tokens": max_tokens} if max_tokens is not None else {}
    server = Server(address, model, key, timeout, fields)
    notify([f"the key in {key_variable} goes to {address}" if key else f"no key goes to {address}"])
    with progress(len(asked.manifest.prompts), "asking") as advance:
        return run_prompts(
            asked, folder, server, parallel=parallel, patience=Patience(retries), prices=prices,
            max_cost=max_cost, progress=advance,
        )  # fmt: skip


def _refuse_numbers(**given: float | None) -> None:
    """Refuse numbers that are too small, or none."""
    for name, value in given.items():
        if value is not None and not value >= 0:
            raise SettingError(f"{name}= is too small, or not a number")


def llm_repair(prompts: PathName | PromptSet, answers: PathName, *, mentions: int | None = None) -> PromptSet:
    """Make prompts that ask again about what was lost: cut off, refused, empty, unreadable, another text.

    Run them into the folder of the answers; the repaired answers then count.

    Args:
        prompts: The folder of the prompts, or what `llm_prompt` returned.
        answers: The folder of the answers.
        mentions: Ask again, too, where at least so many mentions were lost.

    Returns:
        The prompts.

    Raises:
        FormatError: If nothing needs a repair, or the answers are to other prompts.

    Examples:
        >>> import referee
        >>> referee.llm_repair("prompts", "answers")  # doctest: +SKIP
    """
    asked = prompts if isinstance(prompts, PromptSet) else read_prompts(Path(prompts))
    return repairs_of(asked, Path(answers), mentions=mentions)


@dataclass(frozen=True, repr=False, eq=False)
class AnswerScores(Shown):
    """Scores of answers, and what was lost on the way to them."""

    _output = "rendering:own_output"

    scores: Scores

    @property
    def result(self) -> Result:
        """The result of the first system."""
        return self.scores[0]

    @property
    def output(self) -> Output:
        """What the command prints, in each of its formats."""
        return answer_output(self.scores.results, self.scores.output)


def llm_score(
    key: Any,
    *answers: Any,
    protocol: Protocol | str | None = None,
    singletons: str | None = None,
    zeros: str | None = None,
    heads: str | None = None,
    match: str | None = None,
    parses: PathName | None = None,
    on_bad_parse: str | None = None,
    metric: Names | None = None,
    jobs: Jobs = 1,
    progress: Bar = no_bar,
) -> AnswerScores:
    """Score answers in folders, and count what was lost, by document and reason.

    Args:
        key: The corpus that was asked about.
        *answers: Folders of answers, each a system.
        protocol: As for `score`.
        singletons: As for `score`.
        zeros: As for `score`.
        heads: As for `score`.
        match: As for `score`.
        parses: As for `score`.
        on_bad_parse: As for `score`.
        metric: As for `score`.
        jobs: As for `score`.
        progress: As for `score`.

    Returns:
        The scores of each system with its losses.

    Raises:
        FormatError: If the answers are not about the key's words.

    Examples:
        >>> import referee
        >>> referee.llm_score("corpus/dev", "answers")  # doctest: +SKIP
    """
    options: dict[str, Any] = {
        "protocol": protocol, "singletons": singletons, "zeros": zeros, "heads": heads, "match": match,
        "parses": parses, "on_bad_parse": on_bad_parse, "metric": metric, "jobs": jobs, "progress": progress,
    }  # fmt: skip
    made = scored(key, answers, **options)
    Failures(found=list(made.failures)).warn()
    if others := [result.system for result in made.results if not result.alignment]:
        raise FormatError(
            f"{others[0]}: not answers of a language model; referee score scores other responses"
        )
    return AnswerScores(made)
