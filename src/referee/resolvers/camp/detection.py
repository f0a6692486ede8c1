"""Finds what may be a mention: pronouns, names and maximal noun phrases, cut as guidelines want them.

Before that, what parsers often get wrong is corrected: a name is one phrase, headed by its last word; the 's
of let's is a pronoun, and @clara is a name.
"""

from __future__ import annotations

from collections import Counter

from referee.language.english import CLITICS, DEMONSTRATIVES, POSSESSIVE_MARKS
from referee.model.mentions import Span
from referee.resolvers.camp.lexicon import Guidelines, Lexicon
from referee.resolvers.camp.parse_view import NAME_TAGS, NOUN_TAGS, PRONOUN_TAGS, Parse

OFTEN, RATHER = 3, 4  # times that a word is tagged as a name at least, and one in four of all
PRONOUN_LISTS = (
    "masculine_pronouns", "feminine_pronouns", "neuter_pronouns", "plural_pronouns", "first_pronouns",
    "we_pronouns", "you_pronouns",
)  # fmt: skip
PUNCTUATION = frozenset([*'.,:;!?"()-–—[]…*•“”‘’', "``", "''", "-LRB-", "-RRB-", "--"])
OPENERS = frozenset(("(", "[", "``", '"', "“", "‘", "-LRB-", "-LSB-"))
CLOSERS = frozenset((")", "]", "''", '"', "”", "’", "-RRB-", "-RSB-"))
BEFORE_TAGS = frozenset(("UH", ",", ":", ".", "``", "''", "HYPH", "CC", "NFP"))
BEHIND_TAGS = frozenset((",", ":", ".", "``", "HYPH", "CC", "NFP", "IN"))
MODIFYING = frozenset(
    ("compound", "nmod", "amod", "nummod", "det", "quantmod", "punct", "advmod", "prep", "aux")
)
NAME_MODIFIERS = frozenset(("GPE", "ORG", "PERSON", "NORP", "LOC", "DATE"))
NUMBER_ROLES = frozenset(("pobj", "npadvmod", "nsubj", "dobj", "attr"))
NAME_ROLES = NUMBER_ROLES | {"poss", "appos", "nsubjpass", "conj"}
JOINED = frozenset(("conj", "cc", "preconj"))
# What hangs on a noun that stands for a clause, or that a parser had nowhere else to put.
_OUTSIDE = """
    nsubj nsubjpass dobj dative aux auxpass mark intj ccomp advcl xcomp dep parataxis meta neg csubj expl attr
    acomp prt ROOT
"""
OUTSIDE = frozenset(_OUTSIDE.split())
AFTER_ADVERB = frozenset(("DT", "PRP$", "NNP", "NNPS", "NN"))  # about two, very old: the adverb belongs to it
LOOSE = frozenset((",", "--", "—", "("))  # before what is said of a thing by the way
NO_NAMES_ROLE = frozenset(("advmod", "amod", "punct", "prep", "aux"))
WHOLE = frozenset(("PERSON", "ORG", "GPE", "FAC", "LOC"))


def mend_tags(parse: Parse) -> None:
    """Call the 's of let's a pronoun, and @clara a name, which taggers take for all kinds of words.

    A word with a capital inside of sentences that is a name there often is one in all of them: taggers take
    Owl for an adjective, and Potapitch for a verb.
    """
    names = _usual_names(parse)
    for word, lower in enumerate(parse.lower):
        if lower in CLITICS and word and parse.lower[word - 1] == "let":
            parse.tags[word] = "PRP"
        elif (lower[:1] in ("@", "#") and lower[1:2].isalpha()) or (lower in names and _is_slip(parse, word)):
            parse.tags[word] = "NNP"
            if parse.relations[word] in NO_NAMES_ROLE:
                parse.relations[word] = "npadvmod"


def _usual_names(parse: Parse) -> frozenset[str]:
    """List the words with a capital, not at the beginning of a sentence, that are tagged as names often."""
    capital, tagged = Counter[str](), Counter[str]()
    for word, (spelled, tag) in enumerate(zip(parse.words, parse.tags, strict=True)):
        if spelled[:1].isupper() and spelled[1:].islower():
            inside = word > 0 and parse.sentence_of[word - 1] == parse.sentence_of[word]
            capital[spelled.lower()] += inside
            tagged[spelled.lower()] += inside and tag in NAME_TAGS
    return frozenset(
        lower for lower, count in tagged.items() if count >= OFTEN and count * RATHER >= capital[lower]
    )


def _is_slip(parse: Parse, word: int) -> bool:
    """Whether a word with a capital is tagged as no noun, though it does not modify one."""
    return (
        parse.words[word][:1].isupper()
        and parse.tags[word] not in NOUN_TAGS
        and not (parse.relations[word] in MODIFYING and parse.heads[word] > word)
    )


def mend_names(parse: Parse, lexicon: Lexicon) -> None:
    """Hang the words of a name on its last one, where the tree has separated them."""
    for name in parse.names:
        if name.label in WHOLE:
            for word in range(name.start, name.end - 1):
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


def find_spans(parse: Parse, lexicon: Lexicon, guidelines: Guidelines) -> dict[Span, int]:
    """Find the spans of markables, and the head of each."""
    pronouns = frozenset().union(*(lexicon[name] for name in PRONOUN_LISTS))
    spans: dict[Span, int] = {}
    for word, (lower, tag) in enumerate(zip(parse.lower, parse.tags, strict=True)):
        if is_pronoun_word(lower, tag, pronouns):
            spans[word, word + 1] = word
        elif tag in PRONOUN_TAGS:
            continue  # what taggers mistake for a pronoun
        elif _is_demonstrative(parse, word):
            below = parse.below(word)
            spans[without_edges(parse, min(below), max(below) + 1)] = word
        elif _is_noun(parse, word):
            _add_phrase(parse, word, guidelines, spans, lexicon)
    _add_known_modifiers(parse, spans, int(lexicon.limits["modifier"]))
    return {(start, end): head for (start, end), head in spans.items() if start <= head < end}


def is_pronoun_word(lower: str, tag: str, pronouns: frozenset[str]) -> bool:
    """Whether a word is a pronoun: 's is one in let's alone, and taggers do not know all.

    >>> pronouns = frozenset(("mine", "it", "'s"))
    >>> is_pronoun_word("it", "PRP", pronouns), is_pronoun_word("'s", "POS", pronouns)
    (True, False)
    """
    unmistakable = lower == "i" or (len(lower) > 3 and lower != "mine")
    return lower in pronouns and (tag in PRONOUN_TAGS or unmistakable)


def _is_demonstrative(parse: Parse, word: int) -> bool:
    """Whether this, that, these or those stand alone."""
    return (
        parse.tags[word] == "DT"
        and parse.lower[word] in DEMONSTRATIVES
        and parse.relations[word] not in ("det", "mark", "advmod", "predet")
    )


def _is_noun(parse: Parse, word: int) -> bool:
    """Whether a word may head a noun phrase: a noun, a number or a name in a noun's position."""
    tag, relation = parse.tags[word], parse.relations[word]
    name = parse.name_at.get(word)
    return (
        tag in NOUN_TAGS
        or (tag == "CD" and relation in NUMBER_ROLES)
        or (name is not None and name.end - 1 == word and relation in NAME_ROLES)
    )


def _add_phrase(
    parse: Parse, word: int, guidelines: Guidelines, spans: dict[Span, int], lexicon: Lexicon
) -> None:
    """Add the phrase that a noun heads, and if it is the first of several, all of them together."""
    if parse.relations[word] in MODIFYING:
        _add_name_modifier(parse, word, spans)
        return
    joined = frozenset(child for child in parse.children[word] if parse.relations[child] in JOINED)
    below = parse.below(word, joined | _left_out(parse, word, guidelines))
    start, end = min(below), max(below) + 1
    for child in joined:
        if child > word:
            end = min(end, child)
        elif parse.relations[child] == "conj":
            start = max(start, child + 1)
    start, end = without_edges(parse, _name_start(parse, start, word, lexicon), end)
    start = _without_adverb(parse, start, word)
    if not guidelines.loose_clauses and parse.tags[word] in NAME_TAGS:
        end = next((w for w in range(word + 1, end) if parse.words[w] in LOOSE), end)
    if guidelines.possessive_marker and end < len(parse.words) and _is_marker(parse, end):
        end += 1
    spans[start, end] = word
    if any(parse.relations[child] == "conj" for child in joined):
        whole = parse.below(word, _left_out(parse, word, guidelines))
        spans.setdefault(without_edges(parse, min(whole), max(whole) + 1), word)


def _left_out(parse: Parse, word: int, guidelines: Guidelines) -> frozenset[int]:
    """List the branches under a noun that the guidelines do not count in."""
    children = parse.children[word]
    out = {
        child
        for child in children
        if parse.relations[child] in OUTSIDE
        or (child < word and parse.relations[child] in ("prep", "appos"))
        or (child > word and parse.relations[child] == "npadvmod")
    }
    if guidelines.appositions:
        out |= {child for child in children if parse.relations[child] == "appos"}
    if not guidelines.possessive_marker:
        out |= {child for child in children if parse.tags[child] == "POS"}
    if not guidelines.loose_clauses:
        out |= {
            child
            for child in children
            if child > word
            and parse.relations[child] in ("relcl", "appos", "acl")
            and min(parse.below(child)) > 0
            and parse.words[min(parse.below(child)) - 1] in LOOSE
        }
    return frozenset(out)


def _name_start(parse: Parse, start: int, head: int, lexicon: Lexicon) -> int:
    """Cut off what a name's phrase begins with, if it is neither a title nor a role: a heading, mostly.

    Where a text has no line breaks, the parser takes Career Padalecki for one phrase.
    """
    name = parse.name_at.get(head)
    if name is None or name.label not in ("PERSON", "GPE") or not start < name.start <= head:
        return start
    before = name.start - 1
    if parse.tags[before] not in NOUN_TAGS or parse.lower[before] in lexicon["titles"]:
        return start
    role = lexicon.nouns.get(parse.lemmas[before]) == "persons"
    titled = any(parse.lower[before] in lexicon[f"{gender}_titles"] for gender in ("masculine", "feminine"))
    return start if role or titled else name.start


def without_edges(parse: Parse, start: int, end: int) -> Span:
    """Take punctuation and what joins phrases off both ends."""
    words, tags = parse.words, parse.tags
    while start < end and (tags[start] in BEFORE_TAGS or words[start] in PUNCTUATION):
        start += 1
    while end > start and (
        OPENERS.isdisjoint(words[start : end - 1])
        if words[end - 1] in CLOSERS
        else tags[end - 1] in BEHIND_TAGS or words[end - 1] in PUNCTUATION
    ):
        end -= 1
    return start, end


def _without_adverb(parse: Parse, start: int, head: int) -> int:
    """Cut off an adverb before a phrase that is whole without it: just the lamp, only Clara's."""
    following = parse.tags[start + 1] if start < head else ""
    return start + (parse.tags[start] == "RB" and following in AFTER_ADVERB)


def _is_marker(parse: Parse, word: int) -> bool:
    """Whether a word makes what is before it a possessor."""
    return parse.tags[word] == "POS" and parse.lower[word] in POSSESSIVE_MARKS


def _add_name_modifier(parse: Parse, word: int, spans: dict[Span, int]) -> None:
    """Add a name that stands before a noun: the Athens police."""
    name = parse.name_at.get(word)
    if name and name.label in NAME_MODIFIERS and name.end - 1 == word and parse.tags[word] in NAME_TAGS:
        spans.setdefault((name.start, name.end), word)


def _add_known_modifiers(parse: Parse, spans: dict[Span, int], longest: int) -> None:
    """Add names before nouns that are not labelled, where the text has them as whole phrases elsewhere."""
    alone = {
        tuple(parse.words[start:end]) for (start, end), head in spans.items() if parse.tags[head] in NAME_TAGS
    }
    for word, relation in enumerate(parse.relations):
        if relation not in ("compound", "nmod") or parse.tags[word] not in NAME_TAGS:
            continue
        for start in range(max(0, word + 1 - longest), word + 1):
            written = tuple(parse.words[start : word + 1])
            if (
                written in alone
                and (start, word + 1) not in spans
                and not _is_inside_name(parse, start, word)
            ):
                spans[start, word + 1] = word
                break


def _is_inside_name(parse: Parse, start: int, last: int) -> bool:
    """Whether a name goes on before or behind these words: York in New York Times."""
    name = parse.name_at.get(last)
    if name and (name.start < start or name.end > last + 1):
        return True
    following = parse.tags[last + 1] if last + 1 < len(parse.tags) else ""
    return following in NAME_TAGS or (start > 0 and parse.tags[start - 1] in NAME_TAGS)
