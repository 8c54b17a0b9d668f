"""What a message mentions: read at the send, quoted as data, recorded with the turn."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from smriti_tui.domain.errors import Invalid, SmritiError
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.mentions import MentionRule, find_mentions, mention, names
from smriti_tui.domain.model import Artifact
from smriti_tui.services import Services
from smriti_tui.services.inspecting import Inspector
from smriti_tui.services.logs import StoredEvent
from smriti_tui.services.mentions import MentionService
from smriti_tui.services.project_files import MOST_BYTES, file_names
from smriti_tui.services.steps import Started
from tests.support import content, opened_services

ALL = MentionRule()


def project(tmp_path: Path) -> Path:
    root = tmp_path / "proj ü"
    (root / "notes").mkdir(parents=True)
    (root / "notes" / "two words.md").write_bytes(b"first\n```py\nx\n```\n")
    (root / "app.py").write_text("print('hi')\n")
    return root


def seeded(services: Services, root: Path) -> SessionId:
    space = services.spaces.create("s", project_root=str(root))
    session = services.sessions.new(space.id)
    given = content("Use FTS5", "Use SQLite FTS5", "Rebuild once")
    big = Artifact("00000000-0000-4000-8000-000000000001", "text", "bench results", "a,b\n")
    services.checkpoints.create(space.id, replace(given, artifacts=(big,)))
    return session.id


async def ask(services: Services, session: SessionId, text: str) -> Started:
    started: Started | None = None
    async for step in services.chat.send(session, text, mentions=ALL):
        if isinstance(step, Started):
            started = step
    assert started is not None
    return started


def payloads(services: Services, session: SessionId) -> list[dict[str, object]]:
    stream = services.log.read(f"session/{session}")
    events = [event for event in stream if isinstance(event, StoredEvent)]
    return [event.body() for event in events if event.type == "turn.added"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see @D1, then", ["D1"]),
        ("(@src/a.py) and @src/a.py.", ["src/a.py", "src/a.py"]),
        ('@"notes/two words.md"!', ["notes/two words.md"]),
        ("ada@example.org a@b @", []),
        ("@property\n    @x.setter\n", ["property", "x.setter"]),
        ("@@double", []),
        ("日本 @日本語.md。", ["日本語.md。"]),
    ],
)
def test_where_a_mention_begins_and_ends(text: str, found: list[str]) -> None:
    mentions = find_mentions(text, ALL)
    assert [each.name for each in mentions] == found
    assert all(text[each.start] == "@" for each in mentions)


@pytest.mark.parametrize("name", ["D1", "a b", "ends.", "src/x.py", "C:x", "a)", "é.md"])
def test_what_the_list_types_is_read_back(name: str) -> None:
    assert names(f"x {mention(name)} y", ALL) == (name,)


def test_parts_that_were_pasted_are_not_read() -> None:
    text = "see @D1 and @D2"
    assert names(text, MentionRule(((10, 15),))) == ("D1",)


async def test_preview_send_store_and_retry_hold_the_same_bytes(tmp_path: Path) -> None:
    root = project(tmp_path)
    with opened_services(tmp_path) as services:
        session = seeded(services, root)
        anchor = services.contexts.view(session).anchor
        assert anchor is not None
        text = f'look at @D1, @{anchor.id[:7]}, @"bench results", @"notes/two words.md" ok?'
        inspector = Inspector(services.contexts, services.chat, services.sessions)
        shown = inspector.next_send(session, text, mentions=ALL)
        preview = services.chat.preview(session, text, mentions=ALL)
        started = await ask(services, session, text)
        sent = started.prepared.context.messages
        assert shown.messages == preview.context.messages == sent
        assert shown.estimate == started.prepared.context.estimate
        content_sent = sent[-1].content
        assert content_sent.startswith(text)
        assert "Decision D1 of checkpoint" in content_sent
        assert "````\nfirst\n```py\nx\n```\n````" in content_sent
        question = services.sessions.turns(session, started.begun.question)[0]
        assert (question.text, question.content) == (text, content_sent)
        stored = services.contexts.stored(session, started.begun.answer)
        assert stored.verified
        assert stored.messages == sent
        (payload,) = payloads(services, session)
        attached = payload["attachments"]
        assert isinstance(attached, list)
        assert [each["kind"] for each in attached] == ["item", "checkpoint", "artifact", "file"]
        raw = (root / "notes" / "two words.md").read_bytes()
        assert attached[3]["path"] == "notes/two words.md"
        assert attached[3]["sha256"] == hashlib.sha256(raw).hexdigest()
        assert attached[3]["size_bytes"] == attached[3]["sent_bytes"] == len(raw)
        (root / "notes" / "two words.md").write_text("other\n")
        async for step in services.chat.retry(session):
            if isinstance(step, Started):
                assert step.prepared.context.messages == sent
        assert services.log.verify().difference is None
        services.log.rebuild()
        assert services.log.verify().difference is None


async def test_what_is_sent_is_what_stood_there_at_the_send(tmp_path: Path) -> None:
    root = project(tmp_path)
    with opened_services(tmp_path) as services:
        session = seeded(services, root)
        services.chat.preview(session, "@app.py", mentions=ALL)
        (root / "app.py").write_text("changed = 1\n")
        started = await ask(services, session, "@app.py")
        assert "changed = 1" in started.prepared.context.messages[-1].content
        (payload,) = payloads(services, session)
        assert hashlib.sha256(b"changed = 1\n").hexdigest() in str(payload["attachments"])


async def test_words_with_an_at_stay_words_and_leave_the_old_payload(tmp_path: Path) -> None:
    root = project(tmp_path)
    with opened_services(tmp_path) as services:
        session = seeded(services, root)
        text = "@property ada@example.org @nobody @D99 @/etc/passwd @../secret @notes @abcd12345"
        started = await ask(services, session, text)
        assert started.prepared.context.messages[-1].content == text
        assert "attachments" not in payloads(services, session)[0]


def test_what_cannot_be_sent_is_refused_by_name(tmp_path: Path) -> None:
    root = project(tmp_path)
    (tmp_path / "outside.txt").write_text("secret")
    (root / "out").symlink_to(tmp_path / "outside.txt")
    (root / "bin").write_bytes(b"\x7fELF\0\0")
    (root / "latin").write_bytes("größe".encode("latin-1"))
    os.mkfifo(root / "pipe")
    with opened_services(tmp_path) as services:
        session = seeded(services, root)
        for name, why in (
            ("out", "outside"), ("bin", "binary"), ("latin", "UTF-8"), ("pipe", "ordinary"),
        ):  # fmt: skip
            with pytest.raises(Invalid, match=why) as refused:
                services.chat.preview(session, f"see @{name}", mentions=ALL)
            assert f"@{name}" in refused.value.message
            assert refused.value.code == "mention"
        assert services.chat.preview(session, "see @out").context.messages[-1].content == "see @out"


def test_a_long_file_is_cut_at_a_line_end_and_says_so(tmp_path: Path) -> None:
    root = project(tmp_path)
    line = "é" * 50 + "\n"
    (root / "long.txt").write_text(line * 2000)
    with opened_services(tmp_path) as services:
        session = seeded(services, root)
        prepared = services.chat.preview(session, "@long.txt", mentions=ALL)
        (attached,) = prepared.attachments
        assert attached.size_bytes == len(line.encode()) * 2000
        assert MOST_BYTES - 101 <= attached.sent_bytes <= MOST_BYTES
        assert attached.sent_bytes % len(line.encode()) == 0
        said = f"[cut here: the first {attached.sent_bytes:,} of {attached.size_bytes:,} bytes]"
        assert prepared.context.messages[-1].content.endswith(said)


def test_offers_leave_out_what_git_ignores_and_stay_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path)
    (root / "node_modules" / "x").mkdir(parents=True)
    (root / "node_modules" / "x" / "i.js").write_text("")
    (root / "secret.env").write_text("")
    (root / ".gitignore").write_text("*.env\n")
    assert file_names(root).names == ("app.py", "notes/two words.md", "secret.env")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    names_now = file_names(root).names
    assert names_now == (".gitignore", "app.py", "notes/two words.md")
    monkeypatch.setattr("smriti_tui.services.project_files.MOST_FILES", 2)
    few = file_names(root)
    assert (len(few.names), few.more) == (2, True)
    with opened_services(tmp_path) as services:
        session = seeded(services, root)
        offers = MentionService(services.caller).offers(session)
        assert offers.anchor is not None
        assert len(offers.checkpoints) == 1


def test_a_session_in_no_space_mentions_nothing(tmp_path: Path) -> None:
    with opened_services(tmp_path) as services:
        session = services.sessions.new_fresh()
        prepared = services.chat.preview(session.id, "@D1 @app.py", mentions=ALL)
        assert prepared.attachments == ()
        with pytest.raises(SmritiError):
            services.chat.preview(SessionId("gone"), "@D1", mentions=ALL)
