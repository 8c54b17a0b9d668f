"""What others did with a review while it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from smriti_tui.domain.clean import clean_line
from smriti_tui.domain.state_text import counted
from smriti_tui.screens.review.reading import Look

_DID = {"accepted": "accepted", "edited": "edited", "dismissed": "dismissed", "open": "opened"}


@dataclass
class Expected:
    """What this screen is doing itself: none of it is news when it comes back in a read."""

    findings: Counter[str] = field(default_factory=Counter)
    reviews: set[str] = field(default_factory=set)
    undos: int = 0
    recording: int = 0
    """Reviews that are on their way, whose ids are not known yet."""

    def finding(self, finding: str) -> None:
        """One is being settled here."""
        self.findings[finding] += 1

    def forget(self, finding: str) -> None:
        """It is not."""
        self.findings[finding] -= 1

    def review(self, review: str) -> None:
        """One was recorded here."""
        self.reviews.add(review)

    def any_one(self) -> None:
        """Some settling is undone here, or done again."""
        self.undos += 1

    def takes(self, finding: str) -> bool:
        """Whether a change of this finding was one's own; asked once for each change."""
        if self.findings[finding] > 0:
            self.findings[finding] -= 1
            return True
        if self.undos:
            self.undos -= 1
            return True
        return False


def news(before: Look | None, look: Look, expected: Expected) -> Iterator[str]:
    """Sentences on what somebody else recorded or settled since the last read."""
    if before is None or look.reviewed is None:
        return
    review = look.reviewed.review
    known = before.reviewed.review.id if before.reviewed is not None else ""
    if review.id != known:
        if review.id not in expected.reviews and not expected.recording:
            count = counted(len(look.recorded), "finding")
            yield f"{clean_line(review.actor)} reviewed it meanwhile: {count}."
        return
    was = {each.finding.id: each for each in before.recorded}
    did: Counter[tuple[str, str]] = Counter()
    for each in look.recorded:
        old = was.get(each.finding.id)
        if old is None or (old.outcome, old.change, old.reason) == (
            each.outcome, each.change, each.reason,
        ):  # fmt: skip
            continue
        if not expected.takes(each.finding.id):
            did[(each.settled_by or "somebody", each.outcome)] += 1
    for (who, outcome), many in did.items():
        yield f"{clean_line(who)} {_DID[outcome]} {counted(many, 'finding')} meanwhile."
