"""Rows and words of the import screen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from smriti_tui.domain.import_report import LeftOut, Report, Seen, SeenSpace, Taken
from smriti_tui.domain.imported import Thread
from smriti_tui.domain.render.import_text import STATES, report_text, said
from smriti_tui.domain.state_text import counted
from smriti_tui.services.import_places import HistoryPlace
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.row_list import Piece, Row, RowLine

MOST_TOLD = 200
"""Left-out pieces that are named."""


def key_of(thread: Thread) -> str:
    """The key of a conversation's row."""
    return f"{thread.tool}\0{thread.source_id}"


def place_rows(places: Sequence[HistoryPlace]) -> list[Row]:
    """Where histories lie on this machine."""
    return [
        Row(
            str(each.path),
            (RowLine((Piece(each.label, "strong"),)), RowLine((Piece(f"  {each.path}", "muted"),))),
        )
        for each in places
    ]


def seen_rows(seen: Sequence[Seen], chosen: Collection[str]) -> list[Row]:
    """One line each: mark, title, state, turns."""
    return [_seen_row(each, key_of(each.thread) in chosen) for each in seen]


def _seen_row(seen: Seen, is_chosen: bool) -> Row:
    thread = seen.thread
    mark = "[x] " if is_chosen else "[ ] "
    tone = "plain" if seen.new else "muted"
    pieces = [Piece(mark, "accent" if is_chosen else "muted"), Piece(thread.title or "-", tone)]
    if seen.secrets:
        pieces.append(Piece("  secret?", "hit"))
    state = STATES[seen.kind] if seen.kind != "new" else ""
    day = (thread.updated_at or thread.created_at or "")[:10]
    right = "  ".join(part for part in (state, f"{seen.new:,}/{thread.count:,}", day) if part)
    return Row(key_of(thread), (RowLine(tuple(pieces), right),))


def taken_rows(taken: Sequence[Taken]) -> list[Row]:
    """What came in: those with a session can be opened."""
    return [
        Row(
            f"{place}",
            (
                RowLine(
                    (Piece(each.thread.title or "-", "plain" if each.turns else "muted"),),
                    f"{STATES[each.kind]}  {each.turns:,}",
                ),
            ),
        )
        for place, each in enumerate(taken)
    ]


def seen_sections(seen: Seen) -> list[Section]:
    """A conversation as it would come in."""
    thread = seen.thread
    facts = [
        ("From", f"{thread.tool}, {seen.file}"),
        ("When", " to ".join(t[:16].replace("T", " ") for t in _times(thread))),
        ("Model", thread.model or ""),
        ("Folder", thread.project or ""),
        ("Turns", f"{thread.count:,}, {seen.new:,} of them new"),
        ("Side lines", f"{len(thread.branches):,}" if thread.branches else ""),
        ("Secrets", f"{seen.secrets:,} turns look as if they held one" if seen.secrets else ""),
    ]
    known = [f"{label:<11}{value}" for label, value in facts if value]
    sections = [Section("", "\n".join(known))]
    notes = [*thread.notes, *(f"{each.where}: {each.reason}" for each in thread.skipped)]
    notes += [f"{amount:,} {what}: counted, not kept" for what, amount in thread.left_out.items()]
    if notes:
        sections.append(Section("To know", "\n".join(notes[:MOST_TOLD])))
    for turn in seen.opening:
        beside = f"  ({counted(len(turn.details), 'detail')})" if turn.details else ""
        sections.append(Section(f"{turn.role}{beside}", turn.text))
    if seen.new > len(seen.opening):
        sections.append(Section("", f"… {seen.new - len(seen.opening):,} more"))
    return sections


def _times(thread: Thread) -> Iterator[str]:
    for each in dict.fromkeys((thread.created_at, thread.updated_at)):
        if each:
            yield each


def found_sections(spaces: Sequence[SeenSpace], left: Sequence[LeftOut]) -> list[Section]:
    """What was found beside conversations."""
    sections = []
    if spaces:
        words = (f"{each.name}: {counted(each.checkpoints, 'checkpoint')}" for each in spaces)
        sections.append(Section("Spaces of the original Smriti", "\n".join(words)))
    if left:
        sections.append(Section("Left out", "\n".join(said(each) for each in left[:MOST_TOLD])))
    return sections


def report_sections(report: Report) -> list[Section]:
    """What an import did."""
    stopped = "Stopped: what came in stays, the next import goes on.\n" if report.cancelled else ""
    sections = [Section("", stopped + report_text(report, flags=False))]
    left = [said(each) for each in (*report.skipped, *report.notes, *report.passed_over)]
    if left:
        sections.append(Section("Left out, and to know", "\n".join(left[:MOST_TOLD])))
    return sections
