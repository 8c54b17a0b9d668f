"""Codex sessions: which of their tellings is read, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.domain.imported import ImportedTurn, Skipped, Thread
from smriti_tui.importers import codex
from tests.importers.codex_records import (
    SESSION,
    call,
    completed,
    event,
    item,
    message,
    meta,
    output,
    record,
    shown,
    typed,
)  # fmt: skip
from tests.importers.support import beside, json_lines, one, said, sample, source, whole

INJECTED = (
    "# AGENTS.md instructions for /x\nBODY", "<environment_context>BODY</environment_context>",
    "<user_instructions>BODY", "<INSTRUCTIONS>BODY", "<permissions instructions>BODY",
    "<collaboration_mode>BODY", "\n  <ENVIRONMENT_CONTEXT>BODY",
)  # fmt: skip


def read(folder: Path, *records: object, name: str = "rollout.jsonl") -> Thread:
    thread = one(codex.threads(source(folder, json_lines(*records), name)))
    whole(iter([thread]))
    return thread


def turns(folder: Path, *records: object) -> list[ImportedTurn]:
    return list(read(folder, *records).turns())


def test_the_sample(tmp_path: Path) -> None:
    thread = one(codex.threads(source(tmp_path, sample("codex.jsonl"))))
    found = list(thread.turns())
    assert said(iter(found)) == [
        ("user", "List the tests"), ("assistant", "One file: test_a.py."),
    ]  # fmt: skip
    assert beside(found[1]) == [
        ("tool_call", "shell", '{"command":["ls","tests"]}'),
        ("tool_result", "shell", "test_a.py\n"),
        ("note", "commentary", "Checking."),
    ]
    assert (thread.source_id, thread.model, thread.count) == (SESSION, "model-q", 2)
    assert (thread.title, thread.project) == ("List the tests", "/home/sam/proj")
    assert (thread.created_at, thread.updated_at) == (
        "2026-04-02T08:00:00.000000Z", "2026-04-02T08:00:04.100000Z",
    )  # fmt: skip
    assert (found[0].said_at, found[1].model) == ("2026-04-02T08:00:01.100000Z", "model-q")
    assert (thread.skipped, dict(thread.left_out), thread.branches) == ((), {}, ())


def test_the_old_era(tmp_path: Path) -> None:
    thread = one(codex.threads(source(tmp_path, sample("codex_old.jsonl"))))
    found = list(thread.turns())
    assert said(iter(found)) == [("user", "Name the port"), ("assistant", "It is 8080.")]
    assert beside(found[1]) == [
        ("reasoning", "", "Look at the config."),
        ("tool_call", "shell", '{"command":["cat","app.toml"]}'),
        ("tool_result", "shell", "port = 8080\n"),
    ]
    assert found[1].said_at is None
    assert thread.source_id == "old-1"
    assert thread.created_at == "2025-06-01T10:00:00.000000Z"
    assert dict(thread.left_out) == {"injected context": 1}


def test_events_count_before_items_and_items_before_the_history(tmp_path: Path) -> None:
    history = [message("user", "Hi"), message("assistant", "Hello.")]
    items = [
        completed("UserMessage", id="1", content=[{"type": "text", "text": "Hi"}]),
        completed("AgentMessage", id="2", content=[{"type": "Text", "text": "Hello."}]),
    ]
    events = [typed("Hi"), shown("Hello.", None)]
    expected = [("user", "Hi"), ("assistant", "Hello.")]
    ways = [history, history + items, history + items + events, items + events, items]
    ids = set()
    for each in ways:
        found = turns(tmp_path, meta(), *each)
        assert said(iter(found)) == expected
        ids.add(tuple(turn.source_id for turn in found))
    assert len(ids) == 1, "a file that grows may tell it in another way than before"


def test_the_same_prompt_typed_twice_is_two_turns(tmp_path: Path) -> None:
    found = turns(tmp_path, meta(), typed("again"), shown("A"), typed("again"), shown("A"))
    assert len(found) == len({turn.source_id for turn in found}) == 4


@pytest.mark.parametrize("text", INJECTED)
@pytest.mark.parametrize("events", [True, False])
def test_injected_text_is_never_a_turn(tmp_path: Path, text: str, events: bool) -> None:
    one_more = [typed(text)] if events else []
    own = [typed("Hi")] if events else []
    thread = read(
        tmp_path, meta(), message("user", text), *one_more, message("user", text, "Hi"), *own,
        message("developer", "BODY"),
    )  # fmt: skip
    assert said(thread.turns()) == [("user", "Hi")]
    assert "BODY" not in repr(list(thread.turns()))
    assert thread.left_out["injected context"] >= 1


def test_old_events_of_context_say_so_by_their_kind(tmp_path: Path) -> None:
    context = typed("whatever", kind="environment_context")
    assert said(read(tmp_path, meta(), context, typed("Hi")).turns()) == [("user", "Hi")]


def test_the_request_is_taken_out_of_what_an_editor_adds(tmp_path: Path) -> None:
    text = (
        "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nFix it\n"
    )
    (turn,) = turns(tmp_path, meta(), typed(text))
    assert turn.text == "Fix it"
    assert beside(turn) == [
        ("note", "editor context", "# Context from my IDE setup:\n\n## Active file: a.py")
    ]


def test_calls_and_their_output_stand_together(tmp_path: Path) -> None:
    (_, turn) = turns(
        tmp_path, meta(), typed("go"), call("a", "1"), call("b", "2"), call("gone", "3"),
        output("2", {"content": "two", "success": False}), output("1", "one"),
        output("nobody", "lost"), shown("Done."),
    )  # fmt: skip
    assert beside(turn) == [
        ("tool_call", "a", "{}"), ("tool_result", "a", "one"),
        ("tool_call", "b", "{}"), ("tool_result", "b", "two"),
        ("tool_call", "gone", "{}"), ("tool_result", "", "lost"),
    ]  # fmt: skip
    assert [each.error for each in turn.details] == [False, False, False, True, False, False]


@pytest.mark.parametrize(
    ("value", "text", "error"),
    [
        ("plain", "plain", False),
        ('{"output":"x","metadata":{"exit_code":2}}', "x", True),
        ('{"other":1}', '{"other":1}', False),
        ("Exit code: 1\nOutput:\nno", "Exit code: 1\nOutput:\nno", True),
        ({"unknown": 1}, '{"unknown": 1}', False),
        ([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb", False),
        ("\ufffd\ufffdd\0i\0r\0", "dir", False),
        (None, "", False),
        (7, "7", False),
    ],
)
def test_output_in_each_of_its_forms(tmp_path: Path, value: object, text: str, error: bool) -> None:
    (turn,) = turns(tmp_path, meta(), output("1", value), typed("x"))
    assert (turn.details[0].text, turn.details[0].error) == (text, error)


@pytest.mark.parametrize("size", [16, 5_000])
def test_pictures_are_placeholders(tmp_path: Path, size: int) -> None:
    url = f"data:image/png;base64,{'iVBO' * (size // 4)}"
    image = {"type": "input_image", "image_url": url}
    found = turns(
        tmp_path, meta(), typed("Look", images=[url]), typed("", images=["/tmp/a.png"]),
        output("1", [image]), output("2", f'{{"u":"{url} {url}"}}'), shown(f"It is {'x' * 40}"),
    )  # fmt: skip
    assert "iVBO" * 9 not in repr(found)
    assert [turn.text for turn in found[:2]] == ["Look", "[image]"]
    first = found[0].details[0]
    assert (first.kind, first.media_type, first.size_bytes) == (
        "attachment",
        "image/png",
        size * 3 // 4,
    )
    assert found[1].details[0].pointer == "/tmp/a.png"
    assert found[1].flags == ("placeholder",)
    assert [each.kind for each in found[2].details] == ["tool_result", "attachment", "tool_result"]


def test_base64_in_words_is_a_placeholder(tmp_path: Path) -> None:
    (turn,) = turns(tmp_path, meta(), typed("a data:image/gif;base64," + "A" * 400 + " b"))
    assert (turn.text, turn.flags) == ("a [image/gif, 300 bytes] b", ("placeholder",))


def test_a_summary_is_a_turn_of_the_system_and_takes_no_details(tmp_path: Path) -> None:
    found = turns(
        tmp_path, meta(), typed("go"), call("a", "1"),
        record("compacted", message="So far.", replacement_history=[{"role": "user"}]),
        shown("Done."),
    )  # fmt: skip
    assert said(iter(found)) == [("user", "go"), ("system", "So far."), ("assistant", "Done.")]
    assert (found[1].flags, found[1].details) == (("summary",), ())
    assert [each.name for each in found[2].details] == ["a"]


@pytest.mark.parametrize("ended", [typed("Stop"), event("turn_aborted", reason="interrupted")])
def test_without_an_answer_the_last_comment_is_the_reply(
    tmp_path: Path, ended: dict[str, object]
) -> None:
    found = turns(
        tmp_path, meta(), typed("go"), shown("One.", "commentary"), shown("Two.", "commentary"),
        call("a", "1"), ended,
    )  # fmt: skip
    assert (found[1].text, found[1].flags) == ("Two.", ("partial",))
    assert [each.text for each in found[1].details] == ["One.", "{}"]


def test_what_no_turn_follows_is_counted(tmp_path: Path) -> None:
    thread = read(tmp_path, meta(), typed("go"), call("a", "1"), shown("One.", "commentary"))
    assert said(thread.turns()) == [("user", "go")]
    assert dict(thread.left_out) == {"details after the last turn": 2}


def test_reasoning_told_twice_is_kept_once(tmp_path: Path) -> None:
    (turn,) = turns(
        tmp_path, meta(), event("agent_reasoning", text="Hm."),
        item("reasoning", summary=[{"type": "summary_text", "text": "Hm."}], encrypted_content="x"),
        shown("Done."),
    )  # fmt: skip
    assert beside(turn) == [("reasoning", "", "Hm.")]


def test_a_forks_second_beginning_does_not_count(tmp_path: Path) -> None:
    other = record("session_meta", id="other", cwd="/else")
    thread = read(tmp_path, meta(forked_from_id="other", cwd="/here"), other, typed("Hi"))
    assert (thread.source_id, thread.forked_from, thread.project) == (SESSION, "other", "/here")


def test_a_broken_first_line_does_not_give_the_other_sessions_id(tmp_path: Path) -> None:
    own = "019d0000-0000-7000-8000-00000000000a"
    content = b'{"timestamp": "2026\n' + json_lines(meta(), typed("Hi"))
    name = f"rollout-2026-04-02T08-00-00-{own}.jsonl"
    assert one(codex.threads(source(tmp_path, content, name))).source_id == own


@pytest.mark.parametrize(
    ("source_of", "note"),
    [
        ({"subagent": "review"}, "It is the session of a sub-agent."),
        (
            {"subagent": {"thread_spawn": {"parent_thread_id": "p1", "depth": 1}}},
            "It is the session of a sub-agent, started by session p1.",
        ),
        ("cli", None),
        ({"custom": "x"}, None),
    ],
)
def test_sub_agents_are_noted(tmp_path: Path, source_of: object, note: str | None) -> None:
    assert read(tmp_path, meta(source=source_of), typed("Hi")).notes == ((note,) if note else ())


def test_what_is_not_known_is_counted_and_what_is_broken_is_named(tmp_path: Path) -> None:
    content = (
        json_lines(meta(), typed("Hi"), event("new_thing"), record("odd"), item("newer"), {"a": 1})
        + b'{"cut": \n\n[]\n"\n' + json_lines(shown("Yes\u0001")) + b'{"timestamp":"2026'
    )  # fmt: skip
    thread = one(codex.threads(source(tmp_path, content)))
    assert said(thread.turns()) == [("user", "Hi"), ("assistant", "Yes\u0001")]
    assert [each.where for each in thread.skipped] == ["line 7", "line 9", "line 10", "line 12"]
    assert thread.skipped[-1].reason.startswith("not finished yet")
    assert dict(thread.left_out) == {
        "event new_thing": 1, "record odd": 1, "response item newer": 1, "record without a type": 1,
    }  # fmt: skip


def test_a_file_without_turns_says_so_and_names_its_broken_lines(tmp_path: Path) -> None:
    reason = "expecting property name enclosed in double quotes"
    assert list(codex.threads(source(tmp_path, json_lines(meta()) + b"{\n"))) == [
        Skipped("line 2", f"no JSON: {reason} at character 1"),
        Skipped(f"session {SESSION}", "no turns in it"),
    ]


@pytest.mark.parametrize(
    ("line", "right"),
    [
        (meta(), True),
        (record("world_state"), True),
        ({"id": "x", "timestamp": "2025-06-01T10:00:00Z", "instructions": None}, True),
        ({"record_type": "state"}, True),
        ({"type": "event_msg", "payload": 5}, False),
        ({"type": "user", "sessionId": "s", "message": {}}, False),
        ({"type": ["x"], "payload": {}}, False),
        ({}, False),
    ],
)
def test_a_line_is_known_by_its_shape(line: dict[str, object], right: bool) -> None:
    assert codex.is_codex(line) is right
