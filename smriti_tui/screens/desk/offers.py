"""The lists over the prompt: what `@` can mention, and the commands behind `/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS, LETTERS
from smriti_tui.domain.mentions import mention
from smriti_tui.keys import shown_key
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.offer_list import OfferList
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.row_list import Piece, Row, RowLine

if TYPE_CHECKING:
    from smriti_tui.actions import Action
    from smriti_tui.services import Services
    from smriti_tui.services.mentions import Offers

MOST_ROWS = 50
KEYS = "enter take   esc close"
MOVES = {
    "up": "cursor_up", "down": "cursor_down", "pageup": "half_up", "pagedown": "half_down",
}  # fmt: skip
ASIDE_KEYS = frozenset({"left", "right", "home", "end", "ctrl+a", "ctrl+e"})
"""They move the cursor, perhaps out of what the list is for."""
_WORDS = re.compile(r"\w+")
_AT = re.compile(r"""(?<![^\s(\[{<"'“‘«„])@("[^"\n]*|[^\s@"]*)$""")


@dataclass(frozen=True)
class Offer:
    """One thing that can be mentioned."""

    name: str
    what: str
    """Its words: a title, the text of an item."""
    kind: str
    words: str
    """What the filter looks at, in lower case."""


def offers_of(found: Offers) -> tuple[Offer, ...]:
    """Everything that can be mentioned: items, artifacts, checkpoints, files."""
    rows: list[Offer] = []
    if found.anchor is not None:
        body = found.anchor.body
        for kind in KINDS:
            for number, item in enumerate(getattr(body, kind), 1):
                name = f"{LETTERS[kind]}{number}"
                rows.append(_offer(name, item.text, kind.replace("_", " ").removesuffix("s")))
        rows += [_offer(each.label, each.type, "artifact") for each in body.artifacts]
    rows += [_offer(short(row.id), row.title, "checkpoint") for row in found.checkpoints]
    rows += [_offer(name, "", "file") for name in found.files.names]
    return tuple(rows)


def _offer(name: str, what: str, kind: str) -> Offer:
    return Offer(name, what, kind, f"{name} {what}".lower())


def fitting(offers: Sequence[Offer], typed: str) -> list[Offer]:
    """Those that hold what is typed; first those whose name, or file name, begins with it."""
    wanted = typed.lower()
    words = wanted.split()
    found = [offer for offer in offers if all(word in offer.words for word in words)]

    def rank(offer: Offer) -> int:
        name = offer.name.lower()
        if name.startswith(wanted):
            return 0
        return 1 if name.rpartition("/")[2].startswith(wanted) else 2 + (wanted not in name)

    return sorted(found, key=rank)[:MOST_ROWS] if wanted else found[:MOST_ROWS]


def offer_row(offer: Offer) -> Row:
    """Name, words, kind."""
    left = (Piece(f" {offer.name}", "accent"), Piece(f"  {offer.what}" if offer.what else ""))
    return Row(offer.name, (RowLine(left, f"{offer.kind} "),))


def commands_for(actions: Sequence[Action], typed: str) -> list[Action]:
    """The actions each of whose typed words begins a word of their name; all for none.

    Strict, so that a text that only begins with `/` is hardly ever taken for a command.
    """
    wanted = typed.lower().split()

    def fits(action: Action) -> bool:
        words = _WORDS.findall(f"{action.title} {action.word} {action.id}".lower())
        return all(any(word.startswith(each) for word in words) for each in wanted)

    found = [action for action in actions if fits(action)]
    begins = typed.lower().strip()
    return sorted(
        found,
        key=lambda action: (
            not action.word.lower().startswith(begins), not action.title.lower().startswith(begins),
        ),
    )  # fmt: skip


def command_row(action: Action) -> Row:
    """What it does, and its keys."""
    keys = " ".join(map(shown_key, action.keys))
    return Row(action.id, (RowLine((Piece(f" {action.title}"),), f"{keys} "),))


class OffersPart:
    """Opens the list while a mention or command is typed, filters it, and takes what is chosen."""

    def __init__(
        self,
        here: Here,
        services: Services,
        work: Work,
        prompt: Prompt,
        offers: OfferList,
        commands: Callable[[], Sequence[Action]],
        run: Callable[[str], None],
    ) -> None:
        """`commands`: the actions that can be run here; `run` runs one by its id."""
        self._here = here
        self._services = services
        self._work = work
        self._prompt = prompt
        self._list = offers
        self._list.taken = self._take
        self._commands = commands
        self._run = run
        self._offers: tuple[Offer, ...] = ()
        self._read_for: str | None = None
        """The session whose offers were read since the list was opened last."""
        self._closed: tuple[int, int] | None = None
        """Where the mention or command begins for which the list was closed."""
        self._from: tuple[int, int] = (0, 0)
        """Where the mention or command begins that the list is for."""
        self._command = False

    # ---- keys ----------------------------------------------------------------------------------

    def key(self, key: str) -> bool:
        """Moves in the list, takes from it or closes it."""
        if not self._list.is_open:
            return False
        if key in MOVES:
            getattr(self._list, f"action_{MOVES[key]}")()
        elif key in ("enter", "tab"):
            if (chosen := self._list.cursor_key) is not None:
                self._take(chosen)
        elif key == "escape":
            self._closed = self._from
            self._list.hide()
        else:
            if key in ASIDE_KEYS:
                self._prompt.call_later(self.typed)
            return False
        return True

    # ---- what is typed -------------------------------------------------------------------------

    def typed(self) -> None:
        """The text changed: opens, filters or closes the list."""
        command = self._command_typed()
        found = None if command is not None else self._mention_typed()
        if command is None and found is None:
            self._end()
            return
        self._command = command is not None
        row, column = self._prompt.cursor_location
        typed = command if command is not None else found or ""
        begins = (0, 0) if self._command else (row, column - len(typed) - 1)
        if begins == self._closed:
            self._list.hide()
            return
        self._closed, self._from = None, begins
        if self._command:
            self._offer_commands(typed)
        else:
            self._offer_mentions(typed.removeprefix('"'))

    def _end(self) -> None:
        self._closed = None
        self._read_for = None
        self._list.hide()

    def _command_typed(self) -> str | None:
        """What stands behind a `/` at the very start, if nothing else does."""
        text = self._prompt.document.text
        if not text.startswith("/") or "\n" in text or self._prompt.cursor_location[1] == 0:
            return None
        return text[1:]

    def _mention_typed(self) -> str | None:
        """What stands between an `@` at a word's start and the cursor."""
        row, column = self._prompt.cursor_location
        line = self._prompt.document.get_line(row)
        found = _AT.search(line, max(0, column - 400), column)
        return found[1] if found else None

    # ---- the lists -----------------------------------------------------------------------------

    def _offer_commands(self, typed: str) -> None:
        rows = tuple(map(command_row, commands_for(self._commands(), typed)))
        if rows:
            self._list.offer("Commands", "enter run   esc close", rows)
        else:
            self._list.hide()

    def _offer_mentions(self, typed: str) -> None:
        self._read()
        rows = tuple(map(offer_row, fitting(self._offers, typed)))
        if rows:
            self._list.offer("Mention", KEYS, rows)
        else:
            self._list.hide()

    def _read(self) -> None:
        """Reads what can be mentioned, once each time the list opens."""
        session = self._here.now.session
        if session is None or self._read_for == session:
            return
        self._read_for, self._offers = session, ()

        def read() -> tuple[Offer, ...]:
            # Loads the services, so it is imported in the thread.
            from smriti_tui.services.mentions import MentionService

            return offers_of(MentionService(self._services.caller).offers(session))

        def then(offers: tuple[Offer, ...]) -> None:
            if session == self._here.now.session and self._read_for == session:
                self._offers = offers
                self.typed()

        self._work.read(read, then, group="offers")

    def _take(self, chosen: str) -> None:
        self._list.hide()
        if self._command:
            self._prompt.put("")
            self._prompt.call_later(self._run, chosen)
            return
        cursor = self._prompt.cursor_location
        self._prompt.replace(
            f"{mention(chosen)} ", self._from, cursor, maintain_selection_offset=False
        )
