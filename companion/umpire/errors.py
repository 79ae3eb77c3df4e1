"""What can go wrong between a rule and its umpire, each with one plain sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from companion.umpire.asks import Ask


class Barred(msgspec.Struct, frozen=True):
    """Why something is not allowed: a stable code, one sentence for the player, the rule, where it was asked."""

    code: str
    text: str
    rule: str
    address: str = ""


class CompanionError(Exception):
    """Root of everything that Companion refuses with a sentence."""


class UsageError(CompanionError, ValueError):
    """An input, an answer or a name that cannot be understood."""


class Illegal(CompanionError, ValueError):
    """The rules do not allow it; `violations` holds every reason at once."""

    def __init__(self, violations: Sequence[Barred]) -> None:
        self.violations = tuple(violations)
        super().__init__(" ".join(f"{v.text.rstrip('.')} [{v.rule}]." for v in self.violations))


class Missing(CompanionError, LookupError):
    """Answers are missing; `asks` holds the asks that are open now."""

    def __init__(self, asks: Sequence[Ask]) -> None:
        self.asks = tuple(asks)
        super().__init__("An answer is missing: " + "; ".join(f"{a.address} ({a.text})" for a in self.asks) + ".")


@contextmanager
def answered_at(address: str) -> Iterator[None]:
    """Say at which address an answer was refused."""
    try:
        yield
    except Illegal as refused:
        raise Illegal([msgspec.structs.replace(v, address=v.address or address) for v in refused.violations]) from None
    except UsageError as refused:
        raise UsageError(f"{address}: {refused}") from None


class Unused(UsageError):
    """An answer was given that nothing asked for."""


class TooLarge(CompanionError, OverflowError):
    """The exact odds have more cases than are worth counting; ask a narrower question."""
