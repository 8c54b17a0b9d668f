"""An answer's JSON schema on the wire: who is sent one, how it comes back, what a refusal costs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.draft_text import SCHEMA
from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.events import RequestStored
from smriti_tui.providers.base import Retrying
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.providers.faults import Raised, refused_parameter
from smriti_tui.services.answer_form import held_to
from smriti_tui.services.background import Asked, progress
from smriti_tui.store import requests
from tests.fakes.llm_server import FakeLLMServer
from tests.services import asking as setting
from tests.services.asking import Asking, asking_in

pytestmark = pytest.mark.contract

ANSWER = {"title": "A job", "decisions": [{"text": "A job", "turn": 1, "quote": "a job"}]}
TEXT = json.dumps(ANSWER)
TOOL = {
    "text": "", "finish": "tool_calls",
    "tool_calls": [{"name": "json_tool_call", "arguments": TEXT}],
}  # fmt: skip
WHOLE = {
    "type": "json_schema", "json_schema": {"name": "draft", "schema": SCHEMA, "strict": True}
}  # fmt: skip
GPT, CLAUDE = "openai/gpt-4o", "anthropic/claude-sonnet-4-5"
ENTRY = """
[[models]]
alias = "mine"
model = "openai/scripted"
params = { response_format = { type = "json_schema" } }
"""


@contextmanager
def talk(
    folder: Path, process: ProviderProcess, server: FakeLLMServer, model: str
) -> Iterator[Asking]:
    with asking_in(folder, process, server, SMRITI_BACKGROUND_MODEL=model) as asking:
        yield asking


async def drafted(asking: Asking, **more: Any) -> list[object]:
    return [step async for step in asking.services.drafting.draft(asking.session, **more)]


def draft_of(steps: list[object]) -> Drafted:
    assert isinstance(steps[-1], Drafted)
    return steps[-1]


def stored(asking: Asking, step: object) -> RequestStored:
    assert isinstance(step, Asked)
    with asking.services.caller.store.read() as tx:
        return requests.request(tx, step.request).event


def ends(asking: Asking) -> dict[str, str]:
    """How each request ended, by its id."""
    with asking.services.caller.store.read() as tx:
        rows = tx.connection().exec_driver_sql("SELECT id, status FROM request")
        return {str(row[0]): str(row[1]) for row in rows}


@pytest.mark.parametrize(
    ("model", "reply", "sent", "kept"),
    [
        (GPT, {"text": TEXT}, {"response_format": WHOLE}, WHOLE),
        ("openai/gpt-3.5-turbo", {"text": TEXT}, {"response_format": {"type": "json_object"}},
         {"type": "json_object"}),
        ("openai/scripted", {"text": TEXT}, {}, None),
        ("mine", {"text": TEXT}, {"response_format": WHOLE}, WHOLE),
        (CLAUDE, {"text": TEXT}, {"output_format": {"type": "json_schema", "schema": SCHEMA}},
         WHOLE),
        ("anthropic/claude-sonnet-4-20250514", TOOL,
         {"tool_choice": {"type": "tool", "name": "json_tool_call"}}, WHOLE),
        ("anthropic/scripted", {"text": TEXT}, {}, None),
    ],
)  # fmt: skip
async def test_what_the_server_gets_and_what_comes_back(
    tmp_path: Path,
    warm_process: ProviderProcess,
    one_server: FakeLLMServer,
    monkeypatch: pytest.MonkeyPatch,
    model: str,
    reply: dict[str, Any],
    sent: Mapping[str, object],
    kept: object,
) -> None:
    if model == "mine":
        monkeypatch.setattr(setting, "CONFIG", setting.CONFIG + ENTRY)
    with talk(tmp_path, warm_process, one_server, model) as asking:
        await asking.send("make it a job")
        one_server.script(reply)
        steps = await drafted(asking)
        body = one_server.requests()[-1]["body"]
        form = ("response_format", "output_format", "tool_choice")
        assert {name: body[name] for name in form if name in body} == sent
        if "tool_choice" in sent:
            assert body["tools"][0]["input_schema"] == SCHEMA
        draft = draft_of(steps)
        assert [(item.item.text, item.checked.check) for item in draft.items] == [
            ("A job", "found")
        ]
        assert draft.problems == ()
        assert stored(asking, steps[0]).params.get("response_format") == kept
        asking.proved()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (GPT, "Invalid parameter: 'response_format' of type 'json_schema' is not supported."),
        (CLAUDE, "output_format: Extra inputs are not permitted"),
    ],
)
async def test_a_server_that_refuses_the_form_is_asked_once_more_without_it(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, model: str, words: str
) -> None:
    with talk(tmp_path, warm_process, one_server, model) as asking:
        await asking.send("make it a job")
        one_server.script({"status": 400, "message": words})
        one_server.script({"text": TEXT})
        steps = await drafted(asking)
        first, again, second, draft = steps
        assert isinstance(again, Retrying)
        assert words.rstrip(".").replace(". ", "; ") in progress(again)
        one, two = stored(asking, first), stored(asking, second)
        assert (ends(asking)[one.request], ends(asking)[two.request]) == ("failed", "complete")
        assert "response_format" in one.params
        assert "response_format" not in two.params
        assert one.context_sha256 == two.context_sha256
        assert [piece.request for piece in draft_of(steps).pieces] == [two.request]
        bodies = [each["body"] for each in one_server.requests()]
        assert not {"response_format", "output_format"} & bodies[-1].keys()
        assert isinstance(draft, Drafted)
        # It is not asked that way again.
        one_server.script({"text": TEXT})
        assert len(await drafted(asking)) == 2
        assert len(one_server.requests()) == len(bodies) + 1
        asking.proved()


async def test_another_refusal_gets_no_second_try(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    with talk(tmp_path, warm_process, one_server, GPT) as asking:
        await asking.send("make it a job")
        before = len(one_server.requests())
        one_server.script({"status": 400, "message": "temperature must be at most 2"})
        with pytest.raises(ProviderError, match="temperature"):
            await drafted(asking)
        assert len(one_server.requests()) == before + 1


async def test_the_form_that_an_entry_names_is_not_dropped(
    tmp_path: Path,
    warm_process: ProviderProcess,
    one_server: FakeLLMServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = ENTRY.replace("json_schema", "json_object")
    monkeypatch.setattr(setting, "CONFIG", setting.CONFIG + given)
    with talk(tmp_path, warm_process, one_server, GPT) as asking:
        await asking.send("make it a job")
        one_server.script({"status": 400, "message": "response_format is not supported"})
        with pytest.raises(ProviderError, match="response_format"):
            await drafted(asking, model="mine")
        body = one_server.requests()[-1]["body"]
        assert (body["model"], body["response_format"]) == ("scripted", {"type": "json_object"})


async def test_what_a_model_can_be_held_to_is_asked_once(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    with talk(tmp_path, warm_process, one_server, GPT) as asking:
        limits = asking.services.drafting.background.limits
        choice = asking.services.drafting.background.resolve(None)
        assert await limits.form(choice) == "schema"
        assert limits.store.side.model_form("openai/gpt-4o") == "schema"
        assert (await limits.ask(choice)).source == "library"
        object.__setattr__(limits, "provider", None)
        assert await limits.form(choice) == "schema"


def test_without_a_schema_nothing_is_added() -> None:
    assert held_to(None, "title", "schema", {}) == {}
    assert held_to({}, "draft", "none", {}) == {}
    assert held_to({}, "draft", "schema", {"response_format": {"type": "text"}}) == {}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("Invalid parameter: 'response_format' of type 'json_schema' is not supported", True),
        (
            "UnsupportedParamsError: o1 does not support: ['response_format']",
            True,
        ),
        ("output_config.format: Extra inputs are not permitted", True),
        ("tool_choice: forced tool use is not supported", True),
        ("This model does not support tools", True),
        ('Unknown name "responseSchema" at generation_config', True),
        ("Structured outputs are not available", True),
        ("temperature must be at most 2", False),
        ("max_tokens is too large: 128000", False),
        ("messages: at least one message is required", False),
    ],
)
def test_a_refusal_names_the_form_in_many_words(words: str, named: bool) -> None:
    raised = Raised(400, ("BadRequestError",), words)
    assert refused_parameter(raised, {"response_format": {}}) == (
        "response_format" if named else None
    )
    assert refused_parameter(raised, {}) is None
    assert refused_parameter(raised, {"temperature": 3}) == (
        "temperature" if "temperature" in words else None
    )
