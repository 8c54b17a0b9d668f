"""What others did to what is open: who, what, and the way to look at it (ux 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.ids import short
from smriti_tui.domain.render.action_words import named
from smriti_tui.screens.desk.feed import News
from smriti_tui.screens.desk.going import Going
from smriti_tui.screens.desk.place import Here
from smriti_tui.screens.desk.tree import TreePart
from smriti_tui.screens.desk.voice import HEAD, Voice
from smriti_tui.widgets.header_bar import HeaderBar

GONE = "gone"
TITLE_CHARACTERS = 60


class NewsPart:
    """Tells it. Where what was open is gone, it leads to what is beside it."""

    def __init__(
        self,
        here: Here,
        voice: Voice,
        header: HeaderBar,
        tree: TreePart,
        going: Going,
        *,
        me: str,
    ) -> None:
        """`me` is the person here: of what they do elsewhere the way is named, too."""
        self._here = here
        self._voice = voice
        self._header = header
        self._tree = tree
        self._going = going
        self._me = me
        self._tellers: dict[str, Callable[[News], None]] = {
            "checkpoint.saved": self._saved,
            "space.changed": self._space_changed,
            "session.changed": self._session_changed,
        }

    def tell(self, news: Sequence[News]) -> bool:
        """Tells what concerns the open Space and session; True when one had to leave."""
        place = self._here.now
        for each in news:
            if each.type == "space.deleted" and each.owner == place.space:
                self._space_gone(each)
                return True
            if each.type == "session.deleted" and each.owner == place.session:
                self._session_gone(each)
                return True
            if each.owner in (place.space, place.session) and each.type in self._tellers:
                self._tellers[each.type](each)
        return False

    def _who(self, news: News) -> str:
        by = clean_line(news.actor)
        return f"{by} ({news.door})" if news.actor == self._me else by

    # ---- HEAD ----------------------------------------------------------------------------------

    def _saved(self, news: News) -> None:
        place = self._here.now
        title = clean_line(str(news.facts.get("title") or ""))[:TITLE_CHARACTERS]
        saved = f"{self._who(news)} saved {short(str(news.facts.get('id')))}"
        stands = place.stands
        if stands is None:
            self._voice.say(f"{saved}: {title}")
            return
        if news.facts.get("branch") not in (place.branch, stands.id):
            self._voice.say(f"{saved} on another branch: {title}")
            return
        own = news.facts.get("branch") == place.branch
        on = place.branch_name if own else stands.name
        self._header.change(moved=True)
        look, what = self._voice.letter("2"), "what the next send holds: f3."
        hint = f"{look} and enter show it; {what}"
        self._voice.news(f"{saved} on {clean_line(on or '')}: {title}.", hint, cause=HEAD)

    # ---- other names, archives -------------------------------------------------------------------

    def _session_changed(self, news: News) -> None:
        title, archived = news.facts.get("title"), news.facts.get("archived")
        if title is not None:
            self._voice.say(f"{self._who(news)} renamed this session: {named(title)}")
        self._archived(news, archived, "session")

    def _space_changed(self, news: News) -> None:
        name, archived = news.facts.get("name"), news.facts.get("archived")
        known = self._tree.space_name
        if name is not None and name != known:
            was = f" from {named(known)}" if known else ""
            self._voice.say(f"{self._who(news)} renamed this Space{was} to {named(name)}.")
        self._archived(news, archived, "Space")

    def _archived(self, news: News, archived: object, what: str) -> None:
        if archived is None:
            return
        did = "archived" if archived else "brought back"
        rest = " It stays open and works as before." if archived else ""
        self._voice.say(f"{self._who(news)} {did} this {what}.{rest}")

    # ---- gone ----------------------------------------------------------------------------------

    def _session_gone(self, news: News) -> None:
        place = self._here.now
        if place.session is None:
            return
        look = place.look
        name = f" {named(look.session.label)}" if look is not None else ""
        self._told_gone(news, f"the open session{name}")
        self._going.leave_session(place.session, place.space)

    def _space_gone(self, news: News) -> None:
        place = self._here.now
        if place.space is None:
            return
        self._told_gone(news, f"the open Space {named(self._tree.space_name)}")
        self._going.leave_space(place.space, self._tree.beside(place.space))

    def _told_gone(self, news: News, what: str) -> None:
        kept = "What you had typed is in the prompt." if self._going.typed else ""
        self._voice.tell(f"{self._who(news)} deleted {what}.", kept, cause=GONE)
