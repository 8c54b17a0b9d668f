"""What the desk reads, in threads: services in, frozen values out."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound, ProviderError, SmritiError
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.model import Branch, CheckpointSummary, LineRun, Mode, Session, Space, Turn
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.domain.window import LineView
from smriti_tui.widgets.spaces_pane import LOOSE

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened
    from smriti_tui.services import Services
    from smriti_tui.services.contexts import Basis

NEWEST = 100
"""Turns of a session that are read when it is opened."""
SESSIONS = 50
"""Sessions of a Space that the tree shows."""
CHECKPOINTS = 200
STAY_OUT = ("before the boundary", "other line", "in the checkpoint", "window")
"""Reasons that the top line counts; an answer that is running or was not chosen is no news."""
PLACEHOLDER = "."
"""Stands for the message while nothing is typed: the context's size without it is not asked for."""


@dataclass(frozen=True)
class Tree:
    """Spaces, and the sessions of those that are unfolded."""

    spaces: tuple[Space, ...] = ()
    sessions: dict[str, tuple[Session, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class SessionLook:
    """A session as far as it is read."""

    session: Session
    space: Space | None
    view: LineView
    runs: tuple[LineRun, ...]
    turns: tuple[Turn, ...]
    """From `low` to the newest, ascending."""
    low: int
    branch: Branch | None = None


@dataclass(frozen=True)
class CheckpointsLook:
    """Newest first; `more` when older ones are not read."""

    checkpoints: tuple[CheckpointSummary, ...]
    more: bool


@dataclass(frozen=True)
class NextLook:
    """The next send in numbers. Without a model only the mode is known."""

    session: SessionId
    mode: Mode
    anchor: str | None
    model: str
    tokens: int | None = None
    limit: int | None = None
    assumed: bool = False
    out: int = 0
    window: tuple[tuple[int, int], ...] = ()
    """Ranges of turns that do not fit the window."""
    basis: Basis | None = None
    message: str = ""
    """What was counted as the message."""
    room: int = 0
    """Tokens that are left for more."""


def typed_tokens(look: NextLook | None, text: str) -> int | None:
    """The size of the next context with another message, where that needs no new assembly."""
    if look is None or look.tokens is None or look.window:
        return None
    message = text if text.strip() else PLACEHOLDER
    more = text_tokens(message) - text_tokens(look.message)
    return look.tokens + more if more <= look.room else None


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


def load_tree(services: Services, unfolded: frozenset[str]) -> Tree:
    """All Spaces; sessions of the unfolded ones and of none, newest first."""
    spaces = tuple(services.spaces.all())
    sessions = {
        space.id: tuple(services.sessions.of_space(space.id, SESSIONS))
        for space in spaces
        if space.id in unfolded
    }
    if loose := tuple(services.sessions.of_space(None, SESSIONS)):
        sessions = {**sessions, LOOSE: loose}  # type: ignore[dict-item]
    return Tree(spaces, {str(key): found for key, found in sessions.items()})


def load_session(services: Services, wanted: SessionId, low: int | None) -> SessionLook:
    """A session with its newest turns, from `low` on where that was read before.

    Raises:
        NotFound: it was deleted.
    """
    session = services.sessions.get(wanted)
    view = services.contexts.view(wanted)
    first = max(1, session.last_seq - NEWEST + 1) if low is None else low
    turns = services.sessions.turns(wanted, first) if session.last_seq else []
    if any(turn.status == "running" for turn in turns):
        turns = _settled(services, wanted, first, turns)
    space = services.spaces.get(session.space) if session.space else None
    branch = services.spaces.branch(session.space, session.branch) if space else None  # type: ignore[arg-type]
    runs = tuple(services.sessions.line_runs(wanted))
    return SessionLook(session, space, view, runs, tuple(turns), first, branch)


def _settled(services: Services, wanted: SessionId, first: int, turns: list[Turn]) -> list[Turn]:
    """Ends answers whose process is gone; where that cannot be written now they stay."""
    from smriti_tui.services.answers import settle_orphans

    try:
        ended = settle_orphans(services.caller, wanted)
    except SmritiError:
        return turns
    return services.sessions.turns(wanted, first) if ended else turns


def load_checkpoints(
    services: Services, space: SpaceId, branch: str | None, limit: int
) -> CheckpointsLook:
    """Checkpoints of a branch (of the whole Space for None). Raises: NotFound."""
    found = services.checkpoints.of_space(space, branch=branch, limit=limit + 1)
    return CheckpointsLook(tuple(found[:limit]), len(found) > limit)


def look_ahead(services: Services, wanted: SessionId, message: str, model: str | None) -> NextLook:
    """The next send of a session, as far as it can be told.

    Raises:
        NotFound: the session is gone. Invalid: the message is too long.
    """
    try:
        name = services.chat.resolve(model).name
        text = message if message.strip() else PLACEHOLDER
        prepared = services.chat.preview(wanted, text, model=model)
    except ProviderError:
        view = services.contexts.view(wanted)
        return NextLook(wanted, view.mode, view.anchor.id if view.anchor else None, "no model")
    view, context = prepared.view, prepared.context
    turns = [left for left in context.left_out if left.what == "turns"]
    sizes = [(left.last or 0) - (left.first or 0) + 1 for left in turns if left.reason in STAY_OUT]
    window = tuple((left.first or 0, left.last or 0) for left in turns if left.reason == "window")
    return NextLook(
        session=wanted,
        mode=view.mode,
        anchor=view.anchor.id if view.anchor else None,
        model=name,
        tokens=context.estimate.tokens,
        limit=context.limit.tokens,
        assumed=context.limit.source == "assumed",
        out=sum(sizes),
        window=window,
        basis=prepared.basis,
        message=text,
        room=context.limit.tokens - context.limit.reserve - context.estimate.tokens,
    )


# ---- where one was -----------------------------------------------------------------------------


def first_look(opened: Opened, wanted: str | None) -> FirstLook:
    """Everything for the first full screen, in one go."""
    services = opened.services
    store = services.caller.store
    path = str(store.path)
    if not store.exists():
        return FirstLook(False, path=path, now=store.now())
    complaint = ""
    space: SpaceId | None = None
    session: SessionId | None = None
    try:
        space, session = _place(opened, wanted)
    except SmritiError as error:
        complaint = str(error)
    unfolded = frozenset({space} if space else ())
    tree = load_tree(services, unfolded)
    if space is None and session is None and tree.spaces:
        space, session = _newest(services, tree.spaces[0].id)
        tree = load_tree(services, frozenset({space}))
    return FirstLook(
        there=True,
        read_only=not os.access(path, os.W_OK),
        tree=tree,
        space=space,
        session=session,
        last_at=_last_at(services),
        now=store.now(),
        path=path,
        complaint=complaint,
    )


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
    found = services.sessions.of_space(space, 1)
    return space, found[0].id if found else None


def newest_session(services: Services, space: SpaceId) -> SessionId | None:
    """The session of a Space that was changed last."""
    return _newest(services, space)[1]


def _last_at(services: Services) -> str:
    last = services.log.last_position()
    for event in services.log.read(None, max(last - 1, 0), 1):
        return getattr(event, "recorded_at", "")
    return ""


def place_file(home: Path) -> Path:
    """Where the last place is kept (DESIGN 10.22)."""
    return home / "ui.json"


def read_place(home: Path) -> tuple[str | None, str | None]:
    """Space and session of the last time, None where that is not known any more."""
    try:
        value = json.loads(place_file(home).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None, None
    if not isinstance(value, dict):
        return None, None
    space, session = value.get("space"), value.get("session")
    return (
        space if isinstance(space, str) else None,
        session if isinstance(session, str) else None,
    )


def write_place(home: Path, space: str | None, session: str | None) -> None:
    """Keeps the place for the next start; a folder that cannot be written is no fault."""
    path = place_file(home)
    text = json.dumps({"space": space, "session": session})
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
