"""Rise of the Luftwaffe: secret hands, a chain of responses, following a climb, a leader lost in his own turn."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest

from companion.umpire import (
    MOMENT,
    Answer,
    Barred,
    Change,
    Illegal,
    Missing,
    OneOf,
    Option,
    Rolling,
    SomeOf,
    Umpire,
    at_least,
    dice,
    odds,
    odds_by_option,
    procedure,
    run,
)
from tests.hard_cases.walk import at, chosen, happen, opened, play

RESPONDING = "Responding to an Attack"
ANSWERS = {
    "MAN": ("TIT", "ACE"),
    "HAL": ("ACE",),
    "IMS": ("TIT", "BAR", "ACE"),
    "SCI": ("SCI", "ACE"),
    "TIT": ("TIT", "SCI", "ACE"),
    "BAR": ("ACE",),
    "ACE": ("ACE",),
    "VER": ("VER", "ACE"),
}


class Side(msgspec.Struct, frozen=True):
    """One side of an exchange: what only its seat may see, and what everybody knows."""

    seat: str
    hand: tuple[str, ...]
    agile: bool = False

    def without(self, card: str, agile_used: bool = False) -> Side:
        hand = list(self.hand)
        hand.remove(card)
        return Side(self.seat, tuple(hand), self.agile and not agile_used)


class Exchange(msgspec.Struct, frozen=True):
    """The attacker is the one whose turn it is; `card` is laid, `means` says as what."""

    attacker: Side
    defender: Side
    card: str
    means: str = ""


class Answered(msgspec.Struct, frozen=True):
    stands: bool
    laid: tuple[str, ...]
    changes: tuple[Change, ...]


class Laid(msgspec.Struct, frozen=True):
    card: str
    as_kind: str
    agile: bool = False


def answers_to(side: Side, last: str, own_turn: bool) -> OneOf[Laid | None]:
    """Passing is always listed, so that being asked tells nobody anything about a hand."""
    listed: list[Option[Laid | None]] = [Option("pass", "Pass", None)]
    fits = ANSWERS[last]
    for card in sorted(set(side.hand)):
        barred = None if card in fits else Barred("not_listed", f"{card} does not answer {last}.", RESPONDING)
        listed.append(Option(card, card, Laid(card, card), barred))
        if side.agile and card != "SCI":
            why = None
            if "SCI" not in fits:
                why = Barred("not_listed", f"SCI does not answer {last}.", RESPONDING)
            if not own_turn:
                why = Barred("own_turn", "Agile works in the own turn only.", "Agile Aircraft")
            listed.append(Option(f"{card} as SCI", f"{card} as SCI", Laid(card, "SCI", agile=True), why))
    return OneOf(tuple(listed))


def run_exchange(ump: Umpire, exchange: Exchange) -> Answered:
    sides = [exchange.attacker.without(exchange.card, bool(exchange.means)), exchange.defender]
    last, laid, turn = exchange.means or exchange.card, [exchange.card], 1
    while True:
        side = sides[turn % 2]
        space = answers_to(side, last, own_turn=turn % 2 == 0)
        text = f"{side.seat}: answer the {last}?"
        card = ump.choose("respond", side.seat, space, text=text, rule=RESPONDING, options_to="seat")
        if card is None:
            break
        sides[turn % 2] = side.without(card.card, card.agile)
        last, turn = card.as_kind, turn + 1
        laid.append(card.card)
    stands = len(laid) % 2 == 1
    ump.note(f"{exchange.card} {'stands' if stands else 'is negated'}", RESPONDING)
    discards = tuple(
        Change("discard", sides[i % 2].seat, card, rule="Responding to a Response") for i, card in enumerate(laid)
    )
    effect = (Change("position", exchange.attacker.seat, exchange.means or exchange.card),) if stands else ()
    return Answered(stands, tuple(laid), (*discards, *effect))


exchange = procedure(
    "hard.exchange",
    title="Exchange of cards",
    rule="Responding to an Attack",
    policy={"respond": "pass"},
)(run_exchange)

ZERO = Side("japan", ("MAN", "SCI", "TIT"), agile=True)
F4F = Side("us", ("SCI", "TIT"))


@pytest.mark.example("rotl:Agile Aircraft, example 1")
def test_an_agile_aircraft_makes_a_card_a_scissors_in_its_own_turn() -> None:
    done = play(
        exchange,
        Exchange(ZERO, F4F, "SCI"),
        at("respond", "SCI"),
        at("respond#2", "MAN as SCI"),
        at("respond#3", "pass"),
    )
    assert done.result.stands
    assert [(c.kind, c.target, c.value) for c in done.changes] == [
        ("discard", "japan", "SCI"),
        ("discard", "us", "SCI"),
        ("discard", "japan", "MAN"),
        ("position", "japan", "SCI"),
    ]


@pytest.mark.example("rotl:Agile Aircraft, example 1, a second conversion")
def test_agile_works_once_a_turn() -> None:
    twice = Exchange(ZERO, Side("us", ("SCI", "SCI")), "SCI")
    start = [at("respond", "SCI"), at("respond#2", "MAN as SCI"), at("respond#3", "SCI")]
    (ask,) = opened(exchange, twice, *start)
    assert [o.key for o in ask.space.listed] == ["pass", "TIT"] if ask.space else False
    done = play(exchange, twice, *start, at("respond#4", "pass"))
    assert not done.result.stands


@pytest.mark.example("rotl:Agile Aircraft, example 2")
def test_agile_does_not_work_in_the_turn_of_the_enemy() -> None:
    with pytest.raises(Illegal) as illegal:
        opened(exchange, Exchange(F4F, ZERO, "SCI"), at("respond", "MAN as SCI"))
    assert [(v.code, v.address) for v in illegal.value.violations] == [("own_turn", "respond")]


@pytest.mark.example("rotl:Agile Aircraft, example 3")
def test_two_agile_aircraft() -> None:
    gladiator, falco = Side("raf", ("SCI", "OOS"), agile=True), Side("italy", ("SCI", "MAN"), agile=True)
    start = [at("respond", "SCI"), at("respond#2", "OOS as SCI")]
    with pytest.raises(Illegal, match="own turn"):
        opened(exchange, Exchange(gladiator, falco, "SCI"), *start, at("respond#3", "MAN as SCI"))
    assert play(exchange, Exchange(gladiator, falco, "SCI"), *start, at("respond#3", "pass")).result.stands


@pytest.mark.example("rotl:Adjusting Position, Half Loop")
def test_an_ace_is_answered_by_an_ace_alone() -> None:
    turn = Exchange(Side("japan", ("HAL", "ACE")), Side("us", ("ACE", "TIT", "SCI")), "HAL")
    (ask,) = opened(exchange, turn, at("respond", "ACE"), at("respond#2", "ACE"))
    assert ask.space
    assert ask.space.legal == ("pass",)
    assert {o.key for o in ask.space.listed if o.barred} == {"TIT", "SCI"}
    assert play(exchange, turn, at("respond", "ACE"), at("respond#2", "ACE"), at("respond#3", "pass")).result.stands


@pytest.mark.example("rotl:Responding to a Response")
def test_a_long_chain() -> None:
    turn = Exchange(Side("axis", ("IMS", "TIT", "ACE")), Side("allies", ("TIT", "SCI")), "IMS")
    answers = [at(f"respond{n}", card) for n, card in (("", "TIT"), ("#2", "TIT"), ("#3", "SCI"), ("#4", "ACE"))]
    done = play(exchange, turn, *answers, at("respond#5", "pass"))
    assert done.result.stands
    assert [c.value for c in done.changes if c.kind == "discard"] == ["IMS", "TIT", "TIT", "SCI", "ACE"]


def test_who_is_asked_and_who_sees_gives_no_hand_away() -> None:
    """Even an empty hand is asked, its options are for its seat alone, and a laid card is for all."""
    (ask,) = opened(exchange, Exchange(ZERO, Side("us", ()), "MAN"))
    assert (ask.seat, ask.options_to, ask.answer_to) == ("us", "seat", "all")
    assert "TIT" not in ask.text


def test_odds_list_the_own_options_and_take_the_declared_policy_for_the_rest() -> None:
    rows = odds_by_option(exchange, Exchange(ZERO, F4F, "MAN"), seat="us")
    assert {key: [c.result.stands for c in chances] for key, chances in rows.items()} == {
        "pass": [True],
        "TIT": [False],
    }
    others = odds_by_option(exchange, Exchange(ZERO, F4F, "MAN"), seat="japan")
    assert [c.result.stands for c in others[""]] == [True]
    with pytest.raises(Missing):
        odds(exchange, Exchange(ZERO, F4F, "MAN"), policy={})


# --- 5. an enemy follows a change of altitude and pays for it


class Climb(msgspec.Struct, frozen=True):
    """A change of altitude by one level; `follower` holds its position on the mover."""

    mover: Side
    follower: Side
    position: str
    up: bool
    by_card: bool = False


class Moved(msgspec.Struct, frozen=True):
    followed: bool
    changes: tuple[Change, ...]


def pay(ump: Umpire, role: str, side: Side, count: int, rule: str) -> tuple[Change, ...]:
    if count == 0:
        return ()
    space = SomeOf(tuple(Option(f"{card} {i}", card, card) for i, card in enumerate(side.hand, 1)), count, count)
    text = f"{side.seat}: discard {count}"
    cards = ump.choose(role, side.seat, space, text=text, rule=rule, options_to="seat")
    return tuple(Change("discard", side.seat, card, rule=rule) for card in cards)


def take(ump: Umpire, role: str, side: Side, rule: str) -> tuple[Change, ...]:
    return tuple(
        Change("take", side.seat, card, rule=rule) for card in ump.draw(role, "deck", 1, rule=rule, seat=side.seat)
    )


def run_climb(ump: Umpire, climb: Climb) -> Moved:
    rule = "Changing Altitude"
    changes = pay(ump, "climb", climb.mover, 1, rule) if climb.up else take(ump, "dive", climb.mover, rule)
    changes += (Change("altitude", climb.mover.seat, 1 if climb.up else -1, rule=rule),)
    price = (climb.position == "Advantaged") + climb.by_card + climb.up
    short = len(climb.follower.hand) < price
    barred = Barred("price", f"Following costs {price} cards.", "Following an Altitude Change") if short else None
    space = OneOf((Option("follow", f"Follow for {price}", True, barred), Option("stay", "Stay", False)))
    rule = "Following an Altitude Change"
    if not ump.choose("follow", climb.follower.seat, space, text="Follow?", rule=rule, options_to="seat"):
        return Moved(False, (*changes, Change("position", climb.follower.seat, "Neutral", rule=rule)))
    changes += pay(ump, "price", climb.follower, price, rule)  # paid before a card is drawn
    if not climb.up:
        changes += take(ump, "dive after", climb.follower, rule)
    return Moved(True, (*changes, Change("altitude", climb.follower.seat, 1 if climb.up else -1, rule=rule)))


climbing = procedure("hard.altitude", title="Change altitude", rule="Changing Altitude")(run_climb)
MOVER, FOLLOWER = Side("axis", ("TIT", "MAN")), Side("allies", ("IMS", "BAR", "SCI", "ACE"))


@pytest.mark.rule("rotl:Follow, Advantaged")
@pytest.mark.parametrize(
    ("position", "up", "by_card", "discards", "draws"),
    [
        ("Advantaged", False, False, 1, 1),
        ("Advantaged", False, True, 2, 1),
        ("Advantaged", True, False, 2, 0),
        ("Advantaged", True, True, 3, 0),
        ("Tailing", False, False, 0, 1),
        ("Tailing", False, True, 1, 1),
        ("Tailing", True, False, 1, 0),
        ("Tailing", True, True, 2, 0),
    ],
)
def test_the_price_of_following(position: str, up: bool, by_card: bool, discards: int, draws: int) -> None:
    climb = Climb(MOVER, FOLLOWER, position, up, by_card)
    paid = [f"{card} {i}" for i, card in enumerate(FOLLOWER.hand[:discards], 1)]
    answers = [chosen("climb", "TIT 1") if up else Answer("dive", cards=["HAL"]), at("follow", "follow")]
    answers += [chosen("price", *paid)] if discards else []
    answers += [Answer("dive after", cards=1)] if draws else []
    done = play(climbing, climb, *answers)
    own = [(c.kind, c.value) for c in done.changes if c.target == "allies"]
    assert own == [
        *(("discard", card) for card in FOLLOWER.hand[:discards]),
        *([("take", "?")] if draws else []),
        ("altitude", 1 if up else -1),
    ]


def test_who_cannot_pay_stays_and_who_draws_tells_nobody_what() -> None:
    poor = Climb(MOVER, Side("allies", ("ACE",)), "Advantaged", up=True)
    with pytest.raises(Illegal, match="costs 2 cards"):
        opened(climbing, poor, chosen("climb", "MAN 2"), at("follow", "follow"))
    done = play(climbing, poor, chosen("climb", "MAN 2"), at("follow", "stay"))
    assert done.changes[-1] == Change("position", "allies", "Neutral", rule="Following an Altitude Change")
    (draw,) = opened(climbing, Climb(MOVER, FOLLOWER, "Tailing", up=False))
    assert (draw.kind, draw.seat, draw.answer_to, draw.count) == ("draw", "axis", "seat", 1)
    with pytest.raises(ValueError, match="climb: "):
        opened(climbing, Climb(Side("axis", ()), FOLLOWER, "Tailing", up=True), chosen("climb", "TIT 1"))


# --- 6. a leader is shot down in his own turn


class Element(msgspec.Struct, frozen=True):
    seat: str
    hand: tuple[str, ...]
    hits: int
    capacity: int
    wingman_hits: int
    performance: int


class CounterFire(msgspec.Struct, frozen=True):
    """A gunner of the formation fires back while the element plays its own turn."""

    element: Element
    own_turn: bool = True


class Lost(msgspec.Struct, frozen=True):
    hits: int
    changes: tuple[Change, ...]


def lose_leader(ump: Umpire, element: Element, own_turn: bool) -> tuple[Change, ...]:
    """The wingman takes over, in the order that the rule gives."""
    rule, seat = "Leader Shot Down", element.seat
    drawn = ump.draw("hand", "deck", element.performance - 1, rule=rule, seat=seat)
    return (
        *(Change("discard", seat, card, rule=rule) for card in element.hand),
        Change("hits", f"{seat} leader", element.wingman_hits, rule=rule),
        Change("wingman lost", seat, rule=rule),
        *(Change("take", seat, card, rule=rule) for card in drawn),
        *((Change("skip", seat, "Play Cards", rule=rule),) if own_turn else ()),
        Change("performance", seat, element.performance - 1, rule=rule),
        Change("performance", seat, element.performance, f"next turn of {seat}", rule=rule),
    )


def run_counter_fire(ump: Umpire, fire: CounterFire) -> Lost:
    """The toll stands in for the exchange of cards; what matters is what follows from it."""
    element = fire.element
    hits = element.hits + (2 if ump.test("toll", dice("d6"), [], at_least(4), rule="Gunners") else 0)
    if hits < element.capacity:
        return Lost(hits, (Change("hits", f"{element.seat} leader", hits),))
    return Lost(hits, ump.call("promotion", lose_leader, element, fire.own_turn))


counter_fire = procedure("hard.counter_fire", title="Counter fire", rule="Gunners")(run_counter_fire)
PAIR = Element("axis", ("MAN", "TIT"), hits=5, capacity=6, wingman_hits=1, performance=4)


@pytest.mark.rule("rotl:LDR down")
def test_the_wingman_takes_over_at_once_and_the_penalty_ends_with_his_next_turn() -> None:
    (draw,) = opened(counter_fire, CounterFire(PAIR), at("toll", [5]))
    assert (draw.address, draw.count, draw.seat, draw.answer_to) == ("promotion/hand", 3, "axis", "seat")
    done = play(counter_fire, CounterFire(PAIR), at("toll", [5]), Answer("promotion/hand", cards=["ACE", "BAR", "IMS"]))
    standing = happen(done.changes)
    assert [kind for kind, _, _ in standing.state] == [
        "discard",
        "discard",
        "hits",
        "wingman lost",
        "take",
        "take",
        "take",
        "skip",
        "performance",
    ]
    assert standing.state[-1] == ("performance", "axis", 3)
    again = happen([Change(MOMENT, "next turn of axis")], standing)
    assert again.state[-2] == ("performance", "axis", 4)


def test_not_in_his_own_turn_nothing_is_skipped_and_a_short_deck_gives_what_it_has() -> None:
    done = play(counter_fire, CounterFire(PAIR, own_turn=False), at("toll", [4]), Answer("promotion/hand", cards=2))
    assert "skip" not in {c.kind for c in done.changes}
    assert [c.value for c in done.changes if c.kind == "take"] == ["?", "?"]


def test_odds_stop_at_the_cards_but_answer_what_does_not_need_them() -> None:
    with pytest.raises(Missing) as missing:
        odds(counter_fire, CounterFire(PAIR))
    assert missing.value.asks[0].kind == "draw"
    unknown = odds(counter_fire, CounterFire(PAIR), policy={"hand": 3})
    assert [c.chance for c in unknown] == [Fraction(1, 2)] * 2
    assert run(counter_fire, CounterFire(PAIR), Rolling(seed=1, decide=lambda _ask: 3)).result.hits in (5, 7)
