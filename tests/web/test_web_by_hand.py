"""A value set by hand, by touch alone: by the host at once, by a seat when the other side agrees."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from companion.game import registry
from companion.game.table import Table
from companion.game.tables import seat_key
from companion.umpire import Context
from companion.web.parts import Parts
from tests.web.conftest import Ask

PIECES = {"aod": "3", "fastplay": "anna", "rotl": "X1.1"}


@pytest.fixture
def fight(parts: Parts) -> Table:
    return parts.tables.new("aod")


def field(page: str, label: str, words: str) -> dict[str, str]:
    """What a touch on these words sends."""
    part = page.split(f"<summary>{label}:")[1].split("</details>")[0]
    found = re.search(rf'name="(v\d+)" value="(\d+)"[^>]*><span>{re.escape(words)}</span>', part)
    assert found, part
    return {found[1]: found[2]}


def craft(table: Table, key: str = "3") -> object:
    return table.state.craft(key)


def test_the_host_sets_values_by_touch_and_the_history_says_why(kiosk: TestClient, fight: Table) -> None:
    assert f"/e/{fight.key}/set/3" in kiosk.get(f"/e/{fight.key}/piece/3").text
    page = kiosk.get(f"/e/{fight.key}/set/3").text
    form = {"reason": "the rulebook says so"}
    for label, words in (("Fixed guns", "4½"), ("Damage", "wings and tail"), ("Altitude", "L2"), ("Heading", "SW")):
        form |= field(page, label, words)
    after = kiosk.post(f"/e/{fight.key}/set/3", data=form).text
    now = fight.state.craft("3")
    assert (now.fixed_spent, now.damages, now.pose.level, now.pose.yaw) == (7, ("wings", "tail"), 2, 4)
    assert "Fw 190 A-8 (3): damage wings and tail" in after
    assert "the host: the rulebook says so" in after
    assert "checked><span>4½</span>" in kiosk.get(f"/e/{fight.key}/set/3").text


def test_a_seat_asks_the_other_side_first(ask: Ask, fight: Table) -> None:
    axis, allies = ask("192.168.1.70"), ask("192.168.1.71")
    for client, seat in ((axis, "Axis"), (allies, "Allies")):
        client.get(f"/e/{fight.key}?k={seat_key(fight, seat)}")
    page = axis.get(f"/e/{fight.key}/set/3").text
    form = {"own_reason": "it flew a step less"} | field(page, "Speed", "9")
    axis.post(f"/e/{fight.key}/set/3", data=form)
    assert fight.state.craft("3").speed == 12
    assert "speed 9, because it flew a step less" in allies.get(f"/e/{fight.key}").text
    allies.post(f"/e/{fight.key}/agree", data={"agree": "yes"})
    assert fight.state.craft("3").speed == 9
    assert Table(fight.journal, fight.key).rulings[-1]["agreed"] == "Allies"


def test_nothing_is_set_without_a_reason_a_seat_or_a_new_value(
    kiosk: TestClient, phone: TestClient, fight: Table, table: Table
) -> None:
    path, version = f"/e/{fight.key}/set/3", fight.version
    new = field(kiosk.get(path).text, "Speed", "9")
    assert phone.post(path, data=new | {"reason": "so"}).status_code == 403
    assert kiosk.post(path, data=new).status_code == 400
    assert "Nothing is set otherwise" in kiosk.post(path, data={"reason": "so", "v0": "999", "v1": "-1"}).text
    assert kiosk.get(f"/e/{fight.key}/set/nobody").status_code == 400
    assert fight.version == version
    assert "Nothing of this one" in kiosk.get(f"/e/{table.key}/set/ann").text
    assert "/set/" not in kiosk.get(f"/e/{table.key}/piece/ann").text


@pytest.mark.parametrize("key", PIECES)
def test_every_choice_of_every_value_fits_its_game(key: str) -> None:
    """Each choice can be applied, and is then the one that holds."""
    game = registry.game(key)
    context = Context({k: s.default for k, s in game.switches.items()}, game.cells())
    state = game.start(game.demo(), context)
    values = game.settable(state, context)  # type: ignore[attr-defined]
    assert {v.piece for v in values} <= {p.key for p in game.view(state, "", context).pieces}
    from companion.umpire import Change

    for value in values:
        assert value.now in {words for words, _ in value.choices} or not value.now
        for words, given in value.choices:
            after = game.apply(state, Change(value.kind, value.target or value.piece, given))
            then = game.settable(after, context)  # type: ignore[attr-defined]
            now = {(v.piece, v.label): v.now for v in then}
            assert now.get((value.piece, value.label), words) == words


def test_a_ruling_shows_every_change_in_words_and_keeps_the_game_going(kiosk: TestClient, fight: Table) -> None:
    fight.open("fire:3:11", seat="host")
    while fight.current:
        ask = fight.asks[0]
        given = [6] * len(ask.open_slots) if ask.dice else ask.space.legal[0] if ask.space else None
        if ask.dice and ask.dice.slots[0].die.kind not in ("d6",):
            given = [ask.dice.slots[0].die.names[0]]
        fight.answer(ask.address, list(given) if isinstance(given, tuple) else given, seat="host")
    page = kiosk.get(f"/e/{fight.key}/rule/{fight.records[-1].number}").text
    assert re.search(r"checked><span>Fw 190 A-8 \(3\) has used its active fire", page)
    assert not re.search(r"<span>(used|ammunition|damage|destroyed)</span>", page)
    assert f"/e/{fight.key}/set/11" in page
