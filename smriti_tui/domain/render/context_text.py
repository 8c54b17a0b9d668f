"""The text twin of the context inspector: what a model is or was told, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.context import context_sha256
from smriti_tui.domain.events import Estimate, LeftOut, Limit, Segment
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId, short
from smriti_tui.domain.model import Message, Usage
from smriti_tui.domain.render.markdown import fence
from smriti_tui.domain.render.tables import table
from smriti_tui.domain.state_text import counted


@dataclass(frozen=True)
class ShownContext:
    """A context that is about to be sent, or one that was stored before it was sent."""

    session: SessionId
    line: int | None
    model: str
    messages: tuple[Message, ...]
    segments: tuple[Segment, ...]
    left_out: tuple[LeftOut, ...]
    limit: Limit
    estimate: Estimate
    template: str
    sha256: str
    """Of `messages`."""
    anchors: tuple[CheckpointId, ...] = ()
    scope: int = 1
    mode: str | None = None
    """Only of the next send."""
    answer: int | None = None
    """Number of the answer; None for the next send."""
    request: RequestId | None = None
    params: Mapping[str, object] | None = None
    stored_sha256: str | None = None
    position: int | None = None
    """Of the event that stored the request."""
    recorded_at: str | None = None
    usage: Usage | None = None
    """What the provider reported."""

    @property
    def verified(self) -> bool | None:
        """Whether the rebuilt messages are those that were stored; None before a send."""
        return None if self.stored_sha256 is None else self.stored_sha256 == self.sha256


@dataclass(frozen=True)
class Part:
    """One row of the inspector."""

    what: str
    origin: str
    tokens: int
    sha256: str


def parts(shown: ShownContext) -> list[Part]:
    """The parts in the order they are sent."""
    turns = [message for message in shown.messages if message.role != "system"]
    found: list[Part] = []
    at = 0
    for segment in shown.segments:
        if segment.kind == "text":
            origin = short(segment.checkpoint) if segment.checkpoint else shown.template
            found.append(Part(segment.what, origin, segment.tokens, segment.sha256 or ""))
            at += segment.role != "system"
            continue
        first, last = segment.first or 0, segment.last or 0
        own = turns[at : at + last - first + 1]
        at += last - first + 1
        words = _range("turn", first, last)
        found.append(Part(words, short(shown.session), segment.tokens, context_sha256(own)))
    return found


def context_text(shown: ShownContext) -> str:
    """Title, parts, what is left out and why, how sure this is, then the messages word for
    word."""
    blocks = [f"# {_title(shown)}", _facts(shown), "## Parts", _parts_table(shown), "## Left out"]
    blocks.append("\n".join(f"- {left_out_text(left)}" for left in shown.left_out) or "Nothing.")
    blocks += ["## How sure is this", _proof(shown), "## Messages"]
    for number, message in enumerate(shown.messages, 1):
        blocks += [f"### {number} {message.role}", fence(message.content)]
    return clean("\n\n".join(blocks))


def _title(shown: ShownContext) -> str:
    if shown.answer is None:
        return f"Context of the next send in session {short(shown.session)}"
    return f"Context of answer {shown.answer} of session {short(shown.session)}"


def _facts(shown: ShownContext) -> str:
    used = shown.estimate.tokens * 100 // max(1, shown.limit.tokens)
    facts = [f"Model {clean_line(shown.model)}", f"line {shown.line}"]
    if shown.mode:
        facts.append(f"mode {shown.mode}")
    if shown.anchors:
        facts.append(f"state of {', '.join(map(short, shown.anchors))}")
    window = (
        f"Window {shown.limit.tokens:,} tokens ({shown.limit.source}), {shown.limit.reserve:,} "
        f"kept for the answer, {used} % used."
    )
    return f"{', '.join(facts)}.\n{window}"


def _parts_table(shown: ShownContext) -> str:
    rows = [
        (str(number), part.what, part.origin, f"{part.tokens:,}", part.sha256[:8])
        for number, part in enumerate(parts(shown), 1)
    ]
    rows.append(("", "", "counted", f"{shown.estimate.tokens:,}", ""))
    reported = f"{shown.usage.input_tokens:,}" if shown.usage else "unknown"
    if shown.answer is not None:
        rows.append(("", "", "reported", reported, ""))
    return table(("#", "what", "from", "tokens", "hash"), rows, right=(0, 3))


def left_out_text(left: LeftOut) -> str:
    """One thing that is not sent, with the reason: `turns 1 to 12: before the boundary`."""
    of = f" of {short(left.checkpoint)}" if left.checkpoint else ""
    if left.what == "turns" and left.first is not None and left.last is not None:
        return f"{_range('turn', left.first, left.last)}: {left.reason}"
    if left.what == "artifact":
        cut = f" ({left.kept:,} of {left.of:,} characters)" if left.kept and left.of else ""
        return f'artifact "{clean_line(left.label or "")}"{of}: {left.reason}{cut}'
    if left.what == "checkpoint":
        return f"checkpoint {short(left.checkpoint or '')}: {left.reason}"
    if left.what == "text":
        return f"{clean_line(left.label or 'text')}: {left.reason}"
    return f"{left.count or 0} {left.what}{of}: {left.reason}"


def _range(noun: str, first: int, last: int) -> str:
    return f"{noun} {first}" if first == last else f"{noun}s {first} to {last}"


def _proof(shown: ShownContext) -> str:
    size = sum(len(message.content.encode()) for message in shown.messages)
    messages = counted(len(shown.messages), "message")
    lines = [f"SHA-256 {shown.sha256} over {messages}, {size:,} bytes of text."]
    if shown.verified is None:
        lines.append("Not sent. A send now would send these very messages.")
    elif shown.verified:
        lines.append(
            f"Verified: stored before the request was sent (event {shown.position}); rebuilt now, "
            "it is the same."
        )
    else:
        lines.append(f"NOT verified: what was stored has the SHA-256 {shown.stored_sha256}.")
    lines.append(f"Counted tokens are an estimate ({shown.estimate.version}).")
    return "\n".join(lines)


def context_document(shown: ShownContext) -> dict[str, object]:
    """`{messages, manifest, sha256}`; the manifest says all that is known besides."""
    manifest: dict[str, object] = {
        "session": shown.session,
        "answer": shown.answer,
        "line": shown.line,
        "mode": shown.mode,
        "anchors": list(shown.anchors),
        "scope": shown.scope,
        "model": shown.model,
        "params": dict(shown.params) if shown.params is not None else None,
        "limit": to_json(shown.limit),
        "estimate": to_json(shown.estimate),
        "template": shown.template,
        "segments": _segments(shown.segments),
        "left_out": to_json(shown.left_out),
        "request": shown.request,
        "position": shown.position,
        "recorded_at": shown.recorded_at,
        "stored_sha256": shown.stored_sha256,
        "verified": shown.verified,
        "usage": to_json(shown.usage),
    }
    return {
        "messages": [to_json(message) for message in shown.messages],
        "manifest": manifest,
        "sha256": shown.sha256,
    }


def _segments(segments: Sequence[Segment]) -> list[object]:
    return [to_json(segment) for segment in segments]
