"""aider's history: sessions, whose line is whose, and fences."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smriti_tui.domain.imported import Skipped, Thread
from smriti_tui.importers import aider
from tests.importers.support import beside, one, said, sample, source, whole

START = "# aider chat started at 2026-01-05 14:03:22\n\n"


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def read(folder: Path, body: str) -> Thread:
    (thread,) = whole(aider.threads(source(folder, START + body)))
    return thread


def test_the_sample(tmp_path: Path) -> None:
    thread, empty = aider.threads(source(tmp_path, sample("aider.md")))
    assert isinstance(thread, Thread)
    found = list(thread.turns())
    reply = (
        "I will add it:\n\napp.py\n```python\n# retry once\n#### not a user line\n"
        "> not tool output\ndef run(): ...\n```"
    )
    assert said(iter(found)) == [("user", "add a retry\nbut only once"), ("assistant", reply)]
    assert (found[0].source_id, found[1].source_id) == ("1", "2")
    assert (found[1].model, thread.model, found[1].flags) == ("model-k", "model-k", ())
    assert thread.created_at == "2026-01-05T08:33:22.000000Z"
    # The tokens, the command and its output: no turn of the session follows them.
    assert dict(thread.left_out) == {"details after the last turn": 3}
    assert empty == Skipped('session 2 "2026-01-06 09:00:00"', "no turns in it")


def test_commands_are_details_and_some_carry_a_question(tmp_path: Path) -> None:
    thread = read(
        tmp_path,
        "#### /add app.py  \n\n> Added app.py  \n\n#### /ask why?  \n#### really  \n\nBecause.\n\n"
        "#### /code  \n\n#### !ls  \n\n> app.py  \n\n#### /code do it  \n\nDone.\n\n",
    )
    first, _, third, _ = list(thread.turns())
    assert (first.text, third.text) == ("why?\nreally", "do it")
    assert beside(first) == [
        ("tool_call", "/add", "app.py"), ("tool_result", "/add", "Added app.py"),
        ("note", "/ask", ""),
    ]  # fmt: skip
    assert beside(third) == [
        ("tool_call", "/code", ""), ("tool_call", "!ls", ""), ("tool_result", "!ls", "app.py"),
        ("note", "/code", ""),
    ]  # fmt: skip


def test_headings_and_quotes_of_a_reply_stay_in_it(tmp_path: Path) -> None:
    reply = "# Plan\n\n#### First step\n\n> quoted\n\n##### deep\n- done"
    thread = read(tmp_path, f"> Model: m  \n\n#### plan  \n\n{reply}\n\n> Tokens: 1  \n")
    assert said(thread.turns()) == [("user", "plan"), ("assistant", reply)]


def test_lines_without_the_two_spaces_are_told_by_their_signs(tmp_path: Path) -> None:
    thread = read(tmp_path, "> Model: m\n\n#### plan\n\nYes.\n\n> Tokens: 1\n\n#### go\n\nGone.\n")
    assert said(thread.turns()) == [
        ("user", "plan"), ("assistant", "Yes."), ("user", "go"), ("assistant", "Gone."),
    ]  # fmt: skip


@pytest.mark.parametrize("later", ["OK.\n\n", "Look:\n```python\nx\n```\n\n"])
def test_an_interrupted_fence_does_not_swallow_the_person(tmp_path: Path, later: str) -> None:
    thread = read(tmp_path, f"#### go  \n\nHere:\n```python\ndef\n\n#### stop  \n\n{later}")
    found = list(thread.turns())
    assert said(iter(found)) == [
        ("user", "go"), ("assistant", "Here:\n```python\ndef"), ("user", "stop"),
        ("assistant", later.strip()),
    ]  # fmt: skip
    assert [turn.flags for turn in found] == [(), ("partial",), (), ()]


def test_markers_in_a_closed_fence_are_code(tmp_path: Path) -> None:
    reply = "```md\n\n#### a heading  \n\n> quote  \n# aider chat started at noon\n```"
    assert said(read(tmp_path, f"#### go  \n\n{reply}\n\n").turns())[1:] == [("assistant", reply)]


def test_a_session_line_ends_even_a_fence(tmp_path: Path) -> None:
    content = START + "#### go  \n\n```\nopen\n" + START + "#### more  \n\nYes.\n"
    first, second = whole(aider.threads(source(tmp_path, content)))
    assert said(first.turns())[1] == ("assistant", "```\nopen")
    assert said(second.turns()) == [("user", "more"), ("assistant", "Yes.")]


def test_sessions_of_one_second_are_two(tmp_path: Path) -> None:
    content = (START + "#### same  \n\nYes.\n\n") * 2 + START + "#### other  \n\nNo.\n\n"
    found = [each.source_id for each in whole(aider.threads(source(tmp_path, content)))]
    assert len(set(found)) == 3
    assert found[1] == f"{found[0]} 2"


def test_a_pasted_message_in_the_arguments_is_no_turn(tmp_path: Path) -> None:
    thread = read(tmp_path, "> /usr/bin/aider --message #### add it  \n\n#### add it  \n\nOK.\n\n")
    assert said(thread.turns()) == [("user", "add it"), ("assistant", "OK.")]


def test_what_stands_before_the_first_session_is_kept(tmp_path: Path) -> None:
    content = "\n#### cut off  \n\nYes.\n\n" + START + "#### next  \n\nOK.\n\n"
    first, second = whole(aider.threads(source(tmp_path, content)))
    assert (said(first.turns())[0], first.created_at) == (("user", "cut off"), None)
    assert said(second.turns())[0] == ("user", "next")


def test_other_encodings_and_line_ends(tmp_path: Path) -> None:
    body = START.encode() + b"#### caf\xe9 \xc3\xa9  \r\n\r\nlone \xed\xb2\x80.\r\n\r\n"
    thread = one(aider.threads(source(tmp_path, b"\xef\xbb\xbf" + body.replace(b"\r\n", b"\n"))))
    assert said(thread.turns()) == [("user", "café é"), ("assistant", "lone �.")]
    windows = body.replace(b"\n", b"\r\n").replace(b"\r\r", b"\r")
    assert said(one(aider.threads(source(tmp_path, windows))).turns()) == said(thread.turns())


def test_a_date_that_is_none_is_unknown(tmp_path: Path) -> None:
    content = "# aider chat started at 2026-13-45 99:00:00\n#### hi  \n\nYes.\n"
    assert one(aider.threads(source(tmp_path, content))).created_at is None


def test_a_file_that_grows_by_messages_keeps_its_turns(tmp_path: Path) -> None:
    pieces = [
        START, "> Model: m  \n", "\n#### one  \n#### two  \n", "\nReply\n\n", "> Tokens: 1  \n",
        "\n#### /undo  \n", "> Removed  \n", "\n#### three  \n", "\n```\ncode\n```\n\n", START,
        "\n#### four  \n", "\nLast.\n\n",
    ]  # fmt: skip
    full = {
        (thread.source_id, turn.source_id): turn
        for thread in whole(aider.threads(source(tmp_path, "".join(pieces))))
        for turn in thread.turns()
    }
    for end in range(len(pieces)):
        part = source(tmp_path, "".join(pieces[:end]), "part")
        for thread in whole(aider.threads(part)):
            for turn in thread.turns():
                assert full[thread.source_id, turn.source_id] == turn


def test_a_history_is_known_by_a_session_line() -> None:
    assert aider.is_history(sample("aider.md").decode())
    assert aider.is_history("lines\r\n# aider chat started at 2026-01-05 14:03:22\r\n")
    assert not aider.is_history("# aider chat started at noon\n> # aider chat")
