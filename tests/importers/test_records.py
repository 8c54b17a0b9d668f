"""Files that are larger than memory, and what is broken in them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.domain.errors import Cancelled, Invalid
from smriti_tui.domain.import_report import Watch
from smriti_tui.domain.imported import Skipped
from smriti_tui.importers import files, records
from smriti_tui.importers.files import regular_files, unpacked
from smriti_tui.importers.records import Record, json_items, json_lines, read_again
from tests.importers.reading import source

ITEM = {"title": "é 漢 😀", "mapping": {}}


def is_one(value: Any) -> bool:
    return isinstance(value, dict) and "mapping" in value


def items(folder: Path, data: bytes) -> list[object]:
    """The items of a file, each read again from where it lies; what was left out as its place."""
    file = source(folder, data)
    found: list[object] = []
    for each in json_items(file, is_one):
        if isinstance(each, Record):
            assert read_again(file, each) == each.value
            found.append(each.value)
        else:
            found.append(each.where)
    return found


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none()), max_size=6))
def test_the_items_of_any_array_are_those_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, object]]
) -> None:
    folder = tmp_path_factory.mktemp("items")
    for dumped in (json.dumps(values), json.dumps(values, indent=1, ensure_ascii=False)):
        data = dumped.encode("utf-8", "surrogatepass")
        assert items(folder, data) == json.loads(data.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("size", [7, 64, 1 << 16])
def test_items_are_found_across_pieces_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(records, "PIECE", size)
    values = [{"mapping": {}, "n": number, "t": "wörd " * number} for number in range(30)]
    data = json.dumps(values, ensure_ascii=False).encode()
    assert items(tmp_path, b"\xef\xbb\xbf" + data) == values
    assert items(tmp_path, json.dumps(values[9]).encode()) == [values[9]]


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (b'{"title":"x","mapping":{"a":{"b":[{"c":1},{"d":tru}]}}}', [ITEM, "item 2", ITEM]),
        (b'{"title":"x","mapping":{"a":{"b":[{"c":1},{"d":"\xff, ', [ITEM, "item 2", ITEM]),
        (b'{"mapping":' + b"[" * 200_000, [ITEM, "item 2", ITEM]),
        (b"nonsense", [ITEM, "item 2", ITEM]),
    ],
)
def test_a_broken_item_costs_itself(tmp_path: Path, broken: bytes, found: list[object]) -> None:
    one = json.dumps(ITEM).encode()
    assert items(tmp_path, b"[" + one + b",\n" + broken + b", " + one + b"]") == found


def test_a_file_that_was_cut_gives_what_is_whole(tmp_path: Path) -> None:
    one = json.dumps(ITEM).encode()
    assert items(tmp_path, b"[" + one + b"," + one[:-4]) == [ITEM, "item 2 and all after it"]
    assert items(tmp_path, b"[" + one + b",") == [ITEM, "the end"]
    assert items(tmp_path, b"[]") == []


def test_lines_are_told_apart_one_by_one(tmp_path: Path) -> None:
    lines = [b'{"n":1}', b"", b'{"n":', b"[]", b'{"n":"\x01"}', b'{"n":6}\r', b'{"n":7']
    file = source(tmp_path, b"\xef\xbb\xbf" + b"\n".join(lines))
    found = list(json_lines(file))
    values = [each.value["n"] for each in found if isinstance(each, Record)]
    assert values == [1, "\x01", 6]
    assert [each.where for each in found if isinstance(each, Skipped)] == [
        "line 3", "line 4", "line 7",
    ]  # fmt: skip
    last = found[-1]
    assert isinstance(last, Skipped)
    assert last.reason.startswith("not finished yet")
    for each in found:
        if isinstance(each, Record):
            assert read_again(file, each) == each.value


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_RECORD", 100)
    monkeypatch.setattr(records, "PIECE", 64)
    data = b'{"n":1}\n{"n":"' + b"x" * 1000 + b'"}\n{"n":3}\n'
    found = list(json_lines(source(tmp_path, data)))
    assert [isinstance(each, Record) for each in found] == [True, False, True]
    data = b'[{"mapping":{}},{"mapping":"' + b"x" * 1000 + b'"},{"mapping":{}}]'
    assert items(tmp_path, data) == [{"mapping": {}}, "item 2", {"mapping": {}}]


def test_reading_can_be_stopped(tmp_path: Path) -> None:
    file = source(tmp_path, b'{"n":1}\n' * 10)
    file.watch = Watch(cancelled=lambda: True)
    with pytest.raises(Cancelled):
        list(json_lines(file))


# ---- packages ------------------------------------------------------------------------------------


def test_a_zip_gives_its_conversations_in_order(tmp_path: Path) -> None:
    package = tmp_path / "export.zip"
    with zipfile.ZipFile(package, "w") as made:
        for name in ("user.json", "conversations-001.json", "x/conversations-000.json"):
            made.writestr(name, json.dumps([name]))
    with unpacked(package, tmp_path, Watch()) as found:
        assert [file.name for file in found] == [
            "export.zip/conversations-001.json", "export.zip/x/conversations-000.json",
        ]  # fmt: skip
        assert all(file.path.stat().st_mode & 0o077 == 0 for file in found)
        kept = [file.path for file in found]
    assert not any(path.exists() for path in kept)


def test_a_package_without_conversations_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "export.zip"
    with zipfile.ZipFile(package, "w") as made:
        made.writestr("../../evil.json", "{}")
    with (
        pytest.raises(Invalid, match=r"no conversations\.json"),
        unpacked(package, tmp_path, Watch()),
    ):
        pass
    package.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(Invalid, match="damaged"), unpacked(package, tmp_path, Watch()):
        pass


def test_a_package_that_grows_beyond_measure_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "SMALL", 1 << 20)
    package = tmp_path / "bomb.zip"
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("conversations.json", b"[" + b" " * (8 << 20))
    with pytest.raises(Invalid) as caught, unpacked(package, tmp_path, Watch()):
        pass
    assert caught.value.code == "bomb"
    assert [path.name for path in tmp_path.iterdir()] == ["bomb.zip"]


def test_a_zst_is_unpacked_beside_and_gone_afterwards(tmp_path: Path) -> None:
    packed = tmp_path / "rollout.jsonl.zst"
    packed.write_bytes(zstandard.ZstdCompressor().compress(b'{"n":1}\n'))
    with unpacked(packed, tmp_path, Watch()) as found:
        assert [file.path.read_bytes() for file in found] == [b'{"n":1}\n']
    packed.write_bytes(packed.read_bytes()[:5] + b"no frame")
    with pytest.raises(Invalid), unpacked(packed, tmp_path, Watch()):
        pass


def test_folders_are_gone_through_without_links(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2").write_text("x")
    (tmp_path / "a").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "round").symlink_to(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in regular_files(tmp_path)]
    assert found == ["a", "b/2"]


def test_utf_16_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(Invalid) as caught:
        source(tmp_path, "Human: hi".encode("utf-16")).head()
    assert caught.value.code == "utf16"
