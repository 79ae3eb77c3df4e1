"""What is printed: true to the state, whole decks, and pages that come out of every renderer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from companion.rules.fastplay import GAME
from companion.rules.fastplay.aircraft import fleet
from companion.rules.fastplay.cards import manoeuvres
from companion.rules.fastplay.paper_cards import deck_cards, move_shapes, said
from companion.rules.fastplay.paper_planes import SCALE, STRIP, net, planforms
from companion.umpire import Change, Context, Filled
from printouts import document as doc
from printouts import pdf, text
from tests.rules.fastplay.rig import Play, context, pilot
from tests.rules.fastplay.test_fastplay_cards import DECKS, STANDARD

PAGES = [key for key, paper in GAME.papers.items() if not paper.needs_table]
SLIPS = [key for key, paper in GAME.papers.items() if paper.needs_table]


def table() -> Play:
    play = Play(
        pilot("Anna", "Allies", "Spitfire", at="J5", victories=12),
        pilot("Ben", "Allies", "Lightning", at="J9", victories=5),
        pilot("Dora", "Axis", "Zero", at="A9"),
    )
    pilots = tuple(msgspec.structs.replace(p, hits=3) if p.key == "anna" else p for p in play.state.pilots)
    play.state = msgspec.structs.replace(play.state, pilots=pilots)
    return play


def make(key: str, state: Any = None, seat: str = "", **fields: Any) -> doc.Document:
    made: doc.Document = GAME.papers[key].make(state, seat, **fields)
    return made


def drawings(document: doc.Document) -> list[doc.Drawing]:
    return [block for block in doc.walk(document.blocks) if isinstance(block, doc.Drawing)]


def pages(document: doc.Document, paper: str) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf.render(document, paper)))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("key", PAGES)
def test_every_page_can_be_printed_before_a_game_and_in_one(key: str, paper: str) -> None:
    assert pages(make(key), paper) >= 1
    assert pages(make(key, table().state), paper) >= 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_summary_fits_on_one_page(paper: str) -> None:
    assert pages(make("summary"), paper) == 1


OPTIONAL = ("manoeuvrability", "firepower", "damage_points", "special_cases")
OWN = {
    ("fastplay.deck", "standard"): Filled("1ST 1, 2ST 4, SL 1, SR 1, L 2, R 2, HL 2, HR 2", "club cards"),
    **{("fastplay.move", code): Filled("F F", "club cards") for code in STANDARD},
}


def summary_at(cells: Mapping[tuple[str, ...], Filled] | None = None, **switches: Any) -> doc.Document:
    at = context(**switches)
    return make("summary", context=Context(at.switches, {**at.cells, **(cells or {})}, "use"))


def rows_of(document: doc.Document, title: str) -> dict[str, dict[str, str]]:
    """A table of a page: its rows by their key."""
    tables = [b for b in doc.walk(document.blocks) if isinstance(b, doc.Table) and b.caption == title]
    return {
        str(row[0]): {c.title: str(cell) for c, cell in zip(t.columns[1:], row[1:], strict=True)}
        for t in tables
        for row in t.rows
    }


def test_the_summary_of_no_table_has_every_optional_rule() -> None:
    table = rows_of(make("summary"), "Aircraft data table")
    assert table["Lightning"] == {
        "remove": "2xHR, 2xHL, 1xR, 1xL",
        "add": "2x3ST",
        "to hit": "3-6 @ 1-3 hexes",
        "points": "8",
        "cards": "3",
    }
    assert make("summary") == summary_at()
    assert "house values" in summary_at().footer


@pytest.mark.parametrize("off", OPTIONAL)
def test_the_summary_of_a_table_has_no_figure_of_a_rule_that_it_leaves_out(off: str) -> None:
    whole, without = rows_of(summary_at(), "Aircraft data table"), summary_at(**{off: False})
    columns = {
        "manoeuvrability": {"remove", "add"},
        "firepower": {"to hit"},
        "damage_points": {"points"},
        "special_cases": {"cards"},
    }[off]
    shown = rows_of(without, "Aircraft data table")
    assert shown == {craft: {c: v for c, v in row.items() if c not in columns} for craft, row in whole.items()}
    said = text.render(without, 80)
    assert ("Lightning: a straight" in said) == ("(a Zero four)" in said) == (off != "special_cases")
    assert ("unless the table says otherwise" in said) == (off != "firepower")
    assert ("Shot down at 6 hits" in said) == (off == "damage_points")
    assert said.count("Not at this table:") == 1


def test_the_summary_of_a_basic_table_needs_no_aircraft_table() -> None:
    basic = summary_at(**GAME.presets["basic"])
    assert rows_of(basic, "Aircraft data table") == {}
    assert "Lightning:" not in text.render(basic, 80)
    assert pages(basic, "letter") == 1


def test_the_summary_says_whose_hits_count_where_a_table_counts_those_of_a_card() -> None:
    assert "hit it most in the turn" in text.render(summary_at(), 200)
    assert "hit it most with this card" in text.render(summary_at(credit="card"), 200)


def test_the_summary_has_the_tables_own_deck_without_a_dagger() -> None:
    own = summary_at(OWN)
    assert rows_of(own, "Manoeuvre cards")["2ST"] == {"title": "Straight", "move": "F F", "copies": "4"}
    assert own.footer == ""
    assert "Figures of the cards: club cards." in text.render(own, 80)
    partly = summary_at({("fastplay.move", "SL"): Filled("F F SL", "read out")})
    assert rows_of(partly, "Manoeuvre cards")["SL"] == {"title": "Sideslip left", "move": "F F SL", "copies": "1†"}
    assert partly.footer
    assert make("decks", context=Context({}, OWN, "use")).footer == ""


def test_a_blank_licence_has_the_circles_that_the_table_plays() -> None:
    (plain,) = drawings(make("licences", aircraft="Lightning", context=context(damage_points=False)))
    assert plain.alt == "licence of no name yet, Lightning: 0 of 6 hits, 0 victories"


@pytest.mark.parametrize("key", SLIPS)
def test_slips_name_the_pilots(key: str) -> None:
    lines = text.render(make(key, table().state))
    assert all(name in lines for name in ("Anna", "Ben", "Dora"))
    assert "double ace" in lines


# --- licences


def test_a_licence_has_the_circles_of_its_plane_and_the_victories_of_its_pilot() -> None:
    shown = [d.alt for d in drawings(make("licences", table().state))]
    assert shown == [
        "licence of Anna, Spitfire: 3 of 6 hits, 12 victories",
        "licence of Ben, Lightning: 0 of 8 hits, 5 victories",
        "licence of Dora, Zero: 0 of 5 hits, 0 victories",
    ]


def test_a_seat_gets_its_own_licence_and_a_class_gets_blank_ones() -> None:
    assert len(drawings(make("licences", table().state, "ben"))) == 1
    assert len(drawings(make("licences"))) == len(fleet())
    blank = drawings(make("licences", aircraft="Zero", copies="12"))
    assert len(blank) == 12
    assert {d.alt for d in blank} == {"licence of no name yet, Zero: 0 of 5 hits, 0 victories"}
    assert len(drawings(make("licences", aircraft="Zero", copies="many"))) == 1


def test_a_licence_slip_is_for_one_pilot_and_crosses_off_what_is_hit() -> None:
    made = make("licence", table().state, pilot="anna")
    hits = next(b for b in doc.walk(made.blocks) if isinstance(b, doc.Track) and b.label == "Hits, down at 6")
    assert [box.used for box in hits.boxes] == [True] * 3 + [False] * 3
    assert "and 2 more" in text.render(made)
    assert "Ben" not in text.render(make("licence", table().state, "anna"))


def test_the_licence_is_printed_anew_when_a_victory_is_undone() -> None:
    play = table()
    before = play.state
    after = GAME.apply(before, Change("victory", "ben"))
    assert make("licence", after, "ben") != make("licence", before, "ben")
    assert make("licence", before, "ben") == make("licence", table().state, "ben")


# --- decks


@pytest.mark.parametrize("craft", DECKS)
def test_a_deck_has_a_card_for_each_copy(craft: str) -> None:
    printed = [card.front[0].alt.split(",")[0] for card in deck_cards(craft)]  # type: ignore[union-attr]
    expected = {code: count + DECKS[craft].get(code, 0) for code, count in STANDARD.items()}
    assert {code: printed.count(code) for code in expected} == expected
    assert len(printed) == sum(expected.values())


def test_cards_have_the_size_of_a_sleeve_and_their_backs_tell_only_the_aircraft() -> None:
    cards = deck_cards("Lightning")
    assert {(c.width_mm, c.height_mm) for c in cards} == {(63.0, 88.0)}
    assert len({c.back for c in cards}) == 1


def test_a_house_move_carries_its_dagger_and_the_printed_one_does_not() -> None:
    marked = {card.front[0].alt.split(",")[0]: _dagger(card) for card in deck_cards("Spitfire")}  # type: ignore[union-attr]
    assert marked.pop("3ST") is False
    assert all(marked.values())


def _dagger(card: doc.Card) -> bool:
    (front,) = card.front
    assert isinstance(front, doc.Drawing)
    return any("†" in shape.text for shape in front.shapes if isinstance(shape, doc.Label))


def test_decks_come_for_the_pilots_of_a_table_or_for_the_aircraft_asked_for() -> None:
    def count(document: doc.Document) -> int:
        (sheet,) = document.blocks
        assert isinstance(sheet, doc.Sheet)
        return len(sheet.pieces)

    assert count(make("decks")) == 14
    assert count(make("decks", table().state)) == 15 + 10 + 14
    assert count(make("decks", table().state, "ben")) == 10
    assert count(make("decks", aircraft="Mustang")) == 13


@pytest.mark.parametrize("code", STANDARD)
def test_a_move_is_drawn_inside_its_room_and_starts_at_its_foot(code: str) -> None:
    path = manoeuvres()[code].path
    shapes = [s for s in move_shapes(path, (4.0, 13.0), (47.0, 53.5)) if isinstance(s, doc.Path)]
    points = [p for shape in shapes for p in shape.points]
    assert all(4 - 1e-6 <= x <= 51 + 1e-6 and 13 - 1e-6 <= y <= 66.5 + 1e-6 for x, y in points)
    start, end = shapes[-2], shapes[-1]
    assert min(y for _, y in end.points) < min(y for _, y in start.points)
    assert "left" in said(path) if "L" in code else "left" not in said(path)


# --- paper aircraft


@pytest.mark.parametrize("craft", sorted(fleet()))
def test_an_aircraft_to_fold_is_true_to_scale_and_its_halves_are_mirror_images(craft: str) -> None:
    form, sheet = planforms()[craft], net(craft, "Anna")
    assert sheet.width_mm == pytest.approx(form.span * SCALE + STRIP)
    assert sheet.width_mm < 186
    closed = [s for s in sheet.shapes if isinstance(s, doc.Path) and s.closed]
    left = sum(_area(s.points) for s in closed if max(x for x, _ in s.points) <= sheet.width_mm / 2)
    right = sum(_area(s.points) for s in closed if min(x for x, _ in s.points) >= sheet.width_mm / 2)
    assert left == pytest.approx(right)
    assert left > 100


def _area(points: tuple[tuple[float, float], ...]) -> float:
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairwise((*points, points[0])))) / 2


def test_no_cut_runs_along_the_folds_of_the_stand() -> None:
    sheet = net("Me-109")
    folds = [s for s in sheet.shapes if isinstance(s, doc.Path) and s.dashed]
    assert len(folds) == 4
    (x, top), (_, bottom) = folds[0].points
    for shape in sheet.shapes:
        if isinstance(shape, doc.Path) and not shape.closed and not shape.dashed:
            (a, b), (c, d) = shape.points
            upright = abs(a - x) < 1e-6 and abs(c - x) < 1e-6
            assert not (upright and min(b, d) < bottom - 1e-6 and max(b, d) > top + 1e-6)


def test_every_aircraft_of_the_table_can_be_drawn() -> None:
    assert planforms().keys() == fleet().keys()
