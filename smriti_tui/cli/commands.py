"""The table of commands: what exists, where it is, and its one line of help.

The root group shows help from this table, so that `smriti --help` imports no command.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Entry(NamedTuple):
    """A command of the root: module below `smriti_tui.cli` and the attribute that holds it."""

    name: str
    module: str
    attribute: str
    help: str


COMMANDS: Final = (
    Entry("status", "status", "status", "Where you are: Space, database, models, head."),
    Entry("init", "onboarding", "init", "Set a project up for people and agents."),
    Entry("attach", "onboarding", "attach", "Bind this folder to a Space."),
    Entry("space", "space", "space", "Spaces: create, list, show, rename, delete."),
    Entry("session", "session", "session", "Sessions: new, list, show, turns, attach."),
    Entry("chat", "chat", "chat", "Ask a model in a session; ask again; choose an answer."),
    Entry("mount", "mount", "mount", "Go back to a checkpoint inside a session."),
    Entry("unmount", "mount", "unmount", "Go back to the head line of a session."),
    Entry("context", "context", "context", "The exact messages a model gets or got."),
    Entry("checkpoint", "checkpoint", "checkpoint", "Checkpoints: create, list, show, verify."),
    Entry("restore", "restore", "restore", "Print the continuation brief of a checkpoint."),
    Entry("context-pack", "context_pack", "context_pack", "A text to paste into another tool."),
    Entry("search", "search", "search", "Find turns, checkpoints, items, notes and names."),
    Entry("branch", "branch", "branch", "Branches: list, rename, close."),
    Entry("fork", "fork", "fork", "A new session on a new branch."),
    Entry("compare", "compare", "compare", "Compare two checkpoints over all fields."),
    Entry("merge", "compare", "merge", "Merge a checkpoint into a line, item by item."),
    Entry("state", "state", "state", "The state brief: where a Space is now."),
    Entry("current", "surveys", "current", "Where a project is now, for people."),
    Entry("metrics", "surveys", "metrics", "How a Space is worked in, in numbers."),
    Entry("claim", "claim", "claim", "Who works on what: create, done, extend, list."),
    Entry("worktree", "worktree", "worktree", "Git worktrees for agents: open, list, close."),
    Entry("skills", "skills", "skills", "Skill packs for agent hosts: show, install."),
    Entry("import", "importing", "import_", "Bring conversations of other tools here."),
    Entry("export", "export", "export", "Write a Space out as Markdown, JSON or a bundle."),
    Entry("ingest", "ingest", "ingest", "Take an export in again; what is here stays."),
    Entry("redact", "redact", "redact", "Take a secret out of everything recorded."),
    Entry("tracker", "tracker", "tracker", "Items of work: add, list, set, archive."),
    Entry("log", "log", "log", "The event log: append, read, project, export, verify."),
    Entry("db", "database", "database", "The database file: check, migrate, backup."),
    Entry("quickstart", "quickstart", "quickstart", "A Space with two agents to look at."),
    Entry("config", "settings", "settings", "Every setting, its value and where it stands."),
    Entry("whoami", "whoami", "whoami", "The actor that events are recorded under."),
    Entry("doctor", "doctor", "doctor", "Check the installation; exit 1 if it is broken."),
)
