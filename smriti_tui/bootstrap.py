"""The one composition root: settings in, services out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from smriti_tui.config.live import LiveConfig
from smriti_tui.config.models import Purpose
from smriti_tui.config.settings import Config
from smriti_tui.domain.model import Door
from smriti_tui.domain.values import utc_text
from smriti_tui.providers.catalog import ModelRouter
from smriti_tui.services import Services
from smriti_tui.services.background import Background
from smriti_tui.services.blaming import BlameService
from smriti_tui.services.branches import BranchService
from smriti_tui.services.caller import Caller
from smriti_tui.services.chat import ChatService
from smriti_tui.services.checkpoints import CheckpointService
from smriti_tui.services.claims import ClaimService
from smriti_tui.services.contexts import ContextService
from smriti_tui.services.deleting import DeleteService
from smriti_tui.services.drafting import DraftService
from smriti_tui.services.explaining import ExplainService
from smriti_tui.services.exporting import ExportService
from smriti_tui.services.extracting import ExtractService
from smriti_tui.services.forking import ForkService
from smriti_tui.services.history import HistoryService
from smriti_tui.services.importing import ImportService
from smriti_tui.services.ingesting import IngestService
from smriti_tui.services.logs import LogService
from smriti_tui.services.merge_drafts import MergeDraftService
from smriti_tui.services.merging import MergeService
from smriti_tui.services.models import Limits, ModelChoice
from smriti_tui.services.moments import MomentService
from smriti_tui.services.notes import NoteService
from smriti_tui.services.packing import PackService
from smriti_tui.services.reaching import ReachService
from smriti_tui.services.reviewing import ReviewService
from smriti_tui.services.searching import SearchService
from smriti_tui.services.sessions import SessionService
from smriti_tui.services.spaces import SpaceService
from smriti_tui.services.state import StateService
from smriti_tui.services.surveys import SurveyService
from smriti_tui.services.titling import TitleService
from smriti_tui.services.tracking import TrackerService
from smriti_tui.services.trying import TryService
from smriti_tui.services.undoing import UndoService
from smriti_tui.services.view_files import ViewFileService
from smriti_tui.services.views import ViewService
from smriti_tui.services.worktrees import WorktreeService
from smriti_tui.store.database import Store
from smriti_tui.store.moments import Moment


@contextmanager
def open_services(config: Config, door: Door, at: Moment | None = None) -> Iterator[Services]:
    """Services on the database of the settings; closes it and the provider process at the end.

    Nothing is created, migrated or started by opening: the first write and the first model call do.
    With `at` everything is as it was at that moment, the time included, and nothing is written.
    """
    if at is None:
        store = Store(config.database_url, lambda: utc_text(datetime.now(UTC)))
    else:
        store = Store(config.database_url, lambda: at.recorded_at, at=at.position)
    provider = ModelRouter()
    try:
        yield build_services(config, store, provider, door)
    finally:
        provider.close()
        store.close()


def build_services(config: Config, store: Store, provider: ModelRouter, door: Door) -> Services:
    """Services on an open store and provider."""
    caller = Caller(store, config.actor, door, away=config.home / "unsent")
    contexts = ContextService(caller)
    settings = LiveConfig(config)

    def choice(name: str | None) -> ModelChoice:
        return _choice(settings.now, name)

    chat = ChatService(
        caller=caller,
        contexts=contexts,
        limits=Limits(store, provider),
        provider=provider,
        resolve=choice,
    )
    background = Background(
        caller, chat.limits, provider, lambda name: _choice(settings.now, name, "background")
    )
    trees = WorktreeService(caller, config.home)
    state = StateService(caller, trees)
    views, exporting = ViewService(caller), ExportService(caller)
    return Services(
        caller=caller,
        spaces=SpaceService(caller),
        sessions=SessionService(caller),
        checkpoints=CheckpointService(caller),
        merging=MergeService(caller),
        merge_drafts=MergeDraftService(caller),
        explaining=ExplainService(background),
        forking=ForkService(caller),
        branches=BranchService(caller),
        history=HistoryService(caller),
        notes=NoteService(caller),
        deleting=DeleteService(caller),
        blaming=BlameService(caller),
        packing=PackService(caller),
        reaching=ReachService(caller),
        reviewing=ReviewService(background),
        claims=ClaimService(caller),
        state=state,
        surveys=SurveyService(caller, state),
        worktrees=trees,
        moments=MomentService(caller),
        contexts=contexts,
        chat=chat,
        log=LogService(caller, views),
        views=views,
        view_files=ViewFileService(caller, views),
        tracking=TrackerService(caller, views),
        exporting=exporting,
        ingesting=IngestService(caller, exporting),
        importing=ImportService(replace(caller, door="import"), config.home / "importing"),
        searching=SearchService(caller),
        undoing=UndoService(caller),
        titling=TitleService(background, SessionService(caller)),
        drafting=DraftService(background),
        extracting=ExtractService(background),
        settings=settings,
        trying=TryService(provider, choice, settings.secrets),
    )


def _choice(config: Config, name: str | None, purpose: Purpose = "chat") -> ModelChoice:
    resolved = config.resolve_model(name, for_=purpose)
    return ModelChoice(
        name=resolved.name,
        model=resolved.model,
        api_base=resolved.api_base,
        api_key=resolved.api_key,
        context_tokens=resolved.context_tokens,
        reply_tokens=resolved.reply_tokens,
        params=dict(resolved.params),
        timeout_s=config.timeout_s,
        retries=config.retries,
        key_variable=resolved.key_variable,
    )
