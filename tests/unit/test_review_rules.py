"""The checks of a review that need no model, each with what it must find and must not find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from smriti_tui.domain.checkpoint_input import checkpoint_id
from smriti_tui.domain.document import Document
from smriti_tui.domain.findings import Change, Finding
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId
from smriti_tui.domain.model import (
    Artifact,
    CheckpointBody,
    Evidence,
    EvidenceCheck,
    Item,
    Role,
    Source,
    Task,
    Turn,
)
from smriti_tui.domain.recheck import QuoteCheck, Rechecker, words
from smriti_tui.domain.review_rules import MOST_LINKS, Chain, RuleReport, report, walk

SESSION = SessionId("3f9a1c2d")
BODY = CheckpointBody(
    SpaceId("s"), (), "Keep FTS5", "ada", "2026-03-02T14:05:09.123456Z", objective="Find things",
)  # fmt: skip
TALK: Sequence[tuple[Role, str]] = (
    ("user", "Just rebuild when someone asks."),
    ("assistant", "Then the index is one file."),
    ("user", "Make the rebuild a JOB, then."),
)


def turn(number: int, role: Role, text: str) -> Turn:
    return Turn(SESSION, number, 1, role, text, text, "complete", "2026-03-02T14:00:00.000000Z")


@dataclass
class Held:
    """What a store holds."""

    talk: Mapping[str, Sequence[Turn]] = field(
        default_factory=lambda: {
            SESSION: [turn(number, *said) for number, said in enumerate(TALK, 1)]
        }
    )
    documents: Mapping[str, Document] = field(default_factory=dict)

    def turn(self, session: str, number: int) -> Turn | None:
        return next((t for t in self.turns(session) if t.sequence_number == number), None)

    def turns(self, session: str) -> Sequence[Turn]:
        return self.talk.get(session, ())

    def document(self, sha256: str) -> Document | None:
        return self.documents.get(sha256)


def quoting(*evidence: Evidence) -> CheckpointBody:
    return replace(BODY, decisions=(Item("d1", "Decided", evidence=evidence),))


def said(
    quote: str, number: int, check: EvidenceCheck = "found", kept_by: str | None = None
) -> Evidence:
    return Evidence(quote, check, SESSION, number, kept_by=kept_by)


def looked(body: CheckpointBody, held: Held | None = None) -> list[QuoteCheck]:
    return list(Rechecker(held or Held()).quotes(body, body.source))


def checked(body: CheckpointBody, before: CheckpointBody | None = None) -> RuleReport:
    return report(body, looked(body), Chain(0, 0), before)


def only(body: CheckpointBody, kind: str) -> Finding:
    (found,) = checked(body).findings
    assert found.kind == kind
    return found


# ---- evidence ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "state"),
    [
        (said("the REBUILD\n a job", 3), "verified"),
        (said("one file", 2, "assistant_only"), "verified"),
        (said("one file", 2), "weaker"),
        (said("the rebuild a job", 1), "moved"),
        (said("run it from cron", 3), "gone"),
        (said("bui", 1), "gone"),  # a part of a word, and too short to be looked for
        (said("run it from cron", 3, "not_found", "ada"), "kept"),
        (said("run it from cron", 3, "not_found"), "unverified"),
        (replace(said("one file", 2), session=SessionId("elsewhere")), "unreadable"),
        (Evidence("words", "found", document_sha256="unknown", lines=(1,)), "unreadable"),
    ],
)
def test_each_stored_quote_is_classed_by_where_its_words_stand(
    evidence: Evidence, state: str
) -> None:
    (found,) = looked(quoting(evidence))
    assert (found.state, found.label) == (state, "D1")


def test_a_quote_without_a_session_is_one_of_the_source() -> None:
    body = quoting(replace(said("someone asks", 1), session=None))
    assert looked(body)[0].state == "unreadable"
    sourced = replace(body, source=Source(SESSION, 1, 1, 3))
    assert looked(sourced)[0].state == "verified"


def test_words_on_another_line_are_found_there_and_said_to_be_outside() -> None:
    talk = list(Held().talk[SESSION])
    elsewhere = replace(turn(4, "user", "Run it from cron."), line=2)
    (found,) = looked(quoting(said("run it from cron", 3)), Held({SESSION: [*talk, elsewhere]}))
    assert found.state == "moved"
    assert (found.now.turn, found.now.check) == (4, "outside_window")


def test_lines_of_a_document_are_looked_up_by_its_hash() -> None:
    document = Document("# Plan\n\n- Use **FTS5**\n- One writer\n")
    held = Held(documents={document.sha256: document})

    def at(quote: str, *lines: int) -> QuoteCheck:
        cited = Evidence(quote, "found", document_sha256=document.sha256, lines=lines)
        return looked(quoting(cited), held)[0]

    assert [at("Use FTS5", 3).state, at("One writer", 3).state] == ["verified", "moved"]
    assert at("One writer", 3).now.lines == (4,)
    assert at("Two writers", 4).state == "gone"


def test_one_change_mends_all_quotes_of_an_item_and_leaves_the_good_ones() -> None:
    good, moved, gone = said("someone asks", 1), said("the rebuild a job", 1), said("by cron", 3)
    found = only(quoting(good, moved, gone), "unverified_evidence")
    assert found.text == (
        "D1 quotes turn 1; the words are in turn 3; quotes turn 3, the words are not there."
    )
    assert found.suggestion == Change(
        "cite", "d1", evidence=(good, replace(moved, turn=3), replace(gone, check="not_found"))
    )
    kept = said("by cron", 3, "not_found", "ada")
    assert checked(quoting(good, kept)).findings == ()
    assert (checked(quoting(good, kept)).verified, words(looked(quoting(kept))[0])) == (1, "")


# ---- tasks, links, duplicates, objective -------------------------------------------------------


def test_a_blocker_is_known_by_slug_label_uid_or_words() -> None:
    tasks = (
        Task("u1", "Write the job", id="job"),
        *(Task(f"w{n}", f"w{n}", blocked_by=(name,))
          for n, name in enumerate(("job", "T1", "u1", "write the JOB."))),
        Task("u6", "Done", blocked_by=("nothing",), status="done"),
    )  # fmt: skip
    assert checked(replace(BODY, tasks=tasks)).findings == ()


def test_a_missing_blocker_goes_or_becomes_the_task_that_is_nearly_called_so() -> None:
    tasks = (
        Task("u1", "Write the job", id="job"),
        Task("u2", "Old", id="old", state="retired"),
        Task("u3", "Test", blocked_by=("job", "Write the jobs", "old", "cron", "T3")),
    )
    body = replace(BODY, tasks=tasks)
    found = only(body, "missing_blocker")
    assert found.items == ("u3",)
    assert found.text == (
        'T3 waits for "Write the jobs", which is no task here; "old", which is retired; "cron", '
        "which is no task here; itself."
    )
    assert found.suggestion == Change("block", "u3", links=("job",))
    assert checked(body).blocked == ("T3",)


def test_links_must_lead_to_what_stands_here() -> None:
    body = replace(
        BODY,
        assumptions=(Item("a1", "Small"), Item("a2", "Was", state="retired")),
        artifacts=(Artifact("f1", "csv", "bench.csv", "1"),),
        tasks=(Task("t1", "Test", id="test"),),
        decisions=(
            Item("d1", "Fine", rests_on=("a1", "f1", "test")),
            Item("d2", "Not", rests_on=("a1", "a2", "gone-for-good")),
            Item("d3", "Gone itself", state="retired", rests_on=("a2",)),
        ),
    )
    found = only(body, "dead_link")
    assert found.text == 'D2 rests on A2, which is retired; "gone-fo", which is not here.'
    assert found.items == ("d2", "a2")
    assert found.suggestion == Change("rest_on", "d2", links=("a1",))


def test_what_is_said_twice_goes_for_what_was_said_first() -> None:
    body = replace(
        BODY,
        decisions=(Item("d1", "Use FTS5"), Item("d2", "«use  fts5»."), Item("d3", "…")),
        assumptions=(Item("a1", "Use FTS5!"), Item("a2", "Use C"), Item("a3", "Use C#")),
        open_questions=(Item("q1", "use C?"), Item("q2", "…")),
        tasks=(Task("t1", "Use FTS5"), Task("t2", "x"), Task("t3", "X", status="done")),
    )
    found = checked(body).findings
    assert [(each.kind, each.suggestion) for each in found] == [
        ("duplicate", Change("retire", "d2", by="d1")),
        ("duplicate", Change("retire", "a1", by="d1")),
        ("duplicate", Change("retire", "q1", by="a2")),
    ]


def test_an_empty_objective_is_offered_that_of_the_parent() -> None:
    bare = replace(BODY, objective="  ")
    assert only(bare, "empty_objective").suggestion is None
    (found,) = checked(bare, BODY).findings
    assert found.suggestion == Change("objective", text="Find things")


# ---- the chain ---------------------------------------------------------------------------------


def chained(count: int) -> tuple[list[CheckpointId], dict[str, CheckpointBody]]:
    ids: list[CheckpointId] = []
    held: dict[str, CheckpointBody] = {}
    for number in range(count):
        body = replace(BODY, title=f"{number}", parents=tuple(ids[-2:]))
        ids.append(CheckpointId(checkpoint_id(body)))
        held[ids[-1]] = body
    return ids, held


def test_the_chain_is_walked_over_all_parents_to_the_root() -> None:
    ids, held = chained(6)
    tip = ids[-1]
    assert walk(tip, held[tip], held.get) == Chain(9, 9)
    assert walk(None, held[tip], held.get) == Chain(9, 9)
    held[ids[2]] = replace(held[ids[2]], title="changed behind its back")
    broken = walk(tip, held[tip], held.get)
    assert (broken.verified, broken.links, len(broken.faults)) == (7, 9, 1)
    del held[ids[2]]
    faults = walk(tip, held[tip], held.get).faults
    assert len(faults) == 2  # two children name it
    assert all("is not in the store" in fault for fault in faults)
    own = walk(tip, replace(held[tip], title="other"), held.get)
    assert own.faults[0] == f"The content of {tip[:7]} does not give its id."


def test_the_walk_ends_and_says_so() -> None:
    ids, held = chained(MOST_LINKS)
    found = walk(ids[-1], held[ids[-1]], held.get)
    assert (found.links, found.whole) == (MOST_LINKS, False)
