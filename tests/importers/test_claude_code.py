"""Claude Code's sessions: one way through a log of events, whatever is broken in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.model import Usage
from tests.importers.reading import Read, read, sample, source

Line = dict[str, Any]
S = "5e550000-0000-4000-8000-000000000001"


def line(
    name: str, parent: str | None, kind: str, content: Any, *, at: int = 0, **more: Any
) -> Line:
    message: Line = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": more.pop("reply", f"msg_{name}"), "model": "m"}
        if isinstance(content, str):
            message["content"] = [{"type": "text", "text": content}]
    return {
        "type": kind, "uuid": name, "parentUuid": parent, "sessionId": S, "cwd": "/p",
        "timestamp": f"2026-03-01T09:{at // 60:02}:{at % 60:02}.000Z", "isSidechain": False,
        "message": message, **more,
    }  # fmt: skip


def session(tmp_path: Path, *lines: Line | str, end: str = "\n") -> Read:
    texts = [each if isinstance(each, str) else json.dumps(each) for each in lines]
    return read(source(tmp_path, "\n".join(texts) + end))


def test_the_sample() -> None:
    found = read(sample("claude-code.jsonl"))
    [thread] = found.threads
    assert (thread.title, thread.project) == ("Retry policy", "/home/sam/proj x")
    assert found.said() == [
        ("user", "Why does the job retry twice?"),
        ("assistant", "Looking."),
        ("assistant", "retry=2 is set in app.py."),
    ]
    looking, told = found.turns()[1:]
    assert [(each.kind, each.name) for each in told.details] == [
        ("tool_call", "Bash"), ("tool_result", "Bash"),
    ]  # fmt: skip
    assert (looking.usage, told.usage) == (Usage(10, 7), Usage(40, 9))
    assert [where for where, _ in found.reasons] == ["line 6"]
    assert thread.left_out["lines of sub-agents"] == 1
    assert "INJECTED" not in str(found.turns())


def test_one_broken_line_costs_itself(tmp_path: Path) -> None:
    """P69: the chain passes through the line that is broken."""
    talk = [line("0", None, "user", "t0")]
    talk += [
        line(str(n), str(n - 1), "assistant" if n % 2 else "user", f"t{n}", at=n)
        for n in range(1, 9)
    ]
    lines: list[Line | str] = list(talk)
    lines[4] = json.dumps(talk[4])[:60]
    lines[5:5] = ["", "[]", json.dumps({"type": "brand-new", "sessionId": S})]
    lines[-1] = json.dumps(talk[8]).replace("t8", "t8\x01")
    lines.append('{"type":"user","uuid":"9","parentUu')
    found = session(tmp_path, *lines, end="")
    assert [text for _, text in found.said()] == [
        "t0", "t1", "t2", "t3", "t5", "t6", "t7", "t8\x01",
    ]  # fmt: skip
    assert [where for where, _ in found.reasons] == ["line 5", "line 7", "line 13"]
    assert found.threads[0].left_out == {"lines of the type 'brand-new'": 1}
    missing = "line 9: the line that it follows is not in this file"
    assert found.threads[0].notes == (f"{missing}; it was joined to line 4",)


def test_a_reply_over_several_lines_is_one_turn(tmp_path: Path) -> None:
    def block(name: str, parent: str, content: Line) -> Line:
        made = line(name, parent, "assistant", [content], reply="r1")
        made["message"]["usage"] = {"input_tokens": 5, "output_tokens": 2}
        return made

    found = session(
        tmp_path,
        line("u", None, "user", "q"),
        block("a", "u", {"type": "thinking", "thinking": "hm"}),
        block("b", "a", {"type": "text", "text": "One."}),
        block("c", "b", {"type": "text", "text": "Two."}),
    )
    [_, answer] = found.turns()
    assert (answer.text, answer.usage) == ("One.\n\nTwo.", Usage(5, 2))
    assert [each.kind for each in answer.details] == ["reasoning"]


def test_results_of_calls_made_at_once_are_all_told(tmp_path: Path) -> None:
    def call(name: str, parent: str, number: int) -> Line:
        use = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"n": number}}
        return line(name, parent, "assistant", [use], reply="r1", at=number)

    def result(name: str, parent: str, number: int) -> Line:
        told = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"r{number}"}
        return line(name, parent, "user", [told], at=number)

    found = session(
        tmp_path,
        line("u", None, "user", "q"),
        call("a", "u", 1),
        call("b", "a", 2),
        result("ra", "a", 1),
        result("rb", "b", 2),
        line("z", "rb", "assistant", "done", at=9),
    )
    [_, answer] = found.turns()
    assert sorted(each.text for each in answer.details if each.kind == "tool_result") == [
        "r1",
        "r2",
    ]
    assert found.threads[0].branches == ()


def test_who_is_not_the_person(tmp_path: Path) -> None:
    injected = [
        "<command-name>/clear</command-name>", "Caveat: the messages below",
        "<local-command-stdout>x</local-command-stdout>",
    ]  # fmt: skip
    lines = [line("u", None, "user", "real <system-reminder>\nNOT MINE</system-reminder>words")]
    before = "u"
    for number, text in enumerate(injected):
        lines.append(line(f"i{number}", before, "user", text, at=number))
        before = f"i{number}"
    lines += [
        line("m", before, "user", "META", isMeta=True, at=5),
        line("c", "m", "user", "what was before", isCompactSummary=True, at=6),
        line("a", "c", "assistant", "half an ans", at=7),
        line("x", "a", "user", [{"type": "text", "text": "[Request interrupted by user]"}], at=8),
        line("e", "x", "assistant", "API Error", isApiErrorMessage=True, at=9),
        line("f", "e", "user", "go on", at=10),
    ]
    found = session(tmp_path, *lines)
    assert [(turn.role, turn.text, turn.flags) for turn in found.turns()] == [
        ("user", "real words", ()),
        ("system", "what was before", ("summary",)),
        ("assistant", "half an ans", ("partial",)),
        ("user", "go on", ()),
    ]


def test_a_rewind_leaves_a_branch_and_the_newest_end_is_taken(tmp_path: Path) -> None:
    found = session(
        tmp_path,
        line("u", None, "user", "q", at=1),
        line("a", "u", "assistant", "first", at=2),
        line("b", "a", "user", "and?", at=3),
        line("c", "u", "assistant", "second", at=4),
        {"type": "progress", "uuid": "p", "parentUuid": "c", "timestamp": "2026-03-01T09:09:00Z"},
    )
    assert found.said() == [("user", "q"), ("assistant", "second")]
    [branch] = found.threads[0].branches
    assert [turn.text for turn in branch.turns()] == ["q", "first", "and?"]


def test_a_boundary_of_a_compaction_is_passed(tmp_path: Path) -> None:
    found = session(
        tmp_path,
        line("u", None, "user", "before"),
        {"type": "system", "subtype": "compact_boundary", "uuid": "k", "parentUuid": None,
         "logicalParentUuid": "u", "sessionId": S, "timestamp": "2026-03-01T09:00:01Z"},
        line("v", "k", "user", "after", at=2),
    )  # fmt: skip
    assert [text for _, text in found.said()] == ["before", "after"]


def test_images_are_placeholders(tmp_path: Path) -> None:
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "A" * 400},
    }
    found = session(
        tmp_path,
        line("u", None, "user", [{"type": "text", "text": "see"}, image]),
        line("v", "u", "user", [image], at=1),
    )
    see, alone = found.turns()
    assert [(each.media_type, each.size_bytes) for each in see.details] == [("image/png", 300)]
    assert (alone.text, alone.flags) == ("[image: 300 bytes]", ("placeholder",))
    assert "AAAA" not in str(found.turns())


def test_the_title(tmp_path: Path) -> None:
    talk = line("u", None, "user", "first words")
    summary = {"type": "summary", "summary": "Summed", "leafUuid": "u"}
    elsewhere = {"type": "summary", "summary": "Other", "leafUuid": "z"}
    made = {"type": "ai-title", "aiTitle": "Made", "sessionId": S}
    custom = {"type": "custom-title", "customTitle": "Mine", "sessionId": S}
    for lines, title in (
        ([talk], "first words"), ([elsewhere, talk], "first words"), ([summary, talk], "Summed"),
        ([summary, made, talk], "Made"), ([summary, made, custom, talk], "Mine"),
    ):  # fmt: skip
        assert session(tmp_path, *lines).threads[0].title == title


def test_a_sub_agents_file_is_named(tmp_path: Path) -> None:
    found = session(tmp_path, line("u", None, "user", "do it", isSidechain=True))
    assert not found.threads
    assert found.reasons == [(f"session {S}", "a sub-agent's work, 1 lines")]


REPLY = st.sampled_from(["text", "tool", "think", "user", "result"])


@given(st.lists(REPLY, min_size=1, max_size=25), st.data())
def test_a_file_that_grows_keeps_what_its_turns_are(
    tmp_path_factory: Any, kinds: list[str], data: st.DataObject
) -> None:
    lines = [line("u", None, "user", "begin")]
    for number, kind in enumerate(kinds):
        parent, at = lines[-1]["uuid"], number + 1
        content: Any = f"words {number}"
        if kind == "tool":
            content = [{"type": "tool_use", "id": f"t{number}", "name": "X", "input": {}}]
        elif kind == "think":
            content = [{"type": "thinking", "thinking": "hm"}]
        elif kind == "result":
            content = [{"type": "tool_result", "tool_use_id": f"t{number - 1}", "content": "r"}]
        who = "user" if kind in ("user", "result") else "assistant"
        lines.append(line(f"n{number}", parent, who, content, at=at))
    cut = data.draw(st.integers(1, len(lines)))
    folder = tmp_path_factory.mktemp("grow")
    whole, part = (session(folder, *each).turns() for each in (lines, lines[:cut]))
    assert whole[: len(part)] == part
