"""The one place that prints: results to standard output, talk to standard error, all as UTF-8.

Shown text never drives the terminal (DESIGN 3.10). In JSON the characters that could are written as
escapes, which changes no value.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import IO

Document = Mapping[str, object]
_RED, _YELLOW, _PLAIN = "\x1b[1;31m", "\x1b[33m", "\x1b[0m"


class ReaderGone(Exception):
    """Nobody reads standard output any more: `smriti ... | head`."""


class Output:
    """How one run talks. `wants_json`, `quiet` and `no_color` are set while options are read."""

    def __init__(self) -> None:
        self.wants_json = False
        self.quiet = False
        self.no_color = False

    # ---- results -------------------------------------------------------------------------------

    def result(self, document: Document, text: Callable[[], str] | str) -> None:
        """The JSON document, or the text for people; `text` is made only when it is needed."""
        if self.wants_json:
            self.document(document)
        else:
            self.text(text if isinstance(text, str) else text())

    def document(self, document: Document) -> None:
        """One JSON document over several lines."""
        from smriti_tui.domain.render.printed import json_text

        _write(json_text(document, indent=2) + "\n")

    def line(self, document: Document) -> None:
        """One JSON line, visible at once to who follows."""
        from smriti_tui.domain.render.printed import json_text

        _write(json_text(document) + "\n")

    def text(self, text: str) -> None:
        """Text with a line feed at its end; an empty text prints nothing."""
        from smriti_tui.domain.render.printed import printed

        if text:
            _write(printed(text))

    def exact(self, text: str) -> None:
        """Text as it is: the bytes of an export."""
        _write(text)

    def stream(self) -> TextStream:
        """A place for text that comes in pieces."""
        return TextStream()

    # ---- talk ----------------------------------------------------------------------------------

    def note(self, text: str) -> None:
        """Progress and asides; silent with --quiet."""
        if not self.quiet:
            self._say("", text)

    def warning(self, text: str) -> None:
        """Something that is not as it should be, though the command goes on."""
        if not self.quiet:
            self._say("warning: ", text, _YELLOW)

    def error(self, text: str) -> None:
        """The one line of an error, also with --quiet."""
        self._say("error: ", text, _RED)

    def ask(self, text: str) -> None:
        """A question on standard error, without a line feed."""
        from smriti_tui.domain.clean import clean_line

        _talk(clean_line(text))

    def _say(self, word: str, text: str, color: str = "") -> None:
        from smriti_tui.domain.clean import clean_line

        if color and self._colors(sys.stderr):
            word = f"{color}{word.rstrip()}{_PLAIN} "
        _talk(f"{word}{clean_line(text)}\n")

    def _colors(self, stream: IO[str] | None) -> bool:
        off = self.no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return not off and stream is not None and stream.isatty()


class TextStream:
    """Cleans text that arrives in pieces; a carriage return waits for what follows it."""

    def __init__(self) -> None:
        self._held = ""
        self._last = "\n"

    def write(self, piece: str) -> None:
        from smriti_tui.domain.clean import clean

        text = self._held + piece
        self._held = "\r" if text.endswith("\r") else ""
        shown = clean(text.removesuffix("\r") if self._held else text)
        if shown:
            self._last = shown[-1]
            _write(shown)

    def end(self) -> None:
        """Ends the last line, if it is not ended."""
        if self._held:
            self._held = ""
            self._last = "\n"
            _write("\n")
        elif self._last != "\n":
            self._last = "\n"
            _write("\n")


def _write(text: str) -> None:
    """Puts text on standard output at once; one that is closed from the start takes nothing.

    Raises:
        ReaderGone: the reader closed its end.
        SmritiError: it cannot be written, as on a full disk (code `output`).
    """
    if sys.stdout is None:
        return
    try:
        _put(sys.stdout, text)
    except (BrokenPipeError, ConnectionResetError) as error:
        raise ReaderGone from error
    except OSError as error:
        from smriti_tui.domain.errors import SmritiError

        reason = error.strerror or str(error)
        raise SmritiError(
            f"Standard output cannot be written: {reason}.",
            "What the command wrote to the database stands.",
            code="output",
        ) from error


def _talk(text: str) -> None:
    """Puts text on standard error; talk that nobody can hear stops no command."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            _put(sys.stderr, text)


def _put(stream: IO[str], text: str) -> None:
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "backslashreplace"))  # type: ignore[attr-defined]
    stream.buffer.flush()  # type: ignore[attr-defined]
