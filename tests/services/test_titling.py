"""A title by the background model: what it is sent, what of its answer is taken, what is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Conflict, Invalid, ProviderError
from smriti_tui.domain.title_text import ASK, MAX_TITLE, PREAMBLE, safe_title
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services import Services
from smriti_tui.services.background import Asked
from smriti_tui.services.titling import Titled, TitleStep
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import WIRES, asking_in, prove
from tests.support import content, opened_services, send

pytestmark = pytest.mark.contract


async def titled(services: Services, session: str) -> list[TitleStep]:
    return [step async for step in services.titling.title(session)]  # type: ignore[arg-type]


async def rest(steps: AsyncIterator[TitleStep]) -> None:
    async for _ in steps:
        pass


def ends(services: Services) -> list[tuple[str, str]]:
    """Status and text of every request that was ended by itself."""
    found = [event.body() for event in services.log.read(None) if hasattr(event, "body")]
    return [(str(b["status"]), str(b["text"])) for b in found if "request" in b and "status" in b]


@pytest.mark.parametrize("wire", WIRES)
async def test_the_model_gets_the_window_and_its_answer_is_made_safe(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    background = f"{wire}/scripted"
    with asking_in(
        tmp_path, warm_process, one_server, SMRITI_BACKGROUND_MODEL=background
    ) as asking:
        services = asking.services
        await asking.send("canary-one?")
        services.checkpoints.create(asking.space, content("S", "D1"), session=asking.session)
        await asking.send("canary-two?")
        one_server.script(
            {"text": '<think>hm</think>\n**Title: "Search \x1b[31m \u202eindex"**\nWhy: x'}
        )
        steps = await titled(services, asking.session)
        assert isinstance(steps[0], Asked)
        assert isinstance(steps[-1], Titled)
        assert services.sessions.get(asking.session).title == "Search index"
        said = [(m["role"], m["content"]) for m in asking.received]
        assert said == [
            ("system", PREAMBLE),
            ("user", "canary-two?"),
            ("assistant", "canary-two?"),
            ("user", ASK),
        ]
        assert ends(services)[-1][0] == "complete"
        await asking.send("three?")
        assert [m["content"] for m in asking.received if m["role"] == "user"] == [
            "canary-two?",
            "three?",
        ]
        prove(services)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"text": "I'm sorry, but I can't help with that."}, "complete"),
        ({"text": '""'}, "complete"),
        ({"text": "", "status": 401}, "failed"),
        ({"scenario": "drop-mid-stream"}, "cut"),
        ({"text": "word " * 2000}, "cut"),
    ],
)
async def test_what_is_no_title_leaves_the_title_alone(
    tmp_path: Path,
    warm_process: ProviderProcess,
    one_server: FakeLLMServer,
    wire: str,
    reply: dict[str, object],
    status: str,
) -> None:
    background = f"{wire}/scripted"
    with asking_in(
        tmp_path, warm_process, one_server, SMRITI_BACKGROUND_MODEL=background
    ) as asking:
        await asking.send("hello?")
        before = asking.services.sessions.get(asking.session).title
        one_server.script(reply)
        with pytest.raises(ProviderError):
            await titled(asking.services, asking.session)
        assert asking.services.sessions.get(asking.session).title == before
        assert ends(asking.services)[-1][0] == status
        prove(asking.services)


async def test_without_a_model_or_a_turn_nothing_is_asked(tmp_path: Path) -> None:
    environ = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}
    with opened_services(tmp_path, environ=environ) as services:
        session = services.sessions.new_fresh().id
        before = services.log.last_position()
        with pytest.raises(Invalid) as empty:
            await titled(services, session)
        assert empty.value.code == "no_turns"
        assert services.log.last_position() == before
        await send(services, session, "Which index do we take for search?")
    with opened_services(tmp_path) as services:
        before = services.log.last_position()
        with pytest.raises(ProviderError) as none:
            await titled(services, session)
        assert none.value.kind == "not_configured"
        assert "SMRITI_BACKGROUND_MODEL" in none.value.hint
        assert "background.model" in none.value.hint
        assert services.log.last_position() == before
        assert services.sessions.get(session).label == "Which index do we take for search?"
    with opened_services(tmp_path, environ=environ) as services:
        await titled(services, session)
        assert services.sessions.get(session).title == "Which index do we take for"


async def test_a_title_that_came_meanwhile_is_named_and_stays(tmp_path: Path) -> None:
    environ = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}
    with opened_services(tmp_path, environ=environ) as services:
        session = services.sessions.new_fresh().id
        await send(services, session, "Which index?")
        steps = services.titling.title(session)
        assert isinstance(await anext(steps), Asked)
        services.sessions.rename(session, "Mine")
        with pytest.raises(Conflict) as caught:
            await rest(steps)
        assert caught.value.code == "renamed"
        assert "Mine" in caught.value.message
        assert services.sessions.get(session).title == "Mine"
        prove(services)


async def test_stopping_ends_the_request_at_every_moment(tmp_path: Path) -> None:
    environ = {"SMRITI_BACKGROUND_MODEL": "demo/scripted"}
    with opened_services(tmp_path, environ=environ) as services:
        session = services.sessions.new_fresh(title="Before").id
        await send(services, session, "Which index?")
        for passes in range(0, 30, 3):
            task = asyncio.create_task(titled(services, session))
            for _ in range(passes):
                await asyncio.sleep(0.0005)
            task.cancel()
            await asyncio.wait([task])
        stored = sum(
            getattr(e, "type", "") == "request.stored"
            for e in services.log.read(f"session/{session}")
        )
        assert len(ends(services)) == stored - 1  # the question's own is ended by its answer
        prove(services)


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("Search index", "Search index"),
        ("# “Search index.”\n\nIt is about", "Search index"),
        ("- *Search* `index`", "Search index"),
        ("Title: [Search](http://x) index", "Search index"),
        ("`snake_case` and 2*3*4 in C++", "snake_case and 2*3*4 in C++"),
        ("```\nSearch index\n```", "Search index"),
        ("<think>long\nthought", ""),
        ("a\u200bb\u202ec\x07d", "abcd"),
        ("खोज सूचकांक।", "खोज सूचकांक"),
        ("«検索エンジン»。", "検索エンジン"),
        ("As an AI, I cannot", ""),
        ("  \n\n", ""),
        ("word " * 40, ("word " * 12).strip()),
        ("x" * 300, "x" * MAX_TITLE),
    ],
)
def test_of_an_answer_one_safe_line_is_taken(answer: str, title: str) -> None:
    assert safe_title(answer) == title
