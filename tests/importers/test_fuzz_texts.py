"""Damaged files of each kind: never an exception, never what is not the person's in a turn."""

from __future__ import annotations

import json
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.importers import aider, codex, labelled
from tests.importers.support import Reader, json_lines, sample, source, whole
from tests.importers.test_codex_rollback import LONG

MARK = "BODY-OF-WHAT-IS-INJECTED"
CONTEXT = f"<environment_context>{MARK}</environment_context>"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda each: (
        st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=4), each, max_size=3)
    ),
    max_leaves=6,
) | st.sampled_from([1e400, "\ud800", "\0", "user_message", "message", "session_meta", -1, 10**40])
PUT_IN = [b"```\n", b"[" * 9000, b"\n\n", b"#### x  \n", b"# aider chat started at ", b"Human: "]
SEEDS: list[tuple[Reader, list[bytes]]] = [
    (codex.threads, [LONG, sample("codex.jsonl"), sample("codex_old.jsonl")]),
    (aider.threads, [sample("aider.md"), sample("aider.md") * 2]),
    (
        labelled.threads,
        [sample(f"{each}.txt") for each in ("labelled", "coding", "code_heavy", "unlabelled")],
    ),
]


@st.composite
def damaged(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """Lines dropped, doubled, cut and swapped; bytes flipped and put in."""
    lines = draw(st.sampled_from(seeds)).splitlines(keepends=True)
    for _ in range(draw(st.integers(0, 4))):
        if not lines:
            break
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        place = draw(st.integers(0, len(line)))
        mixed = line[:place] + draw(st.binary(max_size=6)) + line[place + 1 :]
        added = draw(st.sampled_from(PUT_IN))
        ways = [
            [], [line, line], [line[:place]], [line[:place], b"\n"], [mixed], [added, line],
        ]  # fmt: skip
        lines[at : at + 1] = draw(st.sampled_from(ways))
    return b"".join(lines)


def check(reader: Reader, content: bytes) -> list[str]:
    """All texts of a file, read as the app reads it."""
    with tempfile.TemporaryDirectory() as folder:
        threads = whole(reader(source(Path(folder), content)))
        return [turn.text for each in threads for turn in each.turns()] + [
            turn.text for each in threads for line in each.branches for turn in line.turns()
        ]


@pytest.mark.parametrize(("reader", "seeds"), SEEDS, ids=["codex", "aider", "labelled"])
@given(st.data())
@settings(max_examples=300)
def test_damaged_files(reader: Reader, seeds: list[bytes], data: st.DataObject) -> None:
    check(reader, data.draw(damaged(seeds)))


@pytest.mark.parametrize("reader", [each for each, _ in SEEDS], ids=["codex", "aider", "labelled"])
@given(
    st.binary(max_size=300)
    | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
)
@settings(max_examples=300)
def test_any_bytes(reader: Reader, content: bytes) -> None:
    check(reader, content)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each container of a value with each of its keys."""
    found, todo = [], [value]
    while todo:
        at = todo.pop()
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        found += [(at, key) for key in keys]
        todo += [at[key] for key in keys if isinstance(at[key], dict | list)]
    return found


@given(st.data())
@settings(max_examples=300)
def test_any_value_in_place_of_a_field_of_codex(data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from([LONG, sample("codex.jsonl"), sample("codex_old.jsonl")]))
    records = [json.loads(line) for line in seed.splitlines()]
    for _ in range(data.draw(st.integers(1, 4))):
        owner, key = data.draw(st.sampled_from(places(records)))
        if data.draw(st.booleans()) or isinstance(owner, list):
            owner[key] = data.draw(JSON)
        else:
            del owner[key]
    check(codex.threads, json_lines(*records))


@given(st.data())
@settings(max_examples=300)
def test_injected_context_is_in_no_turn_however_its_record_is_damaged(data: st.DataObject) -> None:
    """The context in all three tellings, with a field of each record gone or of another value."""
    envelope = {"timestamp": "2026-04-02T08:00:00Z", "type": "response_item"}
    content = [{"type": "input_text", "text": CONTEXT}, {"type": "input_text", "text": CONTEXT}]
    event = {"type": "user_message", "message": CONTEXT, "kind": "environment_context"}
    item = {"type": "UserMessage", "content": [{"type": "text", "text": CONTEXT}]}
    records: list[Any] = [
        {**envelope, "payload": {"type": "message", "role": "user", "content": content}},
        {**envelope, "payload": {"type": "message", "role": "developer", "content": content}},
        {**envelope, "type": "event_msg", "payload": event},
        {**envelope, "type": "event_msg", "payload": {"type": "item_completed", "item": item}},
        {"type": "message", "role": "user", "content": content},
    ]
    for record in records:
        owner, key = data.draw(st.sampled_from(places(record)))
        if isinstance(owner, dict) and data.draw(st.booleans()):
            del owner[key]
        else:
            owner[key] = data.draw(JSON)
    kept = data.draw(st.lists(st.sampled_from(records), min_size=1))
    assert not any(MARK in text for text in check(codex.threads, json_lines(*kept)))


WORDS = st.lists(
    st.sampled_from([
        "Human: a", "AI: b", "You: c", "System: d", "**User**: e", "<user>", "</user>", "User",
        "```", "```py", "~~~~", "text", "", "  ", "You said:", "## Assistant", "Assistant",
        "<ai>x</ai>",
    ]),
    max_size=14,
)  # fmt: skip


def without_ends(text: str) -> str:
    return text.replace("</user>", "").replace("</ai>", "")


@given(WORDS)
@settings(max_examples=300)
def test_no_line_of_a_transcript_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    parts = labelled.split(text)
    assert all(first.last < second.first for first, second in pairwise(parts))
    known = "\n".join(part.text for part in parts)
    assert known.count("text") == lines.count("text")
    for part in parts:
        assert part.text.strip()
        own = "\n".join(lines[part.first - 1 : part.last])
        assert without_ends(part.text) in without_ends(own)
