"""The first start: no database yet, four ways to begin (ux 4.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

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

    def __init__(self, found: Found) -> None:
        super().__init__()
        self._found = found

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
        """The cursor stands on the demo."""
        self._show(DEMO)
        self.query_one("#ways", RowList).focus()

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._show(message.key)

    def _show(self, chosen: str) -> None:
        """Draws the ways; the chosen one has a sign, since not everybody sees its colour."""
        ways = (
            (DEMO, "Look around in a demo Space", "no key, no network, a throw-away file"),
            (SPACE, "Start an empty Space", "everything but answers works before a model is set"),
            (MODEL, "Connect a model", self._found.words),
            (IMPORT, "Import", "coming: ChatGPT, Claude, Codex, llm, elia, aider"),
        )

        def sign(name: str) -> str:
            return ">" if name == chosen else " "

        rows = [
            Row(
                name,
                (
                    RowLine((Piece(f"{sign(name)} {number}  {title}", "strong"),)),
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
        if way == IMPORT:
            self.notify("Import is coming. Choose another way for now.", markup=False, timeout=3)
        else:
            self.dismiss(way)
