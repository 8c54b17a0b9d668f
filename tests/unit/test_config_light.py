"""What the first frame reads: it never fails, whatever the files hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.config.light import (
    DEFAULT_THEME,
    LightConfig,
    config_path,
    env_file_path,
    flat_keys,
    parse_env,
    read_env_file,
    read_light,
    read_toml,
    styles_dir,
)

ROOT = Path(__file__).resolve().parents[2]


def home_with(tmp_path: Path, toml: str = "", env: str = "") -> dict[str, str]:
    folder = tmp_path / ".config" / "smriti"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(toml, encoding="utf-8")
    (folder / "env").write_text(env, encoding="utf-8")
    return {"HOME": str(tmp_path)}


def test_without_any_file_the_defaults_count(tmp_path: Path) -> None:
    light = read_light({"HOME": str(tmp_path)})
    assert light == LightConfig(keys=light.keys)
    assert (light.theme, light.glyphs, light.motion, light.mouse) == (
        DEFAULT_THEME, "full", True, True,
    )  # fmt: skip
    assert dict(light.keys) == {}


def test_the_file_is_read(tmp_path: Path) -> None:
    environ = home_with(
        tmp_path,
        '[ui]\ntheme = "nord"\nglyphs = "ascii"\nmotion = "off"\nmouse = false\n'
        '[keys]\n"a.b" = "x"',
    )
    light = read_light(environ)
    assert (light.theme, light.glyphs, light.motion, light.mouse) == ("nord", "ascii", False, False)
    assert dict(light.keys) == {"a.b": "x"}


def test_environment_comes_before_env_file_before_config(tmp_path: Path) -> None:
    environ = home_with(tmp_path, '[ui]\ntheme = "c"\nglyphs = "ascii"', "SMRITI_THEME=b")
    assert read_light(environ).theme == "b"
    assert read_light({**environ, "SMRITI_THEME": "a"}).theme == "a"
    assert read_light({**environ, "SMRITI_THEME": "  "}).theme == "b"
    assert read_light({**environ, "SMRITI_GLYPHS": "full"}).glyphs == "full"


def test_the_request_for_no_animations_is_respected(tmp_path: Path) -> None:
    environ = home_with(tmp_path, "[ui]\nmotion = true")
    assert read_light({**environ, "TEXTUAL_ANIMATIONS": "none"}).motion is False


@pytest.mark.parametrize(
    "toml", ["[ui", "ui = 3", "[ui]\ntheme = 4\nglyphs = []\nkeys = 1", f"a = {'9' * 5000}", "\x00"]
)
def test_a_broken_file_leaves_the_defaults(tmp_path: Path, toml: str) -> None:
    light = read_light(home_with(tmp_path, toml))
    assert (light.theme, light.glyphs, light.motion) == (DEFAULT_THEME, "full", True)


def test_places(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert config_path(home) == tmp_path / ".config/smriti/config.toml"
    assert env_file_path(home) == tmp_path / ".config/smriti/env"
    xdg = {**home, "XDG_CONFIG_HOME": "/etc/xdg"}
    assert config_path(xdg) == Path("/etc/xdg/smriti/config.toml")
    assert config_path({**home, "XDG_CONFIG_HOME": "relative"}) == config_path(home)
    assert config_path({**xdg, "SMRITI_CONFIG": "~/own.toml"}) == tmp_path / "own.toml"
    assert env_file_path({**xdg, "SMRITI_CONFIG": "~/a/own.toml"}) == tmp_path / "a/env"
    assert env_file_path({**xdg, "SMRITI_ENV_FILE": "~/keys"}) == tmp_path / "keys"
    assert config_path({**home, "SMRITI_CONFIG": " "}) == config_path(home)


def test_env_lines() -> None:
    values, bad = parse_env(
        "# keys\n\nA=1\r\nexport B = two words \nC='x # y'\nD=\"q\"\nE=v # note\nF=a#b\nG=\n"
        "no line\n1X=2\nH=$A\nA=last\nI=#only a note"
    )
    assert values == {
        "A": "last", "B": "two words", "C": "x # y", "D": "q", "E": "v", "F": "a#b", "G": "",
        "H": "$A", "I": "",
    }  # fmt: skip
    assert bad == (10, 11)


@given(st.text())
def test_any_env_text_can_be_read(text: str) -> None:
    values, bad = parse_env(text)
    assert all(name.isidentifier() and value == value.strip() for name, value in values.items())
    assert len(values) + len(bad) <= text.count("\n") + 1


def test_a_byte_order_mark_and_faults_of_reading(tmp_path: Path) -> None:
    marked = tmp_path / "marked"
    marked.write_bytes(b"\xef\xbb\xbfA=1\n")
    assert read_env_file(marked).values == {"A": "1"}
    latin = tmp_path / "latin"
    latin.write_bytes(b"A=\xe9\n")
    assert read_env_file(latin).fault == "it is not UTF-8 (byte 2)"
    assert read_toml(tmp_path).fault == "Is a directory"
    assert read_toml(tmp_path / "none").fault is None


def test_the_repr_of_a_file_shows_no_value(tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("OPENAI_API_KEY=canary-key", encoding="utf-8")
    assert "canary" not in repr(read_env_file(file))


def test_dotted_action_ids_are_one_id() -> None:
    assert flat_keys({"a": {"b": "x", "c": {"d": "y"}}, "e": "z", "f": {}}) == {
        "a.b": "x", "a.c.d": "y", "e": "z", "f": {},
    }  # fmt: skip


def test_the_styles_are_those_of_the_checkout() -> None:
    assert styles_dir() == ROOT / "styles"


def test_it_loads_the_standard_library_alone() -> None:
    script = (
        "import sys; before = set(sys.modules); import smriti_tui.config.light as c\n"
        "c.read_light()\n"
        "tops = {n.partition('.')[0] for n in set(sys.modules) - before}\n"
        "print(sorted(tops - sys.stdlib_module_names))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT,
        env={"HOME": "/nonexistent", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.stdout == "['smriti_tui']\n"
