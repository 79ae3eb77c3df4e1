"""`companion chart`."""

from __future__ import annotations

import click

from companion.game.statuses import DONE, USAGE

SHOWN = 5
"""Charts that are shown whole; of more, the names are enough to ask again."""


@click.command()
@click.argument("game")
@click.argument("words", nargs=-1)
def chart(game: str, words: tuple[str, ...]) -> int:
    """Look up the charts of a GAME (or of `all`) by words, a rule number or a situation."""
    from companion.game import lookup

    found = lookup.search(words, "" if game == "all" else game)
    if not found:
        click.echo(f"No chart fits {' '.join(words)[:80]!r}; `companion chart {game}` lists them all.", err=True)
        return USAGE
    if not words:
        found, rest = [], found
    else:
        found, rest = found[:SHOWN], found[SHOWN:]
    for one in found:
        click.echo("\n".join(lookup.text(one)) + "\n")
    for one in rest:
        click.echo(f"{one.game} {one.key:24} {one.title} [{one.rule}]")
    return DONE
