"""Labelled transcripts: what is a label, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.domain.imported import Skipped
from smriti_tui.importers import labelled
from smriti_tui.importers.labelled import Part, split
from tests.importers.support import one, said, sample, source, whole


def roles(text: str) -> list[tuple[str | None, str]]:
    return [(part.role, part.text) for part in split(text)]


def test_the_sample(tmp_path: Path) -> None:
    (thread,) = whole(labelled.threads(source(tmp_path, sample("labelled.txt"))))
    found = said(thread.turns())
    assert [role for role, _ in found] == ["user", "assistant", "user"]
    assert found[1][1].startswith("here:\n\n```yaml\nuser: alice\nai:\n  model: x\n```\nWe decided")
    assert (thread.tool, thread.title, thread.count) == ("text", "write a config", 3)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("coding", ["user", "assistant", "user", "assistant"]),
        ("planning", ["user", "assistant", "user", "assistant"]),
        ("code_heavy", ["user", "assistant"]),
        ("debugging", ["user"]),
        ("research", ["user"]),
        ("unlabelled", ["user"]),
    ],
)
def test_transcripts_of_each_kind(tmp_path: Path, name: str, expected: list[str]) -> None:
    content = sample(f"{name}.txt")
    (thread,) = whole(labelled.threads(source(tmp_path, content)))
    found = list(thread.turns())
    assert [turn.role for turn in found] == expected
    words = " ".join(" ".join(turn.text for turn in found).split())
    # Nothing but the labels is gone.
    assert len("".join(content.decode().split())) - len("".join(words.split())) <= 10 * len(found)
    assert thread.tool == "text"
    assert found[0].original_role == ("unknown" if name == "unlabelled" else None)
    assert labelled.is_transcript(content.decode()) is (len(expected) > 1)


@pytest.mark.parametrize(
    "text",
    [
        "Human: hi\nAssistant: hello",
        "USER: hi\nai: hello",
        "You: hi\nChatGPT: hello",
        "You said:\nhi\n\nChatGPT said:\nhello\n",
        "user:\nhi\n\n\ngpt-4o: hello",
        "User : hi\nCopilot： hello",
        "**User**: hi\n**Claude**: hello",
        "**User:** hi\n\n**Assistant:** hello",
        "**User**\nhi\n\n**Assistant**\nhello",
        "## User\n\nhi\n\n## Assistant\n\nhello",
        "### User:\nhi\n### Assistant:\nhello",
        "<user>hi</user>\n<assistant>\nhello\n</assistant>\n",
        "User\nhi\n\nAssistant\nhello",
        "Human: hi\r\n\r\nAssistant: hello\r\n",
        "\ufeffHuman: hi\nAssistant: hello",
        "Human: hi\n**Assistant**: hello",
        "Usuario: hi\nAsistente: hello",
        "用户：hi\n助手：hello",
        "Human (10:32): hi\nClaude (opus): hello",
    ],
)
def test_labels_of_each_style(text: str) -> None:
    assert roles(text) == [("user", "hi"), ("assistant", "hello")]
    assert labelled.is_transcript(text)


@pytest.mark.parametrize(
    "body",
    [
        "```\nHuman: no\nAssistant: no\n```",
        "~~~~yaml\nuser: a\n~~~\nai: b\n~~~~",
        "- in a list\n    ```\nUser: x\n    ```",
        "````md\n```python\nHuman: x\n```\nAI: y\n````",
        "```md\n```python\nHuman: x\n```\nAI: y\n```",
        "I told them:\nYou: are prose",
        "> Human: quoted\n> Assistant: quoted",
        "System: Linux\n  Human: indented",
        "    code  kept\n\n\n\n\n\n\n\n\n\n\nend",
        "Humans: are many\nUserland: x\n*User*: y\nAI is: z",
        "<html>\n<users>\n</user>",
        "x" * 100_000,
    ],
)
def test_what_only_looks_like_a_label_stays_in_its_message(body: str) -> None:
    assert roles(f"Human: hi\nAssistant: so\n{body}\nHuman: bye") == [
        ("user", "hi"), ("assistant", f"so\n{body}"), ("user", "bye"),
    ]  # fmt: skip


def test_a_fence_that_begins_behind_a_label_is_one() -> None:
    assert roles("Human: x\nAI: ```yaml\nuser: a\n```\nHuman: y")[1] == (
        "assistant", "```yaml\nuser: a\n```",
    )  # fmt: skip


def test_a_fence_without_an_end_is_none() -> None:
    text = "Human: a\nAI: b\n```\nHuman: c\nAI: d\n```py\nx\n```\nHuman: e"
    assert [role for role, _ in roles(text)] == ["user", "assistant"] * 2 + ["user"]


def test_text_before_the_first_label_is_kept(tmp_path: Path) -> None:
    content = "\nNotes of May\n\nHuman: hi\nAssistant: hello"
    assert split(content) == [
        Part(None, 2, 2, "Notes of May"),
        Part("user", 4, 4, "hi"),
        Part("assistant", 5, 5, "hello"),
    ]
    (thread,) = whole(labelled.threads(source(tmp_path, content)))
    first = next(thread.turns())
    assert (first.role, first.original_role, thread.title) == ("system", "unknown", "hi")


def test_an_empty_message_is_counted_and_no_turn(tmp_path: Path) -> None:
    thread = one(labelled.threads(source(tmp_path, "Human:\n\nHuman: a\nAI: b\nAI:\n")))
    assert said(thread.turns()) == [("user", "a"), ("assistant", "b")]
    assert dict(thread.left_out) == {"empty messages": 2}


def test_lines_are_told_with_their_numbers() -> None:
    assert split("Human: a\nb\n\n\nAI:\n\n  c\n") == [
        Part("user", 1, 2, "a\nb"), Part("assistant", 5, 7, "  c"),
    ]  # fmt: skip
    assert split("no labels\n\nat all\n") == [Part(None, 1, 3, "no labels\n\nat all")]
    assert split(" \n\n") == []


def test_a_system_line_counts_at_the_beginning_alone() -> None:
    assert roles("System: be brief\nHuman: hi\nSystem: Linux") == [
        ("system", "be brief"), ("user", "hi\nSystem: Linux"),
    ]  # fmt: skip


def test_a_model_that_a_label_names_is_the_turns(tmp_path: Path) -> None:
    thread = one(labelled.threads(source(tmp_path, "You: hi\nGPT-4o: hello")))
    assert thread.model == "gpt-4o"


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    assert list(labelled.threads(source(tmp_path, "\n", "a.txt"))) == [
        Skipped("a.txt", "no turns in it")
    ]


@pytest.mark.parametrize(
    "text", ["", "Human: alone", "User\nUser\n", "prose\nAI\n", '{"user": 1}', "<user>x"]
)
def test_what_is_no_transcript(text: str) -> None:
    assert not labelled.is_transcript(text)


def test_a_transcript_that_grows_keeps_its_turns(tmp_path: Path) -> None:
    pieces = ["Human: a\n", "Assistant: b\n```\nuser: x\n```\n", "\nHuman: c\n", "AI: d\n"]
    (full,) = whole(labelled.threads(source(tmp_path, "".join(pieces))))
    for end in range(1, len(pieces)):
        (part,) = whole(labelled.threads(source(tmp_path, "".join(pieces[:end]), "part")))
        assert part.source_id == full.source_id
        assert list(part.turns()) == list(full.turns())[:end]


def test_two_transcripts_that_begin_alike_share_no_other_turn(tmp_path: Path) -> None:
    first = one(labelled.threads(source(tmp_path, "Human: hi\nAI: yes", "a")))
    second = one(labelled.threads(source(tmp_path, "Human: hi\nAI: no", "b")))
    ids = [[turn.source_id for turn in each.turns()] for each in (first, second)]
    assert ids[0][0] == ids[1][0]
    assert ids[0][1] != ids[1][1]
