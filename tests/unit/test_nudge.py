"""When a checkpoint is called for: by how many turns, by what was said, by another model."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.model import LineRun, Role, Turn, TurnStatus
from smriti_tui.domain.nudge import (
    EDGE,
    LOOKED_AT,
    MANY,
    Nudge,
    decision,
    nudge,
    nudge_ways,
    since_checkpoint,
    unread_turns,
)
from smriti_tui.domain.nudge_words import LANGUAGES, Language

DECIDED = {
    "Fine. Let’s go with SQLite, then.": "Let's go with",
    "It is not fast, but let's go with it.": "let's go with",
    "I think WE  DECIDED\nthat yesterday": "WE DECIDED",
    "Agreed. That gives one decision.": "Agreed",
    "Decision: one file.": "Decision:",
    "Wir haben uns am Ende für FTS5 entschieden.": "haben uns am Ende für FTS5 entschieden",
    "Bon, on part sur SQLite.": "on part sur",
    "Hemos decidido usar SQLite.": "Hemos decidido",
    "Decidi usar SQLite.": "Decidi",
    "Alla fine abbiamo deciso.": "abbiamo deciso",
    "We hebben dat gisteren besloten.": "We hebben dat gisteren besloten",
    "हमने FTS5 तय किया।": "तय किया",
    "検索はFTS5に決めました。": "に決めました",
    "好的，我们决定用 FTS5。": "我们决定",
}
NOT_DECIDED = [
    "We have not decided.", "We haven't decided yet.", "I don't think we decided that.",
    "Should we go with it?", "Have we decided? Let's go with X?", "If we decided on X, then Y.",
    "Once we have decided, tell me.", "Nothing was decided.", "We decided nothing.",
    "They have agreed on it.", "Not agreed.", "outlet's go with", "We decidedly like it",
    "Perhaps we'll go with X.", "> we decided\nWho said that", "```\nwe decided\n```\nis a log",
    "Wir haben uns noch nicht entschieden.", "Wenn wir das beschlossen haben", "Ob das so ist",
    "Nous n'avons pas décidé.", "No hemos decidido nada.", "Não decidimos.",
    "Non abbiamo deciso.", "We hebben niets besloten.", "हमने तय नहीं किया।",
    "FTS5に決めましたか。", "まだFTS5に決めました", "我们还没决定用什么。", "我们决定了吗",
    "Settled, first of all: D1", "", "   ", "The decision tree has a node.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), DECIDED.items())
def test_words_that_decide(text: str, words: str) -> None:
    assert decision(text) == " ".join(words.split())[:40]


@pytest.mark.parametrize("text", NOT_DECIDED)
def test_words_that_do_not(text: str) -> None:
    assert decision(text) == ""


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.phrases[0])
def test_every_phrase_of_the_table_is_found_and_every_negation_undoes_it(
    language: Language,
) -> None:
    for phrase in language.phrases:
        said = phrase.lstrip("^").replace(" ... ", " x y ")
        assert decision(said), phrase
        assert not decision(f"{said}?"), phrase
        for word in language.before:
            gap = " " if language.spaced else ""
            joint = "" if word == "n't" else gap
            ahead = "is" if word == "n't" else ""
            assert decision(f"{ahead}{word}{joint or gap}{said}") == "", (word, phrase)


@given(st.text(max_size=400))
def test_any_text_is_taken_and_what_is_named_stands_in_it(text: str) -> None:
    found = decision(text)
    assert len(found) <= 40
    assert "\n" not in found


def test_what_it_costs_does_not_grow_with_the_text() -> None:
    middle = "x " * EDGE + "We decided. " + "y " * EDGE
    assert decision(middle) == ""
    assert decision("We decided. " + middle) == decision(middle + "We decided.") == "We decided"
    worst = ["haben uns " * 100_000, "we hebben " * 100_000, "'" * 500_000, "```\n" * 100_000]
    began = time.perf_counter()
    for text in worst:
        decision(text)
    assert time.perf_counter() - began < 1


# ---- the rule ----------------------------------------------------------------------------------


def turn(
    number: int, text: str = "x", *, line: int = 1, model: str | None = None,
    question: int | None = None, status: TurnStatus = "complete",
) -> Turn:  # fmt: skip
    role: Role = "assistant" if question is not None else "user"
    return Turn(
        SessionId("s"), number, line, role, text, text, status, "", question=question, model=model
    )


def talk(count: int, **texts: str) -> list[Turn]:
    """Questions and answers 1 to `count`; `t3="..."` is the text of turn 3."""
    return [
        turn(n, texts.get(f"t{n}", "x"), question=None if n % 2 else n - 1,
             model=None if n % 2 else "m")
        for n in range(1, count + 1)
    ]  # fmt: skip


def test_many_turns_are_a_reason_and_fewer_are_none() -> None:
    assert nudge(talk(MANY - 1), line=1, floor=0) is None
    assert nudge(talk(MANY), line=1, floor=0) == Nudge(MANY, "turns")
    assert nudge(talk(MANY + 3), line=1, floor=4) is None
    assert nudge(talk(2), line=1, floor=0, unread=MANY) == Nudge(MANY + 2, "turns")
    assert nudge([], line=1, floor=0, next_model="other") is None


def test_a_decision_since_the_checkpoint_counts_and_no_earlier_one() -> None:
    said = talk(4, t2="Let's go with it.", t3="We decided.", t4="You say: we agreed.")
    assert nudge(said, line=1, floor=0) == Nudge(4, "said", "We decided", "user")
    assert nudge(said[:2], line=1, floor=0) == Nudge(2, "said", "Let's go with", "assistant")
    assert nudge(said[:3], line=1, floor=3) is None
    assert nudge(said[:3], line=1, floor=1) == Nudge(2, "said", "We decided", "user")
    assert nudge(said, line=2, floor=0) is None


def test_another_model_counts_once_the_one_before_said_something_since() -> None:
    turns = [turn(1), turn(2, question=1, model="a"), turn(3), turn(4, question=3, model="b")]
    assert nudge(turns, line=1, floor=0) == Nudge(4, "model", "b")
    assert nudge(turns, line=1, floor=2) is None
    assert nudge(turns[:2], line=1, floor=0, next_model="c") == Nudge(2, "model", "c")
    assert nudge(turns[:1], line=1, floor=0, next_model="c") is None


def test_answers_that_are_not_sent_do_not_count() -> None:
    turns = [
        turn(1), turn(2, "We decided.", question=1, model="a"), turn(3, question=1, model="b"),
        turn(4, "", question=1, status="running"),
    ]  # fmt: skip
    assert [each.sequence_number for each in since_checkpoint(turns, 1, 0)] == [1, 3]
    assert nudge(turns, line=1, floor=0) is None


@given(st.integers(0, 100_000), st.integers(1, 60))
def test_a_sign_stays_until_a_checkpoint_however_long_one_talks(seed: int, length: int) -> None:
    """Also where old turns are not read any more."""
    chance = random.Random(seed)
    texts = {
        f"t{n}": chance.choice(["x"] * 5 + ["We decided.", "not we decided"])
        for n in range(1, length + 1)
    }
    turns, floor = talk(length, **texts), chance.randint(0, 10)
    shown = False
    for last in range(1, length + 1):
        low = max(1, last - LOOKED_AT - chance.randint(0, 5))
        unread = unread_turns([LineRun(1, last, 1)], 1, floor, low)
        found = nudge(turns[low - 1 : last], line=1, floor=floor, unread=unread)
        assert not (shown and found is None)
        assert found is None or found.turns == last - floor
        shown = found is not None


def test_only_runs_of_the_line_above_the_floor_were_left_unread() -> None:
    runs = [LineRun(1, 10, 1), LineRun(11, 14, 2), LineRun(15, 30, 1)]
    assert unread_turns(runs, 1, 4, 20) == 6 + 5
    assert unread_turns(runs, 2, 0, 12) == 1
    assert unread_turns(runs, 1, 40, 20) == 0


def test_it_names_why_and_the_key() -> None:
    assert nudge_ways(Nudge(9, "turns"), "d")[0] == (
        "9 turns since the last checkpoint.  d drafts one."
    )
    assert nudge_ways(Nudge(2, "said", "let's go with"), "f2")[1] == (
        'You said "let\'s go with".  f2 drafts one.'
    )
    assert nudge_ways(Nudge(3, "said", "agreed", "assistant", first=True), "")[0] == (
        '3 turns without a checkpoint; the model said "agreed".'
    )
    hostile = nudge_ways(Nudge(2, "model", "a\x1b[2J\nb"), "d")
    assert all("\x1b" not in way and "\n" not in way for way in hostile)
    assert hostile[0].startswith("2 turns since the last checkpoint; the model changed to a")
