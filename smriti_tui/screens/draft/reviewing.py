"""A look at the draft before it is saved, by the rules that need no model."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from smriti_tui.domain.draft import DraftState, asks
from smriti_tui.domain.draft_saving import to_input
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.items import KINDS, LETTERS
from smriti_tui.domain.render.review_words import KIND_LABELS, rule_rows
from smriti_tui.domain.render.tables import pairs
from smriti_tui.screens.dialogs.origin import OriginDialog
from smriti_tui.widgets.literal_view import Section
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from smriti_tui.domain.checkpoint_input import CheckpointInput
    from smriti_tui.domain.review_rules import RuleReport
    from smriti_tui.screens.draft.screen import DraftScreen

_LABEL = re.compile(r"\b[DATQ][1-9][0-9]*\b")
UNTITLED = "(no title yet)"


class ReviewDialog(OriginDialog):
    """What the rules found."""

    HELP = (
        "The checks that need no model, on what would be saved now. "
        "They change nothing; what still asks counts as dropped. "
        "A review by a model runs on a saved checkpoint."
    )

    def heading(self) -> str:
        return "Review before saving"


def review(screen: DraftScreen) -> None:
    """Runs the rules over the draft as it stands, and shows what they say."""
    state, services, place = screen.state, screen.services, screen.place
    labels = dict(screen.labels)

    def work() -> list[Section]:
        content = to_input(_settled(state))
        head = CheckpointId(state.head) if state.head else None
        report = services.reviewing.rules_of(place.space, content, head=head, session=place.session)
        return [*_waiting(state), *_sections(report, _renamed(content, labels))]

    def then(sections: list[Section]) -> None:
        screen.app.push_screen(ReviewDialog("", sections))

    hop(screen, work, then, screen.failed, group="draft.review")


def _waiting(state: DraftState) -> list[Section]:
    count = asks(state)
    if not count:
        return []
    words = "item still needs you and counts" if count == 1 else "items still need you and count"
    return [Section("", f"{count} {words} as dropped here.\n")]


def _settled(state: DraftState) -> DraftState:
    """What still asks is looked at as if it were dropped."""
    entries = tuple(
        replace(each, keep="dropped") if each.keep == "asks" else each for each in state.entries
    )
    return replace(state, entries=entries, title=state.title.strip() or UNTITLED)


def _renamed(content: CheckpointInput, labels: Mapping[str, str]) -> dict[str, str]:
    """The label that an item would have in the checkpoint, to the one that it has on the screen."""
    found = {}
    for kind in KINDS:
        for number, item in enumerate(getattr(content, kind), 1):
            label = f"{LETTERS[kind]}{number}"
            found[label] = labels.get(item.uid, label)
    return found


def _sections(report: RuleReport, names: Mapping[str, str]) -> list[Section]:
    def told(text: str) -> str:
        return _LABEL.sub(lambda found: names.get(found[0], found[0]), text)

    count = len(report.findings)
    head = "Nothing to mend." if not count else f"{count} to look at"
    sections = [Section(head, "", "heading")]
    for each in report.findings:
        text = told(each.text)
        sections.append(Section(f"! {KIND_LABELS[each.kind]}", text))
        if each.why:
            sections.append(Section("", told(each.why), "muted"))
    # Where it was made from is known when it is saved.
    rows = [(name, told(words)) for name, words in rule_rows(report) if name != "source"]
    return [*sections, Section("\nChecks that need no model", pairs(rows), "heading")]
