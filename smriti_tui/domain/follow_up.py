"""The checkpoint that follows a review: the reviewed one with the changes that a person accepted.

Nothing vanishes unsaid: what is not changed is carried with its uid, and what is retired stands in
the follow-up as retired, with what replaced it and why (DESIGN 10.16). What rested on it rests on
what replaced it. What was retired already in
the reviewed checkpoint has been said there, and does not stand after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from smriti_tui.domain.checkpoint_input import MAX_TITLE, CheckpointInput, checkpoint_id
from smriti_tui.domain.findings import Change, SettledFinding
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.model import CheckpointBody, Evidence, Item, Task
from smriti_tui.domain.reviewed import labels_of

_LEAD = "Review of "
_NEEDS_TEXT = ("reword", "add", "drop_entity", "objective")
_ON_AN_ITEM = ("retire", "reword", "rest_on", "cite", "block")


@dataclass(frozen=True)
class Clash:
    """A change that cannot be made beside those before it, or at all."""

    finding: str
    """Id of the finding that it comes from."""
    why: str


@dataclass(frozen=True)
class FollowUp:
    """The content, and what stands in the way of saving it."""

    content: CheckpointInput
    changes: tuple[SettledFinding, ...]
    """Those that were made, in their order."""
    clashes: tuple[Clash, ...] = ()


@dataclass
class _Work:
    """The parts of a checkpoint while changes are made."""

    body: CheckpointBody
    items: dict[str, Item | Task]
    kinds: dict[str, str]
    entities: list[str]
    objective: str
    labels: dict[str, str]
    done: dict[tuple[str, str], Change] = field(default_factory=dict)
    """What was changed, by field and uid, and to what."""
    heirs: dict[str, str] = field(default_factory=dict)
    """Retired items, each with what replaces it."""
    grounds: dict[str, list[str]] = field(default_factory=dict)
    """Item to the new ones that it rests on, besides all others."""

    def label(self, uid: str | None) -> str:
        return self.labels.get(uid or "", "") or "an item"


class _Clashes(Exception):
    """Why a change is not made."""


def default_title(body: CheckpointBody) -> str:
    """`Review of <title>`, cut where that is too long."""
    whole = f"{_LEAD}{body.title}"
    return whole if len(whole) <= MAX_TITLE else f"{whole[: MAX_TITLE - 1]}…"


def followed(body: CheckpointBody, settled: Sequence[SettledFinding]) -> FollowUp:
    """`body` with every change that was accepted, as it was edited, in the order given.

    A new item has the id of its finding as its uid: so it is one and the same in what is shown and
    what is saved, and on every branch where the follow-up is written.
    """
    work = _work(body)
    made: list[SettledFinding] = []
    clashes: list[Clash] = []
    for each in settled:
        change = each.taken
        if change is None:
            continue
        try:
            _apply(work, each, change)
            made.append(each)
        except _Clashes as clash:
            clashes.append(Clash(each.finding.id, str(clash)))
    return FollowUp(_content(work), tuple(made), tuple(clashes))


def problem(change: Change, body: CheckpointBody) -> str:
    """Why a change says nothing that could be made of `body`, "" if it can be."""
    work = _work(body)
    try:
        _check(work, change)
    except _Clashes as clash:
        return str(clash)
    return ""


def _work(body: CheckpointBody) -> _Work:
    kinds = {
        item.uid: kind for kind in KINDS for item in item_list(body, kind) if item.state == "live"
    }
    items = {
        item.uid: item for kind in KINDS for item in item_list(body, kind) if item.uid in kinds
    }
    return _Work(body, items, kinds, [*body.entities], body.objective, labels_of(body))


def _check(work: _Work, change: Change) -> None:
    """Raises: _Clashes, the change lacks what it needs or names what is not there."""
    if change.change in _NEEDS_TEXT and not (change.text or "").strip():
        raise _Clashes("The change has no text.")
    if change.change in _ON_AN_ITEM and change.uid not in work.items:
        raise _Clashes("The item that it changes does not stand in the checkpoint.")
    if change.change == "add" and change.kind not in KINDS:
        raise _Clashes(f"{change.kind!r} is no list of a checkpoint.")
    if change.change == "block" and not isinstance(work.items.get(change.uid or ""), Task):
        raise _Clashes("Only a task can wait for another.")
    if change.change == "drop_entity" and change.text not in work.body.entities:
        raise _Clashes("The entity does not stand in the checkpoint.")
    if change.change == "retire" and change.by is not None:
        if change.by == change.uid:
            raise _Clashes(f"{work.label(change.uid)} cannot be replaced by itself.")
        if change.by not in work.items:
            raise _Clashes(f"What is to replace {work.label(change.uid)} does not stand here.")
    if change.change in ("rest_on", "add"):
        _check_links(work, change)


def _check_links(work: _Work, change: Change) -> None:
    """An add names the items that will rest on it; else links are what an item rests on."""
    targets = set(work.items)
    if change.change == "rest_on":
        targets |= {each.id for each in work.body.artifacts}
        targets |= {each.id for each in work.items.values() if isinstance(each, Task) and each.id}
        if change.uid in change.links:
            raise _Clashes(f"{work.label(change.uid)} cannot rest on itself.")
    if any(link not in targets for link in change.links):
        raise _Clashes("Something that the change links to does not stand in the checkpoint.")


def _apply(work: _Work, settled: SettledFinding, change: Change) -> None:
    """Raises: _Clashes."""
    _check(work, change)
    match change.change:
        case "retire":
            _retire(work, settled, change)
        case "add":
            _add(work, settled, change)
        case "drop_entity":
            _drop(work, change)
        case "objective":
            _once(work, "objective", "", change, "The objective")
            work.objective = (change.text or "").strip()
        case "reword":
            _set(work, change, "text", text=(change.text or "").strip())
        case "rest_on":
            _set(work, change, "rests_on", rests_on=change.links)
        case "cite":
            _set(work, change, "evidence", evidence=_kept(change.evidence, settled.settled_by))
        case "block":
            _set(work, change, "blocked_by", blocked_by=change.links)


def _kept(evidence: tuple[Evidence, ...], by: str | None) -> tuple[Evidence, ...]:
    """Words that are nowhere stay with the item, kept by who accepted that."""
    return tuple(
        replace(each, kept_by=by) if each.check == "not_found" and not each.kept_by else each
        for each in evidence
    )


def _once(work: _Work, what: str, uid: str, change: Change, name: str) -> None:
    """Raises: _Clashes, the same was changed before to something else."""
    before = work.done.setdefault((what, uid), change)
    if before != change:
        raise _Clashes(f"{name} is changed twice, to different things.")


def _standing(work: _Work, uid: str) -> Item | Task:
    """Raises: _Clashes, another change retires it."""
    item = work.items[uid]
    if item.state == "retired":
        raise _Clashes(f"{work.label(uid)} is retired by another change.")
    return item


def _set(work: _Work, change: Change, what: str, **values: Any) -> None:
    uid = change.uid or ""
    item = _standing(work, uid)
    _once(work, what, uid, change, f"{work.label(uid)}, its {what.replace('_', ' ')},")
    work.items[uid] = replace(item, **values)


def _retire(work: _Work, settled: SettledFinding, change: Change) -> None:
    uid = change.uid or ""
    if uid in work.heirs.values():
        raise _Clashes(f"{work.label(uid)} replaces another item and cannot go itself.")
    if any(owner == uid and what != "state" for what, owner in work.done):
        raise _Clashes(f"{work.label(uid)} is changed by another finding and cannot go as well.")
    if change.by is not None:
        _standing(work, change.by)
    _once(work, "state", uid, change, work.label(uid))
    if work.items[uid].state == "retired":
        return  # two findings say the same
    if change.by is not None:
        work.heirs[uid] = change.by
    work.items[uid] = replace(
        work.items[uid],
        state="retired",
        retired_by=settled.settled_by,
        reason=_why_retired(work, settled, change),
    )


def _why_retired(work: _Work, settled: SettledFinding, change: Change) -> str:
    """What stands in its place, and what was found. Labels count the lists of the checkpoint that
    was reviewed, so its id goes with them."""
    found = f"{settled.finding.text.rstrip('.')} (review of {short(checkpoint_id(work.body))})"
    why = settled.reason or found
    if change.by is None:
        return why
    verb = "resolved by" if work.kinds[change.uid or ""] == "open_questions" else "replaced by"
    return f'{verb} "{work.items[change.by].text}": {why}'


def _add(work: _Work, settled: SettledFinding, change: Change) -> None:
    """A new item, or the one that says the same already."""
    text, kind = (change.text or "").strip(), change.kind or ""
    key = comparison_key(text)
    same = (
        uid
        for uid, item in work.items.items()
        if work.kinds[uid] == kind and item.state == "live" and comparison_key(item.text) == key
    )
    uid = next(same, "") if key else ""
    if not uid:
        uid = settled.finding.id
        work.items[uid] = Task(uid, text) if kind == "tasks" else Item(uid, text)
        work.kinds[uid] = kind
    for link in change.links:
        if link != uid:
            work.grounds.setdefault(link, []).append(uid)


def _drop(work: _Work, change: Change) -> None:
    work.entities = [each for each in work.entities if each != change.text]


def _content(work: _Work) -> CheckpointInput:
    body = work.body

    def listed(kind: str) -> list[Item | Task]:
        return [_grounded(work, uid) for uid in work.items if work.kinds[uid] == kind]

    def plain(kind: str) -> tuple[Item, ...]:
        return tuple(each for each in listed(kind) if isinstance(each, Item))

    return CheckpointInput(
        title=default_title(body),
        objective=work.objective,
        summary=body.summary,
        decisions=plain("decisions"),
        assumptions=plain("assumptions"),
        tasks=tuple(each for each in listed("tasks") if isinstance(each, Task)),
        open_questions=plain("open_questions"),
        entities=tuple(work.entities),
        artifacts=body.artifacts,
        project_root=body.project_root,
    )


def _grounded(work: _Work, uid: str) -> Item | Task:
    """The item with its links: to what is new, and to what replaces what it rested on."""
    item = work.items[uid]
    if item.state == "retired":
        return item
    moved = (work.heirs.get(each, each) for each in item.rests_on)
    links = dict.fromkeys((*moved, *work.grounds.get(uid, ())))
    links.pop(uid, None)
    return replace(item, rests_on=tuple(links))
