"""What a server replied: the answer, why it ended, and the tokens that it cost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.display import shortened
from referee.formats.marked.manifest import ANSWERED, CUT, EMPTY, REFUSED
from referee.llm.tokens import Usage

SHOWN = 120  # characters of a reply in a message
FILTERED = ("content_filter", "content_policy_violation", "safety")  # codes of a refusal


class BadReplyError(Exception):
    """A reply that has no answer in it; `again` says whether another try may have one."""

    def __init__(self, reason: str, *, again: bool) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.again = again


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply as it came, and what it says."""

    body: str
    text: str
    outcome: str
    usage: Usage | None = None  # None if the server does not say it


def reply_of(body: str) -> Reply:
    """Read the reply of a chat completion.

    Raises:
        BadReplyError: If it is not JSON, or not of the form that servers have agreed on.
    """
    value = _object(body)
    if value.get("error"):
        raise BadReplyError(f"the server says: {_message(value)}", again=False)
    try:
        choice = value["choices"][0]
        message, finish = choice["message"], choice.get("finish_reason")
        text, refusal = _text(message.get("content")), message.get("refusal")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise BadReplyError(
            f"the reply is JSON without choices and a message: {shortened(body, SHOWN)}", again=False
        ) from error
    refused = bool(refusal) or finish in FILTERED
    outcome = REFUSED if refused else CUT if finish == "length" else ANSWERED if text.strip() else EMPTY
    if refused and not text and isinstance(refusal, str):
        text = refusal
    return Reply(body, text, outcome, _usage(value.get("usage")))


def refused_reply(body: str) -> Reply | None:
    """Read an error of the server as a refusal, if it says that the prompt was filtered."""
    try:
        error = _object(body).get("error")
    except BadReplyError:
        return None
    inner = error.get("innererror") if isinstance(error, dict) else None
    codes = [each.get("code") for each in (error, inner) if isinstance(each, dict)]
    return Reply(body, "", REFUSED, Usage()) if {*map(str, codes)} & {*FILTERED} else None


def text_in(body: str) -> str:
    """Take the answer out of a reply that was kept, which may be a refusal."""
    try:
        return reply_of(body).text
    except BadReplyError:
        return ""


def said_error(body: str) -> tuple[str, str]:
    """Take what a server says of an error, and the code of it."""
    try:
        value = _object(body)
    except BadReplyError:
        return shortened(body, SHOWN), ""
    error = value.get("error")
    return _message(value), str(error.get("code") or error.get("type") or "") if isinstance(
        error, dict
    ) else ""


def _object(body: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        shown = shortened(body, SHOWN) or "nothing"
        raise BadReplyError(f"the reply is not JSON: {shown}", again=True) from error
    if not isinstance(value, dict):
        raise BadReplyError(f"the reply is not a JSON object: {shortened(body, SHOWN)}", again=False)
    return value


def _message(value: Mapping[str, Any]) -> str:
    error = value.get("error", value)
    said = error.get("message") if isinstance(error, dict) else error
    return shortened(said if isinstance(said, str) else json.dumps(value), SHOWN)


def _text(content: Any) -> str:
    """Take the text of a message: a string, nothing, or a list of parts."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")


def _usage(given: Any) -> Usage | None:
    if not isinstance(given, dict):
        return None
    tokens_in, tokens_out = given.get("prompt_tokens"), given.get("completion_tokens")
    if not (isinstance(tokens_in, int) and isinstance(tokens_out, int) and min(tokens_in, tokens_out) >= 0):
        return None
    return Usage(tokens_in, tokens_out)
