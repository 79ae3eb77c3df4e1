"""`companion table`: games in progress, seen and mended by the owner of the data folder, who acts as the host."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec

import click

from companion.cli.folder import do, folder_options, where
from companion.cli.streams import say
from companion.game.statuses import DONE

P = ParamSpec("P")
TABLE_LIMIT = 32 * 1024 * 1024
"""Bytes of an exported table that are still read."""


def _options(command: Callable[P, Any]) -> Callable[P, Any]:
    """In which folder, and JSON instead of words."""
    return click.option("--out", "target", metavar="FILE|-", help="Write JSON there.")(folder_options(command))


_some_table = click.argument("table", default="")
"""By key or name; the one played last where none is named."""


@click.group()
def table() -> None:
    """Begin, see and mend games in progress."""


@table.command()
@click.argument("game")
@click.option("--in", "source", metavar="FILE|-", help="A set-up as JSON; else the game's demonstration.")
@click.option("--name", default="", help="What the table is called.")
@click.option("--preset", default="", help="A set of switches of the game.")
@click.option("--switch", "switches", multiple=True, metavar="KEY=VALUE", help="Turn an optional rule on or off.")
@click.option("--house", type=click.Choice(["use", "ask", "refuse"]), default="use", help="What house values may do.")
@click.option("--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="A pack of your own figures.")
@_options
def new(
    game: str, source: str | None, name: str, preset: str, switches: tuple[str, ...], house: str,
    packs: tuple[Path, ...],
    target: str | None, config_file: Path | None, data: str | None,
) -> int:  # fmt: skip
    """Begin a game."""
    from companion.cli.streams import read_all
    from companion.game import own, resolving

    setup = resolving.read_object(read_all(source, resolving.LARGEST), "The set-up") if source else None
    made = do(
        where(config_file, data), "table.new", begins=True, game=game, setup=setup, name=name[:40],
        preset=preset, switches=resolving.merged({}, switches), house=house, packs=own.for_table(packs, game),
    )  # fmt: skip
    return say(made, target, f"Table {made['name']} ({made['table']}) is ready.")


@table.command(name="list")
@_options
def list_(target: str | None, config_file: Path | None, data: str | None) -> int:
    """Every table, the one played last first."""
    rows = do(where(config_file, data), "table.list")
    return say(rows, target, *(f"{r['table']:6} {r['name']:14} {r['game']:10} {r['version']} entries" for r in rows))


@table.command()
@click.option("--seat", default="host", help="As this seat sees it; '' for a spectator.")
@_some_table
@_options
def show(seat: str, table: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """How a game stands."""
    from companion.cli.showing import standing

    view = do(where(config_file, data), "table.show", table=table, seat=seat)
    return say(view, target, *standing(view))


@table.command()
@click.option("--acts", type=click.IntRange(1, 1000), default=1, help="How many acts.")
@click.option("--fresh", is_flag=True, help="Throw the dice afresh instead of keeping their faces.")
@click.option("--redo", is_flag=True, help="Bring back what was taken back last.")
@_some_table
@_options
def undo(
    acts: int, fresh: bool, redo: bool, table: str, target: str | None, config_file: Path | None, data: str | None
) -> int:
    """Take back the last acts."""
    done = do(where(config_file, data), "table.undo", table=table, acts=acts, fresh=fresh, redo=redo)
    what = "Brought back" if redo else "Taken back"
    return say(done, target, f"{what}: {', '.join(f'act {n}' for n in done['acts'])}.")


@table.command()
@click.argument("table")
@click.argument("number", type=int)
@click.argument("address")
@click.argument("value")
@click.option("--reason", required=True, help="Why; it stands on the slip.")
@_options
def amend(
    number: int, address: str, value: str, reason: str,
    table: str, target: str | None, config_file: Path | None, data: str | None,
) -> int:  # fmt: skip
    """Correct a face, a fact or a choice: VALUE as `{"die": "face"}`, or the answer itself."""
    from companion.game import resolving

    done = do(
        where(config_file, data), "table.amend", table=table, number=number, address=address,
        given=resolving.value_of(value), reason=reason,
    )  # fmt: skip
    return say(done, target, f"Act {number} is amended: {done['result']['word']}.")


@table.command()
@click.argument("table")
@click.option("--reason", required=True, help="Why; it stands on the slip.")
@click.option("--changes", default="[]", metavar="JSON", help='A list of {"kind", "target", "value"}.')
@click.option("--number", type=int, default=0, help="The act whose result this replaces.")
@click.option("--word", default="", help="The large word on the slip.")
@_options
def rule(
    reason: str, changes: str, number: int, word: str,
    table: str, target: str | None, config_file: Path | None, data: str | None,
) -> int:  # fmt: skip
    """Set values or a result by hand."""
    from companion.game import resolving

    done = do(
        where(config_file, data), "table.rule", table=table, reason=reason, number=number, word=word,
        changes=resolving.read_objects(changes, "The list of changes"),
    )  # fmt: skip
    return say(done, target, f"It is ruled by hand at table {done['name']}.")


@table.command()
@_some_table
@_options
def export(table: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """The whole journal of a table with its hash chain, one entry a line."""
    from companion.cli.streams import written

    text = do(where(config_file, data), "table.export", table=table)
    with written(target or "-") as out:
        out.write(text.encode())
    return DONE


@table.command(name="import")
@click.argument("source", metavar="FILE|-")
@_options
def import_(source: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """Take over an exported table."""
    from companion.cli.streams import read_all

    text = read_all(source, TABLE_LIMIT)
    if len(text) > TABLE_LIMIT:
        raise click.ClickException(f"{source} is longer than {TABLE_LIMIT} bytes; it is no exported table.")
    done = do(where(config_file, data), "table.import", begins=True, text=text.decode("utf-8", "replace"))
    return say(done, target, f"Table {done['name']} ({done['table']}) is here now.")


@table.command()
@_some_table
@_options
def verify(table: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """Check the hash chain and play every act again; what was played stands."""
    done = do(where(config_file, data), "table.verify", table=table)
    rows = [f"Slip {d['slip']:04d} (act {d['number']}): {d['text']}" for d in done["differences"]]
    verdict = f"{len(rows)} come out otherwise under the rules of today." if rows else "all come out again."
    head = f"Table {done['name']}: the chain holds (…{done['chain']}); of {done['acts']} acts "
    return say(done, target, head + verdict, *rows)
