"""Spanning trees: which antecedent stands for the missing link of an anaphor (Martschat & Strube 2014, §3).

A tree is a function of an entity, its mentions in order, and gives for each but the first the index of an
earlier mention. Only the first mention of each part asks for its antecedent: those after it have one.
Any such function can be passed in; these two are the paper's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.exceptions import RefereeError
from referee.language.mention_types import DEMONSTRATIVE, NAME, NOUN, PRONOUN, Described

Tree = Callable[[Sequence[Described]], Sequence[int]]


def distance(entity: Sequence[Described]) -> list[int]:
    """Choose the closest mention before."""
    return list(range(len(entity) - 1))


def accessibility(entity: Sequence[Described]) -> list[int]:
    """Choose the closest mention for pronouns; for all else the closest name, else noun, else mention."""
    antecedents = []
    name = noun = -1
    for index, mention in enumerate(entity):
        if index:
            described = name if name >= 0 else noun if noun >= 0 else index - 1
            antecedents.append(index - 1 if mention.type in (PRONOUN, DEMONSTRATIVE) else described)
        if mention.type == NAME:
            name = index
        elif mention.type == NOUN:
            noun = index
    return antecedents


TREES: dict[str, Tree] = {"accessibility": accessibility, "distance": distance}


def named_tree(tree: Tree | str) -> tuple[Tree, str]:
    """Find a tree by its name, or name one that is given."""
    if not isinstance(tree, str):
        return tree, _name(tree)
    if tree not in TREES:
        raise RefereeError(f"no tree '{tree}'; choose from {', '.join(TREES)}, or pass a function")
    return TREES[tree], tree


def antecedents(tree: Tree, entity: Sequence[Described]) -> Sequence[int]:
    """Ask a tree, and see that it answers with earlier mentions. Two mentions have one tree only."""
    if len(entity) == 2:
        return (0,)
    try:
        chosen = tree(entity)
    except Exception as error:
        raise RefereeError(
            f"the tree '{_name(tree)}' of an entity of {len(entity)} mentions ('{entity[0].text}', … in "
            f"document {entity[0].document_id}): {type(error).__name__}: {error}"
        ) from error
    if len(chosen) != len(entity) - 1:
        raise RefereeError(
            f"the tree '{_name(tree)}' gave {len(chosen)} antecedents for an entity of {len(entity)} "
            "mentions; it must give one for each mention but the first"
        )
    for index, antecedent in enumerate(chosen, start=1):
        if antecedent < 0 or antecedent >= index:
            raise RefereeError(
                f"the tree '{_name(tree)}' gave mention {index} the antecedent {antecedent}; "
                f"it must be one of 0 … {index - 1}"
            )
    return chosen


def _name(tree: Tree) -> str:
    return getattr(tree, "__name__", "given")
