"""What to do next, in the words of MCP: the services' hints name flags and commands of the shell.

Commands without a tool, such as `smriti doctor`, are a person's to run and stay as they are.
"""

from __future__ import annotations

import re
from typing import Final

_SAID: Final[tuple[tuple[str, str], ...]] = (
    (r"`smriti space list`", "`smriti_list_spaces`"),
    (r"`smriti space create NAME`", "`smriti_create_space`"),
    (r"`smriti session list SPACE` shows them\.", "The person knows it."),
    (r"`smriti session turns \S+` lists them\.", "The person knows it."),
    (r"`smriti checkpoint list SPACE`", "`smriti_list_checkpoints`"),
    (r"`smriti checkpoint review (\S+) --last`", "`smriti_review_checkpoint` with `by: last`"),
    (r"`smriti branch list`", "`smriti_branches`"),
    (r"`smriti claim list --all`", "`smriti_claims` with `every`"),
    (r"`smriti claim list`", "`smriti_claims`"),
    (r"`smriti worktree list`", "`smriti_worktree_list`"),
    (r"`smriti worktree close(?: \S+)? --force`", "`smriti_worktree_close` with `force`"),
    (r"`smriti merge --dry-run`|merge --dry-run", "`smriti_merge` with `dry_run`"),
    (r"--resolve FILE", "`answers`"),
    (r"--ours", "`side: ours`"),
    (r"--theirs", "`side: theirs`"),
    (r"--command-id", "`command_id`"),
    (r"--expect-head", "`expect_head`"),
    (r"--branch NAME", "`branch`"),
    (r"--base ID", "`base`"),
    (r"--(branch|session|into|force|cascade)\b", r"`\1`"),
)


def in_tool_words(hint: str) -> str:
    """A hint with tools and arguments in the place of commands and flags."""
    for said, instead in _SAID:
        hint = re.sub(said, instead, hint)
    return hint
