"""Cuts between the messages of a transcript: what a person changes is what comes in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.split_text import Message, cut, messages_of, split_of

TEXT = st.text(st.sampled_from("ab =\n"), min_size=1, max_size=20).filter(
    lambda text: bool(text.strip()) and text == text.strip("\n")
)
MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(["user", "assistant", "system"]), TEXT),
    min_size=1,
    max_size=5,
)


@given(MESSAGES)
def test_what_nobody_changes_is_as_it_was(given_messages: list[Message]) -> None:
    split = split_of(given_messages)
    assert messages_of(split.text, split.width) == tuple(given_messages)


def test_joining_and_cutting() -> None:
    split = split_of([Message("user", "a\nb"), Message("assistant", "c")])
    lines = split.text.split("\n")
    assert messages_of("\n".join(lines[:3] + lines[4:]), split.width) == (
        Message("user", "a\nb\nc"),
    )
    cut_text = "\n".join([*lines[:2], cut("assistant", 4), *lines[2:]])
    assert messages_of(cut_text, split.width)[:2] == (
        Message("user", "a"), Message("assistant", "b"),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["", "words", "==== robot ====\nx", "==== user ====\n \n"])
def test_what_is_no_split_is_told(text: str) -> None:
    with pytest.raises(Invalid):
        messages_of(text, 4)
