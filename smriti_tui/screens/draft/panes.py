"""The panes of the draft: rows with the lines below them, the source, what the model got."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.draft import asks
from smriti_tui.domain.draft_editing import left_out
from smriti_tui.domain.form import left_out_line
from smriti_tui.domain.ids import short
from smriti_tui.screens.draft.rows import rows_of
from smriti_tui.screens.draft.source import CITED, MISSING, Shown
from smriti_tui.screens.full import WIDE, TitleLine
from smriti_tui.text import literal, literal_line
from smriti_tui.widgets.header_bar import count
from smriti_tui.widgets.literal_view import LiteralView
from smriti_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from smriti_tui.screens.draft.screen import DraftScreen

NARROW_LINES = 2
"""Lines below the rows on a screen of less than 100 columns, the first that apply."""


class Panes:
    """Composes and fills the panes of its screen."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen
        self._status: str | None = None
        """What stands below the rows; None before anything does."""

    def compose(self) -> Iterable[Widget]:
        """Rows left, their source right; on a narrow screen below each other."""
        with Horizontal(id="draft-body"):
            with Vertical(id="draft-left", classes="pane"):
                yield RowList(id="draft-rows", empty=" Reading the draft ...")
                yield Static(id="draft-status")
            with Vertical(id="draft-right"):
                source = LiteralView(widget_id="draft-source")
                source.add_class("pane")
                yield source
                with VerticalScroll(id="draft-saw", classes="pane", can_focus=False):
                    yield Static(id="draft-saw-text")

    @property
    def rows(self) -> RowList:
        return self._screen.query_one("#draft-rows", RowList)

    @property
    def source(self) -> LiteralView:
        return self._screen.query_one("#draft-source", LiteralView)

    # ---- the frame -----------------------------------------------------------------------------

    def loading(self) -> None:
        """Nothing is read yet."""
        screen = self._screen
        screen.query_one(TitleLine).left = (screen.place.space_name, "DRAFT")
        self._left.border_title = "4 Draft"
        self.source.border_title = "Source"
        screen.query_one("#draft-saw").border_title = "What this draft saw"
        self.rows.focus()

    @property
    def _left(self) -> Vertical:
        return self._screen.query_one("#draft-left", Vertical)

    def broken(self, words: str) -> None:
        """There is nothing to draft for."""
        self.rows.show_rows((), empty=f" {words}")

    # ---- showing -------------------------------------------------------------------------------

    def show(self) -> None:
        """Rows, titles and lines."""
        screen, rows = self._screen, self.rows
        if screen.has_nothing:
            rows.show_rows((), empty=self.nothing())
        elif rows.size.width:
            wide = screen.has_class(WIDE)
            rows.show_rows(rows_of(screen.view, rows.size.width, wide=wide))
        self.show_titles()
        self.show_status()

    def nothing(self) -> str:
        """Why there is no draft, and what can be done."""
        found, table = self._screen.opened, self._screen.table
        if found is None:
            return ""
        words = f"{found.no_turns}\n\n{table.key('draft.new')} writes a checkpoint by hand; "
        words += f"{table.key('nav.back')} goes back."
        if found.thrown is not None:
            words += f"\n{table.key('edit.undo')} brings back the draft that was thrown away."
        return words

    def show_titles(self) -> None:
        """Where it goes, what it is made from, and how far it is."""
        screen, state, found = self._screen, self._screen.state, self._screen.opened
        if found is None:
            return
        after = f"DRAFT after {short(state.head)}" if state.head else "DRAFT, the first here"
        if screen.saving.needs_branch:
            after += ", new branch"
        tokens = screen.looking.tokens
        title = screen.query_one(TitleLine)
        title.left = (screen.place.space_name, after, self._turns(), state.model or found.model)
        right = f"{count(tokens)} tokens" if tokens else ""
        title.right = f"{screen.demo_word}{right}".rstrip()
        told = [f"{state.count('kept')} kept"] if not screen.has_nothing else []
        told += [f"{n} dropped"] if (n := state.count("dropped")) else []
        told += [f"{n} {'needs' if n == 1 else 'need'} you"] if (n := asks(state)) else []
        self._left.border_title = literal_line(f"4 Draft  {', '.join(told)}".rstrip())
        words = "asking" if screen.asking.running else "saving" if screen.saving.running else ""
        self._left.border_subtitle = words

    def _turns(self) -> str:
        state, found = self._screen.state, self._screen.opened
        window = found.turns if found is not None else None
        first, last = (state.first, state.last) if state.first else window or (None, None)
        if first is None:
            return "no turns"
        words = f"turns {first}-{last} of {short(self._screen.session)}"
        return f"{words} (1-{first - 1} stay out)" if first > 1 else words

    def show_status(self) -> None:
        """What runs, what is left out, what saving waits for."""
        screen = self._screen
        lines = [line for line in self._lines() if line]
        if not screen.has_class(WIDE):
            lines = lines[:NARROW_LINES]
        words = "\n".join(lines)
        if words != self._status:  # Other words may need other room: all is placed anew.
            self._status = words
            status = screen.query_one("#draft-status", Static)
            status.display = bool(words)
            status.update(literal(words))
        self.show_titles()

    def _lines(self) -> Iterator[str]:
        screen, state, found = self._screen, self._screen.state, self._screen.opened
        if found is None or screen.has_nothing:
            return
        table = screen.table
        if screen.asking.words:
            yield f"{screen.asking.words} ... {table.key('nav.back')} stops it"
        if screen.saving.running:
            yield "Saving ..."
        if asks(state):
            yield "Save is possible when every [?] is kept or dropped."
        save = table.key("draft.save")
        if screen.saving.stale:
            head = short(screen.saving.moved_to or "")
            yield f"{found.branch} has moved to {head}: {save} asks where this goes."
        if screen.saving.needs_branch and not state.branch:
            yield f"{short(state.head)} is not the head of {found.branch}: {save} asks for a name."
        if state.last and found.turns and found.turns[1] > state.last and state.requests:
            newer = f"turns {state.last + 1} to {found.turns[1]}"
            yield f"Since then {newer} came: {table.key('draft.again')} drafts them too."
        missing = left_out(state)
        if missing:
            yield left_out_line(missing, state.head)
        if state.problems:
            yield f"Not all of the answer could be used: {'; '.join(state.problems)}."

    def what_to_do(self) -> str:
        """For the Source pane, where the row has no source."""
        screen, table = self._screen, self._screen.table
        if screen.has_nothing:
            return "Nothing is sent: there is nothing to draft."
        if screen.asking.running:
            return "The draft is on its way. What you write meanwhile is kept."
        if screen.state.requests:
            return "Each item shows here the turn that it cites."
        again, new = table.key("draft.again"), table.key("draft.new")
        model = screen.opened.model if screen.opened is not None else ""
        if not model:
            return f"{new} writes an item by hand."
        return f"{again} drafts the turns with {model}; {new} writes an item by hand."

    def show_source(self, shown: Shown) -> None:
        """What the row under the cursor stands on."""
        source = self.source
        source.border_subtitle = literal_line(shown.title)
        source.show(shown.sections)
        source.reveal(CITED if any(each.word == CITED for each in shown.sections) else MISSING)

    def show_saw(self, words: str) -> None:
        """What was sent for the draft."""
        self._screen.query_one("#draft-saw-text", Static).update(literal(words))

    # ---- moving --------------------------------------------------------------------------------

    def first_asking(self) -> None:
        """To the first item that asks; without one the cursor stays."""
        entry = next((each for each in self._screen.state.entries if each.keep == "asks"), None)
        if entry is not None:
            self.rows.move_to(f"item:{entry.uid}")

    def step(self) -> None:
        """From the rows to the source and back."""
        other = self.source if self._screen.focused is self.rows else self.rows
        other.focus()

    def scroll(self, by: int) -> None:
        """The source, while the rows have the keys."""
        self.source.scroll_relative(y=by, animate=False)
