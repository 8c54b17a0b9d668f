"""Claims as text and document."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.claims import Claim, Overlap
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.durations import span_words
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.tables import table


def claim_document(claim: Claim, now: str) -> Document:
    """`state` is what the claim is at `now` (UTC text); `status` is what was recorded."""
    return {
        "id": claim.id,
        "space": claim.space,
        "agent": claim.agent,
        "scope": claim.scope,
        "intent": claim.intent,
        "task_id": claim.task_id,
        "branch": claim.branch_name,
        "branch_id": claim.branch,
        "base": claim.base,
        "worktree": claim.worktree,
        "token": claim.token,
        "status": claim.status,
        "state": claim.state(now),
        "claimed_at": claim.taken_at,
        "expires_at": claim.expires_at,
        "ended_at": claim.ended_at,
        "ended_by": claim.ended_by,
    }


def overlap_document(overlap: Overlap) -> Document:
    return {
        "kind": overlap.kind,
        "why": overlap.why,
        "claims": [overlap.one.id, overlap.other.id],
        "agents": [overlap.one.agent, overlap.other.agent],
    }


def taken_document(claim: Claim, overlaps: Sequence[Overlap], now: str) -> Document:
    return {**claim_document(claim, now), "overlaps": list(map(overlap_document, overlaps))}


def claims_document(
    claims: Sequence[Claim], overlaps: Sequence[Overlap], space: str, now: str
) -> Document:
    return {
        "space": space,
        "claims": [claim_document(each, now) for each in claims],
        "overlaps": list(map(overlap_document, overlaps)),
    }


def claim_line(claim: Claim, now: str) -> str:
    """`codex [implement] on main at 9b2f77d, 2 hours ago: load test (task: load-1)`."""
    base = short(claim.base) if claim.base else "?"
    task = f" (task: {clean_line(claim.task_id)})" if claim.task_id else ""
    return (
        f"{clean_line(claim.agent)} [{claim.intent}] on {clean_line(claim.branch_name)} at {base}, "
        f"{age(claim.taken_at, now)}: {clean_line(claim.scope)}{task}"
    )


def overlap_line(overlap: Overlap) -> str:
    """`codex (1a2b3c4) and claude (5d6e7f8): both are on task load-1`."""
    names = " and ".join(
        f"{clean_line(each.agent)} ({short(each.id)})" for each in (overlap.one, overlap.other)
    )
    return f"{names}: {clean_line(overlap.why)}"


def claim_table(claims: Sequence[Claim], overlaps: Sequence[Overlap], now: str) -> str:
    """One row each, and below them which get into each other's way."""
    if not claims:
        return "No active claims. `smriti claim create --scope TEXT` makes one."
    rows = [
        (
            short(each.id),
            each.agent,
            each.intent,
            each.branch_name,
            each.task_id or "-",
            _state(each, now),
            each.scope,
        )
        for each in claims
    ]
    head = ("id", "agent", "intent", "branch", "task", "left", "scope")
    lines = [table(head, rows)]
    lines += [f"overlap: {overlap_line(each)}" for each in overlaps]
    return "\n".join(lines)


def taken_text(claim: Claim, overlaps: Sequence[Overlap], now: str, verb: str = "Claimed") -> str:
    lines = [
        f"{verb} {short(claim.id)}: {claim_line(claim, now)}",
        f"Holds {span_words(claim.left_s(now))}; nobody is kept from working on it.",
    ]
    lines += [f"overlap: {overlap_line(each)}" for each in overlaps]
    return "\n".join(lines)


def _state(claim: Claim, now: str) -> str:
    state = claim.state(now)
    return span_words(claim.left_s(now)) if state == "active" else state
