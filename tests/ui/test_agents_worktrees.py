"""Worktrees and signals of pane 5, on real repositories."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.worktrees import Worktree
from smriti_tui.screens.desk.worktree_acts import outside_programs
from smriti_tui.screens.dialogs.agent_text import AgentTextDialog
from smriti_tui.screens.dialogs.confirm import ConfirmDialog
from smriti_tui.services import Services
from smriti_tui.widgets.agents_pane import AgentsPane
from tests.git.repository import repository
from tests.ui.house import House, desk, notes, on_top, screen_text, settle, until, workspace


@contextmanager
def agent(house: House, name: str) -> Iterator[Services]:
    """Another program that writes into the same database."""
    with closing(house.open("cli", actor=name)) as opened:
        yield opened.services


def seed(house: House) -> SpaceId:
    """A Space whose project root is a repository."""
    space, _ = house.seed(checkpoints=1)
    root = repository(house.folder / "repo")
    with closing(house.open("cli")) as opened:
        opened.services.spaces.change(space.id, project_root=str(root.path))
    return space.id


def write(tree: Worktree, name: str, text: str) -> None:
    """A change that is not committed."""
    Path(tree.path, name).write_text(text, encoding="utf-8")


def is_there(tree: Worktree) -> bool:
    return Path(tree.path).exists()


def set_programs(monkeypatch: pytest.MonkeyPatch, **named: str) -> None:
    """The environment names these programs to go outside with, and no other."""
    for name in ("SHELL", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    for name, program in named.items():
        monkeypatch.setenv(name, program)


async def to_tab(pilot: Pilot[int], tab: str) -> AgentsPane:
    """The focus goes to pane 5, to one of its tabs."""
    workspace(pilot).action_run(f"agents.{tab}")
    await settle(pilot)
    return workspace(pilot).query_one(AgentsPane)


async def test_a_conflict_of_two_worktrees_is_shown_and_explained(house: House) -> None:
    space = seed(house)
    for name in ("codex", "claude"):
        with agent(house, name) as services:
            tree = services.worktrees.open(space, branch=f"wt/{name}")
            services.claims.take(space, f"{name} changes the file", worktree=tree.id)
            write(tree, "file", f"one\n{name}\nthree\n")
    async with house.app() as pilot:
        await until(pilot, lambda: "CERTAIN CONFLICT" in screen_text(pilot))
        assert "wt/codex   +0 ~1" in screen_text(pilot)
        pane = await to_tab(pilot, "claims")
        await pilot.press("c")
        await settle(pilot)
        assert on_top(pilot, AgentTextDialog)
        text = screen_text(pilot)
        for words in ("A trial merge of both", "file 2", "codex: wt/codex", "claude: wt/claude"):
            assert words in text
        await pilot.press("escape")
        pane = await to_tab(pilot, "signals")
        assert pane.cursor_key is not None
        assert pane.cursor_key.startswith("sign:worktrees")


async def test_a_worktree_is_opened_and_a_dirty_one_is_closed_only_when_asked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_programs(monkeypatch, SHELL="/bin/sh")
    space = seed(house)
    async with house.app() as pilot:
        await to_tab(pilot, "worktrees")
        trees = desk(pilot).services.worktrees
        await pilot.press("n")
        await settle(pilot)
        await pilot.press(*"wt/mine", "enter")
        await until(pilot, lambda: "wt/mine" in screen_text(pilot) and bool(trees.of_space(space)))
        (tree,) = trees.of_space(space)
        write(tree, "unsaved", "x")
        await settle(pilot)
        await pilot.press("o")
        await until(pilot, lambda: "There is no terminal here" in notes(pilot))
        await pilot.press("D")
        await until(pilot, lambda: on_top(pilot, ConfirmDialog))
        await pilot.press("escape")
        await settle(pilot)
        assert trees.get(tree.id).status == "active"
        await pilot.press("D")
        await until(pilot, lambda: on_top(pilot, ConfirmDialog))
        await pilot.press("y")
        await until(pilot, lambda: trees.get(tree.id).status == "closed")
        await settle(pilot)
        assert "its branch wt/mine stays" in notes(pilot)
        assert not is_there(tree)
        await until(pilot, lambda: "No worktree is open" in screen_text(pilot))


async def test_without_a_shell_and_an_editor_the_words_say_what_to_set(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_programs(monkeypatch)
    space = seed(house)
    with agent(house, "codex") as services:
        services.worktrees.open(space, branch="wt/codex")
    async with house.app() as pilot:
        await to_tab(pilot, "worktrees")
        await until(pilot, lambda: "wt/codex" in screen_text(pilot))
        await pilot.press("o")
        await until(pilot, lambda: "Set $SHELL or $EDITOR" in notes(pilot))


async def test_no_folder_no_worktree_and_the_words_say_so(house: House) -> None:
    house.seed(checkpoints=1)
    async with house.app() as pilot:
        await to_tab(pilot, "worktrees")
        await pilot.press("n")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "has no project root" in screen_text(pilot)


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        ({"SHELL": "/bin/sh"}, ["$SHELL"]),
        ({"SHELL": "/bin/sh", "EDITOR": "cat -u"}, ["$SHELL", "$EDITOR"]),
        ({"VISUAL": "cat", "EDITOR": "sh"}, ["$VISUAL"]),
        ({"VISUAL": "no-such-editor", "EDITOR": "cat"}, ["$EDITOR"]),
        ({}, []),
    ],
)
def test_what_a_worktree_opens_in(environ: dict[str, str], names: list[str]) -> None:
    programs, fault = outside_programs(environ)
    assert list(programs) == names
    assert not fault
    if "EDITOR" in environ and "$EDITOR" in names:
        assert programs["$EDITOR"][-1] == "."


def test_a_program_that_is_not_there_is_named() -> None:
    assert "no-such-shell" in outside_programs({"SHELL": "no-such-shell"})[1]
    assert "quotation mark" in outside_programs({"SHELL": "sh 'x"})[1]
