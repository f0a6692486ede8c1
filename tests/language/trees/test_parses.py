"""Where parse trees come from, how they are aligned with a key, and what is said when they are not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import referee
from referee import FormatError, Protocol, ProtocolError, Result, score
from referee.language.trees.parses import has_parses

MUC = Path(__file__).parents[2] / "data" / "muc" / "key.sgm"
MINA = Protocol(match="mina")
SKIP = Protocol(match="mina", bad_parses="skip")

FIRST = "(S (NP (NP (DT The) (NN end)) (PP (IN of) (NP (PRP it)))) (VP (VBZ nears)))"
SECOND = "(S (NP (PRP It)) (VP (VBZ is) (ADJP (RB very) (JJ near))))"
WORDS = [["The", "end", "of", "it", "nears"], ["It", "is", "very", "near"]]
GOLD = {0: "(0", 3: "0)", 5: "(0)"}  # "The end of it", "It"
SYSTEM = {0: "(0", 1: "0)", 5: "(0)"}  # "The end", "It"


def conll(
    cells: dict[int, str], words: list[list[str]] = WORDS, name: str = "doc", *, breaks: bool = True
) -> str:
    lines, token = [f"#begin document {name}"], 0
    for sentence in words:
        for number, word in enumerate(sentence):
            lines.append(f"{number}\t{word}\t{cells.get(token, '-')}")
            token += 1
        lines += [""] * breaks
    return "\n".join([*lines, "#end document", ""])


def write(folder: Path, **texts: str) -> list[Path]:
    paths = [folder / name.replace("_", ".") for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def scored(
    folder: Path,
    trees: str,
    *,
    protocol: Protocol = MINA,
    key: str | None = None,
    response: str | None = None,
) -> Result:
    paths = write(
        folder, key_conll=key or conll(GOLD), response_conll=response or conll(SYSTEM), trees_ptb=trees
    )
    return score(paths[0], paths[1], protocol=protocol, parses=paths[2])


def test_a_file_beside_the_key(tmp_path: Path) -> None:
    assert scored(tmp_path, f"{FIRST}\n{SECOND}\n").muc.f1 == 1
    assert score(tmp_path / "key.conll", tmp_path / "response.conll").muc.f1 == 0


def test_trees_over_several_lines_and_a_key_without_sentences(tmp_path: Path) -> None:
    trees = f"{FIRST}\n\n{SECOND}".replace(" (VP", "\n   (VP")
    key, response = (conll(cells, breaks=False) for cells in (GOLD, SYSTEM))
    assert scored(tmp_path, trees, key=key, response=response).muc.f1 == 1


def test_brackets_and_quotes_may_be_spelled_in_two_ways(tmp_path: Path) -> None:
    words = [["(", "The", '"', "end", ")"]]
    trees = "(NP (-LRB- -LRB-) (NP (DT The) (`` ``) (NN end)) (-RRB- -RRB-))"
    key, response = (conll({1: "(0", at: "0)", 0: "(0)"}, words) for at in (3, 4))
    assert scored(tmp_path, trees, key=key, response=response).muc.f1 == 1


def test_one_file_for_several_documents(tmp_path: Path) -> None:
    key, response = (
        conll(cells, name="(a/b); part 000") + conll(cells, name="(a/b); part 001")
        for cells in (GOLD, SYSTEM)
    )
    trees = f"{FIRST}\n{SECOND}\n" * 2
    assert scored(tmp_path, trees, key=key, response=response).muc.f1 == 1
    with pytest.raises(FormatError, match=r"trees.ptb:3: sentence 1 of \(a/b\); part 001 does not align"):
        scored(tmp_path, f"{FIRST}\n{SECOND}\n{SECOND}\n{FIRST}\n", key=key, response=response)
    together = trees.replace("\n(S (NP (PRP It", " (S (NP (PRP It")  # several trees on a line
    assert scored(tmp_path, together, key=key, response=response).muc.f1 == 1
    with pytest.raises(FormatError, match=r"trees.ptb: has no tree"):
        scored(tmp_path, "The end of it nears\n", key=key, response=response)
    cut = f"{FIRST[:-1]}\n{SECOND[1:]}\n"  # one tree where the key has two
    with pytest.raises(FormatError, match="part 001 begins at token 10, but no tree does"):
        scored(tmp_path, f"{FIRST}\n(S {SECOND} {FIRST})\n{SECOND}\n{cut}", key=key, response=response)


def test_a_folder_with_a_file_for_each_document(tmp_path: Path) -> None:
    trees = tmp_path / "trees" / "deep"
    trees.mkdir(parents=True)
    for name in ("one", "two"):
        (trees / f"{name}.mrg").write_text(f"{FIRST}\n{SECOND}\n", encoding="utf-8")
    key, response = (
        "".join(conll(cells, name=name) for name in ("x/one", "two")) for cells in (GOLD, SYSTEM)
    )
    one, other = write(tmp_path, key_conll=key, response_conll=response)
    assert score(one, other, protocol=MINA, parses=tmp_path / "trees").muc.f1 == 1
    assert score(one, other, protocol=MINA, parses=tmp_path / "trees", jobs=2).muc.f1 == 1
    (trees / "two.mrg").rename(trees / "three.mrg")
    with pytest.raises(FormatError, match="no trees for document two: no file of that name"):
        score(one, other, protocol=MINA, parses=tmp_path / "trees")


@pytest.mark.parametrize(
    ("trees", "message"),
    [
        (f"{FIRST}\n{SECOND}\n".replace("very", "so"), r"ptb:2: sentence 2 of doc .*It is so'.*It is very'"),
        (f"{FIRST}\n", r"trees.ptb:1: .*it nears', the key '.*it nears It' \(5 and 9 tokens"),
        (f"{FIRST}\n{SECOND}\n{SECOND}\n", r"trees.ptb:3: sentence 3 .*'It'.*the key 'nothing more'"),
    ],
)  # fmt: skip
def test_the_first_sentence_that_does_not_align_is_named(tmp_path: Path, trees: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        scored(tmp_path, trees)


def test_a_malformed_tree_is_named_by_file_line_and_sentence(tmp_path: Path) -> None:
    bad = FIRST.removesuffix(")")
    with pytest.raises(FormatError, match=r"trees.ptb:2: sentence 1 of doc: 1 of its brackets never close"):
        scored(tmp_path, f"\n{bad}\n{SECOND}\n")


def test_a_malformed_tree_without_mentions_of_several_words_does_no_harm(tmp_path: Path) -> None:
    assert scored(tmp_path, f"{FIRST}\n{SECOND.removesuffix(')')}\n").muc.f1 == 1


@pytest.mark.parametrize("breaks", [True, False])
@pytest.mark.parametrize("bad", [FIRST.removesuffix(")"), FIRST.replace("(NN end)", "(NN"), "(S (X nothing"])
def test_skipping_scores_by_maximum_spans_counts_and_shows(tmp_path: Path, bad: str, breaks: bool) -> None:
    sides = {"key": conll(GOLD, breaks=breaks), "response": conll(SYSTEM, breaks=breaks)}
    skipped = scored(tmp_path, f"{bad}\n{SECOND}\n", protocol=SKIP, **sides)
    assert skipped.muc.f1 == 0
    assert any(notice.endswith("2 mentions scored by maximum span: bad parse") for notice in skipped.notices)
    assert "match:mina|" in skipped.signature
    assert "bad_parses:skip" in skipped.signature


def column_file(cells: dict[int, str], bits: list[str], tags: list[str]) -> str:
    lines, token = ["#begin document (d); part 000"], 0
    for sentence in WORDS:
        for number, word in enumerate(sentence):
            row = ["d", "0", str(number), word, tags[token], bits[token], *["-"] * 5, cells.get(token, "-")]
            lines.append("   ".join(row))
            token += 1
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


TAGS = ["DT", "NN", "IN", "PRP", "VBZ", "PRP", "VBZ", "RB", "JJ"]
BITS = ["(S(NP(NP*", "*)", "(PP*", "(NP*)))", "(VP*))", "(S(NP*)", "(VP*", "(ADJP*", "*)))"]


def column_score(folder: Path, bits: list[str], protocol: Protocol = MINA) -> Result:
    key, response = (column_file(cells, bits, TAGS) for cells in (GOLD, SYSTEM))
    paths = write(folder, key_conll=key, response_conll=response)
    return score(paths[0], paths[1], protocol=protocol)


def test_the_parse_column_is_taken_where_there_is_one(tmp_path: Path) -> None:
    assert column_score(tmp_path, BITS).muc.f1 == 1


def test_a_malformed_parse_column_is_named_by_file_line_and_sentence(tmp_path: Path) -> None:
    bad = [*BITS[:3], "(NP*))", *BITS[4:]]
    with pytest.raises(FormatError, match=r"key.conll:2: sentence 1 of \(d\); part 000: 1 of its brackets"):
        column_score(tmp_path, bad)
    skipped = column_score(tmp_path, bad, SKIP)
    assert skipped.muc.f1 == 0
    assert any("2 mentions scored by maximum span" in notice for notice in skipped.notices)
    unused = [*BITS[:8], "*"]  # the second sentence has no mention of several words
    assert column_score(tmp_path, unused).muc.f1 == 1


@pytest.mark.parametrize("match", ["mina", "head"])
def test_without_parses_the_error_says_what_is_missing_and_how_to_get_it(tmp_path: Path, match: str) -> None:
    paths = write(tmp_path, key_conll=conll(GOLD), response_conll=conll(SYSTEM))
    wanted = f"document doc has no parse trees, which match='{match}' needs; give parses="
    with pytest.raises(ProtocolError, match=wanted):
        score(*paths, protocol=Protocol(match=match))
    dashes = write(tmp_path, key_conll=column_file(GOLD, ["-"] * 9, TAGS))
    with pytest.raises(ProtocolError, match="has no parse trees"):
        score(dashes[0], paths[1], protocol=Protocol(match=match))


def test_documents_in_memory_bring_their_parse_layer(tmp_path: Path) -> None:
    paths = write(
        tmp_path, key_conll=column_file(GOLD, BITS, TAGS), response_conll=conll(SYSTEM, name="(d); part 000")
    )
    key, response = (list(referee.read(path)) for path in paths)
    assert score(key, response, protocol=MINA).muc.f1 == 1


def test_other_token_counts_are_refused(tmp_path: Path) -> None:
    short = conll({0: "(0)"}, WORDS[:1])
    with pytest.raises(FormatError, match="9 words in the key, 5 in the response"):
        scored(tmp_path, f"{FIRST}\n{SECOND}\n", response=short)


def test_running_text_has_no_parse_trees(tmp_path: Path) -> None:
    paths = write(tmp_path, key_jsonl='{"doc_key": "d", "text": "a b", "clusters": [[[0, 3]]]}\n')
    with pytest.raises(ProtocolError, match="a running text has no words of its own"):
        score(paths[0], paths[0], protocol=MINA)


class TestWhetherThereAreParses:
    """A parse column may be there and hold nothing; documents may differ."""

    @staticmethod
    def corpus(folder: Path, *columns: Sequence[str]) -> referee.Corpus:
        texts = [
            column_file(GOLD, list(bits), TAGS).replace("(d)", f"(d{i})") for i, bits in enumerate(columns)
        ]
        return referee.read(write(folder, key_conll="".join(texts))[0])

    @pytest.mark.parametrize("cell", ["*", "-", "_"])
    def test_a_column_without_a_bracket_is_none(self, tmp_path: Path, cell: str) -> None:
        assert not has_parses(self.corpus(tmp_path, [cell] * 9))

    def test_one_document_without_is_enough(self, tmp_path: Path) -> None:
        assert has_parses(self.corpus(tmp_path, BITS, BITS))
        assert not has_parses(self.corpus(tmp_path, BITS, ["*"] * 9))

    def test_the_first_word_may_be_in_no_phrase(self, tmp_path: Path) -> None:
        key = self.corpus(tmp_path, ["*", "(NP*", "*", "*", "*)", "*", "(VP*", "*", "*)"])
        assert has_parses(key)
        assert score(key, key, protocol=MINA).muc.f1 == 1

    def test_other_columns_do_not_count(self, tmp_path: Path) -> None:
        bare = write(tmp_path, key_conll=conll(GOLD))[0]
        assert not has_parses(referee.read(bare))

    def test_running_text_has_none(self, tmp_path: Path) -> None:
        path = write(tmp_path, key_jsonl='{"doc_key": "d", "text": "a b", "clusters": [[[0, 3]]]}\n')[0]
        assert not has_parses(referee.read(path))
