"""The list of a review: the model's findings, then those of the rules, then the way to write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rich.cells import cell_len

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.findings import FindingKind, SettledFinding
from smriti_tui.domain.model import CheckpointBody
from smriti_tui.domain.render.review_words import KIND_LABELS, change_words
from smriti_tui.domain.state_text import counted
from smriti_tui.widgets.row_list import Piece, Row, RowLine, cut

WRITE = "write"
"""The key of the row that writes the follow-up."""
ALL = "all"
TAB_WORDS: Mapping[FindingKind, str] = MappingProxyType(
    {
        "contradiction": "Contradiction",
        "hidden_assumption": "Hidden",
        "resolved_question": "Resolved",
        "unused_entity": "Unused",
        "other": "Other",
        "unverified_evidence": "Evidence",
        "missing_blocker": "Blocker",
        "dead_link": "Link",
        "duplicate": "Duplicate",
        "empty_objective": "Objective",
        "broken_chain": "Chain",
    }
)
_SIGNS: Mapping[str, str] = {
    "contradiction": "!", "unverified_evidence": "!", "missing_blocker": "!", "dead_link": "!",
    "broken_chain": "!",
}  # fmt: skip
_SETTLED = {"accepted": "+", "edited": "+", "dismissed": "-"}
_INDENT = "   "
_WORD = re.compile(r"\S+\s*")
MOST_LINES = 3
"""Lines of one text in the list; the whole of it stands beside."""


def sign_of(each: SettledFinding) -> str:
    """`!` and `?` are open, `+` was accepted, `-` dismissed (ux 4.5)."""
    return _SETTLED.get(each.outcome) or _SIGNS.get(each.finding.kind, "?")


def outcome_words(each: SettledFinding) -> str:
    """What a person made of it; of one that is not recorded nothing can be made."""
    if not each.review:
        return "not recorded"
    return "edited, accepted" if each.outcome == "edited" else each.outcome


def tabs_of(findings: Sequence[SettledFinding]) -> tuple[str, ...]:
    """`all`, then the kinds that occur."""
    return (ALL, *dict.fromkeys(each.finding.kind for each in findings))


def in_tab(findings: Sequence[SettledFinding], tab: str) -> tuple[SettledFinding, ...]:
    """The findings of one kind, or all."""
    return tuple(each for each in findings if tab in (ALL, each.finding.kind))


def tab_line(tabs: Sequence[str], shown: str, width: int) -> str:
    """The tabs that fit around the one that is shown, which stands in brackets."""
    names = [TAB_WORDS.get(tab, "All") for tab in tabs]  # type: ignore[call-overload]
    at = tabs.index(shown) if shown in tabs else 0
    words = [f"[{name}]" if place == at else f" {name} " for place, name in enumerate(names)]
    first = 0
    while first < at and sum(map(len, words[first : at + 1])) + 4 > width:
        first += 1
    last = len(words)
    while last > at + 1 and sum(map(len, words[first:last])) + 4 > width:
        last -= 1
    before, behind = "<" if first else " ", ">" if last < len(words) else ""
    return f"{before}{''.join(words[first:last])}{behind}"


def finding_rows(
    findings: Sequence[SettledFinding], body: CheckpointBody, width: int, changes: int | None
) -> tuple[Row, ...]:
    """`changes` is how many the follow-up would have; None where there is nothing to write."""
    rows: list[Row] = []
    origin = ""
    for each in findings:
        if each.finding.origin != origin:
            origin = each.finding.origin
            rows.append(_heading("By rules, no model" if origin == "check" else "By the model"))
        rows.append(_row(each, body, width))
    if changes is not None:
        line = RowLine((Piece(" = Follow-up checkpoint", "strong"),), counted(changes, "change"))
        rows.append(Row(WRITE, (line,)))
    return tuple(rows)


def _heading(words: str) -> Row:
    return Row(f"head {words}", (RowLine((Piece(f" {words}", "muted"),)),), rests=False)


def _row(each: SettledFinding, body: CheckpointBody, width: int) -> Row:
    finding = each.finding
    is_open = each.outcome == "open"
    kind = f" {sign_of(each)} {KIND_LABELS[finding.kind].upper()}"
    head = RowLine((Piece(kind, "strong" if is_open else "plain"),), outcome_words(each))
    tone = "plain" if is_open else "muted"
    lines = [RowLine((Piece(line, tone),)) for line in _texts(each, body, max(width, 20))]
    return Row(finding.id, (head, *lines, RowLine(())))


def _texts(each: SettledFinding, body: CheckpointBody, width: int) -> Iterator[str]:
    yield from folded(each.finding.text, width)
    change = each.change or each.finding.suggestion
    if each.outcome == "dismissed":
        yield from folded(each.reason or "", width)
    elif each.outcome != "open" and change is not None:
        yield from folded(change_words(change, body), width)
    elif change is not None:
        yield from folded(f"suggests: {change_words(change, body)}", width)
    else:
        yield f"{_INDENT}suggests no change"


def folded(text: str, width: int) -> Iterator[str]:
    """A text in lines of at most `width` cells, of which the last may be cut."""
    words = _WORD.findall(" ".join(clean_line(text).split()))
    room, line, count = width - len(_INDENT) - 1, "", 1
    while words:
        if not line or cell_len(line + words[0].rstrip()) <= room:
            line += words.pop(0)
        elif count == MOST_LINES:
            line += " ".join(words)
            break
        else:
            yield f"{_INDENT}{line.rstrip()}"
            line, count = "", count + 1
    if line:
        yield f"{_INDENT}{cut(line.rstrip(), room).rstrip()}"
