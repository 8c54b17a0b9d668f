"""The panes of the review screen: what stands in them, from what the screen knows."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.ids import short
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.render.ages import age
from smriti_tui.screens.full import NARROW, SHORT, TitleLine
from smriti_tui.screens.review.reading import Look
from smriti_tui.screens.review.rows import finding_rows, in_tab, tab_line, tabs_of
from smriti_tui.screens.review.texts import (
    evidence_sections,
    follow_sections,
    follow_subtitle,
    rules_text,
)
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.header_bar import count
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from smriti_tui.screens.review.review import ReviewScreen

EMPTY = "No findings. Nothing contradicts itself here as far as rules and model can tell."
EMPTY_RULES = "No findings by the rules. No model was asked."
PROMISE = (
    "The model proposes; you decide. Nothing here changes {id}: accepted items go into a new "
    "checkpoint."
)


def pane(widget_id: str) -> LiteralView:
    """A pane with a text."""
    made = LiteralView(widget_id=widget_id)
    made.add_class("pane")
    return made


HANGING = " " * 12
"""As far as the names of the checks reach."""


class Panes:
    """Composes and fills the panes of its screen."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen

    def compose(self) -> Iterable[Widget]:
        """Findings with what the rules saw at the left, what belongs to one at the right."""
        with Horizontal(id="review-body"):
            with Vertical(id="review-left", classes="pane"):
                yield Static(id="review-tabs")
                yield RowList(id="review-list", empty="Reading the review ...")
                yield Static(id="review-running")
                yield Static(id="review-checks")
            with Vertical(id="review-right"):
                yield pane("review-evidence")
                yield pane("review-follow")

    @property
    def rows(self) -> RowList:
        """The list."""
        return self._screen.query_one("#review-list", RowList)

    @property
    def evidence(self) -> LiteralView:
        """What belongs to the finding under the cursor."""
        return self._screen.query_one("#review-evidence", LiteralView)

    def _left(self) -> Vertical:
        return self._screen.query_one("#review-left", Vertical)

    def begin(self, checkpoint: str) -> None:
        """Nothing is read yet."""
        self._screen.query_one(TitleLine).left = (f"REVIEW of {short(checkpoint)}",)
        self._left().border_title = "Findings"
        self.evidence.border_title = "Evidence"
        follow = self._screen.query_one("#review-follow", LiteralView)
        follow.border_title = "Follow-up checkpoint (not saved)"

    # ---- all of it -----------------------------------------------------------------------------

    def show(self) -> None:
        """Title, counts, list and follow-up; then what belongs to the row under the cursor."""
        look = self._screen.look
        if look is None:
            return
        self._title(look)
        self.show_list()
        follow = self._screen.query_one("#review-follow", LiteralView)
        follow.border_subtitle = literal_line(follow_subtitle(look))
        follow.show(follow_sections(look, self._screen.table))
        self._checks(look)
        if not self._screen.running:
            self.say_running(self._screen.failed_words)

    def _title(self, look: Look) -> None:
        found, title = look.checkpoint, self._screen.query_one(TitleLine)
        name = short(found.id)
        by = f"by {found.body.author}, {age(found.body.created_at, look.now)}"
        title.left = (look.space, f"REVIEW of {name} {named(found.title)}", by)
        title.right = "   ".join(filter(None, (self._screen.demo_word.strip(), *self._right(look))))

    def _right(self, look: Look) -> Iterable[str]:
        report, reviewed = self._screen.report, look.reviewed
        if report is not None:
            yield "chain BROKEN" if report.chain.faults else "chain ok"
        if reviewed is None or self._screen.has_class(NARROW):
            return
        yield reviewed.review.model or "rules alone"
        if reviewed.usage is not None:
            yield count(reviewed.usage.input_tokens + reviewed.usage.output_tokens)
        if reviewed.cost is not None:
            yield f"${float(reviewed.cost.usd):.2f}"

    def show_list(self) -> None:
        """The rows of the tab that is shown; the cursor stays on the finding it is on."""
        screen, look = self._screen, self._screen.look
        if look is None:
            return
        findings, left = screen.findings, self._left()
        still = sum(each.outcome == "open" for each in findings)
        counts = f"   {still} open of {len(findings)}" if findings else ""
        left.border_title = literal_line(f"Findings{counts}")
        tabs = tabs_of(findings)
        line = screen.query_one("#review-tabs", Static)
        line.display = len(tabs) > 2
        width = self.rows.size.width or screen.size.width // 2
        line.update(literal_line(tab_line(tabs, screen.tab, width)))
        changes = len(look.follow.changes) if look.recorded else None
        listed = in_tab(findings, screen.tab)
        rows = finding_rows(listed, look.checkpoint.body, width, changes)
        self.rows.show_rows(rows, empty=self._empty(look))

    def _empty(self, look: Look) -> str:
        if self._screen.running:
            return "The review is being made. esc stops it, and nothing of it is recorded."
        if look.reviewed is None:
            return "Not reviewed yet."
        return EMPTY if look.reviewed.review.model else EMPTY_RULES

    def _checks(self, look: Look) -> None:
        width = max(self.rows.size.width - 2, 30)
        lines = ["Deterministic checks (no model)"]
        for line in rules_text(self._screen.report).split("\n"):
            lines += wrap(f"  {line}", width, subsequent_indent=HANGING)
        if not self._screen.has_class(SHORT):
            lines += ["", PROMISE.format(id=short(look.checkpoint.id))]
        self._screen.query_one("#review-checks", Static).update(literal("\n".join(lines)))

    def say_running(self, words: str) -> None:
        """How far the call is; empty when none runs."""
        line = self._screen.query_one("#review-running", Static)
        line.display = bool(words)
        line.update(literal_line(words))

    # ---- what belongs to one -------------------------------------------------------------------

    def show_row(self) -> None:
        """The right side follows the cursor."""
        screen, look = self._screen, self._screen.look
        if look is None:
            return
        each = screen.under_cursor
        if screen.raw:
            words = "The model answered this, which is no list of findings:"
            found: tuple[Section, ...] = (Section(words, screen.raw, "heading"),)
        elif each is not None:
            found = evidence_sections(each, look, screen.report, screen.behind)
        else:
            found = (Section("", PROMISE.format(id=short(look.checkpoint.id))),)
        if screen.has_class(NARROW) or screen.has_class(SHORT):
            checks = rules_text(screen.report)
            found = (*found, Section("Deterministic checks (no model)", checks, "heading"))
        self.evidence.show(found)
