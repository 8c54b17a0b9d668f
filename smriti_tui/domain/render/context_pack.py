"""Context packs: a checkpoint or a transcript as one text to paste into another tool.

The same bytes for the same content: no ages, no present. What is left out is counted in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from smriti_tui.domain.clean import clean
from smriti_tui.domain.items import KINDS, item_list
from smriti_tui.domain.model import Checkpoint, CheckpointBody, Session, Turn
from smriti_tui.domain.render import pack_markdown, pack_tags
from smriti_tui.domain.render.fitting import shorter, without_evidence
from smriti_tui.domain.render.pack_parts import Parts, checkpoint_parts, labels_of, session_parts
from smriti_tui.domain.state_text import counted
from smriti_tui.domain.tokens import text_tokens
from smriti_tui.domain.window import newest_run, reasons

Target = Literal["generic", "claude", "cursor", "chatgpt"]
TARGETS: Mapping[Target, str] = {
    "generic": "any tool",
    "claude": "Claude",
    "cursor": "Cursor",
    "chatgpt": "ChatGPT",
}
WRITERS: Mapping[Target, Callable[[Parts], str]] = {
    "generic": pack_markdown.generic,
    "claude": pack_tags.tagged,
    "cursor": pack_markdown.cursor,
    "chatgpt": pack_markdown.chatgpt,
}
TOO_LONG = "Longer than the budget: title, decisions and tasks are never cut."
INSTRUCTIONS, PROJECT = 1500, 8000
"""Characters that ChatGPT takes as custom instructions, and as a project's."""
RULE_LINES = 500
"""What Cursor advises as the most for one rule."""
LEFT_OUT = ("x" * 320,)
"""As long as what is left out of a checkpoint may be when it is told; kept free of a budget."""
_WHY: Mapping[str, str] = {
    "system": "of the system",
    "running": "still running",
    "no text": "without text",
    "not chosen": "of an answer that was not chosen",
}


@dataclass(frozen=True)
class Pack:
    """A text to paste."""

    target: Target
    text: str
    tokens: int
    """By the one estimate."""
    left_out: tuple[str, ...] = ()
    fits: bool = True
    """Whether it is within the budget, if one was given."""
    turns: tuple[int, int] | None = None
    """First and last turn that it holds."""


# ---- a checkpoint ------------------------------------------------------------------------------


def checkpoint_pack(
    checkpoint: Checkpoint,
    space_name: str,
    target: Target,
    *,
    evidence: bool = False,
    budget: int | None = None,
) -> Pack:
    """A checkpoint whole, or what of it fits `budget` tokens; quotes only with `evidence`.

    Retired items are marked; a rule file, which says what to do, only counts them.
    """
    labels = labels_of(checkpoint)
    body = checkpoint.body if evidence else without_evidence(checkpoint.body)
    told: tuple[str, ...] = ()
    if target == "cursor":
        body, told = _live(body)
    given = replace(checkpoint, body=body)

    def made(what: Checkpoint, left: Sequence[str]) -> Pack:
        parts = checkpoint_parts(what, space_name, labels, (*told, *left))
        return _pack(parts, target, budget)

    whole = made(given, ())
    if whole.fits:
        return whole
    cut, _, said = shorter(given, (), lambda what, _: made(what, LEFT_OUT).fits)
    return made(cut, said.removeprefix("Left out: ").removesuffix(".").split("; ") if said else ())


def _live(body: CheckpointBody) -> tuple[CheckpointBody, tuple[str, ...]]:
    """The body without its retired items, and how many those are."""
    gone = sum(item.state == "retired" for kind in KINDS for item in item_list(body, kind))
    kept = replace(
        body,
        decisions=tuple(each for each in body.decisions if each.state == "live"),
        assumptions=tuple(each for each in body.assumptions if each.state == "live"),
        tasks=tuple(each for each in body.tasks if each.state == "live"),
        open_questions=tuple(each for each in body.open_questions if each.state == "live"),
    )
    return kept, ((counted(gone, "retired item"),) if gone else ())


# ---- a transcript ------------------------------------------------------------------------------


def session_pack(
    session: Session,
    space_name: str | None,
    turns: Sequence[Turn],
    target: Target,
    *,
    first: int = 1,
    budget: int | None = None,
) -> Pack:
    """The questions and chosen answers among `turns`, from number `first` on.

    `turns` begin with the session's first, so that it is known which answers are chosen. With a
    budget the newest stay, and they begin with a question.
    """
    why = reasons(turns)
    asked = [turn for turn in turns if turn.sequence_number >= first]
    told = [turn for turn in asked if why[turn.sequence_number] is None]
    left = tuple(_counts([why[turn.sequence_number] for turn in asked]))

    def made(which: Sequence[Turn], said: tuple[str, ...]) -> Pack:
        pack = _pack(session_parts(session, space_name, which, said), target, budget)
        numbers = (which[0].sequence_number, which[-1].sequence_number) if which else None
        return replace(pack, turns=numbers)

    whole = made(told, left)
    if whole.fits or budget is None:
        return whole
    empty = made((), left).tokens
    costs = [made((turn,), left).tokens - empty for turn in told]
    begin = newest_run(told, costs, max(budget - empty, 0))
    while not (pack := made(told[begin:], (*left, _earlier(begin)))).fits and begin < len(told):
        begin = next(
            (at for at in range(begin + 1, len(told)) if told[at].role == "user"), len(told)
        )
    return pack


def _earlier(count: int) -> str:
    return f"the first {counted(count, 'turn')}, for the budget"


def _counts(why: Sequence[str | None]) -> list[str]:
    """`2 turns without text`, in the order of the reasons."""
    return [
        f"{counted(why.count(reason), 'turn')} {words}"
        for reason, words in _WHY.items()
        if reason in why
    ]


# ---- both --------------------------------------------------------------------------------------


def _pack(parts: Parts, target: Target, budget: int | None) -> Pack:
    text = clean(WRITERS[target](parts))
    tokens = text_tokens(text)
    return Pack(target, text, tokens, parts.left_out, budget is None or tokens <= budget)


def size_words(pack: Pack) -> str:
    """`3,204 characters, about 915 tokens`."""
    return f"{len(pack.text):,} characters, about {counted_tokens(pack.tokens)}"


def counted_tokens(tokens: int) -> str:
    return f"{tokens:,} token" if tokens == 1 else f"{tokens:,} tokens"


def advice(pack: Pack) -> str:
    """What to do with a pack of this size; empty where there is nothing to say."""
    said = {"chatgpt": _chatgpt_advice, "cursor": _cursor_advice}.get(pack.target)
    return " ".join(filter(None, ("" if pack.fits else TOO_LONG, said(pack.text) if said else "")))


def _cursor_advice(text: str) -> str:
    lines = text.count("\n")
    long = f" Cursor advises at most {RULE_LINES} lines; these are {lines:,}."
    place = "Save it below .cursor/rules with the ending .mdc, or paste it."
    return place + (long if lines > RULE_LINES else "")


def _chatgpt_advice(text: str) -> str:
    size = len(text)
    if size <= INSTRUCTIONS:
        return ""
    limits = f"Too long for custom instructions ({INSTRUCTIONS:,} characters)"
    if size > PROJECT:
        limits += f" and a project's ({PROJECT:,})"
    return f"{limits}: paste it as a message."


def pack_document(
    pack: Pack, *, checkpoint: str | None, session: str | None, budget: int | None
) -> dict[str, object]:
    """The pack as `--json` has it: every key always there."""
    first, last = pack.turns or (None, None)
    return {
        "checkpoint": checkpoint,
        "session": session,
        "first": first,
        "last": last,
        "target": pack.target,
        "text": pack.text,
        "characters": len(pack.text),
        "tokens": pack.tokens,
        "budget": budget,
        "fits": pack.fits,
        "left_out": list(pack.left_out),
        "advice": advice(pack) or None,
    }
