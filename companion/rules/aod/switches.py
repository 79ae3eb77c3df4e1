"""The optional rules and the rules that may be skipped (7.11), each a switch of the table."""

from collections.abc import Mapping
from typing import Any

from companion.umpire import Context, Switch, Umpire

_SKIPPED = (
    Switch("roll_tilt", "Roll tilt counts when firing", "4.5.1", True),
    Switch("re_sliding", "Short ammunition rows are used again", "4.2.1", True),
    Switch("decreasing_firepower", "Firepower falls as guns run empty", "4.2.2", True),
    Switch("frontal_durability", "Frontal durability", "4.3.1", True),
    Switch("tracer", "Tracer burst", "4.5.7", True),
    Switch("cannons", "Cannons against tough targets", "4.6.4", True),
    Switch("double_burst", "Double burst", "4.6.5", True),
    Switch("short_burst", "Short burst", "4.6.6", True),
    Switch("air_rockets", "Air-to-air rockets", "4.10", True),
)
_OPTIONAL = (
    Switch("tilted_guns", "Flexible guns when tilted", "4.4.3"),
    Switch("twitch", "Defensive twitch", "4.5.8"),
    Switch("speed_difference", "Speed difference when firing", "4.9"),
    Switch("pilots", "Pilot skill", "7.5"),
    Switch("sun", "Sun", "7.6.2", "off", ("off", "E", "SE", "SW", "W")),
    Switch("clouds", "Clouds", "7.6.3"),
    Switch("fog", "Fog", "7.6.4"),
)
_SPECIAL = (
    Switch("upward_guns", "Guns aimed upwards", "4.5.5"),
    Switch("night", "Night", "7.7"),
    Switch("full_passive", "Passive fire without its penalty", "4.7.2"),
    Switch("many_turrets", "Flexible guns answer every attacker", "4.8"),
)

SWITCHES = {switch.key: switch for switch in (*_SKIPPED, *_OPTIONAL, *_SPECIAL)}
_DEFAULTS = {switch.key: switch.default for switch in SWITCHES.values()}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "simplified": {**_DEFAULTS, **dict.fromkeys((s.key for s in _SKIPPED), False)},
    "basic": _DEFAULTS,
    "full": {**_DEFAULTS, **{s.key: s.values[1] if s.values else True for s in _OPTIONAL}},
}
"""Night, guns aimed upwards and the two agreements of 4.7.2 and 4.8 come with a scenario, not with a preset."""


def on(at: Umpire | Context, key: str) -> bool:
    """Whether a rule is in use; what a table does not say is as the basic rules have it."""
    return setting(at, key) not in (False, "off")


def setting(at: Umpire | Context, key: str) -> Any:
    context = at if isinstance(at, Context) else at.context
    return context.switches.get(key, _DEFAULTS[key])
