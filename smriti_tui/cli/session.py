"""`smriti session`: live conversations and their turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import click

from smriti_tui.cli import options
from smriti_tui.cli.inputs import confirm
from smriti_tui.cli.places import repeated, resolve_space
from smriti_tui.cli.run import Run
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import SessionId, short
from smriti_tui.domain.model import MAIN
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.documents import (
    session_document,
    space_document,
    spent_document,
    turn_document,
    view_document,
)
from smriti_tui.domain.render.lists import hidden_line, listed, session_table
from smriti_tui.domain.render.tables import pairs
from smriti_tui.domain.render.turns_text import turns_text
from smriti_tui.domain.spending import spent_sentence
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.domain.imported import Detail
    from smriti_tui.domain.model import Session, Turn
    from smriti_tui.domain.spending import Spent
    from smriti_tui.domain.window import LineView
    from smriti_tui.services import Services


@click.group(cls=options.Group, example="smriti session list Search")
def session() -> None:
    """Sessions: conversations with a model, each on one branch of a Space."""


@session.command(example="smriti session new Search --title 'Which index'")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--title", metavar="TEXT", help="Its title (default: the time).")
@click.option("--branch", default=MAIN, show_default=True, metavar="B", help="Its branch.")
@click.option("--fresh", is_flag=True, help="In no Space; can be attached to one later.")
@options.command_id
@click.pass_obj
def new(
    run: Run,
    wanted: str | None,
    title: str | None,
    branch: str,
    fresh: bool,
    command_id: str | None,
) -> None:
    """Open a session in a Space, or in none (--fresh)."""
    if fresh and (wanted is not None or branch != MAIN):
        raise Invalid("--fresh takes no Space and no branch.", "Leave them out.", code="usage")
    with run.services() as services:
        repeated(services, command_id, "session.opened")
        if fresh:
            made = services.sessions.new_fresh(title=title, command_id=command_id)
        else:
            space = resolve_space(run, services, wanted)
            made = services.sessions.new(
                space.id, title=title, branch=branch, command_id=command_id
            )
        _show(run, services, made)


@session.command("list", example="smriti session list Search")
@click.argument("wanted", metavar="[S]", required=False)
@click.option("--fresh", is_flag=True, help="Those in no Space.")
@click.option("--limit", type=options.number(1), metavar="N", help="At most N.")
@click.option("--all", "everything", is_flag=True, help="Those that are archived, too.")
@click.pass_obj
def list_(run: Run, wanted: str | None, fresh: bool, limit: int | None, everything: bool) -> None:
    """List the sessions of a Space, last changed first; --json lists the archived ones as well."""
    if fresh and wanted is not None:
        raise Invalid("--fresh takes no Space.", "Leave one of them out.", code="usage")
    with run.services() as services:
        space = None if fresh else resolve_space(run, services, wanted)
        key = space.id if space else None
        whole = everything or run.out.wants_json
        found = services.sessions.of_space(key, limit, archived=None if whole else False)
        hidden = 0 if whole else services.sessions.count_archived(key)
    document = {
        "space": space_document(space) if space else None,
        "sessions": list(map(session_document, found)),
    }
    below = hidden_line(hidden, "session")
    run.out.result(document, lambda: listed(session_table(found, run.now()), len(found), below))


@session.command(example="smriti session show 3f9a1c2")
@click.argument("session_id", metavar="ID")
@click.pass_obj
def show(run: Run, session_id: str) -> None:
    """Show a session and what its next send would start from."""
    with run.services() as services:
        _show(run, services, services.sessions.find(session_id))


@session.command(example="smriti session turns 3f9a1c2 --last 4")
@click.argument("session_id", metavar="ID")
@click.option("--after", type=options.number(0), metavar="N", help="Only turns after N.")
@click.option("--last", type=options.number(1), metavar="N", help="Only the last N turns.")
@click.option("--details", is_flag=True, help="Also what stands beside imported turns.")
@click.pass_obj
def turns(run: Run, session_id: str, after: int | None, last: int | None, details: bool) -> None:
    """Print the turns of a session, oldest first."""
    beside: dict[int, list[Detail]] = {}
    with run.services() as services:
        from smriti_tui.services.answers import settle_before_reading

        settle_before_reading(services.caller, services.sessions.find(session_id).id)
        found = services.sessions.find(session_id)
        first = max((after or 0) + 1, found.last_seq - last + 1 if last else 1)
        listed: Sequence[Turn] = services.sessions.turns(found.id, first)
        for turn in listed if details else ():
            if turn.details:
                number = turn.sequence_number
                beside[number] = services.importing.details(found.id, number)
    document = {
        "session": session_document(found),
        "turns": list(map(turn_document, listed)),
        "details": {str(number): to_json(each) for number, each in beside.items()},
    }
    run.out.result(document, lambda: turns_text(listed, beside))


@session.command(example="smriti session rename 3f9a1c2 'Which index, decided'")
@click.argument("session_id", metavar="ID")
@click.argument("title", metavar="NEW")
@options.command_id
@click.pass_obj
def rename(run: Run, session_id: str, title: str, command_id: str | None) -> None:
    """Give a session another title."""
    with run.services() as services:
        repeated(services, command_id, "session.changed")
        found = services.sessions.find(session_id)
        _show(run, services, services.sessions.rename(found.id, title, command_id=command_id))


@session.command(example="smriti session title 3f9a1c2")
@click.argument("session_id", metavar="ID")
@options.command_id
@click.pass_obj
def title(run: Run, session_id: str, command_id: str | None) -> None:
    """Let the background model (background.model) title a session by what it would be sent."""
    with run.services() as services:
        known = repeated(services, command_id, "session.changed")
        key = SessionId(known) if known else services.sessions.find(session_id).id
        if known is None:
            from smriti_tui.cli.titling import ask_for_title

            ask_for_title(run.out, services, key, command_id)
        _show(run, services, services.sessions.get(key))


@session.command(example="smriti session pin 3f9a1c2")
@click.argument("session_id", metavar="ID")
@options.command_id
@click.pass_obj
def pin(run: Run, session_id: str, command_id: str | None) -> None:
    """Keep a session above the others of its list."""
    _mark(run, session_id, command_id, lambda services: services.sessions.pin)


@session.command(example="smriti session unpin 3f9a1c2")
@click.argument("session_id", metavar="ID")
@options.command_id
@click.pass_obj
def unpin(run: Run, session_id: str, command_id: str | None) -> None:
    """Let a session stand among the others again."""
    _mark(run, session_id, command_id, lambda services: services.sessions.unpin)


@session.command(example="smriti session archive 3f9a1c2")
@click.argument("session_id", metavar="ID")
@options.command_id
@click.pass_obj
def archive(run: Run, session_id: str, command_id: str | None) -> None:
    """Put a session out of the way. It can be read and gone on with as before."""
    _mark(run, session_id, command_id, lambda services: services.sessions.archive)


@session.command(example="smriti session unarchive 3f9a1c2")
@click.argument("session_id", metavar="ID")
@options.command_id
@click.pass_obj
def unarchive(run: Run, session_id: str, command_id: str | None) -> None:
    """Bring an archived session back into the list."""
    _mark(run, session_id, command_id, lambda services: services.sessions.unarchive)


class _Marking(Protocol):
    """A verb of the session service that sets or takes a mark."""

    def __call__(self, session: SessionId, *, command_id: str | None) -> Session: ...


def _mark(
    run: Run, session_id: str, command_id: str | None, verb: Callable[[Services], _Marking]
) -> None:
    with run.services() as services:
        known = repeated(services, command_id, "session.changed")
        key = SessionId(known) if known else services.sessions.find(session_id).id
        _show(run, services, verb(services)(key, command_id=command_id))


@session.command(example="smriti session delete 3f9a1c2 --yes")
@click.argument("session_id", metavar="ID")
@options.yes
@options.command_id
@click.pass_obj
def delete(run: Run, session_id: str, yes: bool, command_id: str | None) -> None:
    """Take a session off all lists. Its checkpoints stay, its events stay in the log."""
    with run.services() as services:
        known = repeated(services, command_id, "session.deleted")
        if known is None:
            found = services.sessions.find(session_id)
            held = counted(found.last_seq, "turn")
            question = f"Delete session {short(found.id)} {found.title!r} with {held}?"
            confirm(run.out, question, yes=yes, kept="Nothing was deleted.")
        key = SessionId(known) if known is not None else found.id
        services.sessions.delete(key, command_id=command_id)
    run.out.result({"deleted": True, "id": key}, f"Deleted session {short(key)}.")


@session.command(example="smriti session attach 3f9a1c2 Search")
@click.argument("session_id", metavar="ID")
@click.argument("wanted", metavar="[S]", required=False)
@options.command_id
@click.pass_obj
def attach(run: Run, session_id: str, wanted: str | None, command_id: str | None) -> None:
    """Put a session that lies in no Space into one; possible once."""
    with run.services() as services:
        repeated(services, command_id, "session.attached")
        found = services.sessions.find(session_id)
        space = resolve_space(run, services, wanted)
        _show(run, services, services.sessions.attach(found.id, space.id, command_id=command_id))


def _show(run: Run, services: Services, found: Session) -> None:
    view = services.contexts.view(found.id)
    spent = services.sessions.spent(found.id)
    document = {
        **session_document(found),
        "current": view_document(view),
        "cost": spent_document(spent),
    }
    run.out.result(document, lambda: _facts(found, view, spent))


def _facts(found: Session, view: LineView, spent: Spent) -> str:
    state = short(view.anchor.id) + f" {view.anchor.title}" if view.anchor else "none"
    return pairs(
        [
            ("Session", found.title),
            ("Marks", ", ".join(_marks(found)) or "none"),
            ("Id", found.id),
            ("Space", found.space or "none"),
            ("Branch", found.branch_name or "none"),
            ("Mode", f"{view.mode}, line {view.line.line}"),
            ("State", state),
            ("Turns", f"{found.last_seq}, of which up to {view.floor} stay out"),
            ("Model", found.model or "none yet"),
            ("Cost", spent_sentence(spent)),
            ("Changed", exact(found.changed_at)),
        ]
    )


def _marks(found: Session) -> list[str]:
    marks = (("pinned", found.pinned), ("archived", found.archived))
    return [word for word, there in marks if there]
