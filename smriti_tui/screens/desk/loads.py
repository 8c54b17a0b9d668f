"""What the desk reads, in threads: services in, frozen values out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import ProviderError, SmritiError
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.mentions import MentionRule, find_mentions
from smriti_tui.domain.model import (
    Branch,
    LineRun,
    Mode,
    Session,
    Space,
    Turn,
    TurnAttachment,
)
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.domain.window import LineView, chosen_answers
from smriti_tui.widgets.spaces_pane import LOOSE, archived_key

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.contexts import Basis

NEWEST = 100
"""Turns of a session that are read when it is opened."""
SESSIONS = 50
"""Sessions of a Space that the tree shows."""
STAY_OUT = ("before the boundary", "other line", "in the checkpoint", "window")
"""Reasons that the top line counts; an answer that is running or was not chosen is no news."""
PLACEHOLDER = "."
"""Stands for the message while nothing is typed: the context's size without it is not asked for."""


@dataclass(frozen=True)
class Tree:
    """Spaces, and the sessions of those that are unfolded; what is archived stands apart."""

    spaces: tuple[Space, ...] = ()
    sessions: dict[str, tuple[Session, ...]] = field(default_factory=dict)
    """By Space, `LOOSE` for those in none: pinned ones first, then the newest."""
    archived_spaces: tuple[Space, ...] = ()
    archived: dict[str, tuple[Session, ...]] = field(default_factory=dict)
    """Those that are unfolded, by Space."""
    hidden: dict[str, int] = field(default_factory=dict)
    """How many sessions are archived, by Space."""

    @property
    def all_spaces(self) -> tuple[Space, ...]:
        """The archived ones behind the others."""
        return (*self.spaces, *self.archived_spaces)


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
    stands: Branch | None = None
    """The branch that the current line stands on: of a mounted line its anchor's."""
    model: str | None = None
    """The model of its newest answer; None where that is not known or cannot be asked now."""


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
    attached: tuple[TurnAttachment, ...] = ()
    """What the message mentions."""


def typed_tokens(look: NextLook | None, text: str, rule: MentionRule) -> int | None:
    """The size of the next context with another message, where that needs no new assembly."""
    if look is None or look.tokens is None or look.window:
        return None
    if look.attached or find_mentions(text, rule):
        return None
    message = text if text.strip() else PLACEHOLDER
    more = text_tokens(message) - text_tokens(look.message)
    return look.tokens + more if more <= look.room else None


def load_tree(services: Services, unfolded: frozenset[str]) -> Tree:
    """All Spaces; sessions of the unfolded ones and of none.

    `unfolded` holds ids of Spaces, and keys of rows that stand for what is archived.
    """
    found = services.spaces.all()
    tree = Tree(
        tuple(space for space in found if not space.archived),
        archived_spaces=tuple(space for space in found if space.archived),
    )
    homes: list[SpaceId | None] = [space.id for space in found if space.id in unfolded]
    for home in (*homes, None):
        _load_sessions(services, home, unfolded, tree)
    return tree


def _load_sessions(
    services: Services, space: SpaceId | None, unfolded: frozenset[str], tree: Tree
) -> None:
    name, of_space = space or LOOSE, services.sessions.of_space
    shown = of_space(space, SESSIONS, archived=False, pinned_first=True)
    hidden = services.sessions.count_archived(space)
    if space is not None or shown or hidden:
        tree.sessions[name] = tuple(shown)
    if hidden:
        tree.hidden[name] = hidden
        if archived_key(name) in unfolded:
            tree.archived[name] = tuple(of_space(space, SESSIONS, archived=True))


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
    branch: Branch | None = None
    if session.space is not None and session.branch is not None:
        branch = services.spaces.branch(session.space, session.branch)
    runs = tuple(services.sessions.line_runs(wanted))
    model = answered_by(services, sent_by(session, turns))
    stands = _stands(services, session, view, branch)
    return SessionLook(session, space, view, runs, tuple(turns), first, branch, stands, model)


def _stands(
    services: Services, session: Session, view: LineView, own: Branch | None
) -> Branch | None:
    if view.line.line == 1 or view.anchor is None or session.space is None:
        return own
    if own is not None and view.anchor.branch == own.id:
        return own
    return services.spaces.branch(session.space, view.anchor.branch)


def sent_by(session: Session, turns: Sequence[Turn]) -> str | None:
    """The model of the newest answer; where another one to the same question was chosen, of that:
    to have looked at a model changes nothing of what is sent, nor by whom."""
    answers = [turn for turn in turns if turn.question is not None]
    if not answers:
        return session.model
    chosen = chosen_answers(turns).get(answers[-1].question or 0)
    models = (turn.model for turn in answers if turn.sequence_number == chosen)
    return next(models, None) or session.model


def answered_by(services: Services, model: str | None) -> str | None:
    """A model that is not set up here (an imported answer's, one without its key) is left for the
    settings' one."""
    if model is None:
        return None
    try:
        return services.chat.resolve(model).name
    except SmritiError:
        return None


def _settled(services: Services, wanted: SessionId, first: int, turns: list[Turn]) -> list[Turn]:
    """Ends answers whose process is gone; where that cannot be written now they stay."""
    from smriti_tui.services.answers import settle_orphans

    try:
        ended = settle_orphans(services.caller, wanted)
    except SmritiError:
        return turns
    return services.sessions.turns(wanted, first) if ended else turns


def look_ahead(
    services: Services, wanted: SessionId, message: str, model: str | None, rule: MentionRule
) -> NextLook:
    """The next send of a session, as far as it can be told.

    Raises:
        NotFound: the session is gone. Invalid: the message is too long.
    """
    try:
        name = services.chat.resolve(model).name
        text = message if message.strip() else PLACEHOLDER
        prepared = services.chat.preview(wanted, text, model=model, mentions=rule)
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
        attached=prepared.attachments,
    )
