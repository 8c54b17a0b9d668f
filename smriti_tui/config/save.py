"""Writing one setting into `config.toml`, comments kept. For the settings screen alone."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from smriti_tui.config.layers import merge, toml_layer
from smriti_tui.config.light import TomlFile
from smriti_tui.config.schema import SETTINGS
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Invalid, SmritiError

_Table = MutableMapping[str, object]  # what tomlkit's tables are to us


def save_setting(path: Path, key: str, value: str | int | float | bool | None) -> None:
    """Sets `key` (dotted, or `keys.ACTION`) in the file at `path`; None takes it out.

    The file is replaced in one step; a link stays a link. An environment variable of the same
    setting still wins: see `Config.origins`.

    Raises:
        Invalid: the key does not belong in the file, the value does not fit, or the file is not
            TOML; the file is left as it is.
        SmritiError: the file cannot be read or written.
    """
    document = _read(path)
    group, name = _split(key)
    _change(document, group, name, value, path)
    _check(document, key, path)
    _replace(path, tomlkit.dumps(document))


def _split(key: str) -> tuple[str | None, str]:
    group, dot, name = key.partition(".")
    in_file = {spec.key for spec in SETTINGS if spec.in_file}
    if key not in in_file and not (group == "keys" and name):
        raise Invalid(
            f"{clean_line(key)} is no setting of config.toml.", "Check its spelling.", field=key
        )
    return (group, name) if dot else (None, key)


def _read(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return tomlkit.document()
    except (TOMLKitError, ValueError) as error:
        raise Invalid(
            f"{path} is not TOML, so nothing was written: {clean_line(str(error))}.",
            "Mend the file first.",
        ) from error
    except OSError as error:
        raise _failed("read", path, error) from error


def _change(
    document: tomlkit.TOMLDocument,
    group: str | None,
    name: str,
    value: str | int | float | bool | None,
    path: Path,
) -> None:
    table: _Table = document
    if group is not None:
        if value is None and group not in document:
            return
        table = document.setdefault(group, tomlkit.table())
        if not isinstance(table, MutableMapping):
            raise Invalid(f"{group} in {path} is not a table.", "Mend the file first.", field=group)
    if group == "keys":
        table, name = _innermost(table, name)
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value


def _innermost(table: _Table, action: str) -> tuple[_Table, str]:
    """Where the action id stands: whole, or written with dots and so table in table."""
    head, dot, rest = action.partition(".")
    inner = table.get(head) if dot and action not in table else None
    return _innermost(inner, rest) if isinstance(inner, MutableMapping) else (table, action)


def _check(document: tomlkit.TOMLDocument, key: str, path: Path) -> None:
    """Refuses a value that the next start would refuse; faults that were there stay."""
    layer, _ = toml_layer(TomlFile(path, document.unwrap()))
    _, faults = merge([layer])
    for fault in faults:
        if fault.field == key:
            raise fault


def _replace(path: Path, text: str) -> None:
    target = path.resolve()
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        handle, written = tempfile.mkstemp(dir=target.parent, prefix=".config-", suffix=".toml")
    except OSError as error:
        raise _failed("write", path, error) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(written).chmod(mode)
        Path(written).replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(written).unlink()
        raise _failed("write", path, error) from error


def _failed(verb: str, path: Path, error: OSError) -> SmritiError:
    return SmritiError(
        f"The settings in {path} could not be {'read' if verb == 'read' else 'written'}: "
        f"{error.strerror}.",
        "Check the rights of the file and its folder.",
    )
