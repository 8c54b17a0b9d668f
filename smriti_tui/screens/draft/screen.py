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
from smriti_tui.domain.draft import DraftState, drafted, dump
from smriti_tui.domain.draft_editing import is_touched
from smriti_tui.domain.ids import SessionId
from smriti_tui.keys import bindings, named
from smriti_tui.messages import Failed, FeedMoved
from smriti_tui.screens.desk.unsent import UnsentKeeper
from smriti_tui.screens.draft.acts import Acts
from smriti_tui.screens.draft.artifacts import Artifacts
from smriti_tui.screens.draft.asking import Asking
from smriti_tui.screens.draft.frame import DraftFrame
from smriti_tui.screens.draft.loading import OpenedDraft, open_draft
from smriti_tui.screens.draft.looking import Looking
from smriti_tui.screens.draft.panes import Panes
from smriti_tui.screens.draft.place import DraftPlace, Left
from smriti_tui.screens.draft.quotes import Quotes
from smriti_tui.screens.draft.reviewing import review
from smriti_tui.screens.draft.saved import Keeping
from smriti_tui.screens.draft.writing import Writing
from smriti_tui.screens.full import LEAVING, MOVES
from smriti_tui.screens.saving import Saving
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.domain.drafted import Drafted
    from smriti_tui.services import Services

MOST_STEPS = 200
"""Steps that undo goes back."""
PANES = ("nav.pane_1", "nav.pane_2", "nav.pane_3", "nav.pane_5")


class DraftScreen(DraftFrame):
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

    @dataclass
    class Opened(Message):
        """Place, head and the draft of before were read."""

        draft: OpenedDraft

    def __init__(
        self,
        services: Services,
        place: DraftPlace,
        *,
        ask: bool = True,
        bring_back: bool = False,
        last: int | None = None,
    ) -> None:
        """`ask`: a draft is asked for where there is none, with `last` of the turns up to that one;
        `bring_back`: the one that was thrown away last comes back instead."""
        super().__init__()
        self.services = services
        self.place = place
        self.session = SessionId(place.session or "")
        self.state = DraftState(self.session)
        self.keeper = UnsentKeeper(self, services)
        self.keeping = Keeping(self)
        self.saving = Saving(self, self.keeping, services, place)
        self.quotes = Quotes(self)
        self.writing = Writing(self)
        self.artifacts = Artifacts(self)
        self.asking = Asking(self)
        self.looking = Looking(self)
        self.panes = Panes(self)
        self.acts = Acts(self)
        self._ask_first, self._bring_back, self._last = ask, bring_back, last
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
            self.asking.start(self._last)
            self._last = None

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

    def on_failed(self, message: Failed) -> None:
        """Where not even the place is known, nothing can be drafted."""
        if self.opened is None:
            self.panes.broken(str(message.error))
        super().on_failed(message)

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Somebody may have saved on the head, or drafts here too."""
        if self.opened is not None:
            self.saving.look()
            self.keeping.look_for_others()

    # ---- keys ----------------------------------------------------------------------------------

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            **self.acts.runners(),
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
