"""A bar above the footer for what needs an answer: it stays until it is dismissed, or until what it
tells of is gone."""

from __future__ import annotations

from collections.abc import Collection

from textual.content import Content
from textual.widget import Widget

from smriti_tui.domain.clean import clean_line


class NoticeBar(Widget):
    """What happened, and the next step in words; not there when there is nothing to say."""

    DEFAULT_CSS = """
    NoticeBar { height: auto; max-height: 4; display: none; dock: bottom; padding: 0 1;
        margin-bottom: 1; }
    NoticeBar.-shown { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._words = ""
        self._causes: frozenset[str] = frozenset()
        self._waiting = ""
        self._good = False

    @property
    def words(self) -> str:
        """What is shown, empty for nothing."""
        return self._words

    @property
    def causes(self) -> frozenset[str]:
        """What the words are there for."""
        return self._causes

    def tell(
        self, what: str, hint: str = "", *, causes: Collection[str] = (), good: bool = False
    ) -> None:
        """Shows one sentence and what to do about it; `causes` name what it is there for. `good`
        is for what went well: without the sign of a fault."""
        self._good = good
        self._causes = frozenset(causes)
        self._words = " ".join(filter(None, (clean_line(what), clean_line(hint))))
        self.add_class("-shown")
        self.refresh(layout=True)

    def dismiss(self) -> bool:
        """Takes the words away; False if there were none."""
        if not self._words:
            return False
        self._words = ""
        self.set_class(bool(self._waiting), "-shown")
        self.refresh(layout=True)
        return True

    def wait(self, words: str) -> None:
        """Says what is waited for, in front of all else; empty when nothing is any more."""
        self._waiting = clean_line(words)
        self.set_class(bool(self._waiting or self._words), "-shown")
        self.refresh(layout=True)

    def settle(self, *causes: str) -> bool:
        """Takes the words away if they were there for one of these; False otherwise."""
        return not self._causes.isdisjoint(causes) and self.dismiss()

    def render(self) -> Content:
        """The words, wrapped, and how to get rid of them."""
        if self._waiting:
            return Content.assemble(("~ ", "bold"), self._waiting, "   esc gives up")
        sign = "" if self._good else "! "
        return Content.assemble((sign, "bold"), self._words, "   esc dismisses")
