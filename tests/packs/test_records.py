"""Packs of records: layers, origins, and every fault as one plain sentence."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from companion.packs.errors import PackError
from companion.packs.records import Entry, Layer, as_layer, merge, read_layer
from companion.packs.source import LARGEST, parse


class Gun(Struct, frozen=True, forbid_unknown_fields=True):
    power: Annotated[int, Meta(ge=0, le=40)]


class Kite(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    speed: Annotated[int, Meta(ge=1, le=20)]
    tough: Annotated[int, Meta(ge=0, le=10)] = 3
    size: Literal["small", "large"] = "small"
    fast: bool = False
    nick: Annotated[str, Meta(max_length=8)] = ""
    slots: Annotated[tuple[Annotated[int, Meta(ge=0, le=9)], ...], Meta(max_length=3)] = ()
    guns: Annotated[tuple[Gun, ...], Meta(max_length=2)] = ()
    arcs: dict[Literal["12", "6"], Gun] = {}
    limit: Annotated[int, Meta(ge=1, le=9)] | None = None


GAME = """
pack = "House"
house = true
[kite.Lark]
speed = 12
tough = 4
[kite.Lark.printed]
speed = "Ex 1"
[kite."Owl 2"]
speed = 6
"""


def layer(text: str, name: str = "my.toml") -> Layer:
    return as_layer(parse(text.encode(), name), "kite")


def merged(*texts: str) -> dict[str, Entry[Kite]]:
    return merge([layer(text) for text in texts], Kite)


def faults(*texts: str) -> tuple[str, ...]:
    with pytest.raises(PackError) as caught:
        merged(*texts)
    return caught.value.faults


def test_what_is_not_printed_is_a_house_value_and_so_is_every_default() -> None:
    lark = merged(GAME)["Lark"]
    assert (lark.value.speed, lark.value.tough, lark.value.fast) == (12, 4, False)
    assert "speed" not in lark.house
    assert {"tough", "fast", "size", "limit"} <= lark.house
    assert lark.origins["speed"].printed == "Ex 1"


def test_a_players_pack_lies_over_both_and_is_no_house_value() -> None:
    mine = 'pack = "Mine"\n[kite.Lark]\nspeed = 9\ntough = 7\n[kite.Hawk]\nspeed = 3\n'
    found = merged(GAME, mine)
    lark = found["Lark"]
    assert (lark.value.speed, lark.value.tough) == (9, 7)
    assert lark.house.isdisjoint({"speed", "tough"})
    assert "fast" in lark.house
    assert (lark.origins["speed"].pack, lark.origins["speed"].printed) == ("Mine", "")
    assert found["Hawk"].value.name == "Hawk"
    assert found["Owl 2"].origins["speed"].pack == "House"


def test_every_fault_is_named_at_once_with_file_line_value_and_range() -> None:
    text = """pack = "Mine"
[kite.Lark]
speed = 21
tough = "hard"
size = "huge"
fast = 1
nick = "much too long"
sped = 3
slots = [1, 2, 3, 4]
guns = [{ power = 41 }, { powr = 1 }]
arcs.12.power = -1
arcs.3.power = 1
limit = 0
"""
    found = faults(text)
    assert found == (
        "my.toml, line 8: Lark: sped is not known here; known are "
        "name, speed, tough, size, fast, nick, slots, guns, arcs, limit.",
        "my.toml, line 3: Lark: speed is 21; it must be a whole number from 1 to 20.",
        "my.toml, line 4: Lark: tough is 'hard'; it must be a whole number from 0 to 10.",
        "my.toml, line 5: Lark: size is 'huge'; it must be one of large, small.",
        "my.toml, line 6: Lark: fast is 1; it must be true or false.",
        "my.toml, line 7: Lark: nick is 'much too long'; it must be text of at most 8 characters.",
        "my.toml, line 9: Lark: slots is [1, 2, 3, 4]; it must be a list of at most 3, each "
        "a whole number from 0 to 9.",
        "my.toml, line 10: Lark: guns.1.power is 41; it must be a whole number from 0 to 40.",
        "my.toml, line 10: Lark: guns.2.powr is not known here; known are power.",
        "my.toml, line 10: Lark: guns.2.power is missing; it must be a whole number from 0 to 40.",
        "my.toml, line 11: Lark: arcs.12.power is -1; it must be a whole number from 0 to 40.",
        "my.toml, line 12: Lark: arcs.3 is not known here; it must be one of 12, 6.",
        "my.toml, line 13: Lark: limit is 0; it must be a whole number from 1 to 9.",
    )


def test_a_missing_field_names_the_record_and_the_range() -> None:
    assert faults('pack = "Mine"\n\n[kite.Lark]\ntough = 1\n') == (
        "my.toml, line 3: Lark: speed is missing; it must be a whole number from 1 to 20.",
    )


@pytest.mark.parametrize("value", ["5", "[5]", '"gun"'])
def test_a_table_is_asked_for_where_something_else_stands(value: str) -> None:
    (fault,) = faults(f'pack = "Mine"\n[kite.Lark]\nspeed = 1\nguns = [{value}]\n')
    assert fault.startswith("my.toml, line 4: Lark: guns.1 is ")
    assert fault.endswith("it must be a table of power.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", 'pack = "NAME" must say'),
        (f'pack = "{"x" * 61}"', "at most 60 characters"),
        ("pack = 3", 'pack = "NAME" must say'),
        ('pack = "Mine"\nhouse = 1', "line 2: house is 1; it must be true or false"),
        ('pack = "Mine"\nkites = 1', "line 2: 'kites' is not known here; known are pack, house, kite"),
        ('pack = "Mine"\nkite = 1', "must be at most 500 tables"),
        ('pack = "Mine"\n[kite]\nLark = 1', "line 3: Lark is 1; it must be a table"),
        ('pack = "Mine"\n[kite.Lark]\nprinted = 3', "printed must say"),
        ('pack = "Mine"\n[kite.Lark]\nprinted = { speed = "Ex 1" }', "printed names 'speed'"),
        (f'pack = "Mine"\n[kite.{"x" * 61}]\nspeed = 1', "must have 1 to 60 characters"),
        ('pack = "Mine"\n[kite.Lark\n', "is not TOML"),
        ('pack = "a\x07"', "is not TOML: Illegal character"),
        ('pack = "a\\u0007"', "line 1: there is a control character U+0007"),
        ('pack = "a"\n[kite.Lark]\nspeed = ["\u202e"]', "line 3: there is a control character U+202E"),
        ('pack = "a"\n[kite."\\u001b[2J"]\nspeed = 1', "there is a control character U+001B"),
        (f"pack = {'9' * 5000}", "is not TOML"),
    ],
)
def test_a_head_or_a_text_that_cannot_be_used(text: str, sentence: str) -> None:
    with pytest.raises(PackError) as caught:
        layer(text)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("my.toml")
    assert str(caught.value).endswith(".")


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kites.toml"
    file.write_text(GAME)

    def refuse(*_args: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PackError, match=r"kites.toml cannot be read: Permission denied\."):
        read_layer(file, "kite")


def test_too_many_records_are_refused() -> None:
    text = 'pack = "Mine"\n' + "".join(f"[kite.k{n}]\nspeed = 1\n" for n in range(501))
    with pytest.raises(PackError, match="at most 500 tables"):
        layer(text)


def test_what_is_not_utf8_names_its_line() -> None:
    with pytest.raises(PackError, match=r"my.toml, line 2: this is not UTF-8"):
        parse(b'pack = "a"\n# \xff\n', "my.toml")


def test_deep_nesting_is_refused_not_followed() -> None:
    with pytest.raises(PackError, match=r"nested too deeply|not TOML"):
        parse(b"a = " + b"[" * 100_000, "my.toml")


def test_a_file_is_read_and_a_large_or_missing_one_is_not(tmp_path: Path) -> None:
    file = tmp_path / "kites.toml"
    file.write_text(GAME)
    assert read_layer(file, "kite").records.keys() == {"Lark", "Owl 2"}
    file.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(PackError, match=r"kites.toml is too large; a pack has at most \d+ bytes"):
        read_layer(file, "kite")
    with pytest.raises(PackError, match=r"none.toml cannot be read: there is no such file"):
        read_layer(tmp_path / "none.toml", "kite")


def csv_layer(tmp_path: Path, text: str) -> Layer:
    file = tmp_path / "My kites.csv"
    file.write_text(text)
    return read_layer(file, "kite")


def test_a_csv_pack_lies_over_the_game_too(tmp_path: Path) -> None:
    mine = csv_layer(tmp_path, 'name, speed ,fast,nick,tough\nLark,9,true,"a,b",\nHawk,3,,,0\n\n')
    found = merge([layer(GAME), mine], Kite)
    assert found["Lark"].value == Kite(name="Lark", speed=9, tough=4, fast=True, nick="a,b")
    assert found["Hawk"].value == Kite(name="Hawk", speed=3, tough=0)
    assert found["Lark"].origins["speed"].pack == "My kites"
    assert found["Lark"].house.isdisjoint({"speed", "fast", "nick"})


def test_a_fault_in_a_csv_pack_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(PackError) as caught:
        merge([csv_layer(tmp_path, "name,speed,sped\nLark,2,\nHawk,99,1\n")], Kite)
    assert [f.split(";")[0] for f in caught.value.faults] == [
        "My kites.csv, line 3: Hawk: sped is not known here",
        "My kites.csv, line 3: Hawk: speed is 99",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: the first line must name the fields"),
        ("kite,speed\nLark,1\n", "line 1: the first line must name the fields"),
        ("name,speed\nLark\n", "line 2: this line has not as many cells"),
        ("name,speed\nLark,1,2\n", "line 2: this line has not as many cells"),
        ("name,speed\nLark,1\nLark,2\n", "line 3: 'Lark' is there twice"),
        ('name,speed\n"Lark" x,1\n', "is not CSV"),
        ("name,speed\nLa\x1brk,1\n", "line 2: there is a control character U+001B"),
        ("name,speed\n,1\n", "line 2: the name '' must have 1 to 60 characters"),
    ],
)
def test_a_csv_that_cannot_be_used(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(PackError) as caught:
        csv_layer(tmp_path, text)
    assert str(caught.value).startswith("My kites.csv")
    assert sentence in str(caught.value)
