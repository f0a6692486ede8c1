"""The genders of people whose first names are not in the lists, as the text tells them: Newland … his."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from referee.resolvers.camp.lexicon import Lexicon
from referee.resolvers.camp.parse_view import NAME_TAGS, Named, Parse

ENOUGH, MOSTLY = 3, 0.8  # pronouns of a name, and how many of them agree
GENDERS = ("masculine", "feminine")


def told_genders(parse: Parse, lexicon: Lexicon) -> dict[str, str]:
    """Count the pronouns next behind a name, in its sentence, with no other person between."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name in parse.names:
        word = parse.lower[name.start]
        if name.label == "PERSON" and lexicon.first_names.get(word, "either") == "either":
            counts[word].update(_next_gender(parse, name, lexicon))
    return {
        word: gender
        for word, counted in counts.items()
        for gender, most in counted.items()
        if most >= ENOUGH and most >= MOSTLY * counted.total()
    }


def _next_gender(parse: Parse, name: Named, lexicon: Lexicon) -> Iterator[str]:
    """Give the gender of the first pronoun behind a name, unless another person comes first."""
    end = parse.sentences[parse.sentence_of[name.start]][1]
    for word in range(name.end, end):
        lower = parse.lower[word]
        for gender in GENDERS:
            if lower in lexicon[f"{gender}_pronouns"]:
                yield gender
                return
        someone = parse.tags[word] in NAME_TAGS or lexicon.nouns.get(parse.lemmas[word]) == "persons"
        if someone or any(parse.lemmas[word] in lexicon[f"{gender}_nouns"] for gender in GENDERS):
            return
