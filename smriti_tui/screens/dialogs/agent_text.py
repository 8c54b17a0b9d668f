"""A claim, a worktree or a signal in full: a text to read."""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.screens.dialogs.origin import OriginDialog
from smriti_tui.widgets.literal_view import Section


class AgentTextDialog(OriginDialog):
    """Sections below each other; `enter` goes on to what they are about, where there is more."""

    HELP = (
        "All that is known of this, with exact times. "
        "What git predicts comes from a trial merge that touches nothing. "
        "It is advice: nothing is locked."
    )

    def __init__(
        self, heading: str, sections: Sequence[tuple[str, str]], *, leads: str = ""
    ) -> None:
        """`leads` says what enter opens."""
        super().__init__("", [Section(label, text) for label, text in sections])
        self._heading = heading
        self._leads = leads
        self.goes_on = False
        """Whether enter was pressed."""

    def heading(self) -> str:
        return self._heading

    def keys_line(self) -> str:
        go_on = f"enter {self._leads}   " if self._leads else ""
        return f"j k Scroll   {go_on}esc Back"

    def action_run(self, action_id: str) -> None:
        """Enter closes it and goes on."""
        if action_id == "nav.open" and self._leads:
            self.goes_on = True
            self.dismiss(None)
        else:
            super().action_run(action_id)
