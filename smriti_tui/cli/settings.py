"""`smriti config`: every setting with its value and where it stands."""

from __future__ import annotations

import click

from smriti_tui.cli import options
from smriti_tui.cli.run import Run
from smriti_tui.domain.render.tables import table


@click.command("config", cls=options.Command, example="smriti config --json")
@click.pass_obj
def settings(run: Run) -> None:
    """List all settings: environment first, then the env file, then config.toml.

    No part of any key is shown.
    """
    from smriti_tui.config.show import describe

    config = run.config(tolerant=True)
    found = describe(config)
    document = {
        "settings": [
            {"name": s.name, "variable": s.variable, "value": s.value, "origin": s.origin}
            for s in found
        ],
        "problems": [
            {"message": fault.message, "hint": fault.hint, "field": fault.field}
            for fault in config.problems
        ],
        "warnings": list(config.warnings),
    }
    for told in (*map(str, config.problems), *config.warnings):
        run.out.warning(told)
    rows = [(s.name, "-" if s.value is None else s.value, s.origin) for s in found]
    run.out.result(document, lambda: table(("name", "value", "from"), rows))
