"""A tour through all screens, over a conversation in which everything is drawn."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp
from smriti_tui.config.light import LightConfig
from smriti_tui.domain.errors import ProviderError
from smriti_tui.providers.base import Chunk, Finished, ModelCall, ReasoningDelta, TextDelta
from smriti_tui.screens.workspace import WorkspaceScreen
from tests.support import content, send
from tests.ui.house import House, PacedModel, settle

MARKDOWN = """# Heading

**Strong**, *soft*, `code`, ~~gone~~ and [a link](https://example.org/x).

> quoted

| a | b |
| - | - |
| 1 | 2 |

1. first
   - inner

```python
def f(): return 1
```

---
<b>raw</b>
"""
SCENES = {
    "typing": ("h", "i"),
    "spaces": ("escape", "1", "j"),
    "checkpoints": ("2", "j"),
    "chat": ("3", "k"),
    "form": ("2", "n", "A", "tab"),
    "dialog": ("ctrl+n", "tab"),
    "help": ("f1",),
    "palette": ("ctrl+p", "n", "e"),
    "models": ("ctrl+t", "down"),
    "settings": ("app.settings", "j"),
    "providers": ("app.settings", "n"),
    "model-form": ("app.settings", "n", "enter", "ctrl+s"),
    "setting-keys": ("app.settings", "[", "j", "e", "x"),
    "themes": ("app.theme",),
    "context": ("escape", "x", "j"),
    "import": ("escape", "1", "I"),
    "log": ("f5", "tab", "k"),
    "log-filter": ("f5", "/", "t", "o"),
    "checkpoint": ("2", "enter"),
}
"""Keys from the workspace, or actions of the app; the screen is left again."""


class MarkdownModel(PacedModel):
    """Answers with everything that can be drawn; a second call fails."""

    async def stream(self, call: ModelCall) -> AsyncGenerator[Chunk, None]:
        """As the demo model."""
        self.calls.append(call)
        if len(self.calls) > 4:
            raise ProviderError("It failed.", "Ask again.", kind="server")
        yield ReasoningDelta("thinking")
        yield TextDelta(MARKDOWN)
        yield Finished("stop", None, None)


@asynccontextmanager
async def stage(
    folder: Path, light: LightConfig | None = None, size: tuple[int, int] = (120, 36)
) -> AsyncIterator[Pilot[int]]:
    """The app on a session with a checkpoint, answers in Markdown and one that failed; all that
    was written in it is ASCII."""
    house = House(folder, MarkdownModel(), light=light or LightConfig(motion=False))
    with closing(house.open("cli")) as opened:
        services = opened.services
        space = services.spaces.create("search-index")
        session = services.sessions.new(space.id, title="One")
        for question in ("Do we need a server?", "Which index?"):
            await send(services, session.id, question)
        services.checkpoints.create(space.id, content("Choose FTS5", "Use it"), session=session.id)
        for question in ("Then make the rebuild a job.", "And now?", "Why?"):
            await send(services, session.id, question)
    async with house.app(size) as pilot:
        yield pilot


async def through(pilot: Pilot[int], keys: tuple[str, ...]) -> None:
    """Presses the keys of a scene."""
    for key in keys:
        if key.startswith("app."):
            assert isinstance(pilot.app, SmritiApp)
            pilot.app.act(key)
            await settle(pilot)
        else:
            await pilot.press(key)
    await settle(pilot)


async def back(pilot: Pilot[int]) -> None:
    """To the workspace."""
    while not isinstance(pilot.app.screen, WorkspaceScreen):
        pilot.app.pop_screen()
        await pilot.pause()
