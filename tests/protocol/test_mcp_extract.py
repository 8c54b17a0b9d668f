"""Markdown through the tool that saves checkpoints (EXTRACT-06, -10, -11)."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.mcp_host import Host
from tests.protocol.mcp_inside import Inside

MARKDOWN = "# Notes\n\n## Decisions\n\n- Use FTS5\n\nWe assume the disk is local.\n"


@pytest.fixture(scope="module")
def extra() -> dict[str, str]:
    return {"SMRITI_BACKGROUND_MODEL": "demo"}


def test_markdown_is_extracted_once(host: Host) -> None:
    key = host.ok("create_space", name="Once").document["id"]
    asked: dict[str, Any] = {"space": key, "markdown": MARKDOWN}
    tried = host.ok("create_checkpoint", **asked, dry_run=True).document
    assert tried["dry_run"] is True
    assert host.ok("list_checkpoints", space=key).document["checkpoints"] == []
    command = str(uuid.uuid4())
    told = host.ok("create_checkpoint", **asked, command_id=command)
    assert told.texts[1] == "1 item by rule, 1 by demo/scripted, 0 artifacts\n"
    saved = told.document
    assert (saved["title"], saved["project_root"], saved["author"]) == ("Notes", None, "ada")
    assert saved["decisions"][0]["evidence"][0]["lines"] == [5]
    events = host.ok("log_read", all_streams=True).document["events"]
    again = host.ok("create_checkpoint", **asked, command_id=command).document
    assert again["id"] == saved["id"]
    assert host.ok("log_read", all_streams=True).document["events"] == events


def test_what_fails_saves_nothing_and_says_why(host: Host) -> None:
    key = host.ok("create_space", name="Fails").document["id"]
    before = host.ok("log_read", all_streams=True).document["events"]
    for given in (
        {"markdown": " \n"},
        {"markdown": MARKDOWN, "content": {"title": "x"}},
        {"markdown": MARKDOWN, "expect_head": "f" * 64},
        {},
    ):
        assert host.call("create_checkpoint", space=key, **given).error["hint"]
    assert host.ok("log_read", all_streams=True).document["events"] == before


def test_without_a_model_it_is_refused_and_nothing_is_made_up(
    inside: list[Inside], tmp_path: Path
) -> None:
    inside.append(Inside(str(tmp_path / "x.db")))
    key = inside[0].call("create_space", name="Bare")["id"]
    error = inside[0].fails("create_checkpoint", space=key, markdown=MARKDOWN)
    assert error["code"] == "provider_not_configured"
    assert "SMRITI_BACKGROUND_MODEL" in error["hint"]
    assert inside[0].call("list_checkpoints", space=key)["checkpoints"] == []


def test_items_are_cited_and_what_the_document_does_not_say_is_dropped_or_marked(
    host: Host,
) -> None:
    """The demo model takes the sentence on the disk; the rules take the list, word for word."""
    key = host.ok("create_space", name="Cited").document["id"]
    saved = host.ok("create_checkpoint", space=key, markdown=MARKDOWN).document
    for kind, line in (("decisions", 5), ("assumptions", 7)):
        (item,) = saved[kind]
        (evidence,) = item["evidence"]
        assert (evidence["lines"], evidence["check"]) == ([line], "found")
        assert evidence["quote"] in MARKDOWN
