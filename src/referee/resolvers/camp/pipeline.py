"""CAMP's components in the paper's order; each can run alone, be the last, or be left out.

One of them is here: growing large classes, which the paper suggests. Medium entities are merged by what
is known of them as wholes, because B³ rewards what relates large classes, and mentions resolved from left to
right do not do that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from referee.exceptions import SettingError, did_you_mean
from referee.model import Text
from referee.resolvers.camp.common_nouns import match_nouns
from referee.resolvers.camp.detection import find_spans, mend_names, mend_tags
from referee.resolvers.camp.discourse import Boldness, Discourse, Entity
from referee.resolvers.camp.genre_specific import match_genre
from referee.resolvers.camp.highly_syntactic import match_syntax
from referee.resolvers.camp.lexicon import Guidelines, Lexicon
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import Parse
from referee.resolvers.camp.pronouns import resolve_pronouns
from referee.resolvers.camp.proper_nouns import match_names, resolve_names, spelling
from referee.resolvers.camp.properties import make_markables
from referee.resolvers.camp.quoted_speech import match_speech
from referee.resolvers.camp.whole_text import settle_people
from referee.resolvers.people.layout import layout_of
from referee.resolvers.people.speakers import find_turns, quoted_words


def grow_classes(discourse: Discourse) -> None:
    """Look at possessives once more, and merge entities of one name, the largest first."""
    match_nouns(discourse)
    named: dict[tuple[str, ...], dict[Entity, Markable]] = defaultdict(dict)
    for markable in discourse.markables:
        if markable.kind is Kind.NAME and not markable.coordinated and markable.label:
            named[spelling(markable)].setdefault(discourse.entity_of[markable], markable)
    for holders in named.values():
        sizable = [
            entity for entity in holders if len(entity.markables) >= discourse.lexicon.limits["medium entity"]
        ]
        for entity in sizable:
            largest = max(sizable, key=lambda other: len(other.markables))
            if entity is not largest and discourse.compatible(holders[entity], holders[largest]):
                discourse.link(holders[entity], holders[largest], "entities of one name", "both are medium")


COMPONENTS: dict[str, Callable[[Discourse], None]] = {
    "genre": match_genre,
    "names": match_names,
    "syntax": match_syntax,
    "quotes": match_speech,
    "proper": resolve_names,
    "nouns": match_nouns,
    "pronouns": resolve_pronouns,
    "growing": grow_classes,
    "people": settle_people,
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
            raise SettingError(f"there is no component '{name}'; there are {', '.join(COMPONENTS)}{hint}")
    names = list(COMPONENTS)
    names = names[: names.index(until) + 1] if until else names
    return tuple(name for name in names if name not in skip and (not only or name in only))


def discourse_of(text: Text, lexicon: Lexicon, guidelines: Guidelines, boldness: Boldness) -> Discourse:
    """Find the markables of a parsed text."""
    parse = Parse(text)
    mend_tags(parse)
    mend_names(parse, lexicon)
    spans = find_spans(parse, lexicon, guidelines)
    layout = layout_of(text)
    quoted = quoted_words(layout, find_turns(layout))
    markables = make_markables(parse, spans, lexicon, guidelines)
    return Discourse(parse, markables, lexicon, guidelines, layout, quoted, boldness)


def run_components(discourse: Discourse, names: Sequence[str]) -> None:
    """Let components work on a text, one after the other."""
    for name in names:
        discourse.component = name
        COMPONENTS[name](discourse)
