"""What the bottom line of the workspace offers where the focus is."""

from __future__ import annotations

from smriti_tui.keys import FOOTER_KEYS, FOOTER_ONLY, FOOTER_RIGHT, KeyTable, Place
from smriti_tui.widgets.footer_bar import FooterKey, FooterKeys

HITS = ("nav.hit_next", "nav.hit_prev")
"""What walks the hits of a filter."""


def footer_keys(table: KeyTable, place: Place, *, hits: bool = False) -> FooterKeys:
    """The keys of a place, the most useful first; while one types, none that is a letter.

    With `hits` a filter is shown: its keys come first, and go before others of the same name.
    """
    typing = place == "prompt"
    places: tuple[Place, ...] = (
        ("prompt", "everywhere") if typing else (place, "browse", "everywhere")
    )
    first = [table.get(action_id) for action_id in HITS] if hits else []
    taken = {key for action in first for key in action.keys}
    here = [
        action
        for action in table.here(*places)
        if action.rank
        and action.keys
        and FOOTER_ONLY.get(action.id, place) == place
        and taken.isdisjoint(action.keys)
    ]
    words = {"nav.back": "Clear"} if hits else {}
    ids = [action.id for action in first] + (["nav.back"] if hits else [])
    ids += [action.id for action in here]
    return _offer(table, ids, words, typing=typing)


def filter_keys(table: KeyTable) -> FooterKeys:
    """While one types in a filter."""
    ids = ["nav.open", "nav.down", "nav.up", "nav.back"]
    words = {"nav.open": "Keep", "nav.down": "Next", "nav.up": "Previous", "nav.back": "Clear"}
    return _offer(table, ids, words, typing=True)


def _offer(table: KeyTable, ids: list[str], words: dict[str, str], *, typing: bool) -> FooterKeys:
    def key(action_id: str) -> FooterKey:
        word = words.get(action_id, table.get(action_id).word)
        return FooterKey(table.key(action_id, typing=typing), word, action_id)

    left = ids[: FOOTER_KEYS - len(FOOTER_RIGHT)]
    return FooterKeys(tuple(map(key, left)), tuple(map(key, FOOTER_RIGHT)))
