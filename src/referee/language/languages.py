"""The languages that Referee knows something of, by their codes of ISO 639-1.

Bokmål and Nynorsk are two: they are written, and annotated, apart. `no` is not one of them.
"""

from __future__ import annotations

from referee.exceptions import SettingError, did_you_mean

ENGLISH = "en"
LANGUAGES = {
    "de": "German", "en": "English", "fr": "French", "hu": "Hungarian", "ja": "Japanese",
    "nb": "Norwegian Bokmål", "nl": "Dutch", "nn": "Norwegian Nynorsk", "th": "Thai",
}  # fmt: skip
WITHOUT_BLANKS = frozenset(("ja", "th"))  # scripts that do not separate words


def check_language(code: str) -> None:
    """Refuse a language that is not known.

    >>> check_language("dutch")
    Traceback (most recent call last):
    referee.exceptions.SettingError: language='dutch' is not known; there are de (German), en (English), ...
    """
    if code not in LANGUAGES:
        there = ", ".join(f"{known} ({name})" for known, name in LANGUAGES.items())
        hint = did_you_mean(code, LANGUAGES)
        raise SettingError(f"language='{code}' is not known; there are {there}{hint}")
