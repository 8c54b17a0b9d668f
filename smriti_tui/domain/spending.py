"""What the answers of a session have cost, added up as they come."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Spent:
    """The sum of the answers up to one turn."""

    through: int = 0
    """The last turn that is in the sum; what is running, and what follows it, is not."""
    answers: int = 0
    unknown: int = 0
    """Answers among them whose cost nobody told: they are not taken for 0."""
    usd: Decimal = Decimal(0)

    def add(self, through: int, costs: Iterable[tuple[str | None, int]]) -> Spent:
        """With the answers up to a later turn: each cost in dollars (None: unknown), and how many
        answers cost that."""
        answers, unknown, usd = self.answers, self.unknown, self.usd
        for text, times in costs:
            amount = amount_of(text)
            answers += times
            if amount is None:
                unknown += times
            else:
                usd += amount * times
        return Spent(through, answers, unknown, usd)


def amount_of(usd: str | None) -> Decimal | None:
    """Dollars as a number; None where they are unknown, or no number that could be shown."""
    if usd is None:
        return None
    try:
        amount = Decimal(usd)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and abs(amount) < 10**9 else None


def usd_words(amount: Decimal) -> str:
    """`$0.12`; below a cent with more places, so that it is not told as nothing."""
    return f"${amount:.4f}" if 0 < amount < CENT else f"${amount:.2f}"


def spent_words(spent: Spent) -> str:
    """`$0.12`, `$0.12+` while some answer's cost is unknown, `cost unknown` while all are."""
    if spent.unknown and spent.unknown == spent.answers:
        return "cost unknown"
    return f"{usd_words(spent.usd)}{'+' if spent.unknown else ''}"


def spent_sentence(spent: Spent) -> str:
    """`$0.12+ for 3 answers, of which 1 of unknown cost`."""
    answers = "1 answer" if spent.answers == 1 else f"{spent.answers} answers"
    unknown = f", of which {spent.unknown} of unknown cost" if spent.unknown else ""
    return f"{spent_words(spent)} for {answers}{unknown}"
