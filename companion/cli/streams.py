"""Files and the standard streams, bounded, with one sentence where they cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Literal

import click

from companion.game.statuses import DONE


@contextmanager
def opened(source: str) -> Iterator[BinaryIO]:
    """A file to read, `-` for the standard input."""
    if source == "-":
        yield sys.stdin.buffer
        return
    with _file(source, "rb", "read") as file:
        yield file


@contextmanager
def written(target: str) -> Iterator[BinaryIO]:
    """A file to write, `-` for the standard output."""
    if target == "-":
        sys.stdout.flush()
        out = sys.stdout.buffer
        yield out
        out.flush()
        return
    with _file(target, "wb", "written") as file:
        yield file


def _file(name: str, mode: Literal["rb", "wb"], done: str) -> BinaryIO:
    try:
        return open(name, mode)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{name} cannot be {done}: {_why(error)}.") from None


def read_all(source: str, most: int) -> bytes:
    """At most one byte more than `most`, so that a file that is too long is seen to be."""
    with opened(source) as file:
        try:
            return file.read(most + 1)
        except OSError as error:
            raise click.ClickException(f"{source} cannot be read: {_why(error)}.") from None


def read_lines(source: str, most: int) -> Iterator[bytes]:
    """Line by line; of a line that is too long one byte more than `most` is kept and the rest passed over."""
    with opened(source) as file:
        while line := file.readline(most + 1):
            rest = line
            while not rest.endswith(b"\n") and (rest := file.readline(most)):
                pass
            yield line


def say(data: Any, target: str | None, *words: str) -> int:
    """What came of a command, as words for a reader or as JSON for a program."""
    if target is None:
        for line in words:
            click.echo(line)
        return DONE
    from companion.game import resolving

    with written(target) as out:
        out.write(resolving.encoded(data) + b"\n")
    return DONE


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
