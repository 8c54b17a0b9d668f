"""Checkpoints: save, list, show, prove (DESIGN 10.14 to 10.16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from smriti_tui.domain.checkpoint_input import CheckpointInput, body_of, check_input, checkpoint_id
from smriti_tui.domain.codec import from_json, to_json
from smriti_tui.domain.errors import Conflict, Invalid, StoreBroken
from smriti_tui.domain.events import BranchOpened, CheckpointSaved
from smriti_tui.domain.ids import BranchId, CheckpointId, SessionId, SpaceId, new_id, short
from smriti_tui.domain.items import item_list, omitted
from smriti_tui.domain.model import (
    MAIN,
    Branch,
    Checkpoint,
    CheckpointBody,
    CheckpointSummary,
    Item,
    Note,
    Source,
    Task,
)
from smriti_tui.domain.recheck import Rechecker
from smriti_tui.domain.values import Repairs, repair_value
from smriti_tui.services.answers import settle_orphans
from smriti_tui.services.caller import Caller
from smriti_tui.services.contexts import line_view
from smriti_tui.services.rechecking import rechecker, unfound_words
from smriti_tui.services.spaces import check_name
from smriti_tui.store import checkpoints, find, redacted, sessions, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.scope import WriteScope


@dataclass(frozen=True)
class Place:
    """Where a checkpoint goes: branch and first parent; `opens` when the branch is new."""

    branch: BranchId
    branch_name: str
    parent: CheckpointId | None
    opens: bool
    source: Source | None


@dataclass(frozen=True)
class Saved:
    """A saved (or, in a dry run, possible) checkpoint, and the parent's live items it leaves
    out."""

    checkpoint: Checkpoint
    omitted: Mapping[str, tuple[Item | Task, ...]]

    @property
    def omitted_count(self) -> int:
        return sum(len(items) for items in self.omitted.values())


@dataclass(frozen=True)
class CheckpointCheck:
    """What proving one checkpoint found; `faults` is empty when it holds."""

    id: CheckpointId
    title: str
    faults: tuple[str, ...]
    redacted: bool = False
    """A text was taken out of it: its id is that of what was saved."""


@dataclass(frozen=True)
class CheckpointService:
    caller: Caller

    def place(
        self, space: SpaceId, *, session: SessionId | None = None, branch: str | None = None
    ) -> Place:
        """Where a save would go now. Raises: as `create`."""
        with self.caller.read() as tx:
            return _place(tx, space, session, branch)

    def check_place(
        self,
        space: SpaceId,
        *,
        session: SessionId | None = None,
        branch: str | None = None,
        expect_head: str | None = None,
    ) -> None:
        """Whether `create` could save there now, for who first does something dear. Raises: as it
        does for these."""
        _check_head(self.place(space, session=session, branch=branch), expect_head)

    def earlier(self, space: SpaceId, command_id: str | None) -> Saved | None:
        """What a command of this id saved in the Space; None the first time.

        Raises:
            Conflict: the id was used for something else. Invalid: it is no UUID.
        """
        if command_id is None:
            return None
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            events = scope.earlier(CheckpointSaved, f"space/{space}")
            return self._again(tx, CheckpointId(str(events[-1].body()["id"]))) if events else None

    def create(
        self,
        space: SpaceId,
        content: CheckpointInput,
        *,
        session: SessionId | None = None,
        branch: str | None = None,
        expect_head: str | None = None,
        last: int | None = None,
        carry_all: bool = False,
        dry_run: bool = False,
        command_id: str | None = None,
    ) -> Saved:
        """Saves a checkpoint on the branch that session, line and `branch` lead to.

        `expect_head` is the id of the head it was written on, "" for none. `last` is the newest
        ended answer when the writer read the session. With `carry_all` the parent's live items that
        the content leaves out are taken along.

        Raises:
            Invalid: the content cannot be saved. NotFound: no such Space, session or branch.
            Conflict: the head is another one (`stale_head`), or a mounted line needs the name of a
                new branch (`branch_needed`).
        """
        content, repairs = _repaired(content)
        check_input(content)
        if session is not None:
            settle_orphans(self.caller, session)
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(CheckpointSaved, f"space/{space}"):
                return self._again(tx, CheckpointId(str(earlier[-1].body()["id"])))
            place = _place(tx, space, session, branch, last)
            _check_head(place, expect_head)
            draft = _Draft(space, content, repairs, place, carry_all)
            return _save(scope, tx, draft, dry_run=dry_run)

    def create_on_new_branch(
        self,
        space: SpaceId,
        content: CheckpointInput,
        *,
        branch: str,
        start: CheckpointId | None,
        command_id: str | None = None,
    ) -> Saved:
        """Opens `branch` at `start` and saves there, both or none. It names no source turns.

        Raises:
            Invalid: the content or the name cannot be used, or `start` is another Space's.
            NotFound: no such Space or checkpoint.
            Conflict: there is such a branch (code `branch_exists`).
        """
        content, repairs = _repaired(content)
        check_input(content)
        with self.caller.write(command_id) as scope, self.caller.read() as tx:
            if earlier := scope.earlier(CheckpointSaved, f"space/{space}"):
                return self._again(tx, CheckpointId(str(earlier[-1].body()["id"])))
            spaces.space(tx, space)
            if start is not None and checkpoints.checkpoint(tx, start).body.space != space:
                raise Invalid(
                    f"Checkpoint {short(start)} belongs to another Space.", "Start at one of this."
                )
            name = _new_branch(tx, space, branch)
            place = Place(BranchId(new_id()), name, start, True, None)
            return _save(scope, tx, _Draft(space, content, repairs, place, False))

    def _again(self, tx: Tx, known: CheckpointId) -> Saved:
        made = checkpoints.checkpoint(tx, known)
        parents = made.body.parents
        parent = checkpoints.find_checkpoint(tx, parents[0] if parents else None)
        return Saved(made, omitted(parent.body, made.body) if parent else {})

    def of_space(
        self,
        space: SpaceId,
        *,
        branch: str | None = None,
        author: str | None = None,
        limit: int | None = None,
        before: int | None = None,
    ) -> list[CheckpointSummary]:
        """Checkpoints of a Space, newest first. Raises: NotFound."""
        with self.caller.read() as tx:
            spaces.space(tx, space)
            row = find.branch_row(tx, space, branch) if branch else None
            return checkpoints.summaries(
                tx,
                space,
                branch=BranchId(row.id) if row else None,
                author=author,
                limit=limit,
                before=before,
            )

    def find(self, wanted: str) -> Checkpoint:
        """A checkpoint by id or prefix. Raises: NotFound, Ambiguous, Invalid."""
        with self.caller.read() as tx:
            return checkpoints.checkpoint(tx, find.checkpoint_id(tx, wanted))

    def get(self, checkpoint: CheckpointId) -> Checkpoint:
        """Raises: NotFound."""
        with self.caller.read() as tx:
            return checkpoints.checkpoint(tx, checkpoint)

    def notes(self, checkpoint: CheckpointId) -> tuple[Note, ...]:
        with self.caller.read() as tx:
            return tuple(checkpoints.notes(tx, checkpoint))

    def verify(
        self, space: SpaceId | None = None, one: CheckpointId | None = None
    ) -> tuple[CheckpointCheck, ...]:
        """Proves ids, parents and stored quotes: of one checkpoint, of a Space, or of all."""
        with self.caller.read() as tx:
            if one is not None:
                return (Prover(tx).one(checkpoints.checkpoint(tx, one)),)
            wanted = [space] if space else [found.id for found in spaces.all_spaces(tx)]
            rows = [row for each in wanted for row in checkpoints.summaries(tx, each)]
            prover = Prover(tx)
            return tuple(prover.row(row) for row in rows)


@dataclass(frozen=True)
class _Draft:
    """What is to be saved, and where."""

    space: SpaceId
    content: CheckpointInput
    repairs: Repairs
    place: Place
    carry_all: bool


def _save(scope: WriteScope, tx: Tx, draft: _Draft, *, dry_run: bool = False) -> Saved:
    place = draft.place
    parent = checkpoints.find_checkpoint(tx, place.parent)
    body = _body(draft, parent, scope.actor, scope.now())
    saved = CheckpointSaved(CheckpointId(checkpoint_id(body)), place.branch, body)
    made = Checkpoint(saved.id, place.branch, body, 0, place.branch_name)
    if not dry_run:
        stream = f"space/{draft.space}"
        if place.opens:
            scope.append(stream, BranchOpened(place.branch, place.branch_name, place.parent))
        stored = scope.append(stream, saved, repairs=draft.repairs)
        made = replace(made, position=stored.position)
    return Saved(made, omitted(parent.body, body) if parent else {})


@dataclass
class Prover:
    """Proves checkpoints within one transaction; what was read for one serves the next."""

    tx: Tx
    _checkers: dict[SpaceId, Rechecker] = field(default_factory=dict)

    def row(self, row: CheckpointSummary) -> CheckpointCheck:
        """Proves the checkpoint of a row; one that cannot be read is a fault, too."""
        try:
            return self.one(checkpoints.checkpoint(self.tx, row.id))
        except StoreBroken as error:
            return CheckpointCheck(row.id, row.title, (error.message.rstrip("."),))

    def one(self, checkpoint: Checkpoint) -> CheckpointCheck:
        """Its id, its parents, and the quotes that were found when it was saved."""
        faults: list[str] = []
        body = checkpoint.body
        changed = checkpoint_id(body) != checkpoint.id
        was_redacted = changed and redacted.of_checkpoint(self.tx, checkpoint.id)
        if changed and not was_redacted:
            faults.append("its content does not give its id")
        for parent in body.parents:
            if not checkpoints.is_known(self.tx, parent):
                faults.append(f"its parent {short(parent)} is not in the store")
        checker = self._checkers.setdefault(body.space, rechecker(self.tx, body.space))
        faults += unfound_words(checker, checkpoint)
        return CheckpointCheck(checkpoint.id, checkpoint.title, tuple(faults), was_redacted)


def _place(
    tx: Tx,
    space: SpaceId,
    session: SessionId | None,
    branch: str | None,
    last: int | None = None,
) -> Place:
    spaces.space(tx, space)
    if session is None:
        row = spaces.to_branch(find.branch_row(tx, space, branch or MAIN))
        return Place(row.id, row.name, spaces.tip(tx, row), False, None)
    found = sessions.session(tx, session)
    if found.space != space or found.branch is None:
        raise Invalid(
            f"Session {short(session)} is not in this Space.", "Name the Space it lies in."
        )
    view = line_view(tx, found, 1)
    source = _source(tx, session, view.line.line, view.floor, last)
    if view.line.line == 1:
        own = spaces.branch(tx, found.branch)
        _check_same_branch(own, branch)
        return Place(own.id, own.name, spaces.tip(tx, own), False, source)
    anchor = view.anchor
    if anchor is None:
        raise Conflict("The mounted checkpoint is gone.", "Unmount, then save.", code="anchor_gone")
    home = spaces.branch(tx, anchor.branch)
    if home.head == anchor.id and branch in (None, home.name):
        return Place(home.id, home.name, anchor.id, False, source)
    if branch is None:
        raise Conflict(
            f"Checkpoint {short(anchor.id)} is mounted and is not the head of {home.name}.",
            "Name a new branch (--branch NAME) that starts there.",
            code="branch_needed",
            details={"checkpoint": anchor.id, "branch": home.name, "head": home.head},
        )
    return Place(BranchId(new_id()), _new_branch(tx, space, branch), anchor.id, True, source)


def _check_same_branch(own: Branch, wanted: str | None) -> None:
    if wanted is not None and wanted not in (own.name, own.id):
        raise Invalid(
            f"The session is on branch {own.name!r}, not {wanted!r}.",
            "Leave --branch out, or save without --session.",
            field="branch",
        )


def _new_branch(tx: Tx, space: SpaceId, wanted: str) -> str:
    name = check_name(wanted, "branch")
    if any(branch.name == name for branch in spaces.branches(tx, space)):
        raise Conflict(
            f"There is a branch {name!r} already.", "Choose another name.", code="branch_exists"
        )
    return name


def _source(tx: Tx, session: SessionId, line: int, floor: int, last: int | None) -> Source:
    """The turns of a line above its floor, up to the newest answer that has ended.

    Without such an answer the source ends at the floor, so that turns which are in an earlier
    checkpoint of the line do not come back.
    """
    newest = sessions.newest_ended_answer(tx, session, line, floor)
    if last is None:
        last = newest
    elif last > max(newest or 0, floor):
        raise Invalid(
            f"Turn {last} is no ended answer of this part of the session.",
            "Open the session again, then save.",
            field="last",
        )
    first = sessions.first_turn(tx, session, line, floor)
    if last is None or first is None or first > last:
        return Source(session, line, None, floor or None)
    return Source(session, line, first, last)


def _check_head(place: Place, expected: str | None) -> None:
    if expected is None:
        return
    actual = place.parent or ""
    if actual == expected or (len(expected) >= 4 and actual.startswith(expected)):
        return
    raise Conflict(
        f"The head of {place.branch_name} is {short(actual) or 'none'}, not "
        f"{short(expected) or 'none'}.",
        "Look at what came, then save on the new head or on a branch.",
        code="stale_head",
        details={"expected": expected, "actual": actual or None, "branch": place.branch_name},
    )


def _body(draft: _Draft, parent: Checkpoint | None, actor: str, now: str) -> CheckpointBody:
    content, place = draft.content, draft.place
    before = parent.body if parent else None
    body = body_of(
        content,
        before,
        space=draft.space,
        parents=(place.parent,) if place.parent else (),
        author=actor,
        created_at=now,
        source=place.source,
    )
    return _carried(before, body) if draft.carry_all and before else body


def _repaired(content: CheckpointInput) -> tuple[CheckpointInput, Repairs]:
    """As it will stand in the log, from which the id is derived (DESIGN 10.3, 10.15)."""
    fixed, found = repair_value(to_json(content))
    return (from_json(CheckpointInput, fixed), found) if found else (content, found)


def _carried(parent: CheckpointBody, body: CheckpointBody) -> CheckpointBody:
    """`body` with the live items of its parent that it leaves out, after its own."""

    def left(kind: str) -> tuple[Item | Task, ...]:
        held = {item.uid for item in item_list(body, kind)}
        return tuple(
            item
            for item in item_list(parent, kind)
            if item.uid not in held and item.state == "live"
        )

    def items(kind: str) -> tuple[Item, ...]:
        return tuple(item for item in left(kind) if isinstance(item, Item))

    return replace(
        body,
        decisions=(*body.decisions, *items("decisions")),
        assumptions=(*body.assumptions, *items("assumptions")),
        open_questions=(*body.open_questions, *items("open_questions")),
        tasks=(*body.tasks, *(task for task in left("tasks") if isinstance(task, Task))),
    )
