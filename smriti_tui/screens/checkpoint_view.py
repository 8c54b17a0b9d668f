"""A checkpoint in full: what its brief says, and whether its chain holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Checkpoint, Note
from smriti_tui.domain.render.brief import Section as BriefSection
from smriti_tui.domain.render.brief import brief_sections
from smriti_tui.keys import named
from smriti_tui.messages import Failed, FeedMoved
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.copyables import of_checkpoint
from smriti_tui.screens.copying import commands_of, open_copy_menu
from smriti_tui.screens.dialogs.reach import Behind, ReachDialog
from smriti_tui.screens.full import LEAVING, MOVES, FullScreen, TitleLine
from smriti_tui.widgets.literal_view import LiteralView, Section
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.services import Services

ACTS = (
    "branch.menu", "checkpoint.blame", "checkpoint.compare", "checkpoint.export",
    "checkpoint.fork", "checkpoint.merge", "checkpoint.note", "checkpoint.remove",
    "checkpoint.review", "checkpoint.turns", "checkpoint.verify",
)  # fmt: skip
"""What is done to the checkpoint on the workspace, by the ids of the action table."""
MOUNT = "mount"
SHOW_CONTEXT = "context"
FOUND = "found"


@dataclass(frozen=True)
class Wanted:
    """What somebody asked for before leaving the view: `mount`, `context` or one of `ACTS`."""

    what: str
    checkpoint: CheckpointId


@dataclass(frozen=True)
class Shown:
    """A checkpoint with all that the view says of it."""

    checkpoint: Checkpoint
    space: str
    notes: tuple[Note, ...]
    faults: tuple[str, ...]
    """What breaks its chain; empty when it holds."""


def sections(shown: Shown) -> tuple[Section, ...]:
    """The sections of the brief, their headings as labels, the chain's state below the facts."""
    first, *others = brief_sections(shown.checkpoint, shown.space, shown.notes)
    facts = first.text.replace("  \n", "\n")
    found = [Section(first.heading, f"{facts}\n{chain_line(shown.faults)}", "title")]
    return (*found, *(_section(section) for section in others))


def _section(section: BriefSection) -> Section:
    return Section(section.heading, section.text, "heading" if section.level == 2 else "artifact")


def singled_out(found: Sequence[Section], at: str) -> tuple[Section, ...]:
    """The sections with one thing set apart under the word `found`: an item by its label (`D1`), an
    artifact by its id, or a section by its heading. All of them unchanged where it is not there."""
    for number, section in enumerate(found):
        if section.label == at or section.label.endswith(f", {short(at)})"):
            apart = [Section(section.label, section.text, FOUND)]
        elif (parts := _around_item(section, at)) is not None:
            apart = parts
        else:
            continue
        return (*found[:number], *apart, *found[number + 1 :])
    return tuple(found)


def _around_item(section: Section, at: str) -> list[Section] | None:
    lines = section.text.split("\n")
    begins = [number for number, line in enumerate(lines) if line.startswith(f"- {at} ")]
    if not begins:
        return None
    first = begins[0]
    last = first + 1
    while last < len(lines) and not lines[last].startswith("- "):
        last += 1
    item = "\n".join((f"> {lines[first][2:]}", *lines[first + 1 : last]))
    return [
        Section(section.label, "\n".join(lines[:first]), section.word),
        Section("", item, FOUND),
        Section("", "\n".join(lines[last:])),
    ]


def chain_line(faults: tuple[str, ...]) -> str:
    """Whether content and parents give the id."""
    return f"Chain BROKEN: {'; '.join(faults)}" if faults else "Chain ok"


class CheckpointView(FullScreen[Wanted | None]):
    """Dismissed with what is wanted of the checkpoint, else with None."""

    HELP = (
        "Everything this checkpoint holds; it never changes. "
        "D1, A1, T1, Q1 count its items on the screen. "
        "m mounts it: the model then gets this state and new turns only. "
        "f forks from it, t adds a note, r reviews, B tells where an item came from, o shows turns."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *named(*MOVES, "checkpoint.mount", "context.show", "edit.copy", "edit.copy_menu", *ACTS),
        *LEAVING,
    ]
    PLACES = ("checkpoint", "everywhere")
    FOOTER = (
        "nav.down", "checkpoint.mount", "checkpoint.fork", "checkpoint.note", "context.show",
        "edit.copy", "nav.back",
    )  # fmt: skip

    shown: reactive[Shown | None] = reactive(None)

    @dataclass
    class Loaded(Message):
        """It was read."""

        shown: Shown

    @dataclass
    class Broken(Message):
        """It could not be read."""

        failed: Failed

    def __init__(self, services: Services, checkpoint: CheckpointId, at: str | None = None) -> None:
        """`at` is what is brought into view: an item's label, an artifact's id or a heading."""
        super().__init__()
        self._services = services
        self._checkpoint = checkpoint
        self._at = at

    def body(self) -> Iterable[Widget]:
        """One text."""
        yield LiteralView(widget_id="checkpoint-text")

    def on_mount(self) -> None:
        """Reads the checkpoint behind the first frame."""
        text = self.query_one("#checkpoint-text", LiteralView)
        text.border_title = "Checkpoint"
        text.show([Section("Reading the checkpoint ...")])
        text.focus()
        self.query_one(TitleLine).left = (f"CHECKPOINT {short(self._checkpoint)}",)
        self._load()

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """What the keys do here."""
        return {
            "checkpoint.mount": lambda: self.dismiss(Wanted(MOUNT, self._checkpoint)),
            "context.show": lambda: self.dismiss(Wanted(SHOW_CONTEXT, self._checkpoint)),
            "edit.copy": self._copy,
            "edit.copy_menu": self._copy_menu,
            "item.reach": self._reach,
            **{act: partial(self._leave_for, act) for act in ACTS},
        }

    def _leave_for(self, act: str) -> None:
        self.dismiss(Wanted(act, self._checkpoint))

    def _load(self) -> None:
        services, wanted = self._services, self._checkpoint

        def work() -> Shown:
            found = services.checkpoints.get(wanted)
            space = services.spaces.get(found.body.space)
            checks = services.checkpoints.verify(one=wanted)
            faults = tuple(fault for check in checks for fault in check.faults)
            return Shown(found, space.name, services.checkpoints.notes(wanted), faults)

        in_thread(
            self,
            work,
            self.Loaded,
            group="checkpoint.load",
            what="Reading the checkpoint",
            failed=self.Broken,
        )

    @on(Loaded)
    def _loaded(self, message: Loaded) -> None:
        self.shown = message.shown

    @on(Broken)
    def _broken(self, message: Broken) -> None:
        error = message.failed.error
        text = Section("This checkpoint cannot be shown.", str(error))
        self.query_one("#checkpoint-text", LiteralView).show([text])
        self.tell(error.message, error.hint)

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Notes may have come."""
        self._load()

    def watch_shown(self, shown: Shown | None) -> None:
        """Draws it; the scroll stays when nothing changed."""
        if shown is None:
            return
        text, found = self.query_one("#checkpoint-text", LiteralView), sections(shown)
        text.show(found if self._at is None else singled_out(found, self._at))
        text.reveal(FOUND)
        branch = f"on {shown.checkpoint.branch_name}"
        title = self.query_one(TitleLine)
        title.left = (
            shown.space, f"CHECKPOINT {short(self._checkpoint)}", branch, shown.checkpoint.title,
        )  # fmt: skip
        title.right = "chain BROKEN" if shown.faults else "chain ok"

    def _reach(self) -> None:
        """What rests on an item; what is chosen there opens on top."""
        if (shown := self.shown) is None:
            return
        reaching = self._services.reaching

        def passed_on(wanted: Wanted | None) -> None:
            if wanted is not None:
                self.dismiss(wanted)

        def opened(behind: Behind | None) -> None:
            if behind is not None:
                view = CheckpointView(self._services, behind.checkpoint, behind.at)
                self.app.push_screen(view, passed_on)

        dialog = ReachDialog(
            shown.checkpoint, lambda wanted: reaching.item(self._checkpoint, wanted), self._at
        )
        self.app.push_screen(dialog, opened)

    def _copy(self) -> None:
        copy_out(self.app, self._checkpoint, f"the id {short(self._checkpoint)}")

    def _copy_menu(self) -> None:
        if (shown := self.shown) is not None:
            copies = of_checkpoint(
                shown.checkpoint, shown.space, shown.notes, commands_of(self.app)
            )
            open_copy_menu(self.app, copies)
