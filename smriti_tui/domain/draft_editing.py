"""What a person does with a draft beside keeping and dropping, and what the editor counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import get_args

from smriti_tui.domain.draft import (
    ASKING,
    TEXTS,
    Attachment,
    DraftState,
    Entry,
    Keep,
    changed,
    opened,
)
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.form import live_items
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.items import KINDS, LETTERS, comparison_key, item_list
from smriti_tui.domain.model import Artifact, CheckpointBody, Evidence, Intent, TaskStatus
from smriti_tui.domain.quotes import Checked

PLACE = frozenset({"head", "last", "line", "first", "session"})
"""What a draft is made on, which nobody types."""


def is_touched(state: DraftState, start: DraftState) -> bool:
    """Whether the draft holds anything that a new one on its head would not."""
    return any(
        getattr(state, each.name) != getattr(start, each.name)
        for each in fields(DraftState)
        if each.name not in PLACE
    )


def labels(state: DraftState, head: CheckpointBody | None) -> dict[str, str]:
    """Uid to the label on the screen: the head's own, and behind them the others in order."""
    found: dict[str, str] = {}
    for kind in KINDS:
        old = item_list(head, kind) if head is not None else ()
        for number, item in enumerate(old, 1):
            found[item.uid] = f"{LETTERS[kind]}{number}"
        for number, entry in enumerate(state.of(kind), len(old) + 1):
            found[entry.uid] = f"{LETTERS[kind]}{number}"
    return found


def left_out(state: DraftState) -> dict[str, int]:
    """How many of each of the head's lists are not carried over; a done task is not missed, nor
    what a kept item says again."""
    said = {
        (each.kind, comparison_key(each.text))
        for each in state.entries
        if each.origin != "head" and each.keep == "kept"
    }
    missing = {
        kind: sum(
            each.keep != "kept"
            and not (each.kind == "tasks" and each.status == "done")
            and (kind, comparison_key(each.text)) not in said
            for each in state.of(kind, carried=True)
        )
        for kind in KINDS
    }
    missing["artifacts"] = sum(
        each.origin == "head" and not each.kept for each in state.attachments
    )
    return {kind: count for kind, count in missing.items() if count}


def with_text(state: DraftState, name: str, text: str) -> DraftState:
    """`state` with another text in the place of one of `TEXTS`."""
    if name == "title":
        return replace(state, title=text)
    return replace(state, objective=text) if name == "objective" else replace(state, summary=text)


def resting_on(state: DraftState, uid: str) -> tuple[str, ...]:
    """Uids of the kept entries that rest on this one."""
    return tuple(each.uid for each in state.entries if uid in each.rests_on and each.keep == "kept")


def offer_taken(state: DraftState, uid: str) -> DraftState:
    """What the model says the entry rests on counts from here on."""
    entry = state.entry(uid)
    if entry is None or not entry.offers:
        return state
    links = tuple(dict.fromkeys((*entry.rests_on, *entry.offers)))
    return changed(state, replace(entry, rests_on=links, offers=()))


# ---- what is typed -----------------------------------------------------------------------------


@dataclass(frozen=True)
class TypedItem:
    """The fields of an item as they stand in its dialog."""

    text: str
    turn: str = ""
    quote: str = ""
    id: str = ""
    intent: str = ""
    blocked_by: str = ""
    """One per line: ids, texts, or labels of the screen."""
    status: str = ""

    def cites(self) -> bool:
        return bool(self.turn.strip() or self.quote.strip())

    def turn_number(self) -> int | None:
        """Raises: Invalid."""
        given = self.turn.strip().lower().removeprefix("turn").removeprefix("t").strip()
        if not given:
            return None
        if not (given.isascii() and given.isdigit() and len(given) < 10):
            raise Invalid("A turn is a number.", "Take one that the chat shows.", field="turn")
        return int(given)


def typed_of(entry: Entry) -> TypedItem:
    """What the dialog of an entry begins with."""
    cited = entry.evidence[0] if entry.evidence else None
    return TypedItem(
        entry.text,
        "" if cited is None or cited.turn is None else str(cited.turn),
        cited.quote if cited is not None else "",
        entry.id or "",
        entry.intent_hint or "",
        "\n".join(entry.blocked_by),
        entry.status,
    )


def as_typed(
    entry: Entry, typed: TypedItem, checked: Checked | None, names: Mapping[str, str]
) -> Entry:
    """`entry` with what was typed; `checked` is what became of another citation, None where it was
    left as it is or taken away. `names` are what labels of tasks stand for.

    Words that were not said ask again, whoever cited them.

    Raises:
        Invalid: `field` names what cannot be taken.
    """
    text = typed.text.strip()
    if not text:
        raise Invalid("An item needs text.", "Type it, or drop the item with space.", field="text")
    made = _recited(replace(entry, text=text), typed, checked)
    if entry.kind != "tasks":
        return made
    given = (line.strip() for line in typed.blocked_by.split("\n"))
    blockers = [names.get(each.upper(), each) for each in given]
    return replace(
        made,
        id=typed.id.strip() or None,
        intent_hint=_intent(typed.intent),
        blocked_by=tuple(dict.fromkeys(each for each in blockers if each)),
        status=_status(typed.status),
    )


def _recited(entry: Entry, typed: TypedItem, checked: Checked | None) -> Entry:
    if not typed.cites():
        return replace(entry, evidence=(), nearest=None, keep=_settled(entry))
    if checked is None:
        return entry
    evidence = Evidence(typed.quote.strip(), checked.check, None, checked.turn)
    keep: Keep = "asks" if checked.check in ASKING else _settled(entry)
    return replace(
        entry,
        evidence=(evidence, *entry.evidence[1:]),
        nearest=checked.nearest,
        keep=keep,
    )


def _settled(entry: Entry) -> Keep:
    """Its words are no question any more."""
    return "kept" if entry.keep == "asks" else entry.keep


def recites(entry: Entry, typed: TypedItem) -> bool:
    """Whether the citation is another one than the entry's."""
    before = typed_of(entry)
    return typed.cites() and (typed.turn.strip(), typed.quote.strip()) != (
        before.turn,
        before.quote,
    )


def in_session(entry: Entry, session: str) -> Entry:
    """The entry with the session named where its words are said to stand."""
    return replace(
        entry,
        evidence=tuple(
            replace(each, session=SessionId(session))
            if each.session is None and each.document_sha256 is None
            else each
            for each in entry.evidence
        ),
    )


def _intent(given: str) -> Intent | None:
    word = given.strip().lower()
    known: tuple[Intent, ...] = get_args(Intent)
    found = next((each for each in known if each == word), None)
    if word and found is None:
        raise Invalid(f"{given.strip()!r} is none.", f"One of {', '.join(known)}.", field="intent")
    return found


def _status(given: str) -> TaskStatus:
    word = given.strip().lower() or "open"
    if word == "open":
        return "open"
    if word == "done":
        return "done"
    raise Invalid("A task is open or done.", "Type one of the two.", field="status")


# ---- artifacts ---------------------------------------------------------------------------------


def attached(state: DraftState, artifact: Artifact) -> DraftState:
    """`state` with the artifact in the place of the one with its id, else at the end."""
    known = any(each.artifact.id == artifact.id for each in state.attachments)
    rest = tuple(
        replace(each, artifact=artifact, kept=True) if each.artifact.id == artifact.id else each
        for each in state.attachments
    )
    return replace(state, attachments=rest if known else (*rest, Attachment(artifact)))


def attachment_toggled(state: DraftState, artifact_id: str) -> DraftState:
    """Keeps it, or leaves it out."""
    return replace(
        state,
        attachments=tuple(
            replace(each, kept=not each.kept) if each.artifact.id == artifact_id else each
            for each in state.attachments
        ),
    )


def attachment_shifted(state: DraftState, artifact_id: str, by: int) -> DraftState:
    """One place further among those of its origin."""
    found = next((e for e in state.attachments if e.artifact.id == artifact_id), None)
    if found is None:
        return state
    mine = [each for each in state.attachments if each.origin == found.origin]
    at = mine.index(found)
    other = mine[min(max(at + by, 0), len(mine) - 1)]
    swap = {found.artifact.id: other, other.artifact.id: found}
    order = tuple(swap.get(each.artifact.id, each) for each in state.attachments)
    return replace(state, attachments=order)


# ---- another head ------------------------------------------------------------------------------


def rebased(state: DraftState, head: CheckpointBody | None, head_id: str) -> DraftState:
    """The draft on another head: what lives there is carried over, and what was left out of the
    old one stays out. A text that nobody changed is the new head's."""
    fresh = opened(state.session, head, head_id)
    before = {each.uid: each for each in state.entries if each.origin == "head"}
    held = {each.artifact.id: each for each in state.attachments if each.origin == "head"}
    own = tuple(each for each in state.entries if each.origin != "head")
    carried = tuple(
        replace(each, keep=old.keep) if (old := before.get(each.uid)) else each
        for each in fresh.entries
    )
    artifacts = tuple(
        replace(each, kept=known.kept) if (known := held.get(each.artifact.id)) else each
        for each in fresh.attachments
    )
    mine = tuple(each for each in state.attachments if each.origin != "head")
    untouched = {name for name in TEXTS if getattr(state, name) == state.proposed.get(name, "")}
    inherited = not state.requests and "objective" in untouched
    return replace(
        state,
        head=head_id,
        entries=(*own, *carried),
        attachments=(*mine, *artifacts),
        objective=fresh.objective if inherited else state.objective,
        proposed=fresh.proposed if inherited else state.proposed,
        entities=tuple(dict.fromkeys((*state.entities, *fresh.entities))),
    )


def new_in(head: CheckpointBody | None, state: DraftState) -> int:
    """How many live items of a head the draft does not know yet."""
    known = {each.uid for each in state.entries}
    items: Sequence[str] = (
        [item.uid for kind in KINDS for item in live_items(head, kind)] if head else []
    )
    return sum(uid not in known for uid in items)
