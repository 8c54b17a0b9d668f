"""What is done to a checkpoint, or asked about it: notes, proofs, blame, export, deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.domain.ids import CheckpointId, short
from smriti_tui.domain.model import Checkpoint, Note, NoteKind, Session, Turn
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.desk.branch_menu import BranchMenu
from smriti_tui.screens.desk.checkpoints import CheckpointsPart
from smriti_tui.screens.desk.doors import Doors
from smriti_tui.screens.desk.forks import Forks
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work

if TYPE_CHECKING:
    from smriti_tui.screens.dialogs.export_space import Exported
    from smriti_tui.screens.dialogs.reach import Behind
    from smriti_tui.services import Services
    from smriti_tui.services.checkpoints import CheckpointCheck
    from smriti_tui.services.deleting import Dependants
    from smriti_tui.services.export_watch import Watch

GROUP = "history"
MOST_NAMED = 12
"""Checkpoints and sessions of each kind that are named before deleting; the rest are counted."""
Act = Callable[[CheckpointId], None]


class HistoryPart:
    """The keys of pane 2 that are about one checkpoint."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        checkpoints: CheckpointsPart,
        session: SessionPart,
        going: Going,
        doors: Doors,
        forks: Forks,
        branches: BranchMenu,
    ) -> None:
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._checkpoints = checkpoints
        self._session = session
        self._going = going
        self._doors = doors
        self._typed: dict[CheckpointId, str] = {}
        """Notes that were typed and not saved yet, as long as the program runs."""
        self.acts: Mapping[str, Act] = {
            "branch.menu": branches.of_checkpoint,
            "checkpoint.blame": self.blame,
            "checkpoint.export": self.export,
            "checkpoint.fork": forks.from_checkpoint,
            "checkpoint.note": self.note,
            "checkpoint.remove": self.remove,
            "checkpoint.turns": self.turns,
            "checkpoint.verify": self.verify,
            "item.reach": self.reach,
        }
        """By the ids of the action table: what can be done to a checkpoint."""
        self.actions: Mapping[str, Callable[[], None]] = {
            **{name: self._marked(act) for name, act in self.acts.items()},
            "chat.edit": forks.edit_question,
            "chat.fork": forks.after_turn,
            "nav.tab_next": checkpoints.turn_page,
            "nav.tab_prev": checkpoints.turn_page,
        }

    def _marked(self, act: Act) -> Callable[[], None]:
        """The act on the checkpoint under the cursor of pane 2; elsewhere says how to get there."""

        def run() -> None:
            marked = self._checkpoints.marked
            if self._front.place != "checkpoints":
                way = self._voice.letter("2")
                self._voice.say(f"{way} goes to Checkpoints; choose one there.")
            elif marked is None:
                self._voice.say("There is no checkpoint here yet.")
            else:
                act(marked)

        return run

    # ---- notes ---------------------------------------------------------------------------------

    def note(self, checkpoint: CheckpointId) -> None:
        """Adds a note, a milestone or a noise mark."""
        from smriti_tui.screens.dialogs.note import NoteDialog

        notes = self._services.notes

        def add(text: str, kind: NoteKind) -> Note:
            return notes.add(checkpoint, text, kind)

        dialog = NoteDialog(short(checkpoint), self._typed.get(checkpoint, ""), add)

        def then(added: Note | None) -> None:
            self._typed.pop(checkpoint, None)
            if added is not None:
                name = short(checkpoint)
                noise = added.kind == "noise"
                self._voice.say(
                    f"Marked {name} as noise." if noise else f"Added a {added.kind} to {name}."
                )
            elif dialog.typed.strip():
                self._typed[checkpoint] = dialog.typed
                self._voice.say("Kept: the note is there again when you come back.")

        self._front.open_screen(dialog, then)

    # ---- proofs --------------------------------------------------------------------------------

    def verify(self, checkpoint: CheckpointId) -> None:
        """Proves the checkpoint and all that it comes from."""
        self._voice.say(f"Verifying the chain of {short(checkpoint)} ...")
        verify = self._services.history.verify
        self._work.read(
            lambda: verify(checkpoint), lambda checks: self._verified(checkpoint, checks),
            group="history.verify",
        )  # fmt: skip

    def _verified(self, checkpoint: CheckpointId, checks: Sequence[CheckpointCheck]) -> None:
        bad = [check for check in checks if check.faults]
        whole = counted(len(checks), "checkpoint")
        if not bad:
            self._voice.say(
                f"Chain ok: {short(checkpoint)} and all it comes from hold ({whole}): "
                "content and parents give each id."
            )
            return
        first = bad[0]
        self._voice.tell(
            f"Chain BROKEN at {len(bad)} of {whole}. {short(first.id)} {named(first.title)}: "
            f"{'; '.join(first.faults)}.",
            "`smriti log verify` compares log and tables.",
            cause="history.verify",
        )

    # ---- where things come from ----------------------------------------------------------------

    def blame(self, checkpoint: CheckpointId) -> None:
        """Where an item came from; a checkpoint that is chosen there is shown."""

        def then(found: Checkpoint) -> None:
            from smriti_tui.screens.dialogs.blame import BlameDialog

            blaming, now = self._services.blaming, self._services.caller.store.now()
            dialog = BlameDialog(found, now, lambda label: blaming.item(checkpoint, label))
            self._front.open_screen(dialog, self._opened)

        self._work.read(lambda: self._services.checkpoints.get(checkpoint), then, group=GROUP)

    def _opened(self, checkpoint: CheckpointId | None) -> None:
        if checkpoint is not None:
            self._checkpoints.mark(checkpoint)
            self._doors.view(checkpoint)

    def reach(self, checkpoint: CheckpointId) -> None:
        """What rests on an item; what is chosen there is shown."""

        def opened(behind: Behind | None) -> None:
            if behind is not None:
                self._doors.view(behind.checkpoint, behind.at)

        def then(found: Checkpoint) -> None:
            from smriti_tui.screens.dialogs.reach import ReachDialog

            reaching = self._services.reaching
            dialog = ReachDialog(found, lambda wanted: reaching.item(checkpoint, wanted))
            self._front.open_screen(dialog, opened)

        self._work.read(lambda: self._services.checkpoints.get(checkpoint), then, group=GROUP)

    def turns(self, checkpoint: CheckpointId) -> None:
        """Goes to the turns that a checkpoint was made from."""

        def then(turns: list[Turn]) -> None:
            if not turns:
                self._voice.say(f"{short(checkpoint)} names no turns that are still there.")
            else:
                self._to_turns(checkpoint, turns)

        self._work.read(lambda: self._services.blaming.turns(checkpoint), then, group=GROUP)

    def _to_turns(self, checkpoint: CheckpointId, turns: list[Turn]) -> None:
        session, first, last = turns[0].session, turns[0], turns[-1]
        self._session.show_next(session, first.sequence_number)
        if session == self._here.now.session:
            self._session.read()
        else:
            self._going.to_session(session, self._here.now.space)
        self._front.go("chat")
        self._voice.say(
            f"Turns {first.sequence_number} to {last.sequence_number} of this session are behind "
            f"{short(checkpoint)}."
        )

    # ---- out of the program --------------------------------------------------------------------

    def export(self, checkpoint: CheckpointId) -> None:
        """Writes the checkpoint into a file or folder."""

        def then(found: Checkpoint) -> None:
            from smriti_tui.domain.render.export_names import slug
            from smriti_tui.screens.dialogs.export_space import ExportDialog

            stem = f"{short(checkpoint)}-{slug(found.title)}"
            what = f"checkpoint {short(checkpoint)}"
            dialog = ExportDialog(what, stem, _folder(), self._writer(checkpoint))
            self._front.open_screen(dialog, self._exported)

        self._work.read(lambda: self._services.checkpoints.get(checkpoint), then, group=GROUP)

    def _writer(self, checkpoint: CheckpointId) -> Callable[[str, Path, Watch], Exported]:
        exporting = self._services.exporting

        def export(form: str, path: Path, watch: Watch) -> Exported:
            from smriti_tui.screens.dialogs.export_space import Exported

            chosen = exporting.select(checkpoint=checkpoint)
            if form == "bundle":
                replaced = exporting.to_folder(chosen, path, watch=watch)
                return Exported(path, replaced.files, len(replaced.removed))
            exporting.to_file(chosen, form, path, watch=watch)  # type: ignore[arg-type]
            return Exported(path)

        return export

    def _exported(self, done: Exported | None) -> None:
        if done is not None:
            files = counted(done.files, "file")
            self._voice.succeed(f"Exported to {done.path}: {files} written.", cause="export")

    # ---- deleting ------------------------------------------------------------------------------

    def remove(self, checkpoint: CheckpointId) -> None:
        """Lists what depends on it, then asks; what goes with it is asked for once more."""
        self._work.read(
            lambda: self._services.deleting.dependants(checkpoint), self._ask, group=GROUP
        )

    def _ask(self, found: Dependants) -> None:
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        name = short(found.checkpoint.id)
        if not found.blocked:
            words = (
                f"{found.checkpoint.title}\n\nNothing depends on it. It goes off every list; the "
                "log keeps its event, and it can be read as of before."
            )
            dialog = ConfirmDialog(f"Delete {name}?", words, yes="Delete it")
            self._front.open_screen(dialog, lambda yes: self._delete(found) if yes else None)
            return
        gone = len(found.descendants) + 1
        go_on = f"Go on: delete {counted(gone, 'checkpoint')}"
        dialog = ConfirmDialog(f"{name} is in use", _listed(found), yes=go_on)
        self._front.open_screen(dialog, lambda yes: self._ask_again(found) if yes else None)

    def _ask_again(self, found: Dependants) -> None:
        from smriti_tui.screens.dialogs.confirm import ConfirmDialog

        gone = counted(len(found.descendants) + 1, "checkpoint")
        words = "This is not undone by z. No session and no turn goes; the log keeps the events."
        dialog = ConfirmDialog(f"Delete {gone} for good?", words, yes=f"Delete {gone}")
        self._front.open_screen(dialog, lambda yes: self._delete(found) if yes else None)

    def _delete(self, found: Dependants) -> None:
        """What came since it was listed is not deleted unseen: it is listed anew."""
        deleting, wanted = self._services.deleting, found.checkpoint.id

        def work() -> tuple[CheckpointId, ...] | Dependants:
            now = deleting.dependants(wanted)
            if _touched(now) != _touched(found):
                return now
            return deleting.delete(wanted, cascade=found.blocked)

        def then(done: tuple[CheckpointId, ...] | Dependants) -> None:
            if isinstance(done, tuple):
                gone = counted(len(done), "checkpoint")
                self._voice.say(f"Deleted {gone}. The log keeps the events.")
            else:
                self._voice.say("Something came meanwhile: look again.")
                self._ask(done)

        self._work.run(work, then, group="history.delete")


def _touched(found: Dependants) -> tuple[frozenset[str], ...]:
    groups = (found.descendants, found.forks, found.mounted)
    return tuple(frozenset(str(each.id) for each in group) for group in groups)


def _listed(found: Dependants) -> str:
    """All that depends on a checkpoint, in words; of many the first, and a number."""
    checkpoint = found.checkpoint
    later = [f"{short(each.id)} {each.title} ({each.branch_name})" for each in found.descendants]
    groups = (
        ("Checkpoints that come from it and go with it", later),
        (
            "These sessions were forked from them; they stay, without that state",
            _names(found.forks),
        ),
        ("Sessions that stand on them; they stay, without that state", _names(found.mounted)),
    )
    lines = [f"{short(checkpoint.id)} {checkpoint.title}"]
    for heading, names in groups:
        if names:
            lines += ["", f"{heading}:", *(f"  {name}" for name in names[:MOST_NAMED])]
        if len(names) > MOST_NAMED:
            lines.append(f"  and {len(names) - MOST_NAMED} more")
    return "\n".join(lines)


def _names(sessions: Sequence[Session]) -> list[str]:
    return [f"{short(each.id)} {each.label}" for each in sessions]


def _folder() -> Path:
    """Where the program was started; the home folder where that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return Path.home()
