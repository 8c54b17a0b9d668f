"""Taking items out of a form: why, and what rests on them."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.message import Message

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.form import FormState, lists_of_form, live_uids
from smriti_tui.domain.items import KINDS
from smriti_tui.domain.reach import ARTIFACTS, Reached, Target, reached, target_of
from smriti_tui.domain.render.reach import reach_line
from smriti_tui.screens.dialogs.retire import RetireDialog
from smriti_tui.screens.form_fields import FormFields
from smriti_tui.widgets.artifact_list import ArtifactList
from smriti_tui.widgets.item_editor import ItemEditor
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.worker import in_thread

REACH = "form.reach"
MOST_TEXT = 50


class FormRetiring(FormFields):
    """Asks why an item of the head goes, and tells in the bar what rested on it."""

    @dataclass
    class Leaning(Message):
        """What rests on a thing that was taken out was found."""

        target: Target
        line: str

    _told: Target | None = None
    """What was taken out last."""

    def _fill(self, state: FormState) -> None:
        super()._fill(state)
        body = self._head.body if self._head else None
        for kind in KINDS:
            self._editor(kind).carried = live_uids(body, kind)

    @on(ItemEditor.OutAsked)
    def _out_asked(self, message: ItemEditor.OutAsked) -> None:
        editor, item = message.editor, message.item
        here = self._resting(target_of(editor.kind, message.label, item))

        def answered(reason: str | None) -> None:
            if reason is None:
                return
            if reason:
                editor.retire(item, reason, self._services.caller.actor)
            else:
                editor.take_away(item)

        dialog = RetireDialog(message.label, item.text, item.reason or "", reach_line(here, (), ()))
        self.app.push_screen(dialog, answered)

    @on(ItemEditor.TakenOut)
    def _item_out(self, message: ItemEditor.TakenOut) -> None:
        self._tell_reach(target_of(message.editor.kind, message.label, message.item))

    @on(ArtifactList.TakenOut)
    def _artifact_out(self, message: ArtifactList.TakenOut) -> None:
        gone = message.artifact
        self._tell_reach(Target(ARTIFACTS, gone.id, gone.label, gone.type))

    @on(ItemEditor.Changed)
    @on(ArtifactList.Changed)
    def _lists_changed(self) -> None:
        """What was told is not so any more once the thing is there again."""
        if self._told is not None and self._stands(self._told):
            self._told = None
            self.query_one(NoticeBar).settle(REACH)

    def _stands(self, target: Target) -> bool:
        if target.kind == ARTIFACTS:
            return any(each.id == target.uid for each in self.query_one(ArtifactList).artifacts)
        items = self._editor(target.kind).items
        return any(each.uid == target.uid and each.state == "live" for each in items)

    def _resting(self, target: Target) -> tuple[Reached, ...]:
        return reached(lists_of_form(self.state()), target.names, target.label)

    def _tell_reach(self, target: Target) -> None:
        if not target.names:
            return  # It is new: nothing can rest on it.
        self._told = target
        here, services, space = self._resting(target), self._services, self._place.space
        besides = self._base[0]

        def work() -> str:
            there, claims = services.reaching.beyond(space, target, besides, here)
            return reach_line(here, there, claims)

        in_thread(
            self, work, lambda line: self.Leaning(target, line), group=REACH,
            what="Reading what rests on it",
        )  # fmt: skip

    @on(Leaning)
    def _leaning(self, message: Leaning) -> None:
        if not message.line or message.target != self._told:
            return
        text = clean_line(message.target.text)
        name = message.target.label
        if message.target.kind != ARTIFACTS:
            name = f"{name} {text[:MOST_TEXT]}{'...' if len(text) > MOST_TEXT else ''}"
        self.query_one(NoticeBar).tell(
            f"On {clean_line(name)} rests: {message.line}.", causes=(REACH,)
        )
        self.call_after_refresh(self._keep_in_view)

    def _keep_in_view(self) -> None:
        """The bar takes lines away from the form."""
        if self.focused is not None:
            self.focused.scroll_visible(animate=False)
