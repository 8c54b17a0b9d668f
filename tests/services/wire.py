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


@dataclass(frozen=True)
class Deed:
    """Something that may be undone: which value it changed, and what was known at that time."""

    what: object
    """`line`, or the number of a question."""
    before: int | None
    after: int | None
    turns: int
    """Turns there were. More of them rest on it: it stays."""
    saved: int
    """Checkpoints that were saved from the line it led to."""


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
    deeds: list[Deed] = field(default_factory=list)
    undone: list[Deed] = field(default_factory=list)
    saves: dict[int, int] = field(default_factory=dict)
    """Line to the number of checkpoints that were made from it."""

    @property
    def floor(self) -> int:
        return max(self.base[self.line], self.made.get(self.line, 0))

    @property
    def state(self) -> str | None:
        """The checkpoint that the current line stands on."""
        return self.heads["main"] if self.line == 1 else self.anchor[self.line]

    def ask(self, word: str, *, mine: bool = True) -> int:
        """A question, by the person at the app or by somebody else."""
        if mine:
            self.undone.clear()
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
        before = self.line
        self.lines += 1
        self.line = self.lines
        self.base[self.line] = len(self.turns)
        self.anchor[self.line] = checkpoint
        self._did("line", before, self.line)

    def unmount(self) -> None:
        before, self.line = self.line, 1
        self._did("line", before, 1)

    def choose(self, number: int) -> None:
        question = self.turns[number - 1].question or 0
        before = self.chosen.get(question)
        if before == number:
            self.undone.clear()  # It was done, but it left all as it was.
            return
        self.chosen[question] = number
        self._did(question, before, number)

    # ---- undo and redo -------------------------------------------------------------------------

    def _did(self, what: object, before: int | None, after: int | None) -> None:
        self.undone.clear()
        self.deeds.append(self._deed(what, before, after))

    def _deed(self, what: object, before: int | None, after: int | None) -> Deed:
        saved = self.saves.get(after or 1, 0) if what == "line" else 0
        return Deed(what, before, after, len(self.turns), saved)

    def undo(self) -> bool | None:
        """Whether the newest deed can be undone, None without one; if so it is undone."""
        return self._turn_back(self.deeds, self.undone)

    def redo(self) -> bool | None:
        """As `undo`, of the undo that was the last."""
        return self._turn_back(self.undone, self.deeds)

    def _turn_back(self, source: list[Deed], target: list[Deed]) -> bool | None:
        if not source:
            return None
        deed = source[-1]
        if len(self.turns) > deed.turns or self._rested_on(deed):
            return False
        source.pop()
        if deed.what == "line":
            self.line = deed.before or 1
        elif deed.before is None:
            self.chosen.pop(int(str(deed.what)))
        else:
            self.chosen[int(str(deed.what))] = deed.before
        target.append(self._deed(deed.what, deed.after, deed.before))
        return True

    def _rested_on(self, deed: Deed) -> bool:
        if deed.what == "line":
            return self.saves.get(deed.after or 1, 0) > deed.saved
        question = int(str(deed.what))
        return self.turns[question - 1].line != self.line or question <= self.floor

    def saved(self, name: str, new_branch: str) -> None:
        """A checkpoint made from the session's current line."""
        self.undone.clear()
        self.saves[self.line] = self.saves.get(self.line, 0) + 1
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
