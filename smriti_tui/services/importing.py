"""`smriti import`: conversations of other tools become sessions of a Space."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from smriti_tui.domain.errors import Cancelled, Invalid, NotFound, SmritiError
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.import_report import LeftOut, Report, Seen, SeenSpace, Taken, Watch
from smriti_tui.domain.imported import (
    Detail,
    ImportedTurn,
    SideBranch,
    Skipped,
    SpaceDump,
    Thread,
    Tool,
)
from smriti_tui.domain.likely_secrets import may_hold, secrets_in
from smriti_tui.domain.split_text import Message
from smriti_tui.importers.files import SourceFile, regular_files, unpacked
from smriti_tui.importers.labelled import messages, thread_of
from smriti_tui.importers.shapes import reader_of, tool_of
from smriti_tui.services.caller import Caller
from smriti_tui.services.import_placing import Place, look, place, signature
from smriti_tui.services.import_spaces import SpaceImport, space_for
from smriti_tui.services.import_writing import Home, LineWriter, Moved, came_from, renaming
from smriti_tui.store import imported, spaces

MAX_TRIES: Final = 20
SHOWN: Final = 12
"""Turns that a look shows of a conversation."""
SHOWN_TEXT: Final = 1_000
"""Characters that it shows of each."""
MAX_BY_HAND: Final = 512 * 1024
"""Bytes of a transcript whose cuts can be changed on the screen."""
WHOLE: Final = "the file"
"""Where something is that is left out, when it is all of a file."""


@dataclass(frozen=True)
class Options:
    """What is imported, and how."""

    tool: Tool | None = None
    """None: told by the shape of each file."""
    only: frozenset[str] | None = None
    """Conversations by their ids in the tool; None: all."""
    branches: bool = False
    """Lines that were left in the tool too, as forks."""
    deleted: bool = False
    """Conversations whose session was deleted here once more."""
    messages: tuple[Message, ...] = ()
    """A transcript as a person has cut it, in the place of what its labels say."""

    def wants(self, thread: Thread) -> bool:
        return self.only is None or thread.source_id in self.only


Found = Thread | SpaceDump | LeftOut
"""Of a file: a conversation, a Space of the original Smriti, or what is left out."""


@dataclass
class _Going:
    """One run of an import."""

    space: SpaceId | None
    options: Options
    report: Report = field(default_factory=Report)
    spaces: dict[str, SpaceImport] = field(default_factory=dict)
    """By the ids that they have in the original."""


@dataclass(frozen=True)
class ImportService:
    caller: Caller
    home: Path
    """Folder for what must be unpacked."""

    def preview(
        self, space: SpaceId | None, paths: Sequence[Path], options: Options, watch: Watch
    ) -> Iterator[Seen | SeenSpace | LeftOut]:
        """What an import would find, conversation by conversation; nothing is written.

        Raises: as `run`, and Cancelled.
        """
        for file, found in self._found(paths, options, watch):
            if isinstance(found, LeftOut):
                yield found
            elif isinstance(found, SpaceDump):
                yield SeenSpace(file, found.name, found.count)
            else:
                home = space or SpaceId(found.space or "")
                yield self._seen(home, file, found)

    def _seen(self, space: SpaceId, file: str, thread: Thread) -> Seen:
        placed = place(self.caller, space, thread, thread.turns())
        new = secrets = 0
        opening: list[ImportedTurn] = []
        for turn in placed.rest:
            new += 1
            secrets += _may_hold(turn)
            if len(opening) < SHOWN:
                opening.append(replace(turn, text=turn.text[:SHOWN_TEXT]))
        return Seen(file, thread, placed.kind, new, secrets, tuple(opening))

    def run(
        self,
        space: SpaceId | None,
        paths: Sequence[Path],
        options: Options,
        watch: Watch,
        told: Callable[[Taken], object] = lambda taken: None,
    ) -> Report:
        """Imports files and folders; `told` hears of each conversation.

        Stopped, it keeps what was written: whole conversations and at most one beginning of one,
        which the next import goes on with. Again it adds only what is new. Without a Space only
        what brings its own is taken: the original Smriti's.

        Raises:
            NotFound: a path, or the Space. Invalid: a file that was named is of no known format;
                nothing of it was imported. SmritiError: a file cannot be read. StoreError.
        """
        if space is not None:
            with self.caller.read() as tx:
                spaces.space(tx, space)
        going = _Going(space, options)
        try:
            for file, found in self._found(paths, options, watch):
                self._note(going.report, file, found)
                if isinstance(found, SpaceDump):
                    self._space(going, file, found, watch)
                elif isinstance(found, Thread):
                    for taken in self._lines(going, file, found):
                        going.report.taken.append(taken)
                        told(taken)
                        watch.piece(0)
        except Cancelled:
            going.report.cancelled = True
        return going.report

    def _note(self, report: Report, file: str, found: Found) -> None:
        if isinstance(found, LeftOut):
            whole = found.skipped.where == WHOLE
            (report.passed_over if whole else report.skipped).append(found)
        elif isinstance(found, Thread):
            report.skipped += (LeftOut(file, each) for each in found.skipped)
            report.counted.update(found.left_out)
            where = f"conversation {found.title!r}"
            report.notes += (LeftOut(file, Skipped(where, note)) for note in found.notes)

    def _space(self, going: _Going, file: str, dump: SpaceDump, watch: Watch) -> None:
        if going.space is not None and any(each != dump.source_id for each in going.spaces):
            raise Invalid(
                f"{file} holds several Spaces.",
                "Leave the Space out: each becomes one of its own.",
                code="several_spaces",
            )
        home = space_for(self.caller, dump, going.space)
        coming = SpaceImport(self.caller, dump, file, going.report, home)
        going.spaces[dump.source_id] = coming
        going.report.spaces.append(home)
        coming.run(watch)

    def details(self, session: SessionId, number: int) -> list[Detail]:
        """What stands beside the words of a turn; nothing for one that was not imported."""
        with self.caller.read() as tx:
            return imported.details(tx, session, number)

    # ---- files -----------------------------------------------------------------------------------

    def _found(
        self, paths: Sequence[Path], options: Options, watch: Watch
    ) -> Iterator[tuple[str, Found]]:
        for path in paths:
            if not path.exists():
                raise NotFound(f"There is no {path}.", "Name a file or a folder.")
        for path in paths:
            folder = path.is_dir()
            for each in regular_files(path):
                name = each.relative_to(path).as_posix() if folder else each.name
                try:
                    yield from self._of_file(each, name, options, watch)
                except Invalid as error:
                    if not folder:
                        raise
                    yield name, LeftOut(name, Skipped(WHOLE, error.message))

    def _of_file(
        self, path: Path, name: str, options: Options, watch: Watch
    ) -> Iterator[tuple[str, Found]]:
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with unpacked(path, self.home, watch) as files:
            for file in files:
                file.name = file.name.replace(path.name, name, 1)
                for found in self._read(file, options):
                    if isinstance(found, Skipped):
                        yield file.name, LeftOut(file.name, found)
                    elif isinstance(found, SpaceDump) or options.wants(found):
                        yield file.name, found

    def _read(self, file: SourceFile, options: Options) -> Iterator[Thread | SpaceDump | Skipped]:
        if options.messages:
            yield thread_of(file, options.messages)
        else:
            yield from reader_of(options.tool or tool_of(file))(file)

    def messages(self, path: Path) -> list[Message]:
        """How a transcript is cut into messages.

        Raises:
            Invalid: it is too long to be changed by hand (code `too_long`). SmritiError.
        """
        file = SourceFile(path, path.name)
        if file.size > MAX_BY_HAND:
            raise Invalid(
                f"{path.name} is longer than {MAX_BY_HAND >> 10:,} kB.",
                "Cut it in an editor of your own: labels such as Human: begin a message.",
                code="too_long",
            )
        return messages(file)

    # ---- conversations ---------------------------------------------------------------------------

    def _lines(self, going: _Going, file: str, thread: Thread) -> Iterator[Taken]:
        home = self._home(going, thread)
        yield self._line(going, _Line(home, file, thread, None))
        if going.options.branches:
            for branch in thread.branches:
                yield self._line(going, _Line(home, file, thread, branch))
        else:
            going.report.branches += len(thread.branches)

    def _home(self, going: _Going, thread: Thread) -> Home:
        coming = going.spaces.get(thread.space or "")
        if coming is not None:
            branch = coming.branches.get(thread.branch or "")
            return Home(coming.space, branch, coming.known.get(thread.checkpoint or ""))
        if going.space is None:
            raise Invalid(
                f"{thread.title!r} needs a Space to go to.",
                "Name one with --space; `smriti space create` makes one.",
                field="space",
                code="usage",
            )
        return Home(going.space)

    def _line(self, going: _Going, line: _Line) -> Taken:
        for _ in range(MAX_TRIES):
            placed = place(self.caller, line.home.space, line.thread, line.turns())
            if placed.kind == "deleted" and going.options.deleted:
                placed = replace(placed, kind="new", base=None, numbers=())
            try:
                return self._write(line, placed)
            except Moved:
                continue
        raise SmritiError(
            f"{line.thread.title!r} could not be imported: others write its sessions all the time.",
            "Import once more when they are done.",
        )

    def _write(self, line: _Line, placed: Place) -> Taken:
        file, thread = line.file, line.thread
        session = placed.base.session if placed.base else None
        if placed.kind in ("known", "deleted"):
            if placed.kind == "known" and line.branch is None:
                self._rename(file, thread, placed)
            return Taken(file, thread, placed.kind, session, 0, line.name, placed.changed)
        # A fork begins with copies of what it shares, one once deleted anew.
        rest = placed.rest if placed.kind == "grown" or not placed.candidates else line.turns()

        def still() -> bool:
            held = look(self.caller, line.home.space, thread, placed.first)
            return signature(held) == placed.candidates

        writer = LineWriter(self.caller, line.home, thread, file, placed, line.name, still)
        why = ""
        try:
            writer.write(rest)
        except SmritiError as error:
            if not writer.written:
                raise
            why = error.message
        return Taken(
            file, thread, placed.kind, writer.session, writer.written, line.name, placed.changed,
            why,
        )  # fmt: skip

    def _rename(self, file: str, thread: Thread, placed: Place) -> None:
        renamed = renaming(thread, placed)
        if renamed is not None and placed.base is not None:
            stream = f"session/{placed.base.session}"
            with self.caller.write() as scope:
                scope.append(stream, renamed)
                scope.append(stream, came_from(thread, file))


@dataclass(frozen=True)
class _Line:
    """One line of a conversation on its way."""

    home: Home
    file: str
    thread: Thread
    branch: SideBranch | None

    @property
    def name(self) -> str | None:
        return self.branch.source_id if self.branch else None

    def turns(self) -> Iterator[ImportedTurn]:
        return self.branch.turns() if self.branch else self.thread.turns()


def _may_hold(turn: ImportedTurn) -> bool:
    texts = (turn.text, *(each.text for each in turn.details))
    return any(any(secrets_in(text)) for text in texts if may_hold(text))
