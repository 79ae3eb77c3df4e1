"""What odds take the players to decide where nothing has been said yet: everybody fires all that bears."""

from collections.abc import Callable

from companion.umpire import Ask


def prefer(*keys: str) -> Callable[[Ask], str]:
    """The first of these that is not barred, else the first that is not."""

    def decide(ask: Ask) -> str:
        legal = ask.space.legal if ask.space else ()
        return next((key for key in keys if key in legal), legal[0])

    return decide


POLICY = {
    "position": prefer(),
    "guns": "both",
    "burst": prefer("normal", "short"),
    "twitch": "yes",
    "respond": "yes",
    "double": prefer("normal", "short"),
    "damage": prefer("engine"),
}
