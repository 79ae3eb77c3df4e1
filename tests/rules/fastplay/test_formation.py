"""Where pilots begin who do not enter one by one."""

import pytest

from companion.game import picking, registry
from companion.umpire import Context


@pytest.mark.rule("fastplay:Returning to Combat")
@pytest.mark.parametrize(("axis", "allies"), [(4, 4), (1, 9), (2, 12)])
def test_each_side_begins_on_an_edge_of_its_own_far_from_the_other(axis: int, allies: int) -> None:
    game = registry.game("fastplay")
    setup = picking.setup("fastplay", [["Me-109"] * axis, ["Spitfire"] * allies], "opposite")
    pilots = game.start(setup, Context()).pilots
    flying = [p for p in pilots if p.flies]
    assert len(flying) == axis + min(allies, 9)
    assert {p.at[0] for p in flying if p.side == "Axis"} == {"A"}
    assert {p.at[0] for p in flying if p.side == "Allies"} == {"X"}
    assert {(p.side, p.facing) for p in flying} == {("Axis", "E"), ("Allies", "W")}
    assert len({p.at for p in flying}) == len(flying)
    assert {p.out for p in pilots if not p.flies} <= {"not in yet"}
