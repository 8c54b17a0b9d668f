"""Which actions fit some typed words, the likeliest first: values in, values out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from smriti_tui.keys import Action
from smriti_tui.screens.offers import Offer

EXACT, BEGINS, WORD_STARTS, INITIALS, HOLDS, SCATTERED = range(6)
"""How well words fit an action, best first."""
_WORDS = re.compile(r"\w+")


def fit(action: Action, text: str) -> int | None:
    """How the typed words fit an action; None if they do not."""
    typed = text.lower().split()
    title = action.title.lower()
    if not typed:
        return HOLDS
    if title.startswith(" ".join(typed)):
        return EXACT if title == " ".join(typed) else BEGINS
    words = _WORDS.findall(f"{title} {action.word.lower()}")
    if all(any(word.startswith(each) for word in words) for each in typed):
        return WORD_STARTS
    letters = "".join(typed)
    if "".join(word[0] for word in words).startswith(letters):
        return INITIALS
    hay = f"{title} {action.word.lower()} {action.id}"
    if all(each in hay for each in typed):
        return HOLDS
    return SCATTERED if len(letters) > 1 and _scattered(letters, _WORDS.findall(title)) else None


def _scattered(letters: str, words: Sequence[str]) -> bool:
    """Whether the letters are beginnings of words in order: `mocp` for `mount checkpoint`."""
    if not letters:
        return True
    for at, word in enumerate(words):
        for size in range(_common(letters, word), 0, -1):
            if _scattered(letters[size:], words[at + 1 :]):
                return True
    return False


def _common(letters: str, word: str) -> int:
    size = 0
    while size < min(len(letters), len(word)) and letters[size] == word[size]:
        size += 1
    return size


def ranked(found: Sequence[Offer], text: str, recent: Sequence[str] = ()) -> list[Offer]:
    """The offers that fit, the best first.

    With nothing typed: what was used last, then what can run here; moves only when typed for.
    """
    fits = [(fit(offer.action, text), offer) for offer in found]
    last = {action_id: at for at, action_id in enumerate(recent)}

    def order(pair: tuple[int | None, Offer]) -> tuple[int, bool, int, bool]:
        how, offer = pair
        return (
            how or 0,
            bool(offer.why_not),
            last.get(offer.action.id, len(last)),
            not offer.action.palette,
        )

    return [offer for how, offer in sorted(fits, key=order) if how is not None]
