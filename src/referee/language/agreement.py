"""How English verbs agree with their subjects: the form for one, where the form for several is written.

What may be a present or a past form, as in "they put", is not decided: then there is no form.
"""

from __future__ import annotations

_ONE = {
    "are": "is", "were": "was", "have": "has", "do": "does", "aren't": "isn't", "weren't": "wasn't",
    "haven't": "hasn't", "don't": "doesn't", "'re": "is", "’re": "is", "'ve": "has", "’ve": "has",
    "go": "goes", "undergo": "undergoes",
}  # fmt: skip
AUXILIARIES = frozenset(("are", "were", "have", "do"))  # that also stand before their subject
_MODALS = "can could may might must shall should will would ought need dare 'll ’ll 'd ’d ca wo"
# Past forms that are not made with -ed, and are no present forms.
_PAST = """
    had did went came saw said told made took gave got knew thought found left felt kept began brought bought
    caught taught sought fought held stood sat ran won lost met paid sent spent built wrote drove rode rose
    spoke broke chose froze stole woke wore tore swore bore drew flew grew threw blew knew ate fell forgot
    forgave hid bit shook slept swept wept dreamt meant dealt heard sold led fed bled fled sped shot lit slid
    dug hung stuck struck swung sang sank sprang stank drank rang swam spun clung stung wound ground bound
    understood became overcame withdrew undertook overtook mistook arose awoke sprung lay laid lent bent swung
    forbade sewn shone shook strove threw trod wove upheld withheld withstood misled fled foresaw foretold
"""
_SAME = """
    put cut hit hurt let set shut cost burst cast bet quit rid spread split read beat bid shed thrust upset
    broadcast forecast fit wed wet
"""
UNCHANGED = frozenset(f"{_MODALS} {_PAST}".split())
UNDECIDED = frozenset(_SAME.split())
_ADVERBS = """
    also always never often still just now then ever even soon already sometimes usually only not almost
    once again probably perhaps simply later
"""
ADVERBS = frozenset(_ADVERBS.split())
SIBILANTS = ("s", "sh", "ch", "x", "z", "o")


def singular_verb(verb: str) -> str | None:
    """Give the form of a verb behind one subject, where the one behind several is written.

    >>> [singular_verb(each) for each in ("are", "carry", "watch", "walked", "must", "put")]
    ['is', 'carries', 'watches', 'walked', 'must', None]
    """
    lower = verb.lower()
    if lower in _ONE:
        return _ONE[lower]
    if lower in UNDECIDED or not lower.isascii():
        return None
    if lower in UNCHANGED or (lower.endswith("ed") and not lower.endswith("eed")):
        return verb
    if not lower.isalpha() or lower.endswith(("ing", "ly")) or (lower[-1] == "s" and lower[-2:] != "ss"):
        return None
    if lower[-1] == "y" and lower[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return verb + ("es" if lower.endswith(SIBILANTS) else "s")


def is_past_or_modal(verb: str) -> bool:
    """Whether a verb has one form for all subjects.

    >>> is_past_or_modal("walked"), is_past_or_modal("went"), is_past_or_modal("walk")
    (True, True, False)
    """
    return singular_verb(verb) == verb
