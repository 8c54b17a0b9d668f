"""The checks of a checkpoint that need no model: each is a rule, and each can be looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from smriti_tui.domain.checkpoint_input import checkpoint_id
from smriti_tui.domain.findings import Change, Finding, FindingKind
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.model import CheckpointBody, Evidence, Item, Source, Task
from smriti_tui.domain.recheck import QuoteCheck, words
from smriti_tui.domain.reviewed import labels_of, parts_of

MOST_LINKS = 500
"""Links to parents that are walked; how many it were is told."""
_CLOSE = 0.8

LookBody = Callable[[CheckpointId], CheckpointBody | None]
"""The content of a checkpoint, of a deleted one too; None if the store does not hold it."""


@dataclass(frozen=True)
class Chain:
    """The way from a checkpoint back to the root, over all its parents."""

    verified: int
    links: int
    """Links that were looked at; `whole` tells whether that were all."""
    faults: tuple[str, ...] = ()
    whole: bool = True


@dataclass(frozen=True)
class RuleReport:
    """What the rules found, and what they looked at."""

    findings: tuple[Finding, ...]
    """Their ids are `check-1` and so on, as long as they are not recorded."""
    quotes: tuple[QuoteCheck, ...]
    """Of live items and of retired ones."""
    chain: Chain
    source: Source | None
    tasks: int
    """Live tasks that are not done."""
    blocked: tuple[str, ...]
    """Labels of those that wait for something that is no task of the checkpoint."""

    @property
    def verified(self) -> int:
        return sum(each.state == "verified" for each in self.quotes)

    def count(self, state: str) -> int:
        return sum(each.state == state for each in self.quotes)


def report(
    body: CheckpointBody,
    quotes: Iterable[QuoteCheck],
    chain: Chain,
    before: CheckpointBody | None = None,
) -> RuleReport:
    """All rules over one content; `before` is its first parent's."""
    checked = tuple(quotes)
    blockers = list(_blockers(body))
    found = [
        *_evidence(body, checked),
        *blockers,
        *_links(body),
        *_duplicates(body),
        *_objective(body, before),
        *(_finding("broken_chain", fault) for fault in chain.faults),
    ]
    labels = labels_of(body)
    return RuleReport(
        tuple(replace(each, id=f"check-{number}") for number, each in enumerate(found, 1)),
        checked,
        chain,
        body.source,
        sum(_stands(task) for task in body.tasks),
        tuple(labels[uid] for each in blockers for uid in each.items[:1]),
    )


def walk(
    start: CheckpointId | None,
    body: CheckpointBody,
    look: LookBody,
    is_redacted: Callable[[CheckpointId], bool] = lambda _: False,
) -> Chain:
    """Follows all parents to the root. `start` is the id of `body`, None for one that is not
    saved. One that a text was taken out of keeps the id of what was written."""
    faults: list[str] = []
    if start is not None and checkpoint_id(body) != start and not is_redacted(start):
        faults.append(f"The content of {short(start)} does not give its id.")
    waiting, seen = [(start, body)], set[str]()
    verified = links = 0
    while waiting:
        child, content = waiting.pop(0)
        for parent in content.parents:
            if links == MOST_LINKS:
                return Chain(verified, links, tuple(faults), whole=False)
            links += 1
            found = look(parent)
            if found is None:
                of = f" of {short(child)}" if child else ""
                faults.append(f"The parent {short(parent)}{of} is not in the store.")
                continue
            if checkpoint_id(found) != parent and not is_redacted(parent):
                faults.append(f"The content of {short(parent)} does not give its id.")
            else:
                verified += 1
            if parent not in seen:
                seen.add(parent)
                waiting.append((parent, found))
    return Chain(verified, links, tuple(dict.fromkeys(faults)))


# ---- evidence ----------------------------------------------------------------------------------


def _evidence(body: CheckpointBody, quotes: Sequence[QuoteCheck]) -> Iterator[Finding]:
    """One finding for each item, since one change gives all its evidence."""
    for uid, (_, item) in parts_of(body).items():
        bad = [each for each in quotes if each.uid == uid and each.live and each.faulty]
        if not bad:
            continue
        near = next((each.nearest for each in bad if each.nearest), "")
        why = f'"{bad[0].evidence.quote}"' + (f"; nearest: {near}" if near else "")
        yield _finding(
            "unverified_evidence",
            f"{bad[0].label} {'; '.join(words(each) for each in bad)}.",
            uid,
            why=why,
            suggestion=Change("cite", uid, evidence=_corrected(item.evidence, bad)),
        )


def _corrected(evidence: tuple[Evidence, ...], bad: Sequence[QuoteCheck]) -> tuple[Evidence, ...]:
    now = {each.place: each.now for each in bad}
    return tuple(now.get(place, each) for place, each in enumerate(evidence))


# ---- tasks -------------------------------------------------------------------------------------


def _stands(task: Task) -> bool:
    return task.state == "live" and task.status == "open"


def task_names(task: Task, label: str) -> set[str]:
    """By which another task may call it."""
    return {comparison_key(name) for name in (task.id or "", task.text, task.uid, label)} - {""}


def _blockers(body: CheckpointBody) -> Iterator[Finding]:
    labels = labels_of(body)
    live = {
        name
        for task in body.tasks
        if task.state == "live"
        for name in task_names(task, labels[task.uid])
    }
    retired = {
        name
        for task in body.tasks
        if task.state == "retired"
        for name in task_names(task, labels[task.uid])
    }
    for task in body.tasks:
        own = task_names(task, labels[task.uid])
        missing = [
            name
            for name in task.blocked_by
            if comparison_key(name) not in live or comparison_key(name) in own
        ]
        if not missing or not _stands(task):
            continue
        facts = [_blocker_words(name, own, retired) for name in missing]
        links = tuple(
            dict.fromkeys(
                name if name not in missing else near
                for name in task.blocked_by
                if name not in missing or (near := _near_task(name, task, body))
            )
        )
        yield _finding(
            "missing_blocker",
            f"{labels[task.uid]} waits for {'; '.join(facts)}.",
            task.uid,
            why=task.text,
            suggestion=Change("block", task.uid, links=links),
        )


def _blocker_words(name: str, own: set[str], retired: set[str]) -> str:
    key = comparison_key(name)
    if key in own:
        return "itself"
    if key in retired:
        return f'"{name}", which is retired'
    return f'"{name}", which is no task here'


def _near_task(name: str, task: Task, body: CheckpointBody) -> str:
    """The slug or text of the one task that is nearly called so, "" for none."""
    others = [each for each in body.tasks if each is not task and each.state == "live"]
    by_key = {
        comparison_key(called): each.id or each.text
        for each in others
        for called in (each.text, each.id or "")
        if comparison_key(called)
    }
    close = get_close_matches(comparison_key(name), by_key, n=2, cutoff=_CLOSE)
    near = list(dict.fromkeys(by_key[each] for each in close))
    return near[0] if len(near) == 1 else ""


# ---- links, duplicates, objective --------------------------------------------------------------


def _links(body: CheckpointBody) -> Iterator[Finding]:
    parts, labels = parts_of(body), labels_of(body)
    standing = {each.id for each in body.artifacts}
    standing |= {uid for uid, (_, item) in parts.items() if item.state == "live"}
    standing |= {task.id for task in body.tasks if task.id and task.state == "live"}
    for uid, (_, item) in parts.items():
        dead = [target for target in item.rests_on if target not in standing]
        if not dead or item.state == "retired":
            continue
        facts = [
            f"{labels[target]}, which is retired"
            if target in labels
            else f'"{short(target)}", which is not here'
            for target in dead
        ]
        yield _finding(
            "dead_link",
            f"{labels[uid]} rests on {'; '.join(facts)}.",
            uid,
            *(target for target in dead if target in labels),
            why=item.text,
            suggestion=Change(
                "rest_on", uid, links=tuple(each for each in item.rests_on if each not in dead)
            ),
        )


def _duplicates(body: CheckpointBody) -> Iterator[Finding]:
    """Live items with one comparison key: within a list, and a decision that is also assumed or
    asked. A task may well be called as what was decided."""
    labels = labels_of(body)
    first: dict[tuple[str, str], Item | Task] = {}
    for kind in KINDS:
        group = "tasks" if kind == "tasks" else "words"
        for item in item_list(body, kind):
            key = comparison_key(item.text)
            done = isinstance(item, Task) and item.status == "done"
            if not key or item.state == "retired" or done:
                continue
            other = first.setdefault((group, key), item)
            if other is not item:
                yield _finding(
                    "duplicate",
                    f"{labels[item.uid]} says the same as {labels[other.uid]}.",
                    item.uid,
                    other.uid,
                    why=item.text,
                    suggestion=Change("retire", item.uid, by=other.uid),
                )


def _objective(body: CheckpointBody, before: CheckpointBody | None) -> Iterator[Finding]:
    if body.objective.strip():
        return
    had = before.objective.strip() if before else ""
    yield _finding(
        "empty_objective",
        "The objective is empty.",
        why="The checkpoint before it has one." if had else "",
        suggestion=Change("objective", text=had) if had else None,
    )


def _finding(
    kind: FindingKind, text: str, *items: str, why: str = "", suggestion: Change | None = None
) -> Finding:
    return Finding("", kind, "check", text, items, why, suggestion)
