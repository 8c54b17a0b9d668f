"""The table of actions: one source for keys, footer, help and palette; only keys that arrive."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Input, TextArea

from smriti_tui.keys import (
    ACTIONS,
    PLACE_NAMES,
    Action,
    KeyTable,
    bindings,
    key_table,
    meet,
    shown_key,
)
from smriti_tui.screens.help_words import key_line
from smriti_tui.screens.offers import Offer, offer_row
from smriti_tui.screens.ranking import ranked
from smriti_tui.widgets.fields import LineInput
from smriti_tui.widgets.footer_bar import FooterKey, FooterKeys, fitting
from smriti_tui.widgets.prompt import Prompt

LEGACY: dict[str, tuple[str, ...]] = {
    "enter": ("\r",), "escape": ("\x1b",), "tab": ("\t",), "shift+tab": ("\x1b[Z",),
    "space": (" ",), "ctrl+j": ("\n",),
    "up": ("\x1b[A", "\x1bOA"), "down": ("\x1b[B", "\x1bOB"),
    "right": ("\x1b[C", "\x1bOC"), "left": ("\x1b[D", "\x1bOD"),
    "home": ("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"),
    "end": ("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"),
    "pageup": ("\x1b[5~",), "pagedown": ("\x1b[6~",),
    "f1": ("\x1bOP", "\x1b[11~", "\x1b[[A"), "f2": ("\x1bOQ", "\x1b[12~", "\x1b[[B"),
    "f3": ("\x1bOR", "\x1b[13~", "\x1b[[C"), "f4": ("\x1bOS", "\x1b[14~", "\x1b[[D"),
    "f5": ("\x1b[15~", "\x1b[[E"),
}  # fmt: skip
"""What xterm, rxvt, the Linux console, screen and tmux send; letters and signs are themselves,
ctrl+letter its control code."""
EATEN = {
    "ctrl+h", "ctrl+i", "ctrl+m", "ctrl+[", "ctrl+enter", "shift+enter", "ctrl+tab", "ctrl+b",
    "ctrl+a", "f9", "f10", "f11", "f12", "ctrl+c", "ctrl+z",
}  # fmt: skip
DICTIONARY: dict[str, str] = {
    "a": "Accept", "A": "All", "b": "Branch", "B": "Blame", "c": "Compare Explain", "d": "Draft",
    "D": "Remove Dismiss Delete Archive Throw Abandon Default", "e": "Edit Rename Change",
    "E": "Export", "f": "Fork", "g": "First", "G": "Last Now", "h": "Previous Event",
    "i": "Write", "I": "Import", "j": "Down", "J": "Scroll", "k": "Up", "K": "Scroll",
    "l": "Next Event",
    "H": "Checkpoint", "L": "Checkpoint", "m": "Mount", "M": "Merge", "n": "New Next",
    "N": "Previous", "o": "Source Open Pager", "p": "Pin", "q": "Close", "r": "Review",
    "R": "Retry Test Redraft Again", "s": "Side", "S": "Cuts",
    "t": "Type Tag Note Intent Status", "T": "Time",
    "u": "Unmount", "v": "Swap", "V": "Verify", "w": "Save Write Import", "x": "Context",
    "y": "Copy", "Y": "Copy", "z": "Undo", "Z": "Redo",
}  # fmt: skip
"""The one meaning of every letter (ux 3.6), as first words of what the footer says."""
EVERYWHERE = {
    "f1": "app.help", "f3": "context.show", "ctrl+p": "app.palette", "ctrl+t": "chat.model",
    "ctrl+n": "session.new", "ctrl+q": "app.quit", "ctrl+o": "app.jump",
    "escape": "nav.back", "tab": "nav.next", "shift+tab": "nav.prev",
}  # fmt: skip
OWN = {"ctrl+g"}
"""Keys that a field of ours binds to the very action of the table."""
KEYS = sorted({key for action in ACTIONS for key in action.keys})


def legacy_bytes(key: str) -> tuple[str, ...]:
    if key in LEGACY:
        return LEGACY[key]
    if re.fullmatch(r"ctrl\+[a-z]", key):
        return (chr(ord(key[-1]) - 96),)
    assert len(key) == 1, f"no terminal is known to send {key}"
    return (key,)


def textual_name(key: str) -> str:
    return next(iter(Binding.make_bindings([Binding(key, "x")]))).key


@pytest.mark.parametrize("key", KEYS)
def test_every_key_arrives_in_a_plain_terminal(key: str) -> None:
    assert key not in EATEN
    for sent in legacy_bytes(key):
        parser = XTermParser()
        found = [*parser.feed(sent), *parser.feed("")]
        pressed = [event.key for event in found if isinstance(event, events.Key)]
        if key == "escape":
            assert pressed in ([], ["escape"])  # alone it waits for more, up to a time limit
        else:
            assert pressed == [textual_name(key)], sent


def test_ids_are_unique_and_described() -> None:
    assert [i for i, n in Counter(action.id for action in ACTIONS).items() if n > 1] == []
    for action in ACTIONS:
        assert action.title
        assert action.word
        assert action.title[0].isupper()


def test_every_id_is_in_palette_and_help() -> None:
    table = key_table({})
    everything = {action.id for action in ACTIONS}
    assert {offer.action.id for offer in ranked(offers_of(table), "")} == everything
    for action in ACTIONS:
        assert ranked(offers_of(table), action.title)[0].action.title == action.title
        row = offer_row(Offer(action), 120)
        assert action.title in row.lines[0].left[0].text
        assert action.title in key_line(action)
    placed = {action.id for place, _ in PLACE_NAMES for action in table.here(place)}
    assert placed == everything


def offers_of(table: KeyTable) -> list[Offer]:
    return [Offer(action) for action in table.palette()]


def test_no_two_actions_that_can_meet_share_a_key() -> None:
    pairs = [
        (one.id, other.id, key)
        for at, one in enumerate(ACTIONS)
        for other in ACTIONS[at + 1 :]
        if meet(one, other)
        for key in set(one.keys) & set(other.keys)
    ]
    assert pairs == []


def test_a_letter_means_one_thing() -> None:
    for action in ACTIONS:
        for key in action.keys:
            if len(key) == 1 and key.isalpha():
                assert action.word.split()[0] in DICTIONARY[key].split(), (action.id, key)


def test_the_keys_of_the_design_are_kept() -> None:
    for key, action_id in EVERYWHERE.items():
        assert [action.id for action in ACTIONS if key in action.keys] == [action_id]


def test_keys_that_work_while_typing_are_none_of_an_editor() -> None:
    editor = {
        key
        for widget in (TextArea, Input, Prompt, LineInput)
        for binding in widget.BINDINGS
        if isinstance(binding, Binding)
        for key in binding.key.split(",")
    }
    typing = {
        key
        for action in ACTIONS
        if set(action.places) & {"everywhere", "form"}
        for key in action.keys
        if len(key) > 1
    }
    assert typing & (editor - OWN) == set()
    assert {"escape", "f1", "ctrl+f", "ctrl+g", "ctrl+o"} <= typing


def test_bindings_come_from_the_table() -> None:
    made = bindings("everywhere", "browse")
    ids = {binding.id for binding in made}
    assert {"app.help", "nav.down"} <= ids
    assert all(binding.action == f"screen.run('{binding.id}')" for binding in made)
    assert "chat.send" not in ids  # the prompt understands it itself
    assert isinstance(Screen, type)


def test_own_keys_replace_the_default_and_a_clash_leaves_it() -> None:
    table = key_table({"chat.retry": "P", "checkpoint.mount": "u", "no.such": "z"})
    assert table.get("chat.retry").keys == ("P",)
    assert table.changed == {"chat.retry": "P"}
    assert table.get("checkpoint.mount").keys == ("m",)
    (clash,) = table.clashes
    assert {clash.action, clash.other, clash.key} == {"checkpoint.mount", "checkpoint.unmount", "u"}
    assert table.unknown == ("no.such",)


@pytest.mark.parametrize("place", ["spaces", "checkpoints", "chat"])
def test_the_footer_holds_seven_keys_in_eighty_columns(place: str) -> None:
    table = key_table({})
    ranked: list[Action] = [
        action
        for action in table.here(place, "browse", "everywhere")  # type: ignore[arg-type]
        if action.rank
    ]
    keys = tuple(FooterKey(shown_key(a.keys[0]), a.word, a.id) for a in ranked if a.keys)[:5]
    right = tuple(
        FooterKey(table.key(name), table.get(name).word, name)
        for name in ("app.help", "app.palette")
    )
    fits = fitting(FooterKeys(keys, right), 80)
    assert (fits.left, fits.right) == (keys, right)
