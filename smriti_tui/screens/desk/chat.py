"""The chat: opening a session, its turns, what is typed, what is sent and what comes back."""

from __future__ import annotations

from smriti_tui.config_light import styles_dir
from smriti_tui.domain.errors import (
    ContextMoved,
    NotFound,
    ProviderError,
    SmritiError,
    StoreError,
)
from smriti_tui.domain.ids import SessionId, SpaceId, short
from smriti_tui.domain.model import Session, Turn
from smriti_tui.domain.render.short_times import clock
from smriti_tui.screens.desk import loads
from smriti_tui.screens.desk.entries import Spot, entries, turn_view
from smriti_tui.screens.desk.prompt import DeskPrompt
from smriti_tui.screens.desk.send import Running
from smriti_tui.screens.desk.unsent import thing
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.markdown_model import ASCII_THEME, UNICODE_THEME
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import TurnView

NEAR_TOP = 30
"""Rows from the top at which older turns are read."""
FOLD_PAGE = 100


class DeskChat(DeskPrompt):
    """The session that is open."""

    transcript: Transcript
    _reading_above = False
    _then_top = False

    # ---- the transcript ------------------------------------------------------------------------

    async def mount_transcript(self) -> None:
        """Puts the transcript into its frame, behind the first one."""
        app = self.screen.app
        app.stylesheet.read(styles_dir() / "transcript.tcss")
        app.refresh_css(animate=False)
        ascii_signs = app.has_class("-ascii")
        theme = ASCII_THEME if ascii_signs else UNICODE_THEME
        self.transcript = Transcript(id="transcript", theme=theme)
        await self.screen.query_one(ChatPane).take(self.transcript)
        self.sender.transcript = self.transcript
        self.screen.watch(self.transcript, "scroll_y", self._scrolled, init=False)
        # Textual sends no Resize to a widget that was repainted before its first layout.
        self.screen.call_after_refresh(self.transcript.on_resize)

    def show_turns(self) -> None:
        """Draws the conversation as far as it is read."""
        pane = self.screen.query_one(ChatPane)
        pane.border_subtitle = short(self.session) if self.session else ""
        look = self.shown
        if look is None:
            self.transcript.show([], scope=self.session or "")
            return
        window = self.next.window if self.next is not None else ()
        spot = Spot(self.pages, window, self.sent_now)
        self.transcript.show(entries(look, spot), scope=look.session.id)

    def _scrolled(self, at: float) -> None:
        if at <= NEAR_TOP:
            # The transcript knows only after the scroll whether it still follows its end.
            self.screen.call_later(self._look_above)

    def _look_above(self) -> None:
        look = self.shown
        if look is None or self._reading_above or self.transcript.follows:
            return
        if look.low > look.view.floor + 1:
            self._reading_above = True
            self.low = max(1, look.low - 2 * loads.NEWEST)
            self.read_session()

    def go_top(self) -> bool:
        """To the first turn, after all of them are read; False when they are already."""
        look = self.shown
        if look is None or look.low <= look.view.floor + 1:
            return False
        self._then_top, self.low = True, look.view.floor + 1
        self.read_session()
        return True

    def read_folds(self) -> None:
        """Reads the turns of opened folds that came into view, a page around each."""
        if len(self.pages.wanted) == 1:
            self.screen.call_after_refresh(self._read_wanted)

    def _read_wanted(self) -> None:
        session, wanted = self.session, sorted(self.pages.wanted)
        if session is None or not wanted:
            return
        first = max(1, wanted[0] - FOLD_PAGE // 2)
        last = wanted[-1] + FOLD_PAGE // 2

        def then(turns: list[Turn]) -> None:
            self.pages.wanted.clear()
            if session == self.session:
                self.pages.turns.update({turn.sequence_number: turn for turn in turns})
                self.show_turns()

        self.thread(
            lambda: self.services.sessions.turns(session, first, last),
            then,
            self.read_failed,
            group="folds",
        )

    # ---- opening -------------------------------------------------------------------------------

    def open_session(self, session: SessionId | None, space: SpaceId | None) -> None:
        """Goes to a session; what is typed stays with the one before."""
        self.keep_prompt()
        self.session, self.space = session, space
        if space is not None:
            self.unfolded.add(space)
        self.reset_session()
        self.checkpoints_limit = loads.CHECKPOINTS
        self.sender.shown = session
        self.header(
            branch="", mode="", out=0, moved=False, tokens=None, limit=None, model="",
        )  # fmt: skip
        self.show_tree()
        self.show_turns()
        self._take_prompt(session)
        self.read_tree()
        if session is None:
            self.read_checkpoints()
        else:
            self.read_session(first=True)
        self.keep_place()

    def open_space(self, space: SpaceId) -> None:
        """Goes to a Space and the session in it that was changed last."""
        self.unfolded.add(space)
        self.thread(
            lambda: loads.newest_session(self.services, space),
            lambda session: self.open_session(session, space),
            group="space",
        )

    def read_session(self, *, first: bool = False) -> None:
        """Reads the open session again; `first` when it was just opened."""
        session, low = self.session, self.low
        if session is None:
            return

        def then(look: loads.SessionLook) -> None:
            self._reading_above = False
            if session == self.session:
                self._session_read(look, first)

        self.thread(
            lambda: loads.load_session(self.services, session, low),
            then,
            self.read_failed,
            group="session",
        )

    def _session_read(self, look: loads.SessionLook, first: bool) -> None:
        moved_line = self.shown is None or self.shown.view.line != look.view.line
        old_branch = self.shown.branch if self.shown else None
        self.shown, self.low, self.space = look, look.low, look.session.space
        if self.sent_now is not None and look.view.last_seq >= self.sent_now.number:
            self.sent_now = None
        self.show_mode()
        self.show_turns()
        if self._then_top:
            self._then_top = False
            self.transcript.action_top()
        if first:
            self.sender.show_live()
        if moved_line or old_branch != look.branch:
            self.read_checkpoints()
        self.look_ahead()

    def show_mode(self) -> None:
        """The top line's words on where the session stands."""
        look = self.shown
        if look is None:
            return
        anchor = look.view.anchor
        mode = f"{look.view.mode} {short(anchor.id)}" if anchor else look.view.mode
        self.header(
            space=look.space.name if look.space else "no Space",
            branch=look.session.branch_name or "",
            mode=mode,
        )

    def read_failed(self, error: SmritiError) -> None:
        """A read failed: what is gone is left, anything else is told."""
        self._reading_above = False
        if isinstance(error, NotFound):
            self.screen.say(error.message)
            self.open_session(None, None)
        elif not (isinstance(error, StoreError) and self.offline):
            self.fail(error)

    def keep_place(self) -> None:
        """Remembers where one is for the next start."""
        if self.opened.demo:
            return
        home, space, session = self.opened.config.home, self.space, self.session
        if self.services.caller.store.exists():
            self.thread(
                lambda: loads.write_place(home, space, session), lambda _: None, group="place"
            )

    # ---- sending -------------------------------------------------------------------------------

    def submit(self, text: str) -> None:
        """Sends what is typed; it stays where it is when that cannot be done."""
        if not text.strip():
            self.screen.say("Type something to send.")
        elif self.sender.running(self.session) is not None:
            self.screen.say("An answer is still running. esc stops it; your text is kept.")
        elif self.session is None:
            self._submit_in_new(text)
        else:
            self._send(self.session, text)

    def _submit_in_new(self, text: str) -> None:
        """Without a session, the first message opens one: in the Space, or in none."""
        space = self.space
        sessions = self.services.sessions

        def then(session: Session) -> None:
            self.prompt.put("")
            self.unsent.later(thing(None), "")
            self.open_session(session.id, session.space)
            self._send(session.id, text)

        self.thread(
            lambda: sessions.new(space) if space else sessions.new_fresh(), then, group="new"
        )

    def _send(self, session: SessionId, text: str) -> None:
        seen = self.next.basis if self.next is not None else None
        last = self.shown.view.last_seq if self.shown is not None else 0
        now = self.now()
        self.sent_now = TurnView(last + 1, "user", "you", text, clock=clock(now))
        self.sender.ask(session, text, self.model, seen)
        self.prompt.put("")
        self.header(moved=False)
        self.show_turns()
        self.transcript.action_bottom()

    def answer_stored(self, running: Running) -> None:
        """The question is in the log: its unsent copy may go."""
        if running.session == self.session:
            self.unsent.later(thing(running.session), self.prompt.text)
        else:
            self.unsent.later(thing(running.session), "")
        self.read_tree()

    def answer_ended(self, running: Running, turn: Turn | None) -> None:
        """Shows the answer as it is stored."""
        session, live = running.session, running.live
        self.read_tree()
        if session != self.session or live is None:
            return
        if turn is not None:
            self._end_live(turn)
            return
        number = live.number

        def then(turns: list[Turn]) -> None:
            if session == self.session and turns:
                self._end_live(turns[0])

        self.thread(
            lambda: self.services.sessions.turns(session, number, number), then, group="ended"
        )

    def _end_live(self, turn: Turn) -> None:
        bad = turn.status in ("failed", "cut", "stopped")
        self.transcript.stream_end(turn_view(turn, hint="R asks again" if bad else ""))
        self.read_session()

    def answer_refused(self, running: Running, error: SmritiError | None) -> None:
        """Nothing was stored: the text goes back to where it was typed, and the reason is told."""
        if running.session == self.session:
            self.sent_now = None
            if running.text is not None:
                typed = self.prompt.text
                self.prompt.put(f"{running.text}\n{typed}" if typed else running.text)
            self.show_turns()
        elif running.text is not None:
            self.unsent.later(thing(running.session), running.text)
        if isinstance(error, ContextMoved):
            self.read_session()
            self.screen.tell(error.message, "Your text is kept. enter sends it, x shows with what.")
        elif isinstance(error, ProviderError) and error.kind == "not_configured":
            self.screen.tell(error.message, f"ctrl+t chooses a model. {error.hint}")
        elif error is not None:
            self.fail(error)

    def stop_answer(self) -> bool:
        """Stops the answer of the open session; False if none runs."""
        return self.sender.stop(self.session)
