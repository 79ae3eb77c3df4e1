"""`companion dice`: what dice say, how they write it, and whether they are fair."""

from __future__ import annotations

import time
from pathlib import Path

import click

from companion.cli.folder import do, folder_options, where
from companion.game.statuses import DONE


@click.group()
def dice() -> None:
    """Listen to dice, teach a die's format, judge fairness."""


@dice.command()
@click.argument("name", default="")
@click.option("--seconds", type=click.FloatRange(0, 86400), help="How long; else until Ctrl-C.")
@folder_options
def watch(name: str, seconds: float | None, config_file: Path | None, data: str | None) -> int:
    """Show all that dice report, also while Companion serves; of one source or of all."""
    from companion import dice as work
    from companion.config import data_folder, in_effect

    config = in_effect(config_file, data)
    folder = data_folder(config, data)
    work.watch(config, folder, name, lambda text: click.echo(f"{time.strftime('%H:%M:%S')} {text}"), seconds)
    return DONE


@dice.command()
@click.argument("port")
@click.option("--name", default="new die", help="What the die or tower is called.")
@click.option("--baud", type=click.IntRange(50, 4_000_000), default=115200, help="Speed of the port.")
@click.option("--kind", default="d6", help="d6, d10 and so on.")
@click.option("--faces", default="1,2,3,4,5,6", help="Faces to show, in this order.")
@click.option("--also", multiple=True, metavar="KIND", help="Another die of the same tower; give it once for each.")
def teach(port: str, name: str, baud: int, kind: str, faces: str, also: tuple[str, ...]) -> int:
    """Find out how the dice at PORT write their faces; prints lines for the settings."""
    from companion import dice as work
    from companion.lesson import Lesson

    lesson = Lesson(name, port, baud, kind)
    with work.listening(port, baud) as listener:
        if not lesson.is_our_tower(listener.gather()):
            for word in [w.strip()[:20] for w in faces.split(",") if w.strip()][:20]:
                _ask(f"Throw or turn the die until it shows {word} and lies still, then press Enter")
                lesson.show(_face(word), listener.gather())
            lesson.find()
            for other in also:
                lesson.other(other)
                shown = _ask(f"Throw the {other[:10]} alone, and type what it shows")
                lesson.take(_face(shown), listener.gather())
    click.echo(lesson.text, err=True)
    click.echo(work.settings(lesson.learned()))
    return DONE


def _ask(words: str) -> str:
    return str(click.prompt(words, default="", show_default=False, err=True))


def _face(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


@dice.command()
@click.argument("source", default="")
@click.option("--out", "target", metavar="FILE|-", help="Write JSON there.")
@folder_options
def fairness(source: str, target: str | None, config_file: Path | None, data: str | None) -> int:
    """Whether the dice that were thrown at these tables are fair."""
    from companion import dice as work
    from companion.cli.streams import say

    tallies = do(where(config_file, data), "dice.tallies")
    rows = [row for row in work.judged(tallies) if source in ("", row["source"])]
    words = [f"{work.named(row)}: {work.verdict(row)}" for row in rows]
    return say(rows, target, *(words or ["No dice were thrown at these tables yet."]))
