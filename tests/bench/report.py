"""The result of a run: JSON for comparison, a table for people."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version

from smriti_tui import __version__
from smriti_tui.store.health import sqlite
from tests.bench.figures import Figure


def document(figures: Sequence[Figure], *, quick: bool, took_s: float) -> dict[str, object]:
    """Everything a later run is compared with; nothing that names this machine."""
    found = sqlite()
    return {
        "smriti": __version__,
        "quick": quick,
        "took_s": round(took_s),
        "conditions": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
            "load_at_end": [round(load, 1) for load in os.getloadavg()],
            "sqlite": f"{found.version} ({found.module})",
            "libraries": {
                name: version(name) for name in ("click", "pydantic", "sqlmodel", "textual")
            },
        },
        "figures": [figure.document() for figure in figures],
        "not_met": [figure.what for figure in figures if figure.met is False],
    }


def table(figures: Sequence[Figure]) -> str:
    """Markdown: medians, with the ends of the rounds in brackets."""
    head = ("bench", "what", "ours", "reference", "judged", "budget", "met")
    rows = [
        (
            figure.bench,
            figure.what + (f" [{figure.note}]" if figure.note else ""),
            f"{figure.ours.text()} {figure.unit}",
            _reference(figure),
            _judged(figure),
            figure.budget.text() if figure.budget else "",
            {None: "", True: "yes", False: "NO"}[figure.met],
        )
        for figure in figures
    ]
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _reference(figure: Figure) -> str:
    if figure.reference is None:
        return ""
    return f"{figure.reference.text()} ({figure.reference_name})"


def _judged(figure: Figure) -> str:
    if figure.judged is None:
        return ""
    sign = "x " if figure.how == "ratio" else "+ "
    return sign + figure.judged.text()
