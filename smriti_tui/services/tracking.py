"""The tracker's items, written by people and agents: each rule is looked at under the lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smriti_tui.domain.errors import Conflict, Invalid, NotFound
from smriti_tui.domain.ids import new_id
from smriti_tui.domain.view_files.base import NewFact
from smriti_tui.domain.views import Items, tracker
from smriti_tui.services.caller import Caller
from smriti_tui.services.views import ViewService
from smriti_tui.store.scope import WriteScope

Item = dict[str, Any]
KEY_SIGNS = 12
"""Of an id that nobody chose."""


@dataclass(frozen=True)
class TrackerService:
    caller: Caller
    views: ViewService

    def items(self) -> list[Item]:
        """All items in the order in which they came."""
        return list(self.views.project(tracker.NAME).state.items.values())

    def get(self, key: str) -> Item:
        """Raises: NotFound: no item has this id."""
        found = self.views.project(tracker.NAME).state.items.get(key)
        return _missing(key) if found is None else found

    def create(
        self,
        title: str,
        *,
        key: str | None = None,
        priority: str = "P1",
        lane: str = "proposed",
        status: str = "todo",
        tags: Sequence[str] = (),
        notes: str = "",
        pr_link: str | None = None,
        extra: Mapping[str, object] | None = None,
        command_id: str | None = None,
    ) -> Item:
        """A new item; its source is who writes. `extra` holds fields of one's own.

        Raises:
            Invalid: no title, or an id that cannot be one. Conflict: the id is taken.
        """
        if not title.strip():
            raise Invalid("The item has no title.", "Say what it is about.", field="title")
        item: Item = {
            **(extra or {}), "id": key or new_id().replace("-", "")[:KEY_SIGNS],
            "title": title.strip(), "priority": priority, "status": status, "lane": lane,
            "source": self.caller.actor, "tags": list(tags), "notes": notes, "pr_link": pr_link,
            "created_at": self.caller.store.now(), "completed_at": None,
        }  # fmt: skip
        if (fault := tracker.id_fault(str(item["id"]))) is not None:
            raise Invalid(f"{fault[:1].upper()}{fault[1:]}", "Choose another one.", field="id")
        with self.caller.write(command_id) as scope:
            if not self._repeated(scope, command_id):
                if str(item["id"]) in self._now():
                    raise Conflict(
                        f"There is an item {item['id']} already.",
                        "Choose another id, or change that item.",
                        code="item_exists",
                    )
                self._append(scope, [(tracker.CREATED, item)])
            else:
                item = dict(scope.earlier()[0].body())
        return self.get(str(item["id"]))

    def change(
        self,
        key: str,
        fields: Mapping[str, object],
        *,
        note: str | None = None,
        reopen: bool = False,
        command_id: str | None = None,
    ) -> Item:
        """Gives fields of an item other values; a `note` is added below its notes.

        Raises:
            NotFound: no item has this id. Invalid: the id itself, no title, or nothing to change.
            Conflict: it would open an item that is closed (code `closed`); `reopen` allows that.
        """
        _check_fields(fields)
        with self.caller.write(command_id) as scope:
            if not self._repeated(scope, command_id):
                item = self._now().get(key) or _missing(key)
                changed = {name: value for name, value in fields.items() if item.get(name) != value}
                if note is not None and note.strip():
                    changed["notes"] = "\n".join(filter(None, (_text(item.get("notes")), note)))
                if not reopen and tracker.is_closed(item):
                    _must_stay_closed(key, {**item, **changed})
                if changed:
                    self._append(scope, [(tracker.UPDATED, {"id": key, **changed})])
        return self.get(key)

    def set_status(
        self,
        key: str,
        status: str,
        note: str | None = None,
        *,
        reopen: bool = False,
        command_id: str | None = None,
    ) -> Item:
        """Status and note in one event. Raises: as `change`."""
        fields = {"status": status}
        return self.change(key, fields, note=note, reopen=reopen, command_id=command_id)

    def archive(self, key: str, *, command_id: str | None = None) -> Item:
        """Puts an item away; again changes nothing. Raises: NotFound."""
        with self.caller.write(command_id) as scope:
            if not self._repeated(scope, command_id):
                item = self._now().get(key) or _missing(key)
                if item.get("status") != "archived":
                    self._append(scope, [(tracker.ARCHIVED, {"id": key})])
        return self.get(key)

    def _now(self) -> Items:
        """The items under the lock: nobody else can commit meanwhile."""
        return self.views.project(tracker.NAME).state.items

    @staticmethod
    def _repeated(scope: WriteScope, command_id: str | None) -> bool:
        return command_id is not None and bool(scope.earlier(stream=tracker.NAME))

    @staticmethod
    def _append(scope: WriteScope, facts: Sequence[NewFact]) -> None:
        for type_name, payload in facts:
            scope.append_raw(tracker.NAME, type_name, payload)


def _missing(key: str) -> Item:
    raise NotFound(f"There is no item {key!r}.", "`smriti tracker list` shows all.", code="item")


def _check_fields(fields: Mapping[str, object]) -> None:
    if "id" in fields:
        raise Invalid("The id of an item stays.", "Make another item.", field="id")
    title = fields.get("title", "-")
    if not isinstance(title, str) or not title.strip():
        raise Invalid("The item has no title.", "Say what it is about.", field="title")


def _must_stay_closed(key: str, item: Item) -> None:
    if not tracker.is_closed(item):
        raise Conflict(
            f"Item {key} is closed.",
            "Open it again with --reopen if that is meant.",
            code="closed",
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
