"""The side table of unfinished merges: one row a merge, there after a killed process, no fact."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from smriti_tui.store.database import Store
from smriti_tui.store.envelope import StoredEvent
from smriti_tui.store.readlog import read_all
from smriti_tui.store.side import MergeDraft

ONE = MergeDraft("main", "a" * 64, "b" * 64, "space", None, '{"objective":"ours"}', "")
CHILD = """
import os, sys
from smriti_tui.store.database import Store
from smriti_tui.store.side import MergeDraft
store = Store(sys.argv[1], lambda: "2026-03-02T14:00:00.000000Z")
store.side.save_merge_draft(MergeDraft("main", "o", "t", "space", "base", "{}", ""))
os.kill(os.getpid(), 9)
"""


def test_a_merge_has_one_row_and_the_newest_comes_first(store: Store) -> None:
    side = store.side
    side.save_merge_draft(ONE)
    side.save_merge_draft(replace(ONE, theirs="c" * 64))
    side.save_merge_draft(replace(ONE, answers="{}", base="x", thrown_at="now"))
    side.save_merge_draft(replace(ONE, space="other", theirs="d" * 64))
    found = side.merge_drafts("space")
    assert [replace(each, changed_at="") for each in found] == [
        replace(ONE, answers="{}", base="x", thrown_at="now"), replace(ONE, theirs="c" * 64),
    ]  # fmt: skip
    assert found[0].changed_at > found[1].changed_at
    side.drop_merge_draft(ONE.into, ONE.ours, ONE.theirs)
    assert [each.theirs for each in side.merge_drafts("space")] == ["c" * 64]
    with store.read() as tx:
        types = {event.type for event in read_all(tx) if isinstance(event, StoredEvent)}
        assert types <= {"store.created"}


def test_a_killed_process_loses_no_answer(store: Store) -> None:
    store.prepare()
    ran = subprocess.run([sys.executable, "-c", CHILD, str(store.path)], check=False)
    assert ran.returncode == -9
    (found,) = store.side.merge_drafts("space")
    assert (found.ours, found.theirs, found.base) == ("o", "t", "base")
