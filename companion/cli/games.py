"""`companion games` and `companion procedures`."""

from __future__ import annotations

import click


@click.command()
def games() -> None:
    """The games that are installed."""
    from companion.game import registry

    for key in sorted(registry.keys()):
        click.echo(f"{key:10} {registry.title(key)}")


@click.command()
@click.argument("game", required=False)
def procedures(game: str | None) -> None:
    """The procedures of a game, or of all."""
    from companion.game import registry

    for key in [game] if game else registry.books():
        for name, procedure in sorted(registry.book(key).procedures.items()):
            click.echo(f"{name:24} {procedure.title} [{procedure.rule}]")
