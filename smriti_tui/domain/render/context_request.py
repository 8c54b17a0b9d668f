"""The words about one request as a whole: its heading, hash, parameters, proof and export."""

from __future__ import annotations

from collections.abc import Mapping

from smriti_tui.domain.codec import to_json
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.context_rows import (
    ContextFacts,
    grouped,
    part_rows,
    reported_tokens,
)
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.values import canonical, sha256

_LIMIT_SOURCES: Mapping[str, str] = {
    "entry": "from the model's entry in the settings",
    "library": "from the provider library",
    "assumed": "assumed: nobody knows this model's window",
    "demo": "of the demo model",
}


def heading(facts: ContextFacts) -> str:
    """`CONTEXT of answer 16`, or of the next send."""
    if facts.answer is not None:
        return f"CONTEXT of answer {facts.answer}"
    if facts.mounting is not None:
        return f"CONTEXT if {short(facts.mounting)} were mounted"
    return f"CONTEXT of a {facts.purpose} request" if facts.sent else "CONTEXT of the next send"


def short_hash(digest: str) -> str:
    """The eight signs that are shown, in two groups."""
    return f"{digest[:4]} {digest[4:8]}"


def hash_state(facts: ContextFacts) -> str:
    """The word beside the hash: nothing but what was checked now."""
    if not facts.sent:
        return "not sent"
    return "verified" if facts.verified else "DIFFERS"


def request_rows(facts: ContextFacts) -> tuple[tuple[str, str], ...]:
    """Name and value of everything beside the messages that goes out, or decides them."""
    limit = facts.limit
    given = facts.params or {}
    params = [(name, canonical(value)) for name, value in sorted(given.items())]
    source = _LIMIT_SOURCES.get(limit.source, limit.source)
    rows = [
        ("purpose", facts.purpose),
        ("model", facts.model),
        ("parameters", "" if params else "none"),
        *((f"  {name}", value) for name, value in params),
        ("limit", f"{grouped(limit.tokens)} tokens ({limit.source}: {source})"),
        ("reserve", f"{grouped(limit.reserve)} tokens are kept for the answer"),
        ("template", facts.template),
        ("counter", facts.estimate.version),
        ("scope", counted(facts.scope, "checkpoint")),
        ("line", "unknown" if facts.line is None else str(facts.line)),
        ("messages", f"{len(facts.messages)}, {grouped(facts.size_bytes)} bytes"),
        ("counted", f"{grouped(facts.estimate.tokens)} tokens (estimate)"),
        ("reported", _reported(facts)),
        ("cost", f"{facts.cost.usd} USD ({facts.cost.source})" if facts.cost else "unknown"),
        ("stored", _stored(facts)),
        ("sha256", facts.stored_sha256 or facts.sha256),
    ]
    if facts.raw is not None:
        rows.insert(0, ("raw answer", facts.raw))
    return tuple(rows)


def _reported(facts: ContextFacts) -> str:
    figure = reported_tokens(facts)
    return f"{figure} tokens (by the provider)" if facts.usage else figure


def _stored(facts: ContextFacts) -> str:
    if facts.position is None:
        return "not sent, so not stored"
    return f"event {grouped(facts.position)}, {facts.recorded_at or 'time unknown'}"


def sure_lines(facts: ContextFacts) -> tuple[str, ...]:
    """How sure this is: what was stored when, what was rebuilt now, what the figures mean."""
    tokens = (
        "Counted tokens come from the local counter (an estimate); reported tokens come from the "
        "provider. Both are shown."
    )
    if not facts.sent:
        typed = (
            "Nothing is typed yet: a stand-in is the last message. " if facts.placeholder else ""
        )
        return (
            f"{typed}Nothing has been sent. These are the very messages that a send would "
            "hold now.",
            "At the send all parts are stored first, in one event; its hash is then in the chain.",
            tokens,
        )
    where = f" (event {grouped(facts.position)})" if facts.position is not None else ""
    return (
        f"Every part was stored before the request was sent{where}; its hash is in the chain.",
        rebuilt_line(facts),
        tokens,
    )


def rebuilt_line(facts: ContextFacts) -> str:
    """What rebuilding it from the store gave."""
    size = grouped(facts.size_bytes)
    if facts.verified:
        return (
            "Rebuilt now from the checkpoint and turns: "
            f"same {size} bytes, same hash {short_hash(facts.sha256)}."
        )
    return (
        f"Rebuilt now from the checkpoint and turns: {size} bytes, hash "
        f"{short_hash(facts.sha256)}, NOT the stored {short_hash(facts.stored_sha256 or '')}. "
        "Run `smriti log verify`."
    )


_SAME: Mapping[bool | None, str] = {True: "yes", False: "NO", None: "not sent"}


def verify_rows(facts: ContextFacts) -> tuple[tuple[str, str], ...]:
    """Both hashes in full, and the sizes."""
    return (
        ("stored hash", facts.stored_sha256 or "none: not sent"),
        ("rebuilt hash", facts.sha256),
        ("same", _SAME[facts.verified]),
        ("bytes", grouped(facts.size_bytes)),
        ("messages", str(len(facts.messages))),
    )


def request_json(facts: ContextFacts) -> dict[str, object]:
    """The request as it is exported: what a provider gets, and how it came to be."""
    return {
        "answer": facts.answer,
        "context_sha256": facts.stored_sha256 or facts.sha256,
        "estimate": to_json(facts.estimate),
        "left_out": to_json(facts.left_out),
        "limit": to_json(facts.limit),
        "line": facts.line,
        "messages": to_json(facts.messages),
        "model": facts.model,
        "params": dict(facts.params or {}),
        "purpose": facts.purpose,
        "rebuilt_sha256": facts.sha256,
        "scope": facts.scope,
        "segments": to_json(facts.segments),
        "sent": facts.sent,
        "session": facts.session,
        "template": facts.template,
        "usage": to_json(facts.usage),
    }


def compare_rows(old: ContextFacts, new: ContextFacts) -> tuple[tuple[str, str], ...]:
    """Sign and part: `=` in both, `-` only in `old`, `+` only in `new`. Turns count one by one."""
    before, after = _compared(old), _compared(new)
    rows = [("=" if key in after else "-", what) for key, what in before.items()]
    rows += [("+", what) for key, what in after.items() if key not in before]
    return tuple(rows)


def _compared(facts: ContextFacts) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for row in part_rows(facts):
        for piece in row.pieces:
            what = row.what if piece.turn is None else f"turn {piece.turn}"
            place = row.origin if piece.turn is None else str(piece.turn)
            found[place, sha256(piece.text)] = f"{what}  {piece.role}"
    return found
