"""What is done to claims from pane 5, and what is read of them in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from smriti_tui.domain.claims import Claim
from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import CheckpointId, SessionId, SpaceId, short
from smriti_tui.domain.model import MAIN
from smriti_tui.domain.render.action_words import named
from smriti_tui.domain.render.agent_signs import AgentSign
from smriti_tui.domain.render.ages import exact
from smriti_tui.screens.desk.agents import AgentsPart
from smriti_tui.screens.desk.front import Front
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.session import SessionPart
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.screens.desk.worktree_acts import WorktreeActs
from smriti_tui.widgets.agents_pane import AgentsTab
from smriti_tui.widgets.agents_rows import details

if TYPE_CHECKING:
    from smriti_tui.screens.dialogs.claim import Wanted
    from smriti_tui.services import Services
    from smriti_tui.services.claims import Taken
    from smriti_tui.services.moments import Step

GROUP = "agents.act"


class ClaimActs:
    """The keys of pane 5."""

    def __init__(
        self,
        front: Front,
        here: Here,
        services: Services,
        work: Work,
        voice: Voice,
        agents: AgentsPart,
        trees: WorktreeActs,
        session: SessionPart,
        going: Going,
        view: Callable[[CheckpointId], None],
    ) -> None:
        """`view` shows a checkpoint in full."""
        self._front = front
        self._here = here
        self._services = services
        self._work = work
        self._voice = voice
        self._agents = agents
        self._trees = trees
        self._session = session
        self._going = going
        self._view = view
        self.actions: Mapping[str, Callable[[], None]] = {
            "agents.new": self.new,
            "claim.edit": self.edit,
            "claim.done": self.done_or_active,
            "agents.remove": self.remove,
            "conflict.explain": self.explain,
            "worktree.shell": trees.outside,
            "worktree.prune": trees.prune,
            "agents.look": agents.ask_git,
            "agents.claims": partial(self._show_tab, "Claims"),
            "agents.worktrees": partial(self._show_tab, "Worktrees"),
            "agents.signals": partial(self._show_tab, "Signals"),
            "agents.feed": partial(self._show_tab, "Feed"),
            "nav.tab_next": partial(self._step_tab, 1),
            "nav.tab_prev": partial(self._step_tab, -1),
        }
        self.turn_page: Callable[[], None] = _nothing
        """What the keys of tabs do in pane 2."""

    # ---- tabs ----------------------------------------------------------------------------------

    def _show_tab(self, tab: AgentsTab) -> None:
        self._front.go("agents")
        self._agents.show_tab(tab)

    def _step_tab(self, by: int) -> None:
        if self._front.place == "agents":
            self._agents.step_tab(by)
        else:
            self.turn_page()

    # ---- making ------------------------------------------------------------------------------

    def new(self) -> None:
        """A claim; on the tab of worktrees, a worktree."""
        space = self._here.now.space
        if space is None:
            self._voice.say("No Space is open: claims and worktrees belong to one.")
        elif self._agents.tab == "Worktrees" and self._front.place == "agents":
            self._trees.new(space)
        else:
            self._new_claim(space)

    def _new_claim(self, space: SpaceId) -> None:
        from smriti_tui.screens.dialogs.claim import ClaimChoices, NewClaimDialog

        claims = self._services.claims
        trees = tuple(each.worktree for each in self._agents.view.worktrees)
        branch = self._here.now.branch_name or MAIN
        choices = ClaimChoices(self._agents.free_tasks, trees, branch)

        def take(wanted: Wanted) -> Taken:
            return claims.take(
                space, wanted.scope, intent=wanted.intent, task_id=wanted.task_id,
                branch=wanted.branch or MAIN, worktree=wanted.worktree, ttl_s=wanted.ttl_s or 0,
            )  # fmt: skip

        def then(taken: Taken | None) -> None:
            if taken is not None:
                self._voice.done(f"Claimed {named(taken.claim.scope)}.")
                self._tell_overlaps(taken)

        self._front.open_screen(NewClaimDialog(choices, take), then)

    def _tell_overlaps(self, taken: Taken) -> None:
        """The later claimant hears of the earlier ones; the earlier ones hear in their own way."""
        if not taken.overlaps:
            return
        said = []
        for each in taken.overlaps:
            other = each.other if each.one.id == taken.claim.id else each.one
            said.append(f"{clean_line(other.agent)} ({clean_line(each.why)})")
        words = f"{named(taken.claim.scope)} overlaps with {'; '.join(said[:3])}."
        more = f" and {len(said) - 3} more" if len(said) > 3 else ""
        hint = "Nobody is kept out. The signals of pane 5 tell it in full."
        self._voice.news(f"! {words}{more}", hint, cause=f"overlap {taken.claim.id}")

    # ---- one claim -----------------------------------------------------------------------------

    def _marked(self) -> Claim | None:
        kind, owner = self._agents.marked
        claim = self._agents.claim(owner) if kind == "claim" else None
        if self._front.place != "agents":
            self._voice.say(f"{self._voice.letter('5')} goes to Agents; choose a claim there.")
            return None
        if claim is None:
            self._voice.say("Put the cursor on a claim first.")
        return claim

    def edit(self) -> None:
        """Other scope, intent or time."""
        claim = self._marked()
        if claim is None:
            return
        from smriti_tui.screens.dialogs.claim import EditClaimDialog
        from smriti_tui.services.claims import Taken

        claims, before = self._services.claims, claim
        if claim.status != "active":
            self._voice.say("It has ended: space makes it active again.")
            return

        def take(wanted: Wanted) -> Taken:
            taken = Taken(before, ())
            if (wanted.scope, wanted.intent) != (before.scope, before.intent):
                taken = claims.change(before.id, scope=wanted.scope, intent=wanted.intent)
            if wanted.ttl_s is not None:
                taken = claims.extend(before.id, wanted.ttl_s)
            return taken

        def then(taken: Taken | None) -> None:
            if taken is not None and taken.claim != before:
                until = exact(taken.claim.expires_at)
                self._voice.done(f"Changed claim {named(taken.claim.scope)}, until {until}.")
                self._tell_overlaps(taken)

        now = self._services.caller.store.now()
        self._front.open_screen(EditClaimDialog(claim, now, take), then)

    def done_or_active(self) -> None:
        """Done, or active again where it had ended."""
        claim = self._marked()
        if claim is None:
            return
        claims, words = self._services.claims, named(claim.scope)
        if claim.status == "active":
            self._act(lambda: claims.end(claim.id, "done"), f"Marked claim {words} as done.")
        else:
            self._act(lambda: claims.reopen(claim.id), f"Claim {words} is active again.")

    def remove(self) -> None:
        """Abandons the claim, or closes the worktree."""
        kind, owner = self._agents.marked
        if kind == "worktree" and self._front.place == "agents":
            self._trees.close(owner)
            return
        claim = self._marked()
        if claim is None:
            return
        if claim.status != "active":
            self._voice.say(f"It is {claim.status} already.")
            return
        claims = self._services.claims
        words = f"Abandoned claim {named(claim.scope)}."
        self._act(lambda: claims.end(claim.id, "abandoned"), words)

    def _act(self, work: Callable[[], object], said: str) -> None:
        self._work.run(work, lambda _: self._voice.done(said), group=GROUP)

    # ---- reading -------------------------------------------------------------------------------

    def row_opened(self, key: str) -> None:
        """Enter on a row."""
        kind, _, owner = key.partition(":")
        if kind == "claim" and (claim := self._agents.claim(owner)) is not None:
            self._claim(claim)
        elif kind == "worktree":
            self._trees.show(owner)
        elif kind == "sign":
            self.explain()
        elif kind == "event" and (step := self._agents.step(owner)) is not None:
            self._event(step)

    def _claim(self, claim: Claim) -> None:
        from smriti_tui.screens.dialogs.agent_text import AgentTextDialog

        view = self._agents.view
        sections = details(view, claim, view.signs)
        dialog = AgentTextDialog(f"Claim {short(claim.id)}", sections)
        self._front.open_screen(dialog, _nothing)

    def explain(self) -> None:
        """The signal under the cursor; on a claim or worktree, the first that is about it."""
        sign = self._sign()
        if sign is None:
            self._voice.say("No signal is about this.")
            return
        from smriti_tui.screens.dialogs.agent_text import AgentTextDialog

        leads = f"Open {short(sign.checkpoint)}" if sign.checkpoint else ""
        dialog = AgentTextDialog(f"{sign.mark} {sign.head}", sign.full, leads=leads)

        def then(_: object) -> None:
            if dialog.goes_on and sign.checkpoint:
                self._view(CheckpointId(sign.checkpoint))

        self._front.open_screen(dialog, then)

    def _sign(self) -> AgentSign | None:
        kind, owner = self._agents.marked
        signs = self._agents.view.signs
        if kind == "sign":
            return next((each for each in signs if each.key == f"{kind}:{owner}"), None)
        about = {owner}
        if kind == "claim" and (claim := self._agents.claim(owner)) is not None:
            about.add(claim.worktree or owner)
        found = [each for each in signs if about & set(each.ids)]
        return found[0] if found else None

    # ---- from the feed to the thing --------------------------------------------------------------

    def _event(self, step: Step) -> None:
        facts = step.facts
        if step.type == "checkpoint.saved":
            self._view(CheckpointId(str(facts.get("id"))))
        elif facts.get("checkpoint") and step.session is None:
            self._view(CheckpointId(str(facts["checkpoint"])))
        elif step.session is not None:
            self._to_turn(SessionId(step.session), facts.get("sequence_number"))
        elif step.type.startswith("claim."):
            self._find_claim(str(facts.get("claim")))
        elif step.type.startswith("worktree."):
            self._trees.show(str(facts.get("worktree")))
        else:
            self._voice.say("It is about the Space as a whole: time travel shows it as of then.")

    def _to_turn(self, session: SessionId, number: object) -> None:
        if isinstance(number, int):
            self._session.show_next(session, number)
        if session == self._here.now.session:
            self._session.read()
        else:
            self._going.to_session(session, self._here.now.space)
        self._front.go("chat")

    def _find_claim(self, claim_id: str) -> None:
        known = self._agents.claim(claim_id)
        if known is not None:
            self._claim(known)
        else:
            self._work.run(lambda: self._services.claims.find(claim_id), self._claim, group=GROUP)


def _nothing(*_: object) -> None:
    """It was read."""
