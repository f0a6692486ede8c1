"""Quoted speech: who speaks, and whom I, we and you mean."""

from __future__ import annotations

from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Markable

PERSONS = ("first_pronouns", "we_pronouns", "you_pronouns")


def match_speech(discourse: Discourse) -> None:
    """Link the pronouns of one person that one speaker says."""
    for name in PERSONS:
        last: Markable | None = None
        for markable in discourse.markables:
            if markable.is_pronoun and markable.head_word in discourse.lexicon[name]:
                if last is not None:
                    discourse.link(markable, last, "same person", f"{markable.head_word}, {last.head_word}")
                last = markable
