"""What the review screen asks: why a finding is dismissed, what a change says, and the title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual import on
from textual.widget import Widget
from textual.widgets import Static

from smriti_tui.domain.errors import Conflict, SmritiError
from smriti_tui.domain.findings import Change
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.screens.dialogs.origin import OriginDialog
from smriti_tui.text import literal
from smriti_tui.widgets.fields import Field, LineInput, TextField
from smriti_tui.widgets.literal_view import Section
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

MOST_ROWS = 12


class DismissDialog(Dialog[object]):
    """Dismissed with what its work gave once the reason is stored."""

    HELP = (
        "Why this finding does not count. "
        "The reason is stored beside the finding and shown with it. "
        "z opens the finding again."
    )
    KEYS = "enter Dismiss the finding   esc Back"

    def __init__(self, words: str, reason: str, settle: Callable[[str], object]) -> None:
        """`settle` is called in a thread with the reason and may raise Invalid."""
        super().__init__()
        self._words = words
        self._reason = reason
        self._settle = settle

    def heading(self) -> str:
        return "Dismiss this finding"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        yield Field("reason", "Reason", LineInput(self._reason, widget_id="reason"))

    def submit(self) -> None:
        """Stores it in a thread."""
        reason = self.query_one("#reason", LineInput).value
        self.work(lambda: self._settle(reason), "Dismissing the finding")


class ChangeTextDialog(Dialog[object]):
    """The text of a change in the person's own words; accepts the finding with it."""

    HELP = (
        "What the follow-up will say, in your own words. "
        "Saving accepts the finding with this text; the reviewed checkpoint stays as it is. "
        "z takes it back."
    )
    KEYS = "^s Accept with this text   ^g Editor   esc Back"

    def __init__(self, words: str, text: str, settle: Callable[[str], object]) -> None:
        """`settle` is called in a thread with the text and may raise Invalid."""
        super().__init__()
        self._words = words
        self._text = text
        self._settle = settle

    def heading(self) -> str:
        return "Edit the suggestion"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        yield Field("change", "Text", TextField(self._text, widget_id="change-text"))

    def on_mount(self) -> None:
        """One goes on writing at the end."""
        field = self.query_one("#change-text", TextField)
        field.move_cursor(field.document.end)
        field.focus()

    def submit(self) -> None:
        """Accepts in a thread."""
        text = self.query_one("#change-text", TextField).text
        self.work(lambda: self._settle(text), "Accepting the finding")


class RetireByDialog(Dialog[Change]):
    """Which item goes, and by which it is replaced; dismissed with that change."""

    HELP = (
        "A retired item stands in the follow-up as retired, with what replaced it. "
        "What rested on it rests on that then. "
        "The reviewed checkpoint stays as it is."
    )
    KEYS = "enter Accept with this   esc Back"

    def __init__(self, words: str, ways: Sequence[tuple[Change, str]], chosen: int) -> None:
        """`ways` are changes in words; `chosen` is the one under the cursor."""
        super().__init__()
        self._words = words
        self._ways = tuple(ways)
        self._chosen = chosen

    def heading(self) -> str:
        return "Which item goes"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        rows = RowList(id="ways")
        rows.styles.height = min(len(self._ways), MOST_ROWS)
        yield rows

    def on_mount(self) -> None:
        """The cursor stands on what was suggested."""
        rows = self.query_one("#ways", RowList)
        rows.show_rows(
            tuple(
                Row(str(at), (RowLine((Piece(f" {words}"),)),))
                for at, (_, words) in enumerate(self._ways)
            )
        )
        rows.move_to(str(self._chosen))
        rows.focus()

    def submit(self) -> None:
        """As enter."""
        self.query_one("#ways", RowList).action_open()

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.dismiss(self._ways[int(message.key)][0])


class WriteFollowUpDialog(Dialog[object]):
    """Asks for the title and writes; dismissed with what was saved, or with the `Conflict` that
    came in between."""

    HELP = (
        "Writes the accepted changes as a new checkpoint after the reviewed one. "
        "The reviewed checkpoint stays as it is. "
        "Whoever saved on the branch meanwhile is told before anything is written."
    )
    KEYS = "enter Write   tab Next field   esc Back"

    def __init__(
        self,
        words: str,
        title: str,
        write: Callable[[str, str], object],
        *,
        branch: str | None = None,
    ) -> None:
        """`write` is called in a thread with title and branch; `branch` is the proposed name of a
        new one, None where no new one is needed."""
        super().__init__()
        self._words = words
        self._title = title
        self._write = write
        self._branch = branch

    def heading(self) -> str:
        return "Write the follow-up"

    def body(self) -> Iterable[Widget]:
        yield Static(literal(self._words), classes="dialog--words")
        yield Field("title", "Title", LineInput(self._title, widget_id="follow-title"))
        if self._branch is not None:
            field = LineInput(self._branch, widget_id="follow-branch")
            yield Field("branch", "New branch", field)

    def submit(self) -> None:
        """Writes in a thread."""
        title = self.query_one("#follow-title", LineInput).value
        branch = ""
        if self._branch is not None:
            branch = self.query_one("#follow-branch", LineInput).value.strip()
        self.work(lambda: self._write(title, branch), "Writing the follow-up")

    def show_error(self, error: SmritiError) -> None:
        """A head that moved is the screen's matter; anything else is mended here."""
        if isinstance(error, Conflict) and error.code in ("stale_head", "branch_needed"):
            self.dismiss(error)
        else:
            super().show_error(error)


class SourceDialog(OriginDialog):
    """The turns and items that a finding points at, in full."""

    HELP = (
        "The turns that the items cite, word for word, and the items themselves. "
        "They are read from the log, as they were said. "
        "esc leads back to the finding."
    )

    def __init__(self, sections: Sequence[Section]) -> None:
        super().__init__("", sections)

    def heading(self) -> str:
        return "What this finding points at"
