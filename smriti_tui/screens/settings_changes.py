"""What the settings screen does: asks for a value, writes it behind the screen, and says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid
from smriti_tui.messages import Failed
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.screens.dialogs.model_form import ModelForm, ProviderPicker, begin_with
from smriti_tui.screens.dialogs.model_picker import ModelPicked, ModelPicker
from smriti_tui.screens.dialogs.setting_value import KeyDialog, ValueDialog
from smriti_tui.screens.dialogs.theme_picker import ThemePicker
from smriti_tui.screens.dialogs.try_model import TryDialog
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.config.save import Value
    from smriti_tui.config.schema import ModelEntry
    from smriti_tui.config.settings import Config
    from smriti_tui.screens.settings import SettingsScreen
    from smriti_tui.screens.settings_rows import SettingRow
    from smriti_tui.services import Services

LATER = ("ui.mouse", "actor")
"""What counts at the next start alone."""


@dataclass
class Changed(Message):
    """The settings are others now."""

    config: Config
    words: str = ""
    mark: str | None = None
    """The row to go to."""


class Changes:
    """Dialogs and writes of the settings screen."""

    def __init__(self, screen: SettingsScreen, services: Services) -> None:
        self._screen = screen
        self._services = services
        self._live = services.settings

    # ---- one value -----------------------------------------------------------------------------

    def change(self, row: SettingRow) -> None:
        """Asks for another value, or takes the other one of two."""
        if row.locked:
            self._say(row.locked)
            return
        ways: Mapping[str, Callable[[SettingRow], None]] = {
            "switch": lambda row: self.write(row.key, row.value != "on"),
            "choice": lambda row: self.write(row.key, "full" if row.value == "ascii" else "ascii"),
            "theme": lambda _: self.theme(),
            "text": self._ask_value,
            "number": self._ask_value,
            "model": self._ask_model,
            "entry": self._ask_entry,
            "add": self._ask_new,
            "key": self._ask_key,
        }
        if (way := ways.get(row.kind)) is not None:
            way(row)

    def write(self, key: str, value: Value, *, words: str = "") -> None:
        """Writes one value behind the screen; None brings the default back."""
        told = words or self._saved(key)
        self._work(lambda: self._live.set(key, value), told, "Saving the setting")

    def _saved(self, key: str) -> str:
        return "Saved. It counts at the next start." if key in LATER else "Saved."

    def _ask_value(self, row: SettingRow) -> None:
        number = row.kind == "number"
        now = row.value.removesuffix(" s") if number else row.value

        def write(typed: str) -> object:
            value = _number(row.key, typed) if number else typed or None
            return self._live.set(row.key, value)

        dialog = ValueDialog(row.key, row.label, now, row.help, write)
        self._screen.app.push_screen(dialog, lambda done: self._heard(done, self._saved(row.key)))

    def _ask_key(self, row: SettingRow) -> None:
        action = row.key.removeprefix("keys.")
        live = self._live

        def wishes() -> dict[str, str]:
            return dict(live.keys_by_file())

        dialog = KeyDialog(
            action, row.value, row.help, wishes, lambda typed: live.set(row.key, typed)
        )
        self._screen.app.push_screen(dialog, lambda done: self._heard(done, "Saved."))

    def theme(self) -> None:
        """Shows all themes, each at once; keeps the chosen one."""
        app = self._screen.app

        def chosen(name: str | None) -> None:
            if name is not None:
                self.write("ui.theme", name)

        app.push_screen(ThemePicker(app.theme), chosen)

    # ---- models --------------------------------------------------------------------------------

    def _ask_model(self, row: SettingRow) -> None:
        config = self._live.now
        picker = ModelPicker(self._services, config.model_names(), row.value, key=row.key)

        def chosen(picked: ModelPicked | None) -> None:
            if picked is not None:
                self._work(self._live.reload, f"{row.label}: {clean_line(picked.name)}.", "Reading")

        self._screen.app.push_screen(picker, chosen)

    def _entry(self, row: SettingRow) -> ModelEntry | None:
        name = row.key.removeprefix("models.")
        return next((each for each in self._live.now.models if each.name == name), None)

    def _ask_entry(self, row: SettingRow) -> None:
        entry = self._entry(row)
        if entry is not None:
            self._open_form(typed_of(entry), entry.name)

    def _ask_new(self, row: SettingRow) -> None:
        if row.key.startswith("found."):
            self._open_form({"model": row.key.removeprefix("found.")})
        else:
            self.add_model()

    def add_model(self) -> None:
        """Whose model, then its entry."""
        # Loads the provider table.
        from smriti_tui.services.model_list import known_providers

        def chosen(provider: str | None) -> None:
            if provider is not None:
                self._open_form(begin_with(provider))

        picker = ProviderPicker(known_providers(self._live.now))
        self._screen.app.push_screen(picker, chosen)

    def _open_form(self, typed: Mapping[str, str], name: str | None = None) -> None:
        self._screen.app.push_screen(ModelForm(self._live, typed, name), self._written)

    def _written(self, name: str | None) -> None:
        if name is None:
            return
        shown = clean_line(name)
        if self._live.now.chat_model is None:
            # The first model of all is the one to talk to.
            self._work(
                lambda: self._live.set("chat.model", name),
                f"{shown} is saved, and is the chat model. R tests it.",
                "Saving the setting",
                mark=f"models.{name}",
            )
            return
        words = f"{shown} is saved. R tests it."
        self._post(Changed(self._live.now, words, f"models.{name}"))

    def remove(self, row: SettingRow | None) -> None:
        """Back to the default; a model's entry goes after a question."""
        if row is None or row.kind in ("fact", "add"):
            return
        if row.locked:
            self._say(row.locked)
        elif row.kind == "entry":
            self._ask_to_remove(row)
        else:
            self.write(row.key, None, words="Back to the default.")

    def _ask_to_remove(self, row: SettingRow) -> None:
        name = row.key.removeprefix("models.")

        def answered(yes: bool | None) -> None:
            if yes:
                words = f"{clean_line(name)} is taken out."
                self._work(lambda: self._live.set_model(name, None), words, "Removing the model")

        words = "Its entry goes out of config.toml. Answers it gave stay, and its key is untouched."
        dialog = ConfirmDialog(f"Take out the model {name}?", words, yes="Take out")
        self._screen.app.push_screen(dialog, answered)

    def test(self, row: SettingRow | None) -> None:
        """One tiny call to the model under the cursor, or to the chat model."""
        name: str | None = None
        if row is not None and row.kind == "entry":
            name = row.key.removeprefix("models.")
        elif row is not None and row.key == "background.model":
            name = self._live.now.background_model
            if name is None:
                self._say("No background model is set.")
                return
        self._screen.app.push_screen(TryDialog(self._services.trying, name))

    def set_aside(self) -> None:
        """Moves a broken file out of the way."""
        live = self._live

        def work() -> Changed:
            aside = live.set_aside()
            return Changed(live.now, f"It is kept as {clean_line(str(aside.name))}.")

        self._thread(work, "Setting the file aside")

    # ---- behind the screen ---------------------------------------------------------------------

    def _work(
        self, work: Callable[[], Config], words: str, what: str, *, mark: str | None = None
    ) -> None:
        self._thread(lambda: Changed(work(), words, mark), what)

    def _thread(self, work: Callable[[], Changed], what: str) -> None:
        in_thread(
            self._screen, work, lambda done: done, group="settings.write", what=what,
            failed=self._failed,
        )  # fmt: skip

    def _failed(self, failed: Failed) -> Failed:
        # What could not be written may have been read anew: somebody else changed the file.
        self._screen.call_later(self._screen.show)
        return failed

    def _heard(self, done: object, words: str) -> None:
        if done is not None:
            self._post(Changed(self._live.now, words))
        else:
            # What could not be written may have been read anew all the same.
            self._screen.show()

    def _post(self, message: Message) -> None:
        self._screen.post_message(message)

    def _say(self, words: str) -> None:
        self._screen.notify(words, markup=False, timeout=5)


def typed_of(entry: ModelEntry) -> dict[str, str]:
    """An entry as its form shows it."""
    values = entry.model_dump(exclude_none=True)
    params = values.pop("params", None)
    typed = {name: str(value) for name, value in values.items()}
    return typed | ({"params": json.dumps(params)} if params else {})


def _number(key: str, typed: str) -> float | int | None:
    if not typed:
        return None
    try:
        return int(typed) if key.endswith("retries") else float(typed)
    except ValueError:
        raise Invalid("It should be a number, or empty for the default.", field=key) from None
