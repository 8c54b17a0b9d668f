"""`--at`, against what the same commands printed then: byte for byte, ages aside."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from tests.cli.calling import Cli, Done

_AGE = re.compile(
    rb"\b(\d+ ?(s|m|h|d|w|min|days?|hours?|weeks?|months?|years?)( ago)?|just now|now)\b"
)
Printed = tuple[int, bytes]


def told(done: Done, arguments: tuple[str, ...]) -> Printed:
    """What was printed. How well a hit fits depends on all that was ever written, so search is
    compared without its order."""
    if arguments[0] == "search" and done.code == 0 and "--json" in arguments:
        hits = sorted(map(json.dumps, done.json["hits"]))
        return done.code, "\n".join(hits).encode()
    text = _AGE.sub(b"AGE", done.out)
    lines = sorted(text.splitlines()) if arguments[0] == "search" else [text]
    return done.code, b"\n".join(lines)


class Life:
    """Random writing commands, and what every reading command printed after each."""

    def __init__(self, cli: Cli, seed: int) -> None:
        self.cli = cli
        self.chance = random.Random(seed)
        self.space = cli.space("Search")
        self.sessions = [cli.session("Search")]
        self.checkpoints: list[str] = []
        self.branches = ["main"]
        self.printed: dict[int, dict[tuple[str, ...], Printed]] = {}
        self.count = 0

    # ---- writing -------------------------------------------------------------------------------

    def step(self) -> None:
        acts = [
            self.ask, self.ask, self.save, self.save, self.mount, self.rename, self.fork,
            self.fork_turn, self.note, self.delete, self.retry, self.branch, self.merge,
            self.session, self.pin,
        ]  # fmt: skip
        self.chance.choice(acts)()

    def write(self, *arguments: str, given: bytes = b"") -> Any:
        done = self.cli.call(*arguments, "--json", given=given)
        return done.json if done.code == 0 else {}

    def any_session(self) -> str:
        return self.chance.choice(self.sessions)

    def ask(self) -> None:
        self.count += 1
        self.write("chat", "send", "--session", self.any_session(), f"question {self.count} words")

    def retry(self) -> None:
        self.write("chat", "retry", "--session", self.any_session())

    def save(self) -> None:
        self.count += 1
        content = {
            "title": f"State {self.count}",
            "objective": f"find {self.count % 2}",
            "decisions": [f"decision {self.chance.randrange(6)}" for _ in range(2)],
            "tasks": [{"text": "Load test", "status": self.chance.choice(("open", "done"))}],
        }
        more = self.chance.choice(((), ("--session", self.any_session(), "--carry", "all")))
        made = self.write(
            "checkpoint", "create", "Search", "-", *more, given=json.dumps(content).encode()
        )
        if "id" in made:
            self.checkpoints.append(made["id"])

    def mount(self) -> None:
        session = self.any_session()
        if self.chance.random() < 0.4:
            self.write("unmount", "--session", session)
        elif self.checkpoints:
            self.write("mount", self.chance.choice(self.checkpoints), "--session", session)

    def rename(self) -> None:
        self.count += 1
        self.write("session", "rename", self.any_session(), f"title {self.count}")

    def pin(self) -> None:
        act = self.chance.choice(("pin", "archive", "delete"))
        if act != "delete" or len(self.sessions) > 3:
            self.write("session", act, self.any_session(), *(["--yes"] if act == "delete" else []))

    def fork(self) -> None:
        if self.checkpoints:
            made = self.write("fork", self.chance.choice(self.checkpoints))
            self.sessions += [made["session"]] if made else []

    def fork_turn(self) -> None:
        made = self.write("fork", f"{self.any_session()}:{self.chance.randrange(1, 5)}")
        self.sessions += [made["session"]] if made else []

    def note(self) -> None:
        if self.checkpoints:
            kind = self.chance.choice(("note", "milestone"))
            one = self.chance.choice(self.checkpoints)
            self.write("checkpoint", "note", one, f"remark {self.count}", "--kind", kind)

    def delete(self) -> None:
        if len(self.checkpoints) > 3:
            one = self.chance.choice(self.checkpoints)
            self.write("checkpoint", "delete", one, "--cascade", "--yes")

    def branch(self) -> None:
        listed = [each["name"] for each in self.write("branch", "list", "Search")["branches"]]
        name = self.chance.choice(listed)
        self.count += 1
        self.write("branch", "rename", "Search", name, f"b{self.count}")
        self.write("branch", "close", "Search", name, "--disposition", "abandoned")

    def merge(self) -> None:
        if len(self.checkpoints) > 1:
            a, b = self.chance.sample(self.checkpoints, 2)
            made = self.write("merge", a, b, "--ours")
            self.checkpoints += [made["id"]] if "id" in made else []

    def session(self) -> None:
        made = self.write("session", "new", "Search")
        self.sessions += [made["id"]] if made else []

    # ---- reading -------------------------------------------------------------------------------

    def readings(self) -> list[tuple[str, ...]]:
        session = self.any_session()
        one, other = (self.chance.choice(self.checkpoints or ["0000"]) for _ in range(2))
        turn = f"{session}:{self.chance.randrange(1, 5)}"
        return [
            ("status",), ("space", "list"), ("space", "show", "Search"),
            ("session", "list", "Search"), ("session", "show", session),
            ("session", "turns", session), ("branch", "list", "Search"),
            ("checkpoint", "list", "Search"), ("checkpoint", "list", "Search", "--graph"),
            ("checkpoint", "show", one), ("checkpoint", "turns", one),
            ("checkpoint", "blame", one, "D1"), ("checkpoint", "verify"), ("restore", one),
            ("checkpoint", "reach", one, "D1"), ("context-pack", one, "--target", "claude"),
            ("context-pack", "--session", session),
            ("compare", one, other), ("merge", one, other, "--dry-run"),
            ("context", "--session", session, "--message", "x"), ("context", "--turn", turn),
            ("context", "verify"), ("log", "streams"), ("log", "read", "--all"),
            ("log", "read", f"session/{session}"), ("export", "-", "--space", "Search"),
            ("export", "-", "--space", "Search", "--format", "json"),
            ("export", "-", "--all", "--format", "jsonl"), ("search", "words"),
            ("search", "decision"), ("search", "title"), ("search", "remark"), ("search", "State"),
        ]  # fmt: skip

    def position(self) -> int:
        lines = self.cli.call("log", "read", "--all", "--after", "0").lines
        return int(lines[-1]["position"])

    def record(self, most: int) -> None:
        at = self.position()
        if at not in self.printed:
            asked = self.chance.sample(self.readings(), most)
            asked += [(*each, "--json") for each in self.chance.sample(asked, most // 2)]
            self.printed[at] = {each: told(self.cli.call(*each), each) for each in asked}

    def differences(self) -> list[str]:
        found = []
        for at, printed in self.printed.items():
            for arguments, before in printed.items():
                now = told(self.cli.call(*arguments, "--at", str(at)), arguments)
                if now != before:
                    found.append(f"at {at}: {' '.join(arguments)}\n{before}\n{now}")
        return found


def lived(cli: Cli, steps: int, seed: int, most: int) -> None:
    life = Life(cli, seed)
    for _ in range(steps):
        life.step()
        life.record(most)
    assert "\n\n".join(life.differences()) == ""


def test_what_was_printed_then_is_printed_at_then(cli: Cli) -> None:
    lived(cli, 14, 5, 5)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_what_was_printed_in_a_long_life_is_printed_at_then(cli: Cli, seed: int) -> None:
    lived(cli, 60, seed, 30)


# ---- what is given to --at ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "code"),
    [
        ("0", 3), ("-1", 2), ("9" * 30, 3), ("9" * 400, 3), ("0002", 0), ("\uff11", 2),
        ("0001-01-01T00:00:00+14:00", 2), ("9999-12-31T23:59:59-14:00", 2), ("9999-12-31", 0),
        ("0001-01-01", 3), ("2026-13-01", 2), ("now", 2), ("10:00", 2), ("\x1b[31m", 2),
        ("dead", 3), ("123", 3),
    ],
)  # fmt: skip
def test_an_odd_moment_is_refused_by_name(cli: Cli, at: str, code: int) -> None:
    cli.space()
    if code:
        cli.fails(code, "space", "list", "--at", at)
    else:
        assert cli.ok("space", "list", "--at", at)


def test_an_event_and_its_exact_time_are_moments_and_so_is_a_deleted_checkpoint(cli: Cli) -> None:
    space = cli.space()
    made = cli.checkpoint(space, {"title": "Gone soon"})
    cli.ok("checkpoint", "delete", made["id"], "--yes")
    events = cli.call("log", "read", "--all").lines
    saved = next(each for each in events if each["type"] == "checkpoint.saved")
    names = (
        saved["event_id"], saved["event_id"].upper(), saved["event_id"].replace("-", ""),
        saved["recorded_at"], saved["recorded_at"].replace("Z", "+00:00"), made["id"],
        made["id"][:12],
    )  # fmt: skip
    for name in names:
        listed = cli.ok("checkpoint", "list", space, "--at", name)["checkpoints"]
        assert [each["id"] for each in listed] == [made["id"]]
    assert cli.ok("checkpoint", "list", space)["checkpoints"] == []


@pytest.mark.parametrize("command", [("log", "verify"), ("log", "tail"), ("db", "check")])
def test_the_whole_log_has_no_earlier_state(cli: Cli, command: tuple[str, ...]) -> None:
    cli.space()
    cli.space("Other")
    assert cli.fails(2, *command, "--at", "1")["code"] == "at_event"
    assert cli.fails(2, "db", "backup", "copy.db", "--at", "1")["code"] == "at_event"
