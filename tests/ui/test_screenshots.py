"""The pictures of the README are what the app draws now.

Rule: `make screenshots` writes them and nobody edits them. They were made with the Python version
named here, and are compared byte for byte on that version; on another one the same pictures must
come, with the same text on them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
MADE_WITH = (3, 11)
LIMIT_S = 900
FOREIGN = re.compile(
    r"https?://(?!www\.w3\.org/2000/svg\")|url\((?!#)|@import|/home/(?!you/)|/tmp/"
)


def words(svg: str) -> list[str]:
    """All text on a picture, in its order."""
    return [unescape(text).replace("\xa0", " ") for text in re.findall(r">([^<>]+)</text>", svg)]


def whole(svg: str) -> object:
    return svg


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pictures as they are now."""
    to = tmp_path_factory.mktemp("pictures")
    command = [sys.executable, str(FOLDER / "make.py"), "--to", str(to)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return to


def pictures(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.svg"))}


def test_the_pictures_are_what_the_app_draws(drawn: Path) -> None:
    kept, now = pictures(FOLDER), pictures(drawn)
    assert set(kept) == set(now), "run `make screenshots`"
    seen: Callable[[str], object] = whole if sys.version_info[:2] == MADE_WITH else words
    differ = [name for name, svg in kept.items() if seen(svg) != seen(now[name])]
    assert not differ, "look at them, then `make screenshots`"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_names_no_host_no_font_file_and_no_place_of_a_machine(path: Path) -> None:
    svg = path.read_text(encoding="utf-8")
    assert not FOREIGN.search(svg)
    assert "@font-face" not in svg
    assert re.findall(r"font-family:\s*([^;]+);", svg) == ["monospace", "sans-serif"]
    assert len(words(svg)) > 10


def test_every_picture_is_drawn_in_one_of_the_two_sizes() -> None:
    boxes = {svg.split('viewBox="')[1].split('"')[0] for svg in pictures(FOLDER).values()}
    assert len(boxes) == 2
