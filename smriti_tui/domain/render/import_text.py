"""What an import finds and did, as text and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.import_report import LeftOut, PlaceKind, Report, Seen, SeenSpace, Taken
from smriti_tui.domain.imported import Thread
from smriti_tui.domain.state_text import counted

Document = dict[str, object]
STATES: Mapping[PlaceKind, str] = {
    "new": "new",
    "grown": "goes on",
    "forked": "fork",
    "known": "known",
    "deleted": "deleted here",
}

ADDED: Mapping[PlaceKind, str] = {
    "new": "new",
    "grown": "gone on with",
    "forked": "as forks",
}


def preview_document(
    seen: Sequence[Seen], spaces: Sequence[SeenSpace], left: Sequence[LeftOut]
) -> Document:
    """What an import would find; keys are those of the report where they mean the same."""
    return {
        "dry_run": True,
        "conversations": [
            {**_thread(each.file, each.thread), "state": each.kind, "new_turns": each.new,
             "likely_secrets": each.secrets, "branches": len(each.thread.branches)}
            for each in seen
        ],
        "spaces": [
            {"file": each.file, "name": each.name, "checkpoints": each.checkpoints}
            for each in spaces
        ],
        "skipped": [_left(each) for each in (*_of_threads(seen), *left)],
    }  # fmt: skip


def preview_text(seen: Sequence[Seen], spaces: Sequence[SeenSpace], left: Sequence[LeftOut]) -> str:
    """A line for each conversation, and what must be known before."""
    lines = [
        f"Space {clean_line(each.name)!r} with {counted(each.checkpoints, 'checkpoint')}"
        for each in spaces
    ]
    lines += [
        f"{STATES[each.kind]:<12} {each.new:>6,} of {each.thread.count:>6,} turns  "
        f"{(each.thread.updated_at or each.thread.created_at or '')[:10]:<10}  "
        f"{clean_line(each.thread.title)}"
        for each in seen
    ]
    new = sum(each.new for each in seen)
    conversations = counted(len(seen), "conversation")
    lines.append(f"{conversations}, {counted(new, 'new turn')}; nothing was written.")
    secrets = sum(each.secrets for each in seen)
    if secrets:
        lines.append(
            f"{counted(secrets, 'turn')} may hold a secret, itself or in what tools gave back: "
            "look at it before you import."
        )
    out = [*_of_threads(seen), *left]
    if out:
        lines.append(f"Left out: {counted(len(out), 'piece')}.")
        lines += [f"  {said(each)}" for each in out]
    return "\n".join(lines)


def report_document(report: Report, space: str | None) -> Document:
    """What an import did, every key always there."""
    return {
        "dry_run": False,
        "space": space,
        "conversations": [_taken(each) for each in report.taken],
        "turns": report.turns,
        "counts": {kind: report.count(kind) for kind in STATES},
        "branches_left": report.branches,
        "skipped": [_left(each) for each in report.skipped],
        "counted": dict(sorted(report.counted.items())),
        "notes": [_left(each) for each in report.notes],
        "passed_over": [_left(each) for each in report.passed_over],
        "spaces": list(report.spaces),
        "checkpoints": report.checkpoints,
        "known_checkpoints": report.known_checkpoints,
        "claims": report.claims,
        "cancelled": report.cancelled,
    }


def report_text(report: Report, *, flags: bool = True) -> str:
    """A few lines: how many of what; with `flags` also how the command line takes the rest."""
    added = report.count("new", "grown", "forked")
    parts = [f"Imported {counted(report.turns, 'turn')} of {counted(added, 'conversation')}"]
    told = [f"{report.count(kind):,} {word}" for kind, word in ADDED.items() if report.count(kind)]
    parts += [f" ({', '.join(told)})" if told else "", "."]
    if report.checkpoints or report.claims:
        came = f"{counted(report.checkpoints, 'checkpoint')} and {counted(report.claims, 'claim')}"
        parts.append(f" {came} of {counted(len(report.spaces), 'Space')}.")
    if known := report.count("known"):
        parts.append(f" {known:,} known already.")
    if gone := report.count("deleted"):
        again = " (--deleted takes them again)" if flags else ""
        parts.append(f" {gone:,} deleted here, left out{again}.")
    if report.branches:
        sides = " (--branches)" if flags else ""
        parts.append(f" {counted(report.branches, 'side line')} left there{sides}.")
    lines = ["".join(parts)]
    if report.counted:
        left = ", ".join(f"{amount:,} {name}" for name, amount in sorted(report.counted.items()))
        lines.append(f"Counted, not kept: {left}.")
    if report.skipped:
        lines.append(f"Left out: {counted(len(report.skipped), 'piece')}.")
    if report.passed_over:
        lines.append(f"Passed over: {counted(len(report.passed_over), 'file')} of other kinds.")
    return "\n".join(lines)


def warnings_of(report: Report, most: int) -> Iterator[str]:
    """What went otherwise than hoped, a line each; `most` of them."""
    told = [said(each) for each in (*report.skipped, *report.notes)]
    told += [
        f"{each.file}, {each.thread.title!r}: turn {number} has another text there by now; "
        "here it stays"
        for each in report.taken
        for number in each.changed
    ]
    told += [f"{each.file}, {each.thread.title!r}: {each.why}" for each in report.taken if each.why]
    yield from told[:most]
    if len(told) > most:
        yield f"and {len(told) - most:,} more; --json has all"


def said(left: LeftOut) -> str:
    """`notes.jsonl, line 6: no JSON`."""
    return f"{left.file}, {left.skipped.where}: {left.skipped.reason}"


def _of_threads(seen: Sequence[Seen]) -> Iterator[LeftOut]:
    for each in seen:
        yield from (LeftOut(each.file, skipped) for skipped in each.thread.skipped)


def _thread(file: str, thread: Thread) -> Document:
    return {
        "tool": thread.tool,
        "source_id": thread.source_id,
        "title": thread.title,
        "file": file,
        "created_at": thread.created_at,
        "updated_at": thread.updated_at,
        "project": thread.project,
        "model": thread.model,
        "turns": thread.count,
    }


def _taken(taken: Taken) -> Document:
    return {
        **_thread(taken.file, taken.thread),
        "state": taken.kind,
        "session": taken.session,
        "new_turns": taken.turns,
        "branch": taken.branch,
        "changed": list(taken.changed),
        "stopped": taken.why or None,
    }


def _left(left: LeftOut) -> Document:
    return {"file": left.file, "where": left.skipped.where, "reason": left.skipped.reason}
