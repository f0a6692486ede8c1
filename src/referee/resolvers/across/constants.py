"""Numbers that decide what is linked across documents, and the figures that chose them.

"One corpus" is CoNLL F1 on ECB+ dev as one corpus, not divided into topics, both kinds, gold mentions,
without singletons: 76.71 with the numbers below. One number was changed at a time; whether a difference is
significant was not tested. What is only a limit of memory or time is beside the code that it bounds.
"""

from __future__ import annotations

# What is compared as a whole
TOGETHER = 4096  # words of a group, or of a neighbourhood of a larger one, whose mentions are all compared.
# One corpus: all pairs 76.4, 4,096 words 76.7, 2,048 77.2, 1,024 77.0, 512 76.3; predicted ones 62.1 to 62.5.
COMPARED = (
    4096  # mentions; those of a document that alone has more are divided. Near neighbours of more than so
)
# many mentions, instead of neighbourhoods, lost six points (70.7).
FAINT = 0.02  # a pair that is less likely is not read. One corpus: 0.005 and 0.05 give 77.1, 0.1 76.1.

IMPOSSIBLE = -1000.0  # log odds of a pair that contradicts itself: no cluster may have both mentions
# What neighbourhoods made one, compared with what others made
NEAREST = 8  # parts that a part is compared with. One corpus: 4 give 76.6, 16 the same.
OF_ONE_HEAD = 4  # among those with the same head, and with the same words. One corpus: 0 and 8 give the same.
MEMBERS_COMPARED = 16  # pairs of two parts. One corpus: 4 give 76.7, 64 give 76.5.
MEMBERS_TRIED = 4  # of them, which show whether the others are worth it. One corpus: 1 and 16 give the same.
MEMBERS_READ = 1  # pairs whose passages are read. One corpus: 4 give 76.5.
WORTH_MORE = (
    0.1  # what pairs that are tried must reach on average, as a share of the threshold. One corpus: 0.5
)
# gives the same.
BESIDE_FRESH = 2048  # words of stored texts that texts which are added are linked with
# ECB+ dev, found mentions, added ten by ten: 2,048 words 62.1, 3,072 63.0 for a third more time; all at once
# 62.3. Where what is stored was not decided again: 0 words 57.0, 1,200 59.1, 2,048 59.3, 3,072 59.6.
JOIN_ROUNDS = 6  # at most. One corpus: 1 and 3 give the same; larger corpora were not measured.

# Which passages are read together
MOST, NEAR = "most", "near"  # names in across.json: subwords of a row, and passages that each is read with
READING = {
    MOST: 512,
    NEAR: 8,
}  # unless a model says otherwise; `referee tune` tries rows of 256 to 512
MANY, NEAR_OF_MANY = (
    768,
    3,
)  # mentions, of which each passage is read with fewer others: time grows with both.
# One corpus: eight others for all give 77.1; three for more than 100 mentions give the same.
FEW_PAIRS = (
    4  # of a mention: if no more are asked for, all of them are read. One corpus: 1 and 16 give the same.
)

# Subtopics, by how alike documents are; chosen on ECB+ train and dev
NEIGHBOURS = (
    8  # documents that show how alike documents are around one; half of all, if they are few. One corpus:
)
# 4 give 75.3, 16 give 76.5.
USUAL_LEVEL = 0.3  # the cosine of one more that each has. One corpus: 0.2 gives 76.9, 0.4 76.0.
MIN_LEVEL = (
    0.14  # what all reach: documents of other things are a little alike, too. One corpus: 0.1 gives 77.0,
)
# 0.2 76.7.
UNLIKE = 0.05  # a cosine that says nothing. One corpus: 0.02 gives the same, 0.1 76.2.
GROUPED = 0.55  # of that level: what documents of one subtopic have. One corpus: 0.45 gives 76.1, 0.65 75.4.
MIN_DOCUMENTS = (
    100  # by which rarity is judged, even if they are fewer. One corpus: 1 gives the same, 1,000 75.8.
)
