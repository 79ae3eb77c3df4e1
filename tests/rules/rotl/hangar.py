"""Aircraft of the worked examples that no house pack gives: only what the examples say of them is of weight."""

from __future__ import annotations

from typing import Any

from companion.rules.rotl.aircraft import Type


def kind(name: str, side: str = "Axis", **fields: Any) -> Type:
    ratings: dict[str, Any] = {
        "performance": (5, 4),
        "horsepower": (3, 2),
        "burst": (1, 1),
        "capacity": (4, 8),
        "offence": (2, 1),
        "defence": (2, 1),
    }
    return Type(name=name, side=side, nation="", **{**ratings, **fields})  # type: ignore[arg-type]


TYPES = {
    t.name: t
    for t in (
        kind("Zero", agile=True),
        kind("Ki-43"),
        kind("C.R. 42", agile=True),
        kind("Wingman Ace", wing_agile=True),
        kind("Rocket", rocket=True, speed=(3, 3), thrust=(1, 1)),
        kind("Jet", jet=True, speed=(4, 4), thrust=(2, 2), heavy=(1, 1), wing_heavy=(2, 2)),
        kind("Bf-109G", methanol=True),
        kind("Ta-152H-1", turbo=True, ta152=True),
        kind("Lowflyer", ceiling="High"),
        kind("Bf-110", burst=(2, 2), gunner=(1, 1)),
        kind("F4F", "Allies"),
        kind("P-40", "Allies"),
        kind("Buffalo", "Allies"),
        kind("P-51", "Allies"),
        kind("Spitfire", "Allies"),
        kind("Hurricane", "Allies"),
        kind("Mosquito", "Allies", small=True),
        kind("Turbo", "Allies", turbo=True),
    )
}
