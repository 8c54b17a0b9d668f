"""Claude.ai's export: each word once, whatever field it stands in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.importers.reading import read, sample, source

Message = dict[str, Any]
ROOT = "00000000-0000-4000-8000-000000000000"


def said(name: str, sender: str, text: str = "", **more: Any) -> Message:
    return {"uuid": name, "sender": sender, "text": text, "content": [], **more}


def talk(*messages: Message, **more: Any) -> Message:
    return {"uuid": "c", "name": "N", "chat_messages": list(messages), **more}


def test_the_sample() -> None:
    found = read(sample("claude.json"))
    [thread] = found.threads
    user, answer = found.turns()
    assert thread.title == "We must keep p95 under 200 ms."
    assert (user.role, user.text, user.flags) == (
        "user", "We must keep p95 under 200 ms.", ("attachment",),
    )  # fmt: skip
    assert answer.text == "Let me check.\n\nKeep the queue."
    [plan] = [each for each in answer.details if each.kind == "artifact"]
    assert (plan.name, plan.text) == ("Plan", "# Plan\n1. Queue")
    assert found.reasons == [('conversation 2 "Empty one"', "no messages in it")]


def test_text_alone_loses_the_sentence_of_a_block_that_could_not_be_shown(tmp_path: Path) -> None:
    block = "```\nThis block is not supported on your current device yet.\n```"
    found = read(source(tmp_path, [talk(said("a", "assistant", f"One.\n{block}\n\nTwo."))]))
    assert found.said() == [("assistant", "One.\n\nTwo.")]


def test_the_last_state_of_an_artifact(tmp_path: Path) -> None:
    def call(command: str, **more: str) -> Message:
        given = {"command": command, "id": "p", **more}
        return {"type": "tool_use", "name": "artifacts", "input": given}

    made = [
        call("create", title="Plan", type="text/markdown", content="a b a"),
        call("update", old_str="a", new_str="X"),
        {"type": "text", "text": "done"},
    ]
    later = [call("update", old_str="nowhere", new_str="y"), {"type": "text", "text": "sorry"}]
    anew = [call("rewrite", content="new"), {"type": "text", "text": "again"}]
    found = read(source(tmp_path, [talk(
        said("1", "assistant", content=made), said("2", "assistant", content=later),
        said("3", "assistant", content=anew),
    )]))  # fmt: skip
    states = [turn.details[-1] for turn in found.turns()]
    assert [(each.name, each.text, each.error) for each in states] == [
        ("Plan", "X b a", False), ("Plan", "X b a", True), ("Plan", "new", False),
    ]  # fmt: skip


def test_dead_branches_of_a_newer_file(tmp_path: Path) -> None:
    messages = [
        said("u", "human", "q", parent_message_uuid=ROOT),
        said("old", "assistant", "old", parent_message_uuid="u", created_at="2026-01-01T00:00:09Z"),
        said("u2", "human", "q edited", parent_message_uuid=ROOT),
        said(
            "new", "assistant", "new", parent_message_uuid="u2", created_at="2026-01-01T00:00:03Z"
        ),
    ]
    found = read(source(tmp_path, [talk(*messages, current_leaf_message_uuid="new")]))
    assert found.said() == [("user", "q edited"), ("assistant", "new")]
    [branch] = found.threads[0].branches
    assert [turn.text for turn in branch.turns()] == ["q", "old"]
    found = read(source(tmp_path, [talk(*messages)]))
    assert found.said() == [("user", "q"), ("assistant", "old")]


def test_files_pictures_and_what_nobody_knows(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "QUFB" * 1000}}
    messages: list[Any] = [
        said("1", "human", files=[{"file_name": "a.png"}], files_v2=[{"file_name": "a.png"}]),
        said("2", "assistant", content=[
            {"type": "tool_result", "name": "web", "is_error": True,
             "content": [image, {"type": "text", "text": "t"}]},
            {"type": "token_budget", "left": 3},
            {"type": "text", "text": "ok"},
        ]),
        said("3", "robot", "beep"),
        said("4", "human"),
        {"uuid": 5}, "six", said("1", "human", "again"),
    ]  # fmt: skip
    found = read(source(tmp_path, [talk(*messages)]))
    first, second, third = found.turns()
    assert (first.text, len(first.details)) == ("[file: a.png]", 1)
    assert [(each.kind, each.error) for each in second.details] == [
        ("tool_result", True), ("note", False),
    ]  # fmt: skip
    assert "QUFB" not in str(second)
    assert (third.role, third.original_role) == ("system", "robot")
    assert [where for where, _ in found.reasons] == ["message 6", "message 7"]


def test_zones_are_one(tmp_path: Path) -> None:
    found = read(
        source(tmp_path, [talk(said("1", "human", "x", created_at="2026-02-03T12:00:00+02:00"))])
    )
    assert found.turns()[0].said_at == "2026-02-03T10:00:00.000000Z"
