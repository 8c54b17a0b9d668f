"""What a run of the tests works out once and not for every test, because it always comes out the
same: the tables of a new database, and what the style sheets say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from smriti_tui.store import migrations
from smriti_tui.store.engine import driver

_upgrade = migrations.upgrade


@cache
def _made(revision: str) -> Any:
    """A database in memory as the real scripts make it."""
    found = driver().connect(":memory:", isolation_level=None, check_same_thread=False)
    _upgrade(found, revision)
    return found


def _copied(connection: Any, revision: str) -> None:
    """As `upgrade`; an empty database gets a copy of what the scripts made once."""
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        _upgrade(connection, revision)
    else:
        _made(revision).backup(connection)


@contextmanager
def one_schema() -> Iterator[None]:
    """New databases of this process are copies of one. Those of other processes, and all in the
    tests of the store, are made by the scripts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "upgrade", _copied)
        yield


@contextmanager
def one_parse() -> Iterator[None]:
    """All apps of this process share what a text of style rules means with some values."""
    real = Stylesheet._parse_rules
    known: dict[object, list[RuleSet]] = {}
    numbers: dict[object, int] = {}
    numbered: WeakKeyDictionary[Stylesheet, tuple[object, int]] = WeakKeyDictionary()

    def number_of_values(sheet: Stylesheet) -> int:
        # Hashing hundreds of values for each rule was a tenth of an app's start.
        values, number = numbered.get(sheet, (None, 0))
        if values is not sheet._variables:
            number = numbers.setdefault(tuple(sheet._variables.items()), len(numbers))
            numbered[sheet] = (sheet._variables, number)
        return number

    def parsed(sheet: Stylesheet, css: str, *given: Any, **named: Any) -> list[RuleSet]:
        key = (number_of_values(sheet), css, given, tuple(sorted(named.items())))
        if (found := known.get(key)) is None:
            found = known[key] = real(sheet, css, *given, **named)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parsed)
        yield
