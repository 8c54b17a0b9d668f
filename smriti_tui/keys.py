"""The one table of actions: key bindings, footer, help and palette all come from it.

Every action has a stable id, so that people can change its key in their settings by that id. A
letter means one thing everywhere. Places tell where an action applies: `everywhere` also while
text is being typed, `browse` in every pane, else one pane or screen by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from textual.binding import Binding

Place = Literal[
    "everywhere", "browse", "spaces", "checkpoints", "chat", "prompt", "context", "form", "items"
]  # fmt: skip

PLACE_NAMES: tuple[tuple[Place, str], ...] = (
    ("spaces", "1 Spaces"),
    ("checkpoints", "2 Checkpoints"),
    ("chat", "3 Chat"),
    ("prompt", "Prompt"),
    ("context", "Context inspector"),
    ("form", "Checkpoint form"),
    ("items", "List in a form"),
    ("browse", "in every pane"),
    ("everywhere", "everywhere"),
)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done."""

    id: str
    keys: tuple[str, ...]
    """As people write them: `ctrl+p`, `?`, `G`."""
    word: str
    """For the footer."""
    title: str
    """For palette and help: what it does, in one line."""
    places: tuple[Place, ...]
    rank: int = 0
    """Order in the footer, from 1; 0 stays out of it."""
    palette: bool = True
    """False for moves, which make no sense from a palette; help lists them."""
    bound: bool = True
    """False where the widget itself understands the key (the prompt)."""


def _act(
    action_id: str,
    keys: str,
    word: str,
    title: str,
    *places: Place,
    rank: int = 0,
    palette: bool = True,
    bound: bool = True,
) -> Action:
    return Action(action_id, tuple(keys.split()), word, title, places, rank, palette, bound)


def _move(action_id: str, keys: str, title: str, *places: Place) -> Action:
    return _act(action_id, keys, title, title, *(places or ("browse",)), palette=False)


ACTIONS: tuple[Action, ...] = (
    _act("nav.open", "enter", "Open", "Open or expand", "browse", rank=1, palette=False),
    _act(
        "checkpoint.mount", "m", "Mount", "Mount this checkpoint: all turns so far stay out",
        "checkpoints", "browse", rank=2,
    ),
    _act(
        "checkpoint.unmount", "u", "Unmount", "Unmount, back to HEAD", "checkpoints", "browse",
        rank=3,
    ),
    _act("space.new", "n", "New", "New Space, or a session when one is marked", "spaces", rank=2),
    _act(
        "edit.rename", "e", "Rename", "Rename this session, or change this Space's words",
        "spaces", rank=3,
    ),
    _act("checkpoint.new", "n", "New", "New checkpoint by hand", "checkpoints", rank=4),
    _act("chat.write", "i", "Write", "Go to the prompt and type", "browse", rank=2),
    _act("chat.send", "enter", "Send", "Send what is written", "prompt", rank=1, bound=False),
    _act(
        "chat.newline", "ctrl+j", "New line", "A new line in the prompt", "prompt",
        rank=2, palette=False, bound=False,
    ),
    _act("chat.stop", "", "Stop", "Stop the running answer and keep what arrived", "chat"),
    _act("chat.retry", "R", "Retry", "Ask the last question again", "chat", rank=4),
    _act("chat.sibling_prev", "{", "Answer before", "Send the answer before this one", "chat"),
    _act("chat.sibling_next", "}", "Answer behind", "Send the answer behind this one", "chat"),
    _act(
        "context.show", "f3 x", "Context",
        "Context inspector: exactly what is sent, or was", "everywhere", rank=5,
    ),
    _act("chat.model", "ctrl+t", "Model", "Choose the model of the next send", "everywhere",
         rank=6),
    _act("session.new", "ctrl+n", "New session", "New session in this Space", "everywhere"),
    _act("edit.copy", "y", "Copy", "Copy the id or text under the cursor", "browse"),
    _act("nav.tab_next", "]", "Tab", "Next tab", "context", palette=False),
    _act("nav.tab_prev", "[", "Tab", "Previous tab", "context", palette=False),
    _act(
        "context.verify", "V", "Verify", "Rebuild from the store and compare the hash", "context",
        palette=False,
    ),
    _act(
        "context.compare", "c", "Compare", "Compare with what the next send would hold", "context",
        palette=False,
    ),
    _act(
        "context.open", "o", "Source", "Open the checkpoint or turn this part came from",
        "context", palette=False,
    ),
    _act(
        "context.export", "E", "Export", "Write the request into a JSON file", "context",
        palette=False,
    ),
    _act("edit.save", "ctrl+s", "Save", "Save what is being edited", "form", palette=False),
    _act("item.edit", "e", "Edit", "Edit this item", "items", palette=False),
    _act("item.new", "n", "New", "A new item", "items", palette=False),
    _act("item.remove", "D", "Remove", "Take this item out; z brings it back", "items",
         palette=False),
    _act("edit.undo", "z", "Undo", "Bring back what was taken out last", "items", palette=False),
    _act("item.earlier", "<", "Earlier", "Move this item up", "items", palette=False),
    _act("item.later", ">", "Later", "Move this item down", "items", palette=False),
    _act("item.done", "space", "Done", "Mark this task done, or open again", "items",
         palette=False),
    _act("item.kind", "t", "Intent", "Change what this task is for", "items", palette=False),
    _act("nav.pane_1", "1", "Spaces", "Go to Spaces", "browse"),
    _act("nav.pane_2", "2", "Checkpoints", "Go to Checkpoints", "browse"),
    _act("nav.pane_3", "3", "Chat", "Go to Chat", "browse"),
    _move("nav.left", "h", "Previous pane"),
    _move("nav.right", "l", "Next pane"),
    _move("nav.down", "j down", "Down"),
    _move("nav.up", "k up", "Up"),
    _move("nav.top", "g home", "First"),
    _move("nav.bottom", "G end", "Last"),
    _move("nav.half_down", "ctrl+d pagedown", "Half a page down"),
    _move("nav.half_up", "ctrl+u pageup", "Half a page up"),
    _move("nav.fold", "left", "Fold, or go to the parent"),
    _move("nav.unfold", "right", "Unfold"),
    _move("nav.back", "escape", "One step back; stops a running answer", "everywhere"),
    _move("nav.next", "tab", "Next pane or field", "everywhere"),
    _move("nav.prev", "shift+tab", "Previous pane or field", "everywhere"),
    _act("app.help", "f1 ?", "Help", "Help for what has the focus", "everywhere"),
    _act("app.palette", "ctrl+p :", "Commands", "Every command by name", "everywhere"),
    _act("app.quit", "ctrl+q q", "Quit", "Quit", "everywhere"),
)  # fmt: skip

FOOTER_RIGHT = ("app.help", "app.palette")
FOOTER_KEYS = 7
FOOTER_ONLY: Mapping[str, Place] = {
    "checkpoint.mount": "checkpoints", "checkpoint.unmount": "checkpoints",
}  # fmt: skip
"""What answers in every pane, and stands in the footer of one."""
_NAMES = (("escape", "esc"), ("ctrl+", "^"), ("pagedown", "pgdn"), ("pageup", "pgup"))


def shown_key(key: str) -> str:
    """A key as the footer writes it: `^p`, `esc`."""
    for name, short in _NAMES:
        key = key.replace(name, short)
    return key


def bindings(*places: Place) -> list[Binding]:
    """Textual bindings of the actions in `places`; each runs `action_run` of the screen."""
    return [
        Binding(",".join(action.keys), f"screen.run('{action.id}')", action.word, id=action.id)
        for action in ACTIONS
        if action.bound and action.keys and any(place in action.places for place in places)
    ]


def named(*action_ids: str) -> list[Binding]:
    """Bindings of single actions, for a screen that takes some of another place's."""
    return [
        Binding(",".join(action.keys), f"screen.run('{action.id}')", action.word, id=action.id)
        for action in ACTIONS
        if action.id in action_ids
    ]


@dataclass(frozen=True, slots=True)
class Clash:
    """A key in the settings that is taken by another action in the same place."""

    action: str
    key: str
    other: str


@dataclass(frozen=True)
class KeyTable:
    """The actions with the person's own keys."""

    actions: tuple[Action, ...] = ACTIONS
    changed: Mapping[str, str] = field(default_factory=dict)
    """Action id to comma separated keys: what `App.set_keymap` takes."""
    clashes: tuple[Clash, ...] = ()
    unknown: tuple[str, ...] = ()
    """Ids in the settings that no action has."""

    def get(self, action_id: str) -> Action:
        """Raises: KeyError."""
        return next(action for action in self._named(action_id))

    def _named(self, action_id: str) -> Iterator[Action]:
        found = [action for action in self.actions if action.id == action_id]
        if not found:
            raise KeyError(action_id)
        yield from found

    def key(self, action_id: str, *, typing: bool = False) -> str:
        """The first key of an action as it is shown; with `typing` one that is no letter."""
        keys = self.get(action_id).keys
        wanted = [key for key in keys if len(key) > 1] if typing else sorted(keys, key=len)
        return shown_key((wanted or list(keys) or [""])[0])

    def here(self, *places: Place) -> list[Action]:
        """The actions of some places, in the order of the footer where they have one."""
        found = [action for action in self.actions if set(places) & set(action.places)]
        return sorted(found, key=lambda action: action.rank or 99)

    def palette(self) -> list[Action]:
        """What the palette lists, in the order of the table."""
        return [action for action in self.actions if action.palette]


def key_table(wanted: Mapping[str, str]) -> KeyTable:
    """The table with the settings' keys; one that clashes, or of no action, leaves the default."""
    actions = {action.id: action for action in ACTIONS}
    changed: dict[str, str] = {}
    clashes: list[Clash] = []
    for action_id, text in wanted.items():
        if (action := actions.get(action_id)) is None:
            continue
        keys = tuple(text.replace(",", " ").split())
        clash = _clash(action, keys, actions.values())
        if clash is not None:
            clashes.append(clash)
            continue
        actions[action_id] = replace(action, keys=keys)
        changed[action_id] = ",".join(keys)
    unknown = tuple(action_id for action_id in wanted if action_id not in actions)
    return KeyTable(tuple(actions.values()), changed, tuple(clashes), unknown)


def _clash(action: Action, keys: Sequence[str], others: Iterable[Action]) -> Clash | None:
    for other in others:
        if other.id != action.id and meet(action, other):
            for key in keys:
                if key in other.keys:
                    return Clash(action.id, key, other.id)
    return None


def meet(one: Action, other: Action) -> bool:
    """Whether two actions can apply at the same time, so that they cannot share a key."""
    wide: set[Place] = {"everywhere", "browse"}
    mine, its = set(one.places), set(other.places)
    if "prompt" in mine | its and mine != its:
        return bool({"everywhere"} & (mine | its))
    return bool(mine & its or wide & mine or wide & its)
