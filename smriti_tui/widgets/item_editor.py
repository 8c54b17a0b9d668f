"""A list of items with a line to write them in; items of several lines stay whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, get_args

from textual import on
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static, TextArea

from smriti_tui.domain.form import NOUNS, new_item
from smriti_tui.domain.items import LETTERS
from smriti_tui.domain.model import Intent, Item, Task
from smriti_tui.domain.state_text import counted
from smriti_tui.keys import bindings
from smriti_tui.text import literal_line
from smriti_tui.widgets.fields import EditorLine
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

MAX_LINES = 3
"""Lines of an item that are shown in the list."""
MAX_HEIGHT = 9
INTENTS: tuple[Intent | None, ...] = (None, *get_args(Intent))


class ItemRows(RowList):
    """The items of one list, with the keys that change them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("items")]


def item_row(kind: str, number: int, item: Item | Task) -> Row:
    """An item with its label; what does not fit is counted."""
    label = f"{LETTERS[kind]}{number}"
    lines = item.text.split("\n")
    shown = lines[:MAX_LINES]
    if len(lines) > MAX_LINES:
        shown[-1] = f"... {counted(len(lines) - MAX_LINES + 1, 'more line')}"
    first = RowLine((Piece(f" {label:<4}", "accent"), Piece(shown[0])), _words(item))
    others = [RowLine((Piece(f"     {line}"),)) for line in shown[1:]]
    if item.state == "retired" and item.reason:
        others.append(RowLine((Piece(f"     {item.reason}", "muted"),)))
    return Row(str(number - 1), (first, *others))


def _words(item: Item | Task) -> str:
    if item.state == "retired":
        return "retired"
    if not isinstance(item, Task):
        return ""
    words = [item.intent_hint or "", item.id or "", item.status]
    if item.blocked_by:
        words.insert(2, f"blocked by {', '.join(item.blocked_by)}")
    return "  ".join(word for word in words if word)


class Removed(NamedTuple):
    """An item as it stood before it was taken out, and where."""

    at: int
    item: Item | Task
    stays: bool
    """Whether it was retired: its row is still there."""


class ItemEditor(Vertical):
    """One list of a checkpoint that is being written."""

    DEFAULT_CSS = """
    ItemEditor { height: auto; }
    ItemEditor ItemRows { height: auto; display: none; }
    ItemEditor.-filled ItemRows { display: block; }
    """

    @dataclass
    class Changed(Message):
        """An item, or what stands in the line, is another one."""

        editor: ItemEditor

    @dataclass
    class OutAsked(Message):
        """An item that is carried over is to go: somebody may say why."""

        editor: ItemEditor
        label: str
        item: Item | Task

    @dataclass
    class TakenOut(Message):
        """An item is gone from the list, or stands in it as retired."""

        editor: ItemEditor
        label: str
        item: Item | Task

    def __init__(self, kind: str) -> None:
        super().__init__(id=f"items-{kind}")
        self.kind = kind
        self.carried: frozenset[str] = frozenset()
        """Uids of items that are taken out only after `OutAsked` was answered."""
        self._items: tuple[Item | Task, ...] = ()
        self._editing: int | None = None
        self._removed: tuple[Removed, ...] = ()

    def compose(self) -> Iterable[Widget]:
        """The items, then the line."""
        yield ItemRows()
        yield EditorLine(hint=f"a new {NOUNS[self.kind]}: enter adds it, ctrl+j breaks the line")

    @property
    def items(self) -> tuple[Item | Task, ...]:
        """The list as it stands, without what is in the line."""
        return self._items

    @property
    def pending(self) -> str:
        """What stands in the line."""
        return self._line.text

    @property
    def _line(self) -> EditorLine:
        return self.query_one(EditorLine)

    @property
    def _rows(self) -> ItemRows:
        return self.query_one(ItemRows)

    def show(self, items: tuple[Item | Task, ...], pending: str | None = None) -> None:
        """Takes another list; `pending` goes into the line, None leaves it as it is."""
        self._items = items
        if pending is not None and pending != self._line.text:
            self._line.load_text(pending)
        self._draw()

    def commit(self) -> None:
        """Takes what stands in the line into the list: as the item it belongs to, or a new one."""
        text = self._line.text.strip()
        if text:
            self._take(text)

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """Action id to what it does with the item under the cursor."""
        return {
            "nav.open": self.edit,
            "item.edit": self.edit,
            "item.new": self.write_new,
            "item.remove": self.take_out,
            "edit.undo": self.undo,
            "item.earlier": lambda: self.shift(-1),
            "item.later": lambda: self.shift(1),
            "item.done": self.toggle_done,
            "item.kind": self.next_intent,
        }

    @property
    def leads_up(self) -> bool:
        """Whether up in the line goes to the list: nothing is written, and there are items."""
        return bool(self._items) and not self._line.text

    @property
    def editing(self) -> bool:
        """Whether an item of the list stands in the line."""
        return self._editing is not None

    # Writing

    def end_edit(self) -> None:
        """Puts the item that is being edited back; one that was emptied stays as it was."""
        if self._editing is None:
            return
        self.commit()
        self._editing = None
        self._hint("")

    @on(EditorLine.UpFromEmpty)
    def to_list(self) -> None:
        """Goes to the last item."""
        if self.leads_up:
            self._rows.action_bottom()
            self._rows.focus()

    @on(EditorLine.Submitted)
    def _submitted(self, message: EditorLine.Submitted) -> None:
        message.stop()
        text = message.text.strip()
        if text:
            self._take(text)
        elif self._editing is not None:
            self._hint("An item needs text. esc goes to the list, D there takes it out.")

    @on(TextArea.Changed)
    def _typed(self, message: TextArea.Changed) -> None:
        message.stop()
        self.post_message(self.Changed(self))

    def _take(self, text: str) -> None:
        at = self._editing
        if at is not None and at < len(self._items):
            changed = replace(self._items[at], text=text)
            self._items = (*self._items[:at], changed, *self._items[at + 1 :])
        else:
            at = len(self._items)
            self._items = (*self._items, new_item(self.kind, text))
        self._editing = None
        self._line.load_text("")
        self._hint("")
        self._draw()
        self._rows.move_to(str(at))
        self.post_message(self.Changed(self))

    def edit(self) -> None:
        """Puts the item under the cursor into the line; what stood there is taken in first."""
        at = self._at()
        if at is None:
            return
        self.commit()
        self._editing = at
        self._line.load_text(self._items[at].text)
        self._hint(f"Editing {LETTERS[self.kind]}{at + 1}: enter or esc keeps the change")
        self._line.focus()

    def write_new(self) -> None:
        """Goes to the line for a new item."""
        if self._editing is not None:
            self.commit()
        self._line.focus()

    # Changing

    def take_out(self) -> None:
        """Takes the item under the cursor out; undo brings it back. Why is asked first where it is
        carried over."""
        at = self._at()
        if at is None:
            return
        if self._editing is not None:
            self.commit()
        item = self._items[at]
        if item.uid in self.carried:
            self.post_message(self.OutAsked(self, f"{LETTERS[self.kind]}{at + 1}", item))
        else:
            self.take_away(item)

    def take_away(self, item: Item | Task) -> None:
        """Takes an item of the list out."""
        at = self._items.index(item)
        self._removed = (*self._removed, Removed(at, item, False))
        self._items = (*self._items[:at], *self._items[at + 1 :])
        self._gone(at, item, "Taken out.")

    def retire(self, item: Item | Task, reason: str, by: str) -> None:
        """Leaves an item of the list standing as retired, with the reason and who gave it."""
        at = self._items.index(item)
        self._removed = (*self._removed, Removed(at, item, True))
        retired = replace(item, state="retired", reason=reason, retired_by=by)
        self._items = (*self._items[:at], retired, *self._items[at + 1 :])
        self._gone(at, item, "Retired.")

    def _gone(self, at: int, item: Item | Task, words: str) -> None:
        self._changed(at)
        if not self._items:
            self._line.focus()
        self._hint(f"{words} z in the list brings it back.")
        self.post_message(self.TakenOut(self, f"{LETTERS[self.kind]}{at + 1}", item))

    def undo(self) -> None:
        """Brings back what was taken out last."""
        if not self._removed:
            return
        *earlier, gone = self._removed
        self._removed = tuple(earlier)
        at, behind = gone.at, gone.at
        if gone.stays:
            here = [number for number, each in enumerate(self._items) if each.uid == gone.item.uid]
            at = here[0] if here else at
            behind = at + len(here)
        self._items = (*self._items[:at], gone.item, *self._items[behind:])
        self._hint("")
        self._changed(at)

    def shift(self, by: int) -> None:
        """Moves the item under the cursor."""
        at = self._at()
        if at is None or not 0 <= at + by < len(self._items):
            return
        items = list(self._items)
        items[at], items[at + by] = items[at + by], items[at]
        self._items = tuple(items)
        if self._editing == at:
            self._editing = at + by
        elif self._editing == at + by:
            self._editing = at
        self._changed(at + by)

    def toggle_done(self) -> None:
        """A task: done, or open again."""
        at = self._at()
        item = self._items[at] if at is not None else None
        if at is not None and isinstance(item, Task):
            self._put(at, replace(item, status="open" if item.status == "done" else "done"))

    def next_intent(self) -> None:
        """A task: the next of the intents, then none."""
        at = self._at()
        item = self._items[at] if at is not None else None
        if at is not None and isinstance(item, Task):
            known = INTENTS.index(item.intent_hint)
            self._put(at, replace(item, intent_hint=INTENTS[(known + 1) % len(INTENTS)]))

    def _put(self, at: int, item: Item | Task) -> None:
        self._items = (*self._items[:at], item, *self._items[at + 1 :])
        self._changed(at)

    def _changed(self, at: int) -> None:
        self._draw()
        self._rows.move_to(str(min(at, len(self._items) - 1)))
        self.post_message(self.Changed(self))

    def _at(self) -> int | None:
        key = self._rows.cursor_key
        return int(key) if key is not None and int(key) < len(self._items) else None

    # Drawing

    def _hint(self, words: str) -> None:
        shown = self.query_one_optional(".items--hint", Static)
        if shown is not None:
            shown.update(literal_line(words))
        elif words:
            self.mount(Static(literal_line(words), classes="items--hint"), before=self._line)
        self.set_class(bool(words), "-hinted")

    def _draw(self) -> None:
        rows = tuple(item_row(self.kind, n, item) for n, item in enumerate(self._items, 1))
        self.set_class(bool(rows), "-filled")
        self._rows.styles.height = min(sum(len(row.lines) for row in rows), MAX_HEIGHT)
        self._rows.show_rows(rows)
