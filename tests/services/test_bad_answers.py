"""Answers as models really give them, to a draft, an extraction and a review, on both protocols:
wrapped, half there, of other types, refused, empty. What can be used is; the rest is kept raw."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from smriti_tui.domain.drafted import Drafted
from smriti_tui.domain.errors import ProviderError
from smriti_tui.domain.extracted import Extracted
from smriti_tui.domain.ids import CheckpointId
from smriti_tui.domain.reviewed import Reviewed
from smriti_tui.providers.child import ProviderProcess
from smriti_tui.services.reviewing import Unread
from smriti_tui.store.envelope import StoredEvent
from tests.fakes.llm_server import FakeLLMServer
from tests.services.asking import WIRES, Asking, asking_in
from tests.support import content

SAID = "make it a job"
CITED = {"turn": 1, "lines": "1", "quote": SAID}
FINDING: dict[str, Any] = {"kind": "hidden_assumption", "items": ["D1"], "text": "A runner."}
ANSWER: dict[str, Any] = {
    "title": "A job", "objective": "Run ```sh\nmake it\n``` at night.",
    "decisions": [{"text": "It ```is``` a job", **CITED}],
}  # fmt: skip
FINDINGS = {"findings": [FINDING, {**FINDING, "text": 'See:\n```json\n{"findings": []}\n```'}]}
MIXED: dict[str, Any] = {
    "title": None, "summary": 7, "decisions": "It is a job.", "extra": True,
    "tasks": ["Write it", {"text": "Test it", **CITED}, {"x": 1}, 3, None],
}  # fmt: skip
MIXED_FINDINGS = {"findings": ["A runner.", FINDING | {"text": 4}, 3, None, {"text": "D1 is old"}]}


def wrapped(value: object) -> Iterator[str]:
    """The same answer in other clothes."""
    text = json.dumps(value)
    yield text
    yield f"```json\n{text}\n```"
    yield f"Let me look:\n```bash\ngit log | head\n```\nHere:\n```json\n{text}\n```\nGood luck!"
    yield f"\ufeff{json.dumps(value, indent=2)}".replace("\n", "\r\n")
    yield f'<think>Maybe {{"title": "no", "findings": ["no"]}}?</think>\n{text}'
    yield json.dumps({"result": value})
    yield json.dumps([value])
    yield json.dumps(text)
    yield repr(value)
    yield f"{text[:-1]},}}"


NONE = (
    "Sorry, I can't help with that.",
    "Sorry, I can't {help} with that: {1: 2}.",
    '<!DOCTYPE html>\n<html><body>Sign in. {"title": "T", "findings": ["F"]}</body></html>',
    "null", "[]", "42", "{}", '{"error": {"message": "overloaded"}}', "```json\n```",
    '{"title', '{"find', "{" * 3_000, "[" * 3_000, '{"a":' * 3_000, "\u0007\u001b[2J", "।।।।",
)  # fmt: skip
FAULTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"text": ""}, "empty"),
    ({"text": " \n\t"}, "empty"),
    ({"text": json.dumps(ANSWER), "finish": "content_filter"}, "bad_reply"),
    ({"chunks": ['{"title": ', '"T", ', '"x"'], "drop_after": 2}, "cut"),
    ({"chunks": ["x" * 50_000] * 5}, "repeating"),
    ({"status": 500}, "server"),
)


@dataclass(frozen=True)
class Desk:
    """One session with a turn, one checkpoint, and what a test asks of them."""

    asking: Asking
    checkpoint: CheckpointId

    async def ask(self, what: str, reply: Mapping[str, Any]) -> object:
        whole = {"chunks": [reply["text"]]} if reply.get("text") else {}
        self.asking.server.script({**reply, **whole})
        services = self.asking.services
        # Nothing is asked before the first step is taken.
        steps: Mapping[str, AsyncIterator[object]] = {
            "draft": services.drafting.draft(self.asking.session),
            "extract": services.extracting.extract(self.asking.space, f"We {SAID}.\n"),
            "review": services.reviewing.review(self.checkpoint),
        }
        return [step async for step in steps[what]][-1]

    def kept(self) -> tuple[object, object]:
        """How the newest request ended, and the answer as it came."""
        log = self.asking.services.log
        told = [*log.read(None, after=log.last_position() - 3)]
        stored = [each for each in told if isinstance(each, StoredEvent)]
        body = [each.body() for each in stored if each.type == "request.ended"][-1]
        return body["status"], body["text"]

    def unsaved(self) -> None:
        """Nothing was saved, and all that was recorded holds."""
        saved = self.asking.services.checkpoints.of_space(self.asking.space)
        assert [each.id for each in saved] == [self.checkpoint]
        assert self.asking.services.sessions.get(self.asking.session).last_seq == 2
        self.asking.proved()


@pytest.fixture(params=WIRES)
async def desk(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    warm_process: ProviderProcess,
    one_server: FakeLLMServer,
) -> Any:
    model = {"SMRITI_BACKGROUND_MODEL": f"{request.param}/scripted"}
    with asking_in(tmp_path, warm_process, one_server, **model) as asking:
        given = content("State", "It is a job")
        saved = asking.services.checkpoints.create(asking.space, given)
        await asking.send(f"Let us {SAID}")
        yield Desk(asking, saved.checkpoint.id)


def texts(found: object) -> list[str]:
    """Of the items or findings that an answer gave."""
    if isinstance(found, Drafted):
        return [each.item.text for each in found.items]
    if isinstance(found, Extracted):
        taken = found.content
        return [each.text for each in taken.decisions] + [each.text for each in taken.tasks]
    assert isinstance(found, Reviewed)
    return [each.finding.text for each in found.findings if each.finding.origin == "model"]


async def test_wrapped_answers_fill_everything(desk: Desk) -> None:
    for what in ("draft", "extract", "review"):
        given = FINDINGS if what == "review" else ANSWER
        wanted = [str(each["text"]) for each in (given.get("findings") or given["decisions"])]
        for text in wrapped(given):
            found = await desk.ask(what, {"text": text})
            assert texts(found) == wanted, text
            assert desk.kept() == ("complete", text)
            assert getattr(found, "problems", None) == (), text
            if isinstance(found, Drafted):
                assert (found.title, found.objective) == ("A job", ANSWER["objective"])
    desk.unsaved()


async def test_other_types_give_what_they_hold(desk: Desk) -> None:
    made = await desk.ask("draft", {"text": json.dumps(MIXED)})
    assert isinstance(made, Drafted)
    assert texts(made) == ["It is a job.", "Write it", "Test it"]
    assert (made.title, made.summary) == ("", "")
    told = " / ".join(made.problems)
    for word in ("summary is no text", "an entry of tasks has no text", "'extra'"):
        assert word in told
    found = await desk.ask("extract", {"text": json.dumps(MIXED)})
    assert texts(found) == ["Test it"]  # the others stand nowhere in the document
    reviewed = await desk.ask("review", {"text": json.dumps(MIXED_FINDINGS)})
    assert isinstance(reviewed, Reviewed)
    assert texts(reviewed) == ["A runner.", "D1 is old"]
    assert reviewed.problems == ("a finding has no text",)
    desk.unsaved()


async def test_a_shape_handed_back_empty_is_no_answer(desk: Desk) -> None:
    """As the smallest models do: the question's own shape, its texts empty, until it is cut."""
    empty = {"text": "", "turn": 0, "quote": ""}
    echo = json.dumps({"title": "three to six words", "decisions": [empty] * 3, "tasks": [empty]})
    for text in (echo, echo[:-20]):
        made = await desk.ask("draft", {"text": text})
        assert isinstance(made, Drafted)
        assert (made.usable, made.pieces[0].raw) == (False, text)
        assert made.problems[0] == "the answer for turns 1 to 2 is no draft"
        assert "an entry of decisions has no text (3 times)" in made.problems
    for text in (
        '{"findings": [{"kind": "contradiction", "items": ["D1", "D2", "D3',
        '{"findings": [{"kind": "contradiction", "text": ""}]}',
    ):
        unread = await desk.ask("review", {"text": text})
        assert isinstance(unread, Unread)
        assert unread.raw == text
    words = {"text": "Two to five sentences.", "quote": "one sentence", **{"turn": 1}}
    made = await desk.ask("draft", {"text": json.dumps({"title": "A job", "tasks": [words]})})
    assert texts(made) == []
    assert getattr(made, "problems", ()) == ("an entry of tasks repeats the question",)
    # One that has nothing to say is an answer.
    made = await desk.ask("draft", {"text": '{"title": "", "decisions": []}'})
    assert isinstance(made, Drafted)
    assert (made.usable, made.problems) == (True, ())
    reviewed = await desk.ask("review", {"text": '{"findings": []}'})
    assert isinstance(reviewed, Reviewed)
    assert (texts(reviewed), reviewed.problems) == ([], ())
    desk.unsaved()


async def test_what_no_file_can_hold_is_left_out_before_it_is_shown(desk: Desk) -> None:
    raw = '{"title": "A\\u0000 job\\ud800", "decisions": [{"text": "\\u0000", "quote": ""}]}'
    made = await desk.ask("draft", {"text": f"\u0000{raw}"})
    assert isinstance(made, Drafted)
    assert (made.title, made.items) == ("A job\ufffd", ())
    assert made.pieces[0].raw == desk.kept()[1] == raw
    unread = await desk.ask("review", {"text": "No\u0000."})
    assert isinstance(unread, Unread)
    assert unread.raw == desk.kept()[1] == "No."
    desk.unsaved()


@pytest.mark.parametrize("finish", ["length", "stop"])
async def test_a_cut_answer_gives_what_came_whole_and_says_so(desk: Desk, finish: str) -> None:
    two = {"title": "A job", "decisions": [{"text": "One", **CITED}, {"text": "Two is", **CITED}]}
    for what, given in (("draft", two), ("extract", two), ("review", FINDINGS)):
        text = json.dumps(given)
        text = text[: text.rindex('"text"') + 14]
        found = await desk.ask(what, {"text": text, "finish": finish})
        assert texts(found) == (["A runner."] if what == "review" else ["One"])
        problems = getattr(found, "problems", ())
        assert [each for each in problems if "breaks off" in each], what
        assert len(problems) == 1
        assert desk.kept() == ("complete", text)
    desk.unsaved()


async def test_no_answer_leaves_all_as_it_was_and_stays_readable(desk: Desk) -> None:
    openai = desk.asking.services.drafting.background.resolve(None).model.startswith("openai")
    # What reads them is the same on both.
    for text in NONE if openai else NONE[:4]:
        made = await desk.ask("draft", {"text": text})
        assert isinstance(made, Drafted)
        assert (made.items, made.title, made.usable, len(made.problems)) == ((), "", False, 1), text
        assert made.pieces[0].raw == desk.kept()[1] == text
        with pytest.raises(ProviderError) as refused:
            await desk.ask("extract", {"text": text})
        assert refused.value.kind == "bad_reply"
        assert desk.kept() == ("complete", text)
        unread = await desk.ask("review", {"text": text})
        assert isinstance(unread, Unread), text
        assert unread.raw == desk.kept()[1] == text
    assert desk.asking.services.reviewing.latest(desk.checkpoint) is None
    desk.unsaved()


async def test_a_call_that_fails_is_an_error_and_what_arrived_is_kept(desk: Desk) -> None:
    for what in ("draft", "extract", "review"):
        for reply, kind in FAULTS:
            with pytest.raises(ProviderError) as failed:
                await desk.ask(what, reply)
            assert (failed.value.kind, failed.value.exit_code) == (kind, 5), (what, reply)
            status, text = desk.kept()
            sent = str(reply.get("text", "")) or "".join(reply.get("chunks", ()))
            assert (status, sent.startswith(str(text))) == ("cut" if text else "failed", True)
            assert bool(text) == bool(sent), (what, kind)
    assert desk.asking.services.reviewing.latest(desk.checkpoint) is None
    desk.unsaved()
