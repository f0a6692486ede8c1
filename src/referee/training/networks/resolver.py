"""The resolver in torch: an encoder, a score for each span, a score for each pair of the best spans.

Spans are scored from their ends (Kirstain et al. 2021), the best are kept, and their pairs are scored twice
(Lee et al. 2018): all of them roughly, by products of two vectors and what can be seen of the words, and the
best of those once more by a small network with a last layer for each category of pair (Otmazgin et al. 2023).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.arrays import IntArray
from referee.formats.io.saving import save_bytes
from referee.resolvers.neural import features as surface
from referee.resolvers.neural.features import (
    IMPOSSIBLE,
    MAX_SPAN_WIDTH,
    Common,
    PairFeatures,
    SpanFeatures,
    WordFeatures,
)
from referee.training.constants import FEW_ARE_MENTIONS
from referee.training.networks.encoder import Encoder
from referee.training.networks.shapes import Shape, Sizes

NEW_IN_ENCODER = "encoder.kinds.weight"  # no encoder was trained with it, so it learns as fast as a head
ENTITY_TYPES = 11  # GUM's ten, and 0 for unknown


class Inputs(NamedTuple):
    """Documents, one after the other."""

    rows: Tensor  # windows of subwords
    kinds: Tensor  # the kind of each subword
    used: Tensor  # whether there is a subword
    words: WordFeatures
    ends: Tensor  # word → its first and its last subword, among all rows one after the other


class Scored(NamedTuple):
    """What the network says of a batch."""

    linked: Tensor  # word × width: whether a span is a mention that is linked
    entity: Tensor  # word × width: whether it is an entity at all
    valid: Tensor  # word × width: whether it is a span at all
    index: Tensor  # the spans that were kept: word × MAX_SPAN_WIDTH + width
    spans: SpanFeatures
    mention: Tensor  # kept span → whether it is a mention that is linked, judged again
    types: Tensor  # kept span × ENTITY_TYPES
    rough: Tensor  # kept span × kept span
    candidates: Tensor  # kept span × antecedents → kept span
    scores: Tensor  # kept span × (1 + antecedents); the first is 0, for none


class _LookUp(torch.autograd.Function):
    """Read a short table at many indices; most may be the same, at which the gradient of torch is slow."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, index: Tensor) -> Tensor:
        ctx.save_for_backward(index)
        ctx.size = len(table)
        return table[index]

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple[Tensor, None]:
        (index,) = ctx.saved_tensors
        by_row = slopes[0].new_zeros(len(index), ctx.size)
        return by_row.scatter_add_(1, index, slopes[0]).sum(0), None


def table_values(table: Tensor, index: Tensor) -> Tensor:
    """Read a table of single numbers at rows × columns of indices."""
    read: Tensor = _LookUp.apply(table, index)
    return read


class Head(nn.Module):
    """Everything after the encoder."""

    def __init__(self, width: int, sizes: Sizes) -> None:
        """Allocate the weights."""
        super().__init__()
        s, self.sizes = sizes, sizes
        self.guideline = nn.Embedding(s.guidelines, width)
        self.first, self.last = nn.Linear(width, s.ends), nn.Linear(width, s.ends)
        self.first_score, self.last_score = nn.Linear(s.ends, 2), nn.Linear(s.ends, 2)
        self.ends = nn.Linear(s.ends, 2 * s.ends, bias=False)
        self.length = nn.Embedding(MAX_SPAN_WIDTH, 2)
        self.span_first, self.span_last = nn.Linear(width, s.span), nn.Linear(width, s.span, bias=False)
        self.span_mean = nn.Linear(width, s.span, bias=False)
        self.seen = nn.ModuleDict(
            {
                name: nn.Embedding(s.pronouns if name == "pronoun" else size, s.span)
                for name, size in surface.EMBEDDED.items()
            }
        )
        self.mention, self.types = nn.Linear(s.span, 1), nn.Linear(s.span, ENTITY_TYPES)
        self.query, self.key = nn.Linear(s.span, s.span), nn.Linear(s.span, s.span)
        self.product = nn.Linear(s.products, 1, bias=False)
        self.rough = nn.ModuleList(nn.Embedding(size, 1) for size in _pair_sizes(s))
        self.ours, self.theirs = nn.Linear(s.span, s.hidden), nn.Linear(s.span, s.hidden, bias=False)
        self.products = nn.Linear(s.products, s.hidden, bias=False)
        if s.factors:
            self.left, self.right = nn.Linear(s.span, s.factors), nn.Linear(s.span, s.factors)
            self.factors = nn.Linear(s.factors, s.hidden, bias=False)
        self.pairs = nn.ModuleList(nn.Embedding(size, s.hidden) for size in _pair_sizes(s))
        self.category = nn.Linear(s.hidden, surface.CATEGORIES)
        self.dropout = nn.Dropout(s.dropout)
        for table in [self.guideline, self.length, *self.rough]:
            nn.init.zeros_(table.weight)
        for table in [*self.seen.values(), *self.pairs]:
            nn.init.normal_(table.weight, std=0.1)
        nn.init.ones_(self.product.weight)
        nn.init.constant_(self.first_score.bias, FEW_ARE_MENTIONS)

    def forward(
        self, states: Tensor, words: WordFeatures, given: tuple[Tensor, Tensor] | None = None
    ) -> Scored:
        """Score the spans and pairs of some documents in one; `given` are spans and antecedents."""
        states = self.dropout(states) + self.guideline(words.guideline)
        linked, entity, valid = self.score_spans(states, words)
        index = given[0] if given else self.prune_spans(linked, valid)
        start = index // MAX_SPAN_WIDTH
        end = start + index % MAX_SPAN_WIDTH
        zero = words.form.new_zeros(1)
        spans = surface.describe_spans(torch, words, torch.cat([zero, words.form.cumsum(0)]), start, end)
        vectors = self.span_vectors(states, spans)
        mention = linked.reshape(-1)[index] + self.mention(vectors).squeeze(-1)
        pairs = self.describe_pairs(words, spans)
        products = self.multiply(vectors)
        rough = self.score_roughly(products, pairs, mention, spans)
        count = min(self.sizes.antecedents, index.numel())
        candidates = given[1] if given else rough.detach().topk(count, dim=1).indices
        scores = self.score_finely(vectors, products, pairs, rough, candidates)
        types = self.types(vectors)
        return Scored(linked, entity, valid, index, spans, mention, types, rough, candidates, scores)

    def score_spans(self, states: Tensor, words: WordFeatures) -> tuple[Tensor, Tensor, Tensor]:
        """Score every span of up to MAX_SPAN_WIDTH words that stays in its sentence."""
        first = self.dropout(functional.gelu(self.first(states), approximate="tanh"))
        last = self.dropout(functional.gelu(self.last(states), approximate="tanh"))
        pad = MAX_SPAN_WIDTH - 1
        lasts = functional.pad(last, (0, 0, 0, pad)).unfold(0, MAX_SPAN_WIDTH, 1)  # word × ends × width
        both = self.ends(first).view(len(states), 2, -1)
        scores = torch.bmm(both, lasts) / self.sizes.ends**0.5
        scores = scores + self.first_score(first)[:, :, None] + self.length.weight.T[None]
        scores = scores + functional.pad(self.last_score(last), (0, 0, 0, pad)).unfold(0, MAX_SPAN_WIDTH, 1)
        place = words.sentence + words.document * 1_000_000
        valid = functional.pad(place, (0, pad), value=-1).unfold(0, MAX_SPAN_WIDTH, 1) == place[:, None]
        scores = scores.float().masked_fill(~valid[:, None], IMPOSSIBLE)
        return scores[:, 0], scores[:, 1], valid

    def prune_spans(self, linked: Tensor, valid: Tensor) -> Tensor:
        """Keep the best spans, in the order of the text."""
        count = min(int(self.sizes.spans_per_word * len(linked)) + 5, linked.numel())
        best = linked.detach().reshape(-1).topk(count).indices.sort().values
        return best[valid.reshape(-1)[best]]

    def span_vectors(self, states: Tensor, spans: SpanFeatures) -> Tensor:
        """Describe a span by its ends, its mean, and what can be seen of it."""
        zero = states.new_zeros(1, states.shape[1], dtype=torch.float32)
        sums = torch.cat([zero, states.float().cumsum(0)])
        mean = (sums[spans.end + 1] - sums[spans.start]) / (spans.end + 1 - spans.start)[:, None]
        vectors = (
            self.span_first(states[spans.start]) + self.span_last(states[spans.end]) + self.span_mean(mean)
        )
        for name in surface.EMBEDDED:
            vectors = vectors + self.seen[name](getattr(spans, name))
        return self.dropout(functional.gelu(vectors, approximate="tanh"))

    def describe_pairs(self, words: WordFeatures, spans: SpanFeatures) -> PairFeatures:
        """Describe all pairs of spans by whole numbers."""
        count, device = len(spans.start), spans.start.device
        blank = torch.zeros(count, surface.BUCKETS + 1, device=device)
        bags = surface.fill_bags(torch, words, spans, torch.arange(MAX_SPAN_WIDTH, device=device), blank)
        sizes = bags.sum(1)
        common = Common(bags @ bags.T, sizes, sizes)
        order = torch.arange(count, device=device)
        distance = (order[:, None] - order[None]).clamp(min=0)
        return surface.describe_pairs(torch, spans, spans, common, distance)

    def multiply(self, vectors: Tensor) -> Tensor:
        """Multiply each span's vector with each other's, in several parts: span × span × products."""
        parts = self.sizes.products
        query = self.query(vectors).view(len(vectors), parts, -1).transpose(0, 1)
        key = self.key(vectors).view(len(vectors), parts, -1).transpose(0, 1)
        return (query @ key.transpose(1, 2) / query.shape[-1] ** 0.5).permute(1, 2, 0)

    def score_roughly(
        self, products: Tensor, pairs: PairFeatures, mention: Tensor, spans: SpanFeatures
    ) -> Tensor:
        """Score all pairs; only an earlier span of the same document can be an antecedent."""
        rough = self.product(products).squeeze(-1).float() + mention[:, None] + mention[None]
        for table, column in zip(self.rough, pairs, strict=False):
            rough = rough + table_values(table.weight[:, 0], column)
        earlier = torch.ones_like(rough, dtype=torch.bool).tril(-1)
        return rough.masked_fill(~(earlier & (spans.document[:, None] == spans.document[None])), IMPOSSIBLE)

    def score_finely(
        self, vectors: Tensor, products: Tensor, pairs: PairFeatures, rough: Tensor, candidates: Tensor
    ) -> Tensor:
        """Score the candidates once more, and put none of them first."""
        rows = torch.arange(len(vectors), device=vectors.device)[:, None]
        hidden = self.ours(vectors)[:, None] + self.theirs(vectors)[candidates]
        hidden = hidden + self.products(products[rows, candidates])
        if self.sizes.factors:
            hidden = hidden + self.factors(self.left(vectors)[:, None] * self.right(vectors)[candidates])
        for table, column in zip(self.pairs, pairs, strict=False):
            hidden = hidden + table(column[rows, candidates])
        by_category = self.category(self.dropout(functional.relu(hidden)))
        fine = by_category.gather(2, pairs.category[rows, candidates][:, :, None]).squeeze(2).float()
        scores = fine + rough[rows, candidates]
        scores = scores.masked_fill(rough[rows, candidates] <= IMPOSSIBLE / 2, IMPOSSIBLE)
        return torch.cat([scores.new_zeros(len(scores), 1), scores], 1)


def _pair_sizes(sizes: Sizes) -> tuple[int, ...]:
    return surface.MATCHES, sizes.pronouns**2, surface.DISTANCES, surface.RELATIONS


class Network(nn.Module):
    """The encoder and the head."""

    def __init__(self, encoder: Any, sizes: Sizes) -> None:
        """Join an encoder and a new head."""
        super().__init__()
        self.encoder = encoder
        self.head = Head(encoder.shape.width, sizes)

    def forward(self, inputs: Inputs, given: tuple[Tensor, Tensor] | None = None) -> Scored:
        """Encode windows, read each word's first and last subword, and score."""
        return self.head(self.read(inputs), inputs.words, given)

    def read(self, inputs: Inputs) -> Tensor:
        """Give a vector for each word: the mean of its first and its last subword."""
        device = inputs.rows.device.type
        # The head stays in single precision: its scores are added up.
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            states = self.encoder(inputs.rows, inputs.kinds, inputs.used)
        words: Tensor = states.reshape(-1, self.encoder.shape.width)[inputs.ends].float().mean(1)
        return words

    def layers_above(self, name: str) -> int | None:
        """Count the encoder's layers above one of its weights; None for a weight of the head."""
        if not name.startswith("encoder.") or name == NEW_IN_ENCODER:
            return None
        depth: int = self.encoder.shape.layers
        return depth - 1 - int(name.split(".")[2]) if name.startswith("encoder.layers.") else depth


def save_network(network: Network, subwords: IntArray, settings: Mapping[str, Any], path: Path) -> None:
    """Write all weights in half precision, with what is needed to build the network again."""
    from safetensors.torch import save

    state = {name: weight.detach().half().cpu().contiguous() for name, weight in network.state_dict().items()}
    state["kept"] = torch.from_numpy(subwords.astype(np.int32))
    shape = asdict(network.encoder.shape)
    about = {"shape": json.dumps(shape), "sizes": json.dumps(network.head.sizes.as_dict())}
    save_bytes(path, save(state, {**about, "settings": json.dumps(settings)}))


def load_network(path: Path, device: str, dropout: float = 0.0) -> Network:
    """Read a network back, ready to answer."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        about = file.metadata()
        state = {name: file.get_tensor(name).float() for name in file.keys() if name != "kept"}  # noqa: SIM118
    network = Network(
        Encoder(Shape(**json.loads(about["shape"])), dropout), Sizes(**json.loads(about["sizes"]))
    )
    network.load_state_dict(state)
    return network.to(device).eval()
