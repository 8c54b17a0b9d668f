"""Which Space a command is about, and which folder it records."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from smriti_tui.cli.run import Run
from smriti_tui.domain.errors import Invalid, NotFound

if TYPE_CHECKING:
    from smriti_tui.domain.model import Space
    from smriti_tui.services import Services


def current_folder() -> Path:
    """Raises: Invalid when the current folder is gone."""
    try:
        return Path.cwd()
    except OSError as error:
        raise Invalid(
            "The current folder does not exist any more.", "Change to another one.", code="usage"
        ) from error


def place_of(said: str) -> str:
    """A URL as it is, a path as an absolute one."""
    return said if "://" in said else str(current_folder() / Path(said).expanduser())


def resolve_space(run: Run, services: Services, named: str | None) -> Space:
    """The Space of a command: the argument, else SMRITI_SPACE, else `.smriti.json` here or above,
    else that of the worktree one is in.

    Raises:
        NotFound, Ambiguous: of the one that is named. Invalid: none is named anywhere.
    """
    wanted = (named or "").strip() or run.config().space
    if named is not None and not named.strip():
        raise Invalid("The Space's name is empty.", "Give a name or an id.", code="usage")
    if wanted:
        return services.spaces.find(wanted)
    from smriti_tui.services.attachments import Attachment, find_attachment

    folder = current_folder()
    found = find_attachment(folder)
    if found is None:
        from smriti_tui.services.worktree_places import worktree_holding

        if held := worktree_holding(services.caller, folder):
            return services.spaces.get(held.space)
    if not isinstance(found, Attachment):
        raise Invalid(
            "No Space is named.",
            "Give one, set SMRITI_SPACE, or work in an attached folder.",
            code="no_space",
        )
    try:
        return services.spaces.find(found.wanted)
    except NotFound as error:
        raise NotFound(
            f"{found.path} names the Space {found.space or found.wanted!r}, which this database "
            "does not hold.",
            "Name another Space, or choose the right database with --db.",
        ) from error


def chosen_root(path: str | None, none: bool, default: str | None) -> str | None:
    """The project root of the flags: a path wins, then none at all, then `default`.

    Raises:
        Invalid: both flags, or a blank path.
    """
    if path is not None and none:
        raise Invalid(
            "--project-root and --no-project-root exclude each other.",
            "Give one of them.",
            code="usage",
        )
    if path is not None:
        return absolute(path)
    return None if none else default


def absolute(path: str) -> str:
    """A path that does not depend on the current folder; an absolute one is kept as it is.

    Raises:
        Invalid: it is blank.
    """
    if not path.strip():
        raise Invalid("The project root is empty.", "Give a folder.", field="project_root")
    if Path(path).is_absolute():
        return path
    current_folder()
    return os.path.abspath(path)  # noqa: PTH100 (resolves no links: the folder keeps its name)


def repeated(services: Services, command_id: str | None, type_name: str) -> str | None:
    """What a repeated command was about: the id in the name of its stream; None the first time.

    Raises:
        Conflict: the id was used for another kind of command, which wrote no `type_name`.
    """
    return services.caller.repeated(command_id, type_name)
