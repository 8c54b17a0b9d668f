"""The settings as a table (names, where each may stand) and as typed, checked models.

`SETTINGS` is the contract's table of settings by name; the models hold types and bounds. Everything
is strict: text from the environment is converted by `from_text` before it gets here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from smriti_tui.config.light import DEFAULT_THEME, Glyphs, switch

Kind = Literal["text", "integer", "number", "switch"]
DATABASE_SCHEMES: Final = ("sqlite", "postgresql", "postgres")
OWNED_PARAMS: Final = frozenset(
    {
        "api_base", "api_key", "base_url", "max_completion_tokens", "max_retries", "max_tokens",
        "messages", "model", "n", "num_retries", "request_timeout", "stream", "timeout",
    }
)  # fmt: skip
MAX_ACTOR: Final = 200
_VARIABLE: Final = re.compile(r"[A-Z_][A-Z0-9_]*")


@dataclass(frozen=True)
class Spec:
    """One setting: its dotted key and the variable that sets it."""

    key: str
    variable: str | None = None
    kind: Kind = "text"
    in_file: bool = True
    """Whether it may stand in `config.toml`; keys and places of a machine may not."""
    secret: bool = False


SETTINGS: Final = (
    Spec("home", "SMRITI_HOME", in_file=False),
    Spec("database.url", "SMRITI_DATABASE_URL"),
    Spec("actor", "SMRITI_ACTOR"),
    Spec("space", "SMRITI_SPACE", in_file=False),
    Spec("chat.model", "SMRITI_CHAT_MODEL"),
    Spec("background.model", "SMRITI_BACKGROUND_MODEL"),
    Spec("api_base", "SMRITI_API_BASE", in_file=False),
    Spec("api_key", "SMRITI_API_KEY", in_file=False, secret=True),
    Spec("provider.timeout_s", "SMRITI_TIMEOUT_S", "number"),
    Spec("provider.retries", "SMRITI_RETRIES", "integer"),
    Spec("ui.theme", "SMRITI_THEME"),
    Spec("ui.glyphs", "SMRITI_GLYPHS"),
    Spec("ui.motion", "SMRITI_MOTION", "switch"),
    Spec("ui.mouse", "SMRITI_MOUSE", "switch"),
    Spec("log.level", "SMRITI_LOG"),
)


def from_text(kind: Kind, text: str) -> object:
    """`text` in the type of its setting; unchanged where it does not fit: the check names it."""
    if kind == "switch":
        found = switch(text)
        return text if found is None else found
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
    except ValueError:
        return text
    return text


def http_url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("should be a URL that begins with http:// or https://")
    return text


def actor_name(text: str) -> str:
    """It stands in listings and exports: of several lines it could pretend to be more than a
    name."""
    control = any(unicodedata.category(sign) == "Cc" for sign in text)
    if control or len(text.splitlines()) > 1 or len(text) > MAX_ACTOR:
        raise ValueError(f"should be one line of at most {MAX_ACTOR} characters")
    return text


def database_url(text: str) -> str:
    scheme, found, _ = text.partition("://")
    if found and scheme.split("+")[0] not in DATABASE_SCHEMES:
        raise ValueError("should be a file path, sqlite:///PATH or postgresql+psycopg://HOST/NAME")
    return text


def variable_name(text: str) -> str:
    if not _VARIABLE.fullmatch(text):  # a key pasted here has small letters or dashes
        raise ValueError("should be the name of an environment variable (A-Z, 0-9, _), not a key")
    return text


def alias_name(text: str) -> str:
    if text == "demo" or text.startswith("demo/") or text != text.strip() or not text.isprintable():
        raise ValueError("should be a printable name other than demo, which is built in")
    return text


def free_params(params: dict[str, JsonValue]) -> dict[str, JsonValue]:
    owned = sorted(OWNED_PARAMS & params.keys())
    if owned:
        raise ValueError(f"must not hold {', '.join(owned)}: the program sets it")
    json.dumps(params, allow_nan=False)
    return params


HttpUrl = Annotated[str, AfterValidator(http_url)]
Positive = Annotated[int, Field(gt=0)]
_FROZEN: Final = ConfigDict(
    frozen=True, strict=True, extra="forbid", hide_input_in_errors=True, str_strip_whitespace=True
)


class Group(BaseModel):
    model_config = _FROZEN


class DatabaseGroup(Group):
    url: Annotated[str, AfterValidator(database_url)] | None = Field(default=None, repr=False)


class ModelChoice(Group):
    model: str | None = None


class ProviderGroup(Group):
    timeout_s: float = Field(default=60.0, gt=0, le=3600)
    retries: int = Field(default=2, ge=0, le=10)


class UiGroup(Group):
    theme: str = DEFAULT_THEME
    glyphs: Glyphs = "full"
    motion: bool = True
    mouse: bool = True


class LogGroup(Group):
    level: Literal["debug", "info", "warning", "error"] = "info"


class ModelEntry(Group):
    """One `[[models]]` entry. Its key goes to its own `api_base` and nowhere else."""

    model: str = Field(min_length=1)
    """litellm's name of the model."""
    alias: Annotated[str, Field(min_length=1), AfterValidator(alias_name)] | None = None
    api_base: HttpUrl | None = Field(default=None, repr=False)
    api_key_env: Annotated[str, AfterValidator(variable_name)] | None = None
    """The variable that holds the key; the key itself is never written in the file."""
    context_tokens: Positive | None = None
    reply_tokens: Positive | None = None
    params: Annotated[dict[str, JsonValue], AfterValidator(free_params)] = Field(
        default_factory=dict, repr=False
    )

    @property
    def name(self) -> str:
        """What the person calls it: the alias, else the model's own name."""
        return self.alias or self.model


class Settings(BaseSettings):
    """All values merged; `config` builds it from its layers, never from pydantic's own sources."""

    model_config = SettingsConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        hide_input_in_errors=True,
        str_strip_whitespace=True,
    )

    home: str | None = None
    actor: Annotated[str, AfterValidator(actor_name)] | None = None
    space: str | None = None
    api_base: HttpUrl | None = Field(default=None, repr=False)
    api_key: SecretStr | None = None
    database: DatabaseGroup = DatabaseGroup()
    chat: ModelChoice = ModelChoice()
    background: ModelChoice = ModelChoice()
    provider: ProviderGroup = ProviderGroup()
    ui: UiGroup = UiGroup()
    log: LogGroup = LogGroup()
    models: tuple[ModelEntry, ...] = ()
    keys: dict[str, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)
