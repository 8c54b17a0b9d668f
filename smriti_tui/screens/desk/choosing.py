"""Choosing the model of the next sends, the settings, and a way to begin at the first start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean_line
from smriti_tui.keys import key_table
from smriti_tui.looks import LookingApp
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import MODEL, Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from textual.app import App

    from smriti_tui.config.settings import Config
    from smriti_tui.screens.dialogs.model_picker import ModelPicked
    from smriti_tui.services import Services


class ModelChoice:
    """The model of the next sends."""

    def __init__(
        self,
        app: App[object],
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        count_ahead: Callable[[], None],
    ) -> None:
        self._app = app
        self._work = work
        self._front = front
        self._here = here
        self._services = services
        self._voice = voice
        self._count_ahead = count_ahead
        self._config = services.settings.now

    def choose(self) -> None:
        """Opens the picker."""
        from smriti_tui.screens.dialogs.model_picker import ModelPicker

        config = self._services.settings.now
        now = self._here.now.model or config.chat_model
        picker = ModelPicker(self._services, config.model_names(), now)
        self._front.open_screen(picker, self._chosen)

    def _chosen(self, picked: ModelPicked | None) -> None:
        if picked is None:
            return
        if picked.settings:
            self.settings()
            return
        self._here.choose(picked.name)
        self._voice.settle(MODEL)
        self._voice.say(f"The next send goes to {picked.name}. The context stays the same.")
        self._count_ahead()

    # ---- settings ------------------------------------------------------------------------------

    def settings(self, then: Callable[[], None] = lambda: None) -> None:
        """Opens the settings at the models; `then` follows when they are left."""
        # Loads pydantic and tomlkit, which are there by now.
        from smriti_tui.screens.settings import SettingsScreen

        def closed(_: None) -> None:
            self._voice.settle(MODEL)
            self._count_ahead()
            then()

        self._front.open_screen(SettingsScreen(self._services, self.changed), closed)

    def theme(self) -> None:
        """Shows every theme at once, and keeps the chosen one in the settings."""
        from smriti_tui.screens.dialogs.theme_picker import ThemePicker

        self._front.open_screen(ThemePicker(self._app.theme), self._keep_theme)

    def _keep_theme(self, name: str | None) -> None:
        if name is None:
            return
        live = self._services.settings
        origin = live.now.origins.get("ui.theme", "")
        fixed = origin.startswith("SMRITI_THEME in")

        def keep() -> Config:
            return live.now if fixed else live.set("ui.theme", name)

        def kept(config: Config) -> None:
            self._config = config
            if fixed:
                words = f"{name} until the end: {origin} sets the theme of the next start."
            else:
                words = f"{name} is the theme now, in {config.config_file.name}."
            self._voice.say(words)

        self._work.run(keep, kept, group="theme")

    def changed(self, config: Config) -> None:
        """Other settings count from now on."""
        before, app = self._config, self._app
        self._config = config
        if not isinstance(app, LookingApp):
            return
        # Only what was changed: the terminal may have asked for other colours than the settings.
        ui = config.ui
        if ui.theme != before.ui.theme:
            app.take_theme(ui.theme)
        if (ui.glyphs, ui.motion) != (before.ui.glyphs, before.ui.motion):
            app.take_look(ui.glyphs, motion=ui.motion)
        if config.keys != before.keys:
            app.take_keys(key_table(config.keys))

    def complaints(self) -> list[str]:
        """What the settings ask for that does not exist, by its name."""
        config, app = self._services.settings.now, self._app
        theme = config.ui.theme
        if not isinstance(app, LookingApp) or app.knows_theme(theme):
            return []
        origin = config.origins.get("ui.theme", "the settings")
        words = f"There is no theme {clean_line(theme)} ({clean_line(origin)}); "
        return [f"{words}{app.theme} is shown. The command Theme lists all."]


class FirstStart:
    """Ways to begin, when there is no database yet."""

    def __init__(
        self,
        front: Front,
        services: Services,
        models: ModelChoice,
        path: str,
        ways: Mapping[str, Callable[[], None]],
    ) -> None:
        """`path` is where the database will be; `ways` are by the names of the dialog."""
        self._front = front
        self._services = services
        self._path = path
        self._ways: dict[str, Callable[[], None]] = {
            **ways,
            "model": partial(models.settings, self._again),
        }

    def offer(self, at: str = "demo") -> None:
        """Opens the dialog, the way `at` under the cursor."""
        from smriti_tui.screens.first_run import FirstRun, look_around

        found = look_around(self._services.settings.now, self._path)
        self._front.open_screen(FirstRun(found, at), self._chosen)

    def _again(self) -> None:
        # A model alone is no beginning: a Space comes next.
        if not self._services.caller.store.exists():
            self.offer("space")

    def _chosen(self, way: str | None) -> None:
        if way is not None and (begin := self._ways.get(way)) is not None:
            begin()
