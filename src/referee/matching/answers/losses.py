"""What is lost on the way from a model's own copy of a text to the key's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.display import number_of
from referee.formats.marked.text import NOTATIONS

KEPT_THRESHOLD = 0.5  # of a document's text; with less, it is another text
WORD_COUNTS = ("words", "kept", "changed", "moved", "dropped", "added")
SHOWN = 3  # lost mentions in a notice
UNPARSABLE, ANOTHER_TEXT = "unparsable", "another text"  # why a window is lost, beside what the server said


@dataclass(frozen=True, slots=True)
class LostWindow:
    """A window of a document without a usable answer, or with a part of one: where, which, and why."""

    where: str
    window: int
    reason: str

    def __str__(self) -> str:
        """Say it on one line."""
        return f"{self.where}: window {self.window}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LostMention:
    """A mention that has no place in the key, or a tag that marks none: where, why, and its words."""

    where: str  # FILE:LINE
    reason: str
    shown: str

    def __str__(self) -> str:
        """Say it on one line."""
        return f"{self.where}: '{self.shown}': {self.reason}"


@dataclass(frozen=True, slots=True)
class TextLoss:
    """How a document's copy differs from the key's text, and which of its mentions are lost."""

    document: str
    where: str
    notation: str
    words: int  # of the key
    kept: int
    changed: int
    moved: int
    dropped: int
    added: int
    mentions: int  # that were marked, tags that went wrong included
    lost: Sequence[LostMention] = ()
    has_text: bool = True  # whether there was a text to compare
    windows: int = 0  # that were asked about, where the document was asked about in windows
    lost_windows: Sequence[LostWindow] = ()
    taken_ids: int = 0  # ids of new entities that another entity had

    @property
    def share(self) -> float:
        """The share of the key's words that were kept where they are."""
        return self.kept / self.words if self.words else 1.0

    @property
    def of_text(self) -> str:
        """Say how the text differs."""
        return (
            f"{percentage(self.share)} of {number_of(self.words, 'word')} kept, {self.changed} "
            f"changed, {f'{self.moved} moved, ' * bool(self.moved)}{self.dropped} "
            f"dropped, {self.added} added"
        )

    @property
    def is_another_text(self) -> bool:
        """Whether less than half of the text was found."""
        return self.kept + self.moved < KEPT_THRESHOLD * self.words

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost or changed."""
        whole = not (self.lost or self.lost_windows or self.taken_ids)
        return whole and self.kept == self.words and not self.added

    def to_dict(self) -> dict[str, Any]:
        """Make a plain value for JSON."""
        return {
            "document": self.document,
            "notation": self.notation,
            "words": {name: getattr(self, name) for name in WORD_COUNTS} if self.has_text else None,
            "mentions": self.mentions,
            "lost": [{"where": lost.where, "reason": lost.reason, "text": lost.shown} for lost in self.lost],
            **(self._windows_dict() if self.windows else {}),
        }

    def _windows_dict(self) -> dict[str, Any]:
        lost = [
            {"where": each.where, "window": each.window, "reason": each.reason} for each in self.lost_windows
        ]
        return {"windows": self.windows, "lost_windows": lost, "taken_ids": self.taken_ids}


def alignment_data(losses: Sequence[TextLoss]) -> dict[str, Any]:
    """Make a plain value of all documents' losses, and their sums; nothing if there was nothing to align."""
    if not losses:
        return {}
    reasons = Counter(mention.reason for loss in losses for mention in loss.lost)
    with_text = [loss for loss in losses if loss.has_text]
    return {
        "words": _together(with_text).to_dict()["words"] if with_text else None,
        "mentions": sum(loss.mentions for loss in losses),
        "lost": dict(reasons),
        **_window_data(losses),
        "documents": [loss.to_dict() for loss in losses],
    }


def _window_data(losses: Sequence[TextLoss]) -> dict[str, Any]:
    """Sum up windows, if documents were asked about in windows."""
    if not (windows := sum(loss.windows for loss in losses)):
        return {}
    return {
        "windows": windows,
        "lost_windows": dict(window_reasons(losses)),
        "taken_ids": sum(loss.taken_ids for loss in losses),
    }


def window_reasons(losses: Sequence[TextLoss]) -> Counter[str]:
    """Count the windows that were lost, by reason."""
    return Counter(window.reason for loss in losses for window in loss.lost_windows)


def joined_losses(document: str, losses: Sequence[TextLoss]) -> TextLoss:
    """Add up the windows of a document; words that two windows have count twice."""
    sums = _together(losses)
    return replace(
        sums,
        document=document,
        where=losses[0].where,
        notation=next((loss.notation for loss in losses if loss.notation), ""),
        lost=[mention for loss in losses for mention in loss.lost],
        has_text=any(loss.has_text for loss in losses),
        lost_windows=[window for loss in losses for window in loss.lost_windows],
    )


def loss_notices(system: str, losses: Sequence[TextLoss]) -> Iterator[str]:
    """Tell people what was lost: first in all, then the first mentions, then documents of another text."""
    if not losses:
        return
    yield total_loss(system, losses)
    if gone := [window for loss in losses for window in loss.lost_windows]:
        more = f"; and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
        yield f"windows: {'; '.join(map(str, gone[:SHOWN]))}{more}"
    lost = [mention for loss in losses for mention in loss.lost]
    if lost:
        more = f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
        yield f"lost: {'; '.join(map(str, lost[:SHOWN]))}{more}"
    for loss in losses:
        if loss.is_another_text:
            share = percentage(loss.share)
            yield f"{loss.where}: ONLY {share} OF DOCUMENT {loss.document} WAS FOUND: is it about this text?"


def total_loss(system: str, losses: Sequence[TextLoss]) -> str:
    """Say in a line how much of all texts was kept, and how many mentions were lost."""
    notations = dict.fromkeys(NOTATIONS[loss.notation].label for loss in losses if loss.notation)
    count = number_of(len(losses), "document")
    said = f"{system}: {' and '.join(notations) or 'text'} of {count} aligned to the key's words: "
    if with_text := [loss for loss in losses if loss.has_text]:
        said += f"{_together(with_text).of_text}; "
    reasons = Counter(mention.reason for loss in losses for mention in loss.lost)
    why = ", ".join(f"{times} {reason}" for reason, times in reasons.most_common())
    said += f"{reasons.total()} of {number_of(sum(loss.mentions for loss in losses), 'mention')} lost"
    return said + (f" ({why})" if why else "") + _lost_windows(losses)


def _lost_windows(losses: Sequence[TextLoss]) -> str:
    """Say how many windows were lost, if documents were asked about in windows."""
    windows, taken = sum(loss.windows for loss in losses), sum(loss.taken_ids for loss in losses)
    reasons = window_reasons(losses)
    why = ", ".join(f"{times} {reason}" for reason, times in reasons.most_common())
    said = f"; {reasons.total()} of {number_of(windows, 'window')} lost ({why})" if reasons else ""
    return said + (f"; {number_of(taken, 'new entity')} with an id that was taken" if taken else "")


def _together(losses: Sequence[TextLoss]) -> TextLoss:
    """Add up documents."""
    sums = {
        name: sum(getattr(loss, name) for loss in losses) for name in (*WORD_COUNTS, "mentions", "windows")
    }
    return TextLoss("", "", "", **sums)


def percentage(share: float) -> str:
    """Show a share; all only if it is all.

    >>> percentage(0.9999), percentage(1.0), percentage(0.5)
    ('99.9 %', '100 %', '50.0 %')
    """
    return "100 %" if share == 1 else f"{min(99.9, 100 * share):.1f} %"
