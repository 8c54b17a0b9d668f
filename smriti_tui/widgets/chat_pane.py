"""The frame of the conversation. What draws the turns is loaded behind the first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content

from smriti_tui.keys import bindings

if TYPE_CHECKING:
    from smriti_tui.widgets.transcript import Transcript


class ChatPane(Vertical, can_focus=True):
    """Pane 3. Takes the focus itself only until the transcript is there."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("chat")]
    HELP = (
        "The conversation as it is stored. Turns that stay out are folded to one line; they can be "
        "read, and are never sent. Every answer says which model gave it and from which context."
    )

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.border_title = "3 Chat"
        self.transcript: Transcript | None = None
        self._words = ""

    def say(self, words: str) -> None:
        """Words for the time before the transcript is there."""
        self._words = words
        self.refresh()

    def render(self) -> Content:
        """What is said; the transcript covers it."""
        return Content(self._words)

    async def take(self, transcript: Transcript) -> None:
        """Puts the transcript into the frame; focus that waited here goes to it."""
        waiting = self.has_focus
        self.transcript = transcript
        self.say("")
        await self.mount(transcript)
        self.can_focus = False
        if waiting:
            transcript.focus()
