"""Whether it is time for a checkpoint, and why: a sign, never an act (DESIGN 3.7).

Looks at the turns since the last checkpoint of the line alone, and for words at the newest of them:
what it costs does not grow with the session.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.model import LineRun, Role, Turn
from smriti_tui.domain.nudge_words import LANGUAGES, Language
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.window import reasons

MANY = 8
"""Turns from which on their number alone is a reason: four questions and their answers. That is
more than a screen shows at once, so what was settled first has gone out of sight."""
LOOKED_AT = MANY
"""Newest turns whose words are looked at. With more there is a reason anyway: so a sign that is
there does not go before the next checkpoint."""
EDGE = 2_000
"""Characters that are read at either end of a turn: what is decided stands there."""
MOST_QUOTED = 40
GAP = r"(?:\s+\S+){0,6}?\s+"
"""Words between the parts of a phrase."""
BEHIND = 3
"""Words behind a phrase, or signs where no spaces are put, in which `after` counts."""

Why = Literal["said", "model", "turns"]

_IN_WORD = r"\w\u0300-\u036f\u0900-\u0963"
"""Signs of words; marks on letters, and vowel signs, are none for `\\w`."""
_SENTENCE = re.compile(r"[^.!?;\n…。！？।؟]+[.!?;…。！？।؟]*")  # noqa: RUF001
_ASKED = re.compile(r"[?？؟]\s*$")  # noqa: RUF001
_CLAUSE = re.compile(r"[,()–—，、]|\s-\s")  # noqa: RUF001
_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"^\s*>.*$", re.MULTILINE)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'"})


@dataclass(frozen=True)
class Nudge:
    """Reasons to save a checkpoint now."""

    turns: int
    """How many were sent since the last one."""
    why: Why
    words: str = ""
    """What was said, or the model that it changed to."""
    who: Role = "user"
    """Who said it."""
    first: bool = False
    """Whether the line has no checkpoint yet."""


def nudge(
    turns: Sequence[Turn],
    *,
    line: int,
    floor: int,
    unread: int = 0,
    next_model: str | None = None,
    first: bool = False,
) -> Nudge | None:
    """None while there is no reason.

    `turns` are the newest of the session, ascending; `unread` is the number of earlier ones on the
    line above the floor. `next_model` is a model that was chosen in the place of the newest
    answer's. A decision goes before a switch of the model, and that before many turns; what the
    person said goes before what a model did, which often only repeats it.
    """
    since = since_checkpoint(turns, line, floor)
    count = len(since) + unread
    if not count:
        return None
    newest = sorted(since[-LOOKED_AT:], key=_from_person)
    for turn in reversed(newest):
        if said := decision(turn.text):
            return Nudge(count, "said", said, turn.role, first)
    if model := switched(since, next_model):
        return Nudge(count, "model", model, first=first)
    return Nudge(count, "turns", first=first) if count >= MANY else None


def _from_person(turn: Turn) -> bool:
    return turn.role == "user"


def since_checkpoint(turns: Iterable[Turn], line: int, floor: int) -> list[Turn]:
    """The turns of a line above its floor that a send would hold."""
    mine = [turn for turn in turns if turn.line == line and turn.sequence_number > floor]
    why = reasons(mine)
    return [turn for turn in mine if why[turn.sequence_number] is None]


def unread_turns(runs: Iterable[LineRun], line: int, floor: int, low: int) -> int:
    """How many turns of a line above its floor stand before `low`, the first that was read."""
    spans = (
        min(run.last, low - 1) - max(run.first, floor + 1) + 1 for run in runs if run.line == line
    )
    return sum(span for span in spans if span > 0)


def switched(since: Sequence[Turn], next_model: str | None) -> str:
    """The model that it changed to since the last checkpoint; empty where it did not. Answers of
    the one before are then in no checkpoint."""
    models = [turn.model for turn in since if turn.role == "assistant" and turn.model]
    if models and next_model is not None:
        return next_model
    return models[-1] or "" if models and models[-1] != models[0] else ""


# ---- words -------------------------------------------------------------------------------------


def decision(text: str) -> str:
    """The words by which something is decided in a text, as they stand there; empty for none.

    Code in fences, quoted lines and questions do not count.
    """
    for sentence in _SENTENCE.findall(_prepared(text)):
        if _ASKED.search(sentence):
            continue
        for language in LANGUAGES:
            if found := _decides(sentence, language):
                return " ".join(found.split())[:MOST_QUOTED]
    return ""


def _prepared(text: str) -> str:
    """Its beginning and end, in one normal form, without what is not said by its author."""
    cut = text if len(text) <= 2 * EDGE else f"{text[:EDGE]}\n{text[-EDGE:]}"
    plain = unicodedata.normalize("NFC", cut).translate(_APOSTROPHES)
    return _QUOTED.sub("\n", _FENCE.sub("\n", plain))


def _decides(sentence: str, language: Language) -> str:
    phrases, before, after = _patterns(language)
    for found in phrases.finditer(sentence):
        ahead = _CLAUSE.split(sentence[: found.start()])[-1] + found.group()
        behind = sentence[found.end() :]
        near = behind[:BEHIND] if not language.spaced else " ".join(behind.split()[:BEHIND])
        if not before.search(ahead) and not (after and after.search(near)):
            return found.group()
    return ""


@cache
def _patterns(
    language: Language,
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str] | None]:
    phrases = _any(map(_phrase, language.phrases), spaced=language.spaced)
    before = _any(map(re.escape, language.before), spaced=language.spaced)
    after = _any(map(re.escape, language.after), spaced=language.spaced) if language.after else None
    return phrases, before, after


def _phrase(words: str) -> str:
    start = r"(?<=\A)\s*" if words.startswith("^") else ""
    parts = (re.escape(part).replace(r"\ ", r"\s+") for part in words.lstrip("^").split(" ... "))
    return start + GAP.join(parts)


def _any(ways: Iterable[str], *, spaced: bool) -> re.Pattern[str]:
    joined = "|".join(ways)
    if not spaced:
        return re.compile(joined)
    # `n't` ends a word; behind a colon anything may stand.
    ends = rf"(?:(?<=:)|(?![{_IN_WORD}]))"
    return re.compile(rf"(?:(?<![{_IN_WORD}])|(?=n't))(?:{joined}){ends}", re.IGNORECASE)


# ---- in words ----------------------------------------------------------------------------------


def nudge_ways(found: Nudge, key: str) -> tuple[str, ...]:
    """Ways to say it, the longest first. `key` is the one that drafts; empty where none does."""
    last = "without a checkpoint" if found.first else "since the last checkpoint"
    count = f"{counted(found.turns, 'turn')} {last}"
    drafts = f"  {key} drafts one." if key else ""
    short = f"  {key} drafts." if key else ""
    if found.why == "turns":
        return f"{count}.{drafts}", f"{counted(found.turns, 'turn')}.{drafts}"
    words = clean_line(found.words)
    if found.why == "model":
        reason = f"the model changed to {words}"
    else:
        reason = f'{"you" if found.who == "user" else "the model"} said "{words}"'
    capital = reason[:1].upper() + reason[1:]
    return f"{count}; {reason}.{drafts}", f"{capital}.{drafts}", f"{capital}.{short}"
