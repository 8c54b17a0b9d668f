"""Where an item comes from, as text and document."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.blame import Trace
from smriti_tui.domain.clean import clean
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.markdown import bullet, indented
from smriti_tui.domain.render.retired import retired_words

WORDS = {
    "appeared": "first stands in",
    "changed": "was changed in",
    "merged": "was brought by the merge",
    "retired": "was retired in",
}


def trace_document(trace: Trace) -> Document:
    body = trace.checkpoint.body
    return {
        "what": trace.what,
        "checkpoint": trace.checkpoint.id,
        "branch": trace.checkpoint.branch_name,
        "author": body.author,
        "created_at": body.created_at,
        "source": to_json(trace.checkpoint.source),
        "changes": list(trace.changes),
        "item": to_json(trace.item),
        "before": to_json(trace.before),
    }


def traces_text(traces: Sequence[Trace]) -> str:
    """Newest first, a bullet for each, and below it what was said before."""
    lines = []
    for trace in traces:
        body = trace.checkpoint.body
        where = f"{WORDS[trace.what]} {short(trace.checkpoint.id)} {body.title}"
        lines.append(bullet(f"{where}, by {body.author}, {exact(body.created_at)}"))
        lines.append(f"  - {indented(trace.item.text)}")
        if trace.before is not None and "text" in trace.changes:
            lines.append(f"  - before: {indented(trace.before.text)}")
        if trace.what == "retired":
            lines.append(f"  - {retired_words(trace.item)}")
        other = [name for name in trace.changes if name != "text"]
        lines += [f"  - changed: {', '.join(other)}"] if other else []
        source = trace.checkpoint.source
        if trace.what == "appeared" and source and source.first is not None:
            turns = f"turns {source.first} to {source.last} of session {short(source.session)}"
            lines.append(f"  - made from {turns}")
    return clean("\n".join(lines))
