"""Odd but possible input: numbers no database holds, names of several lines, folders that are
gone, answers that the provider cut short."""

from __future__ import annotations

import os
import pwd
import subprocess
from pathlib import Path

import pytest

from tests.cli.calling import SCRIPT, Cli
from tests.fakes.llm_server import FakeLLMServer

HUGE = str(2**63)
TOO_LARGE = (
    ("log", "read", "t", "--after", HUGE),
    ("log", "append", "t", "e", "{}", "--expect-version", HUGE),
    ("checkpoint", "list", "Search", "--limit", HUGE),
    ("session", "list", "Search", "--limit", HUGE),
    ("session", "turns", "SESSION", "--after", HUGE),
    ("session", "turns", "SESSION", "--last", HUGE),
    ("chat", "choose", "--session", "SESSION", HUGE),
    ("context", "--turn", f"SESSION:{HUGE}"),
    ("context", "--turn", "SESSION:" + "9" * 5000),
)


@pytest.mark.parametrize("arguments", TOO_LARGE, ids=lambda given: " ".join(given)[:40])
def test_a_number_that_no_database_holds_is_a_usage_error(
    cli: Cli, arguments: tuple[str, ...]
) -> None:
    cli.space()
    session = cli.session()
    cli.fails(2, *(each.replace("SESSION", session) for each in arguments))


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2Jb", "a\u2028b", "x" * 201])
def test_an_actor_is_one_line_of_ordinary_length(cli: Cli, name: str) -> None:
    assert "actor" in cli.fails(2, "space", "create", "Search", "--actor", name)["message"]
    cli.extra["SMRITI_ACTOR"] = name
    assert "SMRITI_ACTOR" in cli.fails(2, "whoami")["message"]


def test_a_type_that_is_too_long_is_told_as_that(cli: Cli) -> None:
    assert "200" in cli.fails(2, "log", "append", "t", "x" * 201, "{}")["message"]


def test_a_pipe_that_brought_nothing_appends_nothing(cli: Cli) -> None:
    for given in (b"", b" \n"):
        assert "empty" in cli.fails(2, "log", "append", "t", "e", "-", given=given)["message"]
    assert cli.ok("log", "append", "t", "e")["version"] == 1


def test_json_without_a_command_is_an_error_not_prose(cli: Cli) -> None:
    assert cli.fails(2)["code"] == "usage"
    assert cli.call().text.startswith("Usage:")


def test_in_a_folder_that_is_gone(cli: Cli, tmp_path: Path) -> None:
    cli.space()
    gone = tmp_path / "gone"
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'

    def there(*arguments: str) -> tuple[int, str]:
        gone.mkdir()
        done = subprocess.run(
            ["sh", "-c", script, "sh", str(gone), str(SCRIPT), *arguments],
            env=cli.environment(),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "should not" not in done.stderr
        return done.returncode, done.stderr

    assert there("space", "list", "--db", str(cli.database)) == (0, "")
    for arguments in (
        ("space", "list", "--db", "here.db"),
        ("status",),
        ("session", "list"),
        ("export", "here.md", "--space", "Search"),
    ):
        code, error = there(*arguments)
        assert code in (1, 2, 3)
        assert error.startswith("error: ")


def test_a_file_name_that_is_too_long_for_an_export(cli: Cli) -> None:
    cli.space()
    for form in ("md", "bundle"):
        found = cli.fails(1, "export", "n" * 300, "--space", "Search", "--format", form)
        assert found["code"] == "not_written"


def test_a_table_that_is_no_table_is_told(cli: Cli) -> None:
    config = cli.folder / "config.toml"
    config.write_text('chat = "openai/x"\n')
    cli.extra["SMRITI_CONFIG"] = str(config)
    assert "chat" in cli.fails(2, "whoami")["message"]


def test_an_alias_for_a_demo_model_is_refused_as_that(cli: Cli) -> None:
    config = cli.folder / "config.toml"
    config.write_text('[[models]]\nalias = "brief"\nmodel = "demo/scripted"\n')
    cli.extra["SMRITI_CONFIG"] = str(config)
    cli.space()
    sent = ("chat", "send", "--session", cli.session(), "hello", "--model", "brief")
    assert "[[models]] cannot rename" in cli.fails(5, *sent)["message"]


@pytest.mark.parametrize(
    ("scenario", "why"), [("length", "the limit of tokens"), ("content-filter", "filter ended")]
)
@pytest.mark.usefixtures("warm")
def test_an_answer_that_is_not_whole_is_told(
    cli: Cli, server: FakeLLMServer, scenario: str, why: str
) -> None:
    cli.extra |= {
        "SMRITI_CHAT_MODEL": f"openai/{scenario}",
        "SMRITI_API_BASE": server.openai_base,
        "SMRITI_API_KEY": "sk-1234567890",
    }
    cli.space()
    session = cli.session()
    done = cli.call("chat", "send", "--session", session, "Which index?")
    assert done.code == 0
    assert "warning: answer 2 is not whole" in done.error
    assert why in done.error
    assert why in cli.call("session", "turns", session).text


def test_an_unset_home_is_the_one_of_the_user(cli: Cli) -> None:
    cli.extra["HOME"] = ""
    found = {each["name"]: each["value"] for each in cli.ok("config")["settings"]}
    assert found["home"] == f"{pwd.getpwuid(os.getuid()).pw_dir}/.smriti"


def test_a_file_that_is_not_there_is_told_as_that(cli: Cli) -> None:
    cli.space()
    done = cli.call("checkpoint", "create", "nofile.json")
    assert (done.code, "neither a Space nor a file 'nofile.json'" in done.error) == (3, True)


def test_a_number_of_thousands_of_digits_is_told_in_our_words(cli: Cli) -> None:
    cli.space()
    (cli.cwd / "long.json").write_text('{"title": ' + "9" * 10_000 + "}")
    done = cli.call("checkpoint", "create", "Search", "long.json")
    assert (done.code, "sys." in done.error) == (2, False)


def test_a_pipe_with_a_name_is_a_file(cli: Cli) -> None:
    cli.space()
    cli.extra["SMRITI_SPACE"] = "Search"
    done = cli.run("checkpoint", "create", "/dev/stdin", given=b'{"title": "Piped"}')
    assert done.code == 0, done.error
