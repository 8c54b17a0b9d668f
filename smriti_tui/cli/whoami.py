"""`smriti whoami`: the actor of every event that is written, its door, and the store's own id."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import StoreError


@click.command(cls=options.Command, example="smriti whoami --actor codex")
@click.pass_obj
def whoami(run: Run) -> None:
    """Print the name that events are recorded under, where it comes from, and for which store."""
    from smriti_tui.config.urls import shown_url

    config = run.config()
    origin = config.origins.get("actor", "login name")
    document: dict[str, object] = {
        "actor": config.actor,
        "origin": origin,
        "door": "cli",
        "database": shown_url(config.database_url),
        "store": _store(run),
    }
    of_store = document["store"] or "none yet"
    run.out.result(document, f"{config.actor} ({origin})\nStore {of_store}")


def _store(run: Run) -> str | None:
    """The id that the store's events carry; null where it has none, or cannot be read."""
    try:
        with run.services() as services:
            return services.log.store_id()
    except StoreError as error:
        run.out.warning(str(error))
        return None
