"""No silent zero: says when a score is 0 because there was nothing to score."""

from __future__ import annotations


def nothing_in_common(
    key: str, response: str, *, key_mentions: int, response_mentions: int, common: int
) -> list[str]:
    """Warn if a side has no mention, or no mention of one is in the other, given names and counts.

    >>> nothing_in_common("key.conll", "out.conll", key_mentions=9, response_mentions=0, common=0)
    ['out.conll: THE RESPONSE HAS NO MENTION, so that it scores 0']
    """
    empty = [
        f"{name}: THE {role} HAS NO MENTION, so that {what} scores 0"
        for name, role, count, what in (
            (key, "KEY", key_mentions, "every response"),
            (response, "RESPONSE", response_mentions, "it"),
        )
        if not count
    ]
    if empty or common:
        return empty
    return [
        f"{response}: NO MENTION IS IN COMMON WITH {key}, of {response_mentions} in the response and "
        f"{key_mentions} in the key: it scores 0; see whether both count tokens alike"
    ]
