"""Use cases, one class per concept, shared by the app, the CLI and MCP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smriti_tui.config.live import LiveConfig
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


@dataclass(frozen=True)
class Services:
    """Built by `bootstrap` alone; everything a surface may do."""

    caller: Caller
    spaces: SpaceService
    sessions: SessionService
    checkpoints: CheckpointService
    merging: MergeService
    merge_drafts: MergeDraftService
    explaining: ExplainService
    forking: ForkService
    branches: BranchService
    history: HistoryService
    notes: NoteService
    deleting: DeleteService
    blaming: BlameService
    reaching: ReachService
    packing: PackService
    reviewing: ReviewService
    claims: ClaimService
    state: StateService
    surveys: SurveyService
    worktrees: WorktreeService
    moments: MomentService
    contexts: ContextService
    chat: ChatService
    log: LogService
    views: ViewService
    view_files: ViewFileService
    tracking: TrackerService
    exporting: ExportService
    ingesting: IngestService
    importing: ImportService
    searching: SearchService
    undoing: UndoService
    titling: TitleService
    drafting: DraftService
    extracting: ExtractService
    settings: LiveConfig
    trying: TryService
