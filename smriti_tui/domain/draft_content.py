"""A draft that nobody edited, as the content of a checkpoint."""

from __future__ import annotations

from smriti_tui.domain.checkpoint_input import MAX_TITLE, CheckpointInput
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.draft import ASKING
from smriti_tui.domain.drafted import Cited, Drafted
from smriti_tui.domain.items import of_kind
from smriti_tui.domain.model import Evidence, Item, Task


def content_of(made: Drafted, keep_as: str | None = None) -> CheckpointInput:
    """What of a draft can be saved as it is. Items whose words were not found among the drafted
    turns stay out, unless `keep_as` names who takes them all the same."""
    items = [
        (cited.item.kind, _item(made, cited, keep_as))
        for cited in made.items
        if keep_as is not None or cited.checked.check not in ASKING
    ]
    title = " ".join(made.title.split())[:MAX_TITLE].strip()
    return CheckpointInput(
        title=title or f"Draft of turns {made.first} to {made.last}",
        objective=made.objective,
        summary=made.summary,
        decisions=of_kind(items, "decisions"),
        assumptions=of_kind(items, "assumptions"),
        tasks=tuple(item for _, item in items if isinstance(item, Task)),
        open_questions=of_kind(items, "open_questions"),
        entities=made.entities,
        draft_request=made.pieces[-1].request if made.pieces else None,
    )


def left_out(made: Drafted) -> tuple[Cited, ...]:
    """The items that `content_of` leaves out."""
    return tuple(cited for cited in made.items if cited.checked.check in ASKING)


def input_document(content: CheckpointInput) -> dict[str, object]:
    """The JSON object that `parse_checkpoint` reads as this content; what is empty and not a field
    of every checkpoint is left out."""
    given: dict[str, object] = to_json(content)
    return {key: _bare(value) for key, value in given.items() if value is not None}


def _bare(value: object) -> object:
    if isinstance(value, list):
        return [_bare(each) for each in value]
    if isinstance(value, dict):
        return {key: _bare(each) for key, each in value.items() if each not in (None, "", [])}
    return value


def _item(made: Drafted, cited: Cited, keep_as: str | None) -> Item | Task:
    item, checked = cited.item, cited.checked
    kept_by = keep_as if checked.check in ASKING else None
    evidence = Evidence(item.quote, checked.check, made.session, checked.turn, kept_by=kept_by)
    return item.stored(evidence)
