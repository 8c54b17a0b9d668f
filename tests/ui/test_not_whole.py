"""An answer that ended in good order and is not whole says so below its text."""

from __future__ import annotations

import pytest

from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Turn
from smriti_tui.screens.desk.entries import turn_view
from smriti_tui.widgets.transcript_model import status_words


@pytest.mark.parametrize(
    ("finish", "words"),
    [("stop", ""), ("length", "not whole: it reached the limit"), ("content_filter", "filter")],
)
def test_the_words_below_an_answer(finish: str, words: str) -> None:
    turn = Turn(
        SessionId("s"), 2, 1, "assistant", "text", "text", "complete",
        "2026-03-02T14:05:09.123456Z", question=1, finish=finish,
    )  # fmt: skip
    said = status_words(turn_view(turn))
    assert words in said
    assert bool(said) == bool(words)
