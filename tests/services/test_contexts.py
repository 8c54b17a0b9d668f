"""What a model was told: rebuilt byte for byte, and whatever was changed since is named."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from smriti_tui.domain.context import context_sha256
from smriti_tui.domain.errors import Conflict, ContextMoved, Invalid, NotFound
from smriti_tui.domain.ids import CheckpointId, SessionId
from smriti_tui.services import Services
from smriti_tui.services.answers import Ask, begin
from smriti_tui.services.contexts import Verdict
from smriti_tui.services.mentions import WrittenOut
from tests.services.asking import Asking, Beside, prove
from tests.store.damage import unguarded
from tests.support import content, ended, send

pytestmark = pytest.mark.contract


async def fill(services: Services, answers: int, sessions: int) -> int:
    """Sessions with mounts, checkpoints, retries and two models; how many answers there are."""
    space = services.spaces.create("alpha").id
    saved: list[CheckpointId] = []
    count = 0
    for _ in range(sessions):
        session = services.sessions.new(space).id
        for n in itertools.count():
            if n * sessions >= answers:
                break
            model = "demo/scripted" if n % 3 else "demo/contrarian"
            await send(
                services, session, f"question {n} [/x] ü漢", model=model, scope=1 + n % 2 * 2
            )
            count += 1
            if n % 7 == 3:
                await ended(services.chat.retry(session))
                count += 1
            if n % 10 == 5:
                given = content(f"state {n}", f"decided {n}")
                place = services.contexts.view(session)
                branch = f"b{len(saved)}" if place.line.line > 1 else None
                try:
                    made = services.checkpoints.create(space, given, session=session, branch=branch)
                except Conflict:
                    continue
                saved.append(made.checkpoint.id)
            if n % 12 == 8 and saved:
                services.sessions.mount(session, saved[n % len(saved)])
            if n % 12 == 11 and services.sessions.get(session).current_line > 1:
                services.sessions.unmount(session)
    return count


async def verified(services: Services, answers: int, sessions: int) -> None:
    count = await fill(services, answers, sessions)
    verdicts = list(services.contexts.verify())
    assert len(verdicts) == count >= answers
    assert [verdict for verdict in verdicts if verdict.reason] == []
    assert len({(verdict.session, verdict.answer) for verdict in verdicts}) == count
    assert services.log.verify().difference is None


async def test_contexts_are_rebuilt_byte_for_byte(services: Services) -> None:
    await verified(services, 120, 5)


@pytest.mark.soak
async def test_a_thousand_contexts_are_rebuilt_byte_for_byte(services: Services) -> None:
    await verified(services, 1000, 20)


# ---- tampering -----------------------------------------------------------------------------------


@pytest.fixture
async def told(services: Services) -> tuple[Services, SessionId]:
    """Three answers: the first two see no state, the third sees a checkpoint."""
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    await send(services, session, "first")
    await send(services, session, "second")
    services.checkpoints.create(space, content("state", "decided"))
    await send(services, session, "third")
    assert [verdict.answer for verdict in services.contexts.verify()] == [2, 4, 6]
    return services, session


def tamper(services: Services, sql: str) -> None:
    with unguarded(services.caller.store) as connection:
        connection.execute(sql)


def broken(services: Services, session: SessionId | None = None) -> list[int]:
    return [verdict.answer or 0 for verdict in services.contexts.verify(session) if verdict.reason]


STORED = "(SELECT version FROM request WHERE answer = 4)"
CASES: dict[str, tuple[str, list[int]]] = {
    "a question": ("UPDATE turn SET content = 'other' WHERE sequence_number = 3", [4, 6]),
    "an answer": ("UPDATE turn SET content = 'other' WHERE sequence_number = 4", [6]),
    "a turn's role": ("UPDATE turn SET role = 'system' WHERE sequence_number = 2", [4, 6]),
    "a turn is gone": ("DELETE FROM turn WHERE sequence_number = 1", [2, 4, 6]),
    "a text": ("UPDATE stream_text SET text = 'x' WHERE text LIKE '%decided%'", [6]),
    "a text is gone": ("DELETE FROM stream_text WHERE text LIKE '%decided%'", [6]),
    "a request's event": (
        f"UPDATE event SET payload = replace(payload, '\"scope\":1', '\"scope\":3') "
        f"WHERE version = {STORED} AND type = 'request.stored'",
        [4],
    ),
    "a request's event is no JSON": (
        f"UPDATE event SET payload = '{{' WHERE version = {STORED} AND type = 'request.stored'",
        [4],
    ),
    "a request's event is gone": (
        f"DELETE FROM event WHERE version = {STORED} AND type = 'request.stored'",
        [4],
    ),
    "a request's row leads elsewhere": (
        "UPDATE request SET version = (SELECT version FROM request WHERE answer = 2) "
        "WHERE answer = 4",
        [4],
    ),
    "a request's row leads to no event": ("UPDATE request SET version = 1 WHERE answer = 4", [4]),
    "a request's hash": ("UPDATE request SET context_sha256 = 'x' WHERE answer = 4", [4]),
    "a request's model": ("UPDATE request SET model = 'x' WHERE answer = 4", [4]),
    "a request's answer": ("UPDATE request SET answer = 2 WHERE answer = 4", [4]),
    "a request's row is gone": ("DELETE FROM request WHERE answer = 4", [4]),
    "an answer's hash": ("UPDATE turn SET context_sha256 = 'x' WHERE sequence_number = 4", [4]),
    "an answer's request": (
        "UPDATE turn SET request = (SELECT request FROM turn WHERE sequence_number = 2) "
        "WHERE sequence_number = 4",
        [4],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_what_was_changed_is_named_by_its_answer(
    told: tuple[Services, SessionId], name: str
) -> None:
    services, session = told
    sql, expected = CASES[name]
    tamper(services, sql)
    found = broken(services)
    assert sorted(set(found)) == expected
    assert broken(services, session) == found
    if name != "a turn is gone":
        assert len(list(services.contexts.verify())) >= 3
    assert services.log.verify().difference is not None


async def test_verify_of_one_session_looks_at_no_other(services: Services) -> None:
    one, two = services.sessions.new_fresh().id, services.sessions.new_fresh().id
    await send(services, one, "hello")
    await send(services, two, "hello")
    verdicts: Iterator[Verdict] = services.contexts.verify(one)
    assert [(verdict.session, verdict.answer) for verdict in verdicts] == [(one, 2)]


# ---- what is seen is what is sent ----------------------------------------------------------------


async def test_the_preview_is_the_request_and_the_stored_context(asking: Asking) -> None:
    asking.services.checkpoints.create(asking.space, content("state", "decided"))
    await asking.send("first")
    preview = asking.services.chat.preview(asking.session, "second", model="openai/echo")
    asked = await asking.send("second", seen=preview.basis)
    sent = [{"role": m.role, "content": m.content} for m in preview.context.messages]
    assert asking.received == sent
    stored = asking.services.contexts.stored(asking.session, asked.turn.sequence_number)
    assert stored.messages == preview.context.messages
    assert stored.verified
    assert stored.sha256 == preview.context.sha256 == context_sha256(stored.messages)
    assert asked.turn.context_sha256 == stored.sha256


async def test_the_other_protocol_gets_the_same_messages(asking: Asking) -> None:
    """DESIGN section 4, 5: switching the provider changes nothing but the model."""
    asking.services.checkpoints.create(asking.space, content("state", "decided [/x] ü"))
    texts = ["eins", "zwei \x1b[31m", "drei 漢字"]
    await asking.send(texts[0], "openai/echo")
    await asking.send(texts[1], "anthropic/echo")
    for number, wire in enumerate(("openai", "anthropic", "openai")):
        asked = await asking.send(texts[2], f"{wire}/echo:id={number}")
        stored = asking.services.contexts.stored(asking.session, asked.turn.sequence_number)
        got = asking.server.requests()[-1]
        assert got["format"] == wire
        assert got["messages"] == [{"role": m.role, "content": m.content} for m in stored.messages]
        assert stored.request.event.model == f"{wire}/echo:id={number}"
        if number < 2:
            asking.services.sessions.mount(
                asking.session, asking.services.checkpoints.of_space(asking.space)[0].id
            )
            asking.services.sessions.unmount(asking.session)
    first, second, third = asking.server.requests()[2:]
    for earlier, later in ((first, second), (second, third)):
        assert later["messages"][: len(earlier["messages"])] == earlier["messages"]
    asking.proved()


async def test_a_mount_starts_anew_over_both_protocols(asking: Asking) -> None:
    saved = asking.services.checkpoints.create(asking.space, content("state", "decided"))
    received = []
    await asking.send("outside")
    for wire in ("openai", "anthropic"):
        asking.services.sessions.mount(asking.session, saved.checkpoint.id)
        await asking.send("inside", f"{wire}/echo")
        received.append(asking.received)
        asking.services.sessions.unmount(asking.session)
    assert received[0] == received[1]
    assert [message["role"] for message in received[0]] == ["system", "user"]


# ---- moved while somebody looked -------------------------------------------------------------


async def test_a_send_of_what_is_no_longer_so_is_refused_and_says_what_came(
    services: Services,
) -> None:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    seen = services.chat.preview(session, "hello").basis
    saved = services.checkpoints.create(space, content("state")).checkpoint
    with pytest.raises(ContextMoved, match=saved.id[:7]):
        await send(services, session, "hello", seen=seen)
    assert services.sessions.turns(session) == []
    seen = services.chat.preview(session, "hello").basis
    services.sessions.mount(session, saved.id)
    with pytest.raises(ContextMoved, match="mounted"):
        await send(services, session, "hello", seen=seen)
    seen = services.chat.preview(session, "hello").basis
    await send(services, session, "other")
    with pytest.raises(ContextMoved, match="turn 2"):
        await send(services, session, "hello", seen=seen)
    await ended(services.chat.retry(session))
    seen = services.chat.preview(session, "hello").basis
    services.chat.choose(session, 2)
    with pytest.raises(ContextMoved, match="chosen"):
        await send(services, session, "hello", seen=seen)
    assert (await send(services, session, "hello")).status == "complete"
    prove(services)


async def test_a_checkpoint_made_from_the_mounted_line_meanwhile_is_noticed_under_the_lock(
    services: Services,
) -> None:
    """It writes nothing into the session's stream, yet moves the floor."""
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    saved = services.checkpoints.create(space, content("state")).checkpoint
    services.sessions.mount(session, saved.id)
    await send(services, session, "hello")
    limit = services.chat.limits.known(services.chat.resolve(None))
    for title in ("next", "and next"):
        prepared = services.contexts.prepare(session, limit, message="go on")
        services.checkpoints.create(space, content(title), session=session)
        ask = Ask("demo/scripted", {}, "go on", "go on")
        begun = begin(services.caller, prepared, ask)
        assert begun is None
    await send(services, session, "go on")
    stored = services.contexts.stored(session, 4)
    assert "and next" in stored.messages[0].content
    assert [message.content for message in stored.messages[1:]] == ["go on"]


async def test_asking_again_never_asks_a_question_that_another_one_followed(
    services: Services, beside: Beside
) -> None:
    session = services.sessions.new_fresh().id
    await send(services, session, "mine")
    with beside(actor="bob") as other:
        steps = services.chat.retry(session)
        found = services.chat._last_question(session)
        assert found == 1
        await send(other, session, "theirs")
        choice = services.chat.resolve(None)
        limit = services.chat.limits.known(choice)
        with pytest.raises(ContextMoved, match="another question"):
            services.chat._begin(session, None, WrittenOut(""), 1, choice, limit, 1, None, None)
        await steps.aclose()
    assert [turn.text[:6] for turn in services.sessions.turns(session)][::2] == ["mine", "theirs"]


# ---- refused before anything is stored -------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n\t", "\0"])
async def test_a_blank_message_is_refused(services: Services, text: str) -> None:
    session = services.sessions.new_fresh().id
    before = services.log.last_position()
    with pytest.raises(Invalid):
        await send(services, session, text)
    assert services.log.last_position() == before


async def test_contexts_of_what_is_no_answer(services: Services) -> None:
    session = services.sessions.new_fresh().id
    await send(services, session, "hello")
    for number in (1, 3, 0):
        with pytest.raises(NotFound):
            services.contexts.stored(session, number)


async def test_a_long_talk_keeps_its_newest_turns_and_counts_the_rest(services: Services) -> None:
    """The window of an unknown model is 8,192, and says that it is assumed."""
    session = services.sessions.new_fresh().id
    for n in range(60):
        await send(services, session, f"question {n} " + "long words " * 40)
    prepared = services.chat.preview(session, "now?", model="ollama/unknown")
    context = prepared.context
    assert (context.limit.tokens, context.limit.source) == (8192, "assumed")
    assert context.limit.reserve == 2048
    assert context.estimate.tokens <= 8192 - 2048
    first = context.sent[0]
    assert context.sent == tuple(range(first, 122))
    assert first > 1
    assert first % 2 == 1
    [left] = [entry for entry in context.left_out if entry.what == "turns"]
    assert (left.first, left.last, left.reason) == (1, first - 1, "window")
    turns = [segment for segment in context.segments if segment.kind == "turns"]
    assert [(segment.first, segment.last) for segment in turns] == [(first, 121)]
    tokens = sum(segment.tokens for segment in context.segments)
    assert context.estimate.tokens >= tokens > 4000


# ---- windows -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "tokens", "source", "reserve"),
    [
        ("small", 700, "entry", 100),
        ("big-openai", 2_000_000, "entry", 4096),
        ("demo", 128_000, "demo", 4096),
        ("openai/echo", 8192, "assumed", 2048),
        ("openai/gpt-4o", 128_000, "library", 4096),
    ],
)
async def test_the_window_comes_from_the_entry_the_library_or_is_assumed(
    asking: Asking, model: str, tokens: int, source: str, reserve: int
) -> None:
    asking.server.script({"text": "hi"})
    asked = await asking.send("hello", model)
    event = asking.services.contexts.stored(asking.session, 2).request.event
    assert (event.limit.tokens, event.limit.source) == (tokens, source)
    assert event.limit.reserve == event.params["max_tokens"] == reserve
    if model != "demo":
        assert asking.server.requests()[-1]["body"]["max_tokens"] == reserve
    assert asked.turn.status == "complete"
    # What was asked once is known without asking.
    known = asking.services.chat.limits.known(asking.services.chat.resolve(model))
    assert known == event.limit


async def test_a_small_window_keeps_the_newest_whole_turns_on_the_wire(asking: Asking) -> None:
    for n in range(12):
        asking.server.script({"text": f"answer {n} " + "word " * 20})
        await asking.send(f"question {n} " + "word " * 20, "small")
    received = [message["content"].split("word")[0].strip() for message in asking.received]
    assert received[-1] == "question 11"
    assert received[0].startswith("question")
    assert (
        received
        == [text for n in range(12) for text in (f"question {n}", f"answer {n}")][
            23 - len(received) : 23
        ]
    )
    assert 3 <= len(received) < 23
    event = asking.services.contexts.stored(asking.session, 24).request.event
    assert [(e.first, e.last, e.reason) for e in event.left_out] == [
        (1, 23 - len(received), "window")
    ]
    assert event.estimate.tokens <= 600
    asking.proved()
