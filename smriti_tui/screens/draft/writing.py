"""Dialogs over the draft: what is typed in them is kept with it, taken or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from smriti_tui.domain.draft import TEXTS, DraftState, Entry, changed
from smriti_tui.domain.draft_editing import (
    TypedItem,
    as_typed,
    attached,
    in_session,
    recites,
    typed_of,
    with_text,
)
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.form import NOUNS
from smriti_tui.domain.ids import new_id
from smriti_tui.domain.model import Artifact
from smriti_tui.domain.quotes import Checked
from smriti_tui.domain.render.drafts import WORDS
from smriti_tui.screens.draft.dialogs import Asked, FieldsDialog, Filled, Values

if TYPE_CHECKING:
    from smriti_tui.screens.draft.screen import DraftScreen

Step = Callable[[DraftState], DraftState]
ABOUT = ""
"""The name under which a kept dialog says what it is about."""


class Writing:
    """Opens the dialog for a row by its key, and takes what comes of it."""

    def __init__(self, screen: DraftScreen) -> None:
        self._screen = screen
        self._left: dict[str, dict[str, str]] = {}
        """What stood in dialogs that were left with esc."""

    def resume(self, writing: Mapping[str, object]) -> None:
        """Opens the dialog again that was open when the program ended."""
        about = str(writing.get(ABOUT, ""))
        if about:
            self._left[about] = {k: str(v) for k, v in writing.items() if k != ABOUT}
            self.open(about)

    def open(self, about: str) -> None:
        """By the key of a row, or `new:` and a list."""
        what, _, owner = about.partition(":")
        state = self._screen.state
        if about in TEXTS or about in ("entities", "branch"):
            self._text(about)
        elif what == "new" and owner == "artifacts":
            self._artifact(about, Artifact(new_id(), "text", "", ""))
        elif what == "new":
            self._item(about, Entry(new_id(), owner, ""))
        elif what == "item" and (entry := state.entry(owner)) is not None:
            self._item(about, entry)
        elif what == "artifact":
            found = [e.artifact for e in state.attachments if e.artifact.id == owner]
            if found:
                self._artifact(about, found[0])

    def ask(
        self,
        about: str,
        heading: str,
        fields: Sequence[Asked],
        take: Callable[[Values], Step],
        *,
        to: str = "",
        check: Callable[[Values], str] | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        """A dialog for `about`; `to` is the row where the cursor goes when it was taken, `then`
        what follows. `take` and `check` run in threads."""
        left = self._left.pop(about, {})
        fields = [replace(each, value=left.get(each.name, each.value)) for each in fields]

        def typed(values: Values) -> None:
            self._screen.keep_writing({ABOUT: about, **values})

        def ended(filled: Filled | None) -> None:
            self._screen.keep_writing({})
            if filled is None:
                return
            if filled.made is None:
                if dict(filled.values) != {each.name: each.value for each in fields} or left:
                    self._left[about] = dict(filled.values)
                return
            step = cast("Step", filled.made)
            self._screen.take(step(self._screen.state), to=to)
            if then is not None:
                then()

        self._screen.app.push_screen(FieldsDialog(heading, fields, take, typed, check), ended)

    # ---- texts ---------------------------------------------------------------------------------

    def _text(self, name: str) -> None:
        state = self._screen.state
        if name == "entities":
            fields = [Asked("text", "Entities, one per line", "\n".join(state.entities), True)]
            self.ask(name, "Entities", fields, _entities)
            return
        if name == "branch":
            self.branch()
            return
        lines = name != "title"
        fields = [Asked("text", name.capitalize(), getattr(state, name), lines)]

        def take(values: Values) -> Step:
            return lambda now: with_text(now, name, values["text"].strip())

        self.ask(name, name.capitalize(), fields, take)

    def branch(self, why: str = "", then: Callable[[], None] | None = None) -> None:
        """Asks for the name of the new branch."""
        fields = [Asked("text", why or "Name of the new branch", self._screen.state.branch)]

        def take(values: Values) -> Step:
            name = values["text"].strip()
            if not name:
                raise Invalid("A new branch needs a name.", "Type one.", field="text")
            return lambda now: replace(now, branch=name)

        self.ask("branch", "New branch", fields, take, then=then)

    # ---- items ---------------------------------------------------------------------------------

    def _item(self, about: str, entry: Entry) -> None:
        typed, kind = typed_of(entry), entry.kind
        fields = [
            Asked("text", "Text", typed.text, True),
            Asked("turn", "Turn that it stands in", typed.turn, hint="a number of the chat"),
            Asked("quote", "Quote: words of that turn", typed.quote, True),
        ]
        if kind == "tasks":
            fields += [
                Asked("id", "Id (for others to name it)", typed.id),
                Asked(
                    "intent",
                    "What for",
                    typed.intent,
                    hint="implement, review, investigate, docs or test",
                ),
                Asked("blocked_by", "Blocked by, one per line", typed.blocked_by, True),
                Asked("status", "Status", typed.status, hint="open or done"),
            ]
        label = self._screen.labels.get(entry.uid, "")
        heading = f"Edit {label}" if label else f"New {NOUNS[kind]}"

        def take(values: Values) -> Step:
            given = TypedItem(**values)
            checked = self._checked(given) if recites(entry, given) else None
            names = self._task_names()
            as_typed(entry, given, checked, names)  # Its faults belong to the dialog.
            return partial(self._put, entry, given, checked, names)

        def check(values: Values) -> str:
            return self._check_words(entry, TypedItem(**values))

        self.ask(about, heading, fields, take, to=f"item:{entry.uid}", check=check)

    def _put(
        self,
        entry: Entry,
        given: TypedItem,
        checked: Checked | None,
        names: Mapping[str, str],
        state: DraftState,
    ) -> DraftState:
        now = state.entry(entry.uid)
        made = in_session(as_typed(now or entry, given, checked, names), self._screen.session)
        if now is not None:
            return changed(state, made)
        return replace(state, entries=(*state.entries, replace(made, touched=True)))

    def _checked(self, given: TypedItem) -> Checked:
        """In a thread. Raises: Invalid."""
        return self._screen.quotes.check(given.quote, given.turn_number())

    def _check_words(self, entry: Entry, given: TypedItem) -> str:
        if not given.cites():
            return "It cites nothing: by hand."
        if not recites(entry, given) and entry.evidence:
            cited = entry.evidence[0]
            where = f"Turn {cited.turn}: " if cited.turn is not None else ""
            return f"{where}{WORDS[cited.check]}."
        try:
            found = self._checked(given)
        except Invalid as error:
            return error.message
        where = f"Turn {found.turn}: " if found.turn is not None else ""
        near = (
            f' Nearest, in turn {found.nearest.turn}: "{found.nearest.text}".'
            if found.nearest
            else ""
        )
        return f"{where}{WORDS[found.check]}.{near}"

    def _task_names(self) -> dict[str, str]:
        """What a label of a task stands for: its id, or its text."""
        labels = self._screen.labels
        return {
            labels[each.uid]: each.id or each.text
            for each in self._screen.state.entries
            if each.kind == "tasks" and each.uid in labels
        }

    # ---- artifacts -----------------------------------------------------------------------------

    def _artifact(self, about: str, artifact: Artifact) -> None:
        fields = [
            Asked("label", "Label", artifact.label),
            Asked("type", "Type", artifact.type),
            Asked("content", "Content", artifact.content, True),
        ]

        def take(values: Values) -> Step:
            label = values["label"].strip()
            if not label:
                raise Invalid("The artifact has no label.", "Name it.", field="label")
            made = Artifact(artifact.id, values["type"].strip() or "text", label, values["content"])
            return lambda now: attached(now, made)

        self.ask(about, "Artifact", fields, take, to=f"artifact:{artifact.id}")


def _entities(values: Values) -> Step:
    names = tuple(dict.fromkeys(n.strip() for n in values["text"].split("\n") if n.strip()))
    return lambda now: replace(now, entities=names)
