"""Events of the log in a few words: `turn 41`, `checkpoint 6ac0e11 on main`, `mount 4c1e9a0`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.action_words import named

Facts = Mapping[str, object]
"""Single values of an event's payload; `body` is the title of a saved checkpoint."""
Names = Mapping[str, str]
"""Names of branches by id."""


def event_words(type_name: str, facts: Facts, branches: Names) -> str:
    """What an event did. One that cannot be read is told by its type alone."""
    teller = _TELLERS.get(type_name)
    if teller is None or not facts:
        return clean_line(type_name.replace(".", " ").replace("_", " "))
    return clean_line(teller(facts, branches))


def event_actor(type_name: str, facts: Facts, actor: str, me: str) -> str:
    """Who did it: the model where one has answered, `you` for the person here."""
    model = str(facts.get("model") or "")
    if type_name == "answer.ended" and model:
        return clean_line(model.rsplit("/", 1)[-1])
    return "you" if actor == me else clean_line(actor)


def _id(facts: Facts, name: str) -> str:
    return short(str(facts.get(name) or ""))


def _branch(facts: Facts, branches: Names) -> str:
    return branches.get(str(facts.get("branch")), "a branch")


def _changed(what: str, facts: Facts, name: str) -> str:
    """Of a Space or session: a new name, an archive, a pin."""
    if facts.get(name) is not None:
        return f"{what} renamed {named(facts[name])}"
    for field, yes, no in (
        ("archived", "archived", "brought back"),
        ("pinned", "pinned", "unpinned"),
    ):
        if facts.get(field) is not None:
            return f"{what} {yes if facts[field] else no}"
    return f"{what} changed"


def _turn(facts: Facts, branches: Names) -> str:
    word = {"assistant": "answer", "system": "system turn"}.get(str(facts.get("role")), "turn")
    return f"{word} {facts.get('sequence_number')}"


def _imported(facts: Facts, branches: Names) -> str:
    return f"turns {facts.get('first')} to {facts.get('last')} imported"


def _ended(facts: Facts, branches: Names) -> str:
    status = str(facts.get("status"))
    return f"answer {facts.get('sequence_number')}{'' if status == 'complete' else f' {status}'}"


def _opened(facts: Facts, branches: Names) -> str:
    if facts.get("fork_checkpoint"):
        return f"fork from {_id(facts, 'fork_checkpoint')}"
    if facts.get("fork_session"):
        return f"fork after turn {facts.get('fork_turn')} of {_id(facts, 'fork_session')}"
    return f"session {named(facts.get('title'))}"


def _settled(facts: Facts, branches: Names) -> str:
    outcome = str(facts.get("outcome"))
    return f"finding {'opened again' if outcome == 'open' else outcome}"


def _claim_ended(facts: Facts, branches: Names) -> str:
    late = ", after its time" if facts.get("expired") else ""
    return f"claim {_id(facts, 'claim')} {facts.get('status')}{late}"


_TELLERS: Mapping[str, Callable[[Facts, Names], str]] = {
    "space.created": lambda f, b: f"Space {named(f.get('name'))}",
    "space.changed": lambda f, b: _changed("Space", f, "name"),
    "branch.opened": lambda f, b: f"branch {f.get('name')}",
    "branch.renamed": lambda f, b: f"branch renamed {f.get('name')}",
    "branch.disposed": lambda f, b: f"branch {_branch(f, b)} {f.get('disposition')}",
    "checkpoint.saved": lambda f, b: f"checkpoint {_id(f, 'id')} on {_branch(f, b)}",
    "checkpoint.deleted": lambda f, b: f"checkpoint {_id(f, 'id')} deleted",
    "note.added": lambda f, b: f"{f.get('kind') or 'note'} on {_id(f, 'checkpoint')}",
    "review.recorded": lambda f, b: f"review of {_id(f, 'checkpoint')}",
    "finding.settled": _settled,
    "session.opened": _opened,
    "session.changed": lambda f, b: _changed("session", f, "title"),
    "session.attached": lambda f, b: "session comes into the Space",
    "line.opened": lambda f, b: f"mount {_id(f, 'anchor')}",
    "line.left": lambda f, b: "unmount",
    "line.resumed": lambda f, b: "mounted again",
    "turn.added": _turn,
    "thread.imported": lambda f, b: f"from {f.get('tool')}: {named(f.get('title'))}",
    "turns.imported": _imported,
    "answer.started": lambda f, b: f"answer {f.get('sequence_number')} begins",
    "answer.ended": _ended,
    "answer.chosen": lambda f, b: f"answer {f.get('answer')} chosen",
    "answer.released": lambda f, b: f"choice at turn {f.get('question')} taken back",
    "claim.taken": lambda f, b: f"claim {_id(f, 'claim')} {named(f.get('scope'))}",
    "claim.extended": lambda f, b: f"claim {_id(f, 'claim')} has more time",
    "claim.changed": lambda f, b: f"claim {_id(f, 'claim')} changed",
    "claim.ended": _claim_ended,
    "worktree.opened": lambda f, b: f"worktree {_id(f, 'worktree')} on {f.get('branch')}",
    "worktree.closed": lambda f, b: f"worktree {_id(f, 'worktree')} closed",
    "request.stored": lambda f, b: f"{f.get('purpose') or 'chat'} request",
    "request.ended": lambda f, b: f"request {f.get('status')}",
}
