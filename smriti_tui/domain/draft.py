"""A checkpoint that is being drafted: what the model proposed, what lives in the head, what a
person typed, and what of it is kept.

Entries know where they come from, so that drafting again takes the place of what nobody touched and
of nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.drafted import Cited, Drafted
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.form import live_items
from smriti_tui.domain.ids import new_id
from smriti_tui.domain.items import KINDS, comparison_key
from smriti_tui.domain.model import (
    Artifact,
    CheckpointBody,
    Evidence,
    Intent,
    Item,
    Task,
    TaskStatus,
)
from smriti_tui.domain.quotes import Passage
from smriti_tui.domain.values import canonical

Origin = Literal["model", "hand", "head"]
Keep = Literal["kept", "dropped", "asks"]
"""asks: its words were not found, and nobody has said yet whether it stays."""
TEXTS = ("title", "objective", "summary")
ASKING = frozenset({"not_found", "outside_window"})
"""Classes of a quote that need a person's word."""


@dataclass(frozen=True)
class Entry:
    """One row of the draft."""

    uid: str
    """Its own, or that of the head's item which it carries over."""
    kind: str
    """One of `KINDS`."""
    text: str
    origin: Origin = "hand"
    keep: Keep = "kept"
    touched: bool = False
    """Whether a person changed anything of it, its keeping too."""
    proposed: str = ""
    """The model's own words."""
    evidence: tuple[Evidence, ...] = ()
    nearest: Passage | None = None
    id: str | None = None
    intent_hint: Intent | None = None
    blocked_by: tuple[str, ...] = ()
    status: TaskStatus = "open"
    rests_on: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    """Uids that the model says it rests on; they count once they are taken."""


@dataclass(frozen=True)
class Attachment:
    """An artifact of the draft."""

    artifact: Artifact
    origin: Origin = "hand"
    kept: bool = True


@dataclass(frozen=True)
class DraftState:
    """All that the editor holds; `dump` and `load` keep it in a side table."""

    session: str
    line: int = 1
    first: int | None = None
    last: int | None = None
    head: str = ""
    """Id of the checkpoint that it follows, "" for none."""
    model: str = ""
    requests: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    title: str = ""
    objective: str = ""
    summary: str = ""
    proposed: dict[str, object] = field(default_factory=dict)
    """What the model said for each of `TEXTS`: a text that differs from it is a person's."""
    entries: tuple[Entry, ...] = ()
    entities: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    branch: str = ""
    """Name of a new branch, where one is needed."""
    writing: dict[str, object] = field(default_factory=dict)
    """What stands in the open dialog and is not taken yet: its fields, and under "" what it is
    about."""

    def of(self, kind: str, *, carried: bool = False) -> tuple[Entry, ...]:
        """The entries of one of `KINDS`, those of the head apart."""
        return tuple(
            each
            for each in self.entries
            if each.kind == kind and (each.origin == "head") == carried
        )

    def entry(self, uid: str) -> Entry | None:
        return next((each for each in self.entries if each.uid == uid), None)

    def count(self, keep: Keep) -> int:
        """How many entries, the head's left out."""
        return sum(each.keep == keep and each.origin != "head" for each in self.entries)


# ---- where it comes from -----------------------------------------------------------------------


def opened(session: str, head: CheckpointBody | None, head_id: str) -> DraftState:
    """An empty draft on a head, with all that lives there carried over."""
    state = DraftState(session, head=head_id)
    if head is None:
        return state
    return replace(
        state,
        objective=head.objective,
        proposed={"objective": head.objective},
        entries=tuple(_carried(kind, item) for kind in KINDS for item in live_items(head, kind)),
        entities=head.entities,
        attachments=tuple(Attachment(each, "head") for each in head.artifacts),
    )


def _carried(kind: str, item: Item | Task) -> Entry:
    entry = Entry(
        uid=item.uid,
        kind=kind,
        text=item.text,
        origin="head",
        evidence=item.evidence,
        rests_on=item.rests_on,
    )
    if not isinstance(item, Task):
        return entry
    return replace(
        entry,
        id=item.id,
        intent_hint=item.intent_hint,
        blocked_by=item.blocked_by,
        status=item.status,
    )


def drafted(state: DraftState, made: Drafted) -> DraftState:
    """`state` with what the model proposed, in the place of what it proposed before.

    What a person touched, typed or dropped stays as it is; a proposal that says the same again is
    not put beside it.
    """
    texts = {name: _text(state, made, name) for name in TEXTS}
    stay = [each for each in state.entries if each.origin != "model" or each.touched]
    known = {(each.kind, key) for each in stay if each.origin != "head" for key in _keys(each)}
    fresh = [
        entry
        for entry in (_entry(made, cited) for cited in made.items)
        if (entry.kind, comparison_key(entry.text)) not in known
    ]
    entries = (*stay, *fresh)
    return replace(
        state,
        title=texts["title"],
        objective=texts["objective"],
        summary=texts["summary"],
        line=made.line,
        first=made.first,
        last=made.last,
        model=made.model,
        requests=tuple(piece.request for piece in made.pieces),
        problems=made.problems,
        proposed={**state.proposed, **{name: getattr(made, name) for name in TEXTS if texts[name]}},
        entries=_with_offers(entries, made.items),
        entities=tuple(dict.fromkeys((*state.entities, *made.entities))),
    )


def _text(state: DraftState, made: Drafted, name: str) -> str:
    """The model's text, unless a person wrote there or it has none."""
    own: str = getattr(state, name)
    said: str = getattr(made, name)
    untouched = own == state.proposed.get(name, "")
    return said if said and untouched else own


def _keys(entry: Entry) -> set[str]:
    """The wordings that the entry stands for."""
    return {comparison_key(entry.text), comparison_key(entry.proposed)} - {""}


def _entry(made: Drafted, cited: Cited) -> Entry:
    item, checked = cited.item, cited.checked
    evidence = Evidence(item.quote, checked.check, made.session, checked.turn)
    return Entry(
        uid=new_id(),
        kind=item.kind,
        text=item.text,
        origin="model",
        keep="asks" if checked.check in ASKING else "kept",
        proposed=item.text,
        evidence=(evidence,),
        nearest=checked.nearest,
        id=item.id,
        intent_hint=item.intent_hint,
        blocked_by=item.blocked_by,
        status=item.status,
    )


def _with_offers(entries: Sequence[Entry], items: Sequence[Cited]) -> tuple[Entry, ...]:
    """The entries with what the model says they rest on, as far as it stands in the draft."""
    by_words: dict[str, str] = {}
    for entry in entries:
        for key in _keys(entry):
            by_words.setdefault(key, entry.uid)
    named = {
        (cited.item.kind, comparison_key(cited.item.text)): cited.item.rests_on for cited in items
    }
    result = []
    for entry in entries:
        said = named.get((entry.kind, comparison_key(entry.proposed)), ())
        found = (by_words.get(comparison_key(text), "") for text in said)
        offers = tuple(
            dict.fromkeys(
                uid for uid in found if uid and uid != entry.uid and uid not in entry.rests_on
            )
        )
        result.append(replace(entry, offers=offers) if offers != entry.offers else entry)
    return tuple(result)


# ---- what a person does ------------------------------------------------------------------------


def changed(state: DraftState, entry: Entry) -> DraftState:
    """`state` with `entry`, touched, in the place of the one with its uid."""
    touched = replace(entry, touched=True)
    entries = tuple(touched if each.uid == entry.uid else each for each in state.entries)
    return replace(state, entries=entries)


def toggled(state: DraftState, uid: str, actor: str) -> DraftState:
    """Keeps what is dropped or asks, drops what is kept. What is kept though its words were not
    found is marked as kept by `actor`."""
    entry = state.entry(uid)
    if entry is None:
        return state
    keep: Keep = "dropped" if entry.keep == "kept" else "kept"
    kept_by = actor if keep == "kept" else None
    evidence = tuple(
        replace(each, kept_by=kept_by) if each.check in ASKING else each for each in entry.evidence
    )
    return changed(state, replace(entry, keep=keep, evidence=evidence))


def carry_all(state: DraftState, *, carry: bool) -> DraftState:
    """Takes everything of the head along, or nothing."""
    keep: Keep = "kept" if carry else "dropped"
    return replace(
        state,
        entries=tuple(
            replace(each, keep=keep) if each.origin == "head" else each for each in state.entries
        ),
        attachments=tuple(
            replace(each, kept=carry) if each.origin == "head" else each
            for each in state.attachments
        ),
    )


def retyped(state: DraftState, uid: str, kind: str) -> DraftState:
    """The entry as one of another of `KINDS`, at the end of its list; the uid is a new one, since
    uids belong to a kind. A task's own fields come back if it becomes a task again."""
    entry = state.entry(uid)
    if entry is None or entry.kind == kind:
        return state
    own = entry.uid if entry.origin != "head" else new_id()
    moved = replace(entry, uid=own, kind=kind, touched=True)
    rest = tuple(each for each in state.entries if each.uid != uid)
    if entry.origin == "head":
        gone = replace(entry, keep="dropped")
        rest = tuple(gone if each.uid == uid else each for each in state.entries)
        moved = replace(moved, origin="hand")
    return replace(state, entries=(*rest, moved))


def shifted(state: DraftState, uid: str, by: int) -> DraftState:
    """The entry `by` places (1 or -1) further among those of its kind and origin."""
    entry = state.entry(uid)
    if entry is None:
        return state
    mine = list(state.of(entry.kind, carried=entry.origin == "head"))
    at = next(number for number, each in enumerate(mine) if each.uid == uid)
    to = min(max(at + by, 0), len(mine) - 1)
    other = mine[to].uid
    swap = {uid: mine[to], other: entry}
    return replace(state, entries=tuple(swap.get(each.uid, each) for each in state.entries))


def added(state: DraftState, kind: str, text: str) -> tuple[DraftState, str]:
    """`state` with a new item by hand, and its uid."""
    entry = Entry(new_id(), kind, text.strip(), touched=True)
    return replace(state, entries=(*state.entries, entry)), entry.uid


def asks(state: DraftState) -> int:
    """How many entries still need a person's word."""
    return sum(each.keep == "asks" for each in state.entries)


def dump(state: DraftState) -> str:
    """The draft as text, for the side table."""
    return canonical(to_json(state))


def load(text: str) -> DraftState | None:
    """The draft of such a text; None when it is not one (an older program may have written it)."""
    try:
        value = json.loads(text)
        return from_json(DraftState, value) if isinstance(value, dict) else None
    except (ValueError, Invalid):
        return None
