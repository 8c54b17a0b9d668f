"""Frozen dataclasses to plain JSON and back, checked field by field.

Supports str, int, bool, float, None unions, Literal, tuple[X, ...], dict[str, object], object and
nested dataclasses: what the events and models of the domain are made of. Unknown keys are ignored,
so that an older program reads what a newer one wrote; a missing key takes the field's default.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from smriti_tui.domain.errors import Invalid

T = TypeVar("T")
Reader = Callable[[object, str], object]
_SCALARS = frozenset({str, int, float, bool, type(None)})
"""Looked at first: nine values of ten are one of these."""


def to_json(value: object) -> Any:
    """Plain JSON of a dataclass value: dicts, lists, strings, numbers, None."""
    kind: Any = type(value)
    if kind in _SCALARS:
        return value
    if (names := _names(kind)) is not None:
        return {name: to_json(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [to_json(entry) for entry in value]
    if isinstance(value, dict):
        return {key: to_json(entry) for key, entry in value.items()}
    return value


def from_json(cls: type[T], value: object, where: str = "") -> T:
    """The dataclass `cls` read from plain JSON.

    Raises:
        Invalid: a field is missing or of another type; `field` is its path.
    """
    if not isinstance(value, dict):
        raise _wrong(where or cls.__name__, "an object", value)
    given: dict[str, object] = {}
    plan: tuple[tuple[str, Reader, bool], ...] = _plan(cls)  # type: ignore[arg-type]
    for name, reader, required in plan:
        path = f"{where}.{name}" if where else name
        if name in value:
            given[name] = reader(value[name], path)
        elif required:
            raise Invalid(f"`{path}` is missing.", "It is required.", field=path)
    return cls(**given)


@cache
def _names(cls: Any) -> tuple[str, ...] | None:
    """The fields of a dataclass; None for any other type."""
    return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else None


@cache
def _plan(cls: Any) -> tuple[tuple[str, Reader, bool], ...]:
    hints = get_type_hints(cls)
    return tuple(
        (
            field.name,
            _reader(hints[field.name]),
            field.default is MISSING and field.default_factory is MISSING,
        )
        for field in fields(cls)
    )


def _reader(hint: Any) -> Reader:
    origin = get_origin(hint)
    if hasattr(hint, "__supertype__"):
        return _reader(hint.__supertype__)
    if origin in (Union, types.UnionType):
        return _union_reader(get_args(hint))
    if origin is Literal:
        return _literal_reader(get_args(hint))
    if origin is tuple:
        return _tuple_reader(_reader(get_args(hint)[0]))
    if origin is dict or hint is dict:
        return _dict_reader
    if isinstance(hint, type) and is_dataclass(hint):
        nested: type[object] = hint
        return lambda value, where: from_json(nested, value, where)
    if hint is object or hint is Any:
        return lambda value, where: value
    return _plain_reader(hint)


def _union_reader(options: tuple[Any, ...]) -> Reader:
    readers = [_reader(option) for option in options if option is not type(None)]

    def read(value: object, where: str) -> object:
        if value is None and type(None) in options:
            return None
        for reader in readers[:-1]:
            try:
                return reader(value, where)
            except Invalid:
                continue
        return readers[-1](value, where)

    return read


def _literal_reader(allowed: tuple[object, ...]) -> Reader:
    def read(value: object, where: str) -> object:
        if not isinstance(value, str | int) or value not in allowed:
            words = ", ".join(str(word) for word in allowed)
            raise Invalid(
                f"`{where}` is not one of: {words}.", "Use one of these words.", field=where
            )
        return value

    return read


def _tuple_reader(reader: Reader) -> Reader:
    def read(value: object, where: str) -> object:
        if not isinstance(value, list | tuple):
            raise _wrong(where, "a list", value)
        return tuple(reader(entry, f"{where}[{i}]") for i, entry in enumerate(value))

    return read


def _dict_reader(value: object, where: str) -> object:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    return value


def _plain_reader(kind: type) -> Reader:
    names = {str: "a text", int: "a whole number", bool: "true or false", float: "a number"}

    def read(value: object, where: str) -> object:
        right = isinstance(value, (int, float) if kind is float else kind)
        if not right or (isinstance(value, bool) and kind is not bool):
            raise _wrong(where, names.get(kind, kind.__name__), value)
        return value

    return read


def _wrong(where: str, wanted: str, value: object) -> Invalid:
    names: dict[type, str] = {
        str: "a text",
        int: "a number",
        float: "a number",
        bool: "true or false",
        list: "a list",
        tuple: "a list",
        dict: "an object",
        type(None): "null",
    }
    got = names.get(type(value), type(value).__name__)
    return Invalid(f"`{where}` must be {wanted}, not {got}.", "Correct it.", field=where)
