"""What the keys do with the row under the cursor: keep and drop, retype, move, undo, throw away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.draft import Entry, carry_all, retyped, shifted, toggled
from smriti_tui.domain.draft_editing import (
    attachment_shifted,
    attachment_toggled,
    offer_taken,
    resting_on,
)
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.reach import Target
from smriti_tui.domain.render.reach import reach_line
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.draft.rows import ARTIFACTS, kind_at
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.draft.screen import DraftScreen

MOST_TEXT = 50
_KINDS = {
    "decisions": "Decision",
    "assumptions": "Assumption",
    "tasks": "Task",
    "open_questions": "Open question",
}


class Acts:
    """Acts on the draft that its screen shows."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """Action id to what it does."""
        screen = self._screen
        return {
            "nav.open": self.open,
            "nav.fold": self.fold,
            "nav.unfold": self.unfold,
            "draft.keep": self.keep,
            "draft.edit": self.edit,
            "draft.new": self.new,
            "draft.kind": self.retype,
            "draft.earlier": lambda: self.shift(-1),
            "draft.later": lambda: self.shift(1),
            "draft.accept": self.take_offer,
            "draft.carry_all": lambda: self.carry(True),
            "draft.carry_none": lambda: self.carry(False),
            "draft.artifact_turn": screen.artifacts.turn,
            "draft.artifact_code": screen.artifacts.code,
            "draft.artifact_file": screen.artifacts.file,
            "draft.artifact_hand": screen.artifacts.hand,
            "edit.copy": self.copy,
            "edit.undo": lambda: screen.turn_back(again=False),
            "edit.redo": lambda: screen.turn_back(again=True),
        }

    # ---- opening -------------------------------------------------------------------------------

    def open(self) -> None:
        """Unfolds what is carried over, writes where nothing stands, else edits."""
        what, _, _ = (self._screen.key or "").partition(":")
        if what == "carried":
            self._screen.unfold(not self._screen.unfolded)
        elif what == "none":
            self.new()
        else:
            self.edit()

    def unfold(self) -> None:
        """What is carried over, on its row."""
        if self._screen.key == "carried":
            self._screen.unfold(True)

    def fold(self) -> None:
        """What is carried over, from any of its rows."""
        entry = self._entry
        if self._screen.key == "carried" or (entry is not None and entry.origin == "head"):
            self._screen.unfold(False)

    def edit(self) -> None:
        """The text under the cursor, with all that belongs to it."""
        key = self._screen.key or ""
        what, _, _ = key.partition(":")
        if what in ("carried", "none"):
            self.open()
        elif key:
            self._screen.writing.open(key)

    def new(self) -> None:
        """An item in the list under the cursor; where nothing can be drafted, the form."""
        screen = self._screen
        if screen.has_nothing:
            screen.leave_for("checkpoint.new")
            return
        kind = kind_at(screen.key, screen.view)
        if kind == ARTIFACTS:
            screen.artifacts.ask()
        else:
            screen.writing.open(f"new:{kind or KINDS[0]}")

    # ---- an item -------------------------------------------------------------------------------

    @property
    def _entry(self) -> Entry | None:
        return self._screen.entry

    def keep(self) -> None:
        """Keeps what is dropped or asks, drops what is kept."""
        screen = self._screen
        what, _, owner = (screen.key or "").partition(":")
        entry = self._entry
        if what == "artifact":
            screen.take(attachment_toggled(screen.state, owner))
        elif what == "carried":
            head = [each for each in screen.state.entries if each.origin == "head"]
            self.carry(any(each.keep != "kept" for each in head))
        elif entry is not None:
            screen.take(toggled(screen.state, entry.uid, screen.services.caller.actor))
            self._tell_reach(entry)
        else:
            screen.say("Only items and artifacts are kept or dropped.")

    def retype(self) -> None:
        """Another kind for the item."""
        screen, entry = self._screen, self._entry
        if entry is None:
            screen.say("Go to an item: its kind is changed there.")
            return
        ways = [(kind, name) for kind, name in _KINDS.items() if kind != entry.kind]
        words = clean_line(entry.text)
        words = f"{words[:MOST_TEXT]}..." if len(words) > MOST_TEXT else words

        def chosen(kind: str | None) -> None:
            now = screen.state.entry(entry.uid)
            if kind is not None and now is not None:
                state = retyped(screen.state, now.uid, kind)
                screen.take(state, to=f"item:{state.entries[-1].uid}")

        screen.app.push_screen(ChoiceDialog("What is it?", words, ways), chosen)

    def shift(self, by: int) -> None:
        """Earlier or later in its list."""
        screen = self._screen
        what, _, owner = (screen.key or "").partition(":")
        if what == "artifact":
            screen.take(attachment_shifted(screen.state, owner, by))
        elif self._entry is not None:
            screen.take(shifted(screen.state, self._entry.uid, by))

    def take_offer(self) -> None:
        """What the model says the item rests on."""
        entry = self._entry
        if entry is None or not entry.offers:
            self._screen.say("Nothing is offered here: no other item is named as its ground.")
            return
        self._screen.take(offer_taken(self._screen.state, entry.uid))

    def carry(self, every: bool) -> None:
        """All that lives in the head, or nothing of it."""
        self._screen.take(carry_all(self._screen.state, carry=every))
        words = "All of it is carried over." if every else "Nothing of it is carried over."
        self._screen.done(words)

    def copy(self) -> None:
        """The text of the row."""
        screen, state = self._screen, self._screen.state
        what, _, owner = (screen.key or "").partition(":")
        text = ""
        if self._entry is not None:
            text = self._entry.text
        elif what == "artifact":
            found = (each.artifact for each in state.attachments)
            text = next((each.content for each in found if each.id == owner), "")
        elif what == "entities":
            text = "\n".join(state.entities)
        elif what in ("title", "objective", "summary", "branch"):
            text = getattr(state, what)
        if text:
            copy_out(screen.app, text)
        else:
            screen.say("Nothing stands here to copy.")

    # ---- what rests on it ----------------------------------------------------------------------

    def _tell_reach(self, before: Entry) -> None:
        """In the bar: what rests on an item that was just dropped, here and elsewhere."""
        screen, state = self._screen, self._screen.state
        now = state.entry(before.uid)
        if now is None or now.keep != "dropped":
            screen.settle_reach()
            return
        label = screen.labels.get(now.uid, "")
        here = [screen.labels.get(uid, "") for uid in resting_on(state, now.uid)]
        if before.origin != "head":
            self._say_reach(now, label, here, "")
            return
        target = Target(now.kind, now.uid, label, now.text, now.id or "")
        services, space, head = screen.services, screen.place.space, state.head

        def work() -> str:
            there, claims = services.reaching.beyond(space, target, head, ())
            return reach_line((), there, claims)

        hop(
            screen, work, lambda line: self._say_reach(now, label, here, line), screen.failed,
            group="draft.reach",
        )  # fmt: skip

    def _say_reach(self, entry: Entry, label: str, here: list[str], beyond: str) -> None:
        now = self._screen.state.entry(entry.uid)
        if now is None or now.keep != "dropped" or not (here or beyond):
            return
        verb = "rests" if len(here) == 1 else "rest"
        words = f"{', '.join(here)} {verb} on {label}, which is left out." if here else ""
        if beyond:
            words = f"{words} Elsewhere too: {beyond}." if here else f"On {label} rests: {beyond}."
        self._screen.tell_reach(words)
