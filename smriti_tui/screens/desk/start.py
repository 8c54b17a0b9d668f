"""What the workspace opens with: where one was the last time, and how that is kept."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound, SmritiError, StoreError
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.screens.desk.loads import Tree, load_tree

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened
    from smriti_tui.services import Services


NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FirstLook:
    """What the workspace opens with."""

    there: bool
    """Whether there is a database."""
    read_only: bool = False
    tree: Tree = field(default_factory=Tree)
    space: SpaceId | None = None
    session: SessionId | None = None
    last_at: str = ""
    now: str = ""
    path: str = ""
    complaint: str = ""
    unfolded: frozenset[str] = frozenset()
    """What was unfolded in the tree."""


def first_look(opened: Opened, wanted: str | None) -> FirstLook:
    """Everything for the first full screen, in one go."""
    services = opened.services
    store = services.caller.store
    path = store.name
    if not store.exists():
        return FirstLook(False, path=path, now=store.now())
    _bring_up(services)
    complaint = ""
    space: SpaceId | None = None
    session: SessionId | None = None
    try:
        space, session = _place(opened, wanted)
    except SmritiError as error:
        complaint = str(error)
    kept = frozenset() if opened.place is not None else read_unfolded(opened.config.home)
    unfolded = kept | ({space} if space else set())
    tree = load_tree(services, unfolded)
    if space is None and session is None and tree.spaces:
        space, session = _newest(services, tree.spaces[0].id)
        unfolded |= {space}
        tree = load_tree(services, unfolded)
    return FirstLook(
        there=True,
        read_only=not services.log.writable(),
        tree=tree,
        space=space,
        session=session,
        last_at=_last_at(services),
        now=store.now(),
        path=path,
        complaint=complaint,
        unfolded=unfolded,
    )


def _bring_up(services: Services) -> None:
    """Migrates a database of an older version: nothing can be read of it before. Any other fault is
    told by the reads that follow."""
    try:
        with services.caller.read():
            return
    except StoreError as error:
        if error.code != "database_older":
            return
    services.caller.store.prepare()


def _place(opened: Opened, wanted: str | None) -> tuple[SpaceId | None, SessionId | None]:
    """The Space that was asked for, else where one was last, else the settings' one."""
    services = opened.services
    if opened.place is not None:
        return opened.place
    if wanted:
        return _newest(services, services.spaces.find(wanted).id)
    space, session = read_place(opened.config.home)
    if session is not None:
        try:
            found = services.sessions.get(SessionId(session))
        except NotFound:
            pass
        else:
            return found.space, found.id
    if opened.config.space:
        return _newest(services, services.spaces.find(opened.config.space).id)
    if space is not None and any(known.id == space for known in services.spaces.all()):
        return _newest(services, SpaceId(space))
    return None, None


def _newest(services: Services, space: SpaceId) -> tuple[SpaceId, SessionId | None]:
    return space, newest_session(services, space)


def newest_session(services: Services, space: SpaceId | None) -> SessionId | None:
    """The session of a Space, or of those in none, that was changed last and is not archived."""
    found = services.sessions.of_space(space, 1, archived=False)
    return found[0].id if found else None


def is_there(services: Services, session: SessionId) -> bool:
    """Whether a session is still there."""
    try:
        services.sessions.get(session)
    except NotFound:
        return False
    return True


def beside(
    services: Services, space: SpaceId | None, gone: SessionId | None
) -> tuple[SessionId | None, SpaceId | None]:
    """Where to go when a session is gone: another one of its Space, or of those in none; nowhere if
    the Space is gone too."""
    try:
        found = services.sessions.of_space(space, 2, archived=False)
    except NotFound:
        return None, None
    return next((each.id for each in found if each.id != gone), None), space


def _last_at(services: Services) -> str:
    from smriti_tui.services.logs import StoredEvent

    last = services.log.last_position()
    for event in services.log.read(None, max(last - 1, 0), 1):
        if isinstance(event, StoredEvent):
            return event.recorded_at
    return ""


def place_file(home: Path) -> Path:
    """Where the last place is kept (DESIGN 10.22)."""
    return home / "ui.json"


def read_place(home: Path) -> tuple[str | None, str | None]:
    """Space and session of the last time, None where that is not known any more."""
    value = _kept(home)
    space, session = value.get("space"), value.get("session")
    return (
        space if isinstance(space, str) else None,
        session if isinstance(session, str) else None,
    )


def read_unfolded(home: Path) -> frozenset[str]:
    """What was unfolded in the tree the last time."""
    rows = _kept(home).get("unfolded")
    return frozenset(filter(_is_text, rows)) if isinstance(rows, list) else NONE


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _kept(home: Path) -> dict[str, object]:
    try:
        value = json.loads(place_file(home).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def write_place(
    home: Path, space: str | None, session: str | None, unfolded: frozenset[str] = NONE
) -> None:
    """Keeps the place for the next start; a folder that cannot be written is no fault."""
    path = place_file(home)
    text = json.dumps({"space": space, "session": session, "unfolded": sorted(unfolded)})
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
