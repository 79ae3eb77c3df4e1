"""A class of twenty: eighteen choose their cards on phones at the same moment, the teacher chooses for two."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from tests.e2e.daemon import running
from tests.e2e.seats import Player, allowed, seated

NAMES = (
    "Falcon", "Kite", "Buzzard", "Owl", "Robin", "Wren", "Finch", "Lark", "Swift", "Heron", "Crow", "Jay", "Stork",
    "Tern", "Сокол", "Red Dove", "Eagle", "Gull", "Crane", "Zoë",
)  # fmt: skip
CRAFTS = (
    ("Spitfire", "Lightning", "Mustang", "Hurricane", "Corsair"),
    ("Me-109", "Zero", "Fw-190D", "Me-262", "Me-110"),
)
ABSENT = ("crane", "zo")


def lesson() -> list[dict[str, str]]:
    """Ten on each edge of the mat."""
    edges, rows = (("A", "E"), ("X", "W")), (*range(1, 18, 2), 18)
    return [
        {"name": name, "side": ("Allies", "Axis")[n % 2], "aircraft": CRAFTS[n % 2][n // 2 % 5],
         "hex": f"{edges[n % 2][0] if n < 18 else 'BW'[n % 2]}{rows[n // 2]}", "facing": edges[n % 2][1]}
        for n, name in enumerate(NAMES)
    ]  # fmt: skip


def choose(player: Player) -> list[str]:
    """Tries stacks until the rules allow one; what came of it."""
    (ask,) = player.asks()
    rng = Random(player.seat)
    while True:
        cards = [rng.choice(allowed(ask)) for _ in range(ask["space"]["most"])]
        if player.try_answer(ask["address"], choices=cards):
            return cards


@pytest.mark.rule("fastplay:Choose Cards")
def test_eighteen_choose_at_once_and_the_teacher_for_two(tmp_path: Path) -> None:
    with running(tmp_path) as daemon:
        players = seated(daemon, "fastplay", {"pilots": lesson()})
        assert len(players) == 20
        players["falcon"].act("choose")
        there = [player for seat, player in players.items() if seat not in ABSENT]
        with ThreadPoolExecutor(len(there)) as phones:
            chosen = dict(zip((p.seat for p in there), phones.map(choose, there), strict=True))
        table = players["falcon"].table
        waiting = daemon.ask("GET", f"/api/tables/{table}/asks")[1]
        assert sorted(ask["seat"] for ask in waiting) == sorted(ABSENT)
        for ask in waiting:
            given = {"choices": ["2ST", "1ST", "2ST"]}
            assert daemon.ask("POST", f"/api/tables/{table}/asks/{ask['address']}", given)[0] == 200
        for player in there:
            view = player.view()
            assert view["open"] is None
            assert [field["value"].split()[0] for field in view["view"]["hand"]] == chosen[player.seat]
        players["gull"].act("reveal")
        players["gull"].act("move")
        pieces = players["gull"].view()["view"]["pieces"]
        up = {p["key"]: f["value"] for p in pieces for f in p["fields"] if f["label"] == "Cards up"}
        assert up == {seat: cards[0] for seat, cards in chosen.items()} | dict.fromkeys(ABSENT, "2ST")
