"""What pilots are called in asks and lines: a nickname may be written in letters that no key has."""

from collections.abc import Iterable, Sequence

from companion.rules.fastplay.state import Pilot

Names = tuple[tuple[str, str], ...]
"""Key and nickname of each pilot that an act is about; who is not in it is called by the key."""


def names(pilots: Iterable[Pilot]) -> Names:
    return tuple((pilot.key, pilot.name) for pilot in pilots)


def called(known: Names, key: str) -> str:
    return dict(known).get(key, key)


def apart(known: Names, keys: Sequence[str]) -> list[str]:
    """What each is called, where no two of them are called alike; else their keys."""
    found = [called(known, key) for key in keys]
    return found if len(set(found)) == len(found) else list(keys)
