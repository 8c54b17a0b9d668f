"""aider's chat history: one Markdown file a project, appended for ever, many sessions in it.

aider appends whole messages, so the last one of a file is taken as whole. Its own lines end with
two spaces: where a session's first ones do, headings and quotes of a reply are told from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Final

from smriti_tui.domain.imported import ImportedTurn, Skipped, Thread, first_words
from smriti_tui.domain.values import utc_text
from smriti_tui.importers.aider_lines import HEADER, session_turns
from smriti_tui.importers.files import MAX_RECORD, SourceFile
from smriti_tui.importers.plain import decoded
from smriti_tui.importers.records import TOO_LONG, lines

_HEADER_BYTES: Final = b"# aider chat started at "


def is_history(head: str) -> bool:
    """Whether a line of a file's beginning starts a session."""
    return any(HEADER.fullmatch(line.rstrip("\r")) for line in head.split("\n"))


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """A conversation for each session, in the order of the file. Raises: SmritiError, Cancelled."""
    seen: Counter[str] = Counter()
    number = 0
    for session in _sessions(file):
        number += session.started is not None
        yield _thread(file, session, number, seen)


@dataclass
class _Session:
    """Where a session lies in its file."""

    started: str | None
    """Local time, as its first line tells it; None for what stands before the first session."""
    offset: int
    line: int
    length: int = 0
    skipped: list[Skipped] = field(default_factory=list)


def _sessions(file: SourceFile) -> Iterator[_Session]:
    """What stands before the first session is one too, if there is anything."""
    at: _Session | None = None
    for line in lines(file):
        started = None
        if line.raw is not None and line.raw.startswith(_HEADER_BYTES):
            found = HEADER.fullmatch(decoded(line.raw))
            started = found[1] if found else None
        if started is not None:
            if at is not None:
                yield at
            at = _Session(started, line.offset, line.number)
        elif at is None and (line.raw is None or line.raw.strip()):
            at = _Session(None, line.offset, line.number)
        if at is not None:
            # Of a line that is too long the length is not told; the next one's offset has it.
            at.length = line.offset - at.offset + len(line.raw or b"") + 2
            if line.raw is None:
                at.skipped.append(Skipped(f"line {line.number}", TOO_LONG))
    if at is not None:
        yield at


def _thread(
    file: SourceFile, session: _Session, number: int, seen: Counter[str]
) -> Thread | Skipped:
    where = f'session {number} "{session.started}"'
    if session.started is None:
        where = "the lines before the first session"
    count, title, models, digest = 0, "", Counter[str](), sha256()
    left_out: Counter[str] = Counter()
    for turn in session_turns(_session_lines(file, session), left_out):
        if count == 0:
            digest.update(f"{turn.role}\0{turn.text}".encode("utf-8", "surrogatepass"))
        if turn.role == "user":
            title = title or first_words(turn.text)
        if turn.model:
            models[turn.model] += 1
        count += 1
    if count == 0:
        return Skipped(where, "no turns in it")
    # Two projects may have sessions of the same second: what was asked first tells them apart.
    key = f"{session.started or 'start'} {digest.hexdigest()[:12]}"
    seen[key] += 1
    return Thread(
        tool="aider",
        source_id=key if seen[key] == 1 else f"{key} {seen[key]}",
        title=title or (session.started or ""),
        turns=partial(_turns, file, session),
        count=count,
        created_at=_utc(session.started),
        model=models.most_common(1)[0][0] if models else None,
        skipped=tuple(session.skipped),
        left_out=left_out,
    )


def _turns(file: SourceFile, session: _Session) -> Iterator[ImportedTurn]:
    return session_turns(_session_lines(file, session), Counter())


def _session_lines(file: SourceFile, session: _Session) -> Iterator[str]:
    """The lines of one session behind its first, but for those that are too long."""
    with file.open() as source:
        source.seek(session.offset)
        left = session.length
        if session.started is not None:
            left -= len(source.readline())
        while left > 0 and (raw := source.readline(MAX_RECORD + 1)):
            left -= len(raw)
            file.watch.piece(0)
            if len(raw) <= MAX_RECORD or raw.endswith(b"\n"):
                text = decoded(raw.rstrip(b"\r\n"))
                if HEADER.fullmatch(text):
                    return
                yield text
                continue
            while left > 0 and (raw := source.readline(1 << 20)):
                left -= len(raw)
                if raw.endswith(b"\n"):
                    break


def _utc(started: str | None) -> str | None:
    """The moment of a local time, by this machine's zone: the file tells none."""
    try:
        return utc_text(datetime.fromisoformat(started or "").astimezone())
    except (ValueError, OverflowError, OSError):
        return None
