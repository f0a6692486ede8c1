"""Mends what parsers get wrong often: a name is one phrase, headed by its last word; let's and @clara."""

from __future__ import annotations

from referee.resolve.camp.lexicon import Lexicon
from referee.resolve.camp.parse_view import NAME_TAGS, Parse

NO_NAMES_ROLE = frozenset(("advmod", "amod", "punct", "prep", "aux"))
WHOLE = frozenset(("PERSON", "ORG", "GPE", "FAC", "LOC"))


def mend_tags(parse: Parse) -> None:
    """Call the 's of let's a pronoun, and @clara a name, which taggers take for all kinds of words."""
    for word, lower in enumerate(parse.lower):
        if lower in ("'s", "’s") and word and parse.lower[word - 1] == "let":
            parse.tags[word] = "PRP"
        elif lower[:1] in ("@", "#") and lower[1:2].isalpha():
            parse.tags[word] = "NNP"
            if parse.relations[word] in NO_NAMES_ROLE:
                parse.relations[word] = "npadvmod"


def mend_names(parse: Parse, lexicon: Lexicon) -> None:
    """Hang the words of a name on its last one, where the tree has torn them apart."""
    for name in parse.names:
        if name.label in WHOLE:
            for word in range(name.start, name.end - 1):
                if parse.tags[word] in NAME_TAGS and parse.tags[word + 1] in NAME_TAGS:
                    _join(parse, word)
    begins = frozenset().union(*(lexicon[n] for n in ("titles", "masculine_titles", "feminine_titles")))
    for word in range(len(parse.words) - 1):
        lower = parse.lower[word]
        if lower in begins or lower in lexicon.first_names:
            _join(parse, word)


def _join(parse: Parse, word: int) -> None:
    """Hang a word on the next one, if both are names, in one sentence, and not in one phrase yet."""
    following = word + 1
    if not {parse.tags[word], parse.tags[following]} <= NAME_TAGS:
        return
    if parse.sentence_of[word] != parse.sentence_of[following] or not parse.words[word][:1].isupper():
        return
    if parse.heads[word] == following or parse.heads[following] == word:
        return
    if parse.heads[word] == parse.heads[following] and parse.relations[word] in ("compound", "nmod"):
        return
    if following in _above(parse, word):
        return
    above = _above(parse, following)
    if word in above:
        return
    old = parse.heads[word]
    if old != word:
        parse.children[old].remove(word)
    parse.heads[word], parse.relations[word] = following, "compound"
    parse.children[following].append(word)


def _above(parse: Parse, word: int) -> set[int]:
    """List the words that a word hangs on, up to the root."""
    above = set()
    while parse.heads[word] != word:
        word = parse.heads[word]
        above.add(word)
    return above
