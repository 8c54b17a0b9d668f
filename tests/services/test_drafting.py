"""Drafts: what the model gets, how its words are checked, and what a bad answer costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.errors import Invalid, ProviderError
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services import Services
from smriti_tui.services.background import Asked
from smriti_tui.services.drafting import DraftStep
from smriti_tui.services.pieces import PieceDone
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import WIRES, Asking, asking_in
from tests.support import content


async def drafted(services: Services, session: Any) -> tuple[list[DraftStep], Drafted]:
    steps = [step async for step in services.drafting.draft(session)]
    assert isinstance(steps[-1], Drafted)
    return steps, steps[-1]


@pytest.fixture
def asking(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> Iterator[Asking]:
    """With a background model whose answers a test writes."""
    background = {"SMRITI_BACKGROUND_MODEL": "openai/scripted"}
    with asking_in(tmp_path, warm_process, one_server, **background) as opened:
        yield opened


def item(text: str, turn: int, quote: str) -> dict[str, object]:
    return {"text": text, "turn": turn, "quote": quote}


async def talked(asking: Asking) -> None:
    """A talk before a checkpoint, and one after it (turns 3 and 4)."""
    await asking.send("canary-one: we write with a single writer")
    given = content("State canary-state", "Decided canary-decision")
    asking.services.checkpoints.create(asking.space, given, session=asking.session)
    await asking.send("canary-two: make the rebuild a job")


@pytest.mark.parametrize("wire", WIRES)
async def test_the_model_gets_the_window_alone_and_every_quote_is_checked(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    with asking_in(
        tmp_path, warm_process, one_server, SMRITI_BACKGROUND_MODEL=f"{wire}/scripted"
    ) as asking:
        await talked(asking)
        answer = {
            "title": "Rebuild as a job", "summary": "The rebuild moves.",
            "decisions": [
                item("It is a job", 3, "make the rebuild a job"),
                item("One writer", 3, "a single writer"),
                item("Cron", 3, "run it from cron"),
            ],
        }  # fmt: skip
        one_server.script({"text": f"Here:\n```json\n{json.dumps(answer)}\n```"})
        steps, draft = await drafted(asking.services, asking.session)
        assert isinstance(steps[0], Asked)
        said = json.dumps(asking.received)
        assert "canary-two" in said
        for word in ("canary-one", "canary-state", "canary-decision"):
            assert word not in said
        assert [(each.item.text, each.checked.check) for each in draft.items] == [
            ("It is a job", "found"), ("One writer", "outside_window"), ("Cron", "not_found"),
        ]  # fmt: skip
        assert (draft.first, draft.last, draft.title) == (3, 4, "Rebuild as a job")
        assert [v.reason for v in asking.services.contexts.verify() if v.reason] == []
        assert asking.services.log.verify().difference is None


@pytest.mark.parametrize("answer", ["Sorry, I can't help with that.", '{"title": "Cut off in the'])
async def test_an_answer_that_is_no_draft_is_kept_and_told(
    asking: Asking, one_server: FakeLLMServer, answer: str
) -> None:
    await talked(asking)
    one_server.script({"text": answer})
    _, draft = await drafted(asking.services, asking.session)
    assert (draft.title, draft.items) == ("", ())
    assert draft.pieces[0].raw == answer
    assert draft.pieces[0].reply is None
    assert len(draft.problems) == 1


async def test_without_turns_or_a_model_no_call_is_made(services: Services) -> None:
    space = services.spaces.create("alpha").id
    session = services.sessions.new(space).id
    with pytest.raises(Invalid, match="nothing was said"):
        await drafted(services, session)


async def test_a_long_talk_is_drafted_in_pieces_that_cover_every_turn(
    asking: Asking, one_server: FakeLLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        await asking.send(f"canary-{number} {'words ' * 30}")
    before = len(one_server.requests())
    for number in range(9):
        one_server.script({"text": json.dumps({"decisions": [f"piece {number}", "the same"]})})
    small = asking.services.drafting.background.limits
    limit = await small.ask(asking.services.drafting.background.resolve(None))
    monkeypatch.setattr(type(small), "ask", lambda *_: _given(type(limit)(900, "entry", 50)))
    steps, draft = await drafted(asking.services, asking.session)
    pieces = [step for step in steps if isinstance(step, PieceDone)]
    assert len(pieces) == len(draft.pieces) > 1
    covered = [n for piece in draft.pieces for n in range(piece.first, piece.last + 1)]
    assert covered == list(range(1, 13))
    assert [each.item.text for each in draft.items].count("the same") == 1
    said = json.dumps([each["messages"] for each in one_server.requests()[before:]])
    assert all(f"canary-{number} " in said for number in range(6))


async def _given(value: Any) -> Any:
    return value


async def test_a_failing_call_changes_nothing(asking: Asking, one_server: FakeLLMServer) -> None:
    await talked(asking)
    one_server.script({"status": 401})
    with pytest.raises(ProviderError, match=r"401|key") as failed:
        await drafted(asking.services, asking.session)
    assert "background.model" in failed.value.hint
    assert "chat.model" not in failed.value.hint
    assert asking.services.sessions.get(asking.session).last_seq == 4
