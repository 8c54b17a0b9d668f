"""The first start: no database yet, four ways to begin (ux 4.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config

KEY_VARIABLES = (
    "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "MISTRAL_API_KEY", "GROQ_API_KEY",
    "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY",
)  # fmt: skip
SERVER_VARIABLES = ("SMRITI_API_BASE", "OLLAMA_API_BASE", "OLLAMA_HOST", "OPENAI_BASE_URL")

DEMO, SPACE, MODEL, IMPORT = "demo", "space", "model", "import"


@dataclass(frozen=True)
class Found:
    """What the settings hold already; no key is ever shown."""

    path: str
    """Where the database will be."""
    keys: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    model: str | None = None

    @property
    def words(self) -> str:
        """For the line below `Connect a model`."""
        parts = [*self.keys, *self.servers]
        if self.model:
            parts.insert(0, f"model {self.model}")
        return f"found: {', '.join(parts)}" if parts else "no key and no server found yet"


def local_server() -> str:
    """Words for a model server on this machine, "" for none. Asks the loopback address alone; not
    for the event loop."""
    # Loads http.client.
    from smriti_tui.services.local_models import PORT, local_models

    found = local_models()
    if found is None:
        return ""
    count = f", {len(found)} models" if len(found) > 1 else ""
    return f"local server on port {PORT}{count}"


def look_around(config: Config, path: str) -> Found:
    """Reads settings and variables; asks no network."""
    get = config.variables.get
    keys = tuple(name for name in KEY_VARIABLES if get(name))
    servers = tuple(f"{name} {get(name)}" for name in SERVER_VARIABLES if get(name))
    return Found(with_tilde(path, get("HOME") or ""), keys, servers, config.chat_model)


def with_tilde(path: str, home: str) -> str:
    """The path as a shell would take it, the home folder written `~`."""
    below = f"{home.rstrip('/')}/"
    return f"~/{path.removeprefix(below)}" if home and path.startswith(below) else path


class FirstRun(Dialog[str]):
    """Dismissed with one of `demo`, `space`, `model`, `import`; with None by esc."""

    HEADING = "smriti-tui"
    KEYS: ClassVar[str] = "1-4 Choose   enter Open   esc Close"
    HELP = (
        "Nothing is written before you choose. The demo needs no model and no network. "
        "Only this machine is asked whether a model server listens on it."
    )

    @dataclass
    class Looked(Message):
        """Whether a model server listens on this machine."""

        server: str

    def __init__(self, found: Found, at: str = DEMO) -> None:
        """`at` is the way under the cursor."""
        super().__init__()
        self._found = found
        self._at = at

    def body(self) -> Iterable[Widget]:
        """The place of the database, and the ways."""
        words = (
            "Versioned reasoning for you and your agents.\n\n"
            f"Everything stays in one file on this machine:\n  {self._found.path}   (new)"
        )
        yield Static(literal(words), classes="dialog--words")
        rows = RowList(id="ways")
        rows.styles.height = 12
        yield rows

    def on_mount(self) -> None:
        """The cursor stands on the demo; a server is looked for behind the first frame."""
        self._show()
        rows = self.query_one("#ways", RowList)
        rows.move_to(self._at)
        rows.focus()
        in_thread(self, local_server, self.Looked, group="server", what="Looking for a server")

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        message.stop()
        if message.server:
            self._found = replace(self._found, servers=(*self._found.servers, message.server))
            self._show()

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()

    def _show(self) -> None:
        """Draws the ways."""
        ways = (
            (DEMO, "Look around in a demo Space", "no key, no network, a throw-away file"),
            (SPACE, "Start an empty Space", "everything but answers works before a model is set"),
            (MODEL, "Connect a model", self._found.words),
            (IMPORT, "Import", "ChatGPT, Claude, Codex, llm, elia, aider"),
        )

        rows = [
            Row(
                name,
                (
                    RowLine((Piece(f"  {number}  {title}", "strong"),)),
                    RowLine((Piece(f"     {words}", "muted"),)),
                    RowLine(()),
                ),
            )
            for number, (name, title, words) in enumerate(ways, 1)
        ]
        self.query_one("#ways", RowList).show_rows(tuple(rows))

    def submit(self) -> None:
        """As enter."""
        self.query_one("#ways", RowList).action_open()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self._choose(message.key)

    def on_key(self, event: events.Key) -> None:
        """A digit chooses."""
        names = (DEMO, SPACE, MODEL, IMPORT)
        if event.key in ("1", "2", "3", "4"):
            event.stop()
            self._choose(names[int(event.key) - 1])

    def _choose(self, way: str) -> None:
        self.dismiss(way)
