"""A `[[models]]` entry: whose model, what it is called, where it is, which variable has its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from textual import events, on
from textual.widget import Widget
from textual.widgets import Input, Static

from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.config.live import LiveConfig

EXAMPLES: Mapping[str, str] = {
    "openai": "gpt-4o-mini", "anthropic": "claude-sonnet-4-5", "gemini": "gemini-2.5-flash",
    "ollama_chat": "llama3.2", "openrouter": "openai/gpt-4o-mini",
    "mistral": "mistral-small-latest", "groq": "llama-3.3-70b-versatile",
    "deepseek": "deepseek-chat", "xai": "grok-3-mini",
}  # fmt: skip
"""For hints alone: nothing is chosen by them."""
SERVERS: Mapping[str, str] = {
    "ollama": "http://localhost:11434", "ollama_chat": "http://localhost:11434",
    "lm_studio": "http://localhost:1234/v1", "hosted_vllm": "http://localhost:8000/v1",
}  # fmt: skip
OTHER = "openai-compatible"
"""Any other server that speaks OpenAI's protocol."""


class ProviderPicker(Dialog[str]):
    """Dismissed with a provider's word, or `OTHER`. Type to filter."""

    HEADING = "Whose model?"
    KEYS = "type to filter   enter Next   esc Back"

    def __init__(self, providers: Mapping[str, str]) -> None:
        """Names, and what is known of their keys in words."""
        super().__init__()
        self._providers = {
            **providers,
            OTHER: "another server, by its address: llama.cpp, LM Studio, vLLM ...",
        }

    def body(self) -> Iterable[Widget]:
        yield Field("provider", "Provider", LineInput(widget_id="provider-name"))
        rows = RowList(id="providers", empty=" No provider fits.")
        rows.can_focus = False
        rows.styles.height = 12
        yield rows

    def on_mount(self) -> None:
        """All of them."""
        self.query_one("#provider-name").focus()
        self._show()

    @on(Input.Changed)
    def _show(self) -> None:
        typed = self.query_one("#provider-name", LineInput).value.strip().lower()
        rows = [
            Row(name, (RowLine((Piece(f" {name}"),), words),))
            for name, words in self._providers.items()
            if typed in f"{name} {words}".lower()
        ]
        found = self.query_one("#providers", RowList)
        found.show_rows(tuple(rows))
        found.action_top()

    def on_key(self, event: events.Key) -> None:
        """Arrows move in the list while the name is being typed."""
        rows = self.query_one("#providers", RowList)
        moves = {
            "down": rows.action_cursor_down, "up": rows.action_cursor_up,
            "pagedown": rows.action_half_down, "pageup": rows.action_half_up,
        }  # fmt: skip
        if event.key in moves:
            event.stop()
            moves[event.key]()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()

    def submit(self) -> None:
        """The one under the cursor."""
        if (name := self.query_one("#providers", RowList).cursor_key) is not None:
            self.dismiss(name)


def begin_with(provider: str) -> dict[str, str]:
    """What the form holds for a new entry of a provider."""
    if provider == OTHER:
        return {"model": "openai/", "api_base": "http://localhost:8080/v1"}
    typed = {"model": f"{provider}/"}
    if provider in SERVERS:
        typed["api_base"] = SERVERS[provider]
    return typed


class ModelForm(Dialog[str]):
    """Dismissed with the entry's name when it is written."""

    KEYS = "^s Save   tab Next field   esc Back"
    HELP = (
        "One model of yours. The key itself is never written: only the name of the variable that "
        "holds it, and that key goes to this address and nowhere else. "
        "Leave the address empty for the provider's own."
    )

    def __init__(
        self, settings: LiveConfig, typed: Mapping[str, str], name: str | None = None
    ) -> None:
        """`typed` by the names of `config.entries.FIELDS`; `name` of the entry that changes."""
        super().__init__()
        self._settings = settings
        self._typed = typed
        self._name = name

    def heading(self) -> str:
        return "Add a model" if self._name is None else f"Model {self._name}"

    def body(self) -> Iterable[Widget]:
        provider = self._typed.get("model", "").partition("/")[0]
        example = EXAMPLES.get(provider)
        like = f", for example {provider}/{example}" if example else ""
        for name, label, hint in (
            ("model", f"Model, as PROVIDER/NAME{like}", ""),
            ("alias", "Alias", "a short name of your own (optional)"),
            ("api_base", "Address", "empty: the provider's own"),
            ("api_key_env", "Variable that holds the key", "empty: the provider's usual one"),
            ("context_tokens", "Window in tokens", "empty: as the library knows it"),
            ("reply_tokens", "Longest reply in tokens", "empty: a quarter of the window"),
            ("params", "Parameters as JSON", '{"temperature": 0}'),
        ):
            given = LineInput(
                self._typed.get(name, ""), widget_id=f"model-{name}", hint=hint, select=False
            )
            yield Field(name, label, given)
        yield Static(literal("A key is never typed here."), classes="dialog--note")

    def on_mount(self) -> None:
        """One types the model's name first."""
        given = self.query_one("#model-model", LineInput)
        given.focus()
        given.cursor_position = len(given.value)

    def submit(self) -> None:
        """Checks and writes it."""
        typed = {field.field: field.query_one(LineInput).value for field in self.query(Field)}
        settings, name = self._settings, self._name

        def work() -> str:
            # Loads pydantic, so it is imported in the thread.
            from smriti_tui.config.entries import entry_from

            others = {entry.name for entry in settings.now.models} - {name}
            entry = entry_from(typed, others)
            settings.set_model(name, entry)
            return str(entry["alias"] or entry["model"])

        self.work(work, "Saving the model")
