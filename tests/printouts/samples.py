"""Documents that several tests render."""

from printouts.document import QR, Document, Heading, Line, Pair, Rule, Sum, Text

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
