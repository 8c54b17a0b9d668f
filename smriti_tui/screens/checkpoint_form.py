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
from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.form import missing_ids, opened, to_input, with_carry
from smriti_tui.domain.model import Checkpoint
from smriti_tui.keys import Place, bindings, named
from smriti_tui.messages import FeedMoved
from smriti_tui.screens.form_loading import FormPlace, OpenedForm, open_form
from smriti_tui.screens.form_news import HeadMoved
from smriti_tui.screens.form_retiring import FormRetiring
from smriti_tui.screens.full import LEAVING, MOVES, TitleLine
from smriti_tui.screens.saving import Saving, saved_words
from smriti_tui.widgets.artifact_list import ArtifactList
from smriti_tui.widgets.fields import EditorLine, Field, LineInput
from smriti_tui.widgets.item_editor import ItemEditor
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.row_list import RowList
from smriti_tui.worker import in_thread

if TYPE_CHECKING:
    from smriti_tui.domain.checkpoint_input import CheckpointInput
    from smriti_tui.services import Services
    from smriti_tui.services.checkpoints import Saved

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

    def __init__(self, services: Services, place: FormPlace) -> None:
        super().__init__(services, place)
        self._saving = Saving(self, self, services, place)

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
        self._saving.needs_branch = form.needs_branch or bool(form.state.branch)
        self._saving.beside = bool(form.state.branch) and not form.needs_branch
        self.set_class(self._saving.needs_branch, "-needs-branch")
        self._fill(form.state)
        first = self.query_one("#branch" if form.needs_branch else "#title")
        first.focus(scroll_visible=False)
        self.query_one("#form-body").scroll_home(animate=False)
        if form.news:
            self.tell(form.news)

    # ---- a head that moves ---------------------------------------------------------------------

    def on_feed_moved(self, message: FeedMoved) -> None:
        """Somebody may have saved on the head that is written on."""
        if self._form is not None:
            self._saving.look()

    def head_came(self, found: HeadMoved) -> None:
        """Says what came."""
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

    @property
    def then_merge(self) -> bool:
        """Whether what was saved is to be merged with what came meanwhile."""
        return self._saving.then_merge

    def _save(self) -> None:
        if self._form is None or self._saving.running:
            return
        for field in self.query(Field):
            field.fault("")
        self._commit()
        self._saving.save()

    def written_on(self) -> tuple[str, int | None]:
        """The head and the newest answer of now or, of a kept form, of then."""
        return self._base

    def content(self) -> CheckpointInput:
        """All that stands in the fields. Raises: Invalid."""
        return to_input(self.state())

    def branch_name(self) -> str:
        """As typed."""
        return self.query_one("#branch", LineInput).value

    def saving_changed(self) -> None:
        """The line below, and the field for a branch."""
        self.set_class(self._saving.needs_branch, "-needs-branch")
        if self._saving.running:
            self.query_one("#form-status", Static).update("Saving ...")
        else:
            self._show_status()

    def saved(self, saved: Saved) -> None:
        """Forgets what was typed, and leaves."""
        self._keeper.later(self._place.thing, "")
        self.app.run_worker(self._keeper.write, thread=True, exit_on_error=False)
        self.app.notify(saved_words(saved), markup=False)
        self.dismiss(saved.checkpoint)

    def not_saved(self, error: SmritiError) -> None:
        """At its field, with the focus there; else in the bar."""
        name = (error.field or "") if isinstance(error, Invalid) else ""
        name = name.split("[")[0].split(".")[0]
        for field in self.query(Field):
            if name and field.field == name:
                field.fault(str(error))
                field.scroll_visible(animate=False)
                return
        self.tell(error.message, error.hint)

    def need_branch(self, words: str) -> None:
        """Asks for its name."""
        self.query_one("#field-branch", Field).fault(words)
        self.call_after_refresh(self.query_one("#branch").focus)

    def rebased(self, head: Checkpoint | None) -> bool:
        """Writes on the new head, items with their uids; False where saving would leave out more
        than is seen."""
        before = missing_ids(self.state(), self._head.body if self._head else None)
        self._head = head
        body = head.body if head else None
        state = replace(self.state(), head=head.id if head else "")
        if self._form is not None:
            self._form = replace(self._form, start=opened(body, state.head, state.last))
        self._fill(with_carry(state, body, carry=True) if state.carry else state)
        missing = missing_ids(self.state(), body)
        if any(ids - before.get(kind, frozenset()) for kind, ids in missing.items()):
            self.tell("The new head holds more than this form.", "Look below, then ctrl+s saves.")
            return False
        return True
