"""ChatGPT's export: the line that was on the screen, and nothing that was not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.importers.reading import read, sample, source

Message = dict[str, Any]
THOUGHT = {"summary": "S", "content": "C"}


def message(
    role: str,
    content: Message | str,
    *,
    time: float | None = 1.0,
    recipient: str = "all",
    **more: Any,
) -> Message:
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    return {
        "author": {"role": role}, "create_time": time, "content": content, "recipient": recipient,
        "metadata": {}, **more,
    }  # fmt: skip


def conversation(*nodes: tuple[str, str | None, Message | None], **more: Any) -> Message:
    """A tree of (id, parent, message); children are left out, as in some exports."""
    mapping = {
        name: {"id": name, "parent": parent, "message": said} for name, parent, said in nodes
    }
    return {"id": "c", "title": "T", "create_time": 5.0, "mapping": mapping, **more}


def chain(*messages: Message, **more: Any) -> Message:
    """One line of messages."""
    nodes = [
        (str(place), str(place - 1) if place else None, said) for place, said in enumerate(messages)
    ]
    return conversation(*nodes, current_node=str(len(messages) - 1), **more)


def test_the_sample() -> None:
    found = read(sample("chatgpt.json"))
    user, answer = found.turns()
    [thread] = found.threads
    assert (user.role, user.text) == ("user", "Redis or memcached?")
    [image] = user.details
    assert (image.name, image.size_bytes, image.media_type) == ("graph.png", 105_213, "image/png")
    assert (answer.role, answer.text) == ("assistant", "Redis, because you need TTL per key.")
    assert answer.model == "model-x"
    assert [(each.kind, each.text) for each in answer.details] == [
        ("tool_call", "print(2+2)"), ("tool_result", "4"),
    ]  # fmt: skip
    assert user.said_at == "2026-01-05T03:32:10.285031Z"
    [branch] = thread.branches
    assert [turn.text for turn in branch.turns()] == [
        "Redis or memcached?",
        "Memcached. (old answer)",
    ]
    assert (branch.own, thread.left_out) == (1, {"hidden messages": 2})
    assert "PROFILE" not in str(found.said())


@pytest.mark.parametrize("current", ["missing", None, "names nothing"])
def test_without_a_current_message_the_newest_line_is_taken_and_said(
    tmp_path: Path, current: str | None
) -> None:
    more = {} if current == "missing" else {"current_node": current}
    tree = conversation(
        ("u", None, message("user", "q", time=1)),
        ("old", "u", message("assistant", "old", time=9)),
        ("new", "u", message("assistant", "new", time=10.5)),
        ("late", "old", None),
        **more,
    )
    found = read(source(tmp_path, [tree]))
    assert found.said() == [("user", "q"), ("assistant", "new")]
    assert "the newest line" in found.threads[0].notes[0]
    assert [branch.own for branch in found.threads[0].branches] == [1]


def test_the_later_time_does_not_win_against_the_current_message(tmp_path: Path) -> None:
    tree = conversation(
        ("u", None, message("user", "q")),
        ("a_old", "u", message("assistant", "old", time=99)),
        ("a_new", "u", message("assistant", "new", time=2)),
        current_node="a_new",
    )
    assert read(source(tmp_path, tree)).said()[1] == ("assistant", "new")


def test_cycles_and_dangling_parents_end(tmp_path: Path) -> None:
    round_trip = conversation(
        ("a", "b", message("user", "one")), ("b", "a", message("assistant", "two")),
        current_node="b",
    )  # fmt: skip
    assert read(source(tmp_path, [round_trip])).said() == [("user", "one"), ("assistant", "two")]
    loose = conversation(("a", "gone", message("user", "one")), current_node="a")
    assert read(source(tmp_path, [loose])).said() == [("user", "one")]


def test_a_deep_tree_needs_no_recursion(tmp_path: Path) -> None:
    tree = chain(*(message("user" if n % 2 == 0 else "assistant", f"m{n}") for n in range(3_000)))
    assert len(read(source(tmp_path, [tree])).turns()) == 3_000


def test_words_stand_in_many_places(tmp_path: Path) -> None:
    tree = chain(
        message("user", {"content_type": "multimodal_text", "parts": [
            {"content_type": "audio_transcription", "text": "spoken"},
            {"content_type": "audio_asset_pointer", "asset_pointer": "a://f", "size_bytes": 9},
            "typed",
        ]}),
        message("assistant", {"content_type": "thoughts", "thoughts": [THOUGHT]}),
        message("assistant", {"content_type": "reasoning_recap", "content": "for 3 s"}),
        message("tool", {"content_type": "tether_quote", "url": "u", "title": "t", "text": "x"}),
        message("tool", {"content_type": "system_error", "name": "E", "text": "broke"}),
        message("assistant", {"content_type": "brand_new", "result": "R"}),
        message("assistant", {"content_type": "code", "language": "python", "text": "a = '```'"}),
        message("user", {"content_type": "text", "parts": [""]}),
        message("user", {"content_type": "multimodal_text", "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "f2", "size_bytes": 7}]}),
    )  # fmt: skip
    found = read(source(tmp_path, [tree]))
    spoken, code, picture = found.turns()
    assert spoken.text == "spoken\ntyped"
    assert code.text == "````python\na = '```'\n````"
    assert [each.kind for each in code.details] == [
        "reasoning", "reasoning", "tool_result", "tool_result", "note",
    ]  # fmt: skip
    assert [each.error for each in code.details][3] is True
    assert (picture.text, picture.flags) == ("[image: 7 bytes]", ("placeholder",))
    assert "content_type" not in str(found.said())
    assert found.threads[0].left_out == {
        "messages of the type 'brand_new'": 1, "messages without text": 1,
    }  # fmt: skip


def test_marks_of_citations_go_and_words_stay(tmp_path: Path) -> None:
    said = (
        "Redis\ue200cite\ue202turn0search1\ue201 is fast【12†source】, says "
        '\ue200entity\ue202["company","Acme","a firm"]\ue201 \ue202now.'
    )
    assert read(source(tmp_path, chain(message("assistant", said)))).said() == [
        ("assistant", "Redis is fast, says Acme now.")
    ]


def test_hidden_and_foreign_roles(tmp_path: Path) -> None:
    tree = chain(
        message("system", "You are kind."),
        message("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        message("user", {"content_type": "model_editable_context", "model_set_context": "MEMORY"}),
        message("critic", "I object"),
        message("user", "hi"),
        message("assistant", "half", status="in_progress"),
    )
    found = read(source(tmp_path, tree))
    turns = found.turns()
    assert [turn.role for turn in turns] == ["system", "system", "user", "assistant"]
    assert turns[1].original_role == "critic"
    assert turns[3].flags == ("partial",)
    assert "MEMORY" not in str(found.said())


def test_one_bad_conversation_costs_itself(tmp_path: Path) -> None:
    bad = {"title": "bad", "id": "b", "mapping": {"x": 3, "y": {"parent": 4, "message": "no"}}}
    good = chain(message("user", "hi"))
    found = read(source(tmp_path, [good, bad, {"title": "other"}, good, 7]))
    assert [thread.title for thread in found.threads] == ["T", "T"]
    assert [where for where, _ in found.reasons] == ['conversation 2 "bad"', "item 3", "item 5"]


def test_a_title_that_says_nothing_becomes_the_first_words(tmp_path: Path) -> None:
    for title in (None, "New chat", "  "):
        tree = chain(message("user", "word " * 40), title=title)
        [thread] = read(source(tmp_path, tree)).threads
        assert thread.title.startswith("word word")
        assert thread.title.endswith("…")
