"""The settings of a running program: changed from the screen, or by somebody else meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from smriti_tui.config.entries import entry_from
from smriti_tui.config.live import LiveConfig
from smriti_tui.config.settings import load_config
from smriti_tui.domain.errors import Conflict, Invalid, NotFound, SmritiError

BEFORE = """\
# mine
actor = "me"

[[models]]
alias = "local"  # the box below the desk
model = "openai/x"
api_base = "http://localhost:8080/v1"

[[models]]
model = "openai/gpt-4o"
"""
KEY = "sk-live-Zq81mPv0xLkT42wwQ"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(BEFORE, encoding="utf-8")
    path.chmod(0o640)
    return path


def live_on(file: Path, **variables: str) -> LiveConfig:
    environ = {"HOME": str(file.parent), "SMRITI_CONFIG": str(file), **variables}
    return LiveConfig(load_config(environ=environ, tolerant=True))


def test_an_entry_changes_where_it_stands_and_its_comment_stays(file: Path) -> None:
    live = live_on(file)
    live.set_model("local", entry_from({"model": "openai/y", "alias": "local", "params": "{}"}))
    wanted = BEFORE.replace('"openai/x"', '"openai/y"').replace(
        'api_base = "http://localhost:8080/v1"\n', ""
    )
    assert file.read_text(encoding="utf-8") == wanted
    assert [entry.model for entry in live.now.models] == ["openai/y", "openai/gpt-4o"]
    assert file.stat().st_mode & 0o777 == 0o640


def test_entries_are_added_and_taken_out_to_the_last(file: Path) -> None:
    live = live_on(file)
    typed = {
        "model": "anthropic/c", "context_tokens": "200,000", "params": '{"temperature": 0}',
        "api_key_env": "MY_KEY",
    }  # fmt: skip
    live.set_model(None, entry_from(typed))
    entry = live.now.models[-1]
    assert (entry.context_tokens, entry.params) == (200_000, {"temperature": 0})
    assert live.now.problems == ()
    for name in ("local", "openai/gpt-4o", "anthropic/c"):
        live.set_model(name, None)
    assert live.now.models == ()
    assert file.read_text(encoding="utf-8").startswith('# mine\nactor = "me"\n')
    with pytest.raises(NotFound):
        live.set_model("local", None)


def test_what_somebody_else_wrote_meanwhile_is_read_and_not_overwritten(file: Path) -> None:
    live = live_on(file)
    changed = BEFORE + '\n[chat]\nmodel = "local"\n'
    file.write_text(changed, encoding="utf-8")
    with pytest.raises(Conflict, match="changed by another program"):
        live.set("ui.theme", "nord")
    assert file.read_text(encoding="utf-8") == changed
    assert live.now.chat_model == "local"
    assert live.set("ui.theme", "nord").ui.theme == "nord"


def _read_only(file: Path) -> None:
    file.chmod(0o444)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _dangling(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.parent / "nowhere.toml")


def _broken(file: Path) -> None:
    file.write_text("[ui\n", encoding="utf-8")


def _latin_1(file: Path) -> None:
    file.write_bytes("actor = 'Zoë'".encode("latin-1"))


def _huge(file: Path) -> None:
    file.write_text("# x\n" * 300_000, encoding="utf-8")


@pytest.mark.parametrize("spoil", [_read_only, _folder, _dangling, _broken, _latin_1, _huge])
def test_a_file_that_cannot_be_used_is_refused_by_name_and_left(
    file: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(file)
    before = file.read_bytes() if file.is_file() else None
    live = live_on(file)
    with pytest.raises(SmritiError, match=r"config\.toml"):
        live.set("ui.theme", "nord")
    assert (file.read_bytes() if file.is_file() else None) == before
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]


def test_a_broken_file_is_set_aside_and_never_lost(file: Path) -> None:
    _broken(file)
    live = live_on(file)
    assert "not TOML" in (live.fault() or "")
    aside = live.set_aside()
    assert aside.read_text(encoding="utf-8") == "[ui\n"
    assert live.set("ui.theme", "nord").ui.theme == "nord"
    _broken(file)
    assert live_on(file).set_aside() != aside
    assert aside.exists()


def test_what_a_running_program_cannot_change_counts_at_the_next_start(file: Path) -> None:
    live = live_on(file)
    live.set("actor", "somebody")
    assert (live.now.actor, live.next_start.actor) == ("me", "somebody")


def test_a_variable_still_wins_over_what_is_written(file: Path) -> None:
    live = live_on(file, SMRITI_THEME="gruvbox")
    assert live.set("ui.theme", "nord").ui.theme == "gruvbox"
    assert live.now.origins["ui.theme"] == "SMRITI_THEME in the environment"


def test_all_keys_are_known_for_taking_them_out_of_words(file: Path) -> None:
    live = live_on(file, OPENAI_API_KEY=KEY, SMRITI_API_KEY=f"{KEY}2")
    live.set_model(None, entry_from({"model": "openai/z", "api_key_env": "CORP_KEY"}))
    assert set(live.secrets()) == {KEY, f"{KEY}2"}
    assert KEY not in repr(live.now)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("model", ""), ("model", "gpt"), ("model", "openai/"), ("model", "demo/scripted"),
        ("alias", "demo"), ("alias", KEY), ("api_base", "localhost:8080"), ("api_key_env", KEY),
        ("api_key_env", "my key"), ("context_tokens", "many"), ("context_tokens", "0"),
        ("reply_tokens", "-1"), ("params", "[1]"), ("params", '{"model": "x"}'),
        ("params", '{"a": null}'), ("params", "{" * 5000),
    ],
)  # fmt: skip
def test_each_field_of_an_entry_is_checked_by_name_and_no_key_is_repeated(
    field: str, typed: str
) -> None:
    with pytest.raises(Invalid) as caught:
        entry_from({"model": "openai/x", field: typed})
    assert caught.value.field == field
    assert KEY not in str(caught.value)


def test_two_entries_of_one_name_are_refused() -> None:
    with pytest.raises(Invalid) as caught:
        entry_from({"model": "openai/x", "alias": "mine"}, {"mine"})
    assert caught.value.field == "alias"
    assert entry_from({"model": f"fireworks_ai/{'a1-' * 20}b"}, ())["alias"] is None
