"""What may be asked of the log: filters, the newest, and what an append expects."""

from __future__ import annotations

import pytest

from tests.cli.calling import Cli


@pytest.fixture
def filled(cli: Cli) -> Cli:
    for number in range(5):
        actor = "bo" if number % 2 else "ada"
        kind = "odd" if number % 2 else "even"
        cli.ok("log", "append", "notes", kind, "--actor", actor)
        cli.ok("log", "append", "other", "even")
    return cli


def versions(cli: Cli, *arguments: str) -> list[int]:
    return [line["version"] for line in cli.call("log", "read", *arguments).lines]


def test_filters_leave_only_what_fits_in_the_order_of_the_log(filled: Cli) -> None:
    assert versions(filled, "notes", "--type", "odd") == [2, 4]
    assert versions(filled, "notes", "--type", "odd", "--type", "even") == [1, 2, 3, 4, 5]
    assert versions(filled, "notes", "--by", "ada", "--after", "1") == [3, 5]
    assert versions(filled, "notes", "--type", "even", "--limit", "2") == [1, 3]
    assert versions(filled, "notes", "--last", "2") == [4, 5]
    assert versions(filled, "notes", "--type", "even", "--last", "2", "--after", "1") == [3, 5]
    streams = [line["stream"] for line in filled.call("log", "read", "--all", "--last", "3").lines]
    assert streams == ["other", "notes", "other"]
    third = filled.call("log", "read", "notes").lines[2]["recorded_at"]
    assert versions(filled, "notes", "--since", third) == [3, 4, 5]
    assert versions(filled, "notes", "--until", third) == [1, 2, 3]
    assert versions(filled, "notes", "--since", "1h") == [1, 2, 3, 4, 5]
    assert versions(filled, "notes", "--until", "2020-01-01") == []


def test_what_cannot_be_asked_is_refused(filled: Cli) -> None:
    filled.fails(2, "log", "read", "notes", "--since", "soon")
    filled.fails(2, "log", "read", "notes", "--until", "2026-13-01")
    filled.fails(2, "log", "read", "notes", "--limit", "1", "--last", "1")
    filled.fails(2, "log", "append", "notes", "x", "--expect-version", "some")
    filled.fails(2, "log", "append", "notes", "x", "--expect-version", "-1")


@pytest.mark.parametrize(
    ("expected", "empty", "there"), [("0", 0, 4), ("exists", 4, 0), (None, 0, 0)]
)
def test_what_an_append_expects_of_its_stream(
    cli: Cli, expected: str | None, empty: int, there: int
) -> None:
    """Six results: nothing there, something there, no matter."""
    more = () if expected is None else ("--expect-version", expected)
    for stream, code in (("new", empty), ("known", there)):
        cli.ok("log", "append", "known", "x")
        before = len(versions(cli, stream))
        done = cli.call("log", "append", stream, "x", *more, "--json")
        assert done.code == code
        assert len(versions(cli, stream)) == before + (code == 0)
        if code:
            assert done.json["error"]["code"] == "expected_version"
