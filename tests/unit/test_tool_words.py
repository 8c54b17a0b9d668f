"""Hints in the words of MCP: no flag and no command that has a tool stays in them."""

from __future__ import annotations

import pytest

from smriti_tui.mcp.hints import in_tool_words


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("`smriti space list` names them.", "`smriti_list_spaces` names them."),
        ("`smriti claim list --all` shows it.", "`smriti_claims` with `every` shows it."),
        ("merge --dry-run lists them.", "`smriti_merge` with `dry_run` lists them."),
        (
            "`smriti worktree close 1a2b3c4 --force` records that it is gone.",
            "`smriti_worktree_close` with `force` records that it is gone.",
        ),
        (
            "Answer them with --resolve FILE, or take --ours or --theirs.",
            "Answer them with `answers`, or take `side: ours` or `side: theirs`.",
        ),
        ("--cascade deletes it with them.", "`cascade` deletes it with them."),
        ("Run `smriti doctor`.", "Run `smriti doctor`."),
    ],
)
def test_a_hint_names_tools_and_arguments(said: str, told: str) -> None:
    assert in_tool_words(said) == told
