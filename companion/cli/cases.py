"""`companion describe`, `resolve` and `odds`: a procedure without a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, ParamSpec

import click

from companion.game.statuses import DONE

P = ParamSpec("P")


def case_options(command: Callable[P, int]) -> Callable[P, int]:
    """What `resolve` and `odds` take alike."""
    options = (
        click.argument("procedure"),
        click.argument("fields", nargs=-1, metavar="[FIELD=VALUE]..."),
        click.option("--in", "source", metavar="FILE|-", help="A case as JSON: inputs, switches, answers."),
        click.option("--out", "target", metavar="FILE|-", help="Write JSON there."),
        click.option("--answers", metavar="JSON", help="Answers, a JSON list."),
        click.option(
            "--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="A pack of your own figures."
        ),
        click.option("--lines", is_flag=True, help="One case a line in and out."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("procedure")
@click.option("--out", "target", metavar="FILE|-", default="-", help="Write the JSON there.")
def describe(procedure: str, target: str) -> int:
    """JSON Schemas of a procedure's inputs and result, and what it can ask."""
    from companion.cli.streams import written
    from companion.game import resolving

    text = resolving.pretty(resolving.describe(procedure))
    with written(target) as out:
        out.write(text + b"\n")
    return DONE


@click.command()
@case_options
@click.option("--roll", is_flag=True, help="The machine throws the dice that are not answered.")
@click.option("--seed", help="Throw repeatably.")
def resolve(
    procedure: str, fields: tuple[str, ...], source: str | None, target: str | None, answers: str | None,
    packs: tuple[Path, ...], lines: bool, roll: bool, seed: str | None,
) -> int:  # fmt: skip
    """Run a procedure once: its result, or what it asks."""
    from companion.cli import showing
    from companion.game import resolving

    figures = resolving.figures_of(procedure, packs)

    def run(case: resolving.Case, number: int) -> resolving.Outcome:
        throws = f"{seed}:{number}" if seed is not None else ""
        return resolving.resolve(procedure, case, roll=roll or seed is not None, seed=throws, figures=figures)

    return _run(procedure, fields, source, target, answers, lines, run, showing.resolved)


@click.command()
@case_options
@click.option("--about", default="", metavar="QUESTION", help="Ask for one part of the result.")
def odds(
    procedure: str, fields: tuple[str, ...], source: str | None, target: str | None, answers: str | None,
    packs: tuple[Path, ...], lines: bool, about: str,
) -> int:  # fmt: skip
    """Exact chances of everything that dice can still decide."""
    from companion.cli import showing
    from companion.game import resolving

    figures = resolving.figures_of(procedure, packs)

    def run(case: resolving.Case, _number: int) -> resolving.Outcome:
        return resolving.odds(procedure, case, about=about, figures=figures)

    return _run(procedure, fields, source, target, answers, lines, run, showing.chances)


def _run(
    procedure: str, fields: tuple[str, ...], source: str | None, target: str | None, answers: str | None,
    lines: bool, run: Callable[[Any, int], Any], show: Callable[[dict[str, Any]], Iterator[str]],
) -> int:  # fmt: skip
    from companion.cli.streams import read_all, read_lines, written
    from companion.game import resolving

    def outcome(raw: bytes | str, number: int) -> resolving.Outcome:
        def case() -> resolving.Outcome:
            return run(resolving.case_of(procedure, raw, fields, answers), number)

        return resolving.writable(resolving.guarded(case))

    resolving.check_name(procedure)
    if lines:
        with written(target or "-") as out:
            return _each(read_lines(source or "-", resolving.LARGEST), out, outcome)
    data, status = outcome(read_all(source, resolving.LARGEST) if source else b"{}", 1)
    if target:
        with written(target) as out:
            out.write(resolving.encoded(data) + b"\n")
    else:
        for text in show(data):
            click.echo(text)
    if status:
        click.echo(resolving.sentence(data), err=True)
    return status


def _each(cases: Iterator[bytes], out: BinaryIO, outcome: Callable[[bytes, int], Any]) -> int:
    """Every line has its answer on the same line; the status is that of the first that is not done."""
    from companion.game import resolving

    first = DONE
    for number, raw in enumerate(cases, 1):
        data, status = outcome(raw, number)
        out.write(resolving.encoded(data) + b"\n")
        out.flush()
        first = first or status
    return first
