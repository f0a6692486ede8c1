"""A person's hour of work: ten errors of five kinds are corrected as the key has it, by mouse and by keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import referee
from bench_page import Hands
from referee.corrections.state import State
from referee.model import Document, Span

KINDS = ("wrong link", "missing mention", "two that are one", "one that is two", "superfluous mention")


@dataclass(frozen=True)
class Differences:
    """What is wrong in an annotation, by its key."""

    state: State
    key: Document

    @cached_property
    def right(self) -> dict[tuple[Span, ...], str]:
        """The key's entity of some words."""
        return {mention.spans: cluster.id for cluster in self.key.clusters for mention in cluster.mentions}

    @cached_property
    def members(self) -> dict[str, list[str]]:
        """The mentions of each entity, in the order of the text."""
        return {id_: self.state.members_of(id_) for id_ in self.state.entities}

    def meant(self, mention: str) -> str | None:
        """The key's entity of a mention."""
        return self.right.get(self.state.mentions[mention].mention.spans)

    @cached_property
    def homes(self) -> dict[str, str]:
        """The key's entity that most mentions of each entity are of."""
        counted = {id_: Counter(map(self.meant, some)) for id_, some in self.members.items()}
        best = {id_: count.most_common(1)[0] for id_, count in counted.items()}
        return {id_: key for id_, (key, _) in best.items() if key is not None}

    def home_of(self, key: str | None) -> str | None:
        """The entity whose mentions are mostly of an entity of the key."""
        return next((id_ for id_, of in self.homes.items() if of == key), None)

    def wrong_links(self) -> Iterator[tuple[str, str]]:
        """Mentions in the wrong entity, and the right one."""
        for mention, placed in self.state.mentions.items():
            home = self.home_of(self.meant(mention))
            if home and self.homes.get(placed.entity) != self.meant(mention):
                yield mention, home

    def missing(self) -> Iterator[tuple[Span, str | None]]:
        """Words of a mention that is not there, and the entity that it belongs to."""
        there = {placed.mention.spans for placed in self.state.mentions.values()}
        for spans, key in sorted(self.right.items()):
            if spans not in there and len(spans) == 1 and spans[0][1] <= self.key.text.length:
                yield spans[0], self.home_of(key)

    def halves(self) -> Iterator[tuple[str, str]]:
        """Two entities that are one."""
        yield from (
            (one, two) for one, two in combinations(self.homes, 2) if self.homes[one] == self.homes[two]
        )

    def mixed(self) -> Iterator[tuple[str, list[str]]]:
        """An entity, and those of its mentions that are of another one."""
        for id_, home in self.homes.items():
            others = Counter(self.meant(each) for each in self.members[id_])
            for key, _ in others.most_common()[1:]:
                if key is not None and key != home:
                    yield id_, [each for each in self.members[id_] if self.meant(each) == key]

    def superfluous(self) -> Iterator[str]:
        """Mentions that the key does not have."""
        yield from (id_ for id_ in self.state.mentions if self.meant(id_) is None)


def by_mouse(hands: Hands, what: str, found: Callable[[], Differences]) -> None:
    """Correct one error of a kind with the mouse."""
    page = hands.page
    if what == "wrong link":
        mention, home = next(found().wrong_links())
        hands.choose(mention)
        hands.click(hands.pill(found().members[home][0]), held="Shift")
    elif what == "missing mention":
        span, entity = next(found().missing())
        hands.drag(span)
        page.click("#offer button:nth-of-type(2)" if entity else "#offer button")
        if entity:
            hands.pick_entity(entity)
            page.click("#picker-0")
        hands.saved()
    elif what == "two that are one":
        one, two = next(found().halves())
        hands.choose(found().members[two][0])
        hands.command("merge")
        hands.pick_entity(one)
        hands.click("#picker-0")
    elif what == "one that is two":
        _, some = next(found().mixed())
        hands.choose(some[0])
        for mention in some:
            page.click("#member-rows li:has([aria-pressed=true]) input")
            if mention != some[-1]:
                hands.choose(some[some.index(mention) + 1])
        hands.command("split")
    else:
        hands.choose(next(found().superfluous()))
        hands.command("delete")


def by_keys(hands: Hands, what: str, found: Callable[[], Differences]) -> None:
    """Correct one error of a kind with the keys."""
    if what == "wrong link":
        mention, home = next(found().wrong_links())
        hands.go_to(mention)
        hands.page.press("m")
        hands.pick_entity(home)
        hands.press("Enter")
    elif what == "missing mention":
        span, entity = next(found().missing())
        hands.pick_by_keys(span)
        if entity:
            hands.page.press("e")
            hands.pick_entity(entity)
        hands.press("Enter")
    elif what == "two that are one":
        one, two = next(found().halves())
        hands.go_to(found().members[two][0])
        hands.page.press("g")
        hands.pick_entity(one)
        hands.press("Enter")
    elif what == "one that is two":
        _, some = next(found().mixed())
        for mention in some:
            hands.go_to(mention)
            hands.page.press("b")
        hands.press("v")
    else:
        hands.go_to(next(found().superfluous()))
        hands.press("Delete")


def replay(hands: Hands, key: Document, folder: Path, form: str) -> None:
    """Correct ten errors, name an entity, undo three steps, load the page again, and export."""

    def found() -> Differences:
        return Differences(hands.document.state, key)

    shown = [float(hands.shown_score())]
    for what in KINDS:
        for correct in (by_mouse, by_keys):
            before = hands.document.history.revision
            correct(hands, what, found)
            assert hands.document.history.revision > before, (what, correct)
            shown.append(float(hands.shown_score()))
    assert shown[-1] > shown[0]
    name_entity(hands)
    revision = hands.document.history.revision
    hands.press("u", "Control+z")
    hands.click("#undo")
    assert hands.document.history.revision == revision + 3
    assert not hands.document.state.entities[hands.known("bench.entity")].singleton
    annotation, score = hands.annotation(), hands.shown_score()
    hands.open()
    assert hands.annotation() == annotation
    assert hands.shown_score() == score
    exported = hands.export(form, folder / "one")
    result = referee.score([key], exported)
    assert f"{100 * result.conll:.2f}" == score
    document = hands.known("bench.doc.score.metrics")
    assert document == {name: 100 * each.f1 for name, each in result.scores.items()} | {
        "conll": 100 * result.conll
    }
    again = referee.read(exported)[key.id]
    assert {frozenset(cluster.mentions) for cluster in again.clusters} == {
        frozenset(cluster.mentions) for cluster in hands.document.document().clusters
    }


def name_entity(hands: Hands) -> None:
    """Name an entity and give it a type, and say of another one that it is a singleton."""
    state = hands.document.state
    entity = next(id_ for id_ in state.entities if len(state.members_of(id_)) > 1)
    hands.choose(state.members_of(entity)[0])
    for command, written in (("rename", "Somebody"), ("type", "person")):
        hands.page.click(f"#card [data-command={command}]")
        hands.write(written)
        hands.press("Enter")
    hands.press("x")  # the mention becomes an entity by itself
    hands.press("s")
    made = hands.document.state.entities[hands.known("bench.entity")]
    assert (made.type, made.singleton) == ("person", True)
    assert (hands.document.state.entities[entity].name) == "Somebody"
