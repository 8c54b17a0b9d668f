"""An agent process that claims tasks as fast as it can, and says what it was told."""

from __future__ import annotations

import json
import random
import sys

from smriti_tui.bootstrap import open_services
from smriti_tui.config.settings import load_config
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.ids import SpaceId

TASKS = 5


def main(folder: str, space: str, agent: str, seed: str) -> None:
    """Claims tasks, now and then ends one, until it is killed. One JSON line for each claim."""
    chance = random.Random(seed)
    held: list[str] = []
    environ = {"HOME": folder, "SMRITI_HOME": folder, "SMRITI_ACTOR": agent}
    with open_services(load_config(environ=environ), "cli") as services:
        while True:
            task = f"task-{chance.randrange(TASKS)}"
            try:
                taken = services.claims.take(SpaceId(space), f"work on {task}", task_id=task)
                held.append(taken.claim.id)
                told = [each.one.id for each in taken.overlaps if each.one.id != taken.claim.id]
                said = {"claim": taken.claim.id, "told": told, "token": taken.claim.token}
                _say(said)
                if len(held) > 2:
                    ended = held.pop(chance.randrange(len(held)))
                    services.claims.end(ended, chance.choice(("done", "abandoned")))
            except SmritiError as error:
                _say({"error": str(error)})


def _say(what: dict[str, object]) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
