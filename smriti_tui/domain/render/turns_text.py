"""A session's turns as Markdown, every one with its number, line and state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.imported import Detail
from smriti_tui.domain.model import Cost, Turn, Usage
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.detail_text import details_text
from smriti_tui.domain.state_text import counted


def turns_text(turns: Sequence[Turn], details: Mapping[int, Sequence[Detail]] | None = None) -> str:
    """All turns in full, in the order given; cleaned, without a line feed at the end. `details` are
    by the numbers of the turns that they stand beside."""
    beside = details or {}
    texts = (turn_text(turn, beside.get(turn.sequence_number, ())) for turn in turns)
    return "\n\n".join(texts) if turns else "No turns."


def turn_text(turn: Turn, details: Sequence[Detail] = ()) -> str:
    """One turn: a heading, then what was typed or received, then what stands beside it."""
    blocks = [f"## {turn_heading(turn)}"]
    if turn.text.strip():
        blocks.append(turn.text.strip("\n"))
    if turn.error is not None:
        blocks.append(f"({turn.status}: {clean_line(turn.error.message)})")
    elif not turn.text.strip():
        blocks.append("(no text yet)" if turn.status == "running" else "(no text)")
    elif (why := not_whole(turn)) is not None:
        blocks.append(f"(not whole: {why})")
    if details:
        blocks.append(details_text(details))
    return clean("\n\n".join(blocks))


_NOT_WHOLE = {
    "length": "it reached the limit of tokens for one answer (reply_tokens)",
    "content_filter": "the provider's content filter ended it",
}


def not_whole(turn: Turn) -> str | None:
    """Why an answer that ended in good order is not all there was to say; None where it is."""
    return _NOT_WHOLE.get(turn.finish or "") if turn.status == "complete" else None


def turn_heading(turn: Turn) -> str:
    """`4 assistant, line 1, answers 3, complete, demo/scripted, 2026-03-02 14:05:09 UTC`."""
    parts = [f"{turn.sequence_number} {turn.role}", f"line {turn.line}"]
    if turn.question is not None:
        parts.append(f"answers {turn.question}")
        parts.append(turn.status)
    if turn.model:
        parts.append(clean_line(turn.model))
    if turn.usage is not None:
        parts.append(usage_text(turn.usage, turn.cost))
    if turn.copied_from is not None:
        parts.append(f"copy of turn {turn.copied_from.sequence_number}")
    if turn.details:
        parts.append(counted(turn.details, "detail"))
    parts.append(exact(turn.said_at or turn.recorded_at))
    return ", ".join(parts)


def usage_text(usage: Usage | None, cost: Cost | None) -> str:
    """`120 + 48 tokens, $0.0012 (library)`; what nobody told is unknown, not 0."""
    if usage is None:
        return "tokens unknown"
    text = f"{usage.input_tokens} + {usage.output_tokens} tokens"
    return f"{text}, ${cost.usd} ({cost.source})" if cost else text
