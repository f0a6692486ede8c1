"""Protocols and their signatures."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from referee import Protocol, ProtocolError, __version__
from referee.matching.protocol import CHOICES, PRESETS


def test_every_field_is_in_the_signature() -> None:
    by_tree = Protocol(match="mina", gaps="fill", scope="corpus", ids="corpus", repair="yes")
    by_corefud = Protocol(match="partial", counting="crac")
    by_ua = replace(PRESETS["ua"], layer="bridging")
    others = {"counting": by_corefud, "zeros": by_corefud, "heads": by_corefud, "sets": by_ua, "layer": by_ua}
    for field in fields(Protocol):
        protocol = others.get(field.name, by_tree)
        assert f"{field.name}:{getattr(protocol, field.name)}" in protocol.signature
    assert "bad_parses" not in Protocol().signature  # it says nothing about matchings that read no trees
    assert set(CHOICES) <= {field.name for field in fields(Protocol)}


@pytest.mark.parametrize(
    "protocol",
    [
        *PRESETS.values(),
        Protocol(singletons="drop", input="strict"),
        Protocol(match="mina", bad_parses="skip"),
        Protocol(match="min"),
    ],
)
def test_a_signature_is_read_back(protocol: Protocol) -> None:
    assert Protocol.parse(protocol.signature) == protocol
    assert Protocol.parse(f"conll-f1|{protocol.signature} = 75.08") == protocol


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("conl", "did you mean conll"),
        ("match:fuzzy", "match must be exact"),
        ("match:exact|bad_parses:skip", "does not apply to match:exact"),
        ("sets:keep|match:mina-coval", "sets='keep' does not go with match='mina-coval'"),
        ("sets:keep|scope:topic", "sets='keep' does not go with scope='topic'"),
        ("colour:red", "no field 'colour'"),
        ("match:exact|version:0.0.0", f"of version 0.0.0, but this is Referee {__version__}"),
        ("", "neither a protocol"),
    ],
)
def test_what_is_no_protocol_is_refused(text: str, message: str) -> None:
    with pytest.raises(ProtocolError, match=message):
        Protocol.parse(text)


def test_hashes_of_trees_and_groups_are_passed_over() -> None:
    protocol = Protocol(match="mina", scope="group")
    signature = protocol.signature.replace("|version", "|trees:0a1b2c3d4e5f|groups:ffee00112233|version")
    assert Protocol.parse(signature) == protocol
    with pytest.raises(ProtocolError, match=r"trees in a signature are named by a hash, not 'parses\.ptb'"):
        Protocol.parse("match:mina|trees:parses.ptb")


def test_the_signature_is_made_of_the_choices() -> None:
    assert Protocol().choices == {
        "match": "exact", "singletons": "keep", "scope": "document", "kind": "all", "input": "conll",
    }  # fmt: skip
    assert Protocol(match="mina").choices["bad_parses"] == "refuse"
