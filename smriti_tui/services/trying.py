"""Trying a model: one tiny real call that tells how long each step took, or why it failed.

Nothing of it is stored: no turn, no request, no answer. No step holds a key, whatever the provider
said.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from time import monotonic

from smriti_tui.domain.clean import clean
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.model import Cost, Message, Usage
from smriti_tui.providers.base import Finished, Loading, ModelCall, ReasoningDelta, TextDelta
from smriti_tui.providers.keys import Scrubber
from smriti_tui.services.models import ModelChoice, Provider, Resolve

__all__ = [
    "Asking",
    "Fault",
    "FirstToken",
    "Loading",
    "Tried",
    "TryService",
    "TryStep",
    "Waiting",
]

QUESTION = "Say hello in one word."
MOST_TOKENS = 64
"""Enough for a word; a model that thinks first may use them all up, which is told apart."""
MOST_WAIT_S = 30.0
ABOUT_KEYS = ("auth", "permission", "quota")
_WORDS_KEPT = 200


@dataclass(frozen=True)
class Asking:
    """The call is being made: who is asked, by what name, where, with whose key."""

    model: str
    place: str
    """Empty for the provider's own place."""


@dataclass(frozen=True)
class Waiting:
    """The provider is asked and has not said a word yet; loading may still come in between."""


@dataclass(frozen=True)
class FirstToken:
    """The first piece came, `after_ms` after the provider was asked."""

    after_ms: int


@dataclass(frozen=True)
class Fault:
    """Why it failed. All texts are cleaned and free of keys."""

    kind: str
    """A word of `ProviderError.KINDS`."""
    message: str
    hint: str
    status: int | None = None


@dataclass(frozen=True)
class Tried:
    """The last step. `fault` is None where the model answered."""

    model: str
    """The model's own name, whatever it is called in the settings."""
    first_ms: int | None = None
    total_ms: int = 0
    """From asking to the end; without the time that loading the library took."""
    said: str = ""
    """The first words of the answer, on any number of lines."""
    only_thought: bool = False
    """It used its few tokens up without a word, as models that think first do."""
    usage: Usage | None = None
    cost: Cost | None = None
    fault: Fault | None = None


TryStep = Asking | Loading | Waiting | FirstToken | Tried


@dataclass(frozen=True)
class TryService:
    """Makes the call through the same provider process as a send."""

    provider: Provider
    resolve: Resolve
    secrets: Callable[[], Iterable[str]] = tuple
    """Every key that the settings hold: none of them gets into a step."""

    async def run(self, name: str | None) -> AsyncGenerator[TryStep, None]:
        """Yields what happens and ends with `Tried`; closing it closes the connection."""
        try:
            choice = self.resolve(name)
        except ProviderError as error:
            yield Tried(name or "", fault=self._fault(error))
            return
        trial = _Trial(choice)
        yield Asking(choice.model, self._clean(choice.api_base or "", ()))
        yield Waiting()
        try:
            async with aclosing(self.provider.stream(trial.call())) as chunks:
                async for chunk in chunks:
                    for step in trial.take(chunk):
                        yield step
        except ProviderError as error:
            yield trial.failed(self._fault(error, choice))
            return
        yield trial.ended(self._clean)

    def _fault(self, error: ProviderError, choice: ModelChoice | None = None) -> Fault:
        status = error.details.get("status")
        keys = (choice.api_key,) if choice else ()
        hint = self._clean(error.hint, keys)
        if choice is not None and choice.key_variable and error.kind in ABOUT_KEYS:
            # An entry may have a variable of its own, which the usual hint does not know.
            hint = f"The key came from {choice.key_variable}: check it. {hint}"
        return Fault(
            error.kind,
            self._clean(error.message, keys),
            hint,
            status if isinstance(status, int) else None,
        )

    def _clean(self, text: str, keys: Iterable[str | None]) -> str:
        scrubber = Scrubber()
        for secret in (*self.secrets(), *keys):
            scrubber.learn(secret)
        return clean(scrubber.scrub(text))


class _Trial:
    """One call under way: its clock and what has come."""

    def __init__(self, choice: ModelChoice) -> None:
        self._choice = choice
        self._asked = monotonic()
        self._first_ms: int | None = None
        self._text: list[str] = []
        self._end: Finished | None = None

    def call(self) -> ModelCall:
        """A few tokens, no second try: the first fault is what the person wants to read."""
        choice = self._choice
        return ModelCall(
            model=choice.model,
            messages=(Message("user", QUESTION),),
            max_tokens=MOST_TOKENS,
            api_base=choice.api_base,
            api_key=choice.api_key,
            params=choice.params,
            timeout_s=min(choice.timeout_s, MOST_WAIT_S),
            retries=0,
        )

    def take(self, chunk: object) -> Iterable[TryStep]:
        """The steps that a chunk stands for."""
        if isinstance(chunk, Loading):
            self._asked = monotonic()  # The provider is asked only when the library is there.
            return (Waiting(),) if chunk.ready else (chunk,)
        steps: list[TryStep] = []
        if isinstance(chunk, TextDelta | ReasoningDelta) and self._first_ms is None:
            self._first_ms = self._ms()
            steps.append(FirstToken(self._first_ms))
        if isinstance(chunk, TextDelta) and sum(map(len, self._text)) < _WORDS_KEPT:
            self._text.append(chunk.text)
        if isinstance(chunk, Finished):
            self._end = chunk
        return steps

    def failed(self, fault: Fault) -> Tried:
        """It ended with a fault; used-up tokens are none."""
        tried = Tried(self._choice.model, self._first_ms, self._ms(), fault=fault)
        if fault.kind == "empty" and "limit of the reply" in fault.message:
            return replace(tried, only_thought=True, fault=None)
        return tried

    def ended(self, scrub: Callable[[str, Iterable[str | None]], str]) -> Tried:
        """It ended well, or with nothing at all."""
        end = self._end
        if end is None:
            broken = Fault("cut", "The answer broke off.", "Test it again.")
            return Tried(self._choice.model, self._first_ms, self._ms(), fault=broken)
        said = scrub("".join(self._text)[:_WORDS_KEPT], (self._choice.api_key,))
        return Tried(
            model=self._choice.model,
            first_ms=self._first_ms,
            total_ms=self._ms(),
            said=said,
            only_thought=not said.strip(),
            usage=end.usage,
            cost=end.cost,
        )

    def _ms(self) -> int:
        return round((monotonic() - self._asked) * 1000)
