"""Worktrees as a table and as facts."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.ages import age, exact
from smriti_tui.domain.render.paths import with_tilde
from smriti_tui.domain.render.state_work import dirty_text, drift_text
from smriti_tui.domain.render.tables import pairs, table
from smriti_tui.domain.worktrees import Probed, WorktreeLook

UNKNOWN = "—"


def worktree_table(looks: Sequence[WorktreeLook], now: str, home: str | None) -> str:
    """`AHEAD` is `+n`, `-n` behind, both where both are so, `0` where neither."""
    if not looks:
        return "No worktrees. `smriti worktree open` makes one."
    rows = []
    for look in looks:
        tree, probed = look.worktree, look.probed
        known = probed if probed is not None and not probed.fault else None
        rows.append(
            (
                short(tree.id),
                tree.agent,
                (known.branch or "detached") if known else tree.branch,
                str(len(known.dirty)) if known else UNKNOWN,
                ahead_sign(known),
                _state(look, now),
                with_tilde(tree.path, home),
            )
        )
    head = ("id", "agent", "branch", "dirty", "ahead", "state", "path")
    return table(head, rows, right=(3, 4))


def ahead_sign(probed: Probed | None) -> str:
    if probed is None or probed.ahead is None or probed.behind is None:
        return UNKNOWN
    parts = [f"+{probed.ahead}"] if probed.ahead else []
    parts += [f"-{probed.behind}"] if probed.behind else []
    return " ".join(parts) or "0"


def _state(look: WorktreeLook, now: str) -> str:
    tree, probed = look.worktree, look.probed
    if tree.status == "closed":
        return f"closed {age(tree.closed_at, now)}" if tree.closed_at else "closed"
    if probed is None:
        return "active"
    return probed.fault or (f"{probed.operation} in progress" if probed.operation else "active")


def worktree_facts(look: WorktreeLook, now: str) -> str:
    tree, probed = look.worktree, look.probed
    rows = [
        ("Worktree", tree.id),
        ("Agent", tree.agent),
        ("Path", tree.path),
        ("Project root", tree.root),
        ("Opened on", tree.branch),
        ("From commit", tree.base),
        ("State", _state(look, now)),
        ("Opened", exact(tree.opened_at)),
    ]
    if tree.closed_at:
        rows.append(("Closed", f"{exact(tree.closed_at)} by {clean_line(tree.closed_by or '')}"))
    if probed is not None and not probed.fault:
        commit = f"{short(probed.commit)}" if probed.commit else "none yet"
        when = f", {age(probed.committed_at, now)}" if probed.committed_at else ""
        rows += [
            ("Branch now", probed.branch or "detached"),
            ("Changes", dirty_text(probed)),
            ("Drift", drift_text(probed)),
            ("Last commit", f"{commit}{when}"),
        ]
    return pairs([(name, clean_line(text)) for name, text in rows])
