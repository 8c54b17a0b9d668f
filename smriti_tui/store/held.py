"""What a send at some place of a session held: the state it stood on, and its turns."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session as Tx

from smriti_tui.domain.ids import CheckpointId, RequestId
from smriti_tui.domain.model import Session, Turn
from smriti_tui.domain.window import reasons
from smriti_tui.store import checkpoints, requests, sessions, spaces


@dataclass(frozen=True)
class Held:
    """A place in a session, as a model that was asked there knew it."""

    anchor: CheckpointId | None
    turns: tuple[Turn, ...]
    """Ascending; up to the place itself."""


def held_after(tx: Tx, session: Session, number: int) -> Held:
    """What the model had after turn `number`: that turn is the last.

    Where a model was asked, its stored request says it to the letter. An imported or unanswered
    turn has none: then it is the turns of its line that no checkpoint of the line had taken up.

    Raises:
        NotFound: there is no such turn.
    """
    turn = sessions.turn(tx, session.id, number)
    asked = _asked(tx, turn)
    if asked is None:
        return _by_line(tx, session, turn)
    event = requests.request(tx, asked).event
    found: dict[int, Turn] = {}
    for segment in event.segments:
        if segment.first is not None and segment.last is not None:
            for each in sessions.turns_between(tx, session.id, segment.first, segment.last):
                found[each.sequence_number] = each
    found[number] = turn
    turns = tuple(found[each] for each in sorted(found) if each <= number)
    return Held(event.anchors[-1] if event.anchors else None, turns)


def held_before(tx: Tx, session: Session, question: int) -> Held:
    """What a send held that asked `question`, less the question: for asking another one there."""
    held = held_after(tx, session, question)
    return Held(held.anchor, held.turns[:-1])


def _asked(tx: Tx, turn: Turn) -> RequestId | None:
    if turn.role == "assistant":
        return turn.request
    answers = sessions.answers_to(tx, turn.session, turn.sequence_number)
    return next((each.request for each in answers if each.request is not None), None)


def _by_line(tx: Tx, session: Session, turn: Turn) -> Held:
    line = sessions.line(tx, session.id, turn.line)
    made = checkpoints.last_source_turn(tx, session.id, turn.line, below=turn.sequence_number)
    floor = max(line.history_base_seq, made[1] if made else 0)
    first = sessions.first_turn(tx, session.id, turn.line, floor) or turn.sequence_number
    between = sessions.turns_between(tx, session.id, first, turn.sequence_number)
    mine = [each for each in between if each.line == turn.line]
    why = reasons(mine)
    kept = [each for each in mine if why[each.sequence_number] is None or each == turn]
    anchor = made[0] if made else line.anchor
    if anchor is None and session.branch is not None:
        anchor = spaces.branch(tx, session.branch).start
    return Held(anchor, tuple(kept))
