"""Text of every kind is stored exactly and sent exactly; the one rule of the door is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.model import Artifact
from smriti_tui.domain.values import MAX_PAYLOAD_BYTES
from smriti_tui.services import Services
from smriti_tui.services.logs import StoredEvent
from tests.fakes.llm_server.texts import HOSTILE
from tests.services.asking import WIRES, Asking, prove
from tests.support import content, send

pytestmark = pytest.mark.contract

TEXTS: dict[str, str] = {
    "markup": "[/x] [bold]b[/bold] [@click=app.quit]q[/] [[x]] \\[y] {{z}} %(a)s {b}",
    "escapes": "\x1b[31mred\x1b]0;title\x07 \x9b2J \x7f\x08 back",
    "right to left": "שלום עולם \u202eevil\u202c مرحبا",
    "wide": "漢字 日本語 👩🏽\u200d🚀 🇫🇷 ไทย हिन्दी",
    "combining": "e\u0301 n\u0303 A\u030a\u0323",
    "separators": "a\u2028b\u2029c\x85d\r\ne\rf\tg\ufeffh",
    "JSON-like": '"repaired":{"nul":1} \\u0000 \\ud800 ","text":"x',
    "hostile": HOSTILE.replace("\0", ""),
    "blanks around": "  \n x \n  ",
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("name", TEXTS)
async def test_text_is_stored_and_sent_as_it_was_typed(
    asking: Asking, wire: str, name: str
) -> None:
    text = TEXTS[name]
    asked = await asking.send(text, f"{wire}/echo")
    assert asking.received[-1] == {"role": "user", "content": text}
    assert asked.turn.status == "complete"
    assert [turn.text for turn in asking.turns] == [text, text]
    assert asked.turn.text == asked.arrived == text
    await asking.send("and then?", f"{wire}/echo")
    assert [message["content"] for message in asking.received] == [text, text, "and then?"]
    asking.proved()


@pytest.mark.parametrize("wire", WIRES)
async def test_nul_and_lone_surrogates_follow_one_rule_everywhere(
    asking: Asking, wire: str
) -> None:
    """DESIGN 10.3. What the model got, the tables and the log hold the same text."""
    await asking.send("W\0s\0l\ud800 \udfff.", f"{wire}/echo")
    kept = "Wsl\ufffd \ufffd."
    assert asking.received[-1]["content"] == kept
    assert [turn.text for turn in asking.turns] == [turn.content for turn in asking.turns]
    assert [turn.text for turn in asking.turns] == [kept, kept]
    assert payloads(asking.services, "turn.added")[0]["repaired"] == {"nul": 2, "surrogates": 2}
    asking.proved()


async def test_an_answer_with_nul_is_stored_under_the_same_rule(asking: Asking) -> None:
    asking.server.script({"chunks": ["a\0b", "\0", "c"]})
    asked = await asking.send("hello")
    assert asked.turn.text == "abc"
    assert payloads(asking.services, "answer.ended")[0]["repaired"] == {"nul": 2, "surrogates": 0}
    asking.proved()


async def test_an_answer_of_nothing_but_nul_is_no_text(asking: Asking) -> None:
    asking.server.script({"chunks": ["\0", "\0"]})
    asked = await asking.send("hello")
    assert (asked.turn.status, asked.turn.text, asked.kind) == ("failed", "", "empty")


async def test_a_checkpoint_with_nul_and_surrogates_verifies_and_can_be_told(
    asking: Asking,
) -> None:
    given = replace(
        content("T\0itle \ud83d", "Deci\0sion \udc00"),
        summary="\0sum",
        artifacts=(Artifact("a", "text", "la\0bel", "con\ud800tent"),),
    )
    saved = asking.services.checkpoints.create(asking.space, given).checkpoint
    assert saved.title == "Title \ufffd"
    assert saved.body.decisions[0].text == "Decision \ufffd"
    assert asking.services.checkpoints.get(saved.id).body == saved.body
    stored = payloads(asking.services, "checkpoint.saved")[0]
    assert stored["repaired"] == {"nul": 4, "surrogates": 3}
    await asking.send("go")
    assert "con\ufffdtent" in asking.received[0]["content"]
    asking.proved()


def test_names_with_nul_and_surrogates_break_nothing(services: Services) -> None:
    space = services.spaces.create("a\0b\ud800", description="\udfff", project_root="/x\0y")
    assert (space.name, space.description, space.project_root) == ("ab\ufffd", "\ufffd", "/xy")
    assert services.spaces.change(space.id, description="\ud800").description == "\ufffd"
    session = services.sessions.new(space.id, title="t\0\ud800")
    assert session.title == "t\ufffd"
    prove(services)


@pytest.mark.parametrize("name", ["", " \n ", "\0", "a\nb", "a\rb", "x" * 201])
def test_names_that_are_none_are_refused(services: Services, name: str) -> None:
    with pytest.raises(Invalid):
        services.spaces.create(name)
    assert services.spaces.all() == []
    space = services.spaces.create("alpha")
    session = services.sessions.new(space.id)
    with pytest.raises(Invalid):
        services.sessions.rename(session.id, name)
    with pytest.raises(Invalid):
        services.spaces.change(space.id, name=name)
    title = name if len(name) < 201 else name * 2
    if "\r" not in name:
        with pytest.raises(Invalid):
            services.checkpoints.create(space.id, content(title))
    assert services.checkpoints.of_space(space.id) == []
    assert services.sessions.get(session.id).title == session.title


@pytest.mark.parametrize("wire", WIRES)
async def test_a_message_of_two_megabytes_arrives_whole(asking: Asking, wire: str) -> None:
    text = "All work and no play. " * 95_000 + "END"
    asked = await asking.send(text, f"big-{wire}")
    assert asked.turn.error is None, asked.turn.error
    assert asking.received[-1]["content"] == text
    assert asking.turns[0].text == text
    asking.proved()


async def test_a_message_too_long_for_the_window_is_refused_and_nothing_stored(
    asking: Asking,
) -> None:
    before = asking.services.log.last_position()
    with pytest.raises(Invalid) as caught:
        await asking.send("word " * 10_000)
    assert caught.value.code == "too_long"
    assert asking.services.log.last_position() == before
    assert asking.server.requests() == []
    await asking.send("short")
    assert len(asking.turns) == 2


async def test_a_message_too_large_for_an_event_is_refused_with_the_limit(
    services: Services,
) -> None:
    session = services.sessions.new_fresh().id
    before = services.log.last_position()
    for text in ("x" * (MAX_PAYLOAD_BYTES + 1), "漢" * (MAX_PAYLOAD_BYTES // 5)):
        with pytest.raises(Invalid):
            await send(services, session, text)
    assert services.log.last_position() == before
    assert (await send(services, session, "short")).status == "complete"


def payloads(services: Services, kind: str) -> list[dict[str, object]]:
    events = list(services.log.read(None))
    return [e.body() for e in events if isinstance(e, StoredEvent) and e.type == kind]
