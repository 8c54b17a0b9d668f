"""The isolation predicate against an oracle that reads DESIGN 10.10 turn by turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.context import ContextInput, assemble, rebuild
from smriti_tui.domain.events import Limit
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import Line, LineRun, Turn, TurnStatus
from smriti_tui.domain.window import LineView

SESSION = SessionId("s")


def turn(number: int, line: int, role: str, **more: object) -> Turn:
    text = str(more.pop("text", f"word{number}"))
    base = Turn(
        SESSION, number, line, "user", text, text, "complete", "2026-03-02T14:00:00.000000Z"
    )
    return replace(base, role=role, **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class History:
    turns: tuple[Turn, ...]
    line: int
    base: int
    made: int

    def runs(self) -> tuple[LineRun, ...]:
        runs: list[LineRun] = []
        for one in self.turns:
            if runs and runs[-1].line == one.line:
                runs[-1] = replace(runs[-1], last=one.sequence_number)
            else:
                runs.append(LineRun(one.sequence_number, one.sequence_number, one.line))
        return tuple(runs)

    def view(self) -> LineView:
        line = Line(SESSION, self.line, None, self.base)
        return LineView(line, "HEAD", None, (), self.made, len(self.turns))


STATUSES: tuple[TurnStatus, ...] = ("complete", "stopped", "cut", "failed", "running")


@st.composite
def histories(draw: st.DrawFn) -> History:
    turns: list[Turn] = []
    line, lines = 1, 1
    opened = {1: 0}
    question: int | None = None
    for _ in range(draw(st.integers(0, 25))):
        move = draw(st.sampled_from("qqaaamus"))
        number = len(turns) + 1
        if move == "m":
            lines += 1
            line, question = lines, None
            opened[line] = len(turns)
        elif move == "u":
            line, question = 1, None
        elif move == "q":
            turns.append(turn(number, line, "user"))
            question = number
        elif move == "s":
            turns.append(turn(number, line, "system"))
        elif question is not None:
            status = draw(st.sampled_from(STATUSES))
            empty = status in ("failed", "running") or draw(st.integers(0, 5)) == 0
            text = "" if empty else f"word{number}"
            turns.append(
                turn(number, line, "assistant", question=question, status=status, text=text)
            )
    turns = [_maybe_chosen(draw, one, turns) for one in turns]
    made = draw(st.sampled_from([0, *(t.sequence_number for t in turns if t.line == line)]))
    return History(tuple(turns), line, opened[line], made)


def _maybe_chosen(draw: st.DrawFn, one: Turn, turns: list[Turn]) -> Turn:
    answers = [t.sequence_number for t in turns if t.question == one.sequence_number and t.text]
    if one.role == "user" and answers and draw(st.booleans()):
        return replace(one, chosen=draw(st.sampled_from(answers)))
    return one


def sendable(history: History, one: Turn) -> bool:
    """DESIGN 10.10 word for word, but for the window."""
    floor = max(history.base, history.made)
    if one.line != history.line or one.sequence_number <= floor or not one.text:
        return False
    if one.role == "user":
        return True
    return one.role == "assistant" and _is_chosen(history, one)


def _is_chosen(history: History, one: Turn) -> bool:
    question = history.turns[(one.question or 1) - 1]
    answers = [t for t in history.turns if t.question == one.question]
    if question.chosen is not None:
        return question.chosen == one.sequence_number
    good = [t for t in answers if t.text and t.status in ("complete", "stopped")]
    if good:
        return one is good[-1]
    return bool(one.text) and one is next((t for t in answers if t.text), None)


def above_floor(history: History) -> tuple[Turn, ...]:
    floor = max(history.base, history.made)
    return tuple(t for t in history.turns if t.line == history.line and t.sequence_number > floor)


def given_input(history: History, tokens: int = 100_000, **more: object) -> ContextInput:
    turns = above_floor(history)
    known = {t.sequence_number for t in turns}
    asked = {t.question for t in turns if t.question} - known
    beneath = tuple(
        t
        for t in history.turns
        if (t.sequence_number in asked or t.question in asked) and t.sequence_number not in known
    )
    limit = Limit(tokens, "entry", 5)
    given = ContextInput(history.view(), turns, history.runs(), limit, beneath=beneath)
    return replace(given, **more)  # type: ignore[arg-type]


@given(histories(), st.integers(30, 400))
def test_what_is_sent_is_the_newest_unbroken_run_of_what_may_be(
    history: History, tokens: int
) -> None:
    context = assemble(given_input(history, tokens, message="now"))
    allowed = [t.sequence_number for t in history.turns if sendable(history, t)]
    sent = list(context.sent[:-1])
    assert context.sent[-1] == len(history.turns) + 1
    assert sent == allowed[len(allowed) - len(sent) :]
    assert context.estimate.tokens <= tokens - 5
    if len(sent) < len(allowed):
        assert not sent or history.turns[sent[0] - 1].role == "user"
    told = {n for out in context.left_out for n in range(out.first or 0, (out.last or -1) + 1)}
    assert told | set(sent) == set(range(1, len(history.turns) + 1))
    assert not told & set(sent)


@given(histories())
def test_everything_left_out_has_the_right_reason(history: History) -> None:
    context = assemble(given_input(history, message="now"))
    for out in context.left_out:
        assert 1 <= (out.first or 0) <= (out.last or 0)
        for number in range(out.first or 0, (out.last or 0) + 1):
            assert out.reason == expected_reason(history, history.turns[number - 1])


def expected_reason(history: History, one: Turn) -> str:
    number = one.sequence_number
    if number <= history.base:
        return "before the boundary"
    if one.line != history.line:
        return "other line"
    if number <= history.made:
        return "in the checkpoint"
    if one.role == "system":
        return "system"
    if one.status == "running":
        return "running"
    return "not chosen" if one.text else "no text"


@given(histories())
def test_a_context_is_rebuilt_from_its_segments_alone(history: History) -> None:
    context = assemble(given_input(history, message="now"))
    asked = turn(len(history.turns) + 1, history.line, "user", text="now")
    known = {t.sequence_number: t for t in (*history.turns, asked)}
    assert rebuild(context.segments, context.texts, known) == context.messages


@given(histories())
def test_asking_again_sends_what_stood_before_the_question(history: History) -> None:
    turns = above_floor(history)
    questions = [t.sequence_number for t in turns if t.role == "user"]
    if not questions:
        return
    context = assemble(given_input(history, ask_again=questions[-1]))
    allowed = [t.sequence_number for t in history.turns if sendable(history, t)]
    before = [number for number in allowed if number < questions[-1]]
    assert list(context.sent) == [*before, questions[-1]]
