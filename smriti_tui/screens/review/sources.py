"""What stands behind a review: the turns and items that a finding points at, and the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from smriti_tui.domain.errors import NotFound
from smriti_tui.domain.findings import SettledFinding
from smriti_tui.domain.ids import SessionId, short
from smriti_tui.domain.model import Evidence
from smriti_tui.domain.render.turns_text import turn_heading
from smriti_tui.domain.reviewed import labels_of, parts_of
from smriti_tui.screens.copy_out import copy_out
from smriti_tui.screens.review.dialogs import SourceDialog
from smriti_tui.screens.review.reading import Look
from smriti_tui.widgets.literal_view import Section
from smriti_tui.worker import hop

if TYPE_CHECKING:
    from smriti_tui.screens.review.review import ReviewScreen
    from smriti_tui.services import Services

HEADING = "heading"


def show_source(screen: ReviewScreen) -> None:
    """Opens what the finding under the cursor points at."""
    each, look = screen.under_cursor, screen.look
    if each is None or look is None:
        screen.say("Go to a finding first.")
        return
    if not each.finding.items:
        screen.say("This finding points at no item and no turn.")
        return

    def then(sections: list[Section]) -> None:
        screen.app.push_screen(SourceDialog(sections))

    services = screen.services
    hop(screen, lambda: sources(services, look, each), then, screen.failed, group="review.source")


def sources(services: Services, look: Look, each: SettledFinding) -> list[Section]:
    """Each item, and below it each turn that it cites; in a thread."""
    body = look.checkpoint.body
    labels, parts = labels_of(body), parts_of(body)
    artifacts = {artifact.id: artifact for artifact in body.artifacts}
    source = look.checkpoint.source
    own = source.session if source is not None else None
    found: list[Section] = []
    for uid in each.finding.items:
        label = labels.get(uid, short(uid))
        if uid in parts:
            item = parts[uid][1]
            found.append(Section(f"{label} of {short(look.checkpoint.id)}", item.text, HEADING))
            found += [_cited(services, one, own) for one in item.evidence]
        elif uid in artifacts:
            found.append(Section(label, artifacts[uid].content, HEADING))
    return found


def _cited(services: Services, evidence: Evidence, own: SessionId | None) -> Section:
    session = evidence.session or own
    if session is None or evidence.turn is None:
        return Section("It cites", f'"{evidence.quote}"', HEADING)
    try:
        turns = services.sessions.turns(session, evidence.turn, evidence.turn)
    except NotFound:
        turns = []
    if not turns:
        gone = f"Turn {evidence.turn} of session {short(session)} is not in this store."
        return Section("It cites", f'"{evidence.quote}"\n{gone}', HEADING)
    return Section(f"{turn_heading(turns[0])}, session {short(session)}", turns[0].content, HEADING)


def show_request(screen: ReviewScreen) -> None:
    """The request of the review that is shown, as the context inspector shows any."""
    look = screen.look
    request = look.reviewed.review.request if look and look.reviewed else None
    if request is None or look is None:
        screen.say("No model was asked, so there is no request.")
        return
    from smriti_tui.screens.context import ContextScreen
    from smriti_tui.screens.context_reading import ContextAsked

    asked = ContextAsked(None, look.space, request=request)
    screen.app.push_screen(ContextScreen(screen.services, asked))


def copy_here(screen: ReviewScreen) -> None:
    """The finding under the cursor, as it was written; on no finding the checkpoint's id."""
    each = screen.under_cursor
    copy_out(screen.app, each.finding.text if each is not None else screen.checkpoint)
