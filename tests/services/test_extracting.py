"""Extracting: what the model gets of a document, what is believed of its answer, and long ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.checkpoint_input import CheckpointInput
from smriti_tui.domain.document_quotes import DocumentQuotes
from smriti_tui.domain.errors import Invalid, ProviderError
from smriti_tui.domain.extracted import Extracted
from smriti_tui.domain.model import Item, Task
from smriti_tui.domain.values import sha256
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services.extracting import ExtractStep
from smriti_tui.services.pieces import PieceDone
from smriti_tui.store.documents import document
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import WIRES, Asking, asking_in

MARKDOWN = """\
# Search notes

## Decisions

- Use FTS5,
  it ships with SQLite

We agreed on one writer per file. The disk is local.
Mongo was looked at.

```sh
make index
```
"""


def entry(text: str, lines: str = "", quote: str = "") -> dict[str, object]:
    return {"text": text, "lines": lines, "quote": quote}


ANSWER: dict[str, Any] = {
    "title": "Search with FTS5",
    "objective": "Find quickly.",
    "summary": "FTS5 it is.",
    "decisions": [
        entry("use fts5, it ships with SQLite", "5-6", "Use FTS5,"),
        entry("FTS5 was chosen", "5", "it ships with SQLite"),
        entry("One writer", "1", "agreed on one writer per file"),
        entry("Two writers", "8", "agreed on two writers per file"),
    ],
    "assumptions": ["The disk is local.", entry("The disk is fast", "8", "the disk is fast")],
    "tasks": [
        entry("Build the index", "11-13", "make index")
        | {"intent_hint": "implement", "blocked_by": ["one writer", "invented"]}
    ],
    "open_questions": [entry("Is Mongo better?", "9", "Is Mongo better?")],
    "entities": ["FTS5", "SQLite", "Oracle"],
    "artifacts": [{"content": "invented"}],
}


async def extracted(
    asking: Asking, text: str = MARKDOWN, **more: Any
) -> tuple[list[ExtractStep], Extracted]:
    extracting = asking.services.extracting.extract(asking.space, text, **more)
    steps = [step async for step in extracting]
    assert isinstance(steps[-1], Extracted)
    return steps, steps[-1]


@pytest.fixture
def asking(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> Iterator[Asking]:
    background = {"SMRITI_BACKGROUND_MODEL": "openai/scripted"}
    with asking_in(tmp_path, warm_process, one_server, **background) as opened:
        yield opened


@pytest.mark.parametrize("wire", WIRES)
async def test_only_what_stands_in_the_document_is_taken(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    model = {"SMRITI_BACKGROUND_MODEL": f"{wire}/scripted"}
    with asking_in(tmp_path, warm_process, one_server, **model) as asking:
        one_server.script({"text": f"Sure:\n```json\n{json.dumps(ANSWER)}\n```\nDone."})
        _, found = await extracted(asking)
        said = json.dumps(asking.received)
        assert "5| - Use FTS5," in said
        assert "lines 5-6 (decisions); lines 11-13 (code)" in said
        content = found.content
        assert (content.title, content.objective) == ("Search with FTS5", "Find quickly.")
        rows = [(item.text, *(each.lines for each in item.evidence)) for item in content.decisions]
        assert rows == [("Use FTS5, it ships with SQLite", (5, 6)), ("One writer", (8,))]
        assert [item.text for item in content.assumptions] == ["The disk is local."]
        assert [(task.text, task.intent_hint, task.blocked_by) for task in content.tasks] == [
            ("Build the index", "implement", ("one writer",))
        ]
        assert content.entities == ("FTS5", "SQLite")
        assert [(each.type, each.content) for each in content.artifacts] == [("sh", "make index\n")]
        assert [each.text for each in found.dropped] == [
            "Two writers", "The disk is fast", "Is Mongo better?",
        ]  # fmt: skip
        near = found.dropped[0].nearest
        assert near is not None
        assert (near.first, near.last, near.text) == (8, 8, "agreed on")
        asking.proved()


async def test_evidence_can_be_checked_again_from_the_stored_document(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    one_server.script({"text": json.dumps(ANSWER)})
    _, found = await extracted(asking)
    saved = asking.services.checkpoints.create(asking.space, found.content).checkpoint
    assert found.document == sha256(MARKDOWN)
    with asking.services.caller.read() as tx:
        stored = document(tx, asking.space, found.document)
        assert document(tx, asking.space, "0" * 64) is None
    assert stored is not None
    quotes = DocumentQuotes(stored)
    body = saved.body
    items: list[Item | Task] = [*body.decisions, *body.assumptions, *body.tasks]
    for item in items:
        evidence = item.evidence[0]
        assert evidence.document_sha256 == found.document
        assert quotes.check(evidence.quote, evidence.lines[0]).check == "found"
    assert len(items) == 4
    asking.proved()


async def test_what_is_not_found_stays_only_when_somebody_says_so(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    one_server.script({"text": json.dumps(ANSWER)})
    _, found = await extracted(asking, keep=True)
    assert found.dropped == ()
    kept = [
        (item.text, item.evidence[0].check, item.evidence[0].kept_by)
        for item in found.content.decisions
    ]
    assert kept[-1] == ("Two writers", "not_found", "ada")
    assert kept[-2] == ("One writer", "found", None)


@pytest.mark.parametrize(
    ("answer", "title", "told"),
    [
        ('{"decisions": "one writer per file", "tasks": [{"x": 1}, 3, null], "title": null}',
         "Search notes", "tasks"),
        ('{"title": "Cut", "decisions": [{"text": "One writer", "quote": "one writer per f',
         "Cut", "breaks off"),
        (json.dumps([{"title": "Listed"}]), "Listed", ""),
        (json.dumps({"title": "\u001b[31m" + "x" * 900, "entities": None}), "\u001b[31m", ""),
        ('{"decisions": []}', "Search notes", ""),
        ('{"title": "Three to eight words.", "objective": ""}', "Search notes", "repeats"),
    ],
)  # fmt: skip
async def test_a_bad_answer_gives_what_can_be_used(
    asking: Asking, one_server: FakeLLMServer, answer: str, title: str, told: str
) -> None:
    one_server.script({"text": answer})
    _, found = await extracted(asking)
    assert found.content.title.startswith(title)
    assert told in " ".join(found.problems)
    assert found.content.decisions[0].text == "Use FTS5, it ships with SQLite"
    asking.services.checkpoints.create(asking.space, found.content)


@pytest.mark.parametrize("script", [
    {"text": "Sorry, I cannot do that."}, {"text": ""}, {"status": 401}, {"text": '{"title": "C'},
])  # fmt: skip
async def test_an_answer_that_is_none_fails_though_rules_found_something(
    asking: Asking, one_server: FakeLLMServer, script: dict[str, Any]
) -> None:
    one_server.script(script)
    with pytest.raises(ProviderError) as caught:
        await extracted(asking)
    assert caught.value.exit_code == 5
    assert asking.services.checkpoints.of_space(asking.space) == []
    asking.proved()


async def test_blank_and_too_long_documents_ask_nobody(asking: Asking) -> None:
    for text in (" \n\t\n", "x" * 200_001):
        with pytest.raises(Invalid):
            await extracted(asking, text)
    assert asking.server.requests() == []


async def test_a_long_document_goes_in_pieces_that_hold_every_line(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    text = "".join(f"## Part {n}\n\n{'words ' * 20}canary-{n}.\n\n" for n in range(12))
    for number in range(14):
        answer = {"title": f"T{number}", "decisions": [entry("Same", "3", "canary-0")]}
        one_server.script({"text": json.dumps(answer) if number != 1 else "No."})
    steps, found = await extracted(asking, text, model="small")
    pieces = [step for step in steps if isinstance(step, PieceDone)]
    assert len(pieces) == len(found.requests) > 2
    asked = [json.dumps(each["messages"]) for each in one_server.requests()]
    assert [sum(f"canary-{n}." in each for each in asked) for n in range(12)] == [1] * 12
    assert found.content.title == "T0"
    assert len(found.content.decisions) == 1
    assert any("could not be read" in problem for problem in found.problems)
    assert found.content.draft_request == found.requests[-1]
    asking.proved()


async def test_a_fault_in_the_middle_names_its_piece(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    text = "".join(f"## Part {n}\n\n{'words ' * 20}\n\n" for n in range(12))
    one_server.script({"text": "{}"}, {"text": json.dumps(ANSWER)}, {"status": 500})
    with pytest.raises(ProviderError, match=r"Piece 3 of \d+ \(lines \d+ to \d+\):") as failed:
        await extracted(asking, text, model="small")
    answered = failed.value.details["answered"]
    assert isinstance(answered, list)
    assert len(answered) == 2
    asking.proved()


async def test_closing_it_stops_the_call_and_saves_nothing(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    steps = asking.services.extracting.extract(asking.space, MARKDOWN, model="openai/stall")
    await anext(steps)
    await steps.aclose()
    assert asking.services.checkpoints.of_space(asking.space) == []
    asking.proved()


async def test_nothing_to_extract_is_a_checkpoint_with_a_title(
    asking: Asking, one_server: FakeLLMServer
) -> None:
    one_server.script({"text": '{"title": "", "summary": ""}'})
    _, found = await extracted(asking, "plain words")
    assert found.content == CheckpointInput("Extracted checkpoint", draft_request=found.requests[0])
