"""Imports into a store: again adds only what is new, and nothing that is here is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.events import Limit
from smriti_tui.domain.ids import SpaceId
from smriti_tui.domain.import_report import LeftOut, Report, Seen, Watch
from smriti_tui.domain.model import CopiedFrom, Usage
from smriti_tui.services import Services, import_writing
from smriti_tui.services.importing import Options
from smriti_tui.store.envelope import StoredEvent
from tests.importers.reading import SAMPLES, database
from tests.support import content

pytestmark = pytest.mark.contract
Talk = dict[str, Any]


def talk(name: str, *texts: str, **more: Any) -> Talk:
    """A conversation of Claude.ai: the person and the model in turns, ids by their texts."""
    messages = [
        {"uuid": f"{name}:{text}", "sender": "assistant" if place % 2 else "human", "text": text}
        for place, text in enumerate(texts)
    ]
    return {"uuid": name, "name": name, "chat_messages": messages, **more}


@pytest.fixture
def space(services: Services) -> SpaceId:
    return services.spaces.create("Work").id


@pytest.fixture
def take(services: Services, space: SpaceId, tmp_path: Path) -> Callable[..., Report]:
    """Imports conversations, or a file."""

    def taken(*given: Talk | Path, **options: Any) -> Report:
        paths = [each for each in given if isinstance(each, Path)]
        if not paths:
            paths = [tmp_path / "conversations.json"]
            paths[0].write_text(json.dumps(given), encoding="utf-8")
        return services.importing.run(space, paths, Options(**options), Watch())

    return taken


Take = Callable[..., Report]


def texts(services: Services, report: Report, number: int = 0) -> list[str]:
    session = report.taken[number].session
    assert session is not None
    return [turn.text for turn in services.sessions.turns(session)]


def test_a_conversation_becomes_a_session(services: Services, space: SpaceId, take: Take) -> None:
    report = take(SAMPLES / "claude-code.jsonl")
    [taken] = report.taken
    assert (taken.kind, taken.turns, report.turns) == ("new", 3, 3)
    [session] = services.sessions.of_space(space)
    assert (session.title, session.branch_name, session.model) == (
        "Retry policy", "main", "model-z",
    )  # fmt: skip
    user, looking, told = services.sessions.turns(session.id)
    assert (user.said_at, user.question) == ("2026-03-01T09:00:00.000000Z", None)
    assert (looking.question, told.question) == (1, None)
    assert (told.usage, told.details, told.status) == (Usage(40, 9), 2, "complete")
    details = services.importing.details(session.id, 3)
    assert [each.kind for each in details] == ["tool_call", "tool_result"]
    [line] = report.skipped
    assert (line.file, line.skipped.where) == ("claude-code.jsonl", "line 6")
    events = services.log.read(f"session/{session.id}")
    assert {event.door for event in events if isinstance(event, StoredEvent)} == {"import"}
    assert services.log.verify().difference is None


def test_again_adds_only_what_is_new(services: Services, take: Take) -> None:
    first = take(talk("a", "q", "r"), talk("b", "x", "y"))
    again = take(talk("b", "x", "y"), talk("a", "q", "r", "more", "reply"))
    assert [each.kind for each in again.taken] == ["known", "grown"]
    assert again.turns == 2
    assert again.taken[1].session == first.taken[0].session
    assert texts(services, again, 1) == ["q", "r", "more", "reply"]
    assert take(talk("a", "q", "r")).count("known") == 1
    assert services.log.verify().difference is None


def test_a_renamed_conversation_is_the_same(services: Services, space: SpaceId, take: Take) -> None:
    take(talk("a", "q", "r"))
    renamed = take(talk("a", "q", "r") | {"name": "Better"})
    assert renamed.count("known") == 1
    [session] = services.sessions.of_space(space)
    assert session.title == "Better"
    services.sessions.rename(session.id, "Mine")
    take(talk("a", "q", "r", "s") | {"name": "Best"})
    [session] = services.sessions.of_space(space)
    assert (session.title, session.last_seq) == ("Mine", 3)


def test_what_went_on_here_is_left_and_what_went_on_there_forks(
    services: Services, space: SpaceId, take: Take
) -> None:
    first = take(talk("a", "q", "r"))
    session = first.taken[0].session
    assert session is not None
    saved = services.checkpoints.create(space, content("Kept"), session=session).checkpoint
    services.sessions.mount(session, saved.id)
    grown = take(talk("a", "q", "r", "s"))
    [taken] = grown.taken
    assert (taken.kind, taken.turns) == ("forked", 1)
    assert texts(services, grown) == ["q", "r", "s"]
    assert taken.session is not None
    fork = services.sessions.get(taken.session)
    assert (fork.fork_session, fork.fork_turn, fork.branch_name) == (
        session, 2, f"fork-{session[:7]}-2",
    )  # fmt: skip
    copies = [turn.copied_from for turn in services.sessions.turns(fork.id)]
    assert copies == [CopiedFrom(session, 1), CopiedFrom(session, 2), None]
    assert [each for each in services.checkpoints.verify() if each.faults] == []
    assert take(talk("a", "q", "r", "s", "t")).taken[0].session == fork.id
    assert services.log.verify().difference is None


def test_an_edited_question_there_is_a_fork_here(services: Services, take: Take) -> None:
    take(talk("a", "q", "r", "old", "answer"))
    forked = take(talk("a", "q", "r", "new", "answer 2"))
    assert (forked.taken[0].kind, forked.turns) == ("forked", 2)
    assert texts(services, forked) == ["q", "r", "new", "answer 2"]
    assert take(talk("a", "q", "r", "old", "answer")).count("known") == 1


def test_a_reply_that_was_half_written_gets_its_rest(services: Services, take: Take) -> None:
    half, whole = talk("a", "q", "r"), talk("a", "q", "r", "s")
    half["chat_messages"][1]["text"] = "It is"
    whole["chat_messages"][1]["text"] = "It is a queue."
    take(half)
    grown = take(whole)
    assert (grown.taken[0].kind, grown.taken[0].changed) == ("grown", ())
    assert texts(services, grown) == ["q", "It is", " a queue.", "s"]
    assert take(whole).taken[0].kind == "known"
    whole["chat_messages"].append({"uuid": "t", "sender": "assistant", "text": "t"})
    assert texts(services, take(whole)) == ["q", "It is", " a queue.", "s", "t"]


def test_a_turn_that_was_changed_there_stays_and_is_told(services: Services, take: Take) -> None:
    take(talk("a", "q", "r", "s", "t"))
    other = talk("a", "q", "r", "s", "t", "u")
    other["chat_messages"][0]["text"] = "something else"
    report = take(other)
    assert report.taken[0].changed == (1,)
    assert texts(services, report) == ["q", "r", "s", "t", "u"]


def test_one_that_was_deleted_here_comes_back_only_when_asked(
    services: Services, space: SpaceId, take: Take
) -> None:
    session = take(talk("a", "q", "r")).taken[0].session
    assert session is not None
    services.sessions.delete(session)
    assert take(talk("a", "q", "r", "s")).count("deleted") == 1
    assert services.sessions.of_space(space) == []
    assert take(talk("a", "q", "r", "s"), deleted=True).turns == 3


def test_lines_that_were_left_there_are_forks_on_request(services: Services, take: Take) -> None:
    report = take(SAMPLES / "chatgpt.json")
    assert (report.branches, len(report.taken)) == (1, 1)
    report = take(SAMPLES / "chatgpt.json", branches=True)
    assert [(each.kind, each.turns) for each in report.taken] == [("known", 0), ("forked", 1)]
    assert texts(services, report, 1)[1] == "Memcached. (old answer)"
    assert take(SAMPLES / "chatgpt.json", branches=True).turns == 0


def test_threads_of_llm_fork_where_they_do(services: Services, take: Take, tmp_path: Path) -> None:
    report = take(database(tmp_path, "llm.sql").path)
    assert [(each.kind, each.turns) for each in report.taken] == [
        ("new", 2), ("new", 2), ("new", 4), ("forked", 2),
    ]  # fmt: skip
    assert texts(services, report, 3) == [
        "FILE BODY\nSummarise",
        "Short.",
        "Longer",
        "A longer one.",
    ]


def test_a_history_copied_into_the_next_file_is_gone_on_with(
    services: Services, take: Take, tmp_path: Path
) -> None:
    lines = (SAMPLES / "claude-code.jsonl").read_text(encoding="utf-8").splitlines()
    first = take(SAMPLES / "claude-code.jsonl").taken[0]
    other = "5e550000-0000-4000-8000-000000000002"
    more = json.loads(lines[-2]) | {"uuid": "n1", "parentUuid": "a4", "timestamp": "2026-03-02"}
    more["message"] = {
        "role": "assistant",
        "id": "msg_n",
        "content": [{"type": "text", "text": "N"}],
    }
    text = "\n".join([*lines, json.dumps(more)]).replace(first.thread.source_id, other)
    (tmp_path / "next.jsonl").write_text(text, encoding="utf-8")
    report = take(tmp_path / "next.jsonl")
    [taken] = report.taken
    assert (taken.thread.source_id, taken.kind, taken.session) == (other, "grown", first.session)
    assert texts(services, report)[-1] == "N"


def test_nothing_is_written_by_a_look(services: Services, space: SpaceId) -> None:
    before = services.log.last_position()
    key = "sk-proj-" + "Ab3dEf6h" * 5
    seen = list(services.importing.preview(space, [SAMPLES / "claude.json"], Options(), Watch()))
    assert services.log.last_position() == before
    [first] = [each for each in seen if isinstance(each, Seen)]
    assert (first.kind, first.new, first.secrets) == ("new", 2, 0)
    assert [each.skipped.reason for each in seen if isinstance(each, LeftOut)] == [
        "no messages in it"
    ]
    file = services.importing.home.parent / "secret.json"
    file.write_text(json.dumps([talk("a", f"my key is {key}", "ok")]), encoding="utf-8")
    [secret] = services.importing.preview(space, [file], Options(), Watch())
    assert isinstance(secret, Seen)
    assert secret.secrets == 1


def test_what_is_of_no_known_shape_is_refused_by_name(
    services: Services, space: SpaceId, take: Take, tmp_path: Path
) -> None:
    page = tmp_path / "conversations.json"
    for text in ("<html>error</html>", "[]", "{}", '{"a": 1}', "", "[1, 2]"):
        page.write_text(text, encoding="utf-8")
        with pytest.raises(Invalid) as caught:
            take(page)
        assert caught.value.code == "unknown_format"
        assert "conversations.json" in caught.value.message
    with pytest.raises(NotFound):
        take(tmp_path / "nothing")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "page.html").write_text("<html>", encoding="utf-8")
    (folder / "chat").write_text(json.dumps([talk("a", "q")]), encoding="utf-8")
    report = take(folder)
    assert (report.turns, [each.file for each in report.passed_over]) == (1, ["page.html"])
    assert len(services.sessions.of_space(space)) == 1


def test_texts_that_no_database_takes_are_repaired_and_told(services: Services, take: Take) -> None:
    report = take(talk("a", "nul \0 and \udcb2 here", "\x1b[31mred"))
    assert texts(services, report) == ["nul  and \ufffd here", "\x1b[31mred"]
    assert take(talk("a", "nul \0 and \udcb2 here", "\x1b[31mred")).count("known") == 1


def test_an_imported_question_can_be_gone_on_with(
    services: Services, space: SpaceId, take: Take
) -> None:
    session = take(talk("a", "q", "r", "s")).taken[0].session
    assert session is not None
    limit = Limit(8_000, "test", 500)
    context = services.contexts.prepare(session, limit, message="and now?").context
    assert [(m.role, m.content) for m in context.messages][-4:] == [
        ("user", "q"), ("assistant", "r"), ("user", "s"), ("user", "and now?"),
    ]  # fmt: skip


def test_the_original_smriti(services: Services, tmp_path: Path) -> None:
    file = database(tmp_path, "smriti.sql").path
    for expected in ((3, 0, 1, 3), (0, 3, 0, 0)):
        report = services.importing.run(None, [file], Options(), Watch())
        found = (report.checkpoints, report.known_checkpoints, report.claims, report.turns)
        assert found == expected
    pay = services.spaces.find("Payments")
    assert pay.id == "11111111-1111-4111-8111-111111111111"
    newest, cron, first = [
        services.checkpoints.get(each.id) for each in services.checkpoints.of_space(pay.id)
    ][:3]
    by_title = {each.title: each for each in (newest, cron, first)}
    plan, second = by_title["First plan"].body, by_title["Second"].body
    assert [item.text for item in plan.decisions] == ["Use a queue", "Retry three times"]
    assert plan.decisions[0].uid == second.decisions[0].uid
    assert (plan.tasks[1].id, plan.tasks[1].status, plan.tasks[1].blocked_by) == (
        "schema", "done", ("review",),
    )  # fmt: skip
    assert (plan.author, plan.created_at) == ("claude-code", "2026-01-01T11:00:00.000000Z")
    assert plan.git is not None
    assert second.summary.startswith("Second\nwith more")
    assert by_title["Cron instead"].branch_name == "try-cron"
    notes = [note.text for note in services.checkpoints.notes(by_title["First plan"].id)]
    assert notes[1] == "Agreed (sam)"
    assert "c1000000-0000-4000-8000-000000000001" in notes[0]
    [claim] = services.claims.of_space(pay.id, every=True)
    assert (claim.agent, claim.status) == ("codex", "done")
    sessions = {each.title: each for each in services.sessions.of_space(pay.id)}
    fork = sessions["Fork from c100"]
    assert (fork.branch_name, fork.fork_checkpoint) == ("try-cron", by_title["Cron instead"].id)
    assert services.log.verify().difference is None


def test_a_text_beyond_all_measure_comes_in_parts(
    services: Services, take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_writing, "MAX_TEXT", 10)
    long = talk("a", "q", "r")
    long["chat_messages"][1]["text"] = "0123456789" * 2 + "end"
    report = take(long)
    assert texts(services, report) == ["q", "0123456789", "0123456789", "end"]
    assert take(long).count("known") == 1
    long["chat_messages"].append({"uuid": "s", "sender": "human", "text": "s"})
    grown = take(long)
    assert (grown.taken[0].kind, grown.taken[0].changed) == ("grown", ())
    assert texts(services, grown)[-1] == "s"
    long["chat_messages"][2] = {"uuid": "t", "sender": "human", "text": "t"}
    forked = take(long)
    assert forked.taken[0].session is not None
    turns = services.sessions.turns(forked.taken[0].session)
    assert [turn.text for turn in turns] == ["q", "0123456789", "0123456789", "end", "t"]
    assert turns[-1].copied_from is None
    assert services.log.verify().difference is None
