"""Two answers to one question: the old one left, the new one right as it arrives (ux 4.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Protocol

from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Turn
from smriti_tui.domain.render.context_request import short_hash
from smriti_tui.domain.render.slot_sides import AROUND
from smriti_tui.domain.render.turns_text import not_whole
from smriti_tui.domain.values import parse_utc
from smriti_tui.domain.words import Piece, word_changes
from smriti_tui.keys import FOOTER_RIGHT, bindings, named
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.desk.entries import GAP, meta
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen, TitleLine
from smriti_tui.text import literal_line
from smriti_tui.widgets.footer_bar import FooterBar, FooterKey, FooterKeys
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.widgets.markdown_model import ASCII_THEME, UNICODE_THEME
from smriti_tui.widgets.row_list import cut
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import TurnView
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.steps import ChatStep

TICK_S = 0.2
NAME_CELLS = 24
WORDS = (
    "The one you choose continues the session. The other stays as its sibling and is not sent to a "
    "model unless you switch."
)


@dataclass(frozen=True)
class SidesAsked:
    """The old answer, and what was changed for the new one."""

    session: SessionId
    old: Turn
    change: str
    """In words: `model`, `scope 3`, `temperature = 0.2`."""
    space: str
    tokens: int
    """Of the old answer's context, as it was counted."""
    same: bool
    """Whether the context is the same to the byte."""


class SidesKeeper(Protocol):
    """Who asks, stops and chooses for the screen."""

    def stop(self) -> bool:
        """Stops the new answer; False if it is over."""

    def choose(self, number: int, then: Callable[[], None]) -> None:
        """Makes an answer the one that is sent."""


class SideBySide(FullScreen[int | None]):
    """Dismissed with the number of the answer that was chosen, else with None."""

    HELP = (
        "Both answers come from the same context, with exactly one thing different. "
        "1 and 2 choose which one continues the session; leaving changes nothing of what is sent. "
        "= shows the words in which they differ, x what the answer was made of."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("sides"), *named(*MOVES, "context.show", "edit.copy"), *LEAVING,
    ]  # fmt: skip
    PLACES = ("sides", "everywhere")

    def __init__(self, services: Services, asked: SidesAsked, keeper: SidesKeeper) -> None:
        super().__init__()
        self._services = services
        self._asked = asked
        self._keeper = keeper
        self._old = asked.old
        self._new: Turn | None = None
        self._number: int | None = None
        """Of the new answer, once it is stored."""
        self._model = ""
        self._sha256 = ""
        self._fault = ""
        self._began = monotonic()
        self._early: list[ChatStep] = []
        """What arrived before the screen was there."""
        self._ready = False

    def body(self) -> Iterable[Widget]:
        """The answers beside each other; the difference has the place of both."""
        theme = ASCII_THEME if self.app.has_class("-ascii") else UNICODE_THEME
        with Horizontal(id="sides"):
            with Vertical(id="side-left", classes="side"):
                yield Transcript(id="old", theme=theme)
            with Vertical(id="side-right", classes="side"):
                yield Transcript(id="new", theme=theme)
        yield LiteralView(widget_id="sides-difference")
        yield Static(literal_line(WORDS), id="sides-words")

    def on_mount(self) -> None:
        """The new answer may have begun already."""
        self.query_one("#old", Transcript).show([_view(self._old)], scope="old")
        self.query_one("#new", Transcript).show([], scope="new")
        self._ready = True
        for step in self._early:
            self.arrived(step)
        self._early.clear()
        if self._new is not None:
            self._show_new()
        self.query_one("#new").focus()
        self._show_titles()
        self.set_interval(TICK_S, self._tick)

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            "sides.left": lambda: self._choose(self._old),
            "sides.right": lambda: self._choose(self._new),
            "sides.difference": self._difference,
            "nav.next": self._other_side,
            "nav.prev": self._other_side,
            "context.show": self._inspect,
            "edit.copy": self._copy,
        }

    def show_footer(self, action_ids: object) -> None:
        """Two keys that belong together are one offer; esc says what it does now."""
        key, help_id = self.table.key, FOOTER_RIGHT[0]
        away = "Stop this side" if self.running else "Leave"
        left = (
            FooterKey(f"{key('sides.left')} {key('sides.right')}", "Choose", "sides.left"),
            FooterKey(key("sides.difference"), "Difference", "sides.difference"),
            FooterKey(key("nav.next"), "Side", "nav.next"),
            FooterKey(key("nav.back", typing=True), away, "nav.back"),
            FooterKey(key("context.show"), "Context", "context.show"),
        )
        right = FooterKey(key(help_id), self.table.get(help_id).word, help_id)
        self.query_one(FooterBar).keys = FooterKeys(left, (right,))

    # ---- what arrives ----------------------------------------------------------------------------

    def arrived(self, step: ChatStep) -> None:
        """A step of the new answer."""
        from smriti_tui.services import steps

        if not self._ready:
            self._early.append(step)
            return
        if not self.is_attached:
            return  # One has left.
        new = self.query_one("#new", Transcript)
        if isinstance(step, steps.Started):
            self._number, self._model = step.begun.answer, step.model
            self._sha256 = step.begun.context_sha256
            self._began = monotonic()
            new.stream_begin(
                TurnView(
                    step.begun.answer,
                    "assistant",
                    "assistant",
                    "",
                    status="running",
                    hint="esc stops",
                )
            )
        elif isinstance(step, steps.TextDelta):
            new.stream_append(step.text)
        elif isinstance(step, steps.ReasoningDelta):
            new.stream_reasoning(step.text)
        self._show_titles()

    def ended(self, turn: Turn | None, number: int | None) -> None:
        """The new answer as it is stored; one that was stopped is read by its number."""
        if not self.is_attached and self._ready:
            return  # One has left.
        if turn is not None:
            self._take(turn)
        elif number is not None:
            sessions, session = self._services.sessions, self._asked.session
            hop(
                self, lambda: sessions.turns(session, number, number)[0], self._take, self.refused,
                group="sides.ended",
            )  # fmt: skip

    def _take(self, turn: Turn) -> None:
        self._new = turn
        if self._ready:
            self._show_new()

    def _show_new(self) -> None:
        if self._new is not None:
            self.query_one("#new", Transcript).stream_end(_view(self._new))
            self._show_titles()

    def refused(self, error: SmritiError | None) -> None:
        """Nothing was stored."""
        self._fault = error.message if error is not None else "Stopped before it was asked."
        if self._ready:
            self.tell(self._fault, error.hint if error is not None else "")
            self._show_titles()

    @property
    def running(self) -> bool:
        """Whether the new answer is still on its way."""
        return self._new is None and not self._fault

    def stays(self) -> str:
        """An answer on its way is stopped, or waited for, here."""
        return "The new answer is still on its way. esc stops it." if self.running else ""

    # ---- showing ---------------------------------------------------------------------------------

    def _tick(self) -> None:
        if self.running:
            self._show_titles()

    def _show_titles(self) -> None:
        asked, title = self._asked, self.query_one(TitleLine)
        digest = short_hash(self._old.context_sha256 or "")
        context = f"same context {digest} ({asked.tokens:,} tokens)"
        if not asked.same:
            context = f"same turns as {digest} ({asked.tokens:,} tokens)"
        title.left = (
            cut(clean_line(asked.space), NAME_CELLS).rstrip(),
            "SIDE BY SIDE",
            f"one change: {asked.change}",
            context,
        )
        title.right = "1 done, 1 running" if self.running else "2 done"
        if self._fault:
            title.right = "1 done, 1 not asked"
        self.show_footer(())
        left, right = self.query_one("#side-left"), self.query_one("#side-right")
        left.border_title = literal_line(f"[1] {_facts(self._old)}")
        right.border_title = literal_line(f"[2] {self._new_facts()}")

    def _new_facts(self) -> str:
        if self._new is not None:
            return _facts(self._new)
        if self._fault:
            return "not asked"
        took = f"{monotonic() - self._began:.1f} s"
        return GAP.join(filter(None, (self._model, took, "running")))

    def _difference(self) -> None:
        """The words of both in one text: what only one of them has is signed."""
        if self._new is None or not self._new.text:
            self.notify("The new answer is not there yet; = shows the difference then.")
            return
        self.toggle_class("-difference")
        view = self.query_one("#sides-difference", LiteralView)
        if self.has_class("-difference"):
            changes = word_changes(self._old.text, self._new.text)
            alone = any(piece.sign != "=" for piece in changes)
            words = "[-only in 1-] {+only in 2+}" if alone else "The answers are the same."
            view.show([Section(words, pieces=signed(changes))])
            view.focus()
        else:
            self.query_one("#new").focus()

    def _other_side(self) -> None:
        at_new = self.focused is self.query_one("#new")
        self.set_class(at_new, "-left")
        self.query_one("#old" if at_new else "#new").focus()

    def _turn_here(self) -> Turn | None:
        return self._old if self.focused is self.query_one("#old") else self._new

    def _copy(self) -> None:
        turn = self._turn_here()
        if turn is not None and turn.text:
            copy_out(self.app, turn.text, f"answer {turn.sequence_number}")

    def _inspect(self) -> None:
        from smriti_tui.screens.context import ContextScreen
        from smriti_tui.screens.context_reading import ContextAsked

        here = self._turn_here()
        number = here.sequence_number if here is not None else self._number
        if number is not None:
            asked = ContextAsked(self._asked.session, self._asked.space, number)
            self.app.push_screen(ContextScreen(self._services, asked))

    # ---- choosing and leaving --------------------------------------------------------------------

    def _choose(self, turn: Turn | None) -> None:
        if turn is None:
            self.notify("The new answer is still on its way. esc stops it.", markup=False)
        elif not turn.text:
            self.notify("That answer has no text, so it cannot be sent.", markup=False)
        elif self.running:
            self.notify("The new answer is still on its way. esc stops it.", markup=False)
        else:
            number = turn.sequence_number
            self._keeper.choose(number, lambda: self._chosen(number))

    def _chosen(self, number: int) -> None:
        self.dismiss(number)

    def back(self) -> None:
        """From the difference to the answers; a running answer is stopped first."""
        if self.has_class("-difference"):
            self._difference()
        elif not self.running or not self._keeper.stop():
            super().back()


def signed(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces with their signs as text: colour carries nothing alone."""
    return tuple(
        each if each.sign == "=" else replace(each, text=each.text.join(AROUND[each.sign]))
        for each in pieces
    )


def _view(turn: Turn) -> TurnView:
    return TurnView(
        turn.sequence_number, "assistant", "assistant", turn.text, status=turn.status,
        reasoning=turn.reasoning or "",
        note=turn.error.message if turn.error else not_whole(turn) or "",
    )  # fmt: skip


def _facts(turn: Turn) -> str:
    """Model, time, tokens, cost."""
    took = ""
    if turn.ended_at:
        took = f"{(parse_utc(turn.ended_at) - parse_utc(turn.recorded_at)).total_seconds():.1f} s"
    status = "" if turn.status == "complete" else turn.status
    model, *facts = (each for each in meta(turn).split(GAP) if not each.startswith("ctx "))
    return GAP.join(filter(None, (model, took, *facts, status)))
