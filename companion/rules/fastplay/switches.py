"""What a table may set, and the ready-made settings."""

from collections.abc import Mapping
from typing import Any

from companion.umpire import Context, Switch

SWITCHES: Mapping[str, Switch] = {
    s.key: s
    for s in (
        Switch("mat", "Companion keeps the hexes", "Play Card and Move Planes", True),
        Switch("cards", "Where cards are chosen", "Choose Cards", "phones", ("phones", "kiosk", "table")),
        Switch("manoeuvrability", "Decks differ by aircraft", "Maneuverability", True),
        Switch("firepower", "Guns differ by aircraft", "Firepower", True),
        Switch("damage_points", "Damage points differ by aircraft", "Damage Points", True),
        Switch("special_cases", "Zero and Lightning", "Special Cases", True),
        Switch(
            "credit",
            "Hits that count for a victory: of the turn, or of the card",
            "Victories",
            "turn",
            ("turn", "card"),
        ),
    )
}

_OPTIONAL = ("manoeuvrability", "firepower", "damage_points", "special_cases")
_TABLE = {"mat": False, "cards": "table"}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "full": {},
    "paper cards": {"cards": "kiosk"},
    "basic": dict.fromkeys(_OPTIONAL, False),
    "basic, paper cards": {"cards": "kiosk", **dict.fromkeys(_OPTIONAL, False)},
    "shooting only": {**_TABLE, **dict.fromkeys(_OPTIONAL, False)},
    "shooting only, all aircraft": _TABLE,
}


def setting(context: Context, key: str) -> Any:
    """What the table has set, else the default."""
    return context.switches.get(key, SWITCHES[key].default)
