"""The app: first frame from Textual alone, then settings, database and services behind it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.screen import Screen

from smriti_tui.collecting import collect_seldom
from smriti_tui.config.light import LightConfig, read_light, styles_dir
from smriti_tui.keys import key_table
from smriti_tui.looks import LookingApp
from smriti_tui.messages import Act, Noticed, Waiting
from smriti_tui.screens.ending import Ending
from smriti_tui.screens.workspace import WorkspaceScreen
from smriti_tui.terminal import TerminalDriver
from smriti_tui.text import ControlFilter

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.filter import LineFilter

    from smriti_tui.screens.opening import Opened

STYLES = ("app.tcss", "workspace.tcss")
OPEN_DEMO = -1
"""Result of an app that is to be followed by the demo's."""
NOTICED_S = 15.0
"""How long a likely secret is told of."""
PUT_AWAY_S = 1.0
"""How long leaving waits for the last writes."""
GONE = 128 + 1
"""Exit code when the terminal has gone: that of SIGHUP."""


@dataclass(frozen=True)
class Start:
    """What the command line asked for; None leaves it to the settings."""

    space: str | None = None
    demo: bool = False
    database: str | None = None
    actor: str | None = None


class SmritiApp(LookingApp, inherit_bindings=False):
    """Owns keys, the services and the way out."""

    TITLE = "smriti-tui"
    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        styles_dir() / name for name in STYLES
    ]
    ENABLE_COMMAND_PALETTE = False
    NOTIFICATION_TIMEOUT = 3
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "help_quit", show=False),
        # Only while something waits: the first step of the ladder, on every screen.
        Binding("escape", "give_up_waiting", show=False, priority=True),
        # The terminal's own key; while text is typed it takes back the last change of it.
        Binding("ctrl+z", "suspend_process", show=False),
    ]

    def __init__(
        self,
        start: Start,
        *,
        light: LightConfig | None = None,
        opener: Callable[[], Opened] | None = None,
    ) -> None:
        """`opener` opens settings, database and services in a thread; a test gives its own."""
        light = light or read_light()
        self.light = light
        self.table = key_table(light.keys)
        super().__init__(light)
        self.start = start
        self.recent: tuple[str, ...] = ()
        """Actions chosen by name, the last one first."""
        self.opened: Opened | None = None
        self._opener = opener
        self.ending: Ending | None = None  # Limits how long leaving takes; None in a test.
        self._leaving = False
        self._waiting = False
        self._net = ControlFilter()
        self.set_keymap(dict(self.table.changed))

    def get_default_screen(self) -> Screen[None]:
        """The workspace."""
        return WorkspaceScreen()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The net below everything that is shown: no control character gets through."""
        # Always the same one: what it made of a row is kept by the filter's identity.
        return [*super().get_line_filters(), self._net, *self.drawing_filters()]

    def get_driver_class(self) -> type[Driver]:
        """The driver that gives the terminal back whole; Textual's variable may name another."""
        found = super().get_driver_class()
        return TerminalDriver if issubclass(TerminalDriver, found) else found

    def on_load(self) -> None:
        """Signs of the outside world end the app in good order, from before it has the terminal."""
        if self.ending is not None:
            self.ending.listen(self.leave, self._terminal)

    def _terminal(self) -> TerminalDriver | None:
        return self._driver if isinstance(self._driver, TerminalDriver) else None

    def terminal_gone(self) -> None:
        """The window or the connection was closed: as if the system had said so."""
        self.leave(GONE)

    def open(self) -> Opened:
        """Settings, database and services; called in a thread, once the first frame is there."""
        try:
            if self.opened is not None:
                self.opened.close()  # What was opened had a database that could not be read.
            if self._opener is not None:
                self.opened = self._opener()
            else:
                # Loads pydantic-settings, SQLModel and the services: never before the first frame.
                from smriti_tui.screens.opening import open_all

                self.opened = open_all(self.start)
            return self.opened
        finally:
            if self.ending is not None:
                collect_seldom()

    @work(exit_on_error=False)
    async def open_demo(self) -> None:
        """Ends this app for one on the demo's throw-away database; `run` starts it."""
        if (workspace := self.workspace) is not None:
            await workspace.put_away()
        self.exit(OPEN_DEMO)

    # ---- what every screen may ask for ---------------------------------------------------------

    def on_act(self, message: Act) -> None:
        """Actions that screens pass on."""
        message.stop()
        self.act(message.action_id)

    def act(self, action_id: str) -> None:
        """Help, palette, jump mode, mouse and quitting; anything else belongs to a screen."""
        if action_id == "app.quit":
            self.ask_to_leave()
        elif action_id == "app.help":
            from smriti_tui.screens.help import open_help

            open_help(self, self.table, self.act)
        elif action_id == "app.palette":
            from smriti_tui.screens.palette import open_palette

            open_palette(self, self.table, self.act)
        elif action_id == "app.jump":
            from smriti_tui.screens.jump import open_jump

            open_jump(self.screen)
        elif action_id == "app.log":
            from smriti_tui.screens.paging import page_log

            page_log(self)
        elif action_id == "app.mouse":
            self._toggle_mouse()
        elif action_id == "edit.external":
            self.action_edit_external()
        elif action_id == "app.search":
            from smriti_tui.screens.above import search_above

            search_above(self)
        elif action_id in ("app.settings", "app.theme"):
            self.at_desk(action_id)

    def at_desk(self, action_id: str) -> None:
        """What any screen may ask the workspace for, once the database is open."""
        workspace = self.workspace
        if workspace is not None and workspace.why_closed:
            self.notify(workspace.why_closed, markup=False)
        elif workspace is not None:
            workspace.action_run(action_id)

    def _toggle_mouse(self) -> None:
        if isinstance(self._driver, TerminalDriver):
            on = self._driver.toggle_mouse()
            words = "The mouse is on." if on else "The mouse is off: the terminal selects text."
            self.notify(words, markup=False)
        else:
            self.notify("This terminal has no mouse to turn off.", markup=False)

    def action_edit_external(self) -> None:
        """The text of the field with the focus in $VISUAL or $EDITOR."""
        from smriti_tui.screens.outside import edit_focused

        edit_focused(self)

    def copy_to_clipboard(self, text: str) -> None:
        """What every widget copies goes the way that tells how it went."""
        from smriti_tui.screens.copy_out import copy_out

        copy_out(self, text)

    def on_noticed(self, message: Noticed) -> None:
        """Said so long that it can be read; the same stands in the log."""
        words = f"{message.words}."
        self.notify(words, severity="warning", markup=False, timeout=NOTICED_S)

    def on_waiting(self, message: Waiting) -> None:
        """A write waits for its turn at the database, or has it."""
        from smriti_tui.screens.waiting import show_waiting

        self._waiting = message.on
        show_waiting(self, message.on)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """`esc` gives a wait up only while there is one."""
        if action == "give_up_waiting":
            return self._waiting
        return super().check_action(action, parameters)

    def action_give_up_waiting(self) -> None:
        """What waits for the database writes nothing, and says so."""
        if self.opened is not None:
            self.opened.services.log.give_up_waiting()

    def action_help_quit(self) -> None:
        """ctrl+c never kills anything."""
        self.notify("ctrl+q quits.", markup=False)

    async def action_quit(self) -> None:
        """Textual's own way to quit leads to ours."""
        self.ask_to_leave()

    # ---- leaving -------------------------------------------------------------------------------

    @property
    def workspace(self) -> WorkspaceScreen | None:
        """The screen below all others."""
        return next((s for s in self.screen_stack if isinstance(s, WorkspaceScreen)), None)

    def ask_to_leave(self) -> None:
        """Quits; asks first only while an answer runs or a draft is not saved."""
        workspace = self.workspace
        desk = workspace.desk if workspace is not None else None
        if workspace is not None and workspace.answers_running:
            question = "An answer is still running. Quit?"
            words = "It is stopped, and what has arrived is kept."
        elif desk is not None and desk.drafting.unsaved:
            question = "A draft is not saved. Quit?"
            words = f"It is kept: {self.table.key('draft.start', typing=True)} opens it again."
        else:
            self.leave()
            return
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        if not isinstance(self.screen, ConfirmDialog):
            self.push_screen(ConfirmDialog(question, words, yes="Quit"), self._answered)

    def _answered(self, yes: bool | None) -> None:
        if yes:
            self.leave()

    def leave(self, code: int = 0) -> None:
        """Stops what runs, keeps what was typed, and ends; safe to call again."""
        if not self._leaving:
            self._leaving = True
            if self.ending is not None:
                self.ending.begin()
            self.run_worker(self._leave(code), exit_on_error=False)

    async def _leave(self, code: int) -> None:
        try:
            if (workspace := self.workspace) is not None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(workspace.put_away(), PUT_AWAY_S)
                    if self.ending is not None:
                        self.ending.kept(code)
        finally:
            self.exit(code, return_code=code)

    def _handle_exception(self, error: Exception) -> None:
        """A fault of the program: a few words and a report, where Textual prints pages."""
        self._return_code = 1
        if self._exception is not None:
            return
        if self.ending is not None:
            self.ending.begin()
        self._exception = error
        from smriti_tui.screens.crash import crash_words

        words = crash_words(error, self.opened, kept=self._keep_now())
        if self.ending is not None:
            self.ending.say(f"{words}\n")
        self._exit_renderables.append(Text(words))
        self._close_messages_no_wait()
        self._exception_event.set()

    def _keep_now(self) -> bool:
        try:
            desk = self.workspace.desk if self.workspace is not None else None
            return desk is None or desk.keep_now()
        except Exception:  # noqa: BLE001 (the fault that ends the app may be behind this one too)
            return False


def run(
    space: str | None = None,
    *,
    demo: bool = False,
    database: str | None = None,
    actor: str | None = None,
) -> int:
    """Runs the app on this terminal and returns its exit code."""
    gc.disable()  # Until the database is open: see `collect_seldom`.
    start: Start | None = Start(space, demo, database, actor)
    ending = Ending()
    code = 0
    while start is not None:
        ending.forget()
        app = SmritiApp(start)
        app.ending = ending
        try:
            app.fit_colours()
            app.run(mouse=app.light.mouse)
        finally:
            ending.close(app.opened)
        start = replace(start, demo=True) if app.return_value == OPEN_DEMO else None
        code = app.return_code or 0
    ending.last(code)
    return code
