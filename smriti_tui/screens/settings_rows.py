"""The settings as rows: what each is called, its value, where that stands, how it is changed.

Pure: from values to values. No row holds a key, only whether there is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from smriti_tui.config.urls import shown_url

if TYPE_CHECKING:
    from smriti_tui.config.schema import ModelEntry
    from smriti_tui.config.settings import Config
    from smriti_tui.keys import KeyTable

Kind = Literal[
    "text", "number", "switch", "choice", "model", "theme", "entry", "add", "key", "fact"
]
Section = Literal["models", "provider", "look", "who", "keys"]
SECTIONS: tuple[tuple[Section, str], ...] = (
    ("models", "Models"), ("provider", "Provider"), ("look", "Look"), ("who", "Who"),
    ("keys", "Keys"),
)  # fmt: skip
DEFAULT = "default"
NOT_SET = "not set"


@dataclass(frozen=True)
class SettingRow:
    """One line of a section."""

    key: str
    """Dotted key of the setting; `models.NAME`, `keys.ACTION`; or a name of its own."""
    label: str
    value: str
    origin: str = ""
    """Where the value stands: `default`, a file, a variable."""
    kind: Kind = "text"
    locked: str = ""
    """Why it cannot be changed here; empty where it can."""
    help: str = ""
    note: str = ""
    """A second line below it."""

    @property
    def is_model(self) -> bool:
        """Whether a model stands behind it, which can be tested."""
        return self.kind in ("entry", "model")


@dataclass(frozen=True)
class Look:
    """What the rows are made from."""

    config: Config
    table: KeyTable
    key_wishes: Mapping[str, str]
    """Action id to key, as the file has them."""
    found: tuple[tuple[str, str], ...] = ()
    """Name of a model that could be added at once, and where it was found."""
    next_actor: str = ""
    """Who it would be after a restart."""


def rows_of(section: Section, look: Look) -> tuple[SettingRow, ...]:
    """The rows of one section."""
    makers = {
        "models": _models,
        "provider": _provider,
        "look": _look,
        "who": _who,
        "keys": _keys,
    }
    return tuple(makers[section](look))


def place_of(origin: str, config: Config) -> str:
    """Where a value stands, in few words."""
    if origin == str(config.config_file):
        return "config.toml"
    if origin.endswith(f" in {config.variables.env_file.path}"):
        return f"{origin.split(' ', 1)[0]} in env file"
    return origin.replace(" in the environment", " in environment")


def locked_by(origin: str, config: Config) -> str:
    """Why a value of this origin cannot be changed from here."""
    if origin == "flag":
        return "It was given on the command line, which comes first."
    variable, _, place = origin.partition(" in ")
    if place and origin != str(config.config_file):
        return (
            f"{variable} in {place} sets it, and comes before config.toml. "
            "Take that out to change it here."
        )
    return ""


def _row(look: Look, key: str, label: str, value: str, kind: Kind, help: str) -> SettingRow:  # noqa: A002
    origin = look.config.origins.get(key, DEFAULT)
    return SettingRow(
        key, label, value, place_of(origin, look.config), kind, locked_by(origin, look.config), help
    )


def _models(look: Look) -> Iterator[SettingRow]:
    config = look.config
    yield _row(
        look, "chat.model", "Chat model", config.chat_model or NOT_SET, "model",
        "Who answers in a session where no other model was chosen. Counts from the next send.",
    )  # fmt: skip
    yield _row(
        look, "background.model", "Background model", config.background_model or NOT_SET, "model",
        "Who drafts, reviews and names. Never taken for the chat, nor the other way round.",
    )  # fmt: skip
    for entry in config.models:
        yield _entry(entry, config)
    for name, where in look.found:
        yield SettingRow(
            f"found.{name}", "Found", _found_words(name), where, "add",
            help="enter makes it an entry of yours; then R tests it.",
        )  # fmt: skip
    yield SettingRow(
        "models.new", "Add a model", "", kind="add",
        help="A provider, or any server that speaks OpenAI's protocol.",
    )  # fmt: skip


def _found_words(name: str) -> str:
    """A model by its name; of a provider alone its models."""
    return f"{name[:-1]}, one of its models" if name.endswith("/") else name


def _entry(entry: ModelEntry, config: Config) -> SettingRow:
    parts = [f"key {_key_state(entry, config)}"]
    if entry.api_base is not None:
        parts.insert(0, f"at {shown_url(entry.api_base)}")
    for words, number in (("window", entry.context_tokens), ("reply", entry.reply_tokens)):
        if number is not None:
            parts.append(f"{words} {number:,}")
    if entry.params:
        parts.append(f"params {' '.join(sorted(entry.params))}")
    return SettingRow(
        f"models.{entry.name}",
        entry.name,
        entry.model if entry.alias else "",
        "config.toml",
        "entry",
        note=", ".join(parts),
        help="A model of yours. R tests it with one tiny call; its key is never written here.",
    )


def _key_state(entry: ModelEntry, config: Config) -> str:
    if entry.api_key_env is not None:
        there = config.variables.get(entry.api_key_env) is not None
        return f"{entry.api_key_env} is {'set' if there else 'NOT SET'}"
    if entry.api_base is not None:
        return "none"
    return "of the provider"


def _provider(look: Look) -> Iterator[SettingRow]:
    config = look.config
    yield _row(
        look, "provider.timeout_s", "Time-out", f"{config.timeout_s:g} s", "number",
        "Silence allowed before the first word and between two, in seconds.",
    )  # fmt: skip
    yield _row(
        look, "provider.retries", "Retries", str(config.retries), "number",
        "Further tries on rate limits and connection faults, before the first word only.",
    )  # fmt: skip
    own = config.own_place
    for key, label, value in (
        ("api_base", "Own server", shown_url(own.api_base) if own.api_base else NOT_SET),
        ("api_key", "Own key", "set" if own.api_key else NOT_SET),
    ):
        row = _row(look, key, label, value, "fact", "For models that have no entry of their own.")
        locked = row.locked or f"It stands in the environment alone: SMRITI_{key.upper()}."
        yield SettingRow(key, label, value, row.origin, "fact", locked, row.help)


def _look(look: Look) -> Iterator[SettingRow]:
    ui = look.config.ui
    onoff = {True: "on", False: "off"}
    yield _row(
        look, "ui.theme", "Theme", ui.theme, "theme",
        "enter shows all; moving shows each at once.",
    )  # fmt: skip
    yield _row(
        look, "ui.glyphs", "Glyphs", ui.glyphs, "choice",
        "full: box lines. ascii: for terminals and fonts without them.",
    )  # fmt: skip
    yield _row(
        look, "ui.motion", "Motion", onoff[ui.motion], "switch",
        "Blinking and smooth scrolling. Nothing needs them.",
    )  # fmt: skip
    yield _row(
        look, "ui.mouse", "Mouse", onoff[ui.mouse], "switch",
        "off leaves the mouse to the terminal, for selecting text. Counts at the next start.",
    )  # fmt: skip


def _who(look: Look) -> Iterator[SettingRow]:
    config = look.config
    words = "The name under everything you write. Counts at the next start."
    later = look.next_actor not in ("", config.actor)
    row = _row(look, "actor", "Actor", config.actor, "text", words)
    yield SettingRow(
        row.key, row.label, row.value, row.origin, row.kind, row.locked, row.help,
        note=f"at the next start: {look.next_actor}" if later else "",
    )  # fmt: skip
    for key, label, value in (
        ("home", "Home folder", str(config.home)),
        ("database.url", "Database", shown_url(config.database_url)),
    ):
        fact = _row(look, key, label, value, "fact", "Where everything is kept.")
        why = fact.locked or "A running program keeps its database; set it before the start."
        yield SettingRow(key, label, value, fact.origin, "fact", why, fact.help)


def _keys(look: Look) -> Iterator[SettingRow]:
    clashes = {clash.action: clash for clash in look.table.clashes}
    for action in look.table.actions:
        wish = look.key_wishes.get(action.id)
        note = ""
        if (clash := clashes.get(action.id)) is not None:
            note = f"! {clash.key} is taken by {clash.other}; the default stays"
        yield SettingRow(
            f"keys.{action.id}",
            action.id,
            " ".join(action.keys) or "none",
            DEFAULT if wish is None else "config.toml",
            "key",
            help=f"{action.title}. D brings the default back.",
            note=note,
        )
