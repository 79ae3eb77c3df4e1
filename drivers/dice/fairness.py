"""Whether a die is fair, with a figure that may be looked at after every throw.

The figure is an e-value: the winnings of a gambler who starts with 1 and bets against the fair die at fair odds.
Against a fair die nobody reaches 20 with more than 1 chance in 20, however often and whenever one looks
(Ville's inequality), so no number of throws has to be fixed beforehand. The gambler splits the stake evenly
over plans: three expect any bias (large, middling, small: Dirichlet mixtures), the others that one face, no
matter which, comes never (a sketch that forgets the six), half, half again or twice as often. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log
from typing import Literal

LEVEL = 0.05
SPREADS = (1.0, 10.0, 100.0)
ONE_FACE = (0.0, 0.5, 1.5, 2.0)
FAR = 1_000_000

Verdict = Literal["too early", "nothing found", "not fair"]


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the throws of one die say.

    `evidence` is the e-value now. `throws_to_know` is how many throws in all would show a die of which one face
    comes half as often again as it should; `if_it_goes_on` is how many in all would show this die, or None.
    """

    throws: int
    evidence: float
    verdict: Verdict
    throws_to_know: int
    if_it_goes_on: int | None
    text: str


def log_evidence(counts: Sequence[float]) -> float:
    """The natural logarithm of the e-value for how often each face came. Counts may be expected ones."""
    plans = [_any_bias(counts, spread) for spread in SPREADS]
    plans += [_one_face(counts, often) for often in ONE_FACE if often < len(counts)]
    most = max(plans)
    return most + log(sum(exp(plan - most) for plan in plans) / len(plans))


def _any_bias(counts: Sequence[float], spread: float) -> float:
    sides, throws = len(counts), sum(counts)
    fixed = lgamma(sides * spread) - lgamma(sides * spread + throws) + throws * log(sides)
    return fixed + sum(lgamma(spread + count) - lgamma(spread) for count in counts)


def _one_face(counts: Sequence[float], often: float) -> float:
    """The stake is spread over all faces; each part bets that its face comes `often` times its share."""
    sides, throws = len(counts), sum(counts)
    others = log((sides - often) / (sides - 1))
    if not often:
        missing = sum(count == 0 for count in counts)
        return log(missing / sides) + throws * others if missing else -inf
    parts = [count * log(often) + (throws - count) * others for count in counts]
    most = max(parts)
    return most + log(sum(exp(part - most) for part in parts) / sides)


def throws_needed(chances: Sequence[float], level: float = LEVEL) -> int | None:
    """About how many throws show a die with these chances to be unfair; None past a million."""
    low, high = 0, 1
    while not _shows([high * chance for chance in chances], level):
        low, high = high, high * 2
        if high > FAR:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _shows([middle * chance for chance in chances], level) else (middle, high)
    return high


def _shows(counts: Sequence[float], level: float) -> bool:
    return log_evidence(counts) >= -log(level)


def judge(counts: Mapping[int | str, int], faces: Sequence[int | str], level: float = LEVEL) -> Fairness:
    """The verdict on one die, of which each of `faces` should come equally often.

    `level` is the chance of a false alarm that is borne for this die. Two faces are the least; faces that come
    more than once on the die must be told apart by the caller.
    """
    seen = [counts.get(face, 0) for face in faces]
    throws = sum(seen)
    evidence = exp(min(700.0, log_evidence(seen)))
    to_know = throws_needed(_one_face_heavy(len(faces)), level) or FAR
    goes_on = throws_needed([count / throws for count in seen], level) if throws else None
    verdict: Verdict = "not fair" if evidence >= 1 / level else "too early" if throws < to_know else "nothing found"
    text = _said(seen, faces, throws, verdict, goes_on if verdict == "nothing found" else to_know)
    return Fairness(throws, evidence, verdict, to_know, goes_on, text)


def _one_face_heavy(sides: int) -> list[float]:
    heavy = 1.5 / sides
    return [heavy] + [(1 - heavy) / (sides - 1)] * (sides - 1)


def _said(seen: Sequence[int], faces: Sequence[int | str], throws: int, verdict: Verdict, know: int | None) -> str:
    odd = max(range(len(faces)), key=lambda place: abs(seen[place] - throws / len(faces)))
    fair = f"{throws / len(faces):.0f}"
    if verdict == "not fair":
        came = f"no {faces[odd]}" if seen[odd] == 0 else f"{faces[odd]} came {seen[odd]} times, about {fair} were due,"
        return f"This die is very likely not fair: {came} in {throws} throws."
    if verdict == "too early":
        return f"Too early to tell after {throws} throw{'s' * (throws != 1)}: a clear fault shows in about {know}."
    more = f"faces that go on like this would show a fault in about {know}" if know else "no fault shows in a million"
    return f"Nothing unfair was found in {throws} throws; {more}."
