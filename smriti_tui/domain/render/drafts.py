"""A draft by a model, as text and document: what it proposes, and where each word stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from smriti_tui.domain.clean import clean
from smriti_tui.domain.draft_reply import Proposed
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.quotes import Checked
from smriti_tui.domain.render.brief import HEADINGS
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.markdown import bullet, indented

WORDS = {
    "found": "verified",
    "assistant_only": "said by the assistant, not by you",
    "outside_window": "OUTSIDE what was drafted",
    "not_found": "UNVERIFIED",
}


class CitedItem(Protocol):
    """An item with its checked quote."""

    @property
    def item(self) -> Proposed: ...
    @property
    def checked(self) -> Checked: ...


def item_document(cited: CitedItem) -> Document:
    """The item as a checkpoint takes it, and beside it what the check found."""
    item, checked = cited.item, cited.checked
    nearest = checked.nearest
    found: Document = {
        "text": item.text,
        "turn": checked.turn,
        "cited_turn": item.turn,
        "quote": item.quote,
        "check": checked.check,
        "nearest": {"turn": nearest.turn, "text": nearest.text} if nearest else None,
    }
    if item.kind == "tasks":
        found |= {
            "id": item.id,
            "intent_hint": item.intent_hint,
            "blocked_by": list(item.blocked_by),
            "status": item.status,
        }
    return found


def items_document(items: Sequence[CitedItem]) -> Document:
    """By kind, each list in the model's order."""
    return {
        kind: [item_document(each) for each in items if each.item.kind == kind] for kind in KINDS
    }


def items_text(items: Sequence[CitedItem]) -> str:
    """Bullets below a heading for each kind that has any."""
    lines: list[str] = []
    for kind in KINDS:
        mine = [each for each in items if each.item.kind == kind]
        if mine:
            lines += ["", f"## {HEADINGS[kind]}", ""]
        for each in mine:
            where = f"t{each.checked.turn} " if each.checked.turn is not None else ""
            lines.append(bullet(f"{indented(each.item.text)} ({where}{WORDS[each.checked.check]})"))
            if each.checked.check != "found" and each.item.quote:
                lines.append(f"  - quoted: {indented(each.item.quote)}")
            if each.checked.nearest is not None:
                near = each.checked.nearest
                lines.append(f"  - nearest, in t{near.turn}: {indented(near.text)}")
    return clean("\n".join(lines).strip("\n"))
