"""Keys of the actions: as people change them, as Textual binds them, as the screen shows them.

The actions themselves stand in `actions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from textual.binding import Binding

from smriti_tui.actions import (
    ACTIONS,
    FOOTER_KEYS,
    FOOTER_ONLY,
    FOOTER_RIGHT,
    OWN_MOVES,
    PLACE_NAMES,
    SHARED,
    Action,
    Place,
)

__all__ = [
    "ACTIONS",
    "FOOTER_KEYS",
    "FOOTER_ONLY",
    "FOOTER_RIGHT",
    "PLACE_NAMES",
    "SHARED",
    "Action",
    "Clash",
    "KeyTable",
    "Place",
    "bindings",
    "in_fields",
    "key_table",
    "meet",
    "named",
    "shown_key",
]

PANES: frozenset[Place] = frozenset({"spaces", "checkpoints", "chat", "agents", "filter"})
"""Where the keys of `browse` work."""
WITHIN: Mapping[Place, Place] = {"items": "form"}
"""Places inside another one, whose keys work there too."""
IN_WORDS = ("nav.back", "nav.next", "edit.save", "app.help")
"""Actions whose keys are named in lines of words."""
_NAMES = (("escape", "esc"), ("ctrl+", "^"), ("pagedown", "pgdn"), ("pageup", "pgup"))
_KNOWN = re.compile(
    r"((ctrl|alt|shift|super)\+)*(.|f([1-9]|1[0-9]|2[0-4])|enter|escape|tab|space|backspace|delete"
    r"|insert|up|down|left|right|home|end|pageup|pagedown|[a-z]+(_[a-z]+)+|comma|minus|plus)"
)


def shown_key(key: str) -> str:
    """A key as the footer writes it: `^p`, `esc`."""
    for name, short in _NAMES:
        key = key.replace(name, short)
    return key


def _unbound(action_id: str) -> str:
    """A key that no terminal sends: it keeps the place of an action that has none, for the
    settings to give it one."""
    return f"unbound.{action_id}"


def _binding(action: Action) -> Binding:
    keys = ",".join(action.keys) or _unbound(action.id)
    return Binding(keys, f"screen.run('{action.id}')", action.word, id=action.id)


def bindings(*places: Place) -> list[Binding]:
    """Textual bindings of the actions in `places`; each runs `action_run` of the screen."""
    return [
        _binding(action)
        for action in ACTIONS
        if action.bound and any(place in action.places for place in places)
    ]


def named(*action_ids: str) -> list[Binding]:
    """Bindings of single actions, for a screen that takes some of another place's."""
    return [_binding(action) for action in ACTIONS if action.id in action_ids]


def in_fields(*action_ids: str) -> list[Binding]:
    """Bindings of actions that the app runs wherever somebody types, in dialogs too."""
    return [
        Binding(found.key, f"app.{action_id.replace('.', '_')}", found.description, id=action_id)
        for action_id in action_ids
        for found in named(action_id)
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
    odd: tuple[tuple[str, str], ...] = ()
    """Action id and what stands in the settings as its key, but is none."""

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

    def own(self, words: str) -> str:
        """A line that names keys of fields and dialogs, with the person's own in their places."""
        defaults = KeyTable()
        for action_id in IN_WORDS:
            default, now = defaults.key(action_id, typing=True), self.key(action_id, typing=True)
            if now and now != default:
                named_key = rf"(?<!\S){re.escape(default)}(?!\S)"
                words = re.sub(named_key, now.replace("\\", r"\\"), words)
        return words

    def is_key(self, action_id: str, pressed: str) -> bool:
        """Whether a key, as Textual names it, is one of the action's: for widgets that look
        themselves."""
        return pressed in map(_textual_name, self.get(action_id).keys)

    def here(self, *places: Place) -> list[Action]:
        """The actions of some places, in the order of the footer where they have one."""
        found = [action for action in self.actions if set(places) & set(action.places)]
        return sorted(found, key=lambda action: action.rank or 99)

    def palette(self) -> list[Action]:
        """All actions in the order of the table, moves last."""
        return sorted(self.actions, key=lambda action: not action.palette)


def _textual_name(key: str) -> str:
    """`question_mark` for `?`."""
    return next(iter(Binding.make_bindings([Binding(key, "x")]))).key


def key_table(wanted: Mapping[str, str]) -> KeyTable:
    """The table with the settings' keys; nothing as a key takes the key away.

    What clashes, is no key, or is of no action leaves the default.
    """
    defaults = {action.id: action for action in ACTIONS}
    unknown = tuple(action_id for action_id in wanted if action_id not in defaults)
    asked = {
        action_id: tuple(text.replace(",", " ").split())
        for action_id, text in wanted.items()
        if action_id in defaults
    }
    odd = tuple(
        (action_id, key)
        for action_id, keys in asked.items()
        for key in keys
        if not _KNOWN.fullmatch(key)
    )
    for action_id, _ in odd:
        asked.pop(action_id, None)
    clashes: list[Clash] = []
    while (clash := _clash(defaults, asked)) is not None:
        clashes.append(clash)
        del asked[clash.action]
    actions = tuple(_with_keys(action, asked) for action in ACTIONS)
    changed = {name: ",".join(keys) or _unbound(name) for name, keys in asked.items()}
    return KeyTable(actions, changed, tuple(clashes), unknown, odd)


def _with_keys(action: Action, asked: Mapping[str, Sequence[str]]) -> Action:
    keys = asked.get(action.id)
    return action if keys is None else replace(action, keys=tuple(keys))


def _clash(defaults: Mapping[str, Action], asked: Mapping[str, Sequence[str]]) -> Clash | None:
    """The first asked key that another action has, after all that was asked for: two actions may
    change their keys with each other."""
    actions = [_with_keys(action, asked) for action in defaults.values()]
    for action_id, keys in asked.items():
        for other in actions:
            if other.id == action_id or not meet(defaults[action_id], other):
                continue
            for key in keys:
                if key in other.keys:
                    return Clash(action_id, key, other.id)
    return None


def meet(one: Action, other: Action) -> bool:
    """Whether two actions can apply at the same time, so that they cannot share a key.

    The hits of a filter go before what the pane does by the same key.
    """
    mine, its = set(one.places), set(other.places)
    both = mine | its
    if mine & its:
        return True
    if "filter" in both:
        return "everywhere" in both or "browse" in both
    if "prompt" in both:
        return "everywhere" in both
    if "everywhere" in both:
        return True
    if any({inner, outer} <= both for inner, outer in WITHIN.items()):
        return True
    return _browse(one, its) or _browse(other, mine)


def _browse(one: Action, its: set[Place]) -> bool:
    """Whether an action of every pane works in one of these places."""
    shared = one.id in SHARED and not its <= OWN_MOVES
    return "browse" in one.places and (bool(its & PANES) or shared)
