"""A Space of the original Smriti: its checkpoints, branches, notes and claims."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from smriti_tui.domain.checkpoint_input import (
    CheckpointInput,
    body_of,
    checkpoint_id,
    parse_checkpoint,
)
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.events import (
    BranchOpened,
    CheckpointSaved,
    ClaimEnded,
    ClaimTaken,
    NoteAdded,
    SpaceCreated,
)
from smriti_tui.domain.ids import BranchId, CheckpointId, SpaceId, is_uuid, new_id
from smriti_tui.domain.import_report import LeftOut, Report, Watch
from smriti_tui.domain.imported import DumpedCheckpoint, DumpedClaim, Skipped, SpaceDump
from smriti_tui.domain.items import KINDS, comparison_key, item_list
from smriti_tui.domain.model import MAIN, CheckpointBody, ClaimStatus, Intent, Item, NoteKind, Task
from smriti_tui.domain.values import MAX_NAME, repair_value
from smriti_tui.services.caller import Caller
from smriti_tui.services.forking import free_branch_name, open_branch
from smriti_tui.store import checkpoints, claims, spaces
from smriti_tui.store.engine import Tx
from smriti_tui.store.scope import WriteScope

EPOCH: Final = "1970-01-01T00:00:00.000000Z"
"""Of a checkpoint whose time is not known: the same each time it is imported."""


@dataclass
class SpaceImport:
    """One Space as it comes in; each checkpoint is a transaction of its own with its notes."""

    caller: Caller
    dump: SpaceDump
    file: str
    report: Report
    space: SpaceId
    known: dict[str, CheckpointId] = field(default_factory=dict)
    """By their ids in the original."""
    branches: dict[str, BranchId] = field(default_factory=dict)
    """By their names there: where the newest checkpoint of each went."""

    def run(self, watch: Watch) -> None:
        """Brings everything in that is not here. Raises: Cancelled, between two checkpoints."""
        for each in self.dump.checkpoints():
            watch.piece(0)
            try:
                self._checkpoint(each)
            except SmritiError as error:
                what = Skipped(f"checkpoint {each.hash[:7] or each.source_id}", error.message)
                self.report.skipped.append(LeftOut(self.file, what))
        for claim in self.dump.claims():
            watch.piece(0)
            self._claim(claim)

    # ---- checkpoints -----------------------------------------------------------------------------

    def _checkpoint(self, given: DumpedCheckpoint) -> None:
        content = parse_checkpoint(repair_value(dict(given.content))[0])
        with self.caller.write() as scope, self.caller.read() as tx:
            parent = self.known.get(given.parent or "")
            before = checkpoints.find_checkpoint(tx, parent)
            body = body_of(
                _with_ids(content, before.body if before else None, given.source_id),
                before.body if before else None,
                space=self.space,
                parents=(parent,) if parent else (),
                author=clean_line(given.author)[:MAX_NAME],
                created_at=given.created_at or EPOCH,
            )
            made = CheckpointId(checkpoint_id(body))
            self.known[given.source_id] = made
            if checkpoints.is_known(tx, made):
                self.report.known_checkpoints += 1
                if (here := checkpoints.find_checkpoint(tx, made)) is not None:
                    self.branches[given.branch] = here.branch
                return
            branch = self._branch(scope, tx, given, parent)
            scope.append(f"space/{self.space}", CheckpointSaved(made, branch, body))
            for note in _notes(given, made):
                scope.append(f"space/{self.space}", note)
        self.branches[given.branch] = branch
        self.report.checkpoints += 1

    def _branch(
        self, scope: WriteScope, tx: Tx, given: DumpedCheckpoint, parent: CheckpointId | None
    ) -> BranchId:
        """The branch that ends at the parent, else one of that name that is empty, else a new one:
        what stands on a branch here is not moved away."""
        wanted = clean_line(given.branch)[:MAX_NAME] or MAIN
        rows = spaces.branches(tx, self.space)
        last = self.branches.get(given.branch)
        for row in rows:
            if row.head == parent and (row.id == last or row.name == wanted):
                return row.id
        name = free_branch_name(tx, self.space, None, wanted)
        return open_branch(scope, self.space, name, parent)

    # ---- claims ----------------------------------------------------------------------------------

    def _claim(self, given: DumpedClaim) -> None:
        claim = given.source_id if is_uuid(given.source_id) else _made(given.source_id, "claim")
        stream = f"claims/{self.space}"
        with self.caller.write() as scope, self.caller.read() as tx:
            if scope.tables.one("claim", {"id": claim}, ("id",)) is not None:
                return
            branch = self.branches.get(given.branch) or spaces.main_branch(tx, self.space).id
            taken = ClaimTaken(
                claim=claim,
                agent=clean_line(given.agent)[:MAX_NAME],
                scope=given.scope,
                intent=cast("Intent", given.intent),
                branch=branch,
                expires_at=given.expires_at,
                token=claims.next_token(tx, self.space, given.task_id),
                task_id=given.task_id,
                base=self.known.get(given.base or ""),
            )
            scope.append(stream, taken)
            if given.status != "active":
                status = cast("ClaimStatus", given.status)
                scope.append(stream, ClaimEnded(claim, status))
        self.report.claims += 1


def space_for(caller: Caller, dump: SpaceDump, wanted: SpaceId | None) -> SpaceId:
    """The Space that takes a dump's: the one that is wanted, else one with the dump's own id, which
    is made where there is none."""
    if wanted is not None:
        return wanted
    own = SpaceId(dump.source_id if is_uuid(dump.source_id) else _made(dump.source_id, "space"))
    with caller.write() as scope:
        if scope.tables.one("space", {"id": own}, ("id",)) is None:
            stream = f"space/{own}"
            name = clean_line(dump.name).strip()[:MAX_NAME] or f"Space {own[:8]}"
            scope.append(stream, SpaceCreated(name, dump.description, dump.project_root))
            scope.append(stream, BranchOpened(BranchId(new_id()), MAIN))
    return own


def _made(source: str, what: str) -> str:
    """An id that is the same each time."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"smriti:{source}:{what}"))


def _with_ids(
    content: CheckpointInput, before: CheckpointBody | None, source: str
) -> CheckpointInput:
    """Items that were there before keep their uid; new ones get one that is the same whenever the
    checkpoint is imported, so that its id is too."""
    changed: dict[str, Sequence[Item | Task]] = {}
    for kind in KINDS:
        earlier = item_list(before, kind) if before else ()
        free = {comparison_key(each.text) for each in earlier if each.state == "live"}
        items: list[Item | Task] = []
        for place, item in enumerate(getattr(content, kind)):
            key = comparison_key(item.text)
            uid = "" if key and key in free else _made(source, f"{kind}:{place}")
            free.discard(key)
            items.append(replace(item, uid=uid))
        changed[kind] = tuple(items)
    return replace(content, **cast("Mapping[str, object]", changed))  # type: ignore[arg-type]


def _notes(given: DumpedCheckpoint, made: CheckpointId) -> Iterator[NoteAdded]:
    origin = f"From the original Smriti: checkpoint {given.hash or '-'}, id {given.source_id}"
    yield NoteAdded(_made(given.source_id, "origin"), made, clean_line(origin))
    for number, note in enumerate(given.notes):
        name = _made(given.source_id, f"note:{number}")
        yield NoteAdded(name, made, note.text, cast("NoteKind", note.kind))
