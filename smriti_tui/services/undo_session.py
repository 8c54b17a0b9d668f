"""Turning back what was done in a session: which line is the current one, which answer is sent, and
that it was opened at all. See `undo_kinds`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, cast

from smriti_tui.domain import events as e
from smriti_tui.domain.errors import Conflict, NotFound
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Session
from smriti_tui.domain.render.action_words import named
from smriti_tui.services.contexts import line_view
from smriti_tui.services.undo_kinds import Change, Values
from smriti_tui.store import actions, sessions
from smriti_tui.store.engine import Tx
from smriti_tui.store.envelope import StoredEvent

# ---- lines and answers -------------------------------------------------------------------------


class Lines:
    """Mounting, unmounting and going back to a line: which line is the current one."""

    types: ClassVar[tuple[str, ...]] = (e.LineOpened.TYPE, e.LineLeft.TYPE, e.LineResumed.TYPE)

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        earlier = actions.changes_before(tx, stored.stream, self.types, stored.version)
        before = next((_led_to(each.event()) for each in earlier), 1)
        return {"line": before}, {"line": _led_to(event)}

    def present(self, tx: Tx, change: Change) -> Values:
        return {"line": sessions.session(tx, change.session).current_line}

    def touches(self, change: Change, other: Any) -> bool:
        return True

    def check(self, tx: Tx, change: Change) -> None:
        refuse_if_asked(tx, change, "Mount or unmount by hand; what was asked stays where it is.")
        line, wanted = cast(int, change.after["line"]), cast(int, change.before["line"])
        position = change.stored.position
        if saved := actions.checkpoint_after(tx, change.session, line, position):
            raise Conflict(
                f"Checkpoint {short(saved)} was saved there since, and checkpoints stay.",
                "Mount or unmount by hand.",
                code="undo_rests",
            )
        if wanted != 1 and _stands(tx, sessions.session(tx, change.session), wanted) is None:
            raise Conflict(
                "The checkpoint that was mounted there was deleted since.",
                "Mount another one.",
                code="undo_rests",
            )

    def inverse(self, change: Change, undoes: str) -> e.Event:
        line, wanted = cast(int, change.after["line"]), cast(int, change.before["line"])
        return e.LineLeft(line, undoes) if wanted == 1 else e.LineResumed(wanted, undoes)

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        mounted = after["line"] != 1
        line = cast(int, (after if mounted else before)["line"])
        anchor = sessions.line(tx, change.session, line).anchor or ""
        return f"{'mounted' if mounted else 'unmounted'} {short(anchor)}"


def _led_to(event: e.Event | None) -> int:
    return event.line if isinstance(event, e.LineOpened | e.LineResumed) else 1


def _stands(tx: Tx, session: Session, line: int) -> object:
    """The checkpoint that a line of the session would stand on."""
    return line_view(tx, replace(session, current_line=line), 1).anchor


class Choices:
    """Which answer of a question is named to be sent."""

    types: ClassVar[tuple[str, ...]] = (e.AnswerChosen.TYPE, e.AnswerReleased.TYPE)

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        earlier = actions.changes_before(tx, stored.stream, self.types, stored.version)
        bodies = (each.body() for each in earlier)
        before = next((body for body in bodies if body["question"] == event.question), {})
        return {"answer": before.get("answer")}, {"answer": getattr(event, "answer", None)}

    def present(self, tx: Tx, change: Change) -> Values:
        sessions.session(tx, change.session)
        return {"answer": sessions.turn(tx, change.session, change.event.question).chosen}

    def touches(self, change: Change, other: Any) -> bool:
        return bool(other.question == change.event.question)

    def check(self, tx: Tx, change: Change) -> None:
        refuse_if_asked(tx, change, "Choose the other answer again if it is the better one.")
        question = change.event.question
        view = line_view(tx, sessions.session(tx, change.session), 1)
        asked = sessions.turn(tx, change.session, question)
        if asked.line != view.line.line or question <= view.floor:
            raise Conflict(
                f"Question {question} is not on the part of the session that is sent any more.",
                "Its answers stay as they are.",
                code="undo_rests",
            )

    def inverse(self, change: Change, undoes: str) -> e.Event:
        question, before = change.event.question, cast("int | None", change.before["answer"])
        if before is None:
            return e.AnswerReleased(question, undoes)
        return e.AnswerChosen(question, before, undoes)

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        return f"chose answer {after['answer']}"


def refuse_if_asked(tx: Tx, change: Change, hint: str) -> None:
    """Raises: Conflict when a question was asked, or asked again, after the change: what the model
    was told rests on it."""
    asked = actions.asked_after(tx, change.stored.stream, change.stored.version)
    if asked is not None:
        number = asked.body().get("sequence_number")
        raise Conflict(
            f"Turn {number} was added since, and what is sent stays.", hint, code="undo_rests"
        )


# ---- opening a session -------------------------------------------------------------------------


class Openings:
    """A session that was opened, and was deleted or restored by an undo or redo."""

    types: ClassVar[tuple[str, ...]] = (
        e.SessionOpened.TYPE,
        e.SessionDeleted.TYPE,
        e.SessionRestored.TYPE,
    )

    def values(self, tx: Tx, stored: StoredEvent, event: Any) -> tuple[Values, Values]:
        there = not isinstance(event, e.SessionDeleted)
        return {"there": not there}, {"there": there}

    def present(self, tx: Tx, change: Change) -> Values:
        if change.after["there"]:
            sessions.session(tx, change.session)
            return {"there": True}
        if not actions.is_taken_away(tx, change.session):
            raise NotFound("The session is gone.")
        return {"there": False}

    def touches(self, change: Change, other: Any) -> bool:
        return True

    def check(self, tx: Tx, change: Change) -> None:
        if not change.after["there"]:
            return
        found = sessions.session(tx, change.session)
        if found.last_seq:
            raise Conflict(
                f"Session {named(found.title)} is not empty any more, and what is sent stays.",
                "Delete it if you do not need it.",
                code="undo_rests",
            )
        saved = actions.checkpoint_after(tx, change.session, found.current_line, 0)
        typed = actions.holds_unsent(tx, change.session)
        if saved or typed:
            what = f"Checkpoint {short(saved)} was saved" if saved else "Unsent text stands"
            raise Conflict(
                f"{what} {'from' if saved else 'in'} session {named(found.title)}.",
                "Delete the session if you do not need it.",
                code="undo_rests",
            )

    def inverse(self, change: Change, undoes: str) -> e.Event:
        return e.SessionDeleted(undoes) if change.after["there"] else e.SessionRestored(undoes)

    def words(self, tx: Tx, change: Change, before: Values, after: Values) -> str:
        return f"opened session {named(actions.title_of(tx, change.session))}"
