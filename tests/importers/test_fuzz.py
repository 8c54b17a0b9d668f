"""Mutated samples, values of any kind: nothing but a typed error, and nothing hidden comes in."""

from __future__ import annotations

import copy
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.imported import Tool
from tests.importers.reading import SAMPLES, Read, database, read, source

JSON_TOOLS: dict[Tool, str] = {
    "chatgpt": "chatgpt.json",
    "claude": "claude.json",
    "claude-code": "claude-code.jsonl",
}
HIDDEN = ("PROFILE", "INSTRUCTIONS", "INJECTED")
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


def everything(found: Read) -> str:
    """All that a reader gives, read to the end."""
    parts: list[object] = [found.reasons]
    for thread in found.threads:
        turns = list(thread.turns())
        assert len(turns) == thread.count
        assert all(turn.role in ("user", "assistant", "system") for turn in turns)
        assert all(turn.text.strip() for turn in turns)
        assert len({turn.source_id for turn in turns}) == len(turns)
        parts.append([turn.text for turn in turns])
        for branch in thread.branches:
            parts.append([turn.text for turn in branch.turns()])
    for space in found.spaces:
        parts.append([list(space.checkpoints()), list(space.claims())])
    return repr(parts)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """One to five changes of bytes, pieces and lines."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 5)):
        place = rng.randrange(len(changed) + 1)
        other = rng.randrange(len(changed) + 1)
        low, high = sorted((place, min(other, place + 200)))
        kind = rng.randrange(6)
        if kind == 0 and changed:
            changed[place % len(changed)] = rng.randrange(256)
        elif kind == 1:
            del changed[low:high]
        elif kind == 2:
            changed[place:place] = changed[low:high]
        elif kind == 3:
            changed[place:place] = rng.choice(
                [b"\x00", b"\xff\xfe", b"{", b"]", b'"', b"\n", b"[]"]
            )
        elif kind == 4:
            lines = bytes(changed).split(b"\n")
            rng.shuffle(lines)
            changed = bytearray(b"\n".join(lines))
        else:
            del changed[place:]
        if not changed:
            changed = bytearray(b"{")
    return bytes(changed)


def many(folder: Path, tool: Tool, data: bytes, times: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        with suppress(SmritiError):
            everything(read(source(folder, mutated(data, rng)), tool))


@pytest.mark.parametrize("tool", JSON_TOOLS)
def test_mutated_bytes_break_no_reader(tmp_path: Path, tool: Tool) -> None:
    many(tmp_path, tool, (SAMPLES / JSON_TOOLS[tool]).read_bytes(), 400, 1)


@pytest.mark.soak
@pytest.mark.parametrize("tool", JSON_TOOLS)
def test_ten_thousand_mutated_files_break_no_reader(tmp_path: Path, tool: Tool) -> None:
    many(tmp_path, tool, (SAMPLES / JSON_TOOLS[tool]).read_bytes(), 10_000, 2)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to each value inside a value."""
    found = [path]
    if isinstance(value, dict):
        for key, each in value.items():
            found += places(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            found += places(each, (*path, index))
    return found


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.deepcopy(value)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return changed


def loaded(name: str) -> list[Any]:
    """The sample's values: an array's items, or its lines."""
    text = (SAMPLES / name).read_text(encoding="utf-8")
    if name.endswith(".json"):
        found: list[Any] = json.loads(text)
        return found
    lines = []
    for line in text.splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            continue
    return lines


def dumped(name: str, values: Any) -> bytes:
    if name.endswith(".json"):
        return json.dumps(values).encode()
    return "\n".join(json.dumps(each) for each in values).encode()


@pytest.mark.parametrize("tool", JSON_TOOLS)
def test_any_value_in_any_place_breaks_no_reader_and_shows_nothing_hidden(
    tmp_path_factory: pytest.TempPathFactory, tool: Tool
) -> None:
    name = JSON_TOOLS[tool]
    values = loaded(name)
    ways = places(values)[1:]
    folder = tmp_path_factory.mktemp("fuzz")

    @settings(max_examples=300)
    @given(st.sampled_from(ways), ANY)
    def one(way: tuple[Any, ...], new: Any) -> None:
        changed = put(values, way, new)
        try:
            found = everything(read(source(folder, dumped(name, changed)), tool))
        except SmritiError:
            return
        if not set(way) & {"content", "message", "content_type", "metadata", "parts", "text"}:
            # What tells that a text is hidden was not touched.
            assert not any(word in found for word in HIDDEN) or _tells(way)

    one()


def _tells(way: tuple[Any, ...]) -> bool:
    """Whether a place says what a message is."""
    return bool({"mapping", "isMeta", "type", "author", "role"} & set(way)) and len(way) < 5


@pytest.mark.parametrize("name", ["llm.sql", "elia.sql", "smriti.sql"])
def test_rows_of_any_values_break_no_reader(tmp_path: Path, name: str) -> None:
    rng = random.Random(3)
    odd: list[Callable[[], object]] = [
        lambda: None, lambda: rng.randbytes(5), lambda: rng.randint(-9, 2**62), lambda: 1.5,
        lambda: "[" * 3000, lambda: '{"a": [1, null]}', lambda: "text".encode("utf-16"),
    ]  # fmt: skip
    for number in range(60):
        file = database(tmp_path, name, name=f"{number}.db")
        connection = sqlite3.connect(file.path)
        tables = [
            row[0]
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for _ in range(4):
            table = rng.choice(tables)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            try:
                connection.execute(
                    f"UPDATE {table} SET {rng.choice(columns)} = ? WHERE rowid % 2 = ?",
                    (rng.choice(odd)(), rng.randrange(2)),
                )
            except sqlite3.IntegrityError:
                continue
        connection.commit()
        connection.close()
        try:
            found = read(file)
        except SmritiError:
            continue
        for thread in found.threads:
            list(thread.turns())
        for space in found.spaces:
            list(space.checkpoints())
            list(space.claims())
        file.path.unlink()
