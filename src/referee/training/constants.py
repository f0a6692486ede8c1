"""Numbers that decide what is learned, and the figures that chose them.

Three figures are CoNLL F1 on OntoGUM dev / on ten books of LitBank / F1 on GAP, two are CoNLL F1 of events /
of entities on ECB+ dev, topic level, without singletons. They are of single runs unless a comment says more,
and runs of readers differ by a point. "Not measured" means that no comparison with another value is recorded.
What is only a limit of memory or time is beside the code that it bounds. The English model ("en") has other
settings for some, in models/en and models/link-en.
"""

from __future__ import annotations

# The loop, of all trainings
WARMUP = 0.06  # the share of a run in which rates rise. Not measured.
WEIGHT_DECAY = 0.01  # Not measured: as encoders are usually tuned (Devlin et al. 2019).
LARGEST_GRADIENT = 1.0  # the norm to which gradients are clipped. Not measured: as the one before.
# After n steps the average of weights remains by (1 + n) / (10 + n) at most: it moves faster at first. Not
# measured: as in TensorFlow.
YOUNG = 10

# The resolver within documents: rates
RATE = 1e-4  # of the encoder's uppermost layer. Not compared by itself; the teachers of en have 1e-4 to 2e-4.
LAYER_DECAY = 0.8  # of the rate, from layer to layer downwards. Not measured.
HEAD_RATE = 5e-4  # Not measured.
# One number of a table moves by a rate's worth at a step. A rate of its own for tables of features was worth
# about four points (first recipe 60 to 61 / 65 / 70, with it 65.5 / 69.2 / 71).
TABLE_RATE = 5e-3
BRIDGE_RATE = 1e-3  # of what leads from a pupil's word vectors to its teachers'. Not measured.
LOWEST_RATE = 1e-3  # of each rate, to which it falls at the end. Not measured.

# … how long, and in what portions
LAYERS = 7  # of e5-small: 65.7 / 68.6 / 73.1; eight have 65.7 / 67.4 / 72.7.
EPOCHS = 20  # Not measured: the phases of en ended by the clock, after 7 to 23.
BATCH_WORDS = 1500  # Not measured; most teachers of en have 2,000.
AVERAGE = 0.99  # it reaches back 1 / (1 - average) steps. Not measured; averages over seeds gained nothing.
MEASURES = 3  # of dev, in a run. A matter of time.

# … what is shown
ENCODER_DROPOUT = 0.1  # Not measured: as BERT was trained.
HEAD_DROPOUT = 0.3  # Not measured.
GAP_PARAGRAPHS = 4  # beside the documents of a batch. That there are some helped; the number: not measured.
WITH_SPEAKERS = 0.5  # how often documents have theirs. Not measured.
CUT_BY_RULE = 0.25  # how often sentences are cut by rule, as those of running text are. Not measured.
# Words of a document of which only a part may be shown, and the least share of it. That parts are shown
# helped; these numbers were not measured.
CROPPED_FROM, SMALLEST_PART = 300, 0.34

# … weights of its losses; a mention of the key and an antecedent have 1
ROUGH_WEIGHT = 0.3  # of all pairs, before the best are scored again. Not measured.
ENTITY_WEIGHT = 0.5  # of whether a span is an entity at all, by key and by teachers. Not measured.
TYPE_WEIGHT = 0.1  # of kinds of entities. Not measured.
GAP_WEIGHT = 1.0  # Not measured; en has 3.
# Not measured. A trained student of en has 65.7 / 68.6 / 73.1, after teaching 65.6 / 68.3 / 74.6.
TEACHER_WEIGHT = 1.0
NEAR_FACTOR = 10.0  # of the distance of word vectors to the teachers'. With it 65.6 / 68.3 / 74.6, without it
# 65.2 / 68.6 / 74.8 (both of en); how large the factor is was not measured.

# … sizes of its head
ENDS, SPAN, PRODUCTS, PAIR_HIDDEN = 256, 256, 8, 160  # Not measured, but that products helped; en has larger.
TRAINED_SPANS_PER_WORD, TRAINED_ANTECEDENTS = 0.3, 40  # Not measured; `referee tune` chooses the first anew.
FEW_ARE_MENTIONS = -3.0  # log odds with which a new head begins. Not measured.
RUN_MENTION_THRESHOLD = -5.0  # log odds of a candidate before `referee tune` chooses. Not measured.

# The scorer of entities. Two figures are CoNLL F1 on OntoGUM train / on the training books of LitBank, of
# networks that had not seen these texts; three are of en: OntoGUM dev / ten books of LitBank / tales.
ENTITY_LOWEST = -7.0  # what a pair must score to be looked at: odds of one in a thousand. Not measured.
# The least share of an entity that must be of the mention's own cluster, if joining it is right: 0.34 has
# 63.9 / 67.6, 0.5 63.7 / 67.5, any share at all 63.7 / 66.4.
ENTITY_SHARE = 0.34
ENTITY_STRANGER = 0.5  # how much each mention of another cluster counts against an entity. Not measured.
ENTITY_ROUNDS = 3  # of collecting examples, the first along the pairs alone. Not measured.
# What an entity must score above none while examples are collected: in the first round, and in those after
# it, where links that are somewhat unlikely are to be seen, too. Not measured.
ENTITY_FIRST_THRESHOLD, ENTITY_THRESHOLD = 0.3, -0.3
ENTITY_SEEDS = (1, 2, 3)  # of networks that are averaged. How many was not measured.
# How much of the correction of pairs remains: all of it has 68.3 / 70.0 / 60.5, 0.7 has 68.4 / 70.5 / 61.4.
ENTITY_CORRECTION = 0.7
ENTITY_HIDDEN, ALONE_HIDDEN = 64, 32  # Not measured.
ENTITY_DROPOUT = 0.2  # after the first layer. Not measured.
ENTITY_RATE, ENTITY_EPOCHS, ENTITY_BATCH = 2e-3, 7, 512  # Not measured.
ENTITY_AVERAGE = 0.99  # of the running average of weights. Not measured.
ENTITY_RARE = 0.001  # of all values, beyond which others are taken as the farthest. Not measured.

# Learning from corrections, with the encoder as it is
CORRECTED_EPOCHS = 10
# Of the head; its tables have ten times as much, as in training. On halves held out in turn, 1e-4 for six
# epochs on ten documents of OntoGUM dev, like which the model knows many, has 65.94 / 65.81 / 64.26 where the
# weights go a quarter, half and all of the way (65.85 before); on four articles of CRAFT, which is foreign to
# it, eight epochs have 28.59 / 28.87 / 30.01 (28.58 before). 3e-4 for ten epochs, the share chosen on other
# folds: twelve of OntoGUM dev 68.56 (69.31 before), six of CRAFT 29.40 (29.37).
CORRECTED_RATE = 1e-4
# The share of entities of one mention from which on they are taken to be annotated throughout: in OntoGUM,
# which leaves them out, it is 0.002, in GUM and LitBank more than a half.
CORRECTED_SINGLETONS = 0.2
CORRECTED_AVERAGE = 0.9  # of the running average of weights. Not measured.

# Heads across documents
HEADS_RATE = 1e-3  # Not measured.
HEADS_FIRST = 0.02  # of the rate, with which it begins to rise; also for mention scorers. Not measured.
HEADS_AVERAGE = 0.98  # of the running average of weights. Not measured.
HEADS_DROPOUT, FEATURES_DROPOUT = 0.3, 0.1  # Not measured.
# Pairs learn for 24 epochs: gold mentions, without a reader, have 71.8 / 76.6 (mean of two seeds), after 48
# epochs 71.1 / 76.6. The mention scorer learns four times as long; found mentions, with a reader: 24 epochs
# 64.0 / 53.5, 48 65.9 / 53.9, 96 67.2 / 55.3, 200 66.4 / 55.8.
HEADS_EPOCHS, LONGER = 24, 4
SEEDS = (1, 2, 3)  # of heads that vote. How many was not measured.
NEGATIVES = 3000  # pairs of a kind in a step that are not the same. A matter of time; not measured.
DOCUMENTS = 0.5  # the share of a topic's documents in a step. Not measured.
FEW_DOCUMENTS = 3  # if no more were drawn, all are taken. Not measured.
HEADS_SPANS_PER_WORD = (0.25, 0.35)  # of each kind, where pairs are those of likely spans. Not measured.
MENTION_WEIGHT = 4.0  # of the mention scorer's loss beside that of pairs. Not measured.
SMALLEST_SPREAD = 0.05  # added to a feature's standard deviation, also for readers. Not measured.
HEADS_SIZE, HEADS_VECTOR, HEADS_HIDDEN = 128, 64, 128  # Not measured.

# A model across documents before anything is tuned
ACROSS_MENTION_THRESHOLD = 0.35  # the probability of a mention. Chosen on dev, together with LONGER.
ACROSS_THRESHOLD = 0.4  # τ. Not measured: `referee tune` tries others.

# The mention scorer that is trained by itself, and its teachers
MENTIONS_STEPS = 3000  # Not measured.
MENTIONS_RATE, MENTIONS_LAYER_DECAY, MENTIONS_HEAD_RATE = 6e-5, 0.9, 1e-3  # Not measured.
MENTIONS_WORDS, MENTIONS_TAUGHT = 1200, 7000  # annotated, and judged by others, in a step. Not measured.
MENTIONS_ANNOTATED_EVERY = 64  # steps. Not measured; for readers it was.
MENTIONS_AVERAGE = 0.998  # Not measured.
MENTIONS_DROPOUT = 0.3  # Not measured; the scorer of en has 0.15.

# The reader
# Not measured by itself. A reader from annotation alone had 72.1 / 75.7 (subtopics as they were found then),
# and with annotation in each step the loss on dev rises from the first quarter of a run on.
READER_STEPS = 2000
READER_RATE, READER_LAYER_DECAY, READER_HEAD_RATE = 1e-4, 0.85, 1e-3  # Not measured.
READER_FIRST = 0.01  # of the rate, with which it begins to rise. Not measured.
READER_AVERAGE = 0.995  # Not measured; averages of several readers' weights gained nothing (76.3 / 80.5).
ROW_LENGTHS = (96, 160, 256, 384, 512)  # in subwords; one is drawn in each step. Not measured.
READER_SUBWORDS, READER_TAUGHT = 600, 4200  # annotated, and judged by others, in a step. Not measured.
# Steps until annotated passages come again; where there are no others, they come in each. Beside passages
# that others judged: each step 76.6 / 79.1 (fewer texts), 4th 76.8 / 78.6, 8th 76.5 / 80.3, 32nd 76.6 / 80.7,
# while the share of subwords left out differs, too (4th: 5 %, 8th and 32nd: 10 %); en has 8.
READER_ANNOTATED_EVERY = 1
# Of whole subwords. Beside passages that others judged 0.05 to 0.1 have 76.5 to 76.8 / 78.6 to 80.7, 0.2 has
# 77.2 / 81.9, as en has it; from annotation alone it was not measured.
SUBWORD_DROPOUT = 0.0
LAYER_DROPOUT = 0.1  # 76.5 / 80.3, where 0.2 has 76.2 / 81.5 (both with a tenth of the subwords left out).
READER_DROPOUT, READER_FEATURES_DROPOUT = 0.3, 0.1  # Not measured.
READER_VECTOR, READER_HIDDEN = 128, 256  # Not measured.
ROUNDED_FROM = 0.75  # of all steps, after which products are rounded as the export will. Not measured.
NOISE = 0.08  # in how alike passages are, when a block is drawn. Not measured.
# Pairs of mentions that weigh as one pair of passages: annotated ones, and those that others judged. Not
# measured.
PAIRS_WEIGHED, PAIRS_WEIGHED_TAUGHT = 40, 160
PAIRED_PASSAGES = 24  # that each is paired with, at most. Not measured; en has 5 where nothing is annotated.
ELSEWHERE = 200  # subwords that another passage is away, for an encoder that knows distances. Not measured.
