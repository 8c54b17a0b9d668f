"""The widgets that the desk fills; the transcript is put into its frame here."""

from __future__ import annotations

from dataclasses import dataclass

from textual.screen import Screen

from smriti_tui.config.light import styles_dir
from smriti_tui.widgets.agents_pane import AgentsPane
from smriti_tui.widgets.chat_pane import ChatPane
from smriti_tui.widgets.checkpoints_pane import CheckpointsPane
from smriti_tui.widgets.header_bar import HeaderBar
from smriti_tui.widgets.markdown_model import ASCII_THEME, UNICODE_THEME
from smriti_tui.widgets.notice_bar import NoticeBar
from smriti_tui.widgets.offer_list import OfferList
from smriti_tui.widgets.prompt import Prompt
from smriti_tui.widgets.spaces_pane import SpacesPane
from smriti_tui.widgets.transcript import Transcript


@dataclass(frozen=True)
class Panes:
    """They live as long as the workspace."""

    header: HeaderBar
    notice: NoticeBar
    spaces: SpacesPane
    checkpoints: CheckpointsPane
    chat: ChatPane
    transcript: Transcript
    prompt: Prompt
    offers: OfferList
    agents: AgentsPane


async def furnish(screen: Screen[None]) -> Panes:
    """Mounts the transcript, behind the first frame, and finds the rest."""
    app = screen.app
    # All of them at once: each that came later would have all of them read anew, at the key that
    # opens its screen.
    for path in sorted(styles_dir().glob("*.tcss")):
        if not app.stylesheet.has_source(str(path), ""):
            app.stylesheet.read(path)
    app.refresh_css(animate=False)
    theme = ASCII_THEME if app.has_class("-ascii") else UNICODE_THEME
    chat = screen.query_one(ChatPane)
    transcript = Transcript(id="transcript", theme=theme)
    await chat.take(transcript)
    offers, prompt = OfferList(), screen.query_one(Prompt)
    await screen.query_one("#talk").mount(offers, before=prompt)
    return Panes(
        header=screen.query_one(HeaderBar),
        notice=screen.query_one(NoticeBar),
        spaces=screen.query_one(SpacesPane),
        checkpoints=screen.query_one(CheckpointsPane),
        chat=chat,
        transcript=transcript,
        prompt=prompt,
        offers=offers,
        agents=screen.query_one(AgentsPane),
    )
