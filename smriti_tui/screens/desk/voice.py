"""What the desk says: short notes that pass, and notices that stay as long as their cause."""

from __future__ import annotations

from collections.abc import Callable

from smriti_tui.domain.errors import SmritiError, StoreError
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.notice_bar import NoticeBar

DATABASE, MODEL, SEND, HEAD = "database", "model", "send", "head"
"""Causes of notices: no database, no model, a send that was refused, a HEAD that moved. Work in a
thread has its group's name as its cause."""


class Voice:
    """Speaks to the person."""

    def __init__(
        self,
        say: Callable[[str], None],
        notice: NoticeBar,
        header: HeaderBar,
        typing: Callable[[], bool],
        key: Callable[[str], str],
    ) -> None:
        """`typing` tells whether the prompt has the focus, `key` the key of an action."""
        self.say = say
        """A short note that needs no answer."""
        self.told = 0
        """How many actions were told as done."""
        self._typing = typing
        self._key = key
        self._notice = notice
        self._header = header

    def letter(self, key: str, *, typing: bool = False) -> str:
        """A letter key in words: while one types it would only be text. `typing` when the focus is
        about to go to the prompt."""
        out = self._key("nav.back") or "esc"
        return f"{out}, then {key}" if typing or self._typing() else key

    def done(self, what: str, *, undo: str = "edit.undo", typing: bool = False) -> None:
        """An action is done, in one sentence; and what undoes it (ux 3.7)."""
        self.told += 1
        key = self._key(undo)
        way = "does it again" if undo == "edit.redo" else "undoes"
        self.say(f"{what} {self.letter(key, typing=typing)} {way}." if key else what)

    def tell(self, what: str, hint: str = "", *, cause: str = "") -> None:
        """What needs an answer; it stays until it is dismissed or its cause is settled."""
        self._notice.tell(what, hint, causes=(cause,) if cause else ())

    def news(self, what: str, hint: str, *, cause: str) -> None:
        """What should be seen, but needs no answer: it never covers a notice that does."""
        if self._notice.words and cause not in self._notice.causes:
            self.say(what)
        else:
            self.tell(what, hint, cause=cause)

    def succeed(self, what: str, *, cause: str) -> None:
        """What went well and takes time to read, such as where a file went. It never covers a
        notice that needs an answer."""
        if self._notice.words and cause not in self._notice.causes:
            self.say(what)
        else:
            self._notice.tell(what, causes=(cause,), good=True)

    def settle(self, *causes: str) -> None:
        """These causes are gone: a notice that has one of them goes too."""
        self._notice.settle(*causes)

    def fail(self, error: SmritiError, cause: str) -> None:
        """Tells an error where the person looks."""
        if error.code == "database_read_only":
            self._header.change(live="READ ONLY")
        causes = (cause, DATABASE) if isinstance(error, StoreError) else (cause,)
        self._notice.tell(error.message, error.hint, causes=causes)
