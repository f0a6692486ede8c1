"""Reads JSON as language models write it, and names each kind of repair.

Strict JSON is read as it is. Everything else is rewritten sign by sign:

* comments (`//`, `#`, `/* … */`) and dots that stand for more (`…`, `...`) are left out;
* strings in single quotes, names without quotes, and quotes within a string that are not escaped;
* `None`, `True`, `False` and round brackets, as Python writes them;
* commas before an end, and commas that are missing between two values;
* an object that has a name twice: lists are joined, otherwise the last value counts, as in JSON.

A value that breaks off is read up to its last whole item.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

ENDS = r"(?=[ \t\r]{0,99}(?:[,:\]})\n#…]|//|/\*|\.\.\.|\Z))"  # what comes after a string
TOKEN = re.compile(
    rf'(?P<double>"(?:[^"\\]|\\.|"(?!{ENDS}))*+"?)'
    rf"|(?P<single>'(?:[^'\\]|\\.|'(?!{ENDS}))*+'?)"
    r"|(?P<comment>//[^\n]*|#[^\n]*|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?)"
    r"|(?P<more>\.{3,}|…)"
    r"|(?P<name>[A-Za-z_$][\w$-]*(?=\s{0,99}:))"
    r"|(?P<word>(?:null|true|false|None|True|False|NaN)\b)"
    r"|(?P<number>-?\d[\w.+-]*)"
    r"|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<comma>,)|(?P<colon>:)|(?P<blank>\s+)|(?P<other>.)",
    re.DOTALL,
)
ESCAPE = re.compile(r"\\.", re.DOTALL)
QUOTE = re.compile(r'\\.|"', re.DOTALL)
CLOSING = {"[": "]", "{": "}", "(": ")"}
WRITTEN = {"(": "[", ")": "]"}
WORDS = {"None": "null", "True": "true", "False": "false"}
VALUES = frozenset({"double", "single", "name", "word", "number", "close"})  # after which a comma comes
(COMMENTS, SINGLE, NAMES, INNER, PYTHON, COMMAS, NO_COMMAS, TWICE, MORE) = (
    "comments", "single quotes", "names without quotes", "quotes within strings", "words of Python",
    "commas before an end", "missing commas", "names that occur twice", "dots for more",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LooseValue:
    """A value, where it ends, what was repaired, and what was left out where it breaks off."""

    value: Any
    end: int
    repairs: tuple[str, ...] = ()
    rest: str | None = None


def decode(raw: str, position: int) -> LooseValue | None:
    """Read the value that begins at a character; None if it cannot be read.

    >>> decode("{'clusters': [['Ann', 'her',]]} // done", 0)
    LooseValue(value={'clusters': [['Ann', 'her']]}, end=31, repairs=('single quotes', 'commas before an end'), rest=None)
    >>> decode('[["Ann", "her"], ["Bo', 0).value
    [['Ann', 'her']]
    """  # noqa: E501 (a value on one line)
    twice: list[str] = []
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: _object(pairs, twice), strict=False)
    try:
        value, end = decoder.raw_decode(raw, position)
        return LooseValue(value, end, tuple(twice[:1]))
    except (ValueError, RecursionError):
        pass
    rewriting = _Rewriting()
    twice.clear()
    try:
        end = rewriting.run(raw, position)
        value = decoder.decode(rewriting.text)
    except (ValueError, RecursionError):
        return None
    rest = raw[rewriting.whole_end :] if rewriting.opened else None
    return LooseValue(value, end, (*rewriting.repairs, *twice[:1]), rest)


def _object(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    """Make an object; lists under the same name are joined."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            twice.append(TWICE)
            value = (
                [*made[name], *value] if isinstance(made[name], list) and isinstance(value, list) else value
            )
        made[name] = value
    return made


@dataclass(slots=True)
class _Rewriting:
    """What has been rewritten of a value."""

    pieces: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)  # what is open, as the sign that closes it
    repairs: dict[str, None] = field(default_factory=dict)  # in order
    before: str = ""  # the kind of the last sign
    whole: int = 0  # how many pieces are whole
    whole_depth: int = 0  # how many of `opened` are open after them
    whole_end: int = 0  # the character after them

    @property
    def text(self) -> str:
        """The value as JSON."""
        closing = [WRITTEN.get(sign, sign) for sign in reversed(self.opened[: self.whole_depth])]
        return "".join([*self.pieces[: self.whole], *closing])

    def run(self, raw: str, position: int) -> int:
        """Rewrite a value, and say where it ends."""
        for match in TOKEN.finditer(raw, position):
            kind = match.lastgroup or ""
            if kind == "other":
                break
            if kind in ("comment", "more"):
                self.repairs[COMMENTS if kind == "comment" else MORE] = None
            elif kind != "blank":
                self._take(kind, match)
                if not self.opened:
                    return match.end()
        return len(raw)

    def _take(self, kind: str, match: re.Match[str]) -> None:
        if self.before in VALUES and kind not in ("comma", "colon", "close"):
            self.repairs[NO_COMMAS] = None
            self._comma(match.start())
        if kind == "open":
            self.opened.append(CLOSING[match[0]])
            self._add(match[0])
        elif kind == "close":
            self._close(match)
        elif kind == "comma":
            self._comma(match.start())
        else:
            self.pieces.append(self._plain(kind, match))
        self.before = kind

    def _add(self, sign: str) -> None:
        if sign in WRITTEN:
            self.repairs[PYTHON] = None
        self.pieces.append(WRITTEN.get(sign, sign))

    def _comma(self, position: int) -> None:
        if self.opened and self.opened[-1] != "}":
            self._mark_whole(position)
        self.pieces.append(",")

    def _close(self, match: re.Match[str]) -> None:
        if not self.opened or self.opened.pop() != match[0]:
            raise ValueError("an end of something else")
        if self.before == "comma":
            self.pieces.pop()
            if match[0] != ")":  # (x,) is how Python writes a single one
                self.repairs[COMMAS] = None
        self._add(match[0])
        self._mark_whole(match.end())

    def _mark_whole(self, position: int) -> None:
        self.whole, self.whole_depth, self.whole_end = len(self.pieces), len(self.opened), position

    def _plain(self, kind: str, match: re.Match[str]) -> str:
        sign = match[0]
        if kind in ("double", "single"):
            return self._string(sign)
        if kind == "name":
            self.repairs[NAMES] = None
            return json.dumps(sign)
        if sign in WORDS:
            self.repairs[PYTHON] = None
        return WORDS.get(sign, sign)

    def _string(self, sign: str) -> str:
        quote = sign[0]
        inside = sign[1:-1] if len(sign) > 1 and sign.endswith(quote) else sign[1:]
        if quote == "'":
            self.repairs[SINGLE] = None
        if quote in ESCAPE.sub("", inside):
            self.repairs[INNER] = None
        return f'"{QUOTE.sub(_escaped, inside)}"'


def _escaped(match: re.Match[str]) -> str:
    r"""Escape a quote as JSON does, which has no \' of its own."""
    return {'"': '\\"', "\\'": "'"}.get(match[0], match[0])
