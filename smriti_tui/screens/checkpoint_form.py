"""A checkpoint written by hand: every field, what it carries over and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static, TextArea

from smriti_tui.config.light import styles_dir
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, Invalid, SmritiError
from smriti_tui.domain.form import (
    FormState,
    missing_ids,
    opened,
    to_input,
    with_carry,
)
from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Checkpoint
from smriti_tui.keys import Place, bindings, named
from smriti_tui.messages import Failed, FeedMoved
from smriti_tui.screens.dialogs.choice import ChoiceDialog
from smriti_tui.screens.form_loading import OpenedForm, open_form
from smriti_tui.screens.form_news import HeadMoved, beside_name, moved
from smriti_tui.screens.form_retiring import FormRetiring
from smriti_tui.screens.full import LEAVING, MOVES, TitleLine
from smriti_tui.widgets.artifact_list import ArtifactList
from smriti_tui.widgets.fields import EditorLine, Field
from smriti_tui.widgets.item_editor import ItemEditor
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.domain.checkpoint_input import CheckpointInput
    from smriti_tui.services.checkpoints import Saved

TOP, MERGE, BESIDE = "top", "merge", "beside"
MOST_TOLD = 2
"""Items in which the new head differs that the bar names; saving lists more."""


class CheckpointForm(FormRetiring):
    """Dismissed with the saved checkpoint, or with None when left: what is typed is kept."""

    HELP = (
        "What you save here is a whole checkpoint: what it leaves out of its head is retired. "
        "Enter in the line below a list adds an item; in the list e edits, < > move, D takes out: "
        "with a reason an item of the head stands as retired in what you save. "
        "Everything typed is kept when you leave or the program ends."
    )
    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = [
        str(styles_dir() / "context.tcss"),
        str(styles_dir() / "form.tcss"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("form"),
        *named(*MOVES, "nav.open"),
        *LEAVING,
    ]
    FOOTER = ("edit.save", "nav.next", "nav.back")
    LINE_FOOTER = ("edit.save", "nav.up", "nav.next", "nav.back")
    LIST_FOOTER = ("edit.save", "item.edit", "item.new", "item.remove", "edit.undo", "nav.back")

    @dataclass
    class Opened(Message):
        """The form's place and its earlier text were read."""

        form: OpenedForm

    @dataclass
    class Stored(Message):
        """The checkpoint is saved."""

        saved: Saved

    @dataclass
    class NotStored(Message):
        """It was not; nothing typed is lost."""

        failed: Failed

    @dataclass
    class Rebased(Message):
        """The head that came meanwhile was read."""

        head: Checkpoint | None

    @dataclass
    class Looked(Message):
        """Whether the head is still the one that is written on; `asked` when saving found out."""

        written_on: str
        moved: HeadMoved | None
        asked: bool

    then_merge = False
    """Whether what was saved is to be merged with what came meanwhile."""

    def on_mount(self) -> None:
        """Reads the head and what was typed before, behind the first frame."""
        self.query_one(TitleLine).left = (self._place.space_name, "NEW CHECKPOINT")
        self.query_one("#form-status", Static).update("Reading the head ...")
        services, place, keeper = self._services, self._place, self._keeper

        def work() -> OpenedForm:
            return open_form(services, place, keeper.take(place.thing))

        in_thread(self, work, self.Opened, group="form.open", what="Opening the form")

    @on(Opened)
    async def _opened(self, message: Opened) -> None:
        form = message.form
        await self.query_one("#form-body").mount_all(self._fields())
        self._form, self._head = form, form.head
        self.set_class(form.needs_branch or bool(form.state.branch), "-needs-branch")
        self._beside = bool(form.state.branch) and not form.needs_branch
        self._fill(form.state)
        first = self.query_one("#branch" if form.needs_branch else "#title")
        first.focus(scroll_visible=False)
        self.query_one("#form-body").scroll_home(animate=False)
        if form.news:
            self.tell(form.news)

    # ---- a head that moves ---------------------------------------------------------------------

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Somebody may have saved on the head that is written on."""
        if self._form is not None and not self._saving and not self.has_class("-needs-branch"):
            self._look(asked=False)

    def _look(self, *, asked: bool) -> None:
        services, place, written_on = self._services, self._place, self._base[0]

        def look() -> HeadMoved | None:
            return moved(services, place, written_on)

        in_thread(
            self, look, lambda found: self.Looked(written_on, found, asked),
            group="form.look", what="Reading the head",
        )  # fmt: skip

    @on(Looked)
    def _looked(self, message: Looked) -> None:
        found = message.moved
        if message.written_on != self._base[0]:
            return
        if message.asked:
            if found is None:  # It moved back: what stood in the way is gone.
                self._save()
            else:
                self._ask_where(found)
        elif found is not None and found.head != self._moved_to:
            self._moved_to = found.head
            differs = f" Differs: {'; '.join(found.items[:MOST_TOLD])}." if found.items else ""
            self.tell(f"{found.told}{differs}", "ctrl+s asks where this goes; all you typed stays.")
            self._show_status()

    # ---- keys ----------------------------------------------------------------------------------

    @property
    def places(self) -> tuple[Place, ...]:
        """In a list its keys come first."""
        if isinstance(self.focused, RowList):
            return ("items", "form", "browse", "everywhere")
        return ("form", "everywhere", "items")

    def runners(self) -> Mapping[str, Callable[[], object]]:
        """Saving, and what the list with the focus can do."""
        own: dict[str, Callable[[], object]] = {"edit.save": self._save, "nav.next": self._next}
        line = self._line_editor()
        if line is not None:
            own["nav.up"] = line.to_list
        for holder in (ItemEditor, ArtifactList):
            found = self._holder(holder)
            if found is not None:
                own.update(found.runners())
        return own

    def _next(self) -> None:
        """From field to field, so that letters stay text: `up` or shift+tab leads into a list."""
        self.focus_next()
        if isinstance(self._holder(ItemEditor), ItemEditor):
            self.focus_next()

    def _holder(
        self, kind: type[ItemEditor] | type[ArtifactList]
    ) -> ItemEditor | ArtifactList | None:
        focused = self.focused
        if not isinstance(focused, RowList):
            return None
        return next((each for each in focused.ancestors if isinstance(each, kind)), None)

    def on_descendant_focus(self) -> None:
        """The footer follows the focus."""
        if isinstance(self.focused, RowList):
            self.show_footer(self.LIST_FOOTER)
        else:
            editor = self._line_editor()
            leads_up = editor is not None and editor.leads_up
            self.show_footer(self.LINE_FOOTER if leads_up else self.FOOTER)

    @on(TextArea.Changed)
    @on(ItemEditor.Changed)
    def _line_changed(self) -> None:
        """Up leads to the list only while the line is empty."""
        self.on_descendant_focus()

    def _line_editor(self) -> ItemEditor | None:
        """The editor in whose line one types."""
        focused = self.focused
        if not isinstance(focused, EditorLine):
            return None
        return next((each for each in focused.ancestors if isinstance(each, ItemEditor)), None)

    def back(self) -> None:
        """The bar; then an open edit; then the screen, and what is typed is kept."""
        if self.query_one(NoticeBar).dismiss():
            return
        editor = self._line_editor()
        if editor is not None and editor.editing:
            editor.end_edit()
            editor.query_one(RowList).focus()
            return
        self._leave()

    def _leave(self) -> None:
        touched = False
        if self._form is not None:
            for editor in self.query(ItemEditor):
                editor.end_edit()  # Kept as it is, it would come back as another item.
            text = self._kept_text(self.state())
            touched = bool(text)
            self._keeper.later(self._place.thing, text)
            self.app.run_worker(self._keeper.write, thread=True, exit_on_error=False)
        if touched:
            self.app.notify("Kept: the form opens again with what you typed.", markup=False)
        self.dismiss(None)

    async def on_unmount(self) -> None:
        """Keeps what was typed in the last moment before the app ends."""
        await self._keeper.finish()

    # ---- saving --------------------------------------------------------------------------------

    def _save(self, merge_into: str = "") -> None:
        """With `merge_into`, on a branch beside that one, to be merged into it."""
        if self._form is None or self._saving:
            return
        self.then_merge = bool(merge_into)
        for field in self.query(Field):
            field.fault("")
        self._commit()
        state = self.state()
        needs_branch = self.has_class("-needs-branch")
        try:
            content = to_input(state)
            if needs_branch and not state.branch.strip():
                raise Invalid("A new branch needs a name.", "Type one.", field="branch")
        except Invalid as error:
            self._show_fault(error)
            return
        self._saving = True
        self.query_one("#form-status", Static).update("Saving ...")
        branch = state.branch.strip() if needs_branch else None
        work = self._saving_work(content, state, branch, merge_into)
        in_thread(self, work, self.Stored, group="form.save", what="Saving", failed=self.NotStored)

    def _saving_work(
        self, content: CheckpointInput, state: FormState, branch: str | None, merge_into: str
    ) -> Callable[[], Saved]:
        """What saves in a thread, where the form says."""
        services, place, beside = self._services, self._place, self._beside

        def work() -> Saved:
            if merge_into or (beside and branch is not None):
                # Loads the services, so it is imported in the thread.
                from smriti_tui.services.beside import BesideService

                name = branch or beside_name(services, place.space, merge_into)
                start = CheckpointId(state.head) if state.head else None
                service = BesideService(services.checkpoints)
                return service.create(place.space, content, branch=name, start=start)
            return services.checkpoints.create(
                place.space,
                content,
                session=place.session,
                branch=branch,
                expect_head=state.head,
                last=(state.last or 0) if place.session else None,
            )

        return work

    @on(Stored)
    def _stored(self, message: Stored) -> None:
        saved = message.saved
        self._keeper.later(self._place.thing, "")
        self.app.run_worker(self._keeper.write, thread=True, exit_on_error=False)
        out = f", {saved.omitted_count} left out" if saved.omitted_count else ""
        words = f"Saved {short(saved.checkpoint.id)} on {saved.checkpoint.branch_name}{out}."
        self.app.notify(clean_line(words), markup=False)
        self.dismiss(saved.checkpoint)

    @on(NotStored)
    def _not_stored(self, message: NotStored) -> None:
        self._saving = False
        self._show_status()
        error = message.failed.error
        if isinstance(error, Conflict) and error.code == "stale_head":
            self._look(asked=True)
        elif isinstance(error, Conflict) and error.code in ("branch_needed", "branch_exists"):
            self._need_branch(str(error), beside=self._beside)
        else:
            self._show_fault(error)

    def _show_fault(self, error: SmritiError) -> None:
        """At its field, with the focus there; else in the bar."""
        name = (error.field or "") if isinstance(error, Invalid) else ""
        name = name.split("[")[0].split(".")[0]
        for field in self.query(Field):
            if name and field.field == name:
                field.fault(str(error))
                field.scroll_visible(animate=False)
                return
        self.tell(error.message, error.hint)

    def _need_branch(self, words: str, *, beside: bool) -> None:
        self._beside = beside
        self.add_class("-needs-branch")
        self._show_status()
        self.query_one("#field-branch", Field).fault(words)
        self.call_after_refresh(self.query_one("#branch").focus)

    def _ask_where(self, found: HeadMoved) -> None:
        """What came, and the ways on; nothing typed is lost on any of them."""
        base = short(self._base[0]) or "the start"
        ways = (
            (TOP, f"On top of {short(found.head) or 'nothing'}, the new head of {found.branch}"),
            (BESIDE, f"On a new branch from {base}"),
            (MERGE, "Beside it, then merge the two"),
        )
        self._show_status()

        def chosen(way: str | None) -> None:
            if way == TOP:
                self._rebase(found.head)
            elif way == MERGE:
                self._save(merge_into=found.branch)
            elif way == BESIDE:
                self._need_branch("Name the new branch, then save.", beside=True)

        words = f"{found.words}\n\nEverything you typed is kept."
        self.app.push_screen(ChoiceDialog("The head has moved", words, ways), chosen)

    def _rebase(self, actual: str) -> None:
        checkpoints = self._services.checkpoints

        def work() -> Checkpoint | None:
            return checkpoints.get(CheckpointId(actual)) if actual else None

        in_thread(self, work, self.Rebased, group="form.rebase", what="Reading the new head")

    @on(Rebased)
    def _rebased(self, message: Rebased) -> None:
        """Writes on the new head, items with their uids; saves at once unless that would leave out
        more than is seen."""
        before = missing_ids(self.state(), self._head.body if self._head else None)
        self._head = message.head
        body = message.head.body if message.head else None
        state = replace(self.state(), head=message.head.id if message.head else "")
        if self._form is not None:
            self._form = replace(self._form, start=opened(body, state.head, state.last))
        self._fill(with_carry(state, body, carry=True) if state.carry else state)
        missing = missing_ids(self.state(), body)
        if any(ids - before.get(kind, frozenset()) for kind, ids in missing.items()):
            self.tell("The new head holds more than this form.", "Look below, then ctrl+s saves.")
        else:
            self._save()
