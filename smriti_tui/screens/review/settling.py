"""Accepting, editing and dismissing findings; undo is that of the workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.findings import Change, SettledFinding
from smriti_tui.domain.model import CheckpointBody
from smriti_tui.domain.render.review_words import change_words, named
from smriti_tui.domain.reviewed import parts_of, with_words
from smriti_tui.screens.review.dialogs import ChangeTextDialog, DismissDialog, RetireByDialog
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.review.review import ReviewScreen

GROUP = "review.settle"
MOST_HEIRS = 200
"""Other items that are offered in the place of one that goes."""


class Settling:
    """What is made of the finding under the cursor."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self.on_way: set[str] = set()
        """Findings that are being settled: the cursor has gone on already."""
        self._then: Callable[[], None] | None = None

    def afterwards(self, then: Callable[[], None]) -> bool:
        """Calls `then` once all that is on its way is read; False where nothing is."""
        if self.on_way:
            self._then = then
        return bool(self.on_way)

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """By the ids of the action table."""
        return {
            "review.accept": self.accept,
            "review.dismiss": self.dismiss,
            "review.edit": self.edit,
            "edit.undo": lambda: self._turn_back("edit.undo"),
            "edit.redo": lambda: self._turn_back("edit.redo"),
        }

    def _open(self) -> SettledFinding | None:
        """The finding that something can be made of; else says why there is none."""
        screen = self._screen
        if why := screen.fixed:
            screen.say(f"{why[:1].upper()}{why[1:]}.")
            return None
        each = screen.under_cursor
        if each is None:
            screen.say("Go to a finding first.")
        elif not each.review:
            again = screen.table.key("review.again")
            screen.say(f"Nothing of this is recorded yet. {again} runs the review.")
            return None
        return each

    # ---- accept --------------------------------------------------------------------------------

    def accept(self) -> None:
        """Takes the suggestion into the follow-up."""
        each = self._open()
        if each is None:
            return
        if each.finding.suggestion is None:
            edit, dismiss = map(self._screen.table.key, ("review.edit", "review.dismiss"))
            words = f"It suggests no change. {edit} says what to change, {dismiss} dismisses it."
            self._screen.say(words)
        elif each.outcome == "accepted":
            self._screen.say("It is accepted already.")
        else:
            self._accept(each)

    def _accept(self, each: SettledFinding, change: Change | None = None) -> None:
        settle = self._screen.services.reviewing.settle
        key, outcome = each.finding.id, "edited" if change is not None else "accepted"
        self._screen.expected.finding(key)

        def failed(error: SmritiError) -> None:
            self._screen.expected.forget(key)
            self._over(key)
            self._screen.failed(error)

        self._begun(key)
        hop(
            self._screen,
            lambda: settle(key, outcome, change=change),  # type: ignore[arg-type]
            lambda _: self._settled(key),
            failed,
            group=GROUP,
        )

    def _begun(self, finding: str) -> None:
        """The cursor goes on at once: the next key is about the next finding."""
        self.on_way.add(finding)
        self._screen.moving.go_on(finding)

    def _settled(self, finding: str) -> None:
        self._screen.read(lambda: self._over(finding))

    def _over(self, finding: str) -> None:
        self.on_way.discard(finding)
        then, self._then = (None, self._then) if self.on_way else (self._then, None)
        if then is not None:
            then()

    # ---- dismiss -------------------------------------------------------------------------------

    def dismiss(self) -> None:
        """Asks for the reason."""
        each = self._open()
        if each is None:
            return
        settle, key = self._screen.services.reviewing.settle, each.finding.id

        def work(reason: str) -> object:
            return settle(key, "dismissed", reason=reason)

        self._ask(each, DismissDialog(each.finding.text, each.reason or "", work))

    def _ask(self, each: SettledFinding, dialog: DismissDialog | ChangeTextDialog) -> None:
        key = each.finding.id
        self._screen.expected.finding(key)

        def closed(done: object) -> None:
            if done is None:
                self._screen.expected.forget(key)
            else:
                self._begun(key)
                self._settled(key)

        self._screen.app.push_screen(dialog, closed)

    # ---- edit ----------------------------------------------------------------------------------

    def edit(self) -> None:
        """The text of the change; of one that retires, which item goes and by which."""
        each, look = self._open(), self._screen.look
        if each is None or look is None:
            return
        body = look.checkpoint.body
        change = each.change or each.finding.suggestion
        ways = list(retire_ways(each, body))
        if ways and (change is None or change.change == "retire"):
            self._which(each, ways, change)
        elif with_words(each.finding, "") is not None:
            self._words(each, _text_of(each, body))
        else:
            accept, dismiss = map(self._screen.table.key, ("review.accept", "review.dismiss"))
            self._screen.say(
                f"Here is nothing to word: {accept} accepts the change, {dismiss} dismisses it."
            )

    def _words(self, each: SettledFinding, text: str) -> None:
        settle, key = self._screen.services.reviewing.settle, each.finding.id

        def work(typed: str) -> object:
            return settle(key, "edited", change=with_words(each.finding, typed))

        self._ask(each, ChangeTextDialog(each.finding.text, text, work))

    def _which(
        self, each: SettledFinding, ways: list[tuple[Change, str]], change: Change | None
    ) -> None:
        at = next((at for at, (way, _) in enumerate(ways) if way == change), 0)

        def chosen(way: Change | None) -> None:
            if way is not None:
                self._accept(each, way)

        self._screen.app.push_screen(RetireByDialog(each.finding.text, ways, at), chosen)

    # ---- undo ----------------------------------------------------------------------------------

    def _turn_back(self, action_id: str) -> None:
        """As on the workspace: the newest action, wherever it was done."""
        from smriti_tui.app import SmritiApp

        if isinstance(self._screen.app, SmritiApp):
            self._screen.expected.any_one()
            self._screen.app.at_desk(action_id)


def retire_ways(each: SettledFinding, body: CheckpointBody) -> Iterator[tuple[Change, str]]:
    """Which of the finding's items may go: each by another of them or by nothing; then the
    suggested one by any other item of its list."""
    parts = parts_of(body)
    live = [uid for uid in each.finding.items if uid in parts and parts[uid][1].state == "live"]
    suggested = each.finding.suggestion
    if each.finding.kind == "hidden_assumption" or (len(live) < 2 and suggested is None):
        return
    changes = [
        Change("retire", uid, by=other) for uid in live for other in (*live, None) if other != uid
    ]
    gone = suggested.uid if suggested is not None and suggested.change == "retire" else None
    if gone is not None and gone in parts:
        kind = parts[gone][0]
        others = [u for u, (k, i) in parts.items() if k == kind and i.state == "live" and u != gone]
        changes += [Change("retire", gone, by=other) for other in others[:MOST_HEIRS]]
    for change in dict.fromkeys(changes):
        heir = f"   {named(change.by, body)}" if change.by is not None else ""
        yield change, clean_line(f"{change_words(change, body)}{heir}")


def _text_of(each: SettledFinding, body: CheckpointBody) -> str:
    """What stands in the change now, else the words of the item that it is about."""
    change = each.change or each.finding.suggestion
    if change is not None and change.text:
        return change.text
    found = parts_of(body).get(each.finding.items[0]) if each.finding.items else None
    return found[1].text if found is not None else ""
