"""What the context inspector reads: the request that is asked for, and what belongs to the row
under the cursor of a tab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.events import LeftOut
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.domain.render.context_request import request_rows
from smriti_tui.domain.render.context_rows import ContextFacts, left_rows, part_rows
from smriti_tui.widgets.context_list import (
    compared_pieces,
    part_sections,
    piece_section,
    row_number,
)
from smriti_tui.widgets.literal_view import Section

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.inspecting import Inspector


@dataclass(frozen=True)
class ContextAsked:
    """Which request is looked at: an answer's, one by its id, that of mounting a checkpoint, else
    the next send's."""

    session: SessionId | None
    space: str = ""
    """Name of the Space, for the top line."""
    answer: int | None = None
    request: RequestId | None = None
    """One that was sent for something else than an answer, as a draft."""
    mounting: CheckpointId | None = None
    message: str = ""
    model: str | None = None
    scope: int = 1
    mentions: MentionRule | None = None

    @property
    def stored(self) -> bool:
        """Whether it was sent."""
        return self.answer is not None or self.request is not None


@dataclass(frozen=True)
class Reading:
    """A title and a text; without a text there is nothing to go to."""

    title: str = "Text"
    sections: tuple[Section, ...] = ()
    cut: LeftOut | None = None
    """An artifact of which a part was cut; that part is still to be read."""


def reading(facts: ContextFacts, other: ContextFacts | None, key: str | None) -> Reading:
    """What belongs to a row; `other` is the request that `facts` are compared with."""
    if (number := row_number(key, "part")) is not None:
        part = part_rows(facts)[number - 1]
        return Reading(f"Text of part {part.number}: {part.what}", part_sections(part))
    if (number := row_number(key, "out")) is not None:
        return _left_out(facts, number - 1)
    if (number := row_number(key, "req")) is not None:
        name, value = request_rows(facts)[number - 1]
        return Reading(f"Request: {name.strip()}", (Section("", value),) if value else ())
    if other is not None and (number := row_number(key, "cmp")) is not None:
        what, piece = compared_pieces(facts, other)[number - 1]
        return Reading(f"Text of {what}", piece_section(piece))
    return Reading()


def _left_out(facts: ContextFacts, at: int) -> Reading:
    row, left = left_rows(facts)[at], facts.left_out[at]
    cut = left if left.kept is not None and left.checkpoint is not None else None
    return Reading(f"Left out: {row.what}", (Section(row.what, row.why),), cut)


def cut_section(services: Services, left: LeftOut) -> Section | None:
    """The characters of an artifact that were not sent; None if it is not there. In a thread.

    Raises:
        SmritiError: its checkpoint cannot be read.
    """
    if left.checkpoint is None or left.kept is None:
        return None
    for artifact in services.checkpoints.get(left.checkpoint).body.artifacts:
        if artifact.label == left.label and len(artifact.content) == left.of:
            text = artifact.content[left.kept :]
            return Section(f"the {len(text):,} characters that were cut", text)
    return None


def facts_of(inspector: Inspector, asked: ContextAsked) -> ContextFacts:
    """Reads the request. In a thread.

    Raises:
        SmritiError: it cannot be read.
    """
    if asked.mounting is not None:
        return inspector.mounting(
            asked.mounting, session=asked.session, model=asked.model, scope=asked.scope
        )
    if asked.request is not None:
        return inspector.request(asked.request)
    session = asked.session or SessionId("")
    if asked.answer is not None:
        return inspector.answer(session, asked.answer)
    return inspector.next_send(
        session, asked.message, model=asked.model, scope=asked.scope, mentions=asked.mentions
    )
