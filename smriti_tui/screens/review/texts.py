"""What stands beside the list: the evidence of a finding, its change, and the follow-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.findings import Change, SettledFinding
from smriti_tui.domain.ids import short
from smriti_tui.domain.recheck import QuoteCheck
from smriti_tui.domain.render.ages import age
from smriti_tui.domain.render.review_words import (
    change_words,
    clash_words,
    diff_lines,
    rule_rows,
)
from smriti_tui.domain.review_rules import RuleReport
from smriti_tui.domain.reviewed import labels_of, parts_of
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.words import Piece
from smriti_tui.keys import KeyTable
from smriti_tui.screens.review.reading import Behind, Look, branch_words
from smriti_tui.widgets.literal_view import Section

HEADING = "heading"
_STATES: Mapping[str, str] = {
    "verified": "verified",
    "weaker": "only the assistant says it",
    "moved": "the words stand elsewhere",
    "gone": "the words are not there",
    "kept": "not found, kept",
    "unverified": "not found, and nobody kept it",
    "unreadable": "what it cites is not in this store",
}
_ROLES = {"user": "you", "assistant": "assistant"}


def evidence_sections(
    each: SettledFinding, look: Look, report: RuleReport | None, behind: Mapping[str, Behind]
) -> tuple[Section, ...]:
    """Of one finding: what it points at, why, the change, and how it was settled."""
    finding = each.finding
    found = [Section("", finding.text)]
    found += [_item(uid, look, report, behind.get(uid)) for uid in finding.items]
    if finding.why.strip():
        by_model = finding.origin == "model"
        said = "Why the model thinks so" if by_model else "What the rule looked at"
        found.append(Section(said, finding.why, HEADING))
    found += [*_change(each, look), *_elsewhere(finding.items, behind), *_settled(each, look)]
    return tuple(found)


def _item(uid: str, look: Look, report: RuleReport | None, behind: Behind | None) -> Section:
    body = look.checkpoint.body
    label, part = labels_of(body).get(uid, short(uid)), parts_of(body).get(uid)
    since = f"   since {short(behind.since)}" if behind is not None and behind.since else ""
    if part is None:
        return Section(f"{label}{since}", "", HEADING)
    retired = "   retired" if part[1].state == "retired" else ""
    lines = [part[1].text]
    quotes = report.quotes if report is not None else ()
    lines += [_quote(check, look) for check in quotes if check.uid == uid]
    if not part[1].evidence:
        lines.append("  cites nothing")
    return Section(f"{label}{since}{retired}", "\n".join(lines), HEADING)


def _quote(check: QuoteCheck, look: Look) -> str:
    cited = check.evidence
    place = f"t{cited.turn}" if cited.turn is not None else _document(check)
    who = f" ({_ROLES.get(check.said_by, check.said_by)})" if check.said_by else ""
    source = look.checkpoint.source
    own = source.session if source is not None else None
    of = f" of {short(cited.session)}" if cited.session and cited.session != own else ""
    words = _STATES[check.state]
    if check.state == "moved" and check.now.turn is not None:
        words = f"the words are in t{check.now.turn}"
    if check.state == "kept" and cited.kept_by:
        words = f"not found, kept by {clean_line(cited.kept_by)}"
    nearest = f'\n      nearest: "{_one(check.nearest)}"' if check.nearest else ""
    return f'  {place}{who}{of}: "{_one(cited.quote)}"   {words}{nearest}'


def _document(check: QuoteCheck) -> str:
    lines = check.evidence.lines
    if not lines:
        return "no turn"
    name = (check.evidence.document_sha256 or "")[:7]
    return f"lines {lines[0]}-{lines[-1]} of {name}"


def _change(each: SettledFinding, look: Look) -> Iterator[Section]:
    change = each.change or each.finding.suggestion
    if change is None:
        none = "None. e says what to change, D dismisses the finding with a reason."
        yield Section("Suggested change", none, HEADING)
    else:
        said = "The change, as it was edited" if each.change else "Suggested change"
        yield Section(said, "", HEADING, diff_pieces(change, look))


def diff_pieces(change: Change, look: Look) -> tuple[Piece, ...]:
    """The lines of a change, signed."""
    lines = [line.replace("\n", " ") for line in diff_lines(change, look.checkpoint.body)]
    last = len(lines) - 1
    return tuple(
        Piece("-" if line[:1] == "-" else "+" if line[:1] == "+" else "=",
              f"  {line}" if at == last else f"  {line}\n")
        for at, line in enumerate(lines)
    )  # fmt: skip


def _elsewhere(uids: tuple[str, ...], behind: Mapping[str, Behind]) -> Iterator[Section]:
    rows = [row for uid in uids if uid in behind for row in behind[uid].elsewhere]
    if rows:
        text = "\n".join(f"  {clean_line(where)}   {_one(words)}" for where, words in rows)
        yield Section(f"The same item elsewhere ({len(rows)})", text, HEADING)


def _settled(each: SettledFinding, look: Look) -> Iterator[Section]:
    if each.outcome == "open":
        return
    did = {"accepted": "Accepted", "edited": "Edited and accepted"}.get(each.outcome, "Dismissed")
    by = f" by {clean_line(each.settled_by)}" if each.settled_by else ""
    when = f", {age(each.settled_at, look.now)}" if each.settled_at else ""
    yield Section(f"{did}{by}{when}", each.reason or "", HEADING)


# ---- the follow-up -----------------------------------------------------------------------------


def follow_sections(look: Look, table: KeyTable) -> tuple[Section, ...]:
    """What writing would save now."""
    body = look.checkpoint.body
    lines = []
    for each in look.follow.changes:
        change = each.taken
        if change is not None:
            lines.append(f"  {_sign(change)} {change_words(change, body)}")
    lines += [f"  ! {clash_words(clash)}" for clash in look.follow.clashes]
    accept, write = table.key("review.accept"), table.key("review.write")
    form = table.key("draft.start")
    if not lines:
        nothing = f"  Nothing is accepted yet. {accept} takes a suggestion into it."
        return (Section("", nothing),)
    undo = table.key("edit.undo")
    lines += [
        "",
        f"  {branch_words(look)}",
        f"  {write} writes it      {form} opens it as a form",
        "",
        f"  Accepting does not edit history; {undo} undoes an accept.",
    ]
    return (Section("", "\n".join(lines)),)


def _sign(change: Change) -> str:
    return {"retire": "-", "drop_entity": "-", "add": "+"}.get(change.change, "~")


def follow_subtitle(look: Look) -> str:
    """How much it has, and what cannot be made."""
    clashes = len(look.follow.clashes)
    told = counted(len(look.follow.changes), "change")
    return f"{told}, {clashes} cannot be made" if clashes else told


# ---- the rules ---------------------------------------------------------------------------------


def rules_text(report: RuleReport | None) -> str:
    """What the rules looked at, a line for each."""
    if report is None:
        return "Looking ..."
    return "\n".join(f"{name:<9} {clean_line(said)}" for name, said in rule_rows(report))


def _one(text: str) -> str:
    return " ".join(clean_line(text).split())
