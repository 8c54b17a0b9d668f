"""What a review says, in short words: kinds, changes, and what the rules looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.findings import Change, FindingKind
from smriti_tui.domain.follow_up import Clash
from smriti_tui.domain.ids import short
from smriti_tui.domain.model import CheckpointBody, Evidence, Item, Task
from smriti_tui.domain.recheck import place_words
from smriti_tui.domain.review_rules import MOST_LINKS, RuleReport
from smriti_tui.domain.reviewed import labels_of, parts_of
from smriti_tui.domain.state_text import counted

KIND_LABELS: Mapping[FindingKind, str] = MappingProxyType(
    {
        "contradiction": "Possible contradiction",
        "hidden_assumption": "Hidden assumption",
        "resolved_question": "Possibly resolved",
        "unused_entity": "Possibly unused entity",
        "other": "Something else",
        "unverified_evidence": "Unverified evidence",
        "missing_blocker": "Missing blocker",
        "dead_link": "Dead link",
        "duplicate": "Duplicate",
        "empty_objective": "Empty objective",
        "broken_chain": "Broken chain",
    }
)
CONSISTENT = "Nothing was found: this checkpoint looks consistent."
"""Where neither the model nor a rule found anything (REVIEW-03)."""
RULES_HOLD = "The checks found nothing. No model was asked."
_QUOTED = 60
_NOUNS = {
    "decisions": "decision", "assumptions": "assumption", "tasks": "task",
    "open_questions": "open question",
}  # fmt: skip


def quoted(text: str) -> str:
    """The beginning of a text on one line, in quotes."""
    line = " ".join(clean_line(text).split())
    return f'"{line}"' if len(line) <= _QUOTED else f'"{line[: _QUOTED - 3]}..."'


def named(uid: str, body: CheckpointBody) -> str:
    """`D4 "The rebuild runs inside..."`; an artifact by its label."""
    label = clean_line(labels_of(body).get(uid, short(uid)))
    found = parts_of(body).get(uid)
    return f"{label} {quoted(found[1].text)}" if found else label


def change_words(change: Change, body: CheckpointBody) -> str:
    """What a change does, on one line: `retire D4, replaced by D5`."""
    labels = labels_of(body)

    def of(uid: str | None) -> str:
        return clean_line(labels.get(uid or "", short(uid or "")))

    match change.change:
        case "retire":
            return f"retire {of(change.uid)}{_heir_words(change, body)}"
        case "reword":
            return f"{of(change.uid)} reads {quoted(change.text or '')}"
        case "add":
            on = ", ".join(map(of, change.links))
            rests = f" that {on} {'rests' if len(change.links) == 1 else 'rest'} on" if on else ""
            return f"add {_NOUNS.get(change.kind or '', 'item')} {quoted(change.text or '')}{rests}"
        case "rest_on":
            return f"{of(change.uid)} rests on {', '.join(map(of, change.links)) or 'nothing'}"
        case "cite":
            return "; ".join(_cite_words(change, body))
        case "block":
            return f"{of(change.uid)} waits for {_names(change.links) or 'nothing'}"
        case "drop_entity":
            return f"drop the entity {quoted(change.text or '')}"
        case _:
            return f"the objective reads {quoted(change.text or '')}"


def _heir_words(change: Change, body: CheckpointBody) -> str:
    if change.by is None:
        return ""
    found = parts_of(body).get(change.uid or "")
    verb = "resolved" if found is not None and found[0] == "open_questions" else "replaced"
    return f", {verb} by {clean_line(labels_of(body).get(change.by, short(change.by)))}"


def _names(links: tuple[str, ...]) -> str:
    return ", ".join(quoted(each) for each in links)


def _cite_words(change: Change, body: CheckpointBody) -> Iterator[str]:
    found = parts_of(body).get(change.uid or "")
    label = labels_of(body).get(change.uid or "", "an item")
    before: tuple[Evidence, ...] = found[1].evidence if found else ()
    for old, new in zip(before, change.evidence, strict=False):
        if (old.turn, old.lines) != (new.turn, new.lines):
            yield f"{label} evidence moved from {place_words(old)} to {place_words(new)}"
        elif old.check != new.check:
            yield f"{label} evidence marked as {new.check.replace('_', ' ')}"
    if len(before) != len(change.evidence):
        yield f"{label} has {counted(len(change.evidence), 'quote')}"


def diff_lines(change: Change, body: CheckpointBody) -> tuple[str, ...]:
    """The change as lines that go (`- `), come (`+ `) or change otherwise (`~ `)."""
    found = parts_of(body).get(change.uid or "")
    label = labels_of(body).get(change.uid or "", "")
    match change.change:
        case "retire" if found is not None:
            return (
                f"- {label}  {_line(found[1])}",
                f"+ {label}  retired{_heir_words(change, body)}",
            )
        case "reword" if found is not None:
            return (f"- {label}  {_line(found[1])}", f"+ {label}  {_text(change.text)}")
        case "add":
            on = "".join(f"~ {named(each, body)} rests on it" for each in change.links[:1])
            return (f"+ {_NOUNS.get(change.kind or '', 'item')}  {_text(change.text)}", *_some(on))
        case "objective":
            old = (f"- objective  {_text(body.objective)}",) if body.objective.strip() else ()
            return (*old, f"+ objective  {_text(change.text)}")
        case "drop_entity":
            return (f"- entity  {_text(change.text)}",)
        case _:
            return (f"~ {change_words(change, body)}",)


def _some(line: str) -> tuple[str, ...]:
    return (line,) if line else ()


def _line(item: Item | Task) -> str:
    return _text(item.text)


def _text(text: str | None) -> str:
    return " ".join(clean_line(text or "").split())


def clash_words(clash: Clash) -> str:
    return f"not made: {clean_line(clash.why)}"


# ---- the rules ---------------------------------------------------------------------------------


def rule_rows(report: RuleReport) -> tuple[tuple[str, str], ...]:
    """What the rules looked at: evidence, source, tasks and chain, each with what they saw."""
    return (
        ("evidence", _evidence_words(report)),
        ("source", _source_words(report)),
        ("tasks", _task_words(report)),
        ("chain", chain_words(report)),
    )


def _evidence_words(report: RuleReport) -> str:
    total = len(report.quotes)
    if not total:
        return "no item cites anything"
    told = f"{report.verified} of {counted(total, 'quote')} verified"
    for state, words in (
        ("kept", "kept though not found"),
        ("unreadable", "cite what is not in this store"),
    ):
        if count := report.count(state):
            told += f", {count} {words}"
    return told


def _source_words(report: RuleReport) -> str:
    source = report.source
    if source is None:
        return "no session"
    of = f"of session {short(source.session)}"
    if source.first is None:
        return f"no turns {of}"
    return f"turns {source.first}-{source.last} {of}"


def _task_words(report: RuleReport) -> str:
    if report.blocked:
        verb = "waits" if len(report.blocked) == 1 else "wait"
        return f"{', '.join(report.blocked)} {verb} for what is no task here"
    if not report.tasks:
        return "no open task"
    return f"{counted(report.tasks, 'open task')}, every blocker is a task here"


def chain_words(report: RuleReport) -> str:
    chain = report.chain
    if not chain.links and not chain.faults:
        return "the first checkpoint: no links"
    told = f"{chain.verified} of {counted(chain.links, 'link')} verified"
    return told if chain.whole else f"{told}; further than {MOST_LINKS} was not looked"
