"""Which model the next send asks: from the settings, a demo model, or any name typed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, on
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from smriti_tui.domain.clean import clean_line
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.services import Services
    from smriti_tui.services.model_list import ModelEntry

MOST_ROWS = 10
TYPED = "typed"
SETTINGS = "settings"
TO_SETTINGS = Row(SETTINGS, (RowLine((Piece(" add or test a model ...", "muted"),), "settings"),))


@dataclass(frozen=True)
class ModelPicked:
    """The choice: for the next sends of this session, and (`default`) for the settings too."""

    name: str
    default: bool = False
    settings: bool = False
    """Nothing was chosen: the settings are wanted, to add or test a model."""


def entry_words(entry: ModelEntry) -> str:
    """Window and key of a model, in words."""
    if entry.limit is None:
        return entry.key
    source = " assumed" if entry.limit.source == "assumed" else ""
    return f"{entry.limit.tokens:,}{source}  {entry.key}"


class ModelPicker(Dialog[ModelPicked]):
    """Type to filter or to name any model; enter chooses, ctrl+s keeps it as the default too."""

    HELP = (
        "The choice is for the next sends of this session; the context stays the same. "
        "ctrl+s also writes it into config.toml as the default. "
        "Keys are read from the environment and never shown."
    )

    @dataclass
    class Listed(Message):
        """The models were looked up."""

        entries: tuple[ModelEntry, ...]

    def __init__(
        self,
        services: Services,
        names: Sequence[str],
        now: str | None,
        *,
        key: str | None = None,
    ) -> None:
        """`now` is the model of the next send; `key` the setting to write in any case, where one
        comes from the settings."""
        super().__init__()
        self._key = key
        self._services = services
        self._names = tuple(names)
        self._now = now
        self._entries: tuple[ModelEntry, ...] = ()

    def heading(self) -> str:
        names = {None: "Model of the next send", "chat.model": "Chat model"}
        return names.get(self._key, "Background model")

    def keys_line(self) -> str:
        """The keys, in words."""
        if self._key is not None:
            return "enter Save   esc Back"
        return "enter Use for this session   ^s Use as default too   esc Back"

    def body(self) -> Iterable[Widget]:
        hint = "type to filter, or PROVIDER/MODEL"
        yield Field("model", "Model", LineInput(widget_id="model-name", hint=hint))
        rows = RowList(id="models", empty=" Looking ...")
        rows.can_focus = False
        rows.styles.height = min(max(len(self._names), 1), MOST_ROWS) + 2
        yield rows
        yield Static(id="model-note", classes="dialog--note")

    def on_mount(self) -> None:
        """Looks the windows up behind the first frame."""
        self.query_one("#model-name").focus()
        chat, names = self._services.chat, self._names

        def work() -> tuple[ModelEntry, ...]:
            # Loads the services, so it is imported in the thread.
            from smriti_tui.services.model_list import model_entries

            return model_entries(chat, names)

        in_thread(self, work, self.Listed, group="models", what="Looking the models up")

    @on(Listed)
    def _listed(self, message: Listed) -> None:
        self._entries = message.entries
        self._show()
        if self._now is not None:
            self._rows.move_to(self._now)

    @property
    def _rows(self) -> RowList:
        return self.query_one("#models", RowList)

    @property
    def _typed(self) -> str:
        return self.query_one("#model-name", LineInput).value.strip()

    @on(Input.Changed)
    def _filter(self) -> None:
        self._clear()
        self._show()

    def _show(self) -> None:
        typed = self._typed
        found = [each for each in self._entries if typed.lower() in each.name.lower()]
        keys = [entry.name for entry in found]
        if typed and typed not in keys:
            keys.append(TYPED)
        if self._key is None:
            keys.append(SETTINGS)
        at = self._rows.cursor_key
        if at not in keys:
            at = keys[0] if keys else None
        rows = [self._row(entry) for entry in found]
        if TYPED in keys:
            rows.append(Row(TYPED, (RowLine((Piece(f" use {typed}"),), "as typed"),)))
        if self._key is None:
            rows.append(TO_SETTINGS)
        self._rows.show_rows(tuple(rows), empty=" No model fits.")
        if at is not None:
            self._rows.move_to(at)
        self._note()

    def _row(self, entry: ModelEntry) -> Row:
        name = f" {entry.name}"
        pieces = [Piece(name, "plain" if entry.limit is not None else "muted")]
        if entry.name == self._now:
            pieces.append(Piece("  now", "muted"))
        return Row(entry.name, (RowLine(tuple(pieces), entry_words(entry)),))

    @on(RowList.Moved)
    def _note(self) -> None:
        """Says why the model under the cursor cannot be used, if it cannot."""
        entry = self._entry(self._rows.cursor_key)
        words = entry.problem if entry is not None else ""
        self.query_one("#model-note", Static).update(literal(words))

    def _entry(self, name: str | None) -> ModelEntry | None:
        return next((entry for entry in self._entries if entry.name == name), None)

    def on_key(self, event: events.Key) -> None:
        """Arrows move in the list while the name is being typed."""
        moves = {"down": self._rows.action_cursor_down, "up": self._rows.action_cursor_up}
        if event.key in moves:
            event.stop()
            moves[event.key]()
        elif event.key == "ctrl+s":
            event.stop()
            self._choose(default=True)

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self._choose(default=False)

    def submit(self) -> None:
        """For this session alone."""
        self._choose(default=False)

    def _choose(self, *, default: bool) -> None:
        at = self._rows.cursor_key
        if at == SETTINGS:
            self.dismiss(ModelPicked("", settings=True))
            return
        name = self._typed if at in (None, TYPED) else at
        if not name:
            return
        chat, live, key = self._services.chat, self._services.settings, self._key

        def work() -> ModelPicked:
            picked = ModelPicked(chat.resolve(name).name, default)
            if default or key is not None:
                live.set(key or "chat.model", picked.name)
            return picked

        self.work(work, "Choosing the model")

    def finish(self, value: object) -> None:
        """Says where the default was written."""
        if isinstance(value, ModelPicked):
            if value.default:
                file = self._services.settings.now.config_file
                words = f"{value.name} is the default now, in {file}."
                self.app.notify(clean_line(words), markup=False, timeout=3)
            self.dismiss(value)
