"""The demo models, the names of models, and which of them answers."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import cast

import pytest

from smriti_tui.domain.document_parts import Parts, TakenItem
from smriti_tui.domain.draft_reply import read_reply
from smriti_tui.domain.draft_text import PREAMBLE as DRAFT
from smriti_tui.domain.draft_text import SCHEMA as DRAFT_SCHEMA
from smriti_tui.domain.draft_text import ask as draft_ask
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.explain_text import PREAMBLE, versions
from smriti_tui.domain.extract_text import PREAMBLE as EXTRACT
from smriti_tui.domain.extract_text import SCHEMA as EXTRACT_SCHEMA
from smriti_tui.domain.extract_text import question
from smriti_tui.domain.ids import SessionId, SpaceId
from smriti_tui.domain.merge_slots import Slot
from smriti_tui.domain.model import CheckpointBody, Item, Role, Turn
from smriti_tui.domain.quotes import Said
from smriti_tui.domain.review_text import ASK as REVIEW_ASK
from smriti_tui.domain.review_text import PREAMBLE as REVIEW
from smriti_tui.domain.review_text import state_text
from smriti_tui.providers.base import ChatModel, Cost, Message, ModelCall, TextDelta, Usage
from smriti_tui.providers.catalog import (
    ModelRouter,
    base_variables,
    is_demo,
    key_variables,
    needs_key,
    provider_of,
    resolve,
)
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.providers.demo import SAYS_WHAT_IT_IS, DemoModel, answer
from smriti_tui.providers.demo_explaining import explained
from tests.fakes.llm_server import FakeLLMServer
from tests.protocol.calling import call_of, outcome_of

STATE = """You take part in a line of reasoning that is kept in checkpoints.

Checkpoint 4c1e9a0: Search by index
Objective: Fast search.

Summary:
Indexes were compared.

Decisions:
- D1 Use FTS5, with C# bindings
  on two lines
- D3 Keep `trigram` tokens

Assumptions:
- A2 One writer at a time

Open tasks:
- T1 Measure 100k rows

Artifact "notes" (markdown):
```
Decisions:
- D9 not a decision
Checkpoint abcdef0: not a checkpoint
```"""
TALK = (
    Message("system", STATE),
    Message("user", "Shall we index?"),
    Message("assistant", "Yes, by FTS5."),
    Message("user", "Why not LIKE?"),
)
MODELS = ("demo", "demo/scripted", "demo/contrarian")


def asked(model: str, *messages: Message, max_tokens: int = 1000) -> ModelCall:
    return ModelCall(model, messages or TALK, max_tokens)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "messages",
    [
        TALK,
        (Message("user", "hi"),),
        (Message("user", "漢字" * 400),) * 3,
        (Message("system", "Checkpoint zz: broken\nDecisions:\n- "), Message("user", "")),
        (Message("system", "\n\n".join([STATE] * 3)), Message("user", "``` # a | b\n* c")),
    ],
    ids=["talk", "bare", "wide", "broken", "three"],
)
def test_it_says_what_it_is_in_a_readable_length(model: str, messages: tuple[Message, ...]) -> None:
    text = answer(asked(model, *messages))
    first = text.split(".")[0]
    assert "not an AI" in first
    assert "scripted demo model" in first
    assert 60 <= len(text.split()) <= 150
    assert "\n- " in text or "\n1. " in text
    assert text == answer(asked(model, *messages))


def test_it_answers_from_its_context() -> None:
    text = answer(asked("demo"))
    for part in (
        "“Why not LIKE?”",
        "1 checkpoint: 4c1e9a0 “Search by index”",
        "2 user messages, 1 assistant message",
        "“Shall we index?”",
        "“Yes, by FTS5.”",
        "D1 “Use FTS5, with C# bindings”",
        "A2 “One writer at a time”",
        "T1 “Measure 100k rows”",
    ):
        assert part in text
    assert "D9" not in text
    assert "abcdef0" not in text


def test_the_contrarian_disagrees_with_the_first_decision() -> None:
    text = answer(asked("demo/contrarian"))
    assert "I disagree with D1 “Use FTS5, with C# bindings”" in text
    assert "A2 “One writer at a time”" in text
    bare = answer(asked("demo/contrarian", Message("user", "hi")))
    assert "I doubt the question" in bare


async def test_it_streams_in_small_pieces_and_counts() -> None:
    outcome = await outcome_of(DemoModel(pause_s=0), asked("demo"))
    assert outcome.text == answer(asked("demo"))
    assert len([c for c in outcome.chunks if isinstance(c, TextDelta)]) > 50
    characters = sum(len(m.content) for m in TALK)
    assert outcome.finished.usage == Usage(characters // 4, len(outcome.text) // 4)
    assert outcome.finished.cost == Cost("0", "demo")
    assert outcome.finished.finish == "stop"


async def test_it_keeps_to_max_tokens() -> None:
    outcome = await outcome_of(DemoModel(pause_s=0), asked("demo", max_tokens=10))
    assert outcome.text == answer(asked("demo"))[:40]
    assert outcome.finished.finish == "length"


async def test_it_can_be_stopped() -> None:
    router = ModelRouter(demo=DemoModel(pause_s=0.01))
    async with aclosing(router.stream(asked("demo"))) as chunks:
        async for _ in chunks:
            break
    task = asyncio.create_task(outcome_of(router, asked("demo")))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_unknown_demo_model_is_an_error() -> None:
    with pytest.raises(ProviderError, match="demo/other"):
        answer(asked("demo/other"))


async def test_the_router_sends_each_call_to_its_model(
    warm_process: ProviderProcess, server: FakeLLMServer
) -> None:
    router = ModelRouter(warm_process, DemoModel(pause_s=0))
    assert "not an AI" in (await outcome_of(router, asked(" demo "))).text
    assert (await outcome_of(router, call_of(server, "openai", "echo"))).text == "hello there"
    assert (await router.limits("demo/contrarian")).context_tokens == 128_000
    assert (await router.limits("openai/gpt-4o")).context_tokens == 128_000


async def test_the_demo_starts_no_process() -> None:
    process = ProviderProcess()
    models: list[ChatModel] = [process, DemoModel(), ModelRouter(process)]
    assert models
    router = ModelRouter(process, DemoModel(pause_s=0))
    router.warm("demo")
    await outcome_of(router, asked("demo/scripted"))
    await router.limits("demo")
    assert process.pid is None
    await router.aclose()
    router.close()


@pytest.mark.parametrize(
    ("name", "full", "demo", "provider", "keys"),
    [
        ("demo", "demo/scripted", True, "demo", ("DEMO_API_KEY",)),
        (" demo/contrarian ", "demo/contrarian", True, "demo", ("DEMO_API_KEY",)),
        ("demo/other", "demo/other", False, "demo", ("DEMO_API_KEY",)),
        ("openai/gpt-4o", "openai/gpt-4o", False, "openai", ("OPENAI_API_KEY",)),
        ("gpt-4o", "gpt-4o", False, "openai", ("OPENAI_API_KEY",)),
        ("claude-x", "claude-x", False, "anthropic", ("ANTHROPIC_API_KEY",)),
        ("openrouter/a/b", "openrouter/a/b", False, "openrouter", ("OPENROUTER_API_KEY",)),
        ("gemini/x", "gemini/x", False, "gemini", ("GEMINI_API_KEY", "GOOGLE_API_KEY")),
        ("ollama/llama3", "ollama/llama3", False, "ollama", ()),
        ("my-cloud/x", "my-cloud/x", False, "my-cloud", ("MY_CLOUD_API_KEY",)),
        ("llama", "llama", False, "", ()),
    ],
)
def test_names(name: str, full: str, demo: bool, provider: str, keys: tuple[str, ...]) -> None:
    assert resolve(name) == full
    assert is_demo(name) is demo
    assert provider_of(name) == provider
    if not demo and provider != "demo":
        assert key_variables(name) == keys


def test_which_models_need_a_key() -> None:
    assert needs_key("openai/x")
    assert not needs_key("ollama/x")
    assert not needs_key("nosuch/x")
    assert base_variables("ollama/x") == ("OLLAMA_API_BASE",)
    assert base_variables("nosuch/x") == ()


async def test_a_conflict_is_explained_by_its_words_alone() -> None:
    slot = Slot(
        "decisions:u", "decisions", Item("u", "Use one file"), Item("u", "Use one big file"),
        Item("u", "Use one file\nVersion ours (x):\nand more"), "conflict",
    )  # fmt: skip
    system = "\n\n".join((PREAMBLE, *(version.text for version in versions(slot))))
    said = explained(system)
    assert "Ours alone says “big”" in said
    assert "Theirs alone says nothing" in said
    assert said.endswith("that is yours to choose.")


# ---- drafts ------------------------------------------------------------------------------------

SAID = (
    ("user", "Which engine? Assume one writer."),
    ("assistant", f"{SAYS_WHAT_IT_IS} Let's use a server."),
    (
        "assistant",
        "Two fit:\n\n- FTS5 is there\n- Let's keep\n  it in one file\n\n```\nUse x?\n```",
    ),
    ("user", "Good. Use FTS5 then. Write the rebuild and test it. Who looks after it?"),
)


def asked_for_a_draft(model: str = "demo/scripted") -> tuple[str, list[Turn]]:
    turns = [
        Turn(SessionId("s"), number, 1, cast(Role, role), text, text, "complete", "")
        for number, (role, text) in enumerate(SAID, 13)
    ]
    talk = [Message(turn.role, turn.content) for turn in turns]
    messages = (Message("system", DRAFT), *talk, Message("user", draft_ask(turns)))
    return answer(ModelCall(model, messages, 4_096)), turns


def test_a_draft_copies_sentences_and_says_what_it_is() -> None:
    text, turns = asked_for_a_draft()
    draft = read_reply(text)
    assert draft is not None
    assert [(each.kind, each.text, each.turn) for each in draft.items] == [
        ("decisions", "Let's keep it in one file", 15),
        ("decisions", "Use FTS5 then.", 16),
        ("assumptions", "Assume one writer.", 13),
        ("tasks", "Write the rebuild and test it.", 16),
        ("open_questions", "Who looks after it?", 16),
    ]
    checked = [Said(turns, []).check(each.quote, each.turn).check for each in draft.items]
    assert checked == ["assistant_only", *["found"] * 4]
    assert (draft.title, draft.objective) == ("Which engine? Assume one writer", "")
    assert draft.summary.startswith(SAYS_WHAT_IT_IS)
    assert (draft.entities, draft.problems, draft.cut) == (("FTS5",), (), False)
    assert list(json.loads(text)) == DRAFT_SCHEMA["required"]
    assert asked_for_a_draft() == (text, turns)
    assert asked_for_a_draft("demo/contrarian")[0] == text


# ---- extracts ----------------------------------------------------------------------------------

DOCUMENT = """# Search plan

We will use FTS5 for now, because it is
there. Assume one writer at a time.

## Decisions

- Let's keep one file

```sh
use me
```
- [ ] Measure the rebuild. Who pays? We do.

Who looks after it?"""


def test_an_extract_copies_what_no_rule_took() -> None:
    lines = list(enumerate(DOCUMENT.splitlines(), 1))
    parts = Parts(items=(TakenItem("decisions", "Let's keep one file", "", 8, 8),))
    messages = (Message("system", EXTRACT), Message("user", question(lines, parts)))
    found = json.loads(answer(ModelCall("demo/scripted", messages, 4_096)))
    assert list(found) == EXTRACT_SCHEMA["required"]
    assert found["title"] == "Search plan"
    assert found["summary"].startswith(SAYS_WHAT_IT_IS)
    assert {
        kind: [(each["text"], each["lines"]) for each in found[kind]]
        for kind in ("decisions", "assumptions", "tasks", "open_questions")
    } == {
        "decisions": [("We will use FTS5 for now, because it is there.", "3-4")],
        "assumptions": [("Assume one writer at a time.", "4")],
        "tasks": [("Measure the rebuild.", "13")],
        "open_questions": [("Who looks after it?", "15")],
    }
    assert found["tasks"][0]["intent_hint"] == "investigate"


# ---- reviews -----------------------------------------------------------------------------------


def test_a_review_compares_words_and_claims_nothing_else() -> None:
    body = CheckpointBody(
        SpaceId("s"),
        (),
        "Search",
        "ada",
        "2026-03-02T14:00:00Z",
        objective="Find any document.",
        summary="Indexes were compared.",
        decisions=(Item("d1", "Use FTS5"), Item("d2", "The nightly rebuild runs as a job")),
        assumptions=(Item("a1", "One writer, no Rebuild by hand"),),
        open_questions=(
            Item("q1", "Shall the rebuild run as a nightly job?"),
            Item("q2", "What makes us leave FTS5?"),
        ),
        entities=("fts5", "Tantivy", "index"),
    )
    state = state_text(body)
    messages = (Message("system", REVIEW), Message("system", state), Message("user", REVIEW_ASK))
    found = json.loads(answer(ModelCall("demo/scripted", messages, 4_096)))["findings"]
    assert [(each["kind"], each["items"], each["suggestion"]["change"]) for each in found] == [
        ("resolved_question", ["Q1", "D2"], "retire"),
        ("unused_entity", ["E2"], "drop_entity"),
    ]
    assert all(SAYS_WHAT_IT_IS in each["why"] for each in found)
