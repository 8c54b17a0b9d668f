"""What the person reads when the program has a fault that ends it."""

from __future__ import annotations

import os
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import WorkerFailed

from smriti_tui.domain.clean import clean_line

if TYPE_CHECKING:
    from smriti_tui.screens.opening import Opened

LONGEST = 200


def crash_words(error: BaseException, opened: Opened | None, *, kept: bool) -> str:
    """Writes the report and says in a few lines what happened and where the rest stands.

    `kept` tells whether what was typed is known to be stored.
    """
    # A worker's own wrapper says nothing of the place.
    if isinstance(error, WorkerFailed):
        error = error.error
    what = clean_line("".join(traceback.format_exception_only(error)).strip())
    if len(what) > LONGEST:
        what = f"{what[: LONGEST - 1]}…"
    path = _report(error, opened)
    lines = [
        "smriti-tui ended because of a fault in the program:",
        f"  {what}",
        "What was typed is kept, and what had arrived of an answer."
        if kept
        else "What was typed in the last half second may be lost; all that was stored is there.",
    ]
    if path is not None:
        lines.append(f"The details, without keys: {clean_line(str(path))}")
    else:
        lines.append("The details could not be written: no folder takes a file.")
    return "\n".join(lines)


def _report(error: BaseException, opened: Opened | None) -> Path | None:
    from smriti_tui.config.light import (
        env_file_path,
        expand,
        read_env_file,
        user_home,
    )
    from smriti_tui.services.crash import write_report

    env = os.environ
    if opened is not None:
        home = opened.config.home
    else:
        named = env.get("SMRITI_HOME", "").strip()
        home = expand(named, env) if named else user_home(env) / ".smriti"
    return write_report(error, home, env, read_env_file(env_file_path(env)).values)
