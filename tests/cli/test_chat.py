"""`smriti chat` and `smriti context` (SEND, promises 2, 5 and 6)."""

from __future__ import annotations

import hashlib
import json
import uuid

import pytest

from tests.cli.calling import Cli
from tests.fakes.llm_server import FakeLLMServer

KEY = "sk-canary-Zq81mPv0xLkT42"


@pytest.fixture
def session(cli: Cli) -> str:
    cli.space()
    return cli.session()


def test_the_answer_streams_to_standard_output_as_it_is_stored(cli: Cli, session: str) -> None:
    done = cli.run("chat", "send", "--session", session, "hello world")
    assert done.code == 0
    turns = cli.ok("session", "turns", session)["turns"]
    assert [turn["text"] for turn in turns] == ["hello world", done.text.removesuffix("\n")]
    assert done.error.startswith("answer 2, demo/scripted, ")


def test_json_has_both_turns_and_what_was_sent(cli: Cli, session: str) -> None:
    found = cli.ok("chat", "send", "--session", session, "hello")
    assert set(found) == {
        "session", "user_turn", "assistant_turn", "model", "context_sha256", "usage", "cost",
        "left_out", "limit", "error",
    }  # fmt: skip
    for turn, number in ((found["user_turn"], 1), (found["assistant_turn"], 2)):
        assert (turn["sequence_number"], turn["line"], turn["status"]) == (number, 1, "complete")
    assert found["user_turn"]["text"] == "hello"
    assert (found["model"], found["error"]) == ("demo/scripted", None)
    sent = cli.ok("context", "--turn", f"{session[:8]}:2")
    assert sent["sha256"] == found["context_sha256"]


def test_the_session_tells_what_it_has_cost(cli: Cli, session: str) -> None:
    nothing = {"usd": "0", "answers": 0, "unknown": 0}
    assert cli.ok("session", "show", session)["cost"] == nothing
    cli.call("chat", "send", "--session", session, "What now?")
    assert cli.ok("session", "show", session)["cost"] == {**nothing, "answers": 1}
    assert "$0.00 for 1 answer" in cli.call("session", "show", session).text


def test_the_message_may_come_from_standard_input(cli: Cli, session: str) -> None:
    cli.ok("chat", "send", "--session", session, "-", given="\ufeffzwei\nZeilen\n".encode())
    cli.ok("chat", "send", "--session", session, given=b"no dash\r\n")
    texts = [turn["text"] for turn in cli.ok("session", "turns", session)["turns"][::2]]
    assert texts == ["zwei\nZeilen", "no dash"]


def test_input_that_is_not_utf8_is_refused_by_its_byte(cli: Cli, session: str) -> None:
    error = cli.fails(2, "chat", "send", "--session", session, "-", given=b"\xef\xbb\xbfok\xff")
    assert (error["code"], error["details"]["offset"]) == ("not_utf8", 5)
    assert "offset 5" in error["message"]
    assert cli.ok("session", "turns", session)["turns"] == []


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_a_blank_message_is_refused_and_nothing_is_stored(
    cli: Cli, session: str, text: str
) -> None:
    error = cli.fails(2, "chat", "send", "--session", session, text)
    assert "Nothing was stored or sent." in error["hint"]
    assert cli.ok("session", "turns", session)["turns"] == []


def test_without_a_model_nothing_is_stored_and_exit_5(cli: Cli, session: str) -> None:
    cli.extra["SMRITI_CHAT_MODEL"] = ""
    error = cli.fails(5, "chat", "send", "--session", session, "hello")
    assert error["code"] == "provider_not_configured"
    assert "SMRITI_CHAT_MODEL" in error["hint"]
    assert "Nothing was stored or sent." in error["hint"]
    cli.fails(5, "chat", "send", "--session", session, "hello", "--model", "openai/gpt-4o")
    assert cli.ok("session", "turns", session)["turns"] == []


def test_a_message_that_cannot_fit_is_refused(cli: Cli, session: str) -> None:
    huge = ("word " * 200_000).encode()
    error = cli.fails(2, "chat", "send", "--session", session, "-", given=huge)
    assert error["code"] == "too_long"
    assert cli.ok("session", "turns", session)["turns"] == []


def test_asking_again_adds_a_sibling_and_one_is_chosen(cli: Cli, session: str) -> None:
    cli.ok("chat", "send", "--session", session, "hello")
    again = cli.ok("chat", "retry", "--session", session)
    assert again["user_turn"]["sequence_number"] == 1
    assert (again["assistant_turn"]["sequence_number"], again["assistant_turn"]["question"]) == (
        3,
        1,
    )
    chosen = cli.ok("chat", "choose", "--session", session, "2")
    assert (chosen["question"], chosen["answer"]) == (1, 2)
    cli.ok("chat", "send", "--session", session, "next")
    sent = cli.ok("context", "--turn", f"{session}:5")
    assert sent["manifest"]["segments"][-1]["last"] == 4
    left = [each for each in sent["manifest"]["left_out"] if each["reason"] == "not chosen"]
    assert [(each["first"], each["last"]) for each in left] == [(3, 3)]
    cli.fails(2, "chat", "choose", "--session", session, "1")
    cli.fails(3, "chat", "choose", "--session", session, "99")


def test_there_must_be_a_question_to_ask_again(cli: Cli, session: str) -> None:
    assert cli.fails(4, "chat", "retry", "--session", session)["code"] == "no_question"


def test_repeating_a_send_asks_once(cli: Cli, session: str) -> None:
    once = str(uuid.uuid4())
    first = cli.ok("chat", "send", "--session", session, "hello", "--command-id", once)
    again = cli.call("chat", "send", "--session", session, "hello", "--command-id", once)
    assert again.text.rstrip("\n") == first["assistant_turn"]["text"]
    assert cli.ok("chat", "send", "--session", session, "x", "--command-id", once) == first
    assert len(cli.ok("session", "turns", session)["turns"]) == 2
    sibling = str(uuid.uuid4())
    one = cli.ok("chat", "retry", "--session", session, "--command-id", sibling)
    assert cli.ok("chat", "retry", "--session", session, "--command-id", sibling) == one
    assert len(cli.ok("session", "turns", session)["turns"]) == 3


def test_another_model_is_told(cli: Cli, session: str) -> None:
    cli.ok("chat", "send", "--session", session, "hello")
    done = cli.call("chat", "send", "--session", session, "more", "--model", "demo/contrarian")
    assert "The model is demo/contrarian now; it was demo/scripted." in done.error


def test_models_say_whether_they_can_be_reached(cli: Cli) -> None:
    cli.extra["SMRITI_BACKGROUND_MODEL"] = "openai/gpt-4o"
    rows = {row["name"]: row for row in cli.ok("chat", "models")["models"]}
    assert rows["demo/scripted"] == {
        "name": "demo/scripted", "model": "demo/scripted", "ready": True, "reason": None,
        "chat": True, "background": False,
    }  # fmt: skip
    assert rows["openai/gpt-4o"]["ready"] is False
    assert "OPENAI_API_KEY" in rows["openai/gpt-4o"]["reason"]
    assert rows["openai/gpt-4o"]["background"] is True


@pytest.mark.usefixtures("warm")
def test_broken_answers_of_a_provider_are_stored_told_and_exit_5(
    cli: Cli, session: str, server: FakeLLMServer
) -> None:
    cli.extra |= {
        "SMRITI_CHAT_MODEL": "openai/drop-mid-stream:after=6",
        "SMRITI_API_BASE": server.openai_base,
        "SMRITI_API_KEY": KEY,
        "SMRITI_RETRIES": "0",
    }
    done = cli.run("chat", "send", "--session", session, "hello")
    assert done.code == 5
    assert "Traceback" not in done.error
    assert KEY not in done.error
    assert "loading the provider library" in done.error
    assert "tokens are assumed" in done.error or "warning" not in done.error
    turns = cli.ok("session", "turns", session)["turns"]
    assert [turn["status"] for turn in turns] == ["complete", "cut"]
    assert done.text == turns[1]["text"].rstrip("\n") + "\n" or done.text == turns[1]["text"]
    last = done.error.splitlines()[-1]
    assert last.startswith("error: Answer 2 cut: ")
    assert "Your question is stored as turn 1, what arrived is kept" in last
    assert f"`smriti chat retry --session {session[:7]}`" in last

    cli.extra["SMRITI_CHAT_MODEL"] = "openai/unauthorized"
    failed = cli.call("chat", "retry", "--session", session, "--json")
    assert failed.code == 5
    assert failed.json["assistant_turn"]["status"] == "failed"
    assert failed.json["error"]["code"] == "provider_auth"
    assert "no text arrived" in failed.json["error"]["hint"]
    assert KEY not in failed.text + failed.error


# ---- context -----------------------------------------------------------------------------------


def test_the_next_context_is_what_the_send_then_holds(cli: Cli, session: str) -> None:
    cli.checkpoint("Search", {"title": "Choose FTS5", "decisions": ["One file"]})
    ahead = cli.ok("context", "--session", session, "--message", "and now?")
    assert ahead["manifest"]["verified"] is None
    sent = cli.ok("chat", "send", "--session", session, "and now?")
    assert ahead["sha256"] == sent["context_sha256"]
    stored = cli.ok("context", "--turn", f"{session}:2")
    assert stored["messages"] == ahead["messages"]
    assert stored["manifest"]["verified"] is True
    listed = [{"role": m["role"], "content": m["content"]} for m in stored["messages"]]
    canonical = json.dumps(listed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode()).hexdigest() == stored["sha256"]
    assert [m["role"] for m in listed] == ["system", "user"]
    assert "One file" in listed[0]["content"]


def test_the_text_of_a_context_names_parts_reasons_and_hash(cli: Cli, session: str) -> None:
    cli.ok("chat", "send", "--session", session, "first")
    cli.checkpoint("Search", {"title": "Choose FTS5", "entities": ["x"]}, "--session", session)
    text = cli.call("context", "--session", session, "--message", "````\n\x1b[31m").text
    assert "mode HEAD" in text
    assert "- turns 1 to 2: in the checkpoint" in text
    assert "- 1 entities of" in text
    assert "Not sent. A send now would send these very messages." in text
    assert "`````\n````\n\u241b[31m\n`````" in text
    assert "\x1b" not in text


def test_without_a_message_a_placeholder_is_shown_and_told(cli: Cli, session: str) -> None:
    done = cli.call("context", "--session", session)
    assert done.code == 0
    assert "placeholder" in done.error


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (2, []),
        (2, ["--turn", "3f9a"]),
        (2, ["--turn", "3f9a:x"]),
        (3, ["--turn", "ffffffff:1"]),
        (2, ["--turn", "ffffffff:1", "--session", "ffffffff"]),
        (2, ["--session", "ffffffff", "verify"]),
    ],
)
def test_a_context_must_be_named_well(cli: Cli, code: int, arguments: list[str]) -> None:
    cli.space()
    cli.fails(code, "context", *arguments)


def test_a_question_has_no_context(cli: Cli, session: str) -> None:
    cli.ok("chat", "send", "--session", session, "hello")
    assert cli.fails(3, "context", "--turn", f"{session}:1")["code"] == "not_found"
    cli.fails(3, "context", "--turn", f"{session}:9")


def test_verify_rebuilds_every_context(cli: Cli, session: str) -> None:
    for text in ("one", "two"):
        cli.ok("chat", "send", "--session", session, text)
    assert cli.ok("context", "verify") == {
        "ok": True, "checked": 2, "difference": None, "unended": [], "redacted": [],
    }  # fmt: skip
    assert cli.ok("context", "verify", "--session", session)["checked"] == 2
