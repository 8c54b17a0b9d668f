"""The frame of the draft's screen: what is under the cursor, rows drawn anew, words for the
person."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.draft import DraftState, Entry
from smriti_tui.domain.errors import SmritiError
from smriti_tui.screens.draft.loading import OpenedDraft
from smriti_tui.screens.draft.place import DraftView, Left, view_of
from smriti_tui.screens.full import WIDE, FullScreen
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from smriti_tui.screens.draft.acts import Acts
    from smriti_tui.screens.draft.looking import Looking
    from smriti_tui.screens.draft.panes import Panes
    from smriti_tui.screens.saving import Saving

REACH = "draft.reach"


class DraftFrame(FullScreen[Left | None]):
    """Shows a state of the draft; what is done with it is the screen's own matter."""

    FOOTER: ClassVar[tuple[str, ...]] = (
        "draft.keep", "draft.edit", "draft.new", "draft.kind", "draft.source", "draft.again",
        "draft.save",
    )  # fmt: skip
    NARROW_FOOTER: ClassVar[tuple[str, ...]] = (
        "draft.keep", "draft.edit", "draft.new", "draft.source", "draft.save",
    )  # fmt: skip

    acts: Acts
    looking: Looking
    panes: Panes
    saving: Saving
    state: DraftState
    opened: OpenedDraft | None = None
    unfolded = False
    """Whether what is carried over is listed."""

    # ---- under the cursor ----------------------------------------------------------------------

    @property
    def view(self) -> DraftView:
        """What the rows are drawn from."""
        head = self.opened.head if self.opened is not None else None
        return view_of(
            self.state,
            head,
            self.table.key,
            unfolded=self.unfolded,
            needs_branch=self.saving.needs_branch,
        )

    @property
    def labels(self) -> dict[str, str]:
        """Uid to the label on the screen."""
        return self.view.labels

    @property
    def key(self) -> str | None:
        """Of the row under the cursor."""
        return self.panes.rows.cursor_key

    @property
    def entry(self) -> Entry | None:
        """The item under the cursor."""
        what, _, owner = (self.key or "").partition(":")
        return self.state.entry(owner) if what == "item" else None

    @property
    def cited_turn(self) -> int | None:
        """The turn that the item under the cursor cites."""
        entry = self.entry
        return entry.evidence[0].turn if entry is not None and entry.evidence else None

    # ---- showing -------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Rows, titles and lines anew; the cursor stays on the thing it is on."""
        if self.opened is not None and self.is_attached:
            self.panes.show()
            self.looking.follow()

    def show_status(self) -> None:
        """The lines below the rows alone."""
        if self.opened is not None:
            self.panes.show_status()

    def unfold(self, unfolded: bool) -> None:
        """Lists what is carried over, or folds it."""
        if unfolded != self.unfolded:
            self.unfolded = unfolded
            self.redraw()
            self.panes.rows.move_to("carried")

    def on_resize(self) -> None:
        """Other lines fit."""
        self.show_footer(self.FOOTER)
        self.call_after_refresh(self.redraw)

    @on(RowList.Moved)
    def _moved(self) -> None:
        self.looking.follow()

    @on(RowList.Opened)
    def _row_opened(self) -> None:
        self.acts.open()

    @on(RowList.FoldAsked)
    def _fold_asked(self, message: RowList.FoldAsked) -> None:
        self.unfold(message.unfold)

    def say(self, words: str) -> None:
        """A short note that needs no answer."""
        self.notify(clean_line(words), markup=False)

    def done(self, words: str) -> None:
        """Something was done; and what undoes it."""
        self.say(f"{words} {self.table.key('edit.undo')} undoes.")

    def failed(self, error: SmritiError) -> None:
        """Says what went wrong."""
        self.tell(error.message, error.hint)

    def tell_reach(self, words: str) -> None:
        """In the bar until the item is there again."""
        self.query_one(NoticeBar).tell(words, causes=(REACH,))

    def settle_reach(self) -> None:
        """What rested on it rests on it again."""
        self.query_one(NoticeBar).settle(REACH)

    def show_footer(self, action_ids: Iterable[str]) -> None:
        """The keys of the rows, and at the right edge the way out: seven in 80 columns."""
        wide = self.has_class(WIDE)

        def key(action_id: str, word: str = "") -> FooterKey:
            action = self.table.get(action_id)
            return FooterKey(self.table.key(action_id), word or action.word, action_id)

        left = tuple(map(key, action_ids if wide else self.NARROW_FOOTER))
        right = [key("nav.back", "Close (kept)" if wide else "Close"), key("app.help")]
        right += [key("app.palette")] if wide else []
        self.query_one(FooterBar).keys = FooterKeys(left, tuple(right))
