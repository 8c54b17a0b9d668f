"""What stands beside the words of an imported turn, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.imported import Detail
from smriti_tui.domain.render.markdown import fence

WORDS = {
    "reasoning": "reasoning",
    "tool_call": "tool call",
    "tool_result": "tool result",
    "attachment": "attachment",
    "artifact": "artifact",
    "note": "note",
}


def details_text(details: Sequence[Detail]) -> str:
    """Each under a heading, its text in a fence that nothing in it ends."""
    return "\n\n".join(map(_detail_text, details))


def detail_heading(detail: Detail) -> str:
    """`tool call Bash, failed`, `attachment graph.png, image/png, 105,213 bytes`."""
    parts = [" ".join(part for part in (WORDS[detail.kind], clean_line(detail.name)) if part)]
    if detail.media_type:
        parts.append(clean_line(detail.media_type))
    if detail.size_bytes is not None:
        parts.append(f"{detail.size_bytes:,} bytes{' in all' if detail.text else ''}")
    if detail.error:
        parts.append("failed")
    return ", ".join(parts)


def _detail_text(detail: Detail) -> str:
    heading = f"### {detail_heading(detail)}"
    return f"{heading}\n\n{fence(detail.text)}" if detail.text.strip() else heading
