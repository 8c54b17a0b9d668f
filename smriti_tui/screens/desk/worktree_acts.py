"""What is done to worktrees from pane 5: opened, entered, closed."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import App, SuspendNotSupported

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.ids import SpaceId, short
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.state_work import dirty_text, drift_text
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.worktrees import Worktree, WorktreeLook
from smriti_tui.editor import run_outside
from smriti_tui.screens.desk.agents import AgentsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.services import Services

GROUP = "agents.tree"
OUTSIDE = "agents.outside"
MOST_PATHS = 12
"""Changed files that are named before a worktree is closed."""


class WorktreeActs:
    """Opens, shows and closes worktrees; lends the terminal to a shell or an editor there."""

    def __init__(
        self,
        app: App[Any],
        front: Front,
        services: Services,
        work: Work,
        voice: Voice,
        agents: AgentsPart,
    ) -> None:
        self._app = app
        self._front = front
        self._services = services
        self._work = work
        self._voice = voice
        self._agents = agents

    # ---- opening -----------------------------------------------------------------------------

    def new(self, space: SpaceId) -> None:
        """A new worktree."""
        from smriti_tui.screens.dialogs.new_worktree import NewWorktreeDialog

        trees = self._services.worktrees

        def make(branch: str | None, base: str | None, path: str | None) -> Worktree:
            return trees.open(space, branch=branch, base=base, path=path)

        def then(opened: Worktree | None) -> None:
            if opened is not None:
                where = clean_line(opened.path)
                words = f"Opened a worktree on {clean_line(opened.branch)}: {where}."
                self._voice.succeed(words, cause=GROUP)

        self._front.open_screen(NewWorktreeDialog(make), then)

    def show(self, worktree: str) -> None:
        """All that is known of one."""
        look = self._agents.look(worktree)
        if look is not None:
            self._show(look)
            return
        get = self._services.worktrees.get
        self._work.run(lambda: WorktreeLook(get(worktree), None), self._show, group=GROUP)

    def _show(self, look: WorktreeLook) -> None:
        from smriti_tui.screens.dialogs.agent_text import AgentTextDialog

        tree = look.worktree
        dialog = AgentTextDialog(f"Worktree {short(tree.id)}", sections(look))
        self._front.open_screen(dialog, lambda _: None)

    # ---- in it ---------------------------------------------------------------------------------

    def outside(self) -> None:
        """A shell or the editor in the worktree under the cursor, or that of the claim there."""
        look = self._marked()
        if look is None:
            return
        programs, fault = outside_programs(os.environ)
        if fault or not programs:
            self._voice.say(fault or "Set $SHELL or $EDITOR, then press the key again.")
        elif len(programs) == 1:
            self._enter(look, next(iter(programs.values())))
        else:
            self._choose(look, programs)

    def _choose(self, look: WorktreeLook, programs: Mapping[str, Sequence[str]]) -> None:
        from smriti_tui.screens.dialogs.choice import ChoiceDialog

        ways = [(name, f"{name}: {clean_line(argv[0])}") for name, argv in programs.items()]
        words = clean_line(look.worktree.path)
        dialog = ChoiceDialog("Open the worktree in", words, ways)

        def then(name: str | None) -> None:
            if name is not None:
                self._enter(look, programs[name])

        self._front.open_screen(dialog, then)

    def _enter(self, look: WorktreeLook, argv: Sequence[str]) -> None:
        if not any(each.group == OUTSIDE and each.is_running for each in self._app.workers):
            self._app.run_worker(self._run(look, argv), group=OUTSIDE, exit_on_error=False)

    async def _run(self, look: WorktreeLook, argv: Sequence[str]) -> None:
        program = clean_line(argv[0])
        try:
            ran = await run_outside(self._app, argv, folder=Path(look.worktree.path))
        except SuspendNotSupported:
            self._voice.say("There is no terminal here that a shell could have.")
        except OSError as error:
            where = clean_line(look.worktree.path)
            self._voice.say(f"{program} did not start in {where}: {error.strerror}.")
        else:
            if ran.code < 0:
                self._voice.say(f"{program} was ended by signal {-ran.code}.")
            self._services.worktrees.probes.drop([Path(look.worktree.path)])
            self._agents.read()

    def _marked(self) -> WorktreeLook | None:
        kind, owner = self._agents.marked
        if self._front.place != "agents":
            self._voice.say(f"{self._voice.letter('5')} goes to Agents; choose one there.")
            return None
        if kind == "claim":
            claim = self._agents.claim(owner)
            if claim is None or claim.worktree is None:
                self._voice.say("This claim has no worktree.")
                return None
            owner = claim.worktree
        look = self._agents.look(owner) if kind in ("claim", "worktree") else None
        if look is None:
            self._voice.say("There is no open worktree under the cursor.")
        return look

    # ---- closing -------------------------------------------------------------------------------

    def close(self, worktree: str) -> None:
        """Closes it; only a dirty one is asked for."""
        self._close(worktree, force=False)

    def _close(self, worktree: str, *, force: bool) -> None:
        close = self._services.worktrees.close

        def then(closed: Worktree) -> None:
            branch = clean_line(closed.branch)
            self._voice.say(f"Closed the worktree; its branch {branch} stays.")

        def failed(error: SmritiError) -> None:
            if isinstance(error, Conflict) and error.code == "dirty_worktree":
                self._ask(worktree, error)
            elif isinstance(error, Conflict) and error.code == "worktree_missing":
                self._ask_missing(worktree, error)
            else:
                self._voice.fail(error, GROUP)

        self._work.run(lambda: close(worktree, force=force), then, failed, group=GROUP)

    def _ask(self, worktree: str, error: Conflict) -> None:
        look = self._agents.look(worktree)
        dirty = look.probed.dirty if look is not None and look.probed is not None else ()
        named = [f"  {clean_line(each)}" for each in dirty[:MOST_PATHS]]
        more = [f"  and {len(dirty) - MOST_PATHS} more"] if len(dirty) > MOST_PATHS else []
        words = "\n".join(
            [error.message, *named, *more, "", "What is not committed there would be lost."]
        )
        self._confirm(worktree, "Close a dirty worktree?", words, "Close it, lose the changes")

    def _ask_missing(self, worktree: str, error: Conflict) -> None:
        words = f"{error.message}\n\nClosing it records that it is gone; its branch stays."
        self._confirm(worktree, "Its folder is missing", words, "Record that it is gone")

    def _confirm(self, worktree: str, heading: str, words: str, yes: str) -> None:
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        dialog = ConfirmDialog(heading, words, yes=yes)
        self._front.open_screen(
            dialog, lambda go: self._close(worktree, force=True) if go else None
        )

    def prune(self) -> None:
        """Closes those whose folders are gone."""
        space, trees = self._agents.space, self._services.worktrees
        if space is None:
            self._voice.say("No Space is open.")
            return

        def then(closed: list[Worktree]) -> None:
            count = counted(len(closed), "worktree")
            gone = f"Closed {count} whose folders are gone; the branches stay."
            self._voice.say(gone if closed else "The folders of all worktrees are there.")

        self._work.run(lambda: trees.prune(space), then, group=GROUP)


def outside_programs(environ: Mapping[str, str]) -> tuple[dict[str, list[str]], str]:
    """The person's shell and editor as they are set, by `$SHELL`, `$VISUAL` or `$EDITOR`; or why
    there is none, in words. An editor gets the folder as its argument."""
    found: dict[str, list[str]] = {}
    try:
        shell = shlex.split(environ.get("SHELL", ""))
        visual, editor = (shlex.split(environ.get(name, "")) for name in ("VISUAL", "EDITOR"))
    except ValueError:
        return {}, "$SHELL, $VISUAL or $EDITOR holds an open quotation mark; nothing was opened."
    if shell and shutil.which(shell[0]):
        found["$SHELL"] = shell
    for name, argv in (("$VISUAL", visual), ("$EDITOR", editor)):
        if argv and shutil.which(argv[0]):
            found[name] = [*argv, "."]
            break
    if not found and (shell or visual or editor):
        missing = clean_line((shell or visual or editor)[0])
        return {}, f"{missing} was not found; $SHELL or $EDITOR names it."
    return found, ""


def sections(look: WorktreeLook) -> list[tuple[str, str]]:
    """A worktree in full: headings and texts."""
    tree, probed = look.worktree, look.probed
    facts = [
        f"worktree {tree.id}",
        f"branch {clean_line(tree.branch)}, begun at {short(tree.base)}",
        f"repository {clean_line(tree.root)}",
        f"opened {exact(tree.opened_at)}",
    ]
    if tree.closed_at:
        by = f" by {clean_line(tree.closed_by)}" if tree.closed_by else ""
        facts.append(f"closed {exact(tree.closed_at)}{by}")
    found = [(f"{clean_line(tree.agent)}: {clean_line(tree.path)}", "\n".join(facts))]
    if probed is None:
        return found if tree.closed_at else [*found, ("git", "not looked at yet")]
    if probed.fault:
        return [*found, ("git", clean_line(probed.fault))]
    now = [
        f"on {clean_line(probed.branch or 'no branch: its head is detached')}",
        drift_text(probed),
        dirty_text(probed),
        *([f"{clean_line(probed.operation)} in progress"] if probed.operation else []),
        f"last commit {short(probed.commit)}" if probed.commit else "no commit yet",
    ]
    found.append(("git", "\n".join(clean_line(each) for each in now)))
    if probed.dirty:
        found.append(("Not committed", "\n".join(map(clean_line, probed.dirty))))
    return found
