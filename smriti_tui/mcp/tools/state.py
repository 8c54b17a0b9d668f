"""Where a Space is, how it is worked in, and what is found in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.render.search_text import found_document, found_text
from smriti_tui.domain.render.state import StateOptions, state_brief
from smriti_tui.domain.render.state_document import state_document
from smriti_tui.domain.render.surveys import (
    current_document,
    current_text,
    metrics_document,
    metrics_text,
)
from smriti_tui.domain.repo_drift import RepoDrift
from smriti_tui.domain.search_hit import KINDS
from smriti_tui.domain.state_view import StateView
from smriti_tui.mcp import arguments as a
from smriti_tui.mcp.answers import BUDGET, answer
from smriti_tui.mcp.fitting import fewer_lines
from smriti_tui.mcp.opening import Opening
from smriti_tui.mcp.tools.making import Group, made

DEFAULT_HITS = 20
LISTS = "`smriti_claims`, `smriti_branches` and `smriti_state` tell all."
MORE = "There is more: give another word, a space, kinds, an author, since, or a higher limit."


class StateTools(Group):
    def state(
        self,
        space: a.SpaceName,
        compact: a.Compact = False,
        preview: a.Preview = False,
        main_only: a.MainOnly = False,
        since: a.Since = "",
        stats: a.Stats = False,
        budget: a.Budget = a.MOST_TOKENS,
        folder: a.Folder = "",
    ) -> CallToolResult:
        """Read the state brief before any work: objective, decisions, assumptions, open tasks and
        who has them, branches, claims, worktrees, where they disagree. Decisions and open tasks
        are never cut."""
        key = self.services.spaces.find(space).id
        view = self.services.state.view(key, since=since or None, main_only=main_only)
        if folder and not main_only:
            view = replace(view, drift=_drift(folder, view))
        chosen = StateOptions(compact, preview, stats, budget, home=str(Path.home()))
        brief = state_brief(view, chosen)
        told = "A higher `budget` shows what was left out of the text." if brief.left_out else ""
        document = state_document(view, chosen, brief)
        return answer(document, brief.text, told, most=budget, more=BUDGET)

    def current(self, space: a.SpaceName) -> CallToolResult:
        """Show a Space at a glance: direction, attention, work, milestones, tasks, activity."""
        view = self.services.surveys.current(self.services.spaces.find(space).id)
        text, left = fewer_lines(current_text(view, str(Path.home())), a.MOST_TOKENS, "Open tasks")
        return answer(current_document(view), text, f"{left} {LISTS}" if left else "", more=LISTS)

    def metrics(self, space: a.SpaceName) -> CallToolResult:
        """Count checkpoints, agents, claims, tasks and branches of a Space."""
        named = self.services.spaces.find(space)
        found = self.services.surveys.metrics(named.id)
        return answer(metrics_document(named, found, self.now()), metrics_text(named, found))

    def search(
        self,
        text: a.SearchText,
        space: a.InSpace = "",
        kinds: a.Kinds = (),
        author: a.Author = "",
        since: a.From = "",
        until: a.Until = "",
        limit: a.Rows = DEFAULT_HITS,
    ) -> CallToolResult:
        """Find turns, checkpoints, items, artifacts, notes and names that hold all words of a
        text. Words in double quotes stand together; nothing else is syntax."""
        filters = self.services.searching.filters(
            space=self.services.spaces.find(space).id if space else None,
            kinds=[kind for name in kinds for kind in KINDS[name]],
            author=author or None,
            since=since or None,
            until=until or None,
        )
        found = self.services.searching.search(text, filters, limit)
        more = MORE if found.more else ""
        return answer(found_document(text, found), found_text(found, self.now()), more)


def _drift(folder: str, view: StateView) -> RepoDrift | None:
    """Raises: Invalid: the folder is not absolute; the server's own is nobody's."""
    from smriti_tui.services.repository import repo_drift

    if not Path(folder).is_absolute():
        raise Invalid(f"{folder!r} is not absolute.", "Give the whole path.", field="folder")
    return repo_drift(Path(folder), view.space, view.head)


def tools(opening: Opening) -> list[Tool]:
    group = StateTools(opening)
    return made("reads", group.state, group.current, group.metrics, group.search)
