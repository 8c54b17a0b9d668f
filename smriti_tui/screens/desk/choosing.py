"""Choosing the model of the next sends, and a way to begin at the first start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.voice import MODEL, Voice

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.screens.dialogs.model_picker import ModelPicked
    from smriti_tui.services import Services


class ModelChoice:
    """The model of the next sends."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        voice: Voice,
        config: Config,
        count_ahead: Callable[[], None],
    ) -> None:
        self._front = front
        self._here = here
        self._services = services
        self._voice = voice
        self._config = config
        self._count_ahead = count_ahead

    def choose(self) -> None:
        """Opens the picker."""
        from smriti_tui.screens.dialogs.model_picker import ModelPicker

        config = self._config
        now = self._here.now.model or config.chat_model
        picker = ModelPicker(self._services, config.model_names(), now, config.config_file)
        self._front.open_screen(picker, self._chosen)

    def _chosen(self, picked: ModelPicked | None) -> None:
        if picked is None:
            return
        self._here.choose(picked.name)
        self._voice.settle(MODEL)
        self._voice.say(f"The next send goes to {picked.name}. The context stays the same.")
        self._count_ahead()


class FirstStart:
    """Ways to begin, when there is no database yet."""

    def __init__(
        self, front: Front, config: Config, path: str, ways: Mapping[str, Callable[[], None]]
    ) -> None:
        """`path` is where the database will be; `ways` are by the names of the dialog."""
        self._front = front
        self._config = config
        self._path = path
        self._ways = ways

    def offer(self) -> None:
        """Opens the dialog."""
        from smriti_tui.screens.first_run import FirstRun, look_around

        found = look_around(self._config, self._path)
        self._front.open_screen(FirstRun(found), self._chosen)

    def _chosen(self, way: str | None) -> None:
        if way is not None and (begin := self._ways.get(way)) is not None:
            begin()
