"""The copy menu over any screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from smriti_tui.domain.clean import clean_line
from smriti_tui.screens.copy_out import SAID_S, copy_out, named
from smriti_tui.screens.copyables import Commands, Copyable

if TYPE_CHECKING:
    from textual.app import App

    from smriti_tui.screens.dialogs.copy_menu import Written


def commands_of(app: App[Any]) -> Commands:
    """Command lines that find the database of this app."""
    opened = getattr(app, "opened", None)
    if opened is None:
        return Commands()
    own = not opened.demo and opened.config.origins.get("database.url") != "flag"
    return Commands(None if own else opened.services.caller.store.name)


def open_copy_menu(app: App[Any], copies: Sequence[Copyable]) -> None:
    """Offers `copies`; those that are empty are left out."""
    from smriti_tui.screens.dialogs.copy_menu import CopyMenu, Written

    offered = [copy for copy in copies if copy.text]
    if not offered:
        app.notify("There is nothing to copy here.", markup=False)
        return

    def then(result: Copyable | Written | None) -> None:
        if isinstance(result, Written):
            what = result.what.said or named(result.what.text)
            words = f"Wrote {what} to {clean_line(str(result.path))}"
            app.notify(words, markup=False, timeout=SAID_S)
        elif result is not None and result.more is not None:
            open_copy_menu(app, result.more())
        elif result is not None:
            copy_out(app, result.text, result.said)

    app.push_screen(CopyMenu(offered), then)
