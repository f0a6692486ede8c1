"""Where the words of a running text are, by language.

English words are those of the Penn Treebank. In German, French, Hungarian, Dutch and Norwegian a hyphen joins
a word, as in their corpora: u-land, 1800-tallet, 14-én. French elisions and Dutch clitics are words. Japanese
and Thai have no blanks; segmenters cut them.
"""

from __future__ import annotations

import re
from functools import cache

from referee.language.cutting.rules import CuttingRules, rules_of
from referee.language.cutting.segmenters import SEGMENTERS
from referee.language.languages import ENGLISH
from referee.model import Span

ABBREVIATIONS = (
    "Mr Mrs Ms Dr St Jr Sr Prof Gen Col Sen Rep Gov Capt Lt Sgt Rev Hon Inc Ltd Co Corp vs etc Mt Messrs "
    "Mme Mlle Mdlle"
)
UNSEEN = "\\u00ad\\u200b\\u200e\\u200f\\u2060\\ufeff"  # signs without a shape: no words
_ACCENTS = "\\u0300-\\u036f"  # that are written as separate characters
_EMOJI = "[\\u2600-\\u27bf\\U0001f000-\\U0001faff]"
_JOINED = "[\\ufe0f\\U0001f3fb-\\U0001f3ff]"  # what changes the look of the emoji before it
_ADDRESSES = (
    r"(?:https?://|www\.)[^\s<>\"“”»«]*[^\s<>\"“”»«.,;:!?'’)\]}]"
    r"|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}"
)
_REST = (
    rf"\.\.\.|--|{_EMOJI}{_JOINED}*(?:\u200d{_EMOJI}{_JOINED}*)*"
    rf"|[^\s{UNSEEN}]"
)
# No part repeats another that can match the same signs, so that no text takes longer than its length.
_ENGLISH = re.compile(
    rf"{_ADDRESSES.replace('»«', '')}"
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|\d+(?:[.,:]\d+)*|(?:[A-Z]\.){2,}|[A-HJ-Z]\.(?=\s)|No\.(?=\s*\d)"
    rf"|(?:{ABBREVIATIONS.replace(' ', '|')})\."
    rf"|(?:[^\W_][{_ACCENTS}]*)+|{_REST}"
)
_LETTERS = rf"(?:[^\W_][{_ACCENTS}]*)+"
_SITES = "com org net no dk se de at ch fr be nl hu jp th eu uk info"  # ends of names of sites
_JOINS = "\\u2010\\u2011-"  # hyphens


def cut_words(text: str, language: str = ENGLISH) -> list[Span]:
    """Say where the words of a text are, in characters.

    >>> text = "Dr. Ames didn't call; 'Kim's dog' did."
    >>> [text[start:end] for start, end in cut_words(text)]
    ['Dr.', 'Ames', 'did', "n't", 'call', ';', "'", 'Kim', "'s", 'dog', "'", 'did', '.']
    >>> text = "L'aube, dit-elle, a 5 heures."
    >>> [text[start:end] for start, end in cut_words(text, "fr")]
    ["L'", 'aube', ',', 'dit', '-', 'elle', ',', 'a', '5', 'heures', '.']
    """
    if language in SEGMENTERS:
        return SEGMENTERS[language](text)
    return [found.span() for found in _pattern(language).finditer(text)]


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Make the expression that finds the words of a language."""
    rules = rules_of(language)
    if language == ENGLISH:
        return _ENGLISH
    parts = [
        _ADDRESSES,
        rf"[\w-]{{1,40}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_SITES.replace(' ', '|')})\b(?!\.\w)",
        r"[#@]\w+",
        *_with_dots(rules),
        rf"(?:{_any_case(rules.whole)})(?!\w)" if rules.whole else "",
        rf"(?:{_any_case(rules.elided)})['’](?=\w)" if rules.elided else "",
        rf"['’](?:{_any_case(rules.clipped)})(?:-{_LETTERS}|(?!\w))" if rules.clipped else "",
        *_behind_hyphens(rules),
        rf"\d+(?:[.,:]\d+)*%?(?:[{_JOINS}]\w+)*",
        _word(rules),
        _REST,
    ]
    return re.compile("|".join(part for part in parts if part))


def _with_dots(rules: CuttingRules) -> list[str]:
    """Match words whose dot is not the end of a sentence."""
    known = sorted(rules.abbreviations, key=len, reverse=True)
    numbers = r"\d{1,4}\.(?=\s+[^\W\d_A-ZÁÉÍÓÖŐÚÜŰÅÄÆØ])" if rules.ordinals else ""
    months = rf"\d{{1,4}}\.(?=\s+(?:{'|'.join(rules.months)})\b)" if rules.months else ""
    roman = r"[IVX]{1,6}\.(?=\s+[^\W\d_])" if rules.ordinals else ""
    return [
        rf"(?<![\w.])(?:{_any_case(known)})\." if known else "",
        months, numbers, roman,
        rf"(?<!\w)(?:[^\W\d_]{{1,3}}\.){{2,6}}(?:[{_JOINS}]{_LETTERS}|s\b)?(?!\w)",  # Fr.p.-formann
        r"(?<!\w)[^\W\d_]\.(?=\s[^\W\d_]\.)|(?<=\W[^\W\d_]\.\s)[^\W\d_]\.",  # z. B.
        r"(?<!\w)[A-ZÁÉÍÓÖÚÜÅÄÆØ]\.(?=\s+[^\W\d_])",
    ]  # fmt: skip


def _any_case(words: tuple[str, ...] | list[str]) -> str:
    """Match words as they are, and with a capital at the beginning."""
    both = [form for word in words for form in dict.fromkeys((word, word[:1].upper() + word[1:]))]
    return "|".join(map(re.escape, both))


def _behind_hyphens(rules: CuttingRules) -> list[str]:
    """Match the clitics of a verb with their hyphens: French dit-il, a-t-il; Dutch heeft-ie."""
    if not rules.clitics:
        return []
    if "il" in rules.clitics:
        return [r"(?<=\w)-t-(?=(?:ils?|elles?|on)\b)"]
    return [rf"(?<=\w)-(?:{'|'.join(rules.clitics)})(?![\w{_JOINS}])"]


def _word(rules: CuttingRules) -> str:
    """Match letters and figures, joined by hyphens and, where the language writes so, by apostrophes."""
    clitics = "|".join(("t-(?:ils?|elles?|on)", *rules.clitics) if "il" in rules.clitics else rules.clitics)
    stops = rf"(?!(?:{clitics})(?![\w{_JOINS}]))" if clitics else ""
    inside = "|'’" if rules.apostrophes else ""
    apostrophe = rf"|['’]{_LETTERS}" if inside else ""
    return rf"{_LETTERS}(?:[{_JOINS}]{stops}{_LETTERS}{apostrophe})*(?:[{_JOINS}](?=\s))?"
