"""Text that a keyboard sends and that Textual takes for no text: wide spaces and joiners."""

from __future__ import annotations

import pytest
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.widget import Widget
from textual.widgets import Input, TextArea

from smriti_tui.widgets.fields import EditorLine, LineInput
from smriti_tui.widgets.prompt import Prompt

TYPED = "می\u200cخواهم 日本\u3000語 क्\u200dष a\u00a0b"


@pytest.mark.parametrize("kind", [Prompt, EditorLine, LineInput])
async def test_every_sign_of_a_word_arrives(kind: type[Widget]) -> None:
    class Host(App[None]):
        def compose(self) -> ComposeResult:
            yield kind()

    app = Host()
    async with app.run_test() as pilot:
        field = app.query_one(kind)
        field.focus()
        for sign in TYPED:
            for event in XTermParser().feed(sign):
                field.post_message(event)
            await pilot.pause(0.01)
        assert isinstance(field, TextArea | Input)
        assert (field.value if isinstance(field, Input) else field.text) == TYPED
