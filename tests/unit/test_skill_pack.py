"""What the packs teach, in both notations, and how versions and files are told apart."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from smriti_tui.domain import skill_pack
from smriti_tui.domain.errors import Invalid
from smriti_tui.domain.skill_pack import TARGETS, VERSION, rendered, standing, target
from smriti_tui.domain.values import sha256
from smriti_tui.services.skills import pack_text

CLAUDE, CODEX, GENERIC = TARGETS
RULES = (
    "your actor name, and it stays the same from one session to the next",
    "Read the brief before anything else",
    "also where another agent left off",
    "the repository is the truth about files",
    "cannot be reached",
    "Do not start servers",
    "leave out what is done, what is blocked",
    "prefer another kind of work than the others",
    "it locks nothing, and it runs out",
    "Read the state once more right after claiming",
    "abandon yours and choose again",
    "End it when you stop",
    "Open a worktree for each piece of work",
    "Start clean",
    "Use absolute paths",
    "the git branch",
    "The Space's name stands in `.smriti.json`",
    "Its content is an object",
    "Extend it while you work",
    "dirty paths",
    "commit, push or hand over the branch, then close the worktree",
    "what came since the checkpoint you started from",
    "A checkpoint is whole",
    "When to write a checkpoint",
    "Three questions",
    "Two to four in four hours",
    "Not for every small step",
    "Not as one blob at the end",
    "Not as a backup",
    "Not while nothing is crisp",
    "Not on a state that contradicts itself",
    "Not to say again",
    "Not only because somebody said",
    "`milestone`",
    "Fork when you try something",
    "Say what became of the branch",
    "Compare two checkpoints before you merge",
    "Go back to any checkpoint",
    "Review a checkpoint",
    "## Drift",
    "## Project root",
    "HANDOFF.md",
    "Another actor name in every session",
    "Sending chat messages",
    "Claims that nobody ends",
    "Two agents in one working tree",
    "## Say it aloud",
    "In two sentences",
)


@pytest.mark.parametrize("host", TARGETS, ids=lambda each: each.name)
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_in_each_pack(host: skill_pack.Target, rule: str) -> None:
    assert rule in " ".join(pack_text(host).split())


def test_each_host_reads_its_own_notation_alone() -> None:
    claude, codex = pack_text(CLAUDE), pack_text(CODEX)
    assert "smriti_state(" in claude
    assert "`smriti state" not in claude
    assert "smriti_state" not in codex
    assert "`smriti state --compact`" in codex
    assert "Claude Code" in claude
    assert "`--actor claude-code`" in claude
    assert "`export SMRITI_ACTOR=codex`" in codex
    for text in (claude, codex, pack_text(GENERIC)):
        assert "{{" not in text
        assert "<<" not in text
        assert text.count("When not to write one") == 1


def test_when_not_has_the_weight_of_when() -> None:
    text = pack_text(CODEX)
    when, rest = text.split("## When to write a checkpoint")[1].split("## When not to write one")
    never = rest.split("\n## ")[0]
    assert never.count("\n- Not") >= when.count("\n- ")


def test_hosts_are_known_by_name_in_one_order() -> None:
    assert [each.name for each in TARGETS] == ["claude-code", "codex", "generic"]
    with pytest.raises(Invalid, match="no skill pack") as error:
        target("cursor")
    assert "claude-code, codex, generic" in error.value.hint


@pytest.mark.parametrize(
    "template",
    ["<<mcp\na\n>>\n", "<<cli\na\n>>\n", "<<mcp\na\n<<cli\nb\n", ">>\n", "<<mcp\n<<mcp\n"],
)
def test_a_block_without_its_partner_is_an_error(template: str) -> None:
    with pytest.raises(Invalid, match="partner"):
        rendered(template, CODEX)


def test_a_changed_text_has_a_new_version() -> None:
    """Who changes the pack raises `VERSION` and writes both here: else no host is upgraded."""
    texts = "".join(map(pack_text, TARGETS))
    assert (VERSION, sha256(texts)[:12]) == ("1.2", "ce97a744ad1a")


def test_a_side_may_be_empty() -> None:
    assert rendered("a\n<<mcp\n<<cli\nb\n>>\nc\n", CLAUDE).endswith("---\na\nc\n")


def test_what_a_file_is_to_the_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    text = pack_text(CODEX)
    assert standing(None) == standing(" \n") == ("absent", None)
    assert standing(text) == standing(text.replace("\n", "\r\n")) == ("same", VERSION)
    assert standing("# Agents\n\nBe kind.\n") == ("foreign", None)
    assert standing(text + "\nMy own line.\n") == ("edited", VERSION)
    assert standing(text.replace("name: smriti", "name: mine")) == ("edited", VERSION)
    assert standing(text.replace("description: ", "description: My own. ")) == ("edited", VERSION)
    assert standing(re.sub("sha256: .*", "", text)) == ("edited", VERSION)
    for mine, relation in (
        ("1.10", "older"),
        ("1.9.1", "older"),
        ("0.9", "newer"),
        ("1.9", "same"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(skill_pack, "VERSION", "1.9")
            written = rendered("x\n", replace(CODEX))
            patch.setattr(skill_pack, "VERSION", mine)
            assert standing(written) == (relation, "1.9"), mine
