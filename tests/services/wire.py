"""A session as a test drives it, and an oracle that knows what the server must have received.

The oracle keeps its own book of lines, floors and chosen answers from DESIGN 10.7 to 10.10 and
looks at nothing of the product's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

CONFIG = """
[[models]]
alias = "one"
model = "openai/scripted"
api_base = "{openai}"
api_key_env = "TEST_KEY"
context_tokens = 200000

[[models]]
alias = "two"
model = "anthropic/scripted"
api_base = "{anthropic}"
api_key_env = "TEST_KEY"
context_tokens = 200000

[[models]]
alias = "small"
model = "openai/scripted"
api_base = "{openai}"
api_key_env = "TEST_KEY"
context_tokens = 700
reply_tokens = 100
"""


def environ(folder: Path, openai: str, anthropic: str) -> dict[str, str]:
    """Settings with two protocols and one small window at the test's own server."""
    path = folder / "config.toml"
    path.write_text(CONFIG.format(openai=openai, anthropic=anthropic), encoding="utf-8")
    return {
        "SMRITI_CONFIG": str(path),
        "SMRITI_CHAT_MODEL": "one",
        "TEST_KEY": "sk-test-0123456789",
        "SMRITI_RETRIES": "0",
        "SMRITI_TIMEOUT_S": "20",
    }


@dataclass
class Told:
    """One turn in the oracle's book."""

    line: int
    word: str
    question: int | None = None
    status: str = "complete"


@dataclass
class Book:
    """What the test did, and what follows from it."""

    turns: list[Told] = field(default_factory=list)
    line: int = 1
    lines: int = 1
    base: dict[int, int] = field(default_factory=lambda: {1: 0})
    made: dict[int, int] = field(default_factory=dict)
    anchor: dict[int, str | None] = field(default_factory=lambda: {1: None})
    """Line to the name of its checkpoint; line 1 follows `main`."""
    home: dict[str, str] = field(default_factory=dict)
    """Checkpoint to its branch."""
    heads: dict[str, str | None] = field(default_factory=lambda: {"main": None})
    chosen: dict[int, int] = field(default_factory=dict)

    @property
    def floor(self) -> int:
        return max(self.base[self.line], self.made.get(self.line, 0))

    @property
    def state(self) -> str | None:
        """The checkpoint that the current line stands on."""
        return self.heads["main"] if self.line == 1 else self.anchor[self.line]

    def ask(self, word: str) -> int:
        self.turns.append(Told(self.line, word))
        return len(self.turns)

    def answer(self, question: int, word: str, status: str) -> int:
        text = "" if status == "failed" else word
        self.turns.append(Told(self.turns[question - 1].line, text, question, status))
        number = len(self.turns)
        if text and status in ("complete", "stopped") and question in self.chosen:
            self.chosen[question] = number
        return number

    def mount(self, checkpoint: str) -> None:
        self.lines += 1
        self.line = self.lines
        self.base[self.line] = len(self.turns)
        self.anchor[self.line] = checkpoint

    def saved(self, name: str, new_branch: str) -> None:
        """A checkpoint made from the session's current line."""
        floor = self.floor
        ended = [
            number
            for number, turn in enumerate(self.turns, 1)
            if turn.line == self.line
            and turn.question
            and number > floor
            and turn.status != "running"
        ]
        self.made[self.line] = max([floor, *ended])
        state = self.state
        branch = "main"
        if self.line != 1 and state is not None:
            branch = self.home[state]
            if self.heads[branch] != state:
                branch = new_branch
        if self.line != 1:
            self.anchor[self.line] = name
        self.home[name] = branch
        self.heads[branch] = name

    def needs_branch(self) -> bool:
        state = self.state
        return self.line != 1 and state is not None and self.heads[self.home[state]] != state

    def last_question(self) -> int | None:
        mine = [
            number
            for number, turn in enumerate(self.turns, 1)
            if turn.line == self.line and number > self.floor and turn.question is None
        ]
        return mine[-1] if mine else None

    def expected(self, below: int) -> list[str]:
        """Words of the turns that may be sent, those from `below` on left out."""
        return [
            turn.word
            for number, turn in enumerate(self.turns, 1)
            if number < below and self._sent(number, turn)
        ]

    def _sent(self, number: int, turn: Told) -> bool:
        if turn.line != self.line or number <= self.floor or not turn.word:
            return False
        if turn.question is None:
            return True
        return turn.status != "running" and self._choice(turn.question) == number

    def _choice(self, question: int) -> int | None:
        if question in self.chosen:
            return self.chosen[question]
        siblings = [
            (number, turn)
            for number, turn in enumerate(self.turns, 1)
            if turn.question == question and turn.word
        ]
        whole = [n for n, turn in siblings if turn.status in ("complete", "stopped")]
        if whole:
            return whole[-1]
        return next((n for n, turn in siblings if turn.status == "cut"), None)
