"""`companion print`: to a file in the form that its name says, or to a printer by its name."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path

import click

from companion.cli.folder import do, folder_options
from companion.game.statuses import DEVICE, DONE
from printouts.pdf import PAPERS

FORMS = ("pdf", "png", "html", "txt", "bin")


@click.command("print")
@click.argument("kind", required=False)
@click.argument("fields", nargs=-1, metavar="[FIELD=VALUE]...")
@click.option("--to", "target", metavar="FILE|PRINTER", help="A .pdf, .png, .html, .txt or .bin file, or a printer.")
@click.option("--paper", type=click.Choice([*PAPERS]), default=None, help="Else the paper that the kind is made for.")
@folder_options
def print_(
    kind: str | None, fields: tuple[str, ...], target: str | None, paper: str | None, config_file: Path | None,
    data: str | None,
) -> int:  # fmt: skip
    """Print a KIND; without one, list what can be printed."""
    if kind is None and target is None:
        return _list()
    if target is None:
        raise click.UsageError("Say where to print to with --to FILE or --to PRINTER.")
    given = dict(_field(f) for f in fields)
    form = Path(target).suffix.lower().removeprefix(".")
    if form in FORMS:
        pieces = _drawn(kind or "slip", given, form, paper or "", config_file, data)
        return _save(Path(target), pieces)
    return _send(kind or "slip", given, target, config_file, data)


def _list() -> int:
    from companion import papers

    for kind, title, fields in papers.kinds():
        click.echo(f"{kind:24} {title}" + (f" ({', '.join(fields)})" if fields else ""))
    return DONE


def _field(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise click.UsageError(f"{given[:40]!r} is no field; write field=value.")
    return name, value[:200]


def _drawn(
    kind: str, fields: dict[str, str], form: str, paper: str, config_file: Path | None, data: str | None
) -> list[bytes]:
    """What a table holds is drawn by the owner of the folder, everything else here."""
    from companion import papers
    from companion.config import data_folder, in_effect

    config = in_effect(config_file, data)
    backs = (0.0, 0.0) if kind == papers.DUPLEX else config.back_offset_mm  # its cross is read from the middle
    if papers.needs_table(kind, fields):
        folder = data_folder(config, data)
        pieces = do(folder, "print", kind=kind, fields=fields, form=form, paper=paper, backs=backs)
        return [b64decode(piece) for piece in pieces]
    return papers.rendered(papers.document(None, kind, fields), form, paper or papers.size(kind), backs)


def _save(target: Path, pieces: Sequence[bytes]) -> int:
    """Further pages of a picture go beside the first, numbered from 2. Each is there whole or not at all."""
    from companion.keeping import write_safely

    for number, piece in enumerate(pieces, 1):
        file = target if number == 1 else target.with_name(f"{target.stem}-{number}{target.suffix}")
        try:
            write_safely(file, piece)
        except OSError as error:
            raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
    return DONE


def _send(kind: str, fields: dict[str, str], printer: str, config_file: Path | None, data: str | None) -> int:
    import logging

    from companion import wiring
    from companion.config import data_folder, load

    logging.lastResort = None  # what a printer has to say comes back as the job's own sentence
    config = load(config_file)
    job = wiring.print_now(config, data_folder(config, data), printer, kind, fields)
    click.echo(job["text"], err=not job["ok"])
    return DONE if job["ok"] else DEVICE
