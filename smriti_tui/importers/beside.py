"""What stands beside the words of a conversation, kept until the turn comes that it belongs to."""

from __future__ import annotations

from typing import Final

from smriti_tui.domain.imported import Detail

MAX_BESIDE: Final = 1_000
MAX_BESIDE_CHARS: Final = 1_000_000
"""Of the details of one turn; it is stored as one event."""


class Beside:
    """The details of the next turn. More than one event can hold are counted, not kept."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._begin()

    def _begin(self) -> None:
        self._found: list[tuple[str, Detail]] = []
        self._texts: set[int] = set()
        self._chars = self._beyond = 0
        self.count = 0

    def add(self, detail: Detail, call: str = "", *, after: bool = False) -> None:
        """`after`: as the result of the call, behind it if it waits here."""
        self.count += 1
        if self.count > MAX_BESIDE or self._chars + len(detail.text) > MAX_BESIDE_CHARS:
            self._beyond += 1
            return
        self._chars += len(detail.text)
        if self._keep:
            known = [n for n, each in enumerate(self._found) if call and each[0] == call]
            place = known[-1] + 1 if after and known else len(self._found)
            self._found.insert(place, (call, detail))

    def add_once(self, detail: Detail) -> None:
        """Events and items repeat each other."""
        if detail.text.strip() and (key := hash(detail.text)) not in self._texts:
            self._texts.add(key)
            self.add(detail)

    def take(self) -> tuple[Detail, ...]:
        found = [detail for _, detail in self._found]
        if self._beyond:
            found.append(Detail("note", text=f"{self._beyond:,} more were left out."))
        self._begin()
        return tuple(found)
