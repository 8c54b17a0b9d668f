"""Export: what the store holds, as text for people, scripts and git (DESIGN 10.26).

Every export is made of one consistent state, read and written a piece at a time. It holds no time
of its own and nothing of this store's order of positions: two exports of one state are the same
bytes, also when one of them went through another store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.model import Branch, Session, Space
from smriti_tui.domain.render.export_records import pieces
from smriti_tui.services.caller import Caller
from smriti_tui.services.export_bundle import build_bundle, bundle_owner
from smriti_tui.services.export_documents import document, state_text
from smriti_tui.services.export_files import Replaced, put_folder, write_file
from smriti_tui.services.export_reading import Reading, Selection
from smriti_tui.services.export_watch import Watch, WatchedReading
from smriti_tui.store import checkpoints, find, sessions, spaces
from smriti_tui.store.engine import Tx

Format = Literal["md", "json", "jsonl", "bundle"]
FORMATS: tuple[Format, ...] = ("md", "json", "jsonl", "bundle")


@dataclass(frozen=True)
class ExportService:
    caller: Caller

    def select(
        self,
        *,
        space: str | None = None,
        everything: bool = False,
        checkpoint: str | None = None,
        session: str | None = None,
        branch: str | None = None,
        turns: bool = True,
    ) -> Selection:
        """What is meant by the words of a command; a checkpoint or session brings its Space along.

        Raises:
            NotFound, Ambiguous: no such thing, or several.
            Invalid: nothing is named, or things that exclude each other.
        """
        _check_words(space, everything, checkpoint, session, branch)
        with self.caller.read() as tx:
            owner = spaces.space(tx, find.space_id(tx, space)) if space else None
            chosen: CheckpointId | None = None
            talk: Session | None = None
            if checkpoint is not None:
                chosen = find.checkpoint_id(tx, checkpoint)
                body = checkpoints.checkpoint(tx, chosen).body
                owner = _same_space(owner, spaces.space(tx, body.space), "checkpoint")
            if session is not None:
                talk = sessions.session(tx, find.session_id(tx, session))
                home = spaces.space(tx, talk.space) if talk.space else None
                owner = _same_space(owner, home, "session")
            line: Branch | None = None
            if branch is not None and owner is not None:
                line = spaces.to_branch(find.branch_row(tx, owner.id, branch))
        return Selection(owner, everything, line, chosen, talk.id if talk else None, turns)

    def text(self, selection: Selection, format_name: Format) -> Iterator[str]:
        """The export as text, in pieces: md, json or jsonl.

        Raises:
            Invalid: a bundle is no text.
            StoreBroken: an event of the selection is damaged; what came before it was yielded.
        """
        _check_text(format_name)
        return self._pieces(selection, format_name, None)

    def _pieces(
        self, selection: Selection, format_name: Format, watch: Watch | None
    ) -> Iterator[str]:
        with self.caller.read() as tx:
            reading = _reading(tx, selection, watch)
            if format_name == "jsonl":
                for event in reading.event_records():
                    yield from pieces(event)
                    yield "\n"
            elif format_name == "json":
                yield from pieces(document(reading))
                yield "\n"
            else:
                yield from state_text(reading, turns=selection.turns)

    def to_file(
        self,
        selection: Selection,
        format_name: Format,
        path: Path,
        *,
        watch: Watch | None = None,
    ) -> None:
        """Writes md, json or jsonl; the file is the old one or the whole new one, never a part.

        Raises:
            Invalid: a bundle, or `path` is a folder. NotFound: its folder is missing.
            SmritiError: it cannot be written (code `not_written`). Else as `text`.
            Declined: `watch` stopped it; nothing is left behind.
        """
        _check_text(format_name)
        write_file(path, self._pieces(selection, format_name, watch))

    def to_folder(
        self, selection: Selection, folder: Path, *, watch: Watch | None = None
    ) -> Replaced:
        """Writes a bundle. An earlier bundle of the same things is replaced file by file, so that a
        git checkout around it stays; files of its that are no more are removed, no others.

        Raises:
            Conflict: the folder holds something else (`not_a_bundle`), or another bundle.
            Invalid: `folder` is a file. SmritiError, StoreBroken, Declined: as `to_file`.
        """
        with self.caller.read() as tx:
            reading = _reading(tx, selection, watch)
            return put_folder(
                folder, bundle_owner(selection), lambda root: build_bundle(reading, root)
            )


def _reading(tx: Tx, selection: Selection, watch: Watch | None) -> Reading:
    return Reading(tx, selection) if watch is None else WatchedReading(tx, selection, watch)


def _check_text(format_name: Format) -> None:
    if format_name == "bundle":
        raise Invalid(
            "A bundle is a folder, not a text.", "Name a folder, or take another --format."
        )


def _check_words(
    space: str | None,
    everything: bool,
    checkpoint: str | None,
    session: str | None,
    branch: str | None,
) -> None:
    narrow = [
        name
        for name, value in (("checkpoint", checkpoint), ("session", session), ("branch", branch))
        if value is not None
    ]
    if everything and (narrow or space is not None):
        named = "space" if space is not None else narrow[0]
        raise Invalid(
            f"Everything and one {named} cannot be exported at once.",
            f"Give either --all or --{named}.",
            field=named,
        )
    if len(narrow) > 1:
        raise Invalid(
            f"Only one of {' and '.join(narrow)} can be chosen.",
            "Export them one after the other.",
            field=narrow[1],
        )
    if not everything and space is None and narrow in ([], ["branch"]):
        raise Invalid(
            "No Space is named, and none is attached here.",
            "Give --space NAME, or --all for everything.",
            field="space",
        )


def _same_space(named: Space | None, own: Space | None, what: str) -> Space | None:
    if named is not None and (own is None or own.id != named.id):
        raise Invalid(
            f"The {what} is not in Space {named.name!r}.",
            f"Leave --space out; the {what} brings its own.",
            field="space",
        )
    return own
