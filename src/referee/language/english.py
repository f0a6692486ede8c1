"""English words of closed classes: pronouns by person and form, determiners; forms of names.

All lists of such words in Referee are these, or are made of them by set operations that say how they differ
and why. Words are in small letters.
"""

from __future__ import annotations

# The forms of each personal pronoun: subject, object, possessive determiner, possessive pronoun, reflexives.
_FORMS = (
    ("i", "me", "my", "mine", "myself"),
    ("we", "us", "our", "ours", "ourselves"),
    ("you", "you", "your", "yours", "yourself", "yourselves"),
    ("he", "him", "his", "his", "himself"),
    ("she", "her", "her", "hers", "herself"),
    ("it", "it", "its", "its", "itself"),
    ("they", "them", "their", "theirs", "themselves", "themself"),
)
PRONOUN_CLASSES = tuple(frozenset(forms) for forms in _FORMS)
FIRST_SINGULAR, FIRST_PLURAL, SECOND, MASCULINE, FEMININE, NEUTER, THIRD_PLURAL = PRONOUN_CLASSES
PERSONAL = frozenset().union(*PRONOUN_CLASSES)
THIRD = MASCULINE | FEMININE | NEUTER | THIRD_PLURAL
SUBJECTS, OBJECTS, POSSESSIVE_DETERMINERS, POSSESSIVE_PRONOUNS = (
    frozenset(forms[column] for forms in _FORMS) for column in range(4)
)
REFLEXIVES = frozenset(form for forms in _FORMS for form in forms[4:])
POSSESSIVES = POSSESSIVE_DETERMINERS | POSSESSIVE_PRONOUNS

_NEOPRONOUNS = """
    xe xem xyr xyrs xemself | ze zir zirs zirself hir hirs hirself | ey eir eirs emself eirself
    | fae faer faers faerself
"""  # em is left out: it is 'em, too
NEOPRONOUNS = tuple(frozenset(forms.split()) for forms in _NEOPRONOUNS.split("|"))
NEW_SUBJECTS = frozenset(forms.split()[0] for forms in _NEOPRONOUNS.split("|"))

OLD_SECOND = frozenset(("ye", "thou", "thee", "thy", "thine", "thyself"))
MODERN_FORMS = {  # of old pronouns and the verbs that agree with them
    "thou": "you", "thee": "you", "ye": "you", "thy": "your", "thine": "yours", "thyself": "yourself",
    "hast": "have", "hath": "has", "hadst": "had", "dost": "do", "doth": "does", "didst": "did",
    "wast": "were", "wert": "were", "wilt": "will", "wouldst": "would", "shalt": "shall",
    "shouldst": "should", "canst": "can", "couldst": "could", "mayst": "may", "mayest": "may",
    "knowest": "know",
}  # fmt: skip
COLLOQUIAL_SECOND = frozenset(("ya", "u", "y'all"))
COLLOQUIAL_THIRD_PLURAL = frozenset(("em", "'em"))

DEMONSTRATIVES = frozenset(("this", "that", "these", "those"))
RELATIVES = frozenset(("who", "whom", "whose", "which"))
PEOPLE_PRONOUNS = frozenset(("someone", "somebody", "anyone", "anybody", "everyone", "everybody", "nobody"))

INDEFINITE_ARTICLES = frozenset(("a", "an"))
ARTICLES = INDEFINITE_ARTICLES | {"the"}
QUANTIFIERS = frozenset(("some", "any", "every", "each", "no", "all", "both", "another", "other", "such"))
DETERMINERS = ARTICLES | DEMONSTRATIVES | POSSESSIVE_DETERMINERS | QUANTIFIERS | {"whose"}

CLITICS = frozenset(("'s", "’s"))  # of possession, and of let's
POSSESSIVE_MARKS = CLITICS | {"'", "’"}

# What may follow the core of a noun phrase: the head is before it.
_AFTER_NOUN = 'of in on at for with from by to where when and or but as , -- - : ; ( ) " — – that'
AFTER_NOUN = RELATIVES | frozenset(_AFTER_NOUN.split())

_MASCULINE_TITLES = """
    mr. mr sir lord king prince father uncle brother duke count baron emperor monsieur m. don herr signor
    friar abbot sultan earl viscount master squire comte marquis signore
"""
_FEMININE_TITLES = """
    mrs. mrs ms. ms miss lady queen princess aunt sister madame mademoiselle duchess countess madam mme. mme
    mlle. mlle mdlle. mdlle comtesse marquise frau fräulein signora signorina dame baroness empress mother
"""
_OTHER_TITLES = """
    dr. dr prof. prof professor president senator captain colonel general judge justice rev. rev reverend st.
    saint sen. rep. gov. governor doctor major lieutenant sergeant detective officer chief secretary minister
    pope bishop mayor capt. col. gen. lt. sgt. hon. inspector admiral commander corporal private constable
    chairman chairwoman ambassador chancellor premier congressman congresswoman coach
"""
MASCULINE_TITLES, FEMININE_TITLES, OTHER_TITLES = (
    frozenset(titles.split()) for titles in (_MASCULINE_TITLES, _FEMININE_TITLES, _OTHER_TITLES)
)

_NICKNAMES = """
    abby abigail | al albert alan alfred | alex alexander alexandra | andy andrew | barb barbara | becky
    rebecca | ben benjamin | bernie bernard | beth liz lizzie betty elizabeth | bill billy will willie
    william | bob bobby rob robbie robert | brad bradley | cathy kathy kate katie katherine catherine
    kathleen | charlie chuck charles | chris christopher christine christina | cindy cynthia | dan danny
    daniel | dave david | deb debbie deborah | dick rick rich richie richard | don donald | doug douglas
    | ed eddie ted edward | ellie eleanor | frank francis franklin | fred freddie frederick | gabe
    gabriel | gene eugene | gerry jerry gerald | greg gregory | hank harry henry | jack jackie john
    johnny | jake jacob | jeff geoff jeffrey geoffrey | jen jenny jennifer | jim jimmy jamie james | joe
    joey joseph | jon jonathan | josh joshua | judy judith | ken kenny kenneth | larry lawrence | len
    lenny leonard | leo leonardo | maggie meg peggy margaret | matt matthew | max maximilian | meg megan
    | mike mick mickey michael | molly mary | nancy anne ann annie | nate nathan nathaniel | nick
    nicholas | pam pamela | pat patty patrick patricia | pete peter | phil philip phillip | ray raymond
    | ron ronnie ronald | sam sammy samuel samantha | sandy sandra | steve steven stephen | stan stanley
    | sue susan | tim timothy | ted theodore teddy | tom tommy thomas | tony anthony | vicky victoria |
    walt walter | lizzy eliza betsy bess bessie elizabeth | fanny frances | nell nellie ellen helen eleanor |
    sophy sophia | kitty catherine katherine | lou loo lulu louisa louise | polly mary | lottie charlotte |
    dolly dorothy dorothea | ned edward | hal harry henry | jem james | harriet hattie | gus augustus | nora
    eleanor honora | penny penelope | emmy emma emily | phil philippa | kit christopher | toby tobias | archie
    archibald | hugh hughie | susy susan | tilly matilda
"""
NICKNAMES = [frozenset(family.split()) for family in _NICKNAMES.split("|")]

_DEMONYMS = """
    argentine argentina | british britain | briton britain | belgian belgium | chilean chile | czech
    czechia | danish denmark | dane denmark | dutch netherlands | dutch holland | english england |
    filipino philippines | finnish finland | french france | german germany | greek greece | icelandic
    iceland | irish ireland | norwegian norway | peruvian peru | polish poland | pole poland |
    portuguese portugal | scottish scotland | spanish spain | swede sweden | swedish sweden | swiss
    switzerland | thai thailand | turk turkey | turkish turkey | welsh wales | afghan afghanistan |
    american us | american u.s. | american usa
"""
DEMONYMS = {frozenset(pair.split()) for pair in _DEMONYMS.split("|")}
