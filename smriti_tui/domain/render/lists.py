"""Lists and facts of Spaces, branches and checkpoints, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Branch, CheckpointSummary, Session, Space
from smriti_tui.domain.render.ages import age, exact
from smriti_tui.domain.render.tables import pairs, table
from smriti_tui.domain.state_text import counted


def space_facts(space: Space) -> str:
    return pairs(
        [
            ("Space", space.name),
            ("Id", space.id),
            ("About", space.description or "-"),
            ("Project root", space.project_root or "none"),
            ("Archived", "yes" if space.archived else "no"),
            ("Checkpoints", str(space.checkpoints)),
            ("Sessions", str(space.sessions)),
            ("Changed", exact(space.changed_at)),
        ]
    )


def whole_space_text(space: Space, branches: Sequence[Branch]) -> str:
    """A Space with its branches."""
    return f"{space_facts(space)}\n\n{branch_table(branches)}"


def space_table(spaces: Sequence[Space], now: str) -> str:
    """`now` is UTC text, for the ages. What is archived says so behind its name."""
    if not spaces:
        return "No Spaces yet. `smriti space create NAME` makes one."
    rows = [
        (
            short(space.id),
            f"{space.name} (archived)" if space.archived else space.name,
            str(space.checkpoints),
            str(space.sessions),
            age(space.changed_at, now),
            space.project_root or "-",
        )
        for space in spaces
    ]
    head = ("id", "name", "checkpoints", "sessions", "changed", "project root")
    return table(head, rows, right=(2, 3))


def session_table(sessions: Sequence[Session], now: str) -> str:
    """`now` is UTC text, for the ages. What is pinned or archived says so behind its title."""
    if not sessions:
        return "No sessions. `smriti session new` opens one."
    rows = [
        (
            short(each.id),
            " ".join([each.label, *_marks(each)]),
            each.branch_name or "-",
            str(each.last_seq),
            each.model or "-",
            age(each.changed_at, now),
        )
        for each in sessions
    ]
    return table(("id", "title", "branch", "turns", "model", "changed"), rows, right=(3,))


def _marks(session: Session) -> list[str]:
    marks = (("(pinned)", session.pinned), ("(archived)", session.archived))
    return [word for word, there in marks if there]


def hidden_line(count: int, noun: str) -> str:
    """The line below a list that tells what it leaves out, empty for nothing."""
    if not count:
        return ""
    verb = "is" if count == 1 else "are"
    return f"{counted(count, f'archived {noun}')} {verb} not shown; --all lists them."


def listed(table_text: str, shown: int, hidden: str) -> str:
    """A list of `shown` rows, and below it what it leaves out."""
    if not hidden:
        return table_text
    return f"{table_text}\n\n{hidden}" if shown else hidden


def branch_table(branches: Sequence[Branch]) -> str:
    rows = [
        (
            branch.name,
            branch.disposition,
            short(branch.head) if branch.head else "-",
            short(branch.start) if branch.start else "-",
        )
        for branch in branches
    ]
    return table(("branch", "disposition", "head", "starts at"), rows)


def checkpoint_table(summaries: Sequence[CheckpointSummary], now: str) -> str:
    """`now` is UTC text, for the ages."""
    if not summaries:
        return "No checkpoints."
    rows = [
        (
            short(row.id),
            row.title,
            row.branch_name,
            row.author,
            age(row.created_at, now),
            str(row.decisions),
            str(row.open_tasks),
            str(row.open_questions),
        )
        for row in summaries
    ]
    head = ("id", "title", "branch", "author", "saved", "decisions", "open tasks", "questions")
    return table(head, rows, right=(5, 6, 7))
