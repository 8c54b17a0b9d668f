"""`smriti log verify`, `anchor` and `rebuild`: what the log proves, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from smriti_tui.cli import options
from smriti_tui.cli.diagnostics import Ended
from smriti_tui.cli.inputs import STDIN, read_file, read_stdin
from smriti_tui.cli.run import Run
from smriti_tui.domain.anchors import anchor_text, parse_anchors, trailer
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.state_text import counted

if TYPE_CHECKING:
    from smriti_tui.services.logs import Proved

PROVES = ("links", "content", "tables")
SHOWN = 20
"""Positions that are named."""


@click.command(cls=options.Command, example="smriti log verify --anchor anchor.txt")
@click.option(
    "--anchor", "source", metavar="FILE|-", help="Also check what an anchor saw; or lines of git."
)
@click.pass_obj
def verify(run: Run, source: str | None) -> None:
    """Prove chains, contents and tables; exit 1 with the first difference.

    That nobody wrote the whole log anew is proved only against an anchor that is kept elsewhere.
    """
    anchors = []
    if source is not None:
        anchors = parse_anchors(read_stdin() if source == STDIN else read_file(source))
    with run.services() as services:
        found = services.log.verify(anchors)
    document = _verified(found)
    if found.difference is not None:
        raise Ended(
            SmritiError(
                f"The log does not verify: {found.difference.what} ({found.difference.where}).",
                "If only tables differ, `smriti log rebuild` mends them; else restore a backup.",
                code="difference",
                details=to_json(found.difference),
            ),
            document,
        )
    run.out.result(document, lambda: _verified_text(found))


def _verified(found: Proved) -> dict[str, object]:
    return {
        "ok": found.difference is None,
        "events": found.log.events,
        "streams": found.log.streams,
        "rows": found.log.rows,
        "unknown": dict(found.log.unknown),
        "redacted": len(found.log.redacted),
        "redacted_events": list(found.log.redacted),
        "whole_events": list(found.log.whole),
        "proves": list(PROVES),
        "self_attested": not found.anchored,
        "anchors": [
            {
                "store": each.anchor.store,
                "position": each.anchor.position,
                "sha256": each.anchor.digest,
                "events_since": each.since,
            }
            for each in found.anchored
        ],
        "difference": to_json(found.difference),
    }


def _listed(positions: Sequence[int]) -> str:
    more = f" and {len(positions) - SHOWN} more" if len(positions) > SHOWN else ""
    return f"{', '.join(map(str, positions[:SHOWN]))}{more}"


def _verified_text(found: Proved) -> str:
    log = found.log
    lines = [
        f"Verified: {counted(log.events, 'event')} in {counted(log.streams, 'stream')}, "
        f"{counted(log.rows, 'row')} as the log says.",
        "Proved: the links of each stream, the content of each event, the tables.",
    ]
    for each in found.anchored:
        lines.append(
            f"Anchored: as it was at event {each.anchor.position}; "
            f"{counted(each.since, 'event')} since."
        )
    if not found.anchored:
        lines.append("Self-attested: nothing outside vouches for it (`smriti log anchor -h`).")
    if log.redacted:
        lines.append(
            f"Redacted: {counted(len(log.redacted), 'event')}, of which the log says what is left "
            f"(`event.redacted`): {_listed(log.redacted)}."
        )
    if log.whole:
        lines.append(
            f"Redacted in another store, and whole here: {_listed(log.whole)} "
            "(`smriti redact --event POSITION`)."
        )
    if log.unknown:
        kinds = ", ".join(f"{name} ({count})" for name, count in sorted(log.unknown.items()))
        lines.append(f"Of types that this version does not know: {kinds}.")
    return "\n".join(lines)


@click.command(cls=options.Command, example='git commit --trailer "$(smriti log anchor)"')
@click.argument("file", required=False)
@click.pass_obj
def anchor(run: Run, file: str | None) -> None:
    """Print a line for a commit message that says what the log is now, or write all heads to FILE.

    Kept where the database is not, it proves later that nothing of before was rewritten or cut:
    `smriti log verify --anchor FILE`, or `git log | smriti log verify --anchor -`.
    """
    with run.services() as services:
        found = services.log.anchor()
    document = {
        "store": found.store,
        "position": found.position,
        "sha256": found.digest,
        "heads": {name: list(head) for name, head in sorted((found.heads or {}).items())},
        "path": file,
    }
    if file is None:
        run.out.result(document, trailer(found))
        return
    from smriti_tui.services.export_files import write_file

    write_file(Path(file).expanduser(), [anchor_text(found)])
    streams = counted(len(found.heads or {}), "stream")
    run.out.result(document, f"Wrote {file}: {streams} as of event {found.position}.")


@click.command(cls=options.Command, example="smriti log rebuild")
@click.pass_obj
def rebuild(run: Run) -> None:
    """Make the tables anew from the log; they stay as they are when the log is damaged."""
    with run.services() as services:
        done = services.log.rebuild()
    document = {"events": done.events, "rows": done.rows}
    text = f"Rebuilt {counted(done.rows, 'row')} from {counted(done.events, 'event')}."
    run.out.result(document, text)
