"""Parts of speech under names that the rules know: those of the Penn Treebank.

Dutch corpora have the tags of the Spoken Dutch Corpus (Van Eynde 2004), `VNW[bez,det,…]` or `VNW(bez,det,…)`,
as Alpino writes them. All others stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_DUTCH = re.compile(r"(ADJ|BW|LET|LID|N|SPEC|TSW|TW|VG|VNW|VZ|WW)[\[(]([^\])]*)[\])]")
_BY_CLASS = {
    "ADJ": "JJ", "BW": "RB", "LET": ":", "LID": "DT", "N": "NN", "SPEC": "FW", "TSW": "UH", "TW": "CD",
    "VG": "CC", "VNW": "PRP", "VZ": "IN", "WW": "VB",
}  # fmt: skip
_BY_FEATURE = {
    ("N", "eigen"): "NNP", ("SPEC", "deeleigen"): "NNP", ("VG", "onder"): "IN", ("VNW", "aanw"): "DT",
    ("VNW", "onbep"): "DT", ("VNW", "bez"): "PRP$", ("VNW", "betr"): "WP",
}  # fmt: skip


def common_tags(tags: Sequence[str]) -> Sequence[str]:
    """Give the tags of a document as rules know them.

    >>> common_tags(["LID[bep,stan,rest]", "N[eigen,ev]", "VNW(bez,det,stan)", "WW[pv,tgw,ev]"])
    ['DT', 'NNP', 'PRP$', 'VB']
    >>> common_tags(["PROPN", "NNP"])
    ['PROPN', 'NNP']
    """
    known = {tag: _common(tag) for tag in set(tags)}
    return [known[tag] for tag in tags]


def _common(tag: str) -> str:
    found = _DUTCH.fullmatch(tag)
    if not found:
        return tag
    kind, features = found.groups()
    return _BY_FEATURE.get((kind, features.partition(",")[0]), _BY_CLASS[kind])
