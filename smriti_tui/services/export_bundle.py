"""A bundle: a folder made for git, that `ingest` can read again (`cli.md`, DESIGN 10.26).

`space.json` and `events/` are the facts; the rest are renderings of them. With everything, each
Space has a folder of that form; `fresh/` holds the sessions in no Space, `streams/` the open
streams, `deleted/` the events of Spaces that were deleted.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TextIO

from smriti_tui.domain.ids import SpaceId, kind_and_owner
from smriti_tui.domain.model import Space
from smriti_tui.domain.render import export_state
from smriti_tui.domain.render.export_names import (
    checkpoint_file,
    session_file,
    space_folder,
    stream_file,
)
from smriti_tui.domain.render.export_records import (
    BUNDLE_FORMAT,
    session_record,
    space_record,
    turn_record,
)
from smriti_tui.domain.values import canonical
from smriti_tui.services.export_documents import fresh_text, state_text
from smriti_tui.services.export_files import BundleOwner, new_file
from smriti_tui.services.export_reading import Reading, Selection

HANDLES = 64
"""Event files that are open at a time."""


def bundle_owner(selection: Selection) -> BundleOwner:
    """Whose bundle a folder holds, so that no other one is written over it."""
    if selection.everything:
        return BundleOwner("everything", "")
    if selection.space is not None:
        return BundleOwner("space", selection.space.id)
    return BundleOwner("session", selection.session or "")


def build_bundle(reading: Reading, root: Path) -> None:
    """Writes the bundle of a selection into an empty folder."""
    chosen = reading.selection
    if chosen.everything:
        for space in reading.spaces():
            _space(reading, space, root / space_folder(space.id, space.name))
        _fresh(reading, root / "fresh")
        _json(root / "bundle.json", _head(chosen))
    elif chosen.space is not None:
        _space(reading, chosen.space, root)
    else:
        _sessions(reading, None, root)
        _text(root / "STATE.md", state_text(reading, turns=False))
        _json(root / "bundle.json", _head(chosen))
    _events(reading, root)


def _head(selection: Selection) -> dict[str, object]:
    owner = bundle_owner(selection)
    return {
        "format": BUNDLE_FORMAT,
        "owner": {"kind": owner.kind, "id": owner.id},
        "selection": selection.record(),
    }


def _space(reading: Reading, space: Space, folder: Path) -> None:
    record = space_record(space, reading.branches(space))
    if reading.selection.everything:
        one = Reading(reading.tx, Selection(space, turns=reading.selection.turns))
        _json(folder / "space.json", {**_head(one.selection), "space": record})
        _text(folder / "STATE.md", state_text(one, turns=False))
    else:
        _json(folder / "space.json", {**_head(reading.selection), "space": record})
        _text(folder / "STATE.md", state_text(reading, turns=False))
    for checkpoint, notes in reading.checkpoints(space):
        path = folder / checkpoint_file(checkpoint.id, checkpoint.title)
        _text(path, [export_state.checkpoint_text(checkpoint, notes, level=1)])
    _sessions(reading, space.id, folder)


def _fresh(reading: Reading, folder: Path) -> None:
    if reading.sessions(None):
        _text(folder / "STATE.md", fresh_text(reading, turns=False))
        _sessions(reading, None, folder)


def _sessions(reading: Reading, space: SpaceId | None, folder: Path) -> None:
    """One file each: the session's head on the first line, then a line per turn."""
    if not reading.selection.turns:
        return
    for session in reading.sessions(space):
        with new_file(folder / session_file(session.id)) as file:
            head = session_record(session, reading.lines(session))
            file.write(canonical({"kind": "session", **head}) + "\n")
            for turn in reading.turns(session):
                file.write(canonical({"kind": "turn", **turn_record(turn)}) + "\n")


def _events(reading: Reading, root: Path) -> None:
    places = _Places(reading, root)
    with _LineFiles() as files:
        for record in reading.event_records():
            stream = str(record["stream"])
            files.add(places.of(stream) / stream_file(stream), canonical(record))


class _Places:
    """Which folder of a bundle holds a stream."""

    def __init__(self, reading: Reading, root: Path) -> None:
        self._root = root
        self._everything = reading.selection.everything
        self._folders: dict[str, Path] = {}
        self._spaces: dict[str, str | None] = {}
        if self._everything:
            self._spaces = reading.session_spaces()
            for space in reading.spaces():
                self._folders[space.id] = root / space_folder(space.id, space.name)

    def of(self, stream: str) -> Path:
        if not self._everything:
            return self._root
        kind, owner = kind_and_owner(stream)
        if not owner:
            return self._root / "streams"
        space = self._spaces.get(owner) if kind == "session" else owner
        if space is None:
            return self._root / "fresh"
        return self._folders.get(space, self._root / "deleted")


class _LineFiles:
    """Appends lines to many files in turn; the least recently used are closed."""

    def __init__(self) -> None:
        self._open: OrderedDict[Path, TextIO] = OrderedDict()

    def __enter__(self) -> _LineFiles:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._open.values():
            file.close()

    def add(self, path: Path, line: str) -> None:
        file = self._open.pop(path, None)
        if file is None:
            if len(self._open) >= HANDLES:
                self._open.popitem(last=False)[1].close()
            file = new_file(path, "a")
        self._open[path] = file
        file.write(line + "\n")


def _text(path: Path, texts: Iterable[str]) -> None:
    with new_file(path) as file:
        for text in texts:
            file.write(text)


def _json(path: Path, value: dict[str, object]) -> None:
    """A small object with a line per value, so that a diff names what changed."""
    _text(path, [json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2), "\n"])
