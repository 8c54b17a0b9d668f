"""Side tables: what must survive a crash but is no fact (DESIGN 10.22).

A second connection with `synchronous=NORMAL`: a power cut may take the last half second of it, a
killed process nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from smriti_tui.store import views
from smriti_tui.store.backends.base import SideWriting
from smriti_tui.store.engine import Tx
from smriti_tui.store.views import Snapshot


@dataclass(frozen=True)
class Unsent:
    """Text that was typed and not sent, and the process that holds it."""

    thing: str
    process: str
    text: str
    changed_at: str


@dataclass(frozen=True)
class Partial:
    """What has streamed in of a running answer; `beat_at` is its owner's last sign of life."""

    text: str
    reasoning: str
    beat_at: str


@dataclass(frozen=True)
class MergeDraft:
    """Answers to the conflicts of a merge that is not written; `base` is the common ancestor that a
    person chose of several."""

    into: str
    ours: str
    theirs: str
    space: str
    base: str | None
    answers: str
    """JSON, by the ids of the conflicts."""
    changed_at: str
    thrown_at: str | None = None


class SideTables:
    """Reads and writes of the side tables; each call is one short transaction under the lock."""

    def __init__(
        self,
        writing: SideWriting,
        now: Callable[[], str],
        prepare: Callable[[], None],
        read: Callable[[], AbstractContextManager[Tx]],
    ) -> None:
        """`prepare` makes the database ready to be written, `read` opens a short read of it."""
        self._writing = writing
        self._now = now
        self._prepare = prepare
        self._read = read

    # ---- unsent text -------------------------------------------------------------------------

    def save_unsent(self, thing: str, process: str, text: str) -> None:
        """Keeps `text`, or forgets it when it is empty."""
        if not text:
            self._run("DELETE FROM unsent WHERE thing = ? AND process = ?", (thing, process))
            return
        self._run(
            "INSERT INTO unsent (thing, process, text, changed_at) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (thing, process) DO UPDATE SET text = excluded.text, "
            "changed_at = excluded.changed_at",
            (thing, process, text, self._now()),
        )

    def adopt_unsent(self, thing: str, process: str, own: str) -> bool:
        """Makes another process's text one's own; False when somebody else was faster."""
        moved = self._run(
            "UPDATE unsent SET process = ? WHERE thing = ? AND process = ?", (own, thing, process)
        )
        return moved == 1

    def unsent(self, thing: str) -> list[Unsent]:
        """All unsent texts of a thing, newest first."""
        rows = self._rows(
            "SELECT thing, process, text, changed_at FROM unsent WHERE thing = :thing "
            "ORDER BY changed_at DESC",
            {"thing": thing},
        )
        return [Unsent(*row) for row in rows]

    # ---- partial answers -----------------------------------------------------------------------

    def save_partial(self, session: str, number: int, text: str, reasoning: str) -> None:
        self._run(
            "INSERT INTO partial (session, sequence_number, text, reasoning, beat_at) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (session, sequence_number) DO UPDATE SET "
            "text = excluded.text, reasoning = excluded.reasoning, beat_at = excluded.beat_at",
            (session, number, text, reasoning, self._now()),
        )

    def partial(self, session: str, number: int) -> Partial | None:
        rows = self._rows(
            "SELECT text, reasoning, beat_at FROM partial "
            "WHERE session = :session AND sequence_number = :number",
            {"session": session, "number": number},
        )
        return Partial(*rows[0]) if rows else None

    def drop_partial(self, session: str, number: int) -> None:
        self._run(
            "DELETE FROM partial WHERE session = ? AND sequence_number = ?", (session, number)
        )

    # ---- model limits --------------------------------------------------------------------------

    def model_limit(self, model: str) -> tuple[int | None] | None:
        """The remembered window of a model, None in it when the library does not know; None when
        it was never asked."""
        sql = "SELECT tokens FROM model_limit WHERE model = :model"
        rows = self._rows(sql, {"model": model})
        return (rows[0][0],) if rows else None

    def model_form(self, model: str) -> str | None:
        """The remembered form that a model's answers can be held to; None when that was not
        asked."""
        rows = self._rows("SELECT form FROM model_limit WHERE model = :model", {"model": model})
        return str(rows[0][0]) if rows and rows[0][0] else None

    def save_model_limit(self, model: str, tokens: int | None, form: str | None = None) -> None:
        self._run(
            "INSERT INTO model_limit (model, tokens, asked_at, form) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (model) DO UPDATE SET tokens = excluded.tokens, "
            "asked_at = excluded.asked_at, form = excluded.form",
            (model, tokens, self._now(), form),
        )

    # ---- unfinished merges -----------------------------------------------------------------------

    def save_merge_draft(self, draft: MergeDraft) -> None:
        """Keeps a merge's answers in the place of those before; `changed_at` is now."""
        self._run(
            "INSERT INTO merge_draft "
            "(into_branch, ours, theirs, space, base, answers, changed_at, thrown_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (into_branch, ours, theirs) DO UPDATE SET "
            "base = excluded.base, answers = excluded.answers, changed_at = excluded.changed_at, "
            "thrown_at = excluded.thrown_at",
            (
                draft.into, draft.ours, draft.theirs, draft.space, draft.base, draft.answers,
                self._now(), draft.thrown_at,
            ),
        )  # fmt: skip

    def merge_drafts(self, space: str) -> list[MergeDraft]:
        """The unfinished merges of a Space and those that were thrown away, newest first."""
        rows = self._rows(
            "SELECT into_branch, ours, theirs, space, base, answers, changed_at, thrown_at "
            "FROM merge_draft WHERE space = :space ORDER BY changed_at DESC",
            {"space": space},
        )
        return [MergeDraft(*row) for row in rows]

    def drop_merge_draft(self, into: str, ours: str, theirs: str) -> None:
        """Forgets a merge: it was written, or nothing of it is answered."""
        self._run(
            "DELETE FROM merge_draft WHERE into_branch = ? AND ours = ? AND theirs = ?",
            (into, ours, theirs),
        )

    # ---- snapshots of views ----------------------------------------------------------------------

    def save_snapshot(self, view: str, projector: int, made: Snapshot) -> None:
        """Keeps what a view was folded into; the oldest ones go."""
        self._run(views.INSERT, views.insert_values(view, projector, made, self._now()))
        self._run(views.PRUNE, (view, projector, view, projector, views.KEPT))

    # ---- files of views --------------------------------------------------------------------------

    def view_file(self, path: str) -> str | None:
        """SHA-256 of what a view's file is known to hold; None for one that is not known."""
        rows = self._rows("SELECT sha256 FROM view_file WHERE path = :path", {"path": path})
        return str(rows[0][0]) if rows else None

    def view_file_paths(self) -> list[str]:
        """Where views were written to, or taken in from."""
        return [row[0] for row in self._rows("SELECT path FROM view_file ORDER BY path", {})]

    def keep_view_file(self, path: str, view: str, digest: str) -> None:
        """What the log knows of a file: what was written there, or taken in."""
        self._run(
            "INSERT INTO view_file (path, view, sha256, changed_at) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (path) DO UPDATE SET view = excluded.view, sha256 = excluded.sha256, "
            "changed_at = excluded.changed_at",
            (path, view, digest, self._now()),
        )

    def close(self) -> None:
        """Closes the connection; the next use opens it again."""
        self._writing.close()

    def _rows(self, sql: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        with self._read() as tx:
            return [tuple(row) for row in tx.connection().execute(text(sql), values)]

    def _run(self, sql: str, values: Sequence[object]) -> int:
        self._prepare()
        return self._writing.run(sql, tuple(values))
