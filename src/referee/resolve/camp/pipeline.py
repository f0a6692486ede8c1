"""CAMP's components in the paper's order; each can run alone, be the last, or be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.exceptions import ProtocolError, did_you_mean
from referee.model import Text
from referee.resolve.camp.common_nouns import match_nouns
from referee.resolve.camp.describing_markables import make_markables
from referee.resolve.camp.detection import find_spans
from referee.resolve.camp.discourse import Boldness, Discourse
from referee.resolve.camp.genre_specific import match_genre
from referee.resolve.camp.highly_syntactic import match_syntax
from referee.resolve.camp.la_hack import match_names
from referee.resolve.camp.large_classes import grow_classes
from referee.resolve.camp.lexicon import Guidelines, Lexicon
from referee.resolve.camp.name_mending import mend_names, mend_tags
from referee.resolve.camp.parse_view import Parse
from referee.resolve.camp.pronouns import resolve_pronouns
from referee.resolve.camp.proper_nouns import resolve_names
from referee.resolve.camp.quoted_speech import match_speech
from referee.resolve.camp.quotes import find_quotes, quoted_words

COMPONENTS: dict[str, Callable[[Discourse], None]] = {
    "genre": match_genre,
    "names": match_names,
    "syntax": match_syntax,
    "quotes": match_speech,
    "proper": resolve_names,
    "nouns": match_nouns,
    "pronouns": resolve_pronouns,
    "growing": grow_classes,
}


def chosen_components(
    only: Sequence[str] = (), until: str | None = None, skip: Sequence[str] = ()
) -> tuple[str, ...]:
    """List the components to run: some alone, all up to one, or all but some.

    >>> chosen_components(until="quotes", skip=["genre", "names"])
    ('syntax', 'quotes')
    """
    for name in (*only, *skip, *([until] if until else [])):
        if name not in COMPONENTS:
            hint = did_you_mean(name, COMPONENTS)
            raise ProtocolError(f"there is no component '{name}'; there are {', '.join(COMPONENTS)}{hint}")
    names = list(COMPONENTS)
    names = names[: names.index(until) + 1] if until else names
    return tuple(name for name in names if name not in skip and (not only or name in only))


def discourse_of(text: Text, lexicon: Lexicon, guidelines: Guidelines, boldness: Boldness) -> Discourse:
    """Find the markables of a parsed text."""
    parse = Parse(text)
    mend_tags(parse)
    mend_names(parse, lexicon)
    spans = find_spans(parse, lexicon, guidelines)
    quoted = quoted_words(parse, find_quotes(parse))
    return Discourse(
        parse, make_markables(parse, spans, lexicon, guidelines), lexicon, guidelines, quoted, boldness
    )


def run_components(discourse: Discourse, names: Sequence[str]) -> None:
    """Let components work on a text, one after the other."""
    for name in names:
        discourse.component = name
        COMPONENTS[name](discourse)
