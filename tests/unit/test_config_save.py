"""Writing a setting keeps what the person wrote around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from smriti_tui.config.save import save_setting
from smriti_tui.config.settings import load_config
from smriti_tui.domain.errors import Invalid, SmritiError

BEFORE = """\
# my settings
actor = "me"  # on this machine

[ui]
# dark at night
theme = "nord"

[[models]]
alias = "local"  # the box below the desk
model = "openai/x"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(BEFORE, encoding="utf-8")
    return path


def test_a_value_changes_and_nothing_else(file: Path) -> None:
    save_setting(file, "ui.theme", "gruvbox")
    assert file.read_text(encoding="utf-8") == BEFORE.replace('"nord"', '"gruvbox"')


def test_values_are_added_and_taken_out(file: Path) -> None:
    save_setting(file, "ui.mouse", False)
    save_setting(file, "provider.timeout_s", 12.5)
    save_setting(file, "keys.history.mount", "m")
    save_setting(file, "actor", None)
    save_setting(file, "log.level", None)
    text = file.read_text(encoding="utf-8")
    for comment in ("# my settings", "# dark at night", "# the box below the desk"):
        assert comment in text
    config = load_config(environ={"HOME": "/none", "SMRITI_CONFIG": str(file)})
    assert (config.ui.mouse, config.timeout_s, config.ui.theme) == (False, 12.5, "nord")
    assert dict(config.keys) == {"history.mount": "m"}
    assert config.actor != "me"
    assert [entry.name for entry in config.models] == ["local"]


def test_a_key_that_was_written_with_dots_is_changed_where_it_stands(file: Path) -> None:
    file.write_text('keys.history.mount = "m" # mine\n', encoding="utf-8")
    save_setting(file, "keys.history.mount", "n")
    assert file.read_text(encoding="utf-8") == 'keys.history.mount = "n" # mine\n'
    save_setting(file, "keys.history.mount", None)
    assert dict(load_config(environ={"HOME": "/", "SMRITI_CONFIG": str(file)}).keys) == {}


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "smriti" / "config.toml"
    save_setting(path, "chat.model", "demo")
    assert path.read_text(encoding="utf-8") == '[chat]\nmodel = "demo"\n'
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_mode_and_link_stay(file: Path, tmp_path: Path) -> None:
    file.chmod(0o644)
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    save_setting(link, "ui.glyphs", "ascii")
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o644
    assert 'glyphs = "ascii"' in file.read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.toml", "link.toml"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ui.glyphs", "round"), ("provider.retries", "2"), ("provider.timeout_s", -1),
        ("api_key", "x"), ("home", "/x"), ("ui.colour", "x"), ("keys", "x"), ("keys.", "x"),
        ("models", "x"), ("keys.quit", 3), ("database.url", "mysql://x/y"),
    ],
)  # fmt: skip
def test_what_the_next_start_would_refuse_is_not_written(
    file: Path, key: str, value: str | int
) -> None:
    with pytest.raises(Invalid):
        save_setting(file, key, value)
    assert file.read_text(encoding="utf-8") == BEFORE


def test_a_fault_elsewhere_does_not_block(file: Path) -> None:
    file.write_text(BEFORE.replace('"nord"', "7"), encoding="utf-8")
    save_setting(file, "ui.glyphs", "ascii")
    assert "theme = 7" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("content", [b"[ui", b"\xff\xfe", b"ui = 3\n"])
def test_a_broken_file_is_left_alone(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(Invalid):
        save_setting(file, "ui.glyphs", "ascii")
    assert file.read_bytes() == content


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SmritiError, match="could not be") as caught:
        save_setting(tmp_path / "file" / "config.toml", "ui.glyphs", "ascii")
    assert caught.value.exit_code == 1
