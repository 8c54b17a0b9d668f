"""What the bottom line of the workspace offers where the focus is."""

from __future__ import annotations

from smriti_tui.keys import FOOTER_KEYS, FOOTER_ONLY, FOOTER_RIGHT, Action, KeyTable, Place
from smriti_tui.widgets.footer_bar import FooterKey, FooterKeys


def footer_keys(table: KeyTable, place: Place) -> FooterKeys:
    """The keys of a place, the most useful first; while one types, none that is a letter."""
    typing = place == "prompt"
    places: tuple[Place, ...] = (
        ("prompt", "everywhere") if typing else (place, "browse", "everywhere")
    )

    def key(action: Action) -> FooterKey:
        return FooterKey(table.key(action.id, typing=typing), action.word, action.id)

    here = [
        action
        for action in table.here(*places)
        if action.rank and action.keys and FOOTER_ONLY.get(action.id, place) == place
    ]
    right = [table.get(action_id) for action_id in FOOTER_RIGHT]
    left = here[: FOOTER_KEYS - len(right)]
    return FooterKeys(tuple(map(key, left)), tuple(map(key, right)))
