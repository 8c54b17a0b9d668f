"""The settings screen: what is shown, what is changed, and what is refused."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from smriti_tui.app import SmritiApp
from smriti_tui.screens.dialogs.theme_picker import ThemePicker
from smriti_tui.screens.dialogs.try_model import TryDialog
from smriti_tui.screens.settings import SettingsScreen
from smriti_tui.screens.settings_rows import SECTIONS, Section
from smriti_tui.screens.workspace import WorkspaceScreen
from tests.ui.house import House, desk, notes, settle, until
from tests.ui.screens_host import SIZES, has_all, is_grid, press, text_of

KEY = "sk-live-Zq81mPv0xLkT42wwQ"


def file_of(house: House) -> Path:
    path = house.folder / ".config" / "smriti" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


async def open_settings(pilot: Pilot[int], section: Section = "models") -> SettingsScreen:
    assert isinstance(pilot.app, SmritiApp)
    pilot.app.act("app.settings")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, SettingsScreen)
    for _ in range([name for name, _ in SECTIONS].index(section)):
        await press(pilot, "]")
    return screen


async def test_each_value_stands_with_its_origin_and_no_key_is_shown(house: House) -> None:
    house.environ |= {"SMRITI_THEME": "nord", "OPENAI_API_KEY": KEY, "CORP_KEY": KEY}
    file_of(house).write_text(
        "[provider]\nretries = 5\n[[models]]\nmodel = 'openai/x'\nalias = 'corp'\n"
        "api_base = 'http://user:secret@localhost:1/v1'\napi_key_env = 'CORP_KEY'\n"
        "[[models]]\nmodel = 'mistral/y'\napi_key_env = 'NO_SUCH'\n",
        encoding="utf-8",
    )
    house.seed()
    async with house.app() as pilot:
        await open_settings(pilot)
        seen = text_of(pilot)
        for _ in SECTIONS[1:]:
            seen += await press(pilot, "]")
        words = (
            "corp openai/x", "CORP_KEY is set", "NO_SUCH is NOT SET", "OPENAI_API_KEY is set",
            "SMRITI_CHAT_MODEL in environment, fixed", "Retries 5 config.toml",
            "Time-out 60 s default", "nord SMRITI_THEME in environment, fixed",
            "Actor ada SMRITI_ACTOR in environment, fixed", "chat.send",
        )  # fmt: skip
        assert has_all(seen, words) == []
        assert KEY not in seen
        assert "secret" not in seen


async def test_what_the_environment_sets_says_why_it_cannot_be_changed(house: House) -> None:
    house.environ |= {"SMRITI_GLYPHS": "ascii"}
    async with house.app() as pilot:
        house.seed()
        await open_settings(pilot, "look")
        told = await press(pilot, "j", "enter")
        assert (
            has_all(told, ["Not changeable here: SMRITI_GLYPHS in the environment sets it"]) == []
        )
        assert "comes before config.toml" in notes(pilot)
        assert not file_of(house).exists()


async def test_a_switch_counts_at_once_and_comments_stay(house: House) -> None:
    file_of(house).write_text("# mine\n[ui]\nmotion = true # why not\n", encoding="utf-8")
    house.seed()
    async with house.app() as pilot:
        await open_settings(pilot, "look")
        drawn = await press(pilot, "j", "enter")
        assert "+- Settings" in drawn
        await press(pilot, "j", "enter")
        assert pilot.app.animation_level == "none"
        await press(pilot, "k", "D")
        assert "┌─ Settings" in text_of(pilot)
        assert file_of(house).read_text(encoding="utf-8") == (
            "# mine\n[ui]\nmotion = false # why not\n"
        )


async def test_every_theme_is_shown_while_chosen_and_esc_brings_the_old_one(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        assert isinstance(pilot.app, SmritiApp)
        before = pilot.app.theme
        pilot.app.act("app.theme")
        await press(pilot, "down")
        assert isinstance(pilot.app.screen, ThemePicker)
        assert pilot.app.theme == "smriti-light"
        await press(pilot, *"gruv")
        assert pilot.app.theme == "gruvbox"
        await press(pilot, "escape")
        assert pilot.app.theme == before
        pilot.app.act("app.theme")
        await settle(pilot)
        await press(pilot, *"gruv", "enter")
        await until(pilot, lambda: "is the theme now" in notes(pilot))
        assert pilot.app.theme == "gruvbox"
        assert 'theme = "gruvbox"' in file_of(house).read_text(encoding="utf-8")


async def test_somebody_else_s_change_is_read_and_told_and_what_does_not_fit(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await open_settings(pilot, "provider")
        file_of(house).write_text("[provider]\nretries = 7\n", encoding="utf-8")
        told = await press(pilot, "enter", "3", "0", "enter")
        assert has_all(told, ["was changed by another program meanwhile"]) == []
        told = await press(pilot, "escape")
        assert has_all(told, ["Retries 7 config.toml"]) == []
        told = await press(pilot, "enter", "3", "0", "enter")
        assert has_all(told, ["Time-out 30 s config.toml", "Retries 7"]) == []
        written = file_of(house).read_text(encoding="utf-8")
        for typed, words in (("x", "should be a number"), ("0", "greater than 0")):
            assert words in await press(pilot, "enter", typed, "enter")
            await press(pilot, "escape")
        assert file_of(house).read_text(encoding="utf-8") == written


async def test_a_clash_of_keys_is_told_while_it_is_typed(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        screen = await open_settings(pilot, "keys")
        screen.values.move_to("keys.chat.retry")
        told = await press(pilot, "enter", "i")
        assert "! i is taken by chat.write" in told
        assert "chat.write" in await press(pilot, "enter")
        told = await press(pilot, "backspace", "O", "enter")
        assert has_all(told, ["chat.retry O"]) == []
        table = screen.table
        assert table.get("chat.retry").keys == ("O",)


async def test_a_broken_file_is_named_and_set_aside_on_request(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        file_of(house).write_text("[ui\ntheme = 1", encoding="utf-8")
        told = text_of(pilot)
        await open_settings(pilot, "look")
        told = text_of(pilot)
        assert "cannot be used: it is not TOML" in told
        told = await press(pilot, "j", "j", "enter")
        assert "Mend the file first" in " ".join(told.split())
        await press(pilot, "escape", "g", "enter")
        assert "config.toml.broken-1" in notes(pilot)
        await press(pilot, "j", "enter")
        assert 'glyphs = "ascii"' in file_of(house).read_text(encoding="utf-8")
        assert file_of(house).with_name("config.toml.broken-1").exists()


async def test_a_model_is_added_used_and_taken_out_and_says_why_it_cannot_be_asked(
    house: House,
) -> None:
    house.environ |= {"SMRITI_CHAT_MODEL": "", "MISTRAL_API_KEY": KEY}
    house.seed()
    async with house.app() as pilot:
        screen = await open_settings(pilot)
        told = await press(pilot, "n", *"mist", "enter")
        assert "for example mistral/" in told
        told = await press(pilot, *"tiny", "tab", *"mine", "ctrl+s")
        assert has_all(told, ["Chat model mine config.toml", "mine mistral/tiny"]) == []
        assert desk(pilot).services.chat.resolve(None).model == "mistral/tiny"
        told = await press(pilot, "enter", "tab", "tab", *"nonsense", "ctrl+s")
        assert "should be a URL" in told
        await press(pilot, "escape")
        screen.values.move_to("models.mine")
        told = await press(pilot, "D")
        assert "Take out the model mine?" in told
        await press(pilot, "y")
        assert "mine is taken out." in notes(pilot)
        assert KEY not in file_of(house).read_text(encoding="utf-8")
        file_of(house).write_text("[[models]]\nmodel = 'openai/x'\n", encoding="utf-8")
        desk(pilot).services.settings.reload()
        screen.show()
        screen.values.move_to("models.openai/x")
        told = await press(pilot, "R")
        assert isinstance(pilot.app.screen, TryDialog)
        assert has_all(told, ["! FAILED after 0 ms: no key", "Set OPENAI_API_KEY"]) == []


async def test_testing_shows_phases_and_the_outcome_and_esc_stops_it(house: House) -> None:
    _, session = house.seed()
    async with house.app() as pilot:
        await open_settings(pilot)
        told = await press(pilot, "R")
        words = ["demo/scripted answers.", "first token after", "done in", "tokens", "cost $0"]
        assert has_all(told, words) == []
        house.model.hold_after = 1
        await pilot.press("R")
        await until(pilot, lambda: "receiving" in text_of(pilot))
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SettingsScreen)
        assert desk(pilot).services.sessions.turns(session.id) == []


async def test_the_first_start_leads_to_the_models_and_back_to_a_space(house: House) -> None:
    house.environ |= {"OPENAI_API_KEY": KEY, "SMRITI_CHAT_MODEL": ""}
    async with house.app() as pilot:
        assert "found: OPENAI_API_KEY" in text_of(pilot)
        told = await press(pilot, "3")
        assert isinstance(pilot.app.screen, SettingsScreen)
        assert has_all(told, ["Found openai, one of its models OPENAI_API_KEY is set"]) == []
        told = await press(pilot, "escape")
        assert "> 2  Start an empty Space" in told


async def test_it_fits_every_size_and_esc_leads_back(house: House) -> None:
    house.seed()
    async with house.app() as pilot:
        await open_settings(pilot, "keys")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert is_grid(pilot)
            assert "Commands" in text_of(pilot).split("\n")[-1]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, WorkspaceScreen)
