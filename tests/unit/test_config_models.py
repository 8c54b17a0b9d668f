"""Which model, which place, which key: a key goes where it was given for and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smriti_tui.config.models import NO_KEY, OwnPlace, is_local, resolve
from smriti_tui.config.schema import ModelEntry
from smriti_tui.config.settings import Config, load_config
from smriti_tui.domain.errors import Ambiguous, ProviderError

FILE = """
[[models]]
alias = "local"
model = "openai/qwen"
api_base = "http://127.0.0.1:8080/v1"
context_tokens = 32768
reply_tokens = 1024
[models.params]
temperature = 0.2
[[models]]
alias = "house"
model = "openai/big"
api_base = "https://llm.example/v1"
api_key_env = "HOUSE_KEY"
[[models]]
alias = "open"
model = "openai/free"
api_base = "https://free.example/v1"
[[models]]
alias = "claude"
model = "anthropic/claude-x"
[[models]]
alias = "second-claude"
model = "anthropic/claude-y"
api_key_env = "OTHER_CLAUDE_KEY"
"""


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    file = tmp_path / "config.toml"
    file.write_text(FILE, encoding="utf-8")
    return file


def load(config_file: Path, **environ: str) -> Config:
    return load_config(
        environ={"HOME": str(config_file.parent), "SMRITI_CONFIG": str(config_file), **environ}
    )


def refusal(config: Config, name: str | None, purpose: str = "chat") -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        config.resolve_model(name, for_="chat" if purpose == "chat" else "background")
    assert caught.value.kind == "not_configured"
    assert caught.value.exit_code == 5
    return caught.value


def test_the_chat_and_background_models_are_separate(config_file: Path) -> None:
    config = load(config_file, SMRITI_CHAT_MODEL="local")
    assert config.resolve_model().model == "openai/qwen"
    error = refusal(config, None, "background")
    assert error.message == "No background model is set."
    assert "SMRITI_BACKGROUND_MODEL" in error.hint
    assert error.details["variable"] == "SMRITI_BACKGROUND_MODEL"
    config = load(config_file, SMRITI_BACKGROUND_MODEL="demo")
    assert config.resolve_model(for_="background").model == "demo/scripted"
    assert "SMRITI_CHAT_MODEL" in refusal(config, None).hint


def test_an_entry_of_ones_own(config_file: Path) -> None:
    found = load(config_file).resolve_model("local")
    assert (found.name, found.model) == ("local", "openai/qwen")
    assert (found.api_base, found.api_key, found.key_variable) == (
        "http://127.0.0.1:8080/v1", NO_KEY, None,
    )  # fmt: skip
    assert (found.context_tokens, found.reply_tokens) == (32768, 1024)
    assert dict(found.params) == {"temperature": 0.2}
    assert load(config_file).resolve_model("openai/qwen") == found


@pytest.mark.parametrize("name", ["demo", "demo/scripted", "demo/contrarian", " demo "])
def test_the_demo_models_need_nothing(config_file: Path, name: str) -> None:
    found = load(config_file, SMRITI_API_BASE="http://x", SMRITI_API_KEY="k").resolve_model(name)
    assert found.is_demo
    assert found.model == ("demo/contrarian" if "contrarian" in name else "demo/scripted")
    assert (found.api_base, found.api_key) == (None, None)


def test_an_entry_takes_its_own_key_only(config_file: Path) -> None:
    everything = {
        "SMRITI_API_BASE": "https://own.example/v1",
        "SMRITI_API_KEY": "own",
        "OPENAI_API_KEY": "openai",
        "OPENAI_BASE_URL": "https://elsewhere.example",
    }
    config = load(config_file, HOUSE_KEY=" house \n", **everything)
    house = config.resolve_model("house")
    assert (house.api_base, house.api_key, house.key_variable) == (
        "https://llm.example/v1", "house", "HOUSE_KEY",
    )  # fmt: skip
    assert config.resolve_model("open").api_key == NO_KEY
    error = refusal(load(config_file, **everything), "house")
    assert error.message == "There is no key for the model house."
    assert error.hint == "Set HOUSE_KEY in the environment or in the env file."


def test_a_key_of_an_entry_without_place_does_not_follow_the_environment(
    config_file: Path,
) -> None:
    config = load(
        config_file, OTHER_CLAUDE_KEY="second", ANTHROPIC_BASE_URL="https://elsewhere.example"
    )
    found = config.resolve_model("second-claude")
    assert (found.api_base, found.api_key) == (None, "second")


def test_an_entry_without_place_and_key_uses_the_providers_usual_ones(config_file: Path) -> None:
    own = {"SMRITI_API_BASE": "https://own.example/v1", "SMRITI_API_KEY": "own"}
    found = load(config_file, ANTHROPIC_API_KEY="usual", **own).resolve_model("claude")
    assert (found.api_base, found.api_key, found.key_variable) == (
        None, "usual", "ANTHROPIC_API_KEY",
    )  # fmt: skip
    assert "ANTHROPIC_API_KEY" in refusal(load(config_file, **own), "claude").hint


def test_models_without_entry_use_the_own_place_or_the_usual_variables(config_file: Path) -> None:
    own = {"SMRITI_API_BASE": "https://own.example/v1", "SMRITI_API_KEY": "own"}
    found = load(config_file, **own).resolve_model("openai/gpt-4o")
    assert (found.name, found.api_base, found.api_key, found.key_variable) == (
        "openai/gpt-4o", "https://own.example/v1", "own", "SMRITI_API_KEY",
    )  # fmt: skip
    found = load(config_file, OPENAI_API_KEY="usual").resolve_model("gpt-4o")
    assert (found.api_base, found.api_key) == (None, "usual")
    found = load(
        config_file, OPENAI_API_KEY="usual", OPENAI_BASE_URL="https://proxy.example/v1"
    ).resolve_model("gpt-4o")
    assert (found.api_base, found.api_key) == ("https://proxy.example/v1", "usual")
    assert refusal(load(config_file), "openai/gpt-4o").details["variable"] == "OPENAI_API_KEY"


def test_the_providers_key_never_goes_to_the_own_place(config_file: Path) -> None:
    config = load(config_file, SMRITI_API_BASE="https://own.example/v1", OPENAI_API_KEY="usual")
    assert "SMRITI_API_KEY" in refusal(config, "openai/gpt-4o").hint
    config = load(config_file, SMRITI_API_BASE="http://localhost:9/v1", OPENAI_API_KEY="usual")
    assert config.resolve_model("openai/gpt-4o").api_key == NO_KEY


def test_providers_that_take_no_key(config_file: Path) -> None:
    assert load(config_file).resolve_model("ollama/llama3").api_key is None
    found = load(config_file, OLLAMA_API_BASE="http://box:11434").resolve_model("ollama/llama3")
    assert found.api_base == "http://box:11434"
    assert load(config_file).resolve_model("bedrock/x").api_key is None


def test_a_key_from_the_env_file(config_file: Path) -> None:
    config_file.with_name("env").write_text("HOUSE_KEY='from file'\n", encoding="utf-8")
    error = refusal(load(config_file), "house")
    assert error.message.startswith("The value of HOUSE_KEY cannot be a key: ")
    assert "from file" not in str(error)
    config_file.with_name("env").write_text("HOUSE_KEY=in-file\n", encoding="utf-8")
    assert load(config_file).resolve_model("house").api_key == "in-file"
    assert load(config_file, HOUSE_KEY="real").resolve_model("house").api_key == "real"


@pytest.mark.parametrize("name", ["nonsense", "demo/other", "hou\x1b[2Jse"])
def test_a_name_without_provider(config_file: Path, name: str) -> None:
    error = refusal(load(config_file, SMRITI_API_KEY="k"), name)
    assert "PROVIDER/MODEL" in error.hint
    assert "\x1b" not in error.message


def test_two_entries_with_one_model_are_told_apart_by_alias() -> None:
    entries = [
        ModelEntry(alias="a", model="openai/x", api_base="http://localhost:1"),
        ModelEntry(alias="b", model="openai/x", api_base="http://localhost:2"),
    ]
    with pytest.raises(Ambiguous, match="by its alias: a, b") as caught:
        resolve("openai/x", entries=entries, own=OwnPlace(), lookup=lambda _: None)
    assert caught.value.details["candidates"] == ["a", "b"]
    found = resolve("b", entries=entries, own=OwnPlace(), lookup=lambda _: None)
    assert found.api_base == "http://localhost:2"


@pytest.mark.parametrize(
    ("api_base", "local"),
    [
        ("http://127.0.0.1:1/v1", True), ("http://127.9.9.9", True), ("http://[::1]:8/v1", True),
        ("http://localhost", True), ("http://LOCALHOST:1", True), ("http://a.localhost", True),
        ("http://localhost.evil.example", False), ("http://192.168.1.2", False),
        ("http://127.0.0.1.evil.example", False), ("http://user@127.0.0.1@evil.example", False),
        ("http://[::1", False), ("", False), (None, False),
    ],
)  # fmt: skip
def test_what_counts_as_this_machine(api_base: str | None, local: bool) -> None:
    assert is_local(api_base) is local


KEYS = {
    "HOUSE_KEY": "canary-house", "OTHER_KEY": "canary-other", "SMRITI_API_KEY": "canary-own",
    "OPENAI_API_KEY": "canary-openai", "ANTHROPIC_API_KEY": "canary-anthropic",
}  # fmt: skip
PLACES = st.none() | st.sampled_from(["http://127.0.0.1:1/v1", "https://a.example", "https://b.x"])


@given(
    entries=st.lists(
        st.builds(
            ModelEntry,
            model=st.sampled_from(["openai/x", "anthropic/y"]),
            api_base=PLACES,
            api_key_env=st.none() | st.sampled_from(["HOUSE_KEY", "OTHER_KEY"]),
        ),
        max_size=2,
    ),
    own_base=PLACES,
    own_key=st.none() | st.just(KEYS["SMRITI_API_KEY"]),
    there=st.sets(st.sampled_from(sorted(KEYS))),
    name=st.sampled_from(["openai/x", "anthropic/y"]),
)
def test_no_key_ever_goes_to_a_place_it_was_not_given_for(
    entries: list[ModelEntry],
    own_base: str | None,
    own_key: str | None,
    there: set[str],
    name: str,
) -> None:
    try:
        found = resolve(
            name,
            entries=entries,
            own=OwnPlace(own_base, own_key),
            lookup=lambda variable: KEYS[variable] if variable in there else None,
        )
    except (ProviderError, Ambiguous):
        return
    assert "canary" not in repr(found)
    usual = KEYS[f"{name.partition('/')[0].upper()}_API_KEY"]
    entry = next((entry for entry in entries if entry.model == name), None)
    if entry is None:
        allowed = {own_key} if own_key or own_base else {usual}
        assert found.api_base == own_base
    else:
        wanted = entry.api_key_env
        allowed = {KEYS[wanted]} if wanted else (set() if entry.api_base else {usual})
        assert found.api_base == entry.api_base
    assert found.api_key in {*allowed, NO_KEY, None}
    assert found.api_key is not None or found.api_base is None
