"""Looking back: after event k the tables are what they were then, to the last column."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.values import sha256
from smriti_tui.services import Services
from smriti_tui.store.database import Store
from smriti_tui.store.rows import projected
from smriti_tui.store.statements import DATED
from tests.support import content, ended, opened_services, send, ticking_clock

TABLES = sorted({*DATED, "stream_head", "event"})


def digest(store: Store) -> str:
    """Over every row of every table that has a past."""
    parts: list[str] = []
    with store.read() as tx:
        for name in TABLES:
            table = projected.metadata.tables.get(name)
            columns = [c.name for c in table.columns] if table is not None else ["position", "type"]
            names = ", ".join(columns)
            rows = tx.connection().execute(text(f"SELECT {names} FROM {name} ORDER BY {names}"))
            parts += [name, *(str(tuple(row)) for row in rows)]
    return sha256("\n".join(parts))


def last_position(store: Store) -> int:
    with store.read() as tx:
        found: Any = tx.connection().execute(text("SELECT max(position) FROM event")).scalar()
    return int(found)


class Life:
    """Random commands; each that wrote something leaves a digest behind."""

    def __init__(self, services: Services, seed: int) -> None:
        self.services = services
        self.chance = random.Random(seed)
        self.digests: dict[int, str] = {}
        self.space = services.spaces.create("alpha").id
        self.session = services.sessions.new(self.space).id
        self.forks: list[SessionId] = [self.session]

    def record(self) -> None:
        store = self.services.caller.store
        self.digests[last_position(store)] = digest(store)

    async def step(self) -> None:
        acts = (self.ask, self.ask, self.save, self.mount, self.rename, self.fork, self.note,
                self.delete, self.retry, self.branch)  # fmt: skip
        try:
            await self.chance.choice(acts)()
        except SmritiError:
            return  # Not possible just now; nothing was written, or all of it.
        self.record()

    async def ask(self) -> None:
        await send(self.services, self.chance.choice(self.forks), f"q {self.chance.random()}")

    async def retry(self) -> None:
        await ended(self.services.chat.retry(self.session))

    async def save(self) -> None:
        given = content(f"s {self.chance.random()}", f"d {self.chance.randrange(5)}")
        session = self.chance.choice([*self.forks, None])
        self.services.checkpoints.create(self.space, given, session=session)

    def checkpoint(self) -> Any:
        return self.chance.choice(self.services.checkpoints.of_space(self.space)).id

    async def mount(self) -> None:
        if self.services.sessions.get(self.session).current_line > 1:
            self.services.sessions.unmount(self.session)
        elif self.services.checkpoints.of_space(self.space):
            self.services.sessions.mount(self.session, self.checkpoint())

    async def rename(self) -> None:
        self.services.sessions.rename(self.session, f"t {self.chance.random()}")
        self.services.spaces.change(self.space, name=f"n {self.chance.random()}")

    async def fork(self) -> None:
        if self.services.checkpoints.of_space(self.space) and len(self.forks) < 6:
            self.forks.append(self.services.forking.from_checkpoint(self.checkpoint()).session.id)

    async def note(self) -> None:
        if self.services.checkpoints.of_space(self.space):
            self.services.notes.add(self.checkpoint(), f"note {self.chance.random()}")

    async def delete(self) -> None:
        if self.services.checkpoints.of_space(self.space) and self.chance.random() < 0.3:
            self.services.deleting.delete(self.checkpoint(), cascade=True)

    async def branch(self) -> None:
        names = [each.name for each in self.services.spaces.branches(self.space)]
        name = self.chance.choice(names)
        self.services.branches.dispose(self.space, name, "abandoned")
        self.services.branches.rename(self.space, name, f"b{self.chance.randrange(1000)}")


async def lived(folder: Path, steps: int, seed: int) -> dict[int, str]:
    with opened_services(folder) as services:
        life = Life(services, seed)
        for _ in range(steps):
            await life.step()
        assert services.log.verify().difference is None
        return life.digests


async def test_every_moment_is_found_again(tmp_path: Path) -> None:
    digests = await lived(tmp_path, 60, 7)
    assert len(digests) > 30
    for position, found in digests.items():
        store = Store(str(tmp_path / "smriti.db"), ticking_clock(), at=position)
        assert digest(store) == found, position
        store.close()


@pytest.mark.soak
async def test_every_moment_of_a_long_life_is_found_again(tmp_path: Path) -> None:
    digests = await lived(tmp_path, 1_300, 11)
    assert max(digests) >= 2_000
    for position, found in digests.items():
        store = Store(str(tmp_path / "smriti.db"), ticking_clock(), at=position)
        assert digest(store) == found, position
        store.close()


def test_the_past_is_read_only_and_says_so(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        services.spaces.create("alpha")
    store = Store(str(tmp_path / "smriti.db"), ticking_clock(), at=1)
    with pytest.raises(Invalid, match="event 1") as caught, store.log.write(actor="a", door="cli"):
        pass
    assert caught.value.code == "at_event"
    store.close()
