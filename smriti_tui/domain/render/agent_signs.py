"""What those at work should know of each other, as short signs and in full: conflicts that were
predicted, claims that overlap, changes off a claim, branches that went apart, a main that moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from smriti_tui.domain.claims import Claim, Overlap
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.divergence import Divergence
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import LETTERS
from smriti_tui.domain.model import MAIN, Checkpoint, Item, Task
from smriti_tui.domain.render.ages import exact
from smriti_tui.domain.signals import Certainty, Signal
from smriti_tui.domain.state_view import StateView

Mark = Literal["!", "~"]
CERTAIN: dict[Certainty, str] = {
    "certain": "A trial merge of both, with what is not committed, did conflict.",
    "likely": "Both changed the same place; git might still merge it.",
    "possible": "Both are near each other; git can merge it as it is now.",
}
HEADS: dict[Certainty, str] = {
    "certain": "CERTAIN CONFLICT",
    "likely": "LIKELY CONFLICT",
    "possible": "POSSIBLE CONFLICT",
}
ADVICE = "This is advice: nothing is locked, and nobody is kept from going on."
MOST_SHORT = 3
"""Pieces of evidence that a short sign tells."""


@dataclass(frozen=True)
class AgentSign:
    """One sign. `lines` say it shortly, `full` in full; `ids` are claims, worktrees or checkpoints
    that it is about."""

    key: str
    mark: Mark
    head: str
    lines: tuple[str, ...]
    full: tuple[tuple[str, str], ...]
    """Headings and texts."""
    ids: tuple[str, ...]
    checkpoint: str | None = None
    """What enter leads to, where that is a checkpoint."""

    @property
    def text(self) -> str:
        """All of it, for copying."""
        parts = (f"{heading}\n{words}" if heading else words for heading, words in self.full)
        return "\n\n".join([f"{self.mark} {self.head}", *parts])


def agent_signs(view: StateView, me: str) -> list[AgentSign]:
    """The gravest first: what conflicts or overlaps, then what only differs."""
    loud = [_of_signal(view, each) for each in view.signals if each.kind == "worktrees"]
    loud += [_of_overlap(each, view.now) for each in view.overlaps]
    quiet = list(_moved(view, me))
    quiet += [_of_signal(view, each) for each in view.signals if each.kind == "off_claim"]
    named = {each.head.id for each in view.divergences}
    quiet += [_of_divergence(view, each) for each in view.divergences]
    for signal in view.signals:
        if signal.kind == "same_item" and named.isdisjoint(signal.ids):
            quiet.append(_of_signal(view, signal))
    return [*loud, *quiet]


def is_conflict(sign: AgentSign) -> bool:
    """Whether it is one of those that the tab of the pane counts."""
    return sign.mark == "!"


# ---- of each kind ------------------------------------------------------------------------------


def _of_signal(view: StateView, signal: Signal) -> AgentSign:
    key = f"sign:{signal.kind}:{':'.join(signal.ids)}"
    evidence = [clean_line(each) for each in signal.evidence]
    short_evidence = _some([each.removesuffix(f" ({signal.certainty})") for each in evidence])
    full = [
        ("", clean_line(signal.text)),
        (f"Evidence: {signal.certainty}", CERTAIN[signal.certainty]),
        ("Files and lines" if signal.kind == "worktrees" else "Which", "\n".join(evidence)),
    ]
    full = [each for each in full if each[1]]
    if signal.kind != "worktrees":
        if signal.kind == "off_claim":
            full.pop(1)  # Nothing was tried out: the files are changed, or they are not.
        checkpoint = signal.ids[-1] if signal.kind == "same_item" else None
        return AgentSign(
            key, "~", clean_line(signal.text), short_evidence, (*full, ("", ADVICE)), signal.ids,
            checkpoint,
        )  # fmt: skip
    sides = [_side(view, each) for each in signal.ids]
    names = " x ".join(each[0] for each in sides)
    full += [(f"{name}: {place}", changed) for name, place, changed in sides]
    dirty = [bool(_dirty(view, each)) for each in signal.ids]
    state = "both dirty" if all(dirty) else "one is dirty" if any(dirty) else "both committed"
    return AgentSign(
        key, "!", HEADS[signal.certainty], (names, *short_evidence, state),
        (*full, ("", ADVICE)), signal.ids,
    )  # fmt: skip


def _side(view: StateView, worktree: str) -> tuple[str, str, str]:
    """Who works there, on which branch, and what is changed there."""
    look = next((each for each in view.worktrees if each.worktree.id == worktree), None)
    if look is None:
        return short(worktree), "closed", "It is closed by now."
    claim = next((each for each in view.claims if each.worktree == worktree), None)
    who = clean_line(claim.agent if claim else look.worktree.agent)
    lines = [f"claims: {clean_line(claim.scope)}"] if claim else []
    dirty = _dirty(view, worktree)
    lines.append(f"not committed: {', '.join(map(clean_line, dirty)) or 'nothing'}")
    if look.probed is not None and look.probed.ahead:
        lines.append(f"committed: {look.probed.ahead} ahead of {look.probed.against}")
    lines.append(clean_line(look.worktree.path))
    return who, clean_line(look.worktree.branch), "\n".join(lines)


def _dirty(view: StateView, worktree: str) -> Sequence[str]:
    look = next((each for each in view.worktrees if each.worktree.id == worktree), None)
    return look.probed.dirty if look is not None and look.probed is not None else ()


def _of_overlap(found: Overlap, now: str) -> AgentSign:
    names = [clean_line(each.agent) for each in (found.one, found.other)]
    full = [("", clean_line(found.why))]
    for role, claim in (("Earlier", found.one), ("Later", found.other)):
        full.append((f"{role}: {clean_line(claim.agent)} [{claim.intent}]", _claim_text(claim)))
    return AgentSign(
        f"sign:overlap:{found.one.id}:{found.other.id}", "!", "OVERLAP",
        (" x ".join(names), clean_line(found.why)), (*full, ("", ADVICE)),
        (found.one.id, found.other.id),
    )  # fmt: skip


def _claim_text(claim: Claim) -> str:
    task = f"\ntask {clean_line(claim.task_id)}" if claim.task_id else ""
    return f"{clean_line(claim.scope)}{task}\nsince {exact(claim.taken_at)}"


def _moved(view: StateView, me: str) -> Iterator[AgentSign]:
    """Claims on main that were taken before its head of now."""
    if view.head is None:
        return
    behind = [
        each
        for each in view.claims
        if each.branch_name == MAIN and each.base is not None and each.base != view.head.id
    ]
    if not behind:
        return
    names = dict.fromkeys("you" if each.agent == me else clean_line(each.agent) for each in behind)
    whose = "yours" if list(names) == ["you"] else f"the base of {', '.join(names)}"
    head = short(view.head.id)
    bases = "\n".join(
        f"{clean_line(each.agent)} began at {short(each.base or '')}: {clean_line(each.scope)}"
        for each in behind
    )
    title = f"{clean_line(view.head.title)}, by {clean_line(view.head.body.author)}"
    yield AgentSign(
        f"sign:moved:{view.head.id}", "~", f"{MAIN} moved: {head} is newer than {whose}", (),
        ((head, title), ("Claims that began before it", bases)),
        tuple(each.id for each in behind), view.head.id,
    )  # fmt: skip


def _of_divergence(view: StateView, found: Divergence) -> AgentSign:
    name, main = clean_line(found.branch.name), view.head
    told = [_label(main, ours) for ours, _ in found.changed]
    told += [_label(main, each) for each in found.only_main]
    full = [
        (f"{_label(main, ours)} in two wordings",
         f"{MAIN}: {clean_line(ours.text)}\n{name}: {clean_line(its.text)}")
        for ours, its in found.changed
    ]  # fmt: skip
    for where, head, entries in (
        (MAIN, main, found.only_main),
        (name, found.head, found.only_branch),
    ):
        texts = [f"{_label(head, each)} {clean_line(each.text)}".strip() for each in entries]
        if texts:
            full.append((f"Only on {where}", "\n".join(texts)))
    on = ", ".join(list(filter(None, told))[:MOST_SHORT]) or "its decisions"
    return AgentSign(
        f"sign:apart:{found.head.id}", "~", f"{name} differs from {MAIN} on {on}", (),
        tuple(full), (found.head.id,), found.head.id,
    )  # fmt: skip


def _label(head: Checkpoint | None, decision: Item | Task) -> str:
    """D1, D2 ... as it counts in a checkpoint."""
    decisions = head.body.decisions if head is not None else ()
    numbers = (at for at, each in enumerate(decisions, 1) if each.uid == decision.uid)
    return next((f"{LETTERS['decisions']}{at}" for at in numbers), "")


def _some(evidence: Sequence[str]) -> tuple[str, ...]:
    more = len(evidence) - MOST_SHORT
    return (*evidence[:MOST_SHORT], *((f"and {more} more",) if more > 0 else ()))
