"""Artifacts for a draft: of a turn, a code block or a file, letter by letter; clean refusals."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Invalid, NotFound
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.services import Services
from smriti_tui.services.draft_artifacts import ArtifactSource
from smriti_tui.services.project_files import MOST_BYTES
from tests.support import send

CODE = """Two of them:

```python title=build.py
def build():
    return "[/x]\\t\x1b[1m"
```

- in a list:

  ~~~sh
  make  all
  ~~~
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    return made


@pytest.fixture
def placed(services: Services, root: Path) -> tuple[ArtifactSource, SpaceId, SessionId]:
    space = services.spaces.create("alpha", project_root=str(root)).id
    session = services.sessions.new(space).id
    return ArtifactSource(services.caller), space, session


Placed = tuple[ArtifactSource, SpaceId, SessionId]


async def test_a_turn_is_taken_whole(services: Services, placed: Placed) -> None:
    source, _, session = placed
    await send(services, session, f"  {CODE}")
    taken = source.turn(session, 1).artifact
    assert taken.content == services.sessions.turns(session, 1, 1)[0].content
    assert (taken.type, taken.label) == ("text", "turn 1, user")
    for number in (0, 3, 10**15):
        with pytest.raises(NotFound):
            source.turn(session, number)


async def test_code_blocks_are_taken_letter_by_letter_the_newest_first(
    services: Services, placed: Placed
) -> None:
    source, _, session = placed
    assert source.code_blocks(session) == []
    await send(services, session, CODE)
    await send(services, session, "and ```\nnot closed")
    found = [each for each in source.code_blocks(session) if each.turn in (1, 3)]
    assert [(each.turn, each.artifact.type) for each in found] == [(1, "sh"), (1, "python")]
    assert found[0].artifact.content.rstrip("\n") == "make  all"
    content = found[1].artifact.content.rstrip("\n")
    assert content == 'def build():\n    return "[/x]\\t\x1b[1m"'
    assert found[1].artifact.label == "build.py"
    assert len({each.artifact.id for each in found}) == 2


def test_a_file_is_taken_and_a_long_one_is_cut_and_told(placed: Placed, root: Path) -> None:
    source, space, _ = placed
    (root / "src").mkdir()
    (root / "src" / "a.py").write_text("\ufeffx = 'ä'\n")
    taken = source.file(space, " src/a.py ")
    assert taken.note == ""
    assert (taken.artifact.label, taken.artifact.type) == ("src/a.py", "py")
    assert taken.artifact.content == "x = 'ä'\n"
    (root / "LONG").write_text("line of words\n" * 10_000)
    long = source.file(space, "LONG")
    assert len(long.artifact.content.encode()) <= MOST_BYTES
    assert long.artifact.content.endswith("words\n")
    assert "of 140,000 bytes" in long.note
    assert long.artifact.type == "text"
    assert source.names(space).names == ("LONG", "src/a.py")


def test_files_that_cannot_be_taken_are_refused_in_words(
    placed: Placed, root: Path, tmp_path: Path
) -> None:
    source, space, _ = placed
    (tmp_path / "secret").write_text("not yours")
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "binary.bin").write_bytes(b"\x00\x01")
    (root / "latin.txt").write_bytes("größe".encode("latin-1"))
    (root / "folder").mkdir()
    os.mkfifo(root / "pipe")
    refused = {
        "link": "outside", "binary.bin": "binary", "latin.txt": "UTF-8", "pipe": "ordinary",
        "../secret": "no file", str(tmp_path / "secret"): "no file", "gone": "no file",
        "folder": "no file", "": "no file", "a\0b": "no file",
    }  # fmt: skip
    for name, why in refused.items():
        with pytest.raises(Invalid) as error:
            source.file(space, name)
        assert why in error.value.message, name
        assert error.value.field == "file"
        assert "@" not in error.value.message


def test_without_a_project_root_it_says_where_one_is_set(services: Services) -> None:
    space = services.spaces.create("bare").id
    source = ArtifactSource(services.caller)
    for take in (lambda: source.file(space, "a"), lambda: source.names(space)):
        with pytest.raises(Invalid, match="no project root") as error:
            take()
        assert error.value.hint
