"""What a model name tells by itself: demo or not, whose it is, where its key usually stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

DEMO_SCRIPTED = "demo/scripted"
DEMO_CONTRARIAN = "demo/contrarian"
DEMO_NAMES = (DEMO_SCRIPTED, DEMO_CONTRARIAN)
_SHORT_DEMO = "demo"


@dataclass(frozen=True)
class ProviderEntry:
    """The usual environment variables of one provider."""

    key_variables: tuple[str, ...] = ()
    """The first one that is set counts; none: the provider takes no key."""
    base_variables: tuple[str, ...] = ()

    @property
    def needs_key(self) -> bool:
        return bool(self.key_variables)


def _keyed(name: str) -> ProviderEntry:
    return ProviderEntry((f"{name}_API_KEY",), (f"{name}_API_BASE", f"{name}_BASE_URL"))


PROVIDERS: Mapping[str, ProviderEntry] = MappingProxyType(
    {
        "openai": ProviderEntry(("OPENAI_API_KEY",), ("OPENAI_BASE_URL", "OPENAI_API_BASE")),
        "anthropic": ProviderEntry(
            ("ANTHROPIC_API_KEY",), ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE")
        ),
        "openrouter": _keyed("OPENROUTER"),
        "gemini": ProviderEntry(("GEMINI_API_KEY", "GOOGLE_API_KEY"), ("GEMINI_API_BASE",)),
        "azure": _keyed("AZURE"),
        "mistral": _keyed("MISTRAL"),
        "groq": _keyed("GROQ"),
        "deepseek": _keyed("DEEPSEEK"),
        "xai": _keyed("XAI"),
        "cohere": ProviderEntry(("COHERE_API_KEY", "CO_API_KEY"), ("COHERE_API_BASE",)),
        "perplexity": ProviderEntry(("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY")),
        "together_ai": ProviderEntry(("TOGETHERAI_API_KEY", "TOGETHER_API_KEY")),
        "fireworks_ai": ProviderEntry(("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY")),
        "cerebras": _keyed("CEREBRAS"),
        "nvidia_nim": _keyed("NVIDIA_NIM"),
        "huggingface": ProviderEntry(("HUGGINGFACE_API_KEY", "HF_TOKEN")),
        "ollama": ProviderEntry((), ("OLLAMA_API_BASE",)),
        "ollama_chat": ProviderEntry((), ("OLLAMA_API_BASE",)),
        "lm_studio": ProviderEntry((), ("LM_STUDIO_API_BASE",)),
        "hosted_vllm": ProviderEntry((), ("HOSTED_VLLM_API_BASE",)),
    }
)

# Names that people type without a provider in front.
_BARE_PREFIXES = (
    ("gpt-", "openai"),
    ("chatgpt-", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("claude-", "anthropic"),
    ("gemini-", "gemini"),
    ("mistral-", "mistral"),
    ("deepseek-", "deepseek"),
)


def resolve(name: str) -> str:
    """The full model name: white space dropped, `demo` written out."""
    name = name.strip()
    return DEMO_SCRIPTED if name == _SHORT_DEMO else name


def is_demo(name: str) -> bool:
    return resolve(name) in DEMO_NAMES


def provider_of(name: str) -> str:
    """The provider's word of a model name, "" where the name does not tell."""
    name = resolve(name)
    if "/" in name:
        return name.split("/", 1)[0]
    return next((provider for start, provider in _BARE_PREFIXES if name.startswith(start)), "")


def entry_of(name: str) -> ProviderEntry | None:
    """The entry of a model's provider, None for one that is not in the table."""
    return PROVIDERS.get(provider_of(name))


def key_variables(name: str) -> tuple[str, ...]:
    """The usual key variables of a model's provider, first choice first."""
    entry = entry_of(name)
    if entry is not None:
        return entry.key_variables
    provider = provider_of(name)
    return (f"{provider.upper().replace('-', '_')}_API_KEY",) if provider else ()


def base_variables(name: str) -> tuple[str, ...]:
    """The usual variables for the base URL of a model's provider."""
    entry = entry_of(name)
    return entry.base_variables if entry is not None else ()


def needs_key(name: str) -> bool:
    """Whether a call without key and without a base URL of its own cannot succeed."""
    entry = entry_of(name)
    return entry is not None and entry.needs_key
