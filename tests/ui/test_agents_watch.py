"""What an agent changes in its worktree shows in pane 5 without being asked for."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tests.git.repository import repository
from tests.ui.house import House, desk, until


async def test_a_changed_file_shows_by_itself(house: House, tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    space, _ = house.seed()
    with closing(house.open("cli")) as opened:
        opened.services.spaces.change(space.id, project_root=str(project.path))
        tree = opened.services.worktrees.open(space.id)
    async with house.app((160, 48)) as pilot:
        agents = desk(pilot).agents

        def dirty() -> tuple[str, ...]:
            look = agents.look(tree.id)
            return look.probed.dirty if look is not None and look.probed is not None else ("?",)

        await until(pilot, lambda: dirty() == ())
        (Path(tree.path) / "new").write_text("x")
        await until(pilot, lambda: dirty() == ("new",))
        (Path(tree.path) / "new").unlink()
        await until(pilot, lambda: dirty() == ())
