"""The fields of a form for a checkpoint: what stands in them, and keeping it as it is typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from smriti_tui.domain.form import (
    FormState,
    dump,
    is_touched,
    left_out,
    left_out_line,
    retired_line,
    with_carry,
    with_items,
)
from smriti_tui.domain.ids import short
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.model import Artifact, Checkpoint
from smriti_tui.domain.render.brief import HEADINGS
from smriti_tui.screens.desk.unsent import UnsentKeeper
from smriti_tui.screens.dialogs.artifact import ArtifactDialog
from smriti_tui.screens.form_loading import FormPlace, OpenedForm
from smriti_tui.screens.full import FullScreen, TitleLine
from smriti_tui.screens.saving import Saving
from smriti_tui.text import literal
from smriti_tui.widgets.artifact_list import ArtifactList
from smriti_tui.widgets.carry_choice import CarryChoice
from smriti_tui.widgets.fields import Field, LineInput, TextField
from smriti_tui.widgets.item_editor import ItemEditor

if TYPE_CHECKING:
    from smriti_tui.services import Services

TEXTS = ("title", "objective", "summary", "entities")


class FormFields(FullScreen[Checkpoint | None]):
    """Shows a form's state and reads it back; saving is the form's own matter."""

    _saving: Saving

    def __init__(self, services: Services, place: FormPlace) -> None:
        super().__init__()
        self._services = services
        self._place = place
        self._keeper = UnsentKeeper(self, services)
        self._form: OpenedForm | None = None
        self._head: Checkpoint | None = None
        self._carry = True
        self._base: tuple[str, int | None] = ("", None)

    def stays(self) -> str:
        """A form is left by its own way, which keeps what is typed."""
        return "esc leaves the form and keeps what is typed; then this can be left."

    def body(self) -> Iterable[Widget]:
        """The frame; the fields follow when the head was read, so that the screen opens at once."""
        with VerticalScroll(id="form-body", can_focus=True) as body:
            body.border_title = "New checkpoint"
        yield Static(id="form-status")

    def _fields(self) -> Iterable[Widget]:
        """All fields below each other."""
        yield CarryChoice()
        yield Field("branch", "New branch", LineInput(widget_id="branch", select=False))
        yield Field("title", "Title", LineInput(widget_id="title", select=False))
        yield Field("objective", "Objective", TextField(widget_id="objective"))
        yield Field("summary", "Summary", TextField(widget_id="summary"))
        for kind in KINDS:
            yield Field(kind, HEADINGS[kind], ItemEditor(kind))
        yield Field("entities", "Entities, one per line", TextField(widget_id="entities"))
        yield Field("artifacts", "Artifacts", ArtifactList())

    def _fill(self, state: FormState) -> None:
        self._base = (state.head, state.last)
        self._carry = state.carry
        self.query_one(CarryChoice).carry = state.carry
        self.query_one("#title", LineInput).fill(state.title)
        self.query_one("#branch", LineInput).fill(state.branch)
        for name in TEXTS[1:]:
            field = self.query_one(f"#{name}", TextField)
            if field.text != getattr(state, name):
                field.load_text(getattr(state, name))
        for kind in KINDS:
            pending = state.pending.get(kind, "")
            self._editor(kind).show(state.items(kind), str(pending))
        self.query_one(ArtifactList).show(state.artifacts)
        self._show_status()

    def _editor(self, kind: str) -> ItemEditor:
        return self.query_one(f"#items-{kind}", ItemEditor)

    def _commit(self) -> None:
        """Takes what stands in the editor lines into their lists."""
        for kind in KINDS:
            self._editor(kind).commit()

    def state(self) -> FormState:
        """All that is typed, as it stands on the screen."""
        head, last = self._base
        state = FormState(
            title=self.query_one("#title", LineInput).value,
            objective=self.query_one("#objective", TextField).text,
            summary=self.query_one("#summary", TextField).text,
            entities=self.query_one("#entities", TextField).text,
            artifacts=self.query_one(ArtifactList).artifacts,
            carry=self._carry,
            head=head,
            last=last,
            branch=self.query_one("#branch", LineInput).value,
        )
        pending: dict[str, object] = {}
        for kind in KINDS:
            editor = self._editor(kind)
            state = with_items(state, kind, editor.items)
            if editor.pending.strip():
                pending[kind] = editor.pending
        return replace(state, pending=pending)

    # ---- typing --------------------------------------------------------------------------------

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(ItemEditor.Changed)
    @on(ArtifactList.Changed)
    def _changed(self) -> None:
        """Keeps what is typed, soon."""
        if self._form is None or self._saving.running:
            return
        state = self.state()
        self._keeper.later(self._place.thing, self._kept_text(state))
        self._show_status(state)

    def _kept_text(self, state: FormState) -> str:
        return dump(state) if self._form and is_touched(state, self._form.start) else ""

    @on(CarryChoice.Changed)
    def _carry_changed(self, message: CarryChoice.Changed) -> None:
        self._commit()
        body = self._head.body if self._head else None
        self._fill(with_carry(self.state(), body, carry=message.carry))
        self._changed()

    def _show_status(self, state: FormState | None = None) -> None:
        state = state or self.state()
        missing = left_out(state, self._head.body if self._head else None)
        branch = self._form.branch if self._form else ""
        on_branch = f"on {branch}"
        if self.has_class("-needs-branch"):
            on_branch = f"on a new branch from {short(state.head) or branch}"
        title = self.query_one(TitleLine)
        after = f"after {short(state.head)}" if state.head else "the first here"
        self.query_one(CarryChoice).source = self._carry_source(state)
        title.left = (self._place.space_name, "NEW CHECKPOINT", after, on_branch)
        title.right = "HEAD moved, not saved" if self._saving.stale else "not saved"
        words = f"{left_out_line(missing, state.head)} {retired_line(state)}".rstrip()
        self.query_one("#form-status", Static).update(literal(words))

    def _carry_source(self, state: FormState) -> str:
        """The head goes by that name; any other checkpoint by its own."""
        form = self._form
        if form is None or not state.head:
            return "the head"
        at_head = state.head == form.start.head and not form.needs_branch
        return "the head" if at_head and not self._saving.beside else short(state.head)

    @on(ArtifactList.Asked)
    def _artifact_asked(self, message: ArtifactList.Asked) -> None:
        def put(artifact: Artifact | None) -> None:
            if artifact is not None:
                self.query_one(ArtifactList).put(artifact)

        self.app.push_screen(ArtifactDialog(message.artifact), put)
