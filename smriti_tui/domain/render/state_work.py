"""The parts of the state brief that tell of others: what came, branches, claims and worktrees."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.durations import span_words
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import MAIN
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.claims import claim_line
from smriti_tui.domain.render.markdown import bullet
from smriti_tui.domain.render.paths import with_tilde
from smriti_tui.domain.repo_drift import Recorded
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.state_view import StateView
from smriti_tui.domain.worktrees import Probed, WorktreeLook

MOST_BRANCHES = 5
MOST_CLAIMS = 10
MOST_PATHS = 3
PATH_CHARACTERS = 40


def freshness_text(view: StateView) -> str:
    """What came since the checkpoint that was named; empty where none was."""
    found = view.freshness
    if found is None:
        return ""
    since = short(found.since)
    if found.relation == "unknown":
        return f"There is no checkpoint {clean_line(found.since)} here: it is unknown."
    if found.relation == "same":
        return f"Unchanged: {since} is the head of {MAIN}."
    if found.relation == "ahead":
        return f"Unchanged: {MAIN} holds nothing that {since} does not follow."
    count = counted(len(found.newer), "newer checkpoint")
    apart = "" if found.relation == "behind" else f" {since} lies on another line than {MAIN}."
    lines = [f"Changed: {count} on {MAIN} since {since}.{apart}"]
    for each in view.newer:
        who = f"{clean_line(each.body.author)}, {age(each.body.created_at, view.now)}"
        lines.append(bullet(f"{short(each.id)} {clean_line(each.title)} ({who})"))
    if len(found.newer) > len(view.newer):
        lines.append(bullet(f"{len(found.newer) - len(view.newer)} more"))
    return "\n".join(lines)


def branches_text(view: StateView) -> list[str]:
    """A line for each active branch, the newest first, and how many are not shown."""
    lines = []
    for each in view.branches[:MOST_BRANCHES]:
        body = each.head.body
        lines.append(
            bullet(
                f"{clean_line(each.branch.name)} · {short(each.head.id)} · "
                f"{clean_line(body.author)} · {age(body.created_at, view.now)} — "
                f"{clean_line(body.title)}"
            )
        )
    return _with_more(lines, len(view.branches), MOST_BRANCHES)


def claims_text(view: StateView, home: str | None) -> list[str]:
    """An entry for each holding claim with its worktree, the newest first."""
    lines = []
    for claim in view.claims[:MOST_CLAIMS]:
        text = f"{claim_line(claim, view.now)}, {span_words(claim.left_s(view.now))} left"
        if claim.worktree:
            text += "".join(f"\n{line}" for line in _worktree(view, claim, home))
        lines.append(bullet(text))
    return _with_more(lines, len(view.claims), MOST_CLAIMS)


def drift_lines(view: StateView) -> str:
    """What of the reader's repository differs from what the Space and its head recorded; empty
    where nothing does that matters to them."""
    found = view.drift
    if found is None:
        return ""
    lines = []
    if "project_root_mismatch" in found.signals:
        lines.append(bullet(f"You are in {clean_line(found.root)}, not in the project root."))
    recorded = found.recorded
    if recorded is not None and recorded.relation != "in_sync":
        lines.append(bullet(_recorded(recorded)))
    if "checkpoint_branch_changed" in found.signals and recorded is not None:
        now = clean_line(found.probed.branch or "")
        lines.append(
            bullet(f"The head was saved on {clean_line(recorded.branch or '')}, you are on {now}.")
        )
    if "detached_head" in found.signals:
        lines.append(bullet("No branch is checked out."))
    return "\n".join(lines)


def _recorded(recorded: Recorded) -> str:
    commit = short(recorded.commit)
    words = {
        "ahead": f"{counted(recorded.ahead, 'commit')} ahead of {commit}, which the head recorded.",
        "behind": f"{counted(recorded.behind, 'commit')} behind {commit}, which the head recorded.",
        "diverged": f"Diverged from {commit}, which the head recorded: {recorded.ahead} ahead, "
        f"{recorded.behind} behind.",
        "unknown": f"The commit {commit} that the head recorded is not here.",
        "in_sync": "",
    }
    return words[recorded.relation]


def signals_text(view: StateView) -> list[str]:
    """An entry for each signal with its evidence."""
    return [
        bullet("\n".join([f"{each.certainty}: {clean_line(each.text)}", *each.evidence]))
        for each in view.signals
    ]


def _with_more(lines: list[str], count: int, most: int) -> list[str]:
    return [*lines, bullet(f"{count - most} more, not shown")] if count > most else lines


def _worktree(view: StateView, claim: Claim, home: str | None) -> Sequence[str]:
    found = view.worktree(claim)
    if found is None:
        return (f"worktree {short(claim.worktree or '')} is closed",)
    return worktree_lines(found, view.now, home)


def worktree_lines(look: WorktreeLook, now: str, home: str | None) -> Sequence[str]:
    """Its path, and below it branch, changes, drift and last commit."""
    path = clean_line(with_tilde(look.worktree.path, home))
    probed = look.probed
    if probed is None or probed.fault:
        why = clean_line(probed.fault) if probed else "not looked at"
        return (path, f"{clean_line(look.worktree.branch)} · {why}")
    commit = "no commit yet"
    if probed.commit:
        when = f", {age(probed.committed_at, now)}" if probed.committed_at else ""
        commit = f"{short(probed.commit)}{when}"
    parts = [probed.branch or "detached", dirty_text(probed), drift_text(probed), commit]
    if probed.operation:
        parts.append(f"{probed.operation} in progress")
    return (path, " · ".join(clean_line(part) for part in parts))


def dirty_text(probed: Probed) -> str:
    """`3 dirty (a, b, c)`, `5 dirty (a, b, c, +2 more)`, `0 dirty`."""
    count = len(probed.dirty)
    if not count:
        return "0 dirty"
    names = [_cut(path) for path in probed.dirty[:MOST_PATHS]]
    if count > MOST_PATHS:
        names.append(f"+{count - MOST_PATHS} more")
    return f"{count} dirty ({', '.join(names)})"


def drift_text(probed: Probed) -> str:
    """`2 ahead, 1 behind origin/main`; `n/a` where there is nothing to count against."""
    if probed.against is None or probed.ahead is None or probed.behind is None:
        return "drift n/a"
    return f"{probed.ahead} ahead, {probed.behind} behind {probed.against}"


def _cut(path: str) -> str:
    line = clean_line(path)
    return line if len(line) <= PATH_CHARACTERS else f"{line[: PATH_CHARACTERS - 1]}…"
