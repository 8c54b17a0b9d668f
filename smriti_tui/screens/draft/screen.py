"""Pane 4: a checkpoint as the background model proposes it, every item with its source (ux 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.draft import DraftState, Entry, drafted, dump
from smriti_tui.domain.draft_editing import is_touched
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.keys import bindings, named
from smriti_tui.messages import Failed, FeedMoved
from smriti_tui.screens.desk.unsent import UnsentKeeper
from smriti_tui.screens.draft.acts import Acts
from smriti_tui.screens.draft.artifacts import Artifacts
from smriti_tui.screens.draft.asking import Asking
from smriti_tui.screens.draft.loading import OpenedDraft, open_draft
from smriti_tui.screens.draft.looking import Looking
from smriti_tui.screens.draft.panes import Panes
from smriti_tui.screens.draft.place import DraftPlace, DraftView, Left, view_of
from smriti_tui.screens.draft.quotes import Quotes
from smriti_tui.screens.draft.reviewing import review
from smriti_tui.screens.draft.saved import Keeping
from smriti_tui.screens.draft.writing import Writing
from smriti_tui.screens.full import LEAVING, MOVES, WIDE, FullScreen
from smriti_tui.screens.saving import Saving
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.domain.drafted import Drafted
    from smriti_tui.services import Services

REACH = "draft.reach"
MOST_STEPS = 200
"""Steps that undo goes back."""
PANES = ("nav.pane_1", "nav.pane_2", "nav.pane_3", "nav.pane_5")


class DraftScreen(FullScreen[Left | None]):
    """Dismissed with how it was left; the draft is kept, unless it was saved or thrown away."""

    HELP = (
        "The background model proposes, you decide: each item names the turn it stands in, and its "
        "words were looked up there by rule. Only the turns since the last checkpoint were sent. "
        "Everything here is kept as you type; w saves it as a checkpoint."
    )
    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / name) for name in ("context.tcss", "draft.tcss")
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("draft"),
        *named(
            *MOVES, "nav.open", "nav.fold", "nav.unfold", "nav.preview_down", "nav.preview_up",
            "edit.copy", "edit.undo", "edit.redo", "context.show", "draft.start", "nav.pane_4",
            *PANES,
        ),
        *LEAVING,
    ]  # fmt: skip
    PLACES = ("draft", "browse", "everywhere")
    FOOTER = (
        "draft.keep", "draft.edit", "draft.new", "draft.kind", "draft.source", "draft.again",
        "draft.save",
    )  # fmt: skip
    NARROW_FOOTER = ("draft.keep", "draft.edit", "draft.new", "draft.source", "draft.save")

    @dataclass
    class Opened(Message):
        """Place, head and the draft of before were read."""

        draft: OpenedDraft

    def __init__(
        self, services: Services, place: DraftPlace, *, ask: bool = True, bring_back: bool = False
    ) -> None:
        """`ask`: a draft is asked for where there is none; `bring_back`: the one that was thrown
        away last comes back instead."""
        super().__init__()
        self.services = services
        self.place = place
        self.session = SessionId(place.session or "")
        self.state = DraftState(self.session)
        self.opened: OpenedDraft | None = None
        self.unfolded = False
        self.keeper = UnsentKeeper(self, services)
        self.keeping = Keeping(self)
        self.saving = Saving(self, self.keeping, services, place)
        self.quotes = Quotes(self)
        self.writing = Writing(self)
        self.artifacts = Artifacts(self)
        self.asking = Asking(self)
        self.looking = Looking(self)
        self.panes = Panes(self)
        self._acts = Acts(self)
        self._ask_first, self._bring_back = ask, bring_back
        self._before: list[DraftState] = []
        self._behind: list[DraftState] = []

    # ---- opening -------------------------------------------------------------------------------

    def body(self) -> Iterable[Widget]:
        """The panes; what stands in them follows."""
        yield from self.panes.compose()

    def on_mount(self) -> None:
        """Reads behind the first frame."""
        self.panes.loading()
        self.show_footer(self.FOOTER)
        services, place, keeper = self.services, self.place, self.keeper

        def work() -> OpenedDraft:
            return open_draft(services, place, keeper.take(place.thing), keeper.take(place.thrown))

        in_thread(self, work, self.Opened, group="draft.open", what="Opening the draft")

    @on(Opened)
    def _opened(self, message: Opened) -> None:
        self.opened = found = message.draft
        self.state = found.state
        self.saving.needs_branch = found.needs_branch or bool(found.state.branch)
        self.saving.beside = bool(found.state.branch) and not found.needs_branch
        self.redraw()
        self.looking.facts_again()
        if found.news:
            self.tell(found.news)
        if self._bring_back and found.thrown is not None:
            self.bring_back()
        elif found.held:
            self.writing.resume(found.state.writing)
        elif self._ask_first and not found.others:
            self.ask()
        if found.others:
            self.keeping.keep(always=True)

    @property
    def has_nothing(self) -> bool:
        """Whether there is neither a draft nor a turn to make one of."""
        found = self.opened
        return found is not None and bool(found.no_turns) and not self._touched

    @property
    def _touched(self) -> bool:
        return self.opened is not None and is_touched(self.state, self.opened.start)

    # ---- drafting ------------------------------------------------------------------------------

    def ask(self) -> None:
        """Asks the background model; without turns or a model says so, and nothing is sent."""
        found = self.opened
        if found is None:
            return
        if found.no_turns and not self._touched:
            self.show_status()
        elif found.no_model is not None:
            self.tell(
                found.no_model.message,
                f"{found.no_model.hint} Everything here can be written by hand.".strip(),
            )
        else:
            self.asking.start()

    def made(self, made: Drafted) -> None:
        """An answer came. What of it can be used fills the rows that nobody touched; an answer that
        is no draft leaves all as it is."""
        if made.usable:
            self.quotes.forget()
            self.take(drafted(self.state, made))
            if self.panes.rows.cursor_row <= 0:  # Nobody has begun to look.
                self.panes.first_asking()
        self.looking.facts_again(self.asking.requests)
        self.redraw()
        self.asking.tell(made)

    def start_or_say(self) -> None:
        """f2 in here."""
        if self._touched:
            self.say(f"{self.table.key('draft.again')} drafts again; your edits are kept.")
        else:
            self.ask()

    # ---- the draft -----------------------------------------------------------------------------

    @property
    def view(self) -> DraftView:
        """What the rows are drawn from."""
        head = self.opened.head if self.opened is not None else None
        return view_of(
            self.state, head, unfolded=self.unfolded, needs_branch=self.saving.needs_branch
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

    def take(self, state: DraftState, *, to: str = "") -> None:
        """Another state of the draft: drawn, kept, and to be undone; `to` is a row to go to."""
        if self.opened is None:
            return
        if state != self.state:
            self._before = [*self._before, self.state][-MOST_STEPS:]
            self._behind = []
        self._show(state, to)

    def _show(self, state: DraftState, to: str = "") -> None:
        self.state = replace(state, writing={})
        self.redraw()
        if to:
            self.panes.rows.move_to(to)
        self.keeping.keep()

    def turn_back(self, *, again: bool) -> None:
        """Undoes the last step here, or does it again; with nothing to undo, the draft that was
        thrown away comes back."""
        taken, others = (self._behind, self._before) if again else (self._before, self._behind)
        if taken:
            others.append(self.state)
            self._show(taken.pop())
        elif not again and self.opened is not None and self.opened.thrown is not None:
            self.bring_back()
        else:
            self.say("Nothing to do again here." if again else "Nothing to undo here.")

    def bring_back(self) -> None:
        """The draft that was thrown away is there again."""
        found = self.opened
        if found is None or found.thrown is None:
            return
        self.asking.stop()
        thrown, self.opened = found.thrown, replace(found, thrown=None)
        self.keeper.later(self.place.thrown, "")
        self.take(thrown)
        self.looking.facts_again()
        self.say("The draft that was thrown away is back.")

    def keep_writing(self, writing: Mapping[str, object]) -> None:
        """What stands in the open dialog is kept too."""
        self.state = replace(self.state, writing=dict(writing))
        self.keeping.keep()

    def new_head(self, opened: OpenedDraft, state: DraftState) -> None:
        """The draft goes on top of another head."""
        self.opened = opened
        self.take(state)

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
        self._acts.open()

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

    def on_failed(self, message: Failed) -> None:
        """Where not even the place is known, nothing can be drafted."""
        if self.opened is None:
            self.panes.broken(str(message.error))
        super().on_failed(message)

    def tell_reach(self, words: str) -> None:
        """In the bar until the item is there again."""
        self.query_one(NoticeBar).tell(words, causes=(REACH,))

    def settle_reach(self) -> None:
        """What rested on it rests on it again."""
        self.query_one(NoticeBar).settle(REACH)

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Somebody may have saved on the head, or drafts here too."""
        if self.opened is not None:
            self.saving.look()
            self.keeping.look_for_others()

    # ---- keys ----------------------------------------------------------------------------------

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            **self._acts.runners(),
            **{each: partial(self.leave_for, each) for each in PANES},
            "nav.pane_4": self.panes.rows.focus,
            "nav.next": self.panes.step,
            "nav.prev": self.panes.step,
            "nav.preview_down": partial(self.panes.scroll, 1),
            "nav.preview_up": partial(self.panes.scroll, -1),
            "draft.start": self.start_or_say,
            "draft.again": self.ask,
            "draft.review": partial(review, self),
            "draft.save": self.keeping.save,
            "edit.save": self.keeping.save,
            "draft.discard": self.keeping.throw_away,
            "draft.source": self.looking.source,
            "context.show": self.looking.context,
        }

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

    def why_not(self, action_id: str) -> str:
        """What needs turns, a model, an item under the cursor."""
        found = self.opened
        if found is None:
            return "the draft is still being read"
        if action_id == "draft.again" and found.no_turns and not self._touched:
            return "nothing was said that could be drafted"
        if action_id in ("draft.kind", "draft.source") and self.entry is None:
            return "go to an item"
        if action_id == "draft.accept" and not (self.entry is not None and self.entry.offers):
            return "nothing is offered here"
        return ""

    def action_run(self, action_id: str) -> None:
        """While the draft is read, nothing is done with it."""
        own = action_id.startswith(("draft.", "edit."))
        if self.opened is None and own:
            self.say("The draft is still being read.")
        else:
            super().action_run(action_id)

    def back(self) -> None:
        """The bar; a draft on its way; the source; then the screen, and the draft is kept."""
        if self.query_one(NoticeBar).dismiss() or self.asking.stop():
            return
        if self.focused is not self.panes.rows and self.opened is not None:
            self.panes.rows.focus()
            return
        self.keeping.leave(Left())

    def leave_for(self, action_id: str) -> None:
        """Off to where an action leads."""
        self.asking.stop()
        self.keeping.leave(Left(go=action_id))

    def kept_text(self) -> str:
        """The draft as it is kept; empty where there is none."""
        return dump(self.state) if self._touched else ""

    async def put_away(self) -> None:
        """Stops the call, and returns when the draft is kept."""
        await self.asking.put_away()
        await self.keeper.finish()

    async def on_unmount(self) -> None:
        """However it is left."""
        await self.put_away()
