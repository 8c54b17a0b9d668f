"""`smriti config`: every setting with value and origin, and no part of any secret."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from smriti_tui.config.schema import SETTINGS
from smriti_tui.config.settings import load_config
from smriti_tui.config.show import Setting, describe
from smriti_tui.config.urls import shown_url

CANARY = "canary0123456789"


def shown(tmp_path: Path, toml: str = "", env: str = "", **environ: str) -> dict[str, Setting]:
    (tmp_path / "config.toml").write_text(toml, encoding="utf-8")
    (tmp_path / "env").write_text(env, encoding="utf-8")
    config = load_config(
        environ={
            "HOME": str(tmp_path),
            "SMRITI_CONFIG": str(tmp_path / "config.toml"),
            **environ,
        }
    )
    return {setting.name: setting for setting in describe(config)}


def test_every_setting_stands_there_with_its_origin(tmp_path: Path) -> None:
    found = shown(tmp_path, "[ui]\ntheme = 'nord'", "SMRITI_RETRIES=4", SMRITI_CHAT_MODEL="demo")
    assert {spec.key for spec in SETTINGS} <= found.keys()
    file, env = tmp_path / "config.toml", tmp_path / "env"
    assert found["config_file"] == Setting(
        "config_file", "SMRITI_CONFIG", str(file), "SMRITI_CONFIG in the environment"
    )
    assert found["env_file"] == Setting("env_file", "SMRITI_ENV_FILE", str(env), "default")
    assert found["ui.theme"] == Setting("ui.theme", "SMRITI_THEME", "nord", str(file))
    assert found["provider.retries"].value == "4"
    assert found["provider.retries"].origin == f"SMRITI_RETRIES in {env}"
    assert found["chat.model"].origin == "SMRITI_CHAT_MODEL in the environment"
    assert (found["background.model"].value, found["background.model"].origin) == (None, "default")
    assert (found["ui.motion"].value, found["api_key"].value) == ("on", None)


def test_no_part_of_a_secret_is_shown(tmp_path: Path) -> None:
    """CONFIG-03."""
    found = shown(
        tmp_path,
        "[[models]]\nalias = 'house'\nmodel = 'openai/x'\napi_key_env = 'HOUSE_KEY'\n"
        f"api_base = 'https://{CANARY}@llm.example/v1?key={CANARY}'\n"
        f"[models.params]\nextra_headers = {{ authorization = '{CANARY}' }}\n"
        "[[models]]\nalias = 'other'\nmodel = 'openai/y'\napi_key_env = 'NOT_THERE'",
        f"HOUSE_KEY={CANARY}\nANTHROPIC_API_KEY={CANARY}",
        OPENAI_API_KEY=CANARY,
        SMRITI_API_KEY=CANARY,
        SMRITI_API_BASE=f"https://me:{CANARY}@own.example/v1",
        SMRITI_DATABASE_URL=f"postgresql+psycopg://me:{CANARY}@db/x?sslpassword={CANARY}",
    )
    everything = repr(found)
    for size in range(6, len(CANARY)):
        assert CANARY[:size] not in everything
    assert found["api_key"].value == "set"
    assert found["OPENAI_API_KEY"].value == "set"
    assert found["OPENAI_API_KEY"].origin == "OPENAI_API_KEY in the environment"
    assert found["ANTHROPIC_API_KEY"].origin == f"ANTHROPIC_API_KEY in {tmp_path / 'env'}"
    assert found["models.house"].value == (
        "openai/x, at https://***@llm.example/v1?key=***, key HOUSE_KEY (set), params extra_headers"
    )
    assert found["models.other"].value == "openai/y, key NOT_THERE (not set)"
    assert found["database.url"].value == "postgresql+psycopg://me:***@db/x?sslpassword=***"


def test_shown_texts_cannot_drive_the_terminal(tmp_path: Path) -> None:
    variables = {"SMRITI_ACTOR": "me\u202e", "SMRITI_SPACE": "my\x1b[2J"}
    found = shown(tmp_path, toml='[keys]\n"a\\u001b" = "x\\u0007"', **variables)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202e]", "".join(map(repr, found.values())))
    assert found["actor"].value is not None
    assert found["actor"].value.startswith("me")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/a/b@c:d/x.db", "/a/b@c:d/x.db"),
        ("sqlite:////a/b.db", "sqlite:////a/b.db"),
        ("postgresql://me@h/d", "postgresql://me@h/d"),
        ("postgresql://me:p@ss:w@h/d?sslmode=require", "postgresql://me:***@h/d?sslmode=require"),
        ("https://h/v1?Api_Key=x&a=b", "https://h/v1?Api_Key=***&a=b"),
        ("https://token@h/v1", "https://***@h/v1"),
        ("http://a:b@[::1", "http://***"),
    ],
)
def test_urls_are_shown_without_secrets(text: str, expected: str) -> None:
    assert shown_url(text) == expected
