"""Reviews as text and document. The app shows the same words (`review_words`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smriti_tui.domain.clean import clean, clean_line
from smriti_tui.domain.codec import to_json
from smriti_tui.domain.findings import Change, Finding, SettledFinding
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import Checkpoint, CheckpointBody
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.render.documents import Document
from smriti_tui.domain.render.review_words import (
    CONSISTENT,
    KIND_LABELS,
    RULES_HOLD,
    change_words,
    named,
    quoted,
    rule_rows,
)
from smriti_tui.domain.review_rules import RuleReport
from smriti_tui.domain.reviewed import Reviewed, labels_of

# ---- documents ---------------------------------------------------------------------------------


def change_document(change: Change | None, body: CheckpointBody) -> Document | None:
    if change is None:
        return None
    return {**to_json(change), "words": change_words(change, body)}


def finding_document(settled: SettledFinding, number: int | None, body: CheckpointBody) -> Document:
    """`number` is its place in the review, None for one that is not recorded."""
    finding, labels = settled.finding, labels_of(body)
    return {
        "id": finding.id if number is not None else None,
        "number": number,
        "kind": finding.kind,
        "label": KIND_LABELS[finding.kind],
        "origin": finding.origin,
        "text": finding.text,
        "why": finding.why,
        "items": [{"uid": uid, "label": labels.get(uid)} for uid in finding.items],
        "suggestion": change_document(finding.suggestion, body),
        "outcome": settled.outcome,
        "change": change_document(settled.taken, body),
        "reason": settled.reason,
        "settled_by": settled.settled_by,
        "settled_at": settled.settled_at,
    }


def report_document(report: RuleReport) -> Document:
    source, chain = report.source, report.chain
    return {
        "evidence": {
            "verified": report.verified,
            "total": len(report.quotes),
            "kept": report.count("kept"),
            "unreadable": report.count("unreadable"),
            "quotes": [
                {
                    "uid": each.uid,
                    "label": each.label,
                    "state": each.state,
                    "evidence": to_json(each.evidence),
                    "now": to_json(each.now),
                    "nearest": each.nearest or None,
                }
                for each in report.quotes
            ],
        },
        "source": to_json(source) if source else None,
        "tasks": {"open": report.tasks, "blocked": list(report.blocked)},
        "chain": {
            "verified": chain.verified,
            "links": chain.links,
            "whole": chain.whole,
            "faults": list(chain.faults),
        },
    }


def reviewed_document(
    checkpoint: Checkpoint, reviewed: Reviewed | None, report: RuleReport
) -> Document:
    """A recorded review, or with None the rules alone, of which nothing is recorded."""
    review = reviewed.review if reviewed else None
    rows = [
        finding_document(each, number if reviewed else None, checkpoint.body)
        for number, each in enumerate(_findings(reviewed, report), 1)
    ]
    return {
        "checkpoint": checkpoint.id,
        "title": checkpoint.title,
        "review": review.id if review else None,
        "request": review.request if review else None,
        "model": review.model if review else None,
        "actor": review.actor if review else None,
        "recorded_at": review.recorded_at if review else None,
        "findings": rows,
        "open": len(reviewed.open) if reviewed else len(rows),
        "problems": list(reviewed.problems) if reviewed else [],
        "usage": to_json(reviewed.usage) if reviewed and reviewed.usage else None,
        "cost": to_json(reviewed.cost) if reviewed and reviewed.cost else None,
        "checks": report_document(report),
    }


def shown_document(document: Document, reviewed: Reviewed | None) -> Document:
    """The document of a checkpoint with how its newest review stands, null for none."""
    if reviewed is None:
        return {**document, "review": None}
    review = reviewed.review
    told: Document = {
        "id": review.id,
        "model": review.model,
        "actor": review.actor,
        "recorded_at": review.recorded_at,
        "findings": len(reviewed.findings),
        "open": len(reviewed.open),
    }
    return {**document, "review": told}


def settled_document(
    checkpoint: Checkpoint, settled: Sequence[tuple[int | None, SettledFinding]], still_open: int
) -> Document:
    return {
        "checkpoint": checkpoint.id,
        "findings": [finding_document(each, number, checkpoint.body) for number, each in settled],
        "open": still_open,
    }


def _findings(reviewed: Reviewed | None, report: RuleReport) -> Sequence[SettledFinding]:
    if reviewed is not None:
        return reviewed.findings
    return [SettledFinding("", each) for each in report.findings]


# ---- text --------------------------------------------------------------------------------------


def reviewed_text(checkpoint: Checkpoint, reviewed: Reviewed | None, report: RuleReport) -> str:
    """The findings, then what they suggest, then what the rules looked at; read from top to
    bottom."""
    body, findings = checkpoint.body, _findings(reviewed, report)
    blocks = [_head(checkpoint, reviewed, len(findings))]
    blocks += [
        _finding(number, each, body, settled=reviewed is not None)
        for number, each in enumerate(findings, 1)
    ]
    if not findings:
        by_model = reviewed is not None and reviewed.review.model is not None
        blocks.append(CONSISTENT if by_model else RULES_HOLD)
    suggested = list(_suggestions(findings, body))
    if suggested:
        blocks.append("\n".join(("Suggested changes", *suggested)))
    rows = [f"  {name:<9} {clean_line(said)}" for name, said in rule_rows(report)]
    blocks.append("\n".join(("Checks without a model", *rows)))
    if reviewed is not None and findings:
        blocks.append(_next_step(checkpoint, reviewed))
    return clean("\n\n".join(blocks))


def _head(checkpoint: Checkpoint, reviewed: Reviewed | None, count: int) -> str:
    first = f"Review of {short(checkpoint.id)} {quoted(checkpoint.title)}"
    if reviewed is None:
        return first
    review = reviewed.review
    by = clean_line(review.model) if review.model else "rules alone"
    told = f"By {by}, for {clean_line(review.actor)}, {exact(review.recorded_at)}."
    return f"{first}\n{told} {len(reviewed.open)} open of {count}." if count else f"{first}\n{told}"


def _finding(number: int, each: SettledFinding, body: CheckpointBody, *, settled: bool) -> str:
    finding = each.finding
    state = f" ({each.outcome})" if settled else ""
    lines = [f"{number}. {KIND_LABELS[finding.kind]}{state}", f"   {_line(finding.text)}"]
    lines += [f"   {named(uid, body)}" for uid in finding.items]
    if finding.why and not _says_item(finding, body):
        lines.append(f"   why: {_line(finding.why)}")
    if each.reason:
        lines.append(f"   reason: {_line(each.reason)}")
    return "\n".join(lines)


def _says_item(finding: Finding, body: CheckpointBody) -> bool:
    """Whether the reason only repeats an item that is named already."""
    return finding.origin == "check" and any(
        quoted(finding.why) in named(uid, body) for uid in finding.items
    )


def _suggestions(findings: Sequence[SettledFinding], body: CheckpointBody) -> Iterator[str]:
    for number, each in enumerate(findings, 1):
        change = each.change or each.finding.suggestion
        if change is not None and each.outcome != "dismissed":
            yield f"  {number}. {change_words(change, body)}"


def _next_step(checkpoint: Checkpoint, reviewed: Reviewed) -> str:
    command = f"smriti checkpoint review {short(checkpoint.id)}"
    told = f"Nothing here changes {short(checkpoint.id)}."
    if reviewed.open:
        return f"{told} `{command} --accept N` or `--dismiss N --reason T` settles a finding."
    if reviewed.taken:
        return f"{told} `{command} --write` saves the accepted changes as a new checkpoint."
    return told


def settled_text(
    checkpoint: Checkpoint, settled: Sequence[tuple[int | None, SettledFinding]], still_open: int
) -> str:
    """A line for each finding, and what is left."""
    lines = []
    for number, each in settled:
        what = f"{number}. " if number is not None else ""
        made = each.taken
        then = f": {change_words(made, checkpoint.body)}" if made is not None else ""
        why = f": {_line(each.reason)}" if each.reason and not then else ""
        lines.append(f"{each.outcome} {what}{KIND_LABELS[each.finding.kind].lower()}{then}{why}")
    left = f"{still_open} open." if still_open else "None is open."
    return clean("\n".join((*lines, left)))


def _line(text: str) -> str:
    return " ".join(clean_line(text).split())
