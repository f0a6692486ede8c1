"""One story as annotation tools keep it: an emoji, nested mentions, types, a singleton, much beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STORY = "Ann \U0001f60a lost her red hat.\nThe mayor, who liked Ann, found it.\n"
ANN, HER, HAT, MAYOR, LATER, IT = (0, 3), (11, 14), (11, 22), (24, 33), (45, 48), (56, 58)
SPELLED = [["Ann", "her", "Ann"], ["her red hat", "it"], ["The mayor"]]  # by cluster

BRAT = """\
T1\tPerson 0 3\tAnn
T2\tPerson 11 14\ther
#1\tAnnotatorNotes T2\tthe owner\t(sure)
T3\tMention 11 22\ther red hat
A1\tSure T3
T4\tPerson 24 33\tThe mayor
T5\tPerson 45 48\tAnn
T6\tMention 56 58\tit
T7\tFinding 50 55\tfound
E1\tFinding:T7 Agent:T4 Theme:T6
*\tEquiv T3 T6
R1\tCoreference Arg1:T2 Arg2:T1\t
R2\tsame_as Arg1:T5 Arg2:T2
R3\tKnows Arg1:T4 Arg2:T5
N1\tReference T1 Wikipedia:1\tAnn
"""

WEBANNO = """\
#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Mood|strength|value
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType
#T_RL=webanno.custom.Knows|BT_webanno.custom.Mood


#Sentence.id=first
#Text=Ann \U0001f60a lost her red hat.
1-1\t0-3\tAnn\t_\t_\tcoref->1-1\tPerson[1]\t_\t
1-2\t4-6\t\U0001f60a\t9\thappy\\_ish\t_\t_\t_\t
1-3\t7-11\tlost\t_\t_\t_\t_\t_\t
1-4\t12-15\ther\t_\t_\tcoref\\->->1-2|*->2-1\tPerson[1]|*[2]\t_\t
1-5\t16-19\tred\t*[3]\tgay[3]\t*->2-1\t*[2]\t_\t
1-6\t20-23\that\t*[3]\tgay[3]\t*->2-1\t*[2]\t1-2[0_3]\t
1-7\t23-24\t.\t_\t_\t_\t_\t_\t

#Text=The mayor, who liked Ann, found it.
2-1\t25-28\tThe\t_\t_\t*->3-1\tPerson[3]\t_\t
2-2\t29-34\tmayor\t_\t_\t*->3-1\tPerson[3]\t_\t
2-3\t34-35\t,\t_\t_\t_\t_\t_\t
2-4\t36-39\twho\t_\t_\t_\t_\t_\t
2-5\t40-45\tliked\t_\t_\t_\t_\t_\t
2-6\t46-49\tAnn\t_\t_\t*->1-3\tPerson[1]\t_\t
2-7\t49-50\t,\t_\t_\t_\t_\t_\t
2-8\t51-56\tfound\t_\t_\t_\t_\t_\t
2-9\t57-59\tit\t_\t_\t*->2-2\t*[2]\t_\t
2-10\t59-60\t.\t_\t_\t_\t_\t_\t
"""

COREF = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.Coreference"


def link(id_: int, begin: int, end: int, **others: object) -> dict[str, object]:
    return {"%ID": id_, "%TYPE": f"{COREF}Link", "@sofa": 1, "begin": begin, "end": end, **others}


STRUCTURES: list[dict[str, Any]] = [
    {"%ID": 9, "%TYPE": f"{COREF}Chain", "@sofa": 1, "@first": 3},
    {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaNum": 1, "sofaID": "_InitialView", "sofaString": STORY},
    {"%ID": 2, "%TYPE": "webanno.custom.Mood", "@sofa": 1, "begin": 4, "end": 6, "value": "happy"},
    link(3, 0, 3, **{"@next": 4, "referenceType": "Person", "referenceRelation": "coref"}),
    link(4, 12, 15, **{"@next": 5, "referenceType": "Person"}),
    link(5, 46, 49, **{"@next": None, "referenceType": "Person"}),
    link(6, 12, 23, **{"@next": 7}),
    link(7, 57, 59),
    link(8, 25, 34, referenceType="Person"),
    {"%ID": 10, "%TYPE": f"{COREF}Chain", "@sofa": 1, "@first": 6},
    {"%ID": 11, "%TYPE": f"{COREF}Chain", "@sofa": 1, "@first": 8},
]


def cas(structures: object) -> str:
    views = {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}}
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": views}, indent=2)


CAS = cas(STRUCTURES)
CAS_OBJECT = cas({str(s["%ID"]): {k: v for k, v in s.items() if k != "%ID"} for s in STRUCTURES})
LABELS = {ANN: "Person", HER: "Person", LATER: "Person", HAT: "Mention", IT: "Mention", MAYOR: "Person"}
NAMES = {ANN: "a", HER: "b", LATER: "c", HAT: "d", IT: "e", MAYOR: "f"}
LINKS = [(HER, ANN), (LATER, HER), (IT, HAT)]


def region(span: tuple[int, int]) -> dict[str, Any]:
    value = {"start": span[0], "end": span[1], "text": STORY[slice(*span)], "labels": [LABELS[span]]}
    return {"id": NAMES[span], "from_name": "label", "to_name": "text", "type": "labels", "value": value}


def relation(one: tuple[int, int], other: tuple[int, int]) -> dict[str, Any]:
    return {"from_id": NAMES[one], "to_id": NAMES[other], "type": "relation", "direction": "right"}


RESULT: list[dict[str, Any]] = [
    *map(region, NAMES),
    {"id": "a", "from_name": "note", "to_name": "text", "type": "textarea", "value": {"text": ["sure"]}},
    *(relation(one, other) | {"labels": ["Coref"]} for one, other in LINKS[1:]),
    relation(*LINKS[0]),
    relation(MAYOR, LATER) | {"labels": ["knows"]},
]
TASK: dict[str, Any] = {
    "id": 17,
    "annotations": [{"id": 1, "was_cancelled": False, "result": RESULT, "lead_time": 3.5}],
    "meta": {},
    "data": {"id": "story", "text": STORY},
}
LABEL_STUDIO = json.dumps([TASK], indent=1)

DOCCANO_FIELDS: dict[str, Any] = {
    "id": "story",
    "text": STORY,
    "entities": [
        {"id": number, "label": LABELS[span], "start_offset": span[0], "end_offset": span[1]}
        for number, span in enumerate(NAMES, start=10)
    ],
    "relations": [
        {
            "id": number,
            "from_id": 10 + list(NAMES).index(one),
            "to_id": 10 + list(NAMES).index(other),
            "type": kind,
        }
        for number, (one, other, kind) in enumerate(
            [*((*pair, "Coreference") for pair in LINKS), (MAYOR, LATER, "knows")]
        )
    ],
    "Comments": ["a comment"],
}
DOCCANO = json.dumps(DOCCANO_FIELDS, ensure_ascii=False) + "\n"


def span(characters: tuple[int, int]) -> dict[str, Any]:
    return {"start": characters[0], "end": characters[1], "label": LABELS[characters]}


PRODIGY_FIELDS: dict[str, Any] = {
    "text": STORY,
    "meta": {"id": "story", "source": "a tale"},
    "_task_hash": -5,
    "tokens": [{"text": "Ann", "start": 0, "end": 3, "id": 0, "ws": True}],
    "spans": [span(characters) for characters in NAMES],
    "relations": [
        *({"head_span": span(head), "child_span": span(child), "label": "COREF"} for child, head in LINKS),
        {"head_span": span(MAYOR), "child_span": span(LATER), "label": "KNOWS"},
    ],
    "answer": "accept",
}
PRODIGY = json.dumps(PRODIGY_FIELDS) + "\n"

SPECIMENS = {  # format → file's name, its content
    "brat": ("story.ann", BRAT),
    "webanno": ("story.tsv", WEBANNO),
    "cas-json": ("story.cas.json", CAS),
    "label-studio": ("story.json", LABEL_STUDIO),
    "doccano": ("story.jsonl", DOCCANO),
    "prodigy": ("story.jsonl", PRODIGY),
}


def put(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a specimen, and the text beside it if it is brat's."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if name.endswith(".ann"):
        path.with_suffix(".txt").write_bytes(STORY.encode())
    return path
