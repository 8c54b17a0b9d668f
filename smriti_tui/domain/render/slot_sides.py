"""What the sides of one thing say, and what is different about each: texts in signed pieces.

What only one side has stands between signs, so that it can be read without colours: `[-…-]` in A,
`{+…+}` in B; in a merge what a side brought over the base is `{+…+}`, what it took out is told
below. Artifacts are told line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import short
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.model import Artifact, Evidence, Item, Task
from smriti_tui.domain.render.slot_rows import SlotRow
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.words import Piece, Sign, line_changes, word_changes

NOT_THERE = "(not there)"
AROUND: Mapping[Sign, tuple[str, str]] = {"=": ("", ""), "-": ("[-", "-]"), "+": ("{+", "+}")}
REWRITTEN = "~ rewritten: it shares little with the base"
LITTLE = 0.3
"""Share of the longer text below which two texts count as different ones."""
SEVERAL = ("blocked_by",)


@dataclass(frozen=True, slots=True)
class Told:
    """A stretch of a side: a label of ours, and a text in pieces."""

    label: str = ""
    pieces: tuple[Piece, ...] = ()

    @property
    def text(self) -> str:
        """The text as it is shown."""
        return "".join(piece.text for piece in self.pieces)


def plain(text: str, label: str = "") -> Told:
    """A text in which nothing is set apart."""
    return Told(label, (Piece("=", text),) if text else ())


Called = Mapping[int, str]
"""What items are called, by their identity."""


def compare_sides(row: SlotRow, called: Called) -> tuple[tuple[Told, ...], ...]:
    """What stands in A and in B."""
    a, b = row.sides
    if a is None or b is None:
        return _alone(a, called), _alone(b, called)
    if isinstance(a, Artifact) and isinstance(b, Artifact):
        changes = line_changes(a.content, b.content)
        return _lines_of(a, changes, "-"), _lines_of(b, changes, "+")
    pieces = _changes(_text(a), _text(b))
    return (
        (*_head(a, called, _marked(pieces, "-")), *_facts(a, b)),
        (*_head(b, called, _marked(pieces, "+")), *_facts(b, a)),
    )


def merge_sides(row: SlotRow, called: Called) -> tuple[tuple[Told, ...], ...]:
    """What stands in the base, in ours and in theirs, each over the base; without one theirs over
    ours."""
    base, ours, theirs = row.sides
    against = (base, base) if base is not None else (None, ours)
    return (
        _alone(base, called),
        _over(against[0], ours, called),
        _over(against[1], theirs, called),
    )


def _over(before: Any, now: Any, called: Called) -> tuple[Told, ...]:
    """A side with what is different in it from another one."""
    if before is None or now is None or before == now:
        return _alone(now, called)
    if isinstance(now, Artifact):
        changes = line_changes(before.content, now.content)
        return _lines_of(now, changes, "-", "+")
    pieces = _changes(_text(before), _text(now))
    if all(each.sign != "=" for each in pieces) and len(pieces) > 1:
        whole = _alone(now, called)[:1]
        return (*whole, plain(REWRITTEN), *_facts(now, before))
    gone = [each.text.strip() for each in pieces if each.sign == "-" and each.text.strip()]
    out = [plain("\n".join(f'- "{clean_line(text)}"' for text in gone), "taken out")]
    return (
        *_head(now, called, _marked(pieces, "+")),
        *(out if gone else ()),
        *_facts(now, before),
    )


def _alone(side: Any, called: Called) -> tuple[Told, ...]:
    if side is None or side == "":
        return (plain(NOT_THERE),)
    if isinstance(side, Artifact):
        return (plain(_artifact_words(side)), plain(side.content or "(empty)"))
    return (*_head(side, called, (Piece("=", _text(side)),)), *_facts(side, None))


def _changes(a: str, b: str) -> tuple[Piece, ...]:
    """The changes word by word; of two texts that share little, one in the place of the other:
    scattered words would only look like a change."""
    pieces = word_changes(a, b)
    same = sum(len(each.text.strip()) for each in pieces if each.sign == "=")
    if same >= LITTLE * max(len(a), len(b)):
        return pieces
    return tuple(piece for piece in (Piece("-", a), Piece("+", b)) if piece.text)


def _text(side: Any) -> str:
    return side.text if isinstance(side, Item | Task) else str(side)


def _head(side: Any, called: Called, pieces: tuple[Piece, ...]) -> tuple[Told, ...]:
    return (Told(called.get(id(side), ""), pieces),)


def _marked(pieces: Iterable[Piece], sign: Sign) -> tuple[Piece, ...]:
    """One side of a change: what both have, and between signs what only it has."""
    before, after = AROUND[sign]
    return tuple(
        each if each.sign == "=" else replace(each, text=f"{before}{each.text}{after}")
        for each in pieces
        if each.sign in ("=", sign)
    )


def _lines_of(artifact: Artifact, changes: Sequence[Piece], *signs: Sign) -> tuple[Told, ...]:
    """The changed lines of an artifact with some around them."""
    lines = tuple(
        Piece(each.sign, _line(each)) for each in changes if each.sign == "=" or each.sign in signs
    )
    return (plain(_artifact_words(artifact)), Told("", lines or (Piece("=", "(same content)"),)))


def _line(piece: Piece) -> str:
    if not piece.text:
        return "...\n"
    sign = " " if piece.sign == "=" else piece.sign
    return f"{sign} {piece.text}" if piece.text.endswith("\n") else f"{sign} {piece.text}\n"


def _artifact_words(artifact: Artifact) -> str:
    size = f"{len(artifact.content):,} characters"
    return f"{clean_line(artifact.label)} ({clean_line(artifact.type)}, {size})"


# ---- what an item says beside its text ---------------------------------------------------------


def _facts(side: Any, other: Any) -> tuple[Told, ...]:
    """The other fields, one a line; `~` before those that the other side has otherwise."""
    if not isinstance(side, Item | Task):
        return ()
    lines = [
        f"{'~' if _differs(side, other, name) else ' '} {words}"
        for name, words in _fact_words(side, other)
    ]
    turns = ", ".join(dict.fromkeys(map(_turn, side.evidence)))
    lines += [f"  from {turns}"] if turns else []
    return (plain("\n".join(lines)),) if lines else ()


def _fact_words(side: Item | Task, other: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if side.rests_on or _differs(side, other, "rests_on"):
        found.append(("rests_on", f"rests on {counted(len(side.rests_on), 'item')}"))
    if isinstance(side, Task):
        found.append(("status", f"status {side.status}"))
        found += _if(side, other, "intent_hint", "intent")
        found += _if(side, other, "id", "id")
        found += _if(side, other, "blocked_by", "blocked by")
    if side.state == "retired":
        by = f" by {clean_line(side.retired_by)}" if side.retired_by else ""
        why = f": {clean_line(side.reason)}" if side.reason else ""
        found.append(("state", f"retired{by}{why}"))
    elif _differs(side, other, "state"):
        found.append(("state", "live"))
    return found


def _if(side: Task, other: Any, name: str, said: str) -> list[tuple[str, str]]:
    value = getattr(side, name)
    if not value and not _differs(side, other, name):
        return []
    shown = ", ".join(value) if name in SEVERAL else str(value or "")
    return [(name, f"{said} {clean_line(shown) or 'none'}")]


def _differs(side: Any, other: Any, name: str) -> bool:
    return isinstance(other, type(side)) and getattr(side, name) != getattr(other, name)


def _turn(evidence: Evidence) -> str:
    if evidence.turn is not None and evidence.session:
        return f"t{evidence.turn} of {short(evidence.session)}"
    return f"a document {short(evidence.document_sha256 or '')}"


# ---- the result --------------------------------------------------------------------------------


def result_sides(slot: Slot[Any], called: Called, keys: Mapping[str, str]) -> tuple[Told, ...]:
    """What a merge holds of a slot. `keys` are the keys of ours, theirs, both, neither and edit."""
    if slot.open:
        return (plain("(nothing chosen)"), plain(_ways(slot, keys)))
    if not slot.result:
        chosen = slot.answer is not None
        return (plain("(left out: neither side is taken)" if chosen else "(not in the result)"),)
    told: list[Told] = []
    for number, each in enumerate(slot.result):
        told += [plain(" ")] if number else []
        told += _alone(each, called)
    return tuple(told)


def _ways(slot: Slot[Any], keys: Mapping[str, str]) -> str:
    names = ["ours", "theirs", "both", "neither"]
    if slot.conflict == "change_retire":
        names.remove("both")
    ways = ", ".join(f"{keys[name]} takes {name}" for name in names)
    why = (
        "Both sides changed it, in different ways"
        if slot.conflict == "both_changed"
        else "One side changed it, the other took it out"
    )
    fields = ", ".join(name.replace("_", " ") for name in slot.fields)
    of = f" ({fields})" if fields and slot.conflict == "both_changed" else ""
    return f"{why}{of}. {ways}, {keys['edit']} lets you write it."


def brought(slot: Slot[Any], ours: Iterable[Item | Task], theirs: Iterable[Item | Task]) -> str:
    """What theirs rests on that ours does not hold, in words; empty for nothing."""
    if not isinstance(slot.theirs, Item | Task) or not slot.theirs.rests_on:
        return ""
    mine = {item.uid for item in ours}
    wanted = set(slot.theirs.rests_on) - mine
    texts = [clean_line(item.text) for item in theirs if item.uid in wanted]
    more = f" and {len(texts) - 1} more" if len(texts) > 1 else ""
    return f'Theirs rests on what ours does not hold: "{texts[0]}"{more}.' if texts else ""
