"""Recognises texts that are not English, by their script and by the frequent words of other languages.

A text is only taken for another language if it has clearly more of its frequent words than of English ones,
so that English without many of them (names, dialogue, recipes, tables) stays English. The words are spaCy's
stop words. Measured: of 393 English documents (OntoGUM, GUM, LitBank, CRAFT, FantasyCoref, WinoBias) and of
3,381 passages of 60 words from them none is refused; of 489 documents in ten other languages all are, except
12 of 50 words or fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module

# Languages in Latin letters, as spaCy calls them.
LANGUAGES = {
    "af": "Afrikaans", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "es": "Spanish",
    "et": "Estonian", "fi": "Finnish", "fr": "French", "hr": "Croatian", "hu": "Hungarian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "lt": "Lithuanian", "lv": "Latvian",
    "nb": "Norwegian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "sk": "Slovak",
    "sl": "Slovenian", "sq": "Albanian", "sv": "Swedish", "tr": "Turkish", "vi": "Vietnamese",
}  # fmt: skip
OTHER_SCRIPT = "a language in another script"
LATEST_LATIN = "\u024f"  # the last of the Latin letters with their accents
FIRST = 3_000  # words that are looked at
ENOUGH = 40  # words by which a language can be recognised
CLEARLY_ENGLISH = 0.25  # a share of frequent words that most English texts have
DISTINCT = 5  # frequent words of another language, at least: one alone may be a name, as Tom in Czech
MARGIN = 1.5  # times as many as English ones


def other_language(words: Sequence[str]) -> str:
    """Name the language that a text seems to be in, or nothing if that is English or cannot be told.

    >>> other_language("the cat sat".split())
    ''
    """
    read = [word.lower() for word in words[:FIRST] if any(map(str.isalpha, word))]
    letters = [letter for word in read for letter in word if letter.isalpha()]
    if len(letters) >= ENOUGH and 2 * sum(letter <= LATEST_LATIN for letter in letters) < len(letters):
        return OTHER_SCRIPT
    read = [word for word in read if len(word) > 1]  # single letters are labels as often as words
    if len(read) < ENOUGH:
        return ""
    english = sum(word in _frequent_words("en") or word[0] in "'’" for word in read)
    if english >= CLEARLY_ENGLISH * len(read):
        return ""
    hits, code = max((sum(word in _frequent_words(code) for word in read), code) for code in LANGUAGES)
    several = len(_frequent_words(code).intersection(read)) >= DISTINCT
    return LANGUAGES[code] if several and hits > MARGIN * english else ""


@cache
def _frequent_words(code: str) -> frozenset[str]:
    words: set[str] = import_module(f"spacy.lang.{code}.stop_words").STOP_WORDS
    return frozenset(word.lower() for word in words if len(word) > 1)
