"""What makes the content of a checkpoint unusable: ids that do not tell its parts apart."""

from __future__ import annotations

import pytest

from smriti_tui.domain.checkpoint_input import parse_checkpoint
from smriti_tui.domain.errors import Invalid

A, B = {"text": "a", "uid": "u-1"}, {"text": "b", "uid": "u-1"}
ARTIFACT = {"id": "u-1", "type": "text", "label": "l", "content": "c"}


@pytest.mark.parametrize(
    "content",
    [
        {"decisions": [A, B]},
        {"decisions": [A], "assumptions": [B]},
        {"tasks": [A], "open_questions": [B]},
        {"decisions": [A], "artifacts": [ARTIFACT]},
        {"artifacts": [ARTIFACT, ARTIFACT]},
    ],
)
def test_two_parts_with_one_id_are_refused(content: dict[str, object]) -> None:
    with pytest.raises(Invalid, match="u-1"):
        parse_checkpoint({"title": "t", **content})


@pytest.mark.parametrize("uid", ["a\nb", "a\x1b[31m", "x" * 201, " "])
def test_an_id_is_one_plain_line(uid: str) -> None:
    with pytest.raises(Invalid, match="one line"):
        parse_checkpoint({"title": "t", "decisions": [{"text": "a", "uid": uid}]})


def test_parts_without_ids_and_with_their_own_are_taken() -> None:
    found = parse_checkpoint({"title": "t", "decisions": ["x", "y", A], "tasks": ["x"]})
    assert [item.uid for item in found.decisions] == ["", "", "u-1"]
