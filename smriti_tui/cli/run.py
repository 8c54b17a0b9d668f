"""One run of the command: its flags, its output, and the services when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from smriti_tui.cli.output import Output

if TYPE_CHECKING:
    from smriti_tui.config.settings import Config
    from smriti_tui.services import Services


class Run:
    """Made once per process by `main`; handed to every command as click's object."""

    def __init__(self) -> None:
        self.out = Output()
        self.flags: dict[str, object] = {}
        self.never_fails = False
        """Set by a host's hook: faults are told, and the exit code is 0 all the same."""
        self.at: str | None = None
        """The event, time or checkpoint whose state is asked for."""
        self._then: str | None = None
        self._config: Config | None = None

    def config(self, *, tolerant: bool = False) -> Config:
        """The settings, read at the first call; their warnings go to standard error.

        With `tolerant`, who asks shows problems and warnings itself.

        Raises:
            Invalid: without `tolerant`, a setting is wrong.
        """
        if self._config is None:
            # pydantic-settings takes longer to import than everything that --help needs.
            from smriti_tui.config.settings import load_config

            self._config = load_config(self.flags, tolerant=tolerant)
            for warning in () if tolerant else self._config.warnings:
                self.out.warning(warning)
        return self._config

    @contextmanager
    def services(self) -> Iterator[Services]:
        """The services on the database of the settings; nothing is created by opening them."""
        config = self.config()
        from smriti_tui.bootstrap import open_services

        if self.at is None:
            with open_services(config, "cli") as services:
                try:
                    yield services
                finally:
                    for notice in services.caller.noticed.take():
                        self.out.warning(notice.words)
            return
        with open_services(config, "cli") as services:
            moment = services.moments.find(self.at)
        self._then = moment.recorded_at
        with open_services(config, "cli", moment) as services:
            yield services

    def only_now(self, command: str) -> None:
        """For what is done to files or folders, of which there is no earlier state.

        Raises: Invalid, with --at.
        """
        if self.at is not None:
            from smriti_tui.domain.errors import Invalid

            raise Invalid(
                f"`smriti {command}` is about now: it takes no --at.",
                "Leave it out.",
                code="usage",
            )

    def now(self) -> str:
        """UTC text of the present, or of the moment that is looked at, for relative times."""
        if self._then is not None:
            return self._then
        from datetime import UTC, datetime

        from smriti_tui.domain.values import utc_text

        return utc_text(datetime.now(UTC))
