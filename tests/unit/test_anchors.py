"""Anchors as text: the same log, the same bytes; what was changed in one is seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.anchors import anchor_of, anchor_text, parse_anchors, trailer
from smriti_tui.domain.errors import Invalid

STORE = "0f2d7e88-3c1b-4a57-9a08-5f3b1f0a6c01"
STREAMS = st.from_regex(r"[a-z0-9][a-z0-9_.~/-]{0,20}", fullmatch=True)
HEADS = st.dictionaries(
    STREAMS, st.tuples(st.integers(1, 10**9), st.from_regex(r"[0-9a-f]{64}", fullmatch=True)),
    min_size=1, max_size=5,
)  # fmt: skip


@given(heads=HEADS, position=st.integers(1, 10**12))
def test_both_forms_are_read_back(heads: dict[str, tuple[int, str]], position: int) -> None:
    anchor = anchor_of(STORE, position, heads)
    assert parse_anchors(anchor_text(anchor)) == [anchor]
    [line] = parse_anchors(f"commit 1\n\n    words\n\n    {trailer(anchor)}\n    Other: x\n")
    assert (line.store, line.position, line.digest) == (STORE, position, anchor.digest)
    turned = dict(reversed(heads.items()))
    assert anchor_text(anchor_of(STORE, position, turned)) == anchor_text(anchor)


@given(heads=HEADS, data=st.data())
def test_a_changed_file_is_no_anchor(
    heads: dict[str, tuple[int, str]], data: st.DataObject
) -> None:
    lines = anchor_text(anchor_of(STORE, 7, heads)).splitlines()
    number = data.draw(st.integers(0, len(lines) - 1))
    how = data.draw(st.sampled_from(("gone", "odd", "twice")))
    lines[number : number + 1] = {
        "gone": [], "odd": [f"{lines[number]}0"], "twice": [lines[number]] * 2
    }[how]  # fmt: skip
    if (how, number) == ("odd", 2):
        return  # Another event: that is for the log to say.
    with pytest.raises(Invalid):
        parse_anchors("\n".join(lines))


@pytest.mark.parametrize("text", ["", "words", "Smriti-Anchor: x 1 y", "smriti-anchor 1\n"])
def test_what_holds_none_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_anchors(text)
