"""What the command line does with dice: listen to them, learn how they write, and judge whether they are fair."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import Config, DiceConfig
from companion.game.errors import UsageError
from companion.sources import make

if TYPE_CHECKING:
    from companion.web.parts import Parts

Say = Callable[[str], None]


def watch(config: Config, folder: Path, name: str, say: Say, seconds: float | None = None) -> None:
    """Say all that the sources report, until the time is up or for ever: by the daemon that holds their ports, else
    from the ports themselves. Raises UsageError where there is none.
    """
    from companion import local

    try:
        for heard in local.follow(folder, "dice.watch", {"name": name}, seconds):
            say(_line(heard["source"], heard["text"], heard["raw"]))
    except local.NotRunning:
        _watch_alone(config, name, say, seconds)


def chosen(names: Sequence[str], name: str) -> list[str]:
    """The sources of this name, or all; raises UsageError where there is none."""
    found = [one for one in names if name in ("", one)]
    if not found:
        known = ", ".join(names) or "none; set one up in the settings"
        raise UsageError(f"There are no dice called {name[:40]!r}; there is {known}." if name else f"Dice: {known}.")
    return found


def _line(source: str, text: str, raw: str = "") -> str:
    return f"{source}: {text}" + (f"   [{raw}]" if raw else "")


def _watch_alone(config: Config, name: str, say: Say, seconds: float | None) -> None:
    wanted = chosen([die.name for die in config.dice], name)
    heard: queue.Queue[Any] = queue.Queue(1000)
    sources = [make(die) for die in config.dice if die.name in wanted]
    until = None if seconds is None else time.monotonic() + seconds
    try:
        for source in sources:
            source.start(heard.put)
            if source.status().state == "off":
                say(_line(source.name, source.status().text))
        while until is None or time.monotonic() < until:
            try:
                event = heard.get(timeout=0.2)
            except queue.Empty:
                continue
            say(_line(event.source, event.text, event.raw))
    finally:
        for source in sources:
            source.stop()


# --- teaching


class Listener:
    """Lines of a port, as they come."""

    def __init__(self, port: Any) -> None:
        from drivers.dice.lines import LineAssembler

        self._port, self._lines = port, LineAssembler()

    def gather(self, seconds: float = 0.3) -> list[str]:
        """What came since the last time, once the port has been silent for so long."""
        found: list[str] = []
        quiet = time.monotonic() + seconds
        until = time.monotonic() + 10 * seconds
        while time.monotonic() < min(quiet, until):
            data = self._port.read(4096)
            if data:
                quiet = time.monotonic() + seconds
                found += [line.raw.decode("latin-1") for line in self._lines.feed(data, time.monotonic())]
            else:
                time.sleep(0.01)
        return found


@contextmanager
def listening(port: str, baud: int) -> Iterator[Listener]:
    """An open port; raises a DriverError with a sentence where it cannot be had."""
    from drivers.dice.ports import check_port, find_port, open_port

    device = open_port(find_port(check_port(port)), baud)
    try:
        device.write(b"?\n")  # a tower of the reference format says who it is; others do not mind
        yield Listener(device)
    finally:
        device.close()


def settings(die: DiceConfig) -> str:
    """The lines for the settings file."""
    from companion import touched

    return "\n".join(["[[dice]]", *touched.rows(touched.die_part(die))])


# --- fairness


def judged(tallies: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The verdict on each die and what it rests on; on all of a source's too, where it tells its dice apart."""
    from dataclasses import asdict

    from drivers.dice.fairness import judge

    for tally in [*tallies, *_together(tallies)]:
        head = {key: tally[key] for key in ("source", "die", "kind")}
        counts = {face: tally["counts"].get(face, 0) for face in tally["faces"]}
        yield {**head, **asdict(judge(counts, tally["faces"])), "counts": counts}


ALL = "*"
"""In the place of a die's name: all dice of that kind from one source."""


def _together(tallies: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for tally in tallies:
        groups.setdefault((tally["source"], tally["kind"]), []).append(tally)
    for several in groups.values():
        counts = {face: sum(t["counts"].get(face, 0) for t in several) for face in several[0]["faces"]}
        if len(several) > 1:
            yield {**several[0], "die": ALL, "counts": counts}


def named(row: Mapping[str, Any]) -> str:
    """The die and its source."""
    die = {"": row["kind"], ALL: f"all {row['kind']}"}.get(row["die"], f"die {row['die']}, {row['kind']}")
    return f"{row['source']}, {die}"


def verdict(row: Mapping[str, Any]) -> str:
    """What is said of a die, on the page and the command line alike."""
    evidence = f"{row['evidence']:.2g}" if row["evidence"] < 1000 else "over 1000"
    return f"{row['text']} Evidence {evidence}; at 20 a die is called unfair."


async def tallied(parts: Parts, known: dict[str, tuple[int, list[Any]]]) -> list[dict[str, Any]]:
    """All throws of all tables, a few acts at a time; `known` keeps the counts of tables that do not change."""
    import msgspec

    from companion.game.throws import SLICE, merged, of_records

    found = []
    for key in await parts.run(parts.tables.listed):
        table = await parts.run(parts.tables.get, key)
        version = table.version
        if known.get(key, (-1,))[0] != version:
            slices = [await parts.run(of_records, table, n, SLICE) for n in range(0, len(table.records), SLICE)]
            known[key] = version, merged(tally for some in slices for tally in some)
        found += known[key][1]
    plain: list[dict[str, Any]] = msgspec.to_builtins(merged(found))
    return plain
