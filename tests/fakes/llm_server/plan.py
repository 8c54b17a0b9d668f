"""What a scenario is and what it produces: a `Plan`, which each wire format renders."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any


@dataclasses.dataclass
class Plan:
    """One reply, independent of the wire format."""

    pieces: Iterable[str] = ()  # text deltas, in order
    reasoning: Iterable[str] = ()  # reasoning deltas sent before the text
    tool_calls: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    delay: float = 0.0  # seconds before each piece
    first_delay: float = 0.0  # seconds before the response headers
    headers_delay: float = 0.0  # seconds between the headers and the first piece
    finish: str = "stop"  # stop | length | content_filter | tool_calls
    status: int = 200
    error_type: str = ""
    error_message: str = ""
    error_code: str | None = None
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    raw_body: bytes | None = None  # sent as it is instead of any format
    raw_type: str = "application/json"
    # faults
    drop_after: int | None = None  # abort the connection after that many pieces (no clean end)
    stall_after: int | None = (
        None  # after that many pieces, say nothing more (keep the connection open)
    )
    stop_after: int | None = (
        None  # clean end of the body after that many pieces: no finish, no [DONE]
    )
    garbage_after: int | None = None  # a malformed SSE data line after that many pieces
    error_after: int | None = None  # an error object inside the stream after that many pieces
    never_answer: bool = False  # accept the request, never send a byte
    reset: bool = False  # close at once, with no response
    ignore_stream: bool = False  # answer with one JSON body although a stream was asked for
    send_usage: bool = True
    usage_only: bool = False  # end with a chunk without choices and empty deltas, no finish reason
    empty_choices: bool = False  # no choice (no content block) in any chunk


@dataclasses.dataclass
class Call:
    """A model call as the scenario sees it."""

    model: str
    scenario: str
    params: dict[str, str]
    messages: list[dict[str, str]]  # role and plain text, system included
    body: dict[str, Any]
    nth: int  # 1 for the first call to that model name, 2 for the next...

    def text_of_last(self, role: str) -> str:
        return next((m["content"] for m in reversed(self.messages) if m["role"] == role), "")

    def num(self, key: str, default: float) -> float:
        try:
            return float(self.params.get(key, default))
        except ValueError:
            return default

    def integer(self, key: str, default: int) -> int:
        return int(self.num(key, default))


Scenario = Callable[[Call], Plan]


class ScenarioTable(Mapping[str, tuple[Scenario, str]]):
    """Scenarios by name, each with a line about it; filled by the `add` decorator."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[Scenario, str]] = {}

    def add(self, name: str, about: str) -> Callable[[Scenario], Scenario]:
        def keep(function: Scenario) -> Scenario:
            self._entries[name] = (function, about)
            return function

        return keep

    def __getitem__(self, name: str) -> tuple[Scenario, str]:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def cut(text: str, size: int = 4) -> list[str]:
    """Cuts text into deltas of about one token."""
    return [text[i : i + size] for i in range(0, len(text), size)] or [""]


def words(count: int) -> list[str]:
    greek = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi"
    vocabulary = greek.split()
    return [
        vocabulary[i % len(vocabulary)] + (".\n\n" if i % 40 == 39 else " ") for i in range(count)
    ]


def paced(call: Call, text: str | list[str], **more: Any) -> Plan:
    """A plan with the common parameters chunk, delay_ms and first_ms applied."""
    pieces = text if isinstance(text, list) else cut(text, max(1, call.integer("chunk", 4)))
    plan = Plan(
        pieces=pieces,
        delay=call.num("delay_ms", 0) / 1000,
        first_delay=call.num("first_ms", 0) / 1000,
    )
    return dataclasses.replace(plan, **more) if more else plan


def failure(
    status: int, error_type: str, message: str, code: str | None = None, **more: Any
) -> Plan:
    return Plan(
        status=status, error_type=error_type, error_message=message, error_code=code, **more
    )
