"""Documents that several tests render."""

from printouts.document import (
    QR,
    Big,
    Block,
    Box,
    Card,
    Chit,
    Circle,
    Column,
    Columns,
    Document,
    Drawing,
    Face,
    Grid,
    Heading,
    Line,
    Pair,
    Panel,
    Path,
    Rule,
    Sheet,
    Sum,
    Table,
    Text,
    Track,
)
from printouts.figures import Plane, plan_view, rosette

LINK = "http://192.168.1.23:8080/e/9f3k"

BURST = Document(
    "Burst 0042",
    (
        Heading("AGE OF DOGFIGHTS", right="No 0042"),
        Pair("Round 7", "Table KESTREL"),
        Rule(),
        Text("Fw 190 A-8 (3) fires at"),
        Pair("Spitfire Mk IX (11)", "burst 5/7"),
        Sum(
            (
                Line("die  white d6", "5"),
                Line("distance 2d", "-1"),
                Line("different roll", "-1"),
                Line("total", "3", role="total"),
                Line("needs 2+", "HIT"),
            ),
            "TARGETING  position A",
            "4.5.1",
        ),
        Sum(
            (
                Line("dice red 2d6", "4+2 = 6"),
                Line("firepower", "+7"),
                Line("durability", "-4"),
                Line("total", "9", role="total"),
                Line("DAMAGED", rule="4.6.1", role="result"),
                Line("damage die", "ENGINE"),
            ),
            "OUTCOME",
            "4.6",
        ),
        Text("Spitfire: speed -2, no booster"),
        Text('dice: tower "Oak", by hand: none'),
        Pair("chance of this or worse", "11/24"),
        QR(LINK),
    ),
)


def panel(number: int = 1) -> Document:
    """A control panel as a game may build it."""
    return Document(f"Control panel {number}", panel_blocks(number), paper="a5", footer="Companion")


def panel_blocks(number: int = 1) -> tuple[Block, ...]:
    plane = plan_view(Plane(10.5, 9.0), 42, "Fw 190 A-8 from above")
    guns = rosette((("5", "11", "7"), ("", "", ""), ("", "", ""), ("", "", ""), ("", "", ""), ("", "", "")), 40)
    figures = (
        ("Firepower", "11"),
        ("Basic Speed", "11"),
        ("Agility", "III •"),
        ("Ceiling", "L10"),
        ("Durability", "4"),
    )
    facts = Table((Column("", mm=24), Column("", "right", 16)), figures)
    return (
        Heading("Fw 190 A-8", right="fighter, Germany"),
        Columns(((plane,), (facts,), (guns,)), (45, 42, 42), 2),
        Grid(((Box("5", "loaded", heavy=True), Box("9", "loaded", heavy=True), Box("II", "loaded", heavy=True)),)),
        *(block for n in range(1, 3) for block in section(number + n)),
    )


def section(number: int) -> tuple[Block, ...]:
    ammunition = tuple(Box("11" if n < 3 else "7", str(n + 1), half=True) for n in range(7))
    throttle = (Box("!", heavy=True), *(Box("", str(n)) for n in range(1, 4)))
    damage = tuple(
        Box(letter, width_mm=12, fill=ink)
        for letter, ink in (("B", "blue"), ("B", "blue"), ("Y", "yellow"), ("R", "red"), ("G", "green"))
    )
    return (
        Panel(
            (
                Track("Ammunition", ammunition),
                Track("Throttle", throttle),
                Track("Damage", damage),
                Track("Pilot, speed", (Box(label="pilot", width_mm=30), Box(label="speed", width_mm=15))),
            ),
            f"Aircraft {number}",
        ),
    )


def chits() -> Document:
    mark = Drawing(10, 10, (Circle(5, 5, 4, 0.6), Path(((1, 5), (9, 5)), width_mm=0.6)), "a mark")
    pieces = tuple(
        Chit(Face(str(n), "Spitfire IX", mark, fill="light"), Face("†", "back", fill="grey")) for n in range(1, 31)
    )
    cards = tuple(
        Card((Heading(f"Card {n}"), Rule(), Text("Turn one hexside, then move straight."), Big("HR")), (Big("BACK"),))
        for n in range(1, 7)
    )
    return Document("Chits", (Sheet(pieces), Sheet(cards, bleed_mm=0)), paper="page")
