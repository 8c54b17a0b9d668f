"""The one table of actions: key bindings, footer, help and palette all come from it.

Every action has a stable id, so that people can change its key in their settings by that id. A
letter means one thing everywhere. Places tell where an action applies: `everywhere` also while
text is being typed, `browse` in every pane, else one pane or screen by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Place = Literal[
    "everywhere",
    "browse",
    "filter",
    "spaces",
    "checkpoints",
    "chat",
    "agents",
    "prompt",
    "checkpoint",
    "compare",
    "context",
    "draft",
    "form",
    "items",
    "search",
    "settings",
    "import",
    "log",
    "past",
    "sides",
    "review",
]
"""Where an action applies. A full screen declares a place of its own here, one a line."""

PLACE_NAMES: tuple[tuple[Place, str], ...] = (
    ("spaces", "1 Spaces"),
    ("checkpoints", "2 Checkpoints"),
    ("chat", "3 Chat"),
    ("agents", "5 Agents"),
    ("prompt", "Prompt"),
    ("checkpoint", "Checkpoint"),
    ("compare", "Compare and merge"),
    ("context", "Context inspector"),
    ("draft", "4 Draft"),
    ("form", "Checkpoint form"),
    ("items", "List in a form"),
    ("search", "Search"),
    ("settings", "Settings"),
    ("import", "Import"),
    ("log", "Event log"),
    ("past", "Time travel"),
    ("sides", "Side by side"),
    ("review", "Review"),
    ("filter", "while a filter is shown"),
    ("browse", "in every pane"),
    ("everywhere", "everywhere"),
)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done."""

    id: str
    keys: tuple[str, ...]
    """As people write them: `ctrl+p`, `?`, `G`."""
    word: str
    """For the footer."""
    title: str
    """For palette and help: what it does, in one line."""
    places: tuple[Place, ...]
    rank: int = 0
    """Order in the footer, from 1; 0 stays out of it."""
    palette: bool = True
    """False for moves: the palette lists them last, and only once something is typed."""
    bound: bool = True
    """False where the widget itself asks the table for its keys (the prompt)."""


def _act(
    action_id: str,
    keys: str,
    word: str,
    title: str,
    *places: Place,
    rank: int = 0,
    palette: bool = True,
    bound: bool = True,
) -> Action:
    return Action(action_id, tuple(keys.split()), word, title, places, rank, palette, bound)


def _move(action_id: str, keys: str, title: str, *places: Place) -> Action:
    return _act(action_id, keys, title, title, *(places or ("browse",)), palette=False)


ACTIONS: tuple[Action, ...] = (
    _act("nav.open", "enter", "Open", "Open or expand", "browse", rank=1, palette=False),
    _act(
        "checkpoint.mount", "m", "Mount", "Mount this checkpoint: all turns so far stay out",
        "checkpoints", "browse", rank=2,
    ),
    _act(
        "checkpoint.unmount", "u", "Unmount", "Unmount, back to HEAD", "checkpoints", "browse",
        rank=8,
    ),
    _act("space.new", "n", "New", "New Space, or a session when one is marked", "spaces", rank=2),
    _act(
        "edit.rename", "e", "Rename", "Rename this session, or change this Space's words",
        "spaces", rank=3,
    ),
    _act(
        "space.remove", "D", "Remove", "Archive or delete this Space or session", "spaces", rank=4,
    ),
    _act("session.pin", "p", "Pin", "Pin this session on top, or unpin it", "spaces"),
    _act("space.export", "E", "Export", "Export this Space into a file or folder", "spaces"),
    _act(
        "session.archive", "", "Archive", "Archive this session, or bring it back", "spaces",
    ),
    _act("space.archive", "", "Archive", "Archive this Space, or bring it back", "spaces"),
    _act(
        "session.title", "", "Title", "Title this session by the background model", "spaces",
    ),
    _act(
        "checkpoint.fork", "f", "Fork", "Fork: a new session on a new branch from here",
        "checkpoints", rank=3,
    ),
    _act("checkpoint.new", "n", "New", "New checkpoint by hand", "checkpoints", rank=7),
    _act(
        "branch.menu", "b", "Branch",
        "Branch menu: go to it, rename, integrated, abandoned, active", "checkpoints",
    ),
    _act("checkpoint.note", "t", "Note", "Note, milestone or noise", "checkpoints"),
    _act("item.reach", "", "Reach", "What rests on this item", "checkpoints", "checkpoint"),
    _act("checkpoint.turns", "o", "Source", "Open the turns it was made from", "checkpoints"),
    _act("checkpoint.blame", "B", "Blame", "Where did an item come from", "checkpoints"),
    _act("checkpoint.verify", "V", "Verify", "Verify the chain that leads here", "checkpoints"),
    _act("checkpoint.export", "E", "Export", "Export this checkpoint", "checkpoints"),
    _act(
        "checkpoint.remove", "D", "Delete", "Delete it; what depends on it is listed first",
        "checkpoints",
    ),
    _act(
        "checkpoint.compare", "c", "Compare",
        "Compare the marked checkpoint, or HEAD, with this one", "checkpoints", "checkpoint",
        rank=5,
    ),
    _act(
        "checkpoint.merge", "M", "Merge", "Merge this line into the current branch",
        "checkpoints", "checkpoint", rank=6,
    ),
    _act("checkpoint.review", "r", "Review", "Review this checkpoint by model and rules",
         "checkpoints", "checkpoint", rank=5),
    _act(
        "merge.resume", "", "Merge", "Go on with an unfinished merge of this Space", "checkpoints",
    ),
    _act("chat.write", "i", "Write", "Go to the prompt and type", "browse", rank=2),
    _act("chat.send", "enter", "Send", "Send what is written", "prompt", rank=1, bound=False),
    _act(
        "chat.newline", "ctrl+j", "New line", "A new line in the prompt", "prompt",
        rank=2, palette=False, bound=False,
    ),
    _act(
        "edit.external", "ctrl+g", "Editor", "Edit the text in $VISUAL or $EDITOR", "everywhere",
    ),
    _act(
        "prompt.earlier", "up", "Earlier", "On the first line: the prompts before", "prompt",
        palette=False, bound=False,
    ),
    _act(
        "prompt.later", "down", "Later", "On the last line: back to what was being written",
        "prompt", palette=False, bound=False,
    ),
    _act(
        "prompt.mention", "@", "Mention", "Mention a checkpoint, item, artifact or file", "prompt",
        palette=False, bound=False,
    ),
    _act(
        "prompt.command", "/", "Command", "At the start: a command by name", "prompt",
        palette=False, bound=False,
    ),
    _act("prompt.unfold", "", "Unfold", "Show pasted text in full in the prompt", "prompt"),
    _act("chat.stop", "", "Stop", "Stop the running answer and keep what arrived", "chat"),
    _act("chat.retry", "R", "Retry", "Ask the last question again", "chat", rank=4),
    _act("nudge.hide", "", "Hide", "Hide this hint until the next checkpoint", "chat"),
    _act("chat.sibling_prev", "{", "Answer before", "Send the answer before this one", "chat"),
    _act("chat.sibling_next", "}", "Answer behind", "Send the answer behind this one", "chat"),
    _act(
        "context.show", "f3 x", "Context",
        "Context inspector: exactly what is sent, or was", "everywhere", rank=5,
    ),
    _act("draft.start", "f2 d", "Draft", "Draft a checkpoint with AI", "everywhere", rank=4),
    _act("draft.part", "", "Draft to here", "Draft a checkpoint of the turns up to this one",
         "chat"),
    _act("draft.keep", "space", "Keep", "Keep or drop this item", "draft", palette=False),
    _act("draft.edit", "e", "Edit", "Edit this text, with its citation", "draft", palette=False),
    _act("draft.new", "n", "New", "A new item in this list, by hand", "draft", palette=False),
    _act("draft.kind", "t", "Type", "Decision, assumption, task or question", "draft",
         palette=False),
    _act("draft.earlier", "<", "Earlier", "Move this item of the draft up", "draft",
         palette=False),
    _act("draft.later", ">", "Later", "Move this item of the draft down", "draft", palette=False),
    _act("draft.accept", "a", "Accept", "Take what the model says this rests on", "draft",
         palette=False),
    _act("draft.source", "o", "Source", "Show the cited turn; again: open it in the chat",
         "draft", palette=False),
    _act("draft.again", "R", "Redraft", "Draft again; your edits are kept", "draft"),
    _act("draft.review", "r", "Review", "Review the draft before saving, by rules", "draft"),
    _act("draft.save", "w ctrl+s", "Save", "Save the checkpoint", "draft"),
    _act("draft.discard", "D", "Throw away", "Throw the draft away; undo brings it back",
         "draft"),
    _act("draft.carry_all", "", "Carry all", "Carry over all that lives in the head", "draft"),
    _act("draft.carry_none", "", "Carry none", "Carry over nothing of the head", "draft"),
    _act("draft.artifact_turn", "", "From a turn", "New artifact from a turn", "draft"),
    _act("draft.artifact_code", "", "From code", "New artifact from a code block of a turn",
         "draft"),
    _act("draft.artifact_file", "", "From a file", "New artifact from a file of the project",
         "draft"),
    _act("draft.artifact_hand", "", "By hand", "New artifact written by hand", "draft"),
    _act("chat.model", "ctrl+t", "Model", "Choose the model of the next send", "everywhere",
         rank=6),
    _act("session.new", "ctrl+n", "New session", "New session in this Space", "everywhere"),
    _act("edit.copy", "y", "Copy", "Copy the id or text under the cursor", "browse"),
    _act("edit.copy_menu", "Y", "Copy menu",
         "Copy menu: text, code block, hash, link, JSON, or into a file", "browse"),
    _act("chat.fork", "f", "Fork", "Fork after this turn: a new session", "chat"),
    _act("chat.edit", "e", "Edit", "Edit this question and ask it on a fork", "chat"),
    _act("chat.pager", "o", "Pager", "Open this turn in $PAGER or $EDITOR", "chat"),
    _act("time.travel", "T", "Time", "Time travel: the whole Space as it was", "checkpoints"),
    _act("time.back", "h", "Event", "One event back", "past", palette=False),
    _act("time.forward", "l", "Event", "One event forward", "past", palette=False),
    _act("time.checkpoint_back", "H", "Checkpoint", "Back to the checkpoint before", "past",
         palette=False),
    _act("time.checkpoint_forward", "L", "Checkpoint", "Forward to the next checkpoint", "past",
         palette=False),
    _act("time.first", "g home", "First", "To the first event of this Space", "past",
         palette=False),
    _act("time.now", "G end", "Now", "To the newest event: as it is now", "past", palette=False),
    _act("time.goto", "/", "Go to", "Go to a time, an event or a checkpoint", "past",
         palette=False),
    _act("time.fork", "f", "Fork from here", "Fork from here: a new session, made now", "past",
         palette=False),
    _act("chat.sides", "s", "Side", "Ask again with exactly one thing changed, side by side",
         "chat", rank=3),
    _act("sides.left", "1", "Left", "Choose the left answer", "sides", palette=False),
    _act("sides.right", "2", "Right", "Choose the right answer", "sides", palette=False),
    _act("sides.difference", "=", "Difference", "Show the difference between the two answers",
         "sides", palette=False),
    _act("view.agents", "f4 \\", "Agents", "Show or hide the agents: who works on what",
         "everywhere"),
    _act("agents.new", "n", "New", "New claim; on the tab Worktrees a new worktree", "agents",
         rank=1),
    _act("claim.edit", "e", "Edit", "Edit this claim: scope, intent, time", "agents", rank=1),
    _act("claim.done", "space", "Done", "Claim done, or active again", "agents", rank=1),
    _act("agents.remove", "D", "Abandon", "Abandon claim, close worktree", "agents"),
    _act("worktree.shell", "o", "Open", "Open the worktree: in $SHELL or $EDITOR", "agents",
         rank=1),
    _act("conflict.explain", "c", "Explain", "Explain this signal: files, lines, both sides",
         "agents", rank=2),
    _act("worktree.prune", "", "Prune", "Close worktrees: those whose folders are gone", "agents"),
    _act("agents.look", "", "Look", "Ask git again: all worktrees", "agents"),
    _act("agents.claims", "", "Claims", "Show the claims of this Space", "agents"),
    _act("agents.worktrees", "", "Worktrees", "Show the worktrees of this Space", "agents"),
    _act("agents.signals", "", "Signals", "Show the signals of this Space", "agents"),
    _act("agents.feed", "", "Feed", "Show the feed: who wrote what", "agents"),
    _act("nav.tab_next", "]", "Tab", "Next tab", "context", "checkpoints", "agents", "review",
         "log", palette=False),
    _act("nav.tab_prev", "[", "Tab", "Previous tab", "context", "checkpoints", "agents", "review",
         "log",
         palette=False),
    _act("compare.next", "n", "Next", "Next difference, in a merge the next open conflict",
         "compare", palette=False),
    _act("compare.prev", "N", "Previous", "Previous difference or open conflict", "compare",
         palette=False),
    _act("compare.equal", "=", "Equal", "Show or hide what is equal", "compare", palette=False),
    _act("compare.swap", "v", "Swap", "Swap the sides", "compare", palette=False),
    _act("compare.merge", "M", "Merge", "Start a merge of B into the line of A", "compare",
         palette=False),
    _act("merge.ours", "1", "Ours", "Take ours", "compare", palette=False),
    _act("merge.theirs", "2", "Theirs", "Take theirs", "compare", palette=False),
    _act("merge.both", "3", "Both", "Take both, one behind the other", "compare", palette=False),
    _act("merge.neither", "0", "None", "Take neither side", "compare", palette=False),
    _act("merge.edit", "e", "Edit", "Write the text yourself", "compare", palette=False),
    _act("compare.origin", "o", "Source", "Where this item came from", "compare", palette=False),
    _act("merge.write", "w", "Write", "Write the merge: only when no conflict is open", "compare",
         palette=False),
    _act("merge.explain", "", "Explain",
         "Explain this conflict by the background model, which never chooses", "compare"),
    _act("merge.drop", "", "Throw away", "Throw away the answers of this merge", "compare"),
    _act("review.next", "n", "Next", "Next open finding", "review", palette=False),
    _act("review.prev", "N", "Previous", "Previous open finding", "review", palette=False),
    _act("review.accept", "a", "Accept", "Accept the suggestion: it goes into the follow-up",
         "review", palette=False),
    _act("review.dismiss", "D", "Dismiss", "Dismiss this finding with a reason", "review",
         palette=False),
    _act("review.edit", "e", "Edit", "Edit the suggestion, then accept it", "review",
         palette=False),
    _act("review.source", "o", "Source", "Show the turn or item it points at", "review",
         palette=False),
    _act("review.again", "R", "Again", "Run the review again", "review", palette=False),
    _act("review.write", "w", "Write", "Write the follow-up checkpoint", "review",
         palette=False),
    _act(
        "context.verify", "V", "Verify", "Rebuild from the store and compare the hash", "context",
        palette=False,
    ),
    _act(
        "context.compare", "c", "Compare", "Compare with what the next send would hold", "context",
        palette=False,
    ),
    _act(
        "context.open", "o", "Source", "Open the checkpoint or turn this part came from",
        "context", palette=False,
    ),
    _act(
        "context.export", "E", "Export", "Write the request into a JSON file", "context",
        palette=False,
    ),
    _act("edit.save", "ctrl+s", "Save", "Save what is being edited", "form", palette=False),
    _act("item.edit", "e", "Edit", "Edit this item", "items", palette=False),
    _act("item.new", "n", "New", "A new item", "items", palette=False),
    _act("item.remove", "D", "Remove", "Take this item out; z brings it back", "items",
         palette=False),
    _act(
        "edit.undo", "z", "Undo", "Undo your last action; in a list, put back what was taken out",
        "browse", "items",
    ),
    _act("edit.redo", "Z", "Redo", "Do again what was undone last", "browse"),
    _act("item.earlier", "<", "Earlier", "Move this item up", "items", palette=False),
    _act("item.later", ">", "Later", "Move this item down", "items", palette=False),
    _act("item.done", "space", "Done", "Mark this task done, or open again", "items",
         palette=False),
    _act("item.kind", "t", "Intent", "Change what this task is for", "items", palette=False),
    _act("nav.filter", "/", "Filter", "Filter this list, or find in the chat", "browse"),
    _act("nav.hit_next", "n", "Next hit", "Next hit of the filter", "filter", rank=1,
         palette=False),
    _act("nav.hit_prev", "N", "Previous", "Previous hit of the filter", "filter", rank=2,
         palette=False),
    _act("nav.mark", "space", "Mark", "Mark it; a second mark takes in all between",
         "checkpoints"),
    _act("nav.zoom", "+", "Zoom", "Zoom this pane: normal, tall, full", "browse"),
    _act("nav.unzoom", "_", "Zoom back", "Zoom this pane back", "browse"),
    _move("nav.preview_down", "J", "Scroll the preview down", "checkpoints"),
    _move("nav.preview_up", "K", "Scroll the preview up", "checkpoints"),
    _act("nav.pane_1", "1", "Spaces", "Go to Spaces", "browse"),
    _act("nav.pane_2", "2", "Checkpoints", "Go to Checkpoints", "browse"),
    _act("nav.pane_3", "3", "Chat", "Go to Chat", "browse"),
    _act("nav.pane_4", "4", "Draft", "Go to the draft, pane 4", "browse"),
    _act("nav.pane_5", "5", "Agents", "Go to Agents, shown where it is hidden", "browse"),
    _move("nav.left", "h", "Previous pane"),
    _move("nav.right", "l", "Next pane"),
    _move("nav.down", "j down", "Down"),
    _move("nav.up", "k up", "Up"),
    _move("nav.top", "g home", "First"),
    _move("nav.bottom", "G end", "Last"),
    _move("nav.half_down", "ctrl+d pagedown", "Half a page down"),
    _move("nav.half_up", "ctrl+u pageup", "Half a page up"),
    _move("nav.fold", "left", "Fold, or go to the parent"),
    _move("nav.unfold", "right", "Unfold"),
    _move("nav.back", "escape", "One step back; stops a running answer", "everywhere"),
    _move("nav.next", "tab", "Next pane or field", "everywhere"),
    _move("nav.prev", "shift+tab", "Previous pane or field", "everywhere"),
    _act("app.help", "f1 ?", "Help", "Help for what has the focus", "everywhere"),
    _act("app.palette", "ctrl+p :", "Commands", "Every command by name", "everywhere"),
    _act(
        "app.search", "ctrl+f", "Search",
        "Search everything: turns, checkpoints, items, artifacts, notes, names", "everywhere",
    ),
    _act("app.jump", "ctrl+o", "Jump", "Jump: a letter or digit for every place", "everywhere"),
    _act("app.settings", "", "Settings", "Settings: models, looks, keys", "everywhere"),
    _act("app.theme", "", "Theme", "Choose the theme, each shown at once", "everywhere"),
    _act("setting.change", "e", "Change", "Change this value", "settings", palette=False),
    _act("setting.new", "n", "New", "Add a model", "settings", palette=False),
    _act("setting.remove", "D", "Default", "Back to the default, or take this model out",
         "settings", palette=False),
    _act("setting.test", "R", "Test", "Test this model with one tiny call", "settings",
         palette=False),
    _act("import.show", "I", "Import",
         "Import conversations of ChatGPT, Claude, Codex, llm, elia, aider", "spaces"),
    _act("import.start", "w", "Import", "Bring the marked conversations in", "import",
         palette=False),
    _act("import.mark", "space", "Mark", "Take this conversation, or not", "import",
         palette=False),
    _act("import.all", "A", "All", "Mark all that have something new, or none", "import",
         palette=False),
    _act("import.sides", "s", "Side lines", "Also lines that were left there, as forks", "import",
         palette=False),
    _act("import.split", "S", "Cuts", "Change where a transcript is cut into messages", "import",
         palette=False),
    _act("import.path", "e", "Change file", "Choose another file or folder", "import",
         palette=False),
    _act("log.show", "f5", "Event log",
         "Event log: streams, live events, what they fold into, the tracker as a board",
         "everywhere"),
    _act("tracker.new", "n", "New", "A new item of work", "log", palette=False),
    _act("tracker.edit", "e", "Edit", "Edit this item of work: all its fields", "log",
         palette=False),
    _act("tracker.done", "space", "Done", "Mark this item of work done, or open again", "log",
         palette=False),
    _act("tracker.status", "t", "Status", "Set the status of this item of work, with a note",
         "log", palette=False),
    _act("tracker.left", "<", "Left", "Move this item of work a lane to the left", "log",
         palette=False),
    _act("tracker.right", ">", "Right", "Move this item of work a lane to the right", "log",
         palette=False),
    _act("tracker.archive", "D", "Archive", "Put this item of work away", "log", palette=False),
    _act("app.log", "", "Log", "Open the log: what the program noted of its own faults",
         "everywhere"),
    _act("app.mouse", "", "Mouse", "Mouse on or off", "everywhere"),
    _act("app.quit", "ctrl+q", "Quit", "Quit; asks only if something would be lost",
         "everywhere"),
    _act("nav.close", "q", "Close", "Close this screen; on the workspace: quit", "everywhere"),
)  # fmt: skip

FOOTER_RIGHT = ("app.help", "app.palette")
FOOTER_KEYS = 7
SHARED = (
    "nav.down", "nav.up", "nav.top", "nav.bottom", "nav.half_down", "nav.half_up", "nav.open",
    "nav.filter", "edit.copy", "edit.copy_menu", "edit.undo", "edit.redo",
)  # fmt: skip
"""Actions of the panes that full screens have too, with the same keys."""
OWN_MOVES: frozenset[Place] = frozenset({"past"})
"""Places whose keys go before those of the panes: in time travel `g` is the first event."""
FOOTER_ONLY: Mapping[str, Place] = {
    "checkpoint.mount": "checkpoints", "checkpoint.unmount": "checkpoints",
}  # fmt: skip
"""What answers in every pane, and stands in the footer of one."""
