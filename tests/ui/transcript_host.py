"""A small app around the chat pane, and words to read it by."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widgets import Static, TextArea

from smriti_tui.widgets.markdown_model import UNICODE_THEME, MarkdownTheme
from smriti_tui.widgets.transcript import Transcript
from smriti_tui.widgets.transcript_model import Entry, Folded, Notice, Role, Rule, TurnView

STYLES = Path(__file__).parents[2] / "styles" / "transcript.tcss"
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\ud800-\udfff]")


class Host(App[None]):
    """The pane between a header line and a prompt, with our stylesheet."""

    CSS_PATH = str(STYLES)
    CSS = "TextArea { height: 5; } Static { height: 1; }"

    def __init__(self, theme: MarkdownTheme = UNICODE_THEME) -> None:
        super().__init__()
        self.transcript = Transcript(theme=theme)
        self.heard: list[Message] = []

    def compose(self) -> ComposeResult:
        yield Static("header")
        yield self.transcript
        yield TextArea()

    def on_transcript_turn_selected(self, message: Transcript.TurnSelected) -> None:
        self.heard.append(message)

    def on_transcript_fold_toggled(self, message: Transcript.FoldToggled) -> None:
        self.heard.append(message)

    def on_transcript_context_asked(self, message: Transcript.ContextAsked) -> None:
        self.heard.append(message)

    def nodes(self) -> int:
        """Widgets on the screen, the screen included."""
        return len(self.screen.query("*")) + 1


def rows(transcript: Transcript) -> list[str]:
    """What the pane shows now, without trailing spaces."""
    return [strip.rstrip() for strip in raw_rows(transcript)]


def raw_rows(transcript: Transcript) -> list[str]:
    """What the pane shows now, as drawn."""
    strips = [transcript.render_line(y) for y in range(transcript.size.height)]
    assert all(not strip.text[-1:].strip() for strip in strips), "the scroll bar stands there"
    return [strip.text[:-1] for strip in strips]


def turn(number: int, text: str = "", role: Role = "user", label: str = "") -> TurnView:
    """A turn with the label that goes with its role."""
    return TurnView(number, role, label or {"user": "you"}.get(role, role), text)


def many(count: int) -> list[TurnView]:
    """Questions and answers of uneven length."""
    return [
        turn(number, f"question {number}")
        if number % 2
        else turn(
            number, f"answer **{number}**\n\n- a\n- b\n\n" + "words " * (number % 90), "assistant"
        )
        for number in range(1, count + 1)
    ]


ANSWER = replace(
    turn(14, "I would keep **FTS5**.\n\n- the rebuild runs as a job", "assistant"),
    meta="demo/scripted   ctx 7be0   1.9k tokens   $0.00",
    clock="14:01",
)
OUT = tuple(replace(turn(number, f"old {number}"), stays_out=True) for number in range(1, 13))
ENTRIES: tuple[Entry, ...] = (
    Folded("turns 1-12 stay out (before the boundary)", 1, 12, OUT, hint="x: why"),
    Rule("restored to 4c1e9a0"),
    replace(turn(13, "Do we still need a server?"), clock="13:58"),
    ANSWER,
    Notice("4 turns since the last checkpoint.  d drafts one."),
)
