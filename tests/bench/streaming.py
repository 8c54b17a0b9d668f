"""A very long answer that arrives in small pieces: what a piece costs early and late, and what its
end costs."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice
from statistics import mean
from typing import Final

from smriti_tui.widgets.markdown_model import UNICODE_THEME
from smriti_tui.widgets.transcript_document import Document
from smriti_tui.widgets.transcript_model import TupleSource, TurnView
from tests.bench.figures import Budget, Figure, compared, told
from tests.bench.rounds import Plan, interleaved, say
from tests.bench.seed import words

CHARACTERS = 200_000
LINE = 1_000_000
"""Characters of one line without a break."""
PIECES: Final = (7, 3, 12, 1, 20, 5)
"""Characters of a piece, in turn: as providers cut."""
WIDTH, ROWS = 88, 28
GROWTH_BUDGET = Budget(1.25)
STALL_BUDGET = Budget(50)


def _shapes() -> Mapping[str, str]:
    """What is repeated until the answer is long enough."""
    sentence = words(3, 12)
    return {
        "one paragraph": f"{sentence} ",
        "one fence": f"    call({sentence!r})\n",
        "one list": f"- {sentence}\n",
        "one table": f"| {words(5, 3)} | {words(6, 4)} |\n",
        "nested quotes": f"> > > {sentence}\n",
        "a deep list": "".join(f"{'  ' * deep}- {words(deep, 6)}\n" for deep in range(8)),
        "many paragraphs": f"{sentence}, **{words(4, 2)}** and `code`.\n\n",
        "Devanagari and CJK": "नमस्ते दुनिया, 漢字かな交じり文 " * 3,
        "one line without a space": "x" * 64,
    }


STARTS: Final[Mapping[str, str]] = {"one fence": "```py\n", "one table": "| a | b |\n|---|---|\n"}


@dataclass(frozen=True)
class Course:
    """Processor time of one answer."""

    early_us: float
    """A piece in the first tenth."""
    late_us: float
    worst_ms: float
    """The dearest piece."""
    end_ms: float


def streaming(plan: Plan) -> list[Figure]:
    """Processor time of a piece in the last tenth of an answer beside the first tenth, laid out and
    read off as the pane does; the dearest piece and the end are told."""
    figures: list[Figure] = []
    for name, unit in _shapes().items():
        size = plan.size(LINE if "without" in name else CHARACTERS)
        found = interleaved(plan.rounds(3), {name: partial(_course, name, unit, size)}, quiet=True)
        courses = found[name]
        say(f"  {name}")
        dearest, end = max(c.worst_ms for c in courses), max(c.end_ms for c in courses)
        figures.append(
            compared(
                "streaming",
                f"a piece in the last tenth of {size // 1000} kB, {name}",
                "us",
                [course.late_us for course in courses],
                "in the first tenth",
                [course.early_us for course in courses],
                budget=GROWTH_BUDGET,
            )
        )
        figures.append(
            told(
                "streaming",
                f"the dearest step of {size // 1000} kB, {name}",
                "ms",
                [max(course.worst_ms, course.end_ms) for course in courses],
                budget=STALL_BUDGET,
                note=f"a piece {dearest:.0f}, the end {end:.0f}",
            )
        )
    return figures


def _course(name: str, unit: str, size: int) -> Course:
    text = (STARTS.get(name, "") + unit * (size // len(unit) + 1))[:size]
    document = Document(UNICODE_THEME)
    document.load(TupleSource((TurnView(1, "user", "you", "go"),)), "bench")
    document.resize(WIDTH)
    turn = TurnView(2, "assistant", "assistant", "")
    document.begin(turn)
    gc.collect()
    gc.disable()  # As the app has it while somebody types.
    try:
        took = [_step(document, piece) for piece in _pieces(text)]
        began = time.thread_time()
        document.end(replace(turn, text=text))
        _read(document)
        end_ms = (time.thread_time() - began) * 1e3
    finally:
        gc.enable()
    tenth = len(took) // 10
    # The first pieces meet cold code.
    early, late = took[tenth // 10 : tenth], took[-tenth:]
    return Course(_steady_us(early), _steady_us(late), max(took) * 1e3, end_ms)


def _steady_us(seconds: list[float]) -> float:
    """The mean without the dearest hundredth: what a neighbour of this process does to a few."""
    return mean(sorted(seconds)[: -len(seconds) // 100 or None]) * 1e6


def _pieces(text: str) -> Iterator[str]:
    sizes, at = cycle(PIECES), 0
    while at < len(text):
        size = next(islice(sizes, 1))
        yield text[at : at + size]
        at += size


def _step(document: Document, piece: str) -> float:
    began = time.thread_time()
    document.grow(piece, "")
    _read(document)
    return time.thread_time() - began


def _read(document: Document) -> None:
    """Asks for the rows of a view at the end, as the pane does."""
    top = document.bottom(ROWS)
    for row in range(top, min(top + ROWS, document.total)):
        found = document.locate(row)
        if found is not None:
            document.block(found[0]).line(found[1])
