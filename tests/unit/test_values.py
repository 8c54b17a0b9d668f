"""Canonical forms, repairs at the door, ids."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import command_event_id, is_uuid, new_event_id
from smriti_tui.domain.values import (
    MAX_PAYLOAD_BYTES,
    canonical,
    payload_text,
    repair_text,
)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


def test_canonical_text_is_sorted_compact_and_not_escaped() -> None:
    assert canonical({"b": 1, "a": [True, None, "é漢"]}) == '{"a":[true,null,"é漢"],"b":1}'


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, {1, 2}, object()])
def test_what_is_no_json_is_refused(value: object) -> None:
    with pytest.raises(Invalid):
        canonical({"x": value})


@pytest.mark.parametrize("payload", [[1], 7, None, "text"])
def test_a_payload_is_an_object(payload: object) -> None:
    with pytest.raises(Invalid):
        payload_text(payload)  # type: ignore[arg-type]


def test_nul_and_lone_surrogates_are_repaired_and_counted() -> None:
    text = payload_text({"a": "W\0s\0l", "b": ["x\ud800y"], "c\0": 1})
    assert json.loads(text) == {
        "a": "Wsl",
        "b": ["x\ufffdy"],
        "c": 1,
        "repaired": {"nul": 3, "surrogates": 1},
    }


def test_the_words_backslash_u0000_are_no_nul() -> None:
    assert json.loads(payload_text({"a": "\\u0000"})) == {"a": "\\u0000"}


@given(ANY_TEXT)
def test_repaired_text_can_be_stored_and_is_kept_when_it_was_fine(text: str) -> None:
    fixed, found = repair_text(text)
    fixed.encode()
    assert "\0" not in fixed
    assert (fixed == text) is not bool(found)


def test_the_size_limit_is_named() -> None:
    payload_text({"x": "a" * (MAX_PAYLOAD_BYTES - 20)})
    with pytest.raises(Invalid, match="16 MiB"):
        payload_text({"x": "a" * MAX_PAYLOAD_BYTES})
    with pytest.raises(Invalid, match="16 MiB"):
        payload_text({"x": "漢" * (MAX_PAYLOAD_BYTES // 3)})


def test_event_ids_are_uuid_version_seven_and_rise_with_time() -> None:
    ids = [new_event_id() for _ in range(200)]
    assert all(is_uuid(one) and one[14] == "7" and one[19] in "89ab" for one in ids)
    assert len(set(ids)) == 200
    assert [one[:13] for one in ids] == sorted(one[:13] for one in ids)


def test_a_commands_event_ids_are_the_same_each_time() -> None:
    command = "6f0c1f0a-0000-4000-8000-000000000001"
    assert command_event_id(command, 0) == command_event_id(command, 0)
    assert command_event_id(command, 0) != command_event_id(command, 1)
