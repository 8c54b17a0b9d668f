"""Binding a folder to a Space, and the files that tell agents about it.

Nothing of others is overwritten: a file that cannot be read is left alone and named.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Literal

from smriti_tui.domain.errors import Conflict, Invalid, SmritiError
from smriti_tui.domain.hooks import MARK, with_hook
from smriti_tui.domain.model import Space
from smriti_tui.domain.skill_pack import TARGETS
from smriti_tui.services import skills
from smriti_tui.services.attachments import FILE_NAME
from smriti_tui.services.whole_files import leads_out, write_whole

SETTINGS_FILE = Path(".claude") / "settings.json"
_MAX_BYTES = 4 * 1024 * 1024

Outcome = Literal["created", "changed", "unchanged", "left", "planned"]
_OUTCOMES: Mapping[skills.Action, Outcome] = {
    "created": "created",
    "upgraded": "changed",
    "overwritten": "changed",
    "skipped": "unchanged",
    "planned": "planned",
}


@dataclass(frozen=True)
class Step:
    """One thing that was done, or left alone and why."""

    what: str
    outcome: Outcome
    path: str | None = None
    note: str = ""


def attach(folder: Path, space: Space, now: str, *, dry_run: bool = False) -> Step:
    """Writes `.smriti.json` in `folder`; keys of others in it are kept.

    Raises:
        Conflict: there is one that is not a JSON object, or a link that leads out of the folder
            (code `attachment_unreadable`).
        Invalid: it cannot be written.
    """
    path = folder / FILE_NAME
    known = _known_binding(path, folder)
    own = {"version": 1, "space": space.name, "space_id": space.id}
    if known and all(known.get(key) == value for key, value in own.items()):
        return Step("attachment", "unchanged", str(path))
    outcome: Outcome = "changed" if known else "created"
    if dry_run:
        return Step("attachment", "planned", str(path), f"would be {outcome}")
    _write_object(path, {**known, **own, "attached_at": now})
    return Step("attachment", outcome, str(path))


def plan(folder: Path) -> Step:
    """What `attach` would do with a Space that is still to be made.

    Raises:
        Conflict: as `attach` would.
    """
    path = folder / FILE_NAME
    outcome = "changed" if _known_binding(path, folder) else "created"
    return Step("attachment", "planned", str(path), f"would be {outcome}")


def install_hook(folder: Path, *, database: str | None = None, dry_run: bool = False) -> Step:
    """Writes our session-start hook into the host's settings below `folder`; `database` is one that
    was named on the command line.

    A settings file that cannot be read is left alone, and the step says so.
    """
    path = folder / SETTINGS_FILE
    if target := leads_out(path, folder):
        return Step("hook", "left", str(path), f"it leads out of this project, to {target}")
    known = _read_object(path)
    if known is None:
        return Step("hook", "left", str(path), "it is not a JSON object")
    try:
        wanted = with_hook(known, hook_command(database))
    except Invalid as error:
        return Step("hook", "left", str(path), str(error))
    if wanted == known:
        return Step("hook", "unchanged", str(path))
    outcome: Outcome = "changed" if path.exists() else "created"
    if dry_run:
        return Step("hook", "planned", str(path), f"would be {outcome}")
    try:
        _write_object(path, wanted)
    except SmritiError as error:
        return Step("hook", "left", str(path), str(error))
    return Step("hook", outcome, str(path))


def install_skills(folder: Path, *, dry_run: bool = False) -> list[Step]:
    """The packs of the hosts that look for one by themselves; files of others are left alone."""
    steps = []
    for host in TARGETS:
        if host.name == "generic":
            continue
        try:
            done = skills.install(host, folder, dry_run=dry_run)
        except SmritiError as error:
            path, note = folder / host.path, str(error)
            if why := error.details.get("why"):
                note = f"it {why}; see `smriti skills install {host.name} -h`"
            steps.append(Step(f"skill pack {host.name}", "left", str(path), note))
        else:
            outcome = _OUTCOMES[done.action]
            steps.append(Step(f"skill pack {host.name}", outcome, str(done.path)))
    return steps


def hook_command(database: str | None = None) -> str:
    """The shell command of the hook, with the program's own path, quoted for a shell."""
    return f"{shlex.join([program('smriti'), *_database_flag(database)])} {MARK}"


def host_settings(database: str | None = None) -> dict[str, object]:
    """What the settings of Claude Code say of our server; the actor is the agent, not the person
    who has started it."""
    arguments = [*_database_flag(database), "--actor", "claude-code"]
    server = {"command": program("smriti-mcp"), "args": arguments}
    return {"mcpServers": {"smriti": server}}


def _database_flag(database: str | None) -> list[str]:
    return ["--db", database] if database else []


def program(name: str) -> str:
    """The program beside this interpreter, else the one on PATH, else its bare name."""
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name) or name


def _known_binding(path: Path, folder: Path) -> dict[str, object]:
    """What the folder's file holds now, empty where there is none."""
    known = _read_object(path)
    target = leads_out(path, folder)
    if known is None or target is not None:
        why = f"leads out of this folder, to {target}" if target else "is not a JSON object"
        raise Conflict(
            f"{path} is there and {why}; it was left alone.",
            "Move it away, then attach again.",
            code="attachment_unreadable",
        )
    return known


def _read_object(path: Path) -> dict[str, object] | None:
    """The JSON object in a file, empty where there is none; None where it is something else."""
    try:
        found = path.stat()
        # Reading a named pipe would wait for its writer.
        if found.st_size > _MAX_BYTES or not S_ISREG(found.st_mode):
            return None
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError):
        return None
    if not text.strip():
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _write_object(path: Path, value: Mapping[str, object]) -> None:
    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")
