"""Drafts over the wire whose quotes are true, nearly true and invented, each classed exactly."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from smriti_tui.domain.draft_content import content_of, left_out
from smriti_tui.domain.drafted import Drafted
from smriti_tui.providers.child import ProviderProcess
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import WIRES, Asking, asking_in, follow
from tests.support import content

pytestmark = pytest.mark.contract

BEFORE = "We write with one writer per file."
LEFT_OUT = "Mongo could hold the documents too."
ASKED = "Then make the rebuild a JOB,\nit runs at night. We begin with the café's index"
SIBLING = "Use a cron entry on the gateway."
ANSWER = "and end with the archive. The rebuild runs **as a worker**, retried `three times`."
AGAIN = "Good. कल हम नई हिन्दीभाषा जोड़ेंगे. The log stays at ten million rows for now."
LAST = "Noted: the log is cut at ten million rows."

Case = tuple[str, int | None, str, int | None]
"""A quote, the turn that is said to hold it, its class, and where it stands."""

TRUE: Sequence[Case] = [
    ("make the rebuild a JOB", 5, "found", 5),
    ("We begin with the café's index", 5, "found", 5),
    ("The log stays at ten million rows for now.", 8, "found", 8),
    (ASKED, 5, "found", 5),
]
NEARLY: Sequence[Case] = [
    # Shifted: said, and elsewhere than cited.
    ("it runs at night", 8, "found", 5),
    ("The log stays at ten million", 7, "found", 8),
    ("make the rebuild a job", None, "found", 5),
    ("make the rebuild a job", 99, "found", 5),
    ("Then make the rebuild", -1, "found", 5),
    # In other letters that are the same.
    ("THEN MAKE THE REBUILD A JOB", 5, "found", 5),
    ("make   the\n\trebuild a\u00a0job", 5, "found", 5),
    (unicodedata.normalize("NFD", "the café's index"), 5, "found", 5),
    ("नई हिन्दीभाषा", 8, "found", 8),
    # Said by the assistant alone.
    ("The rebuild runs **as a worker**", 7, "assistant_only", 7),
    ("the log is cut at ten million rows", 8, "assistant_only", 9),
    # Said, and not in what was drafted.
    ("one writer per file", 1, "outside_window", 1),
    ("one writer per file", 5, "outside_window", 1),
    ("Mongo could hold the documents", 3, "outside_window", 3),
    ("a cron entry on the gateway", 6, "outside_window", 6),
    ("a cron entry on the gateway", 7, "outside_window", 6),
    # Said by nobody.
    ("we will move to Kafka", 5, "not_found", 5),
    ("make the rebuild a task", 5, "not_found", 5),
    ("m\u0430ke the rebuild a job", 5, "not_found", 5),  # a Cyrillic letter
    ("café's index and end with", 5, "not_found", 5),  # over two turns
    ("the café's index\n\nand end with the archive", 7, "not_found", 7),
    ("ake the rebuild a jo", 5, "not_found", 5),  # parts of words
    ("भाषा", 8, "not_found", 8),
    ("हिन्दी", 8, "not_found", 8),
    ("job", 5, "not_found", 5),  # too short
    ("", 5, "not_found", 5),
    ("  \n ", 5, "not_found", 5),
    ("**``", 7, "not_found", 7),  # no word
    ('"make the rebuild a JOB"', 5, "not_found", 5),  # signs that nobody said
    ("“it runs at night”", 5, "not_found", 5),
    ("Then make ... at night", 5, "not_found", 5),
    ("Then make … at night", 5, "not_found", 5),
    ("the rebuild runs as a worker", 7, "not_found", 7),  # emphasis left out, and put in
    ("make the **rebuild** a job", 5, "not_found", 5),
    ("the caf\u00e9\u2019s index", 5, "not_found", 5),  # another apostrophe
]  # fmt: skip
COUNTS = {"found": 13, "assistant_only": 2, "outside_window": 5, "not_found": 19}


async def say(asking: Asking, question: str, answer: str) -> None:
    asking.server.script({"text": answer})
    assert (await asking.send(question)).turn.content == answer


async def talked(asking: Asking) -> None:
    """Turns 1 and 2 before a checkpoint, 3 and 4 before a mount, 5 to 9 in the window but for 6, an
    answer that was not chosen."""
    await say(asking, BEFORE, "As you like.")
    given = content("State", "One writer")
    saved = asking.services.checkpoints.create(asking.space, given, session=asking.session)
    await say(asking, LEFT_OUT, "It could.")
    asking.services.sessions.mount(asking.session, saved.checkpoint.id)
    await say(asking, ASKED, SIBLING)
    asking.server.script({"text": ANSWER})
    again = asking.services.chat.retry(asking.session, model="openai/echo")
    assert (await follow(again)).turn.content == ANSWER
    await say(asking, AGAIN, LAST)
    assert [turn.sequence_number for turn in asking.turns] == list(range(1, 10))


async def drafted(asking: Asking, cases: Sequence[Case]) -> Drafted:
    """A draft in which each quote has an item, of all kinds in turn."""
    kinds = ("decisions", "assumptions", "tasks", "open_questions")
    answer: dict[str, list[object]] = {kind: [] for kind in kinds}
    for number, (quote, turn, _, _) in enumerate(cases):
        entry = {"text": f"item {number:02}", "turn": turn, "quote": quote}
        answer[kinds[number % 4]].append(entry)
    asking.server.script({"text": json.dumps({"title": "A job", "objective": "Grow.", **answer})})
    steps = [step async for step in asking.services.drafting.draft(asking.session)]
    made = steps[-1]
    assert isinstance(made, Drafted)
    return made


@pytest.mark.parametrize("wire", WIRES)
async def test_every_quote_is_classed_exactly(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer, wire: str
) -> None:
    model = f"{wire}/scripted"
    with asking_in(tmp_path, warm_process, one_server, SMRITI_BACKGROUND_MODEL=model) as asking:
        await talked(asking)
        cases = [*TRUE, *NEARLY]
        made = await drafted(asking, cases)
        sent = json.dumps(one_server.requests()[-1]["body"], ensure_ascii=False)
        assert "the café's index" in sent
        for word in ("one writer", "Mongo", "cron"):
            assert word not in sent
        found = {each.item.text: each for each in made.items}
        classed = [
            (quote, turn, found[f"item {n:02}"].checked.check, found[f"item {n:02}"].checked.turn)
            for n, (quote, turn, _, _) in enumerate(cases)
        ]
        assert classed == cases
        assert Counter(each.checked.check for each in made.items) == COUNTS
        # What was said elsewhere or by nobody is not taken unless somebody says so.
        assert len(left_out(made)) == 24
        taken = content_of(made)
        items = [*taken.decisions, *taken.assumptions, *taken.tasks, *taken.open_questions]
        assert len(items) == 15
        kept = content_of(made, keep_as="ada")
        save = asking.services.checkpoints.create
        saved = save(asking.space, kept, session=asking.session, branch="kept").checkpoint
        report = asking.services.reviewing.rules(saved.id)
        # Words of other turns stand where they are said to stand.
        assert (report.count("kept"), report.verified) == (19, 20)
        assert not [each for each in report.quotes if each.faulty]
        asking.proved()


async def test_only_true_quotes_flag_nothing(
    tmp_path: Path, warm_process: ProviderProcess, one_server: FakeLLMServer
) -> None:
    model = {"SMRITI_BACKGROUND_MODEL": "openai/scripted"}
    with asking_in(tmp_path, warm_process, one_server, **model) as asking:
        await talked(asking)
        made = await drafted(asking, TRUE)
        assert [(each.checked.check, each.checked.nearest) for each in made.items] == [
            ("found", None)
        ] * len(TRUE)
        assert [each.item.turn == each.checked.turn for each in made.items] == [True] * len(TRUE)
        assert (made.problems, left_out(made)) == ((), ())
        save = asking.services.checkpoints.create
        saved = save(asking.space, content_of(made), session=asking.session).checkpoint
        report = asking.services.reviewing.rules(saved.id)
        assert (report.findings, report.verified) == ((), len(TRUE))
        asking.proved()
