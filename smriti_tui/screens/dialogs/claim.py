"""A claim: taken, or said in other words and given more time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.widget import Widget

from smriti_tui.domain.claims import INTENTS, Claim
from smriti_tui.domain.durations import parse_span, span_words
from smriti_tui.domain.ids import short
from smriti_tui.domain.tasks import TaskView
from smriti_tui.domain.worktrees import Worktree
from smriti_tui.screens.dialogs.dialog import Dialog
from smriti_tui.widgets.fields import Field, LineInput
from smriti_tui.widgets.row_list import Piece, Row, RowLine, RowList

if TYPE_CHECKING:
    from smriti_tui.services.claims import Taken

USUAL_TIME = "4h"
MOST_ROWS = 5
NONE = ""


@dataclass(frozen=True)
class Wanted:
    """What stands in the fields. `ttl_s` is None where the time stays as it is."""

    scope: str
    intent: str
    task_id: str | None = None
    branch: str = ""
    worktree: str | None = None
    ttl_s: int | None = None


@dataclass(frozen=True)
class ClaimChoices:
    """What a new claim can be about: free tasks in the order in which they are offered, the open
    worktrees, and the branch that one comes from."""

    tasks: Sequence[TaskView] = ()
    worktrees: Sequence[Worktree] = ()
    branch: str = ""


class _ClaimForm(Dialog["Taken"]):
    """Scope, intent and time."""

    def __init__(self, take: Callable[[Wanted], Taken]) -> None:
        """`take` is called in a thread and may raise Invalid (fields scope, intent, ttl),
        NotFound and Conflict."""
        super().__init__()
        self._take = take

    def intents(self) -> Field:
        """The rows of the intents."""
        return Field("intent", "Intent", _rows("claim-intent", len(INTENTS)))

    def show_intents(self, chosen: str) -> None:
        """Fills them."""
        rows = self.query_one("#claim-intent", RowList)
        rows.show_rows(tuple(_row(each, each) for each in INTENTS))
        rows.move_to(chosen)

    def text(self, name: str) -> str:
        """What stands in a line."""
        return self.query_one(f"#claim-{name}", LineInput).value.strip()

    def chosen(self, name: str) -> str:
        """What the cursor of a list stands on."""
        return self.query_one(f"#claim-{name}", RowList).cursor_key or NONE

    @on(RowList.Opened)
    def _opened(self, message: RowList.Opened) -> None:
        message.stop()
        self.submit()


class NewClaimDialog(_ClaimForm):
    """Dismissed with the claim as it is stored, and what it overlaps with."""

    HELP = (
        "A claim tells everybody what you are about to do, until its time is up. "
        "It keeps nobody out: whoever overlaps with it is told, and so are you. "
        "A task fills in scope and intent; those that fit beside the work under way come first."
    )
    KEYS = "enter Claim   tab Next field   esc Back"

    def __init__(self, choices: ClaimChoices, take: Callable[[Wanted], Taken]) -> None:
        super().__init__(take)
        self._choices = choices
        self._tasks = {_task_name(each): each for each in choices.tasks}
        self._filled = ""
        """The scope that a task filled in: another task may take its place."""

    def heading(self) -> str:
        return "New claim"

    def body(self) -> Iterable[Widget]:
        choices = self._choices
        hint = "what you work on: words, files, folders"
        yield Field("scope", "Scope", LineInput(widget_id="claim-scope", hint=hint))
        if choices.tasks:
            rows = _rows("claim-task", min(len(choices.tasks) + 1, MOST_ROWS))
            yield Field("task", "Task that is free", rows)
        yield self.intents()
        yield Field("branch", "Branch", LineInput(choices.branch, widget_id="claim-branch"))
        if choices.worktrees:
            rows = _rows("claim-worktree", min(len(choices.worktrees) + 1, MOST_ROWS))
            yield Field("worktree", "Worktree", rows)
        yield Field("ttl", "Holds for (30m, 4h, 2d)", LineInput(USUAL_TIME, widget_id="claim-ttl"))

    def on_mount(self) -> None:
        """The focus is in the scope; no task is chosen."""
        self.show_intents(INTENTS[0])
        if self._choices.tasks:
            rows = [_row(NONE, "no task")]
            rows += [_row(name, _task_words(each)) for name, each in self._tasks.items()]
            self.query_one("#claim-task", RowList).show_rows(tuple(rows))
            self.query_one("#claim-task", RowList).move_to(NONE)
        if self._choices.worktrees:
            trees = [_row(NONE, "none")]
            trees += [_row(e.id, f"{e.branch} ({short(e.id)})") for e in self._choices.worktrees]
            self.query_one("#claim-worktree", RowList).show_rows(tuple(trees))
            self.query_one("#claim-worktree", RowList).move_to(NONE)
        self.query_one("#claim-scope").focus()

    @on(RowList.Moved)
    def _moved(self, message: RowList.Moved) -> None:
        """A task says what is done and how; what was typed stays."""
        message.stop()
        if message.rows.id != "claim-task":
            return
        task = self._tasks.get(message.key)
        field = self.query_one("#claim-scope", LineInput)
        if field.value.strip() in ("", self._filled):
            self._filled = " ".join(task.task.text.split()) if task is not None else ""
            field.fill(self._filled)
        if task is not None and task.task.intent_hint:
            self.query_one("#claim-intent", RowList).move_to(task.task.intent_hint)

    def submit(self) -> None:
        """Claims it in a thread."""
        scope, intent, branch = self.text("scope"), self.chosen("intent"), self.text("branch")
        task = self.chosen("task") if self._choices.tasks else NONE
        tree = self.chosen("worktree") if self._choices.worktrees else NONE
        ttl, take = self.text("ttl") or USUAL_TIME, self._take
        self.work(
            lambda: take(
                Wanted(scope, intent, task or None, branch, tree or None, parse_span(ttl))
            ),
            "Claiming",
        )


class EditClaimDialog(_ClaimForm):
    """Dismissed with the claim as it is now."""

    HELP = (
        "Other words for what is being done, another intent, more time. "
        "The time counts from now; left empty, the deadline stays. "
        "A claim whose time was up holds again when it gets more."
    )
    KEYS = "enter Change   tab Next field   esc Back"

    def __init__(self, claim: Claim, now: str, take: Callable[[Wanted], Taken]) -> None:
        super().__init__(take)
        self._claim = claim
        self._now = now

    def heading(self) -> str:
        return f"Claim {short(self._claim.id)} of {self._claim.agent}"

    def body(self) -> Iterable[Widget]:
        claim = self._claim
        left = span_words(claim.left_s(self._now))
        hint = f"as it is: {left} left" if claim.holds(self._now) else "its time is up; 4h, 2d"
        yield Field("scope", "Scope", LineInput(claim.scope, widget_id="claim-scope"))
        yield self.intents()
        yield Field(
            "ttl", "Holds from now for (30m, 4h, 2d)", LineInput(widget_id="claim-ttl", hint=hint)
        )

    def on_mount(self) -> None:
        """The focus is in the scope."""
        self.show_intents(self._claim.intent)
        self.query_one("#claim-scope").focus()

    def submit(self) -> None:
        """Changes it in a thread."""
        scope, intent, ttl = self.text("scope"), self.chosen("intent"), self.text("ttl")
        take = self._take
        self.work(
            lambda: take(Wanted(scope, intent, ttl_s=parse_span(ttl) if ttl else None)),
            "Changing the claim",
        )


def _rows(name: str, height: int) -> RowList:
    rows = RowList(id=name)
    rows.styles.height = height
    return rows


def _row(key: str, words: str) -> Row:
    return Row(key, (RowLine((Piece(f" {words}"),)),))


def _task_name(view: TaskView) -> str:
    """By what the claim will call it: labels count anew in each checkpoint."""
    return view.task.id or view.task.text


def _task_words(view: TaskView) -> str:
    intent = f" [{view.task.intent_hint}]" if view.task.intent_hint else ""
    return f"{view.label} {view.task.text}{intent}"
