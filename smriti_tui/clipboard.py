"""The clipboard, told as it is: what was done, and whether anybody knows that it arrived.

A program of the system is asked where there is one on the machine that the person sits at; else the
terminal is (OSC 52), which cannot say whether it obeyed. Over ssh the system's clipboard would be
that of the other machine. Nothing here writes to the terminal itself: `Sent.sequence` is what is to
be written, in one piece.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

TIMEOUT_S = 2.0
OSC_BYTES = 74_994
"""Most terminals drop a sequence of more than 100,000 characters: this is what fits into one."""
SCREEN_PIECE = 760
"""GNU screen passes strings of at most 768 characters on."""
OVER_SSH = ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")


@dataclass(frozen=True)
class Tool:
    """A program that takes the text on its standard input."""

    name: str
    command: tuple[str, ...]
    encoding: str = "utf-8"


@dataclass(frozen=True)
class Sent:
    """How a copy went."""

    words: str
    """For the person; `{what}` stands for what was copied."""
    done: bool = True
    """False: nothing was copied."""
    sequence: str = ""
    """What is to be written to the terminal for it."""


def osc52(data: bytes, wrap: str = "") -> str:
    """The sequence that asks a terminal to take `data`; `wrap` names what stands between
    (`tmux`, `screen`). Base64 holds no character that could end it early."""
    plain = f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
    if wrap == "tmux":
        doubled = plain.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}\x1b\\"
    if wrap == "screen":
        parts = range(0, len(plain), SCREEN_PIECE)
        return "".join(f"\x1bP{plain[at : at + SCREEN_PIECE]}\x1b\\" for at in parts)
    return plain


def size_words(size: int) -> str:
    """A number of bytes as people say it."""
    if size == 1:
        return "1 byte"
    return f"{size} bytes" if size < 1000 else f"{size / 1000:.0f} kB"


class Clipboard:
    """Copies by the best way that there is. Its methods wait: they are called in a thread."""

    def __init__(
        self,
        environ: Mapping[str, str] | None = None,
        *,
        which: Callable[[str], str | None] = shutil.which,
        platform: str = sys.platform,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._env = dict(os.environ if environ is None else environ)
        self._which = which
        self._platform = platform
        self._timeout_s = timeout_s

    def copy(self, text: str) -> Sent:
        """Copies `text`; never raises."""
        data = text.encode("utf-8", "replace")
        failed = ""
        for tool in self._tools():
            if self._ran(tool, text.encode(tool.encoding, "replace")):
                return Sent(f"Copied {{what}} with {tool.name}.")
            failed = f"{tool.name} failed. "
        return self._by_terminal(data, failed)

    def _by_terminal(self, data: bytes, failed: str) -> Sent:
        if len(data) > OSC_BYTES:
            limit = size_words(OSC_BYTES)
            return Sent(
                f"{failed}Not copied: {size_words(len(data))} are more than a terminal takes"
                f" ({limit}). Y writes a file.",
                done=False,
            )
        if self._env.get("TMUX"):
            return self._by_tmux(data, failed)
        wrap = "screen" if self._env.get("STY") else ""
        return Sent(
            f"{failed}Sent {{what}} to the terminal (OSC 52); some ignore it: Y writes a file.",
            sequence=osc52(data, wrap),
        )

    def _by_tmux(self, data: bytes, failed: str) -> Sent:
        # Its own command reaches the terminal also with its usual settings, which ignore what
        # programs in it write. Before 3.2 it had no such way, and let wrapped sequences through.
        if self._ran(Tool("tmux", ("tmux", "load-buffer", "-w", "-")), data):
            return Sent(
                f"{failed}Copied {{what}} into tmux, which sends it on to the terminal (OSC 52);"
                " some ignore it: Y writes a file."
            )
        return Sent(
            f"{failed}Sent {{what}} through tmux to the terminal (OSC 52); some ignore it:"
            " Y writes a file.",
            sequence=osc52(data) + osc52(data, "tmux"),
        )

    # ---- programs ------------------------------------------------------------------------------

    def _tools(self) -> Sequence[Tool]:
        """The programs to try, best first; none where the clipboard is another machine's."""
        if any(self._env.get(name) for name in OVER_SSH) or self._tmux_over_ssh():
            return ()
        found = [tool for tool in self._known() if self._which(tool.command[0])]
        return found[:2]

    def _known(self) -> list[Tool]:
        if self._platform == "darwin":
            return [Tool("pbcopy", ("pbcopy",))]
        tools = []
        if self._env.get("WSL_DISTRO_NAME"):
            tools.append(Tool("clip.exe", ("clip.exe",), "utf-16"))
        if self._env.get("WAYLAND_DISPLAY"):
            tools.append(Tool("wl-copy", ("wl-copy",)))
        if self._env.get("DISPLAY"):
            tools.append(Tool("xclip", ("xclip", "-selection", "clipboard")))
            tools.append(Tool("xsel", ("xsel", "--clipboard", "--input")))
        return tools

    def _tmux_over_ssh(self) -> bool:
        """Whether the person came to this tmux over ssh: its programs know only who started it."""
        if not self._env.get("TMUX"):
            return False
        try:
            done = subprocess.run(
                ["tmux", "show-environment", "SSH_CONNECTION"],
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self._timeout_s,
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return done.stdout.startswith(b"SSH_CONNECTION=")

    def _ran(self, tool: Tool, data: bytes) -> bool:
        """Whether a program took `data` in time.

        Some of them (xclip, wl-copy) leave a process behind that holds the clipboard: in a session
        of its own and without our streams it keeps no terminal open.
        """
        environ = dict(self._env)
        if self._platform == "darwin":
            environ["LC_CTYPE"] = "UTF-8"  # pbcopy reads Latin 1 otherwise.
        try:
            process = subprocess.Popen(
                tool.command,
                env=environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return False
        try:
            process.communicate(data, timeout=self._timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
        return process.returncode == 0
