"""Over the Reich as far as it goes: charts to look up and throws to resolve, but no table to play at yet."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.otr import TITLE, lost
from companion.rules.otr.charts import charts
from companion.rules.otr.checks import blackout, overstress, recharge
from companion.rules.otr.crew import navigation, oxygen, take_over, wound
from companion.rules.otr.defend import defend
from companion.rules.otr.fire import fire
from companion.rules.otr.head_on import collision, head_on
from companion.rules.otr.rockets import launch
from companion.rules.otr.speed import change_speed
from companion.rules.otr.stalls import hammerhead, random_flight, recover, spin, stall, turn_stall
from companion.umpire import Chart, Filled, Procedure, Switch, TableSlot, Unit

_PROCEDURES: tuple[Procedure[Any, Any], ...] = (
    change_speed, stall, spin, recover, turn_stall, hammerhead, random_flight, overstress, blackout,
    fire, defend, launch, head_on, collision, recharge,
    wound, take_over, oxygen, navigation,
)  # fmt: skip


class OverTheReich:
    key, title, version = "otr", TITLE, "1"
    procedures: Mapping[str, Procedure[Any, Any]] = {p.name: p for p in _PROCEDURES}
    charts: Mapping[str, Chart] = charts()
    slots: Mapping[str, TableSlot] = lost.SLOTS
    switches: Mapping[str, Switch] = {}
    units: Sequence[Unit] = ()

    def cells(self) -> Mapping[tuple[str, ...], Filled]:
        return lost.cells()


BOOK = OverTheReich()
