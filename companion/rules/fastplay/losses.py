"""Planes that are shot down: who gets the victory, and whether the pilot lives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from companion.rules.fastplay.charts import charts
from companion.rules.fastplay.names import Names, apart, called
from companion.rules.fastplay.shooting import Victories, rank
from companion.rules.fastplay.state import Share
from companion.umpire import D6, Change, Dice, Procedure, Question, Slot, Umpire, dice, procedure

VICTORIES = "Victories"
CRASH = "Crash Landings"


class Loss(msgspec.Struct, frozen=True):
    """A plane that is shot down and who hit it how often, and the victories of those pilots so far."""

    pilot: str
    hit_by: tuple[Share, ...] = ()
    names: Names = ()

    def called(self, key: str) -> str:
        return called(self.names, key)


class Losses(msgspec.Struct, frozen=True):
    planes: Annotated[tuple[Loss, ...], Meta(max_length=40)]
    victories: dict[str, Victories] = {}
    names: Names = ()


class Fate(msgspec.Struct, frozen=True):
    """`victor` is '' where nobody's licence can take the victory."""

    pilot: str
    victor: str
    survives: bool


class Resolved(msgspec.Struct, frozen=True):
    fates: tuple[Fate, ...]
    changes: tuple[Change, ...]


def victor_of(ump: Umpire, loss: Loss) -> str:
    """The pilot who did the most damage; equal ones roll, ties again. A lost licence takes its victory with it."""
    if not loss.hit_by:
        ump.note(f"{loss.called(loss.pilot)}: nobody shot it down", VICTORIES)
        return ""
    most = max(share.hits for share in loss.hit_by)
    leaders = tuple(share for share in loss.hit_by if share.hits == most)
    for share in loss.hit_by:
        times = f"{share.hits} time{'s' * (share.hits != 1)}"
        ump.note(f"{loss.called(share.by)} hit {loss.called(loss.pilot)} {times}", VICTORIES)
    victor = leaders[0] if len(leaders) == 1 else _rolled(ump, loss, leaders)
    if victor.lost:
        ump.note(f"the victory of {loss.called(victor.by)} is lost with the licence", CRASH)
        return ""
    return victor.by


def _rolled(ump: Umpire, loss: Loss, leaders: tuple[Share, ...]) -> Share:
    """High roll has it; those who tie for the highest roll again. A throw in which all tie does not count."""
    throw = Dice(tuple(Slot(name, D6) for name in apart(loss.names, [share.by for share in leaders])))
    title = f"equal damage on {loss.called(loss.pilot)}, high roll has the victory"
    faces = ump.roll("high", throw, rule=VICTORIES, title=title, until=lambda faces: len(set(faces)) > 1)
    highest = max(face.value for face in faces)
    still = tuple(share for share, face in zip(leaders, faces, strict=True) if face.value == highest)
    return still[0] if len(still) == 1 else _rolled(ump, loss, still)


def survives(ump: Umpire, loss: Loss) -> bool:
    """The pilot survives on 1 to 4."""
    title = f"{loss.called(loss.pilot)} comes down"
    return ump.table(charts()["crash"], "crash", dice("d6"), title=title, seat=loss.pilot) == "survives"


_ASKS = {
    "high": "a die for each pilot who did equal damage; the high one has it",
    "crash": "whether the pilot survives",
}
credit: Procedure[Loss, str] = procedure("fastplay.credit", title="Credit the victory", rule=VICTORIES, asks=_ASKS)(
    victor_of
)
crash_landing: Procedure[Loss, bool] = procedure(
    "fastplay.crash_landing", title="Crash landing", rule=CRASH, asks=_ASKS
)(survives)


def _survivors(ump: Umpire, losses: Losses) -> int:
    """How many, plane by plane: whoever has the victories does not matter."""
    return ump.fold("landing", _alive, 0, losses.planes, names=[loss.pilot for loss in losses.planes])


def _alive(ump: Umpire, alive: int, loss: Loss) -> int:
    return alive + survives(ump, loss)


@procedure(
    "fastplay.shot_down",
    title="Planes shot down",
    rule=CRASH,
    questions={"survivors": Question("pilots who survive", lambda alive: alive, _survivors)},
    asks=_ASKS,
)
def shot_down(ump: Umpire, losses: Losses) -> Resolved:
    """First all victories, then all crash landings, for the shots were fired at the same time."""
    victors = [ump.call(f"credit:{loss.pilot}", victor_of, loss) for loss in losses.planes]
    lives = [ump.call(f"landing:{loss.pilot}", survives, loss) for loss in losses.planes]
    fates = tuple(Fate(loss.pilot, v, s) for loss, v, s in zip(losses.planes, victors, lives, strict=True))
    changes = (*_credits(ump, losses, victors), *(_landing(fate) for fate in fates))
    return Resolved(fates, (*changes, Change("resolved", "", rule=CRASH)))


def _credits(ump: Umpire, losses: Losses, victors: Sequence[str]) -> list[Change]:
    tally = dict(losses.victories)
    changes = []
    for victor in filter(None, victors):
        before = tally.get(victor, 0)
        tally[victor] = before + 1
        words = f"victory {before + 1}"
        if rank(before + 1) != rank(before):
            words += f": now {_article(rank(before + 1))}"
        ump.note(f"{called(losses.names, victor)}: {words}", VICTORIES)
        changes.append(Change("victory", victor, text=words, rule=VICTORIES))
    return changes


def _article(words: str) -> str:
    return f"an {words}" if words.startswith("a") else f"a {words}"


def _landing(fate: Fate) -> Change:
    if fate.survives:
        return Change("survived", fate.pilot, text="shot down, the pilot survives", rule=CRASH)
    return Change("out_of_action", fate.pilot, text="out of action: a new licence, no victories", rule=CRASH)


class Finish(msgspec.Struct, frozen=True):
    """The end of the lesson; the rulebook sets none."""


class Finished(msgspec.Struct, frozen=True):
    changes: tuple[Change, ...]


@procedure("fastplay.finish", title="End the game", rule=VICTORIES)
def finish(ump: Umpire, inputs: Finish) -> Finished:
    """All victories stay on the licences."""
    return Finished((Change("over", "", rule=VICTORIES),))
