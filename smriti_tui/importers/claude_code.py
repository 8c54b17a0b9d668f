"""Sessions of Claude Code: one file of JSON lines each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from smriti_tui.domain.imported import ImportedTurn, SideBranch, Skipped, Thread
from smriti_tui.importers.claude_code_log import KINDS, Log, read_log
from smriti_tui.importers.claude_code_turns import TurnReader
from smriti_tui.importers.files import SourceFile
from smriti_tui.importers.values import made_id, most_common, text_in, title_of

MAX_BRANCHES: Final = 200
"""Of one session; each takes a look at its lines."""


def is_line(value: dict[str, object]) -> bool:
    """Whether a JSON object is a line of such a file."""
    kind = text_in(value, "type")
    told = isinstance(value.get("sessionId"), str) or isinstance(value.get("uuid"), str)
    return bool(kind) and told and (kind in KINDS or "sessionId" in value)


def threads(file: SourceFile) -> Iterator[Thread | Skipped]:
    """The session of a file. Raises: SmritiError, Cancelled."""
    log = read_log(file)
    end = log.active()
    if end is None:
        yield from log.skipped
        what = f"a sub-agent's work, {log.side:,} lines" if log.side else "no messages in it"
        yield Skipped(f"session {log.session or file.name}", what)
        return
    reader = TurnReader(file, log, keep=False)
    models: list[str | None] = []
    first: list[ImportedTurn] = []
    count = 0
    for turn in reader.read(log.path(end)):
        count += 1
        models.append(turn.model)
        if not first and turn.role == "user":
            first.append(turn)
    if not count:
        yield from log.skipped
        yield Skipped(f"session {log.session or file.name}", "no messages in it")
        return
    left_out = {**log.left_out, **reader.counted}
    if log.side:
        left_out["lines of sub-agents"] = log.side
    dates = sorted(node.said_at for node in log.nodes.values() if node.said_at)
    yield Thread(
        tool="claude-code",
        source_id=log.session or made_id(next(iter(log.nodes))),
        title=title_of(_named(log), first),
        turns=partial(_again, file, end),
        count=count,
        created_at=dates[0] if dates else None,
        updated_at=dates[-1] if dates else None,
        project=log.project or None,
        model=most_common(models),
        branches=tuple(_branches(file, log, end)),
        skipped=tuple(log.skipped),
        left_out=left_out,
        notes=tuple(log.notes[:20]),
        forked_from=log.forked_from,
        wide_ids=True,
    )


def _again(file: SourceFile, end: str) -> Iterator[ImportedTurn]:
    log = read_log(file)
    yield from TurnReader(file, log).read(log.path(end))


def _named(log: Log) -> str:
    for kind in ("custom-title", "ai-title"):
        if log.titles.get(kind):
            return log.titles[kind]
    for leaf, said in reversed(log.summaries):
        if leaf in log.nodes and said:
            return said
    return ""


def _branches(file: SourceFile, log: Log, end: str) -> Iterator[SideBranch]:
    """Lines that a rewind or an edit left behind."""
    on_line = set(log.path(end))
    shown = {reply for name in on_line if (reply := log.nodes[name].reply)}
    others = (name for name in log.ends() if name not in on_line)
    for leaf in islice(others, MAX_BRANCHES):
        apart = (name for name in log.path(leaf) if name not in on_line)
        path = [name for name in apart if log.nodes[name].reply not in shown]
        own = sum(1 for _ in TurnReader(file, log, keep=False).read(path))
        if own:
            yield SideBranch(leaf, partial(_again, file, leaf), own)
