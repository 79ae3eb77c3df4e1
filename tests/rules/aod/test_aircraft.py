"""The aircraft types: what the rulebook prints, and that all else is marked as house."""

from pathlib import Path

import pytest

from companion.packs.errors import PackError
from companion.packs.records import Entry
from companion.rules.aod.aircraft import Aircraft, Load, Vertical, aircraft

PRINTED = [
    ("Fw 190 A-8", "basic_speed", 11, "Ex 19"),
    ("P-51 D Mustang", "basic_speed", 12, "Ex 20"),
    ("P-51 D Mustang", "booster", 2, "Ex 20"),
    ("P-51 D Mustang", "twitch", True, "4.5.8"),
    ("P-47 D Thunderbolt", "basic_speed", 11, "Ex 67"),
    ("P-47 D Thunderbolt", "tokens", (5, 6, 7, 8), "Ex 7"),
    ("P-47 D Thunderbolt", "takeoff_engines", 2, "7.3"),
    ("P-47 D Thunderbolt", "camera", True, "Ex 15"),
    ("B-25 J Mitchell", "basic_speed", 6, "Ex 69"),
    ("B-25 J Mitchell", "tokens", (15, 16, 17), "Ex 7"),
    ("Me 262 Schwalbe", "basic_speed", 15, "Ex 68"),
    ("Me 262 Schwalbe", "twitch", True, "4.5.8"),
    ("Typhoon Mk I B", "basic_speed", 10, "Ex 65"),
    ("Tempest FB Mk II", "fixed", 9, "Ex 122"),
    ("Tempest FB Mk II", "twitch", True, "4.5.8"),
    ("Bf 109 G-6/U4", "durability", 3, "Ex 122"),
    ("P-61 B Black Widow", "fixed", 9, "Ex 82"),
    ("P-61 B Black Widow", "radar", True, "7.7"),
    ("Fairey Swordfish", "loads", (Load("torpedo", 50), Load("bombs", 75)), "Ex 142"),
    ("Mosquito PR Mk 34", "ceiling", 12, "Ex 40"),
    ("Mosquito PR Mk 34", "climb", 2, "Ex 40"),
    ("Ju 388 L", "camera", True, "Ex 14"),
    ("Ju 87 Stuka", "loaded_speed", 5, "Ex 45"),
    ("Ju 87 Stuka", "vertical_dive", True, "5.4.4"),
    ("Ju 87 Stuka", "takeoff_engines", 2, "7.3"),
]

NAMED = {
    "P-51 D Mustang", "P-47 D Thunderbolt", "P-38 Lightning", "P-61 B Black Widow", "B-25 J Mitchell",
    "B-17 Flying Fortress", "RB-26 C Invader",
    "Spitfire Mk IX", "Tempest FB Mk II", "Typhoon Mk I B", "Meteor Mk III", "Beaufighter Mk VI", "Blenheim Mk IV",
    "Lancaster B Mk I", "Mosquito PR Mk 34", "Dakota", "Fairey Swordfish",
    "Bf 109 G-6/U4", "Fw 190 A-8", "Me 262 Schwalbe", "Me 410 Hornisse", "He 177 Greif", "Ju 188", "Ju 388 L",
    "Ju 87 Stuka",
}  # fmt: skip


@pytest.fixture(scope="module")
def types() -> dict[str, Entry[Aircraft]]:
    return aircraft()


@pytest.mark.rule("aod:1.1.3")
def test_all_named_types_are_there(types: dict[str, Entry[Aircraft]]) -> None:
    assert types.keys() == NAMED


@pytest.mark.rule("aod:1.1.3")
@pytest.mark.parametrize(("name", "field", "value", "place"), PRINTED)
def test_what_the_rulebook_prints(
    types: dict[str, Entry[Aircraft]], name: str, field: str, value: object, place: str
) -> None:
    assert getattr(types[name].value, field) == value
    assert types[name].origins[field].printed == place
    assert field not in types[name].house


def test_everything_else_is_marked_as_house(types: dict[str, Entry[Aircraft]]) -> None:
    fields = set(Aircraft.__struct_fields__) - {"name"}
    printed = {(name, field) for name, entry in types.items() for field in fields - entry.house}
    assert printed == {(name, field) for name, field, _, _ in PRINTED}


@pytest.mark.example("aod:82")
def test_the_black_widow_ahead(types: dict[str, Entry[Aircraft]]) -> None:
    widow = types["P-61 B Black Widow"].value
    assert (widow.fixed, widow.flexible_at(12, 0), widow.fixed + widow.flexible_at(12, 0)) == (9, 5, 14)


@pytest.mark.rule("aod:4.2.2")
@pytest.mark.example("aod:76")
def test_firepower_falls_from_slot_to_slot(types: dict[str, Entry[Aircraft]]) -> None:
    falling = types["Fw 190 A-8"].value
    assert [falling.slot(burst) for burst in (1, 3, 4, 5, 8, 9)] == [11, 11, 7, 7, 7, 7]
    assert types["Tempest FB Mk II"].value.slot(5) == 9


@pytest.mark.rule("aod:4.4.2")
def test_flexible_guns_by_direction_and_level() -> None:
    assert [Vertical(above=1, same=2, below=3).at(rise) for rise in (2, 1, 0, -1, -2)] == [0, 1, 2, 3, 0]
    bomber = aircraft()["Lancaster B Mk I"].value
    assert (bomber.flexible_at(6, -1), bomber.flexible_at(6, 0), bomber.flexible_at(4, -1)) == (2, 3, 0)
    assert bomber.flexible_at(None, 0) == bomber.flexible_at(5, 0) == 0


@pytest.mark.rule("aod:4.3.1")
def test_the_front_has_its_own_durability_where_one_is_printed(types: dict[str, Entry[Aircraft]]) -> None:
    bomber, fighter = types["B-25 J Mitchell"].value, types["Bf 109 G-6/U4"].value
    assert (bomber.durability_from(True), bomber.durability_from(False)) == (6, 7)
    assert (fighter.durability_from(True), fighter.durability_from(False)) == (3, 3)


def test_the_panels_agree_with_themselves(types: dict[str, Entry[Aircraft]]) -> None:
    for entry in types.values():
        plane = entry.value
        bursts = plane.fixed_bursts or 0
        assert bool(plane.fixed) == bool(bursts), entry.name
        assert not plane.fixed_slots or (len(plane.fixed_slots), plane.fixed_slots[0]) == (bursts, plane.fixed)
        assert all(slot <= bursts for slot in plane.cannon_slots), entry.name
        assert set(plane.dashed) <= set(plane.flexible), entry.name
        assert plane.loaded_speed is None or plane.loads, entry.name
        assert not plane.booster or plane.throttle, entry.name
        assert not plane.vertical_dive or plane.steep_dive, entry.name


def test_a_players_own_pack_replaces_house_values(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('pack = "Club"\n[aircraft."Bf 109 G-6/U4"]\nagility = 4\nbasic_speed = 11\n')
    entry = aircraft([file])["Bf 109 G-6/U4"]
    assert (entry.value.agility, entry.value.basic_speed, entry.value.durability) == (4, 11, 3)
    assert entry.house.isdisjoint({"agility", "basic_speed", "durability"})
    assert entry.origins["agility"].pack == "Club"


def test_a_faulty_pack_says_where_and_what_is_allowed(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('pack = "Club"\n[aircraft."Bf 109 G-6/U4"]\ndurability = 11\nwings = 2\n')
    with pytest.raises(PackError) as caught:
        aircraft([file])
    assert "club.toml, line 3: Bf 109 G-6/U4: durability is 11; it must be a whole number from 0 to 10." in (
        caught.value.faults
    )
    assert any(f.startswith("club.toml, line 4: Bf 109 G-6/U4: wings is not known here") for f in caught.value.faults)
