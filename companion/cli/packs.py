"""`companion packs`: a player's own figures in place of house values."""

from __future__ import annotations

from pathlib import Path

import click

from companion.game.statuses import DONE


@click.group()
def packs() -> None:
    """Figures of your own cards in place of house values."""


@packs.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", default="", help="Which game; a CSV file does not say it.")
def check(files: tuple[Path, ...], game: str) -> int:
    """Whether packs can be used: every fault with its file, line and value."""
    from companion.game import own

    for file in files:
        pack = own.read(file, game)
        for doubt in pack.doubts:
            click.echo(doubt, err=True)
        click.echo(f"{file.name}: {pack.name}, {len(pack.cells)} figures for {pack.game}.")
    return DONE


@packs.command()
@click.argument("game")
@click.argument("file", metavar="FILE|-", default="-")
@click.option("--name", default="my cards", help="What the pack is called on slips and pages.")
def new(game: str, file: str, name: str) -> int:
    """A pack to fill in, with every house value as a comment."""
    from companion.cli.streams import written
    from companion.game import own

    text = own.template(game, name[:60])
    if file != "-" and Path(file).exists():
        raise click.ClickException(f"{file} is there already; name another file.")
    with written(file) as out:
        out.write(text.encode())
    return DONE


@packs.command(name="list")
@click.argument("game", default="")
def list_(game: str) -> int:
    """The packs that fill each game's tables, and how many figures each gives; † marks house values."""
    from companion.game import own, registry

    for key in [game] if game else registry.books():
        counts = own.in_effect(key)
        for name, count in counts.items():
            click.echo(f"{key:10} {count:5} {name}")
    return DONE
