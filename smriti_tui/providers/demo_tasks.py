"""What the demo models are asked for beside the chat, told by the closing words of each template.

Imported with the first call only: these templates cost start-up time that most commands need not
spend.
"""

from __future__ import annotations

from collections.abc import Sequence

from smriti_tui.domain import explain_text, extract_text, review_text
from smriti_tui.domain.draft_text import numbers_in
from smriti_tui.providers.base import Message
from smriti_tui.providers.demo_drafting import drafted
from smriti_tui.providers.demo_explaining import explained
from smriti_tui.providers.demo_extracting import extracted
from smriti_tui.providers.demo_reviewing import reviewed


def done(messages: Sequence[Message], says_what_it_is: str) -> str | None:
    """The answer to such a request; None for a chat. `says_what_it_is` begins what they say."""
    asked = messages[-1].content if messages else ""
    if asked == explain_text.ASK:
        return f"{says_what_it_is}. {explained(messages[0].content)}"
    if asked.endswith(review_text.ASK):
        return reviewed(messages[:-1], says_what_it_is)
    if asked.endswith(extract_text.ASK):
        return extracted(asked, says_what_it_is)
    if (numbers := numbers_in(asked)) is not None:
        talk = [each for each in messages[:-1] if each.role != "system"]
        return drafted(talk, numbers, says_what_it_is)
    return None
