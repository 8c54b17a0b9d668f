"""What stands in the prompt: it belongs to its session and is kept until it is in the log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from smriti_tui.domain.errors import SmritiError
from smriti_tui.domain.folds import Span, kept, taken
from smriti_tui.domain.ids import SessionId
from smriti_tui.domain.mentions import MentionRule
from smriti_tui.screens.desk.earlier import EarlierPart
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.unsent import UnsentKeeper, thing
from smriti_tui.screens.desk.voice import Voice
from smriti_tui.screens.desk.work import Work
from smriti_tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from smriti_tui.services.unsent import Held

GROUP = "unsent.take"
ASIDE = "/aside"
"""Behind a thing's name: what was being written while an earlier prompt was changed there."""


class DraftPart:
    """Puts text into the prompt and keeps what is typed there."""

    def __init__(
        self,
        here: Here,
        work: Work,
        voice: Voice,
        prompt: Prompt,
        unsent: UnsentKeeper,
        earlier: EarlierPart,
    ) -> None:
        self._here = here
        self._work = work
        self._voice = voice
        self._prompt = prompt
        self._unsent = unsent
        self._earlier = earlier
        self._on_way: dict[str, str] = {}
        """What was sent and is not in the log yet."""
        self._behind: dict[str, str] = {}
        """What was typed after that."""
        self._owner: str | None = None
        """What the text in the prompt belongs to; None while that is still being read."""
        self._fresh = ""
        """A session that was just made here: nothing can be held for it."""

    @property
    def text(self) -> str:
        """What is typed."""
        return self._prompt.text

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where long pastes lie in it."""
        return self._prompt.spans

    @property
    def mentions(self) -> MentionRule:
        """What was pasted and folded mentions nothing."""
        return MentionRule(self._prompt.spans)

    @property
    def ready(self) -> bool:
        """Whether it is known what was typed here before."""
        return self._owner is not None

    def is_on_way(self, session: SessionId | None) -> bool:
        """Whether a text of this session was sent and is not in the log yet."""
        return thing(session) in self._on_way

    def typed(self) -> None:
        """The text changed: keeps it soon."""
        if self._owner is not None:
            self._keep_soon(self._owner)

    def keep(self) -> None:
        """Keeps the text now: another session is opened, or the program ends."""
        if self._owner is not None:
            self._keep_soon(self._owner)
            self._unsent.now()

    def _keep_soon(self, owner: str) -> None:
        """What was being written is kept while earlier prompts are looked at; one that was changed
        there is kept beside it."""
        now = kept(self._prompt.text, self._prompt.spans)
        aside = self._earlier.aside
        if self._earlier.untouched:
            now, aside = aside, ""
        if (on_way := self._on_way.get(owner)) is not None:
            self._behind[owner] = now
            now = _joined(on_way, now)  # It is not stored yet.
        self._unsent.later(owner, now)
        self._unsent.later(f"{owner}{ASIDE}", aside)

    def carry(self) -> str:
        """Takes the text out of the prompt: what it belonged to is gone."""
        text = kept(self._prompt.text, self._prompt.spans)
        if self._earlier.untouched:
            text = self._earlier.aside
        if self._owner is not None:
            self._forget(self._owner)
        self._earlier.forget()
        self._owner = None
        self._prompt.put("")
        return text

    def bring(self, text: str) -> None:
        """Puts text from elsewhere into the prompt."""
        if text:
            self._prompt.put(*taken(text))

    def show_home(self) -> None:
        """Says at the prompt when what is sent belongs to no Space."""
        place = self._here.now
        self._prompt.show_home(in_space=place.space is not None, open_session=bool(place.session))

    def take(self, session: SessionId | None) -> None:
        """Brings back what was typed in a session; nothing that was typed meanwhile is lost."""
        self.show_home()
        self._earlier.forget()
        if self._owner is not None:
            self._prompt.put("")
        self._owner = None
        owner = thing(session)
        if owner == self._fresh:
            self._owner, self._fresh = owner, ""
            return

        def then(found: tuple[Held, Held]) -> None:
            if session == self._here.now.session:
                self._owner = owner
                self._put_back(self._not_sent(owner, found[0]), found[1])

        def failed(error: SmritiError) -> None:
            if session == self._here.now.session:
                self._owner = thing(session)
            self._work.read_failed(error, GROUP)

        def read() -> tuple[Held, Held]:
            return self._unsent.take(owner), self._unsent.take(f"{owner}{ASIDE}")

        self._work.run(read, then, failed, group=GROUP)

    def _not_sent(self, owner: str, held: Held) -> Held:
        """What is on its way is kept too, but it is not typed any more."""
        if owner not in self._on_way:
            return held
        return replace(held, text=self._behind.get(owner, ""))

    def _put_back(self, held: Held, aside: Held) -> None:
        typed = kept(self._prompt.text, self._prompt.spans)
        self._prompt.put(*taken(_joined(held.text, typed, "")))
        if aside.text:
            self._earlier.resume(aside.text)
            self._voice.say("down brings back what you were writing before.")
        if held.adopted and held.text:
            self._voice.say("Unsent text of an earlier run is back in the prompt.")
        for other in held.elsewhere:
            self._voice.say(f"Process {other.pid} on {other.host} holds unsent text here.")

    # ---- sending -------------------------------------------------------------------------------

    def sent(self, session: SessionId | None, text: str, spans: tuple[Span, ...]) -> None:
        """The text is on its way: the prompt is free for the next. What was being written while an
        earlier prompt was sent comes back. None: the session that it goes into is being opened."""
        owner = thing(session)
        self._on_way[owner] = kept(text, spans)
        self._prompt.put(*taken(self._earlier.forget()))
        self._keep_soon(owner)

    def moved_out(self, session: SessionId) -> str:
        """The text goes with the first message into a new session; what was typed after it, for
        `bring`."""
        self._fresh = thing(session)
        self._arrived(None)
        return self.carry()

    def stored(self, session: SessionId) -> None:
        """A question is in the log: its unsent copy may go."""
        behind = self._arrived(session)
        if session == self._here.now.session:
            self._keep_soon(thing(session))
        else:
            self._unsent.later(thing(session), behind)

    def refused(self, session: SessionId | None, text: str, spans: tuple[Span, ...]) -> None:
        """Nothing was stored: the text goes back to where it was typed."""
        behind, before = self._arrived(session), kept(text, spans)
        if session != self._here.now.session:
            self._unsent.later(thing(session), _joined(before, behind))
        else:
            typed = kept(self._prompt.text, self._prompt.spans)
            self._prompt.put(*taken(_joined(before, typed)))

    def _arrived(self, session: SessionId | None) -> str:
        """The log has the text, or refused it; what was typed after it."""
        self._on_way.pop(thing(session), None)
        return self._behind.pop(thing(session), "")

    def _forget(self, owner: str) -> None:
        self._unsent.later(owner, "")
        self._unsent.later(f"{owner}{ASIDE}", "")


def _joined(first: str, second: str, between: str = "\n") -> str:
    """Two kept texts as one."""
    if not (first and second):
        return first or second
    (text, spans), (more, later) = taken(first), taken(second)
    start = len(text) + len(between)
    moved = tuple((start + a, start + b) for a, b in later)
    return kept(f"{text}{between}{more}", (*spans, *moved))
