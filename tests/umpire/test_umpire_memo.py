"""Calls that are over are not run again while answers are only added, and nothing else changes by it."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from companion.umpire import (
    Answer,
    Context,
    Done,
    Filled,
    Number,
    Open,
    TableSlot,
    Umpire,
    advance,
    at_least,
    dice,
    procedure,
)

SPEED = TableSlot("speed", "Speed", "1", Number(0, 20))
CONTEXT = Context(cells={("speed", "kite"): Filled(7, "house", house=True)})
RUNS: list[str] = []


class Aim(msgspec.Struct, frozen=True):
    names: tuple[str, ...]


class Shots(msgspec.Struct, frozen=True):
    hits: tuple[bool, ...]
    total: int


def look(ump: Umpire, name: str) -> bool:
    RUNS.append(name)
    speed = ump.look_up(SPEED, "kite")
    assert speed == 7
    ump.note(f"{name} aims", "2")
    return ump.test("hit", dice("d6", name), (), at_least(4), rule="2")


def count(_ump: Umpire, hits: list[bool]) -> int:
    RUNS.append("count")
    return sum(hits)


@procedure("toy.shots", title="Shots", rule="2")
def shots(ump: Umpire, aim: Aim) -> Shots:
    hits = tuple(ump.call(f"shot:{name}", look, name) for name in aim.names)
    return Shots(hits, ump.call("count", count, list(hits)))


def answers(faces: list[int]) -> list[Answer]:
    return [Answer(address=f"shot:{n}/hit", faces={n: face}) for n, face in zip("abcd", faces, strict=False)]


@given(faces=st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_play_with_a_memo_is_play_without(faces: list[int]) -> None:
    aim, memo = Aim(tuple("abcd"[: len(faces)])), {}
    for so_far in range(len(faces) + 1):
        given_now = answers(faces[:so_far])
        fresh, kept = advance(shots, aim, given_now, CONTEXT), advance(shots, aim, given_now, CONTEXT, memo)
        assert msgspec.structs.asdict(kept) == msgspec.structs.asdict(fresh) or (
            isinstance(fresh, Open) and [a.address for a in kept.asks] == [a.address for a in fresh.asks]
        )
        assert kept.lines == fresh.lines
    assert isinstance(kept, Done)
    assert kept.house == ("Speed kite [1]",)


def test_a_call_that_is_over_is_not_run_again() -> None:
    memo: dict[object, object] = {}
    advance(shots, Aim(("a", "b")), answers([5]), CONTEXT, memo)
    RUNS.clear()
    done = advance(shots, Aim(("a", "b")), answers([5, 2]), CONTEXT, memo)
    assert isinstance(done, Done)
    assert done.result == Shots((True, False), 1)
    assert RUNS == ["b", "count"]
    assert [t.address for t in done.thrown] == ["shot:a/hit", "shot:b/hit"]
