"""Writing into `config.toml`, comments kept. For the settings screen and the model picker alone.

The file is replaced in one step and keeps its mode; a link stays a link. A file that cannot be
understood, is read-only, or was changed since it was read is left as it is.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

from smriti_tui.config.layers import merge, toml_layer
from smriti_tui.config.light import MOST_BYTES, TomlFile, stamp
from smriti_tui.config.schema import SETTINGS
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.errors import Conflict, Invalid, NotFound, SmritiError

Table = MutableMapping[str, object]  # what tomlkit's tables are to us
Change = Callable[[tomlkit.TOMLDocument], None]
Value = str | int | float | bool | None


def save_setting(path: Path, key: str, value: Value, *, seen: bytes | None = None) -> None:
    """Sets `key` (dotted, or `keys.ACTION`) in the file at `path`; None takes it out.

    An environment variable of the same setting still wins: see `Config.origins`. `seen` is the
    `stamp` of the file that the person looked at.

    Raises:
        Invalid: the key does not belong in the file, the value does not fit, or the file is not
            TOML; the file is left as it is.
        Conflict: the file has changed since `seen`.
        SmritiError: the file cannot be read or written.
    """
    group, name = _split(key)

    def change(document: tomlkit.TOMLDocument) -> None:
        _change(document, group, name, value, path)
        _check(document, key, path)

    edit_file(path, change, seen)


def save_model(
    path: Path,
    name: str | None,
    entry: Mapping[str, object] | None,
    *,
    seen: bytes | None = None,
) -> None:
    """Changes the `[[models]]` entry called `name` into `entry`; without a name adds one, without
    an entry takes it out. Values that are None go out of the entry; its comments stay.

    Raises:
        NotFound: no entry has the name. Others as `save_setting`.
    """

    def change(document: tomlkit.TOMLDocument) -> None:
        entries = document.get("models")
        if name is None:
            assert entry is not None
            _add_model(document, entries, entry, path)
            return
        found = _list_of(entries, path)
        at = _index_of(found, name, path)
        if entry is None:
            del found[at]
            if not found:
                del document["models"]
        else:
            _fill(found[at], entry)

    edit_file(path, change, seen)


def set_aside(path: Path) -> Path:
    """Renames a file that cannot be used, so that a new one can begin; returns its new place.

    Raises:
        SmritiError: it cannot be renamed.
    """
    target = path.resolve()
    for number in range(1, 1000):
        aside = target.with_name(f"{target.name}.broken-{number}")
        if not aside.exists():
            break
    try:
        target.rename(aside)
    except OSError as error:
        raise _failed("write", path, error) from error
    return aside


def edit_file(path: Path, change: Change, seen: bytes | None) -> None:
    """Reads the file, lets `change` work on it, and puts the outcome in its place."""
    _refuse_unwritable(path)
    if seen is not None and stamp(path) != seen:
        raise Conflict(
            f"{path} was changed by another program meanwhile, so nothing was written.",
            "It was read again: look at it, then change it once more.",
            code="settings_changed",
        )
    document = _read(path)
    change(document)
    _replace(path, tomlkit.dumps(document))


def _refuse_unwritable(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if path.is_symlink():
            raise Invalid(
                f"{path} is a link that leads nowhere, so nothing was written.",
                "Mend or remove the link.",
            ) from None
        return
    except OSError as error:
        raise _failed("read", path, error) from error
    if not stat.S_ISREG(mode):
        raise Invalid(f"{path} is no plain file, so nothing was written.", "Move it away.")
    # Replacing a file asks for no right on the file itself: who made it read-only meant it.
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise Invalid(
            f"{path} is read-only, so nothing was written.", f"Allow it with: chmod u+w {path}"
        )


def _add_model(
    document: tomlkit.TOMLDocument, entries: object, entry: Mapping[str, object], path: Path
) -> None:
    table = tomlkit.table()
    _fill(table, entry)
    if entries is None:
        found = tomlkit.aot()
        found.append(table)
        document["models"] = found
    else:
        _list_of(entries, path).append(table)


def _list_of(entries: object, path: Path) -> list[Table]:
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise Invalid(f"models in {path} is not a list of tables.", "Mend the file first.")
    return entries


def _index_of(entries: Sequence[object], name: str, path: Path) -> int:
    for at, each in enumerate(entries):
        if isinstance(each, Mapping) and name == (each.get("alias") or each.get("model")):
            return at
    raise NotFound(
        f"There is no model {clean_line(name)} in {path} any more.", "Look at the list again."
    )


def _fill(table: Table, entry: Mapping[str, object]) -> None:
    for key, value in entry.items():
        if value is None or value == {}:
            table.pop(key, None)
        elif table.get(key) != value:
            table[key] = _inline(value) if isinstance(value, Mapping) else value


def _inline(values: Mapping[str, object]) -> object:
    table = tomlkit.inline_table()
    table.update(values)
    return table


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
        if path.stat().st_size > MOST_BYTES:
            raise Invalid(f"{path} is larger than 1 MiB, so nothing was written.", "Move it away.")
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
    table: Table = document
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


def _innermost(table: Table, action: str) -> tuple[Table, str]:
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
