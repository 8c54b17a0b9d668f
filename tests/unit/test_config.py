"""Where each setting comes from, and what happens to a wrong one."""

from __future__ import annotations

import json
import os
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.config.settings import Config, load_config
from smriti_tui.domain.errors import Invalid

CANARY = "canary-key-0123456789"


@dataclass(frozen=True)
class Person:
    """A home folder with the two files of settings."""

    home: Path

    @property
    def toml(self) -> Path:
        return self.home / ".config" / "smriti" / "config.toml"

    @property
    def env(self) -> Path:
        return self.toml.with_name("env")

    def write(self, toml: str | None = None, env: str | None = None) -> None:
        self.toml.parent.mkdir(parents=True, exist_ok=True)
        if toml is not None:
            self.toml.write_text(toml, encoding="utf-8")
        if env is not None:
            self.env.write_text(env, encoding="utf-8")
            self.env.chmod(0o600)

    def load(self, flags: dict[str, object] | None = None, /, **environ: str) -> Config:
        return load_config(flags, environ={"HOME": str(self.home), **environ})

    def load_what_is_right(self, **environ: str) -> Config:
        return load_config(environ={"HOME": str(self.home), **environ}, tolerant=True)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_defaults(person: Person) -> None:
    config = person.load()
    assert config.home == person.home / ".smriti"
    assert config.database_url == str(person.home / ".smriti" / "smriti.db")
    assert (config.chat_model, config.background_model, config.space) == (None, None, None)
    assert (config.timeout_s, config.retries, config.log_level) == (60.0, 2, "info")
    assert (config.ui.glyphs, config.ui.motion, config.ui.mouse) == ("full", True, True)
    assert config.actor
    assert (config.models, dict(config.keys), config.problems, config.warnings) == ((), {}, (), ())
    assert dict(config.origins) == {}


def test_loading_writes_nothing(person: Person) -> None:
    person.load()
    assert list(person.home.iterdir()) == []


ORDER = [
    # key, attribute, variable, (flag, environment, env file, config.toml), as read
    ("actor", "actor", "SMRITI_ACTOR", ("f", "e", "v", "c"), ("f", "e", "v", "c")),
    ("chat.model", "chat_model", "SMRITI_CHAT_MODEL", ("f", "e", "v", "c"), ("f", "e", "v", "c")),
    (
        "background.model", "background_model", "SMRITI_BACKGROUND_MODEL",
        ("f", "e", "v", "c"), ("f", "e", "v", "c"),
    ),
    (
        "database.url", "database_url", "SMRITI_DATABASE_URL",
        ("/f", "/e", "/v", "/c"), ("/f", "/e", "/v", "/c"),
    ),
    ("provider.timeout_s", "timeout_s", "SMRITI_TIMEOUT_S", (1, "2.5", "3", 4), (1, 2.5, 3, 4)),
    ("provider.retries", "retries", "SMRITI_RETRIES", (1, "2", "3", 4), (1, 2, 3, 4)),
    (
        "log.level", "log_level", "SMRITI_LOG",
        ("debug", "info", "warning", "error"), ("debug", "info", "warning", "error"),
    ),
    ("ui.theme", "ui.theme", "SMRITI_THEME", ("f", "e", "v", "c"), ("f", "e", "v", "c")),
    ("ui.motion", "ui.motion", "SMRITI_MOTION", (False, "on", "off", "on"), (0, 1, 0, 1)),
    ("ui.mouse", "ui.mouse", "SMRITI_MOUSE", (True, "0", "yes", False), (1, 0, 1, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("key", "attribute", "variable", "given", "read"), ORDER)
def test_flags_then_environment_then_env_file_then_config(
    person: Person,
    key: str,
    attribute: str,
    variable: str,
    given: tuple[object, ...],
    read: tuple[object, ...],
) -> None:
    def value(config: Config) -> object:
        found: object = config
        for name in attribute.split("."):
            found = getattr(found, name)
        return found

    flag, environment, env_file, toml = given
    group, dot, name = key.partition(".")
    line = f"{name or group} = {json.dumps(toml)}"
    person.write(f"[{group}]\n{line}" if dot else line)
    assert value(person.load()) == read[3]
    assert person.load().origins[key] == str(person.toml)
    person.write(env=f"{variable}={env_file}")
    assert value(person.load()) == read[2]
    assert person.load().origins[key] == f"{variable} in {person.env}"
    environ = {variable: str(environment)}
    assert value(person.load(**environ)) == read[1]
    assert person.load(**environ).origins[key] == f"{variable} in the environment"
    assert value(person.load({key: flag}, **environ)) == read[0]
    assert person.load({key: flag}, **environ).origins[key] == "flag"
    for unset in (None, " "):
        assert value(person.load({key: unset}, **environ)) == read[1]
    assert value(person.load(**{variable: " \t"})) == read[2]  # CONFIG-06


def test_blank_values_in_the_file_count_as_unset(person: Person) -> None:
    person.write('actor = " "\n[ui]\nglyphs = ""\n[database]\nurl = ""\n[keys]\na = ""')
    config = person.load()
    assert (config.ui.glyphs, dict(config.keys)) == ("full", {})
    assert config.database_url.endswith("smriti.db")


def test_home_and_space_come_from_the_environment_alone(person: Person) -> None:
    config = person.load(SMRITI_HOME="~/state", SMRITI_SPACE="work")
    assert config.home == person.home / "state"
    assert config.database_url == str(person.home / "state" / "smriti.db")
    assert config.space == "work"
    person.write('space = "work"')
    with pytest.raises(Invalid, match=r"space .*Set SMRITI_SPACE instead"):
        person.load()


def test_no_dot_env_of_the_current_folder_is_read(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    (person.home / ".env").write_text("SMRITI_ACTOR=hostile\nSMRITI_CHAT_MODEL=evil/x")
    (person.home / "env").write_text("SMRITI_ACTOR=hostile")
    monkeypatch.chdir(person.home)
    config = person.load()
    assert config.actor != "hostile"
    assert config.chat_model is None


def test_database_values(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """CONFIG-04, and what a relative path counts from."""
    monkeypatch.chdir(person.home)
    url = "postgresql+psycopg://me:pw@db.example/smriti"
    assert person.load(SMRITI_DATABASE_URL=url).database_url == url
    assert person.load(SMRITI_DATABASE_URL="~/a?b.db").database_url == str(person.home / "a?b.db")
    assert person.load({"database.url": "x.db"}).database_url == str(person.home / "x.db")
    person.write('[database]\nurl = "x.db"')
    assert person.load().database_url == str(person.toml.parent / "x.db")
    with pytest.raises(Invalid, match="sqlite:///PATH or postgresql"):
        person.load(SMRITI_DATABASE_URL="mysql://x/y")


WRONG = [
    ("[ui]\nglyphs = 3", "ui.glyphs"),
    ('[ui]\nglyphs = "round"', "ui.glyphs"),
    ('[ui]\nmotion = "maybe"', "ui.motion"),
    ("[ui]\nmouse = 1", "ui.mouse"),
    ('[provider]\ntimeout_s = "60"', "provider.timeout_s"),
    ("[provider]\ntimeout_s = 0", "provider.timeout_s"),
    ("[provider]\ntimeout_s = inf", "provider.timeout_s"),
    ("[provider]\ntimeout_s = true", "provider.timeout_s"),
    ("[provider]\nretries = 1.5", "provider.retries"),
    ("[provider]\nretries = -1", "provider.retries"),
    ("[provider]\nretires = 1", "provider.retires"),
    ("[chat]\nmodel = ['a']", "chat.model"),
    ("actor = 7", "actor"),
    ("ui = 3", "ui"),
    ("themes = 'x'", "themes"),
    ("[keys]\nquit = 3", "keys.quit"),
    ("models = 1", "models"),
    ("[[models]]\nalias = 'a'", "[[models]] entry 1 model"),
    ("[[models]]\nmodel = 'a/b'\nalias = 'demo'", "[[models]] entry 1 alias"),
    ("[[models]]\nmodel = 'a/b'\napi_base = 'ftp://x'", "[[models]] entry 1 api_base"),
    ("[[models]]\nmodel = 'a/b'\ncontext_tokens = 0", "[[models]] entry 1 context_tokens"),
    ("[[models]]\nmodel = 'a/b'\n[[models]]\nmodel = 'a/b'", "[[models]] entry 2 alias"),
    ("[[models]]\nmodel = 'a/b'\n[models.params]\nmax_tokens = 3", "[[models]] entry 1 params"),
    ("[[models]]\nmodel = 'a/b'\n[models.params]\nx = nan", "[[models]] entry 1 params"),
    ("[[models]]\nmodel = 'a/b'\n[models.params]\nx = 2026-01-01", "[[models]] entry 1 params x"),
]


@pytest.mark.parametrize(("toml", "field"), WRONG)
def test_a_wrong_value_is_refused_by_name_and_file(person: Person, toml: str, field: str) -> None:
    person.write(toml)
    with pytest.raises(Invalid) as caught:
        person.load()
    assert caught.value.field == field
    assert str(person.toml) in caught.value.message
    assert caught.value.hint
    config = person.load_what_is_right()
    assert [problem.field for problem in config.problems] == [field]


def test_a_wrong_variable_is_refused_by_its_name(person: Person) -> None:
    with pytest.raises(Invalid, match=r"provider\.timeout_s \(SMRITI_TIMEOUT_S in the environment"):
        person.load(SMRITI_TIMEOUT_S="soon")
    person.write(env="SMRITI_RETRIES=many")
    with pytest.raises(Invalid, match=f"SMRITI_RETRIES in {person.env}"):
        person.load()


def test_the_app_goes_on_with_what_is_right(person: Person) -> None:
    person.write(
        "strange = 1\nactor = 'me'\n[ui]\nglyphs = 'round'\ntheme = 'nord'\n"
        "[[models]]\nmodel = 'openai/a'\nspeed = 1\n[[models]]\nmodel = 'openai/b'\n"
        "[[models]]\ncontext_tokens = 'x'\n"
    )
    config = person.load_what_is_right(SMRITI_TIMEOUT_S="soon")
    assert (config.actor, config.ui.theme, config.ui.glyphs) == ("me", "nord", "full")
    assert config.timeout_s == 60.0
    assert [entry.model for entry in config.models] == ["openai/b"]
    fields = sorted(problem.field or "" for problem in config.problems)
    assert len(fields) == 5
    assert fields[2:] == ["provider.timeout_s", "strange", "ui.glyphs"]


def test_a_wrong_variable_uncovers_the_value_below(person: Person) -> None:
    person.write("[provider]\nretries = 5")
    assert person.load_what_is_right(SMRITI_RETRIES="x").retries == 5


@pytest.mark.parametrize("content", [b"[ui", b"\xff", b"a = " + b"[" * 3000])
def test_a_file_that_is_not_toml(person: Person, content: bytes) -> None:
    person.write("")
    person.toml.write_bytes(content)
    with pytest.raises(Invalid, match="cannot be used") as caught:
        person.load()
    assert str(person.toml) in caught.value.message
    config = person.load_what_is_right(SMRITI_ACTOR="me")
    assert (len(config.problems), config.actor, config.retries) == (1, "me", 2)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
))  # fmt: skip
def test_flags_of_any_shape_end_in_a_config_or_problems(value: object) -> None:
    flags = dict.fromkeys(("ui", "models", "keys", "provider.retries", "actor", "zz"), value)
    config = load_config(flags, environ={"HOME": "/nonexistent"}, tolerant=True)
    assert config.retries >= 0


def test_a_key_in_the_file_is_refused_and_never_shown(person: Person) -> None:
    person.write(f"[[models]]\nmodel = 'openai/a'\napi_key = '{CANARY}'")
    with pytest.raises(Invalid) as caught:
        person.load()
    assert "api_key_env" in caught.value.hint
    assert CANARY not in str(caught.value)
    person.write(f"[[models]]\nmodel = 'openai/a'\napi_key_env = '{CANARY}'")
    with pytest.raises(Invalid, match="not a key") as caught:
        person.load()
    assert CANARY not in str(caught.value)
    person.write(f"api_key = '{CANARY}'")
    with pytest.raises(Invalid, match="SMRITI_API_KEY") as caught:
        person.load()
    assert CANARY not in str(caught.value)


def test_no_repr_shows_a_secret(person: Person) -> None:
    person.write(env=f"OPENAI_API_KEY={CANARY}")
    config = person.load(
        SMRITI_API_KEY=CANARY,
        SMRITI_DATABASE_URL=f"postgresql+psycopg://me:{CANARY}@host/db",
        SMRITI_API_BASE=f"http://me:{CANARY}@127.0.0.1/v1",
    )
    shown = [config, config.variables, config.own_place, config.variables.env_file]
    shown.append(config.resolve_model("openai/gpt-4o"))
    assert all(CANARY not in repr(thing) + str(thing) for thing in shown)


def test_the_env_file_is_warned_about_when_others_can_read_it(person: Person) -> None:
    person.write(env="OPENAI_API_KEY=x")
    assert person.load().warnings == ()
    for mode in (0o640, 0o604):
        person.env.chmod(mode)
        assert person.load().warnings == (
            f"{person.env} can be read by others. Run: chmod 600 {person.env}",
        )


def test_lines_that_do_not_count_and_files_that_are_not_there(person: Person) -> None:
    person.write(env=f"A=1\n{CANARY}\n")
    [warning] = person.load().warnings
    assert warning.endswith("do not count: 2")
    warnings = person.load(SMRITI_ENV_FILE="/no/env", SMRITI_CONFIG="/no/c.toml").warnings
    assert warnings == (
        "SMRITI_CONFIG names /no/c.toml, which does not exist",
        "SMRITI_ENV_FILE names /no/env, which does not exist",
    )


def test_a_changed_env_file_counts_at_the_next_load(person: Person) -> None:
    """CONFIG-01."""
    person.write(env="OPENAI_API_KEY=old")
    assert person.load().resolve_model("openai/gpt-4o").api_key == "old"
    person.write(env="OPENAI_API_KEY=new")
    assert person.load().resolve_model("openai/gpt-4o").api_key == "new"


def test_motion_goes_off_where_textual_is_told_so(person: Person) -> None:
    config = person.load(SMRITI_MOTION="on", TEXTUAL_ANIMATIONS="none")
    assert config.ui.motion is False
    assert config.origins["ui.motion"] == "TEXTUAL_ANIMATIONS in the environment"


def test_a_config_cannot_be_changed(person: Person) -> None:
    config = person.load()
    with pytest.raises(FrozenInstanceError):
        config.actor = "other"  # type: ignore[misc]


def test_the_process_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SMRITI_ACTOR", "from here")
    monkeypatch.setitem(os.environ, "SMRITI_CONFIG", os.devnull)
    monkeypatch.setitem(os.environ, "SMRITI_ENV_FILE", os.devnull)
    assert load_config().actor == "from here"
