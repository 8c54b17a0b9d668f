"""The terminal: taken over whole, given back whole, and noticed when it goes away.

Textual's own driver leaves some modes on (mouse reports in pixels), turns round and round at full
speed once the input has ended, blocks for ever on an output that has gone, and stops and goes on in
the middle of whatever the main thread is doing. This one does its work by one table of modes, on
the event loop, and tells the app when there is nobody left to talk to.
"""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
import termios
import tty
from codecs import getincrementaldecoder
from collections.abc import Callable
from queue import Full
from threading import Thread
from typing import IO, TYPE_CHECKING, Protocol, runtime_checkable

from textual import constants, events
from textual.drivers._writer_thread import WriterThread
from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size

from smriti_tui.pasting import PastingParser
from smriti_tui.steady import steadied

if TYPE_CHECKING:
    from textual.app import App

GIVE_UP_S = 0.4
"""How long the last words may wait for a terminal that takes none."""
STEP_S = 0.1
READ_BYTES = 4096
KITTY_FLAGS = 0b00011001
"""Keys told apart, all of them reported, with their text (the kitty keyboard protocol)."""
MOUSE_ON = "\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h"
MOUSE_OFF = "\x1b[?1016l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
# Frame ended, mouse, paste, focus, resize reports off, lines wrap, no colours; the stack of the
# keyboard protocol belongs to the alternate screen and is left on it; then the cursor is seen.
GIVE_BACK = (
    f"\x1b[?2026l{MOUSE_OFF}\x1b[?2004l\x1b[?1004l\x1b[?2048l\x1b[?7h\x1b[0m\x1b[<u"
    "\x1b[?1049l\x1b[?25h"
)


@runtime_checkable
class Audience(Protocol):
    """An app that wants to know when its terminal has gone."""

    def terminal_gone(self) -> None:
        """Called on the event loop."""


class Output(WriterThread):
    """Writes in a thread of its own. An output that fails, or takes nothing while the program is
    ending, costs nobody any time."""

    def __init__(self, file: IO[str], gone: Callable[[], None]) -> None:
        """`gone` is called, in this thread, when the output fails."""
        super().__init__(file)
        self._fd = file.fileno()
        self._gone = gone
        self._deaf = False
        """Whether nothing is written any more: the output failed, or is no longer ours."""
        self.hurried = False
        """Whether the program is ending: what finds no room is dropped."""

    def write(self, text: str) -> None:
        """Queues `text`; waits while the terminal takes no more, unless it is time to go."""
        while not self._deaf:
            with contextlib.suppress(Full):
                self._queue.put(text, timeout=0.01 if self.hurried else STEP_S)
                return
            if self.hurried:
                return

    def run(self) -> None:
        """Writes until it is told to stop; what comes after a failure is dropped."""
        while (text := self._queue.get()) is not None:
            if self._deaf:
                continue
            try:
                _write(self._fd, text)
            except (OSError, ValueError):
                self._deaf = True
                self._gone()

    def silence(self) -> None:
        """Drops what waits and what comes."""
        self._deaf = True

    def stop(self) -> None:
        """Writes what waits and ends; leaves it behind when the terminal takes nothing."""
        with contextlib.suppress(Full):
            self._queue.put(None, timeout=GIVE_UP_S)
            self.join(GIVE_UP_S)


def _write(fd: int, text: str) -> None:
    data = memoryview(text.encode("utf-8", "backslashreplace"))
    while data:
        try:
            data = data[os.write(fd, data) :]
        except BlockingIOError:
            # Some program made the terminal we share with it non-blocking.
            select.select([], [fd], [])


class TerminalDriver(LinuxDriver):
    """Takes the terminal over and gives it back, as often as wanted."""

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._output: Output | None = None
        self._stopped = False
        # In place of Textual's: those act in the middle of what the main thread is just doing.
        signal.signal(signal.SIGTSTP, self._on_stop)
        signal.signal(signal.SIGCONT, self._on_continue)

    # ---- taking over ---------------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Takes the terminal over. In the background it stops instead, until it is in front."""
        if self._file is None or not self._in_front():
            return
        self._stopped = False
        self._output = Output(self._file, self._gone)
        self._output.start()
        signal.signal(signal.SIGWINCH, self._on_resized)
        self._send_size()
        self.attrs_before = self._raw()
        kitty = "" if constants.DISABLE_KITTY_KEY else f"\x1b[>{KITTY_FLAGS}u"
        mouse = MOUSE_ON if self._mouse else ""
        self.write(f"\x1b[?1049h{mouse}\x1b[?25l\x1b[?1004h{kitty}")
        self._key_thread = Thread(target=self._run_input_thread, name="textual-input")
        self._key_thread.start()
        self._request_terminal_sync_mode_support()
        self._query_in_band_window_resize()
        # Once more the mouse: iTerm 3.5.0 wants it there.
        self.write(f"\x1b[?2004h\x1b[?7l{mouse}")
        if self._must_signal_resume:
            self._must_signal_resume = False
            self.send_message(self.SignalResume())

    def _in_front(self) -> bool:
        """Changing nothing about the terminal stops a process in the background."""
        if not os.isatty(self.fileno):
            return True
        for number in (signal.SIGTTOU, signal.SIGTTIN):
            signal.signal(number, lambda *_: os.kill(os.getpid(), signal.SIGSTOP))
        try:
            attributes = termios.tcgetattr(self.fileno)
            termios.tcsetattr(self.fileno, termios.TCSANOW, attributes)
        except termios.error:
            return False
        finally:
            for number in (signal.SIGTTOU, signal.SIGTTIN):
                signal.signal(number, signal.SIG_DFL)
        return True

    def _raw(self) -> list[object] | None:
        """Every key comes as it is pressed; what was set before."""
        try:
            before = termios.tcgetattr(self.fileno)
            raw = termios.tcgetattr(self.fileno)
            raw[tty.LFLAG] = self._patch_lflag(raw[tty.LFLAG])
            raw[tty.IFLAG] = self._patch_iflag(raw[tty.IFLAG])
            raw[tty.CC][termios.VMIN] = 1
            termios.tcsetattr(self.fileno, termios.TCSANOW, raw)
        except termios.error:
            return None
        return before

    def _send_size(self) -> None:
        size = Size(*self._get_terminal_size())
        self.send_message(events.Resize(size, size))

    def _on_resized(self, *_: object) -> None:
        if not self._in_band_window_resize:
            self._loop.call_soon_threadsafe(self._send_size)

    # ---- reading and writing -------------------------------------------------------------------

    def write(self, data: str) -> None:
        """Queues `data` while the terminal is ours, else drops it."""
        if self._output is not None:
            self._output.write(steadied(data))

    def toggle_mouse(self) -> bool:
        """Asks the terminal for the mouse, or leaves it to it; whether it is on now."""
        self._mouse = not self._mouse
        self.write(MOUSE_ON if self._mouse else MOUSE_OFF)
        self.flush()
        return self._mouse

    def hurry(self) -> None:
        """The program is ending: a terminal that takes nothing is not waited for."""
        if self._output is not None:
            self._output.hurried = True

    def run_input_thread(self) -> None:
        """Reads keys until the terminal is given back or has gone."""
        parser = PastingParser(debug=self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(STEP_S):
                    data = self._read()
                    if not data:
                        self._gone()
                        return
                    for message in parser.feed(decode(data)):
                        self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, READ_BYTES)
        except OSError:
            return b""

    def _run_input_thread(self) -> None:
        """What goes wrong while reading keys ends the app as any other fault does."""
        try:
            self.run_input_thread()
        except Exception as error:  # noqa: BLE001 (the one envelope around the thread)
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._app._handle_exception, error)

    def _gone(self) -> None:
        if isinstance(self._app, Audience):
            with contextlib.suppress(RuntimeError):  # The loop has ended already.
                self._loop.call_soon_threadsafe(self._app.terminal_gone)

    # ---- giving back ---------------------------------------------------------------------------

    def disable_input(self) -> None:
        """Reads no more keys; what was typed too late is not the shell's to read."""
        if self._key_thread is None:
            return
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        self.write(MOUSE_OFF)
        self.exit_event.set()
        self._key_thread.join()
        self._key_thread = None
        self.exit_event.clear()
        with contextlib.suppress(termios.error):
            termios.tcflush(self.fileno, termios.TCIFLUSH)

    def stop_application_mode(self) -> None:
        """Gives the terminal back as it was."""
        self.disable_input()
        self.write(GIVE_BACK)
        self._restore_attributes()
        self._in_band_window_resize = False

    def close(self) -> None:
        """Waits until the last words are written."""
        if self._output is not None:
            self._output.stop()
            self._output = None

    def _restore_attributes(self) -> None:
        if self.attrs_before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
            self.attrs_before = None

    def give_back_now(self) -> None:
        """Gives the terminal back at once, from any thread, past a loop that hangs; never waits."""
        if self._output is None or self._file is None:
            return
        self._output.silence()
        # A process in the background would be stopped by what follows.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        fd = self._file.fileno()
        with contextlib.suppress(OSError, ValueError):
            if select.select([], [fd], [], 0)[1]:
                os.write(fd, GIVE_BACK.encode())
        self._restore_attributes()

    # ---- stopping and going on -----------------------------------------------------------------

    def _on_stop(self, *_: object) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._stop)
        else:
            # Another program has the terminal, and was stopped together with this one.
            os.kill(os.getpid(), signal.SIGSTOP)

    def _on_continue(self, *_: object) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._go_on)

    def _stop(self) -> None:
        if self._stopped:
            return
        self._stopped = True
        self.suspend_application_mode()
        os.kill(os.getpid(), signal.SIGSTOP)

    def _go_on(self) -> None:
        if not self._stopped:
            # It was stopped without a chance to give the terminal back: it must be taken anew.
            self.suspend_application_mode()
        self._must_signal_resume = True
        self.resume_application_mode()
        self._app.refresh(layout=True)
