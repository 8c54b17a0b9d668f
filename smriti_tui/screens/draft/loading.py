"""What the draft screen opens with: where a save would go, the head, and the draft of before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from smriti_tui.domain.draft import DraftState, load, opened
from smriti_tui.domain.errors import Invalid, ProviderError, SmritiError
from smriti_tui.domain.ids import CheckpointId, RequestId, SessionId, short
from smriti_tui.domain.model import Checkpoint, Turn
from smriti_tui.screens.draft.place import DraftPlace
from smriti_tui.screens.form_loading import where_now

if TYPE_CHECKING:
    from smriti_tui.domain.render.context_rows import ContextFacts
    from smriti_tui.services import Services
    from smriti_tui.services.unsent import Elsewhere, Held


@dataclass(frozen=True)
class OpenedDraft:
    """A draft as its screen begins."""

    state: DraftState
    start: DraftState
    """As it would be with nothing drafted and nothing typed."""
    head: Checkpoint | None
    """The checkpoint that `state` is written on."""
    branch: str
    needs_branch: bool
    held: bool = False
    """Whether there was a draft."""
    thrown: DraftState | None = None
    """The one that was thrown away last."""
    turns: tuple[int, int] | None = None
    """First and last of what would be drafted now."""
    no_turns: str = ""
    """Why nothing would be, in words."""
    no_model: SmritiError | None = None
    """Why no model can be asked."""
    model: str = ""
    others: tuple[Elsewhere, ...] = ()
    news: str = ""
    """What the person should know first."""


def open_draft(services: Services, place: DraftPlace, held: Held, thrown: Held) -> OpenedDraft:
    """Reads all of it. Called in a thread.

    Raises:
        SmritiError: there is nowhere to save.
    """
    head_id, branch, last, needs_branch = where_now(services, place)
    head = services.checkpoints.get(head_id) if head_id else None
    session = SessionId(place.session or "")
    start = replace(opened(session, head.body if head else None, head_id or ""), last=last)
    found = OpenedDraft(
        start,
        start,
        head,
        branch,
        needs_branch,
        thrown=load(thrown.text) if thrown.text else None,
        others=held.elsewhere,
        news=_others(held),
    )
    found = _model(services, _turns(services, session, found))
    kept = load(held.text) if held.text else None
    if kept is None:
        return found
    return _kept(services, found, kept, adopted=held.adopted)


def _kept(
    services: Services, found: OpenedDraft, kept: DraftState, *, adopted: bool
) -> OpenedDraft:
    head = found.head
    asked = head.body.draft_request if head is not None else None
    if head is not None and asked and asked in kept.requests and kept.head != head.id:
        # The program ended between saving and forgetting it.
        news = f"The draft of before is saved: {short(head.id)}. {found.news}"
        return replace(found, news=news.strip())
    news = f"Taken over from a process that ended. {found.news}" if adopted else found.news
    if kept.head != found.start.head:
        now = short(found.start.head or "nothing")
        news += f"{found.branch} has moved to {now} since: saving will ask. "
        head = _find(services, kept.head)
    return replace(found, state=kept, head=head, held=True, news=news.strip())


def _turns(services: Services, session: SessionId, found: OpenedDraft) -> OpenedDraft:
    try:
        return replace(found, turns=services.drafting.turns(session))
    except Invalid as error:
        if error.code != "no_turns":
            raise
        return replace(found, no_turns=error.message)


def _model(services: Services, found: OpenedDraft) -> OpenedDraft:
    try:
        return replace(found, model=services.drafting.background.resolve(None).name)
    except ProviderError as error:
        return replace(found, no_model=error)


def _find(services: Services, head: str) -> Checkpoint | None:
    try:
        return services.checkpoints.get(CheckpointId(head)) if head else None
    except SmritiError:
        return None


def others_words(others: tuple[Elsewhere, ...]) -> str:
    """Who else works on the draft; each keeps its own."""
    told = ", ".join(f"process {each.pid} on {each.host}" for each in others)
    verb = "drafts" if len(others) == 1 else "draft"
    return f"Also {told} {verb} here; each keeps its own. "


def _others(held: Held) -> str:
    return others_words(held.elsewhere) if held.elsewhere else ""


def read_turns(services: Services, session: SessionId, numbers: tuple[int, ...]) -> dict[int, Turn]:
    """Those of the turns that there are. In a thread."""
    if not numbers:
        return {}
    found: dict[int, Turn] = {}
    for number in numbers:
        for turn in services.sessions.turns(session, number, number):
            found[number] = turn
    return found


def read_facts(services: Services, requests: tuple[str, ...]) -> tuple[ContextFacts, ...]:
    """The stored requests of a draft. In a thread. Raises: SmritiError."""
    from smriti_tui.services.inspecting import Inspector

    inspector = Inspector(services.contexts, services.chat, services.sessions)
    return tuple(inspector.request(RequestId(each)) for each in requests)
