"""Edits of an annotation, as pure functions: a state and what is asked for give a change.

An edit that cannot be done, or that would change nothing, is refused in words. No edit leaves an entity
without mentions, or marks the same words twice: a mention of words that are one already is refused, with
the entity that they belong to. What was read may have such repeats; they stay until somebody removes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from referee.corrections.state import Change, Entity, Placed, State, same
from referee.corrections.suggestions import Suggestion
from referee.exceptions import RefereeError, did_you_mean
from referee.model import Mention, Span, joined_spans

LONGEST_NAME = 1000  # characters of the name or the type of an entity
Fields = Mapping[str, Any]


class EditError(RefereeError):
    """An edit that cannot be done on the annotation as it is."""


@dataclass
class Draft:
    """A state while it is edited: what becomes of each id that the edit touches."""

    state: State
    length: int  # words of the text, those that are not written included
    fresh: Iterator[str]  # numbers for what is new
    mentions: dict[str, Placed | None] = field(default_factory=dict)
    entities: dict[str, Entity | None] = field(default_factory=dict)
    refused: dict[str, bool | None] = field(default_factory=dict)

    def entity(self, id_: object) -> Entity:
        """Take an entity, or say that it is not there."""
        found = self.state.entities.get(id_) if isinstance(id_, str) else None
        if found is None:
            raise EditError(f"there is no entity {id_!r} any more; load the document again")
        return found

    def mention(self, id_: object) -> Placed:
        """Take a mention, or say that it is not there."""
        found = self.state.mentions.get(id_) if isinstance(id_, str) else None
        if found is None:
            raise EditError(f"there is no mention {id_!r} any more; load the document again")
        return found

    def new_entity(self, entity: Entity) -> str:
        """Add an entity."""
        id_ = f"e+{next(self.fresh)}"
        self.entities[id_] = entity
        return id_

    def new_mention(self, entity: str, spans: Sequence[Span]) -> str:
        """Add a mention that a person made."""
        id_ = f"m+{next(self.fresh)}"
        self.mentions[id_] = Placed(entity, Mention(tuple(spans)), confirmed=True)
        return id_

    def place(self, id_: str, entity: str, *, decided: bool = True) -> None:
        """Put a mention into an entity; a person `decided` on its link, so no system's confidence holds."""
        placed = self.mention(id_)
        mention = replace(placed.mention, link_score=None) if decided else placed.mention
        self.mentions[id_] = Placed(entity, mention, decided or placed.confirmed)

    def change(self) -> Change:
        """Say what changed; entities that lost their last mention vanish with it."""
        gone = {old.entity for id_ in self.mentions if (old := self.state.mentions.get(id_))}
        joined = {new.entity for new in self.mentions.values() if new}
        left = gone - joined
        left -= {each.entity for id_, each in self.state.mentions.items() if id_ not in self.mentions}
        self.entities |= dict.fromkeys(left)
        made = Change(
            _versions(self.state.mentions, self.mentions),
            _versions(self.state.entities, self.entities),
            _versions(self.state.refused, self.refused),
        )
        if not made:
            raise EditError("nothing would change: it is so already")
        return made


def _versions(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    pairs = {id_: (before.get(id_), value) for id_, value in after.items()}
    return {id_: pair for id_, pair in pairs.items() if not same(*pair)}


def edited(
    state: State, edit: Fields, *, length: int, number: int, suggestion: Suggestion | None = None
) -> Change:
    """Make the change of an edit; `number` is that of the edit, after which new ids are called.

    `suggestion` is the one that an edit takes or refuses.
    """
    op = edit.get("op")
    if not isinstance(op, str) or op not in EDITS:
        raise EditError(f"there is no edit {op!r}; there are {', '.join(EDITS)}{_meant(op)}")
    draft = Draft(state, length, (f"{number}.{at}" for at in count(1)))
    if op in SUGGESTED:
        if suggestion is None:
            raise EditError("this suggestion does not hold any more: the annotation has changed since")
        SUGGESTED[op](draft, suggestion)
    else:
        EDITS[op](draft, edit)
    return draft.change()


def _meant(op: object) -> str:
    return did_you_mean(op, EDITS) if isinstance(op, str) else ""


def _move(draft: Draft, edit: Fields) -> None:
    placed, target = draft.mention(edit.get("mention")), edit.get("entity")
    entity = draft.entity(target)
    if placed.entity == target:
        raise EditError("the mention is in this entity already")
    draft.place(edit["mention"], edit["entity"])
    _no_singleton(draft, edit["entity"], entity)


def _no_singleton(draft: Draft, id_: str, entity: Entity) -> None:
    """Take back that an entity is mentioned only once."""
    if entity.singleton:
        draft.entities[id_] = replace(entity, singleton=False)


def _detach(draft: Draft, edit: Fields) -> None:
    placed = draft.mention(edit.get("mention"))
    entity = draft.entity(placed.entity)
    if len(draft.state.members_of(placed.entity)) == 1:
        raise EditError("the mention is an entity of its own already")
    draft.place(edit["mention"], draft.new_entity(Entity(type=entity.type)))


def _add(draft: Draft, edit: Fields) -> None:
    spans, target = _spans(draft, edit), edit.get("entity")
    if target is None:
        target = draft.new_entity(Entity())
    else:
        _no_singleton(draft, target, draft.entity(target))
    draft.new_mention(target, spans)


def _spans(draft: Draft, edit: Fields) -> tuple[Span, ...]:
    """Read spans of words, sorted and joined, which must be in the text and no mention yet."""
    given = edit.get("spans")
    if not isinstance(given, list | tuple) or not given or not all(map(_is_span, given)):
        raise EditError('spans must be a list of [first word, one past the last], as "spans": [[3, 5]]')
    outside = [span for span in given if not 0 <= span[0] < span[1] <= draft.length]
    if outside:
        raise EditError(f"the words {list(outside[0])} are not in the text, which has {draft.length}")
    spans = joined_spans([(start, end) for start, end in given])
    if (taken := draft.state.at(spans)) is not None:
        entity = draft.state.mentions[taken].entity
        raise EditError(f"these words are a mention already ({taken}, of entity {entity}): move that one")
    return spans


def _is_span(given: object) -> bool:
    return (
        isinstance(given, list | tuple)
        and len(given) == 2
        and all(isinstance(edge, int) and not isinstance(edge, bool) for edge in given)
    )


def _delete(draft: Draft, edit: Fields) -> None:
    draft.mention(edit.get("mention"))
    draft.mentions[edit["mention"]] = None


def _respan(draft: Draft, edit: Fields) -> None:
    placed = draft.mention(edit.get("mention"))
    spans = _spans(draft, edit)
    words = {word for span in spans for word in range(*span)}
    old = placed.mention
    minimum = old.minimum if all({*range(*span)} <= words for span in old.minimum or ()) else None
    head = old.head if old.head in words else None
    made = replace(old, spans=spans, minimum=minimum, head=head, score=None)
    draft.mentions[edit["mention"]] = replace(placed, mention=made)


def _merge(draft: Draft, edit: Fields) -> None:
    merged, target = draft.entity(edit.get("entity")), draft.entity(edit.get("into"))
    if edit["entity"] == edit["into"]:
        raise EditError("an entity cannot be merged with itself")
    for number, id_ in enumerate(draft.state.members_of(edit["entity"])):
        draft.place(id_, edit["into"], decided=number == 0)  # the link of the first one joins both
    draft.entities[edit["into"]] = replace(
        target, name=target.name or merged.name, type=target.type or merged.type, singleton=False
    )


def _split(draft: Draft, edit: Fields) -> None:
    entity, chosen = draft.entity(edit.get("entity")), edit.get("mentions")
    if not isinstance(chosen, list | tuple) or not chosen:
        raise EditError('mentions must be a list of ids, as "mentions": ["m3"]')
    if any(draft.mention(id_).entity != edit["entity"] for id_ in chosen):
        raise EditError("all mentions that are split off must be of the entity")
    members = draft.state.members_of(edit["entity"])
    if len({*chosen}) == len(members):
        raise EditError("at least one mention must stay: these are all that the entity has")
    made = draft.new_entity(Entity(type=entity.type))
    some = [id_ for id_ in members if id_ in {*chosen}]
    for number, id_ in enumerate(some):
        draft.place(id_, made, decided=number == 0)


def _delete_entity(draft: Draft, edit: Fields) -> None:
    draft.entity(edit.get("entity"))
    draft.mentions |= dict.fromkeys(draft.state.members_of(edit["entity"]))


def _rename(draft: Draft, edit: Fields) -> None:
    name = _words(edit, "name")
    draft.entities[edit["entity"]] = replace(draft.entity(edit.get("entity")), name=" ".join(name.split()))


def _type(draft: Draft, edit: Fields) -> None:
    kind = None if edit.get("type") is None else _words(edit, "type").strip() or None
    draft.entities[edit["entity"]] = replace(draft.entity(edit.get("entity")), type=kind)


def _words(edit: Fields, name: str) -> str:
    given = edit.get(name)
    if not isinstance(given, str) or len(given) > LONGEST_NAME or not isinstance(edit.get("entity"), str):
        raise EditError(f"{name} must be a text of at most {LONGEST_NAME} characters, for an entity")
    return given


def _flag(edit: Fields) -> bool:
    if not isinstance(given := edit.get("value"), bool):
        raise EditError("value must be true or false")
    return given


def _singleton(draft: Draft, edit: Fields) -> None:
    entity = draft.entity(edit.get("entity"))
    if _flag(edit) and len(draft.state.members_of(edit["entity"])) > 1:
        raise EditError("this entity has several mentions; only one with a single mention can be a singleton")
    draft.entities[edit["entity"]] = replace(entity, singleton=_flag(edit))


def _confirm(draft: Draft, edit: Fields) -> None:
    placed = draft.mention(edit.get("mention"))
    draft.mentions[edit["mention"]] = replace(placed, confirmed=_flag(edit))


def _accept(draft: Draft, suggestion: Suggestion) -> None:
    """Do what a suggestion says: mark what is not a mention yet, and put both into one entity."""
    state = draft.state
    anaphor, antecedent = state.at(suggestion.spans), state.at(suggestion.antecedent)
    if antecedent is None:
        home = draft.new_entity(Entity(type=suggestion.type))
        draft.new_mention(home, suggestion.antecedent)
        for spans in suggestion.others:
            if state.at(spans) is None:
                draft.new_mention(home, spans)
    else:
        home = state.mentions[antecedent].entity
        _no_singleton(draft, home, state.entities[home])
    if anaphor is None:
        draft.new_mention(home, suggestion.spans)
    elif suggestion.merges and (other := state.mentions[anaphor].entity) != home:
        _merge(draft, {"entity": other, "into": home})
    else:
        draft.place(anaphor, home)


def _refuse(draft: Draft, suggestion: Suggestion) -> None:
    draft.refused[suggestion.id] = True


SUGGESTED: Mapping[str, Callable[[Draft, Suggestion], None]] = {"accept": _accept, "refuse": _refuse}
EDITS: Mapping[str, Callable[..., None]] = {
    "move": _move,
    "detach": _detach,
    "add": _add,
    "delete": _delete,
    "respan": _respan,
    "merge": _merge,
    "split": _split,
    "delete_entity": _delete_entity,
    "rename": _rename,
    "type": _type,
    "singleton": _singleton,
    "confirm": _confirm,
    **SUGGESTED,
}
