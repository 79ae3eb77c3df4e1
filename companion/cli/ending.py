"""How a command ends: its status, or one plain sentence on the error stream and the status of that error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from companion.game import statuses
from companion.game.statuses import DEVICE, DONE, USAGE

FAULT, STOPPED = 1, 130
DEBUG = "COMPANION_DEBUG"
"""Set in the environment, it shows where a fault of the program is."""


def of(words: Sequence[str], command: Callable[[], Any]) -> int:
    """Run a command and give its status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a dagger still gets the rest
    stdout = sys.stdout
    try:
        status = command()
        sys.stdout.flush()
        return int(status or DONE)
    except click.exceptions.NoArgsIsHelpError as help_:
        click.echo(help_.format_message(), err=True)
        return USAGE
    except click.ClickException as error:
        return _said(_sentence(error.format_message()), USAGE, words)
    except (click.Abort, KeyboardInterrupt):
        return STOPPED
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except SystemExit:
        if sys.stdout is not stdout:  # click has seen it first, and hushed the stream
            return DONE
        raise
    except Exception as error:
        status = status_of(error)
        if status is not None:
            return _said(str(error), status, words)
        if os.environ.get(DEBUG):
            raise
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return _said(f"A fault of Companion itself ({what}); set {DEBUG}=1 to see where.", FAULT, words)


def status_of(error: Exception) -> int | None:
    """The status of an error that has a sentence for the player; None for a fault of the program."""
    roots = {kind.__name__ for kind in type(error).__mro__}
    if "Refused" in roots:
        return int(getattr(error, "status", USAGE))
    if "DriverError" in roots:  # drivers and printouts know nothing of companion: their roots have names alone
        return DEVICE
    return USAGE if "PrintError" in roots else statuses.status_of(error)


def _said(sentence: str, status: int, words: Sequence[str]) -> int:
    """On the error stream always; as JSON too where the command was to write JSON."""
    click.echo(sentence, err=True)
    if any(word == "--out" or word.startswith("--out=") for word in words):
        import msgspec

        click.echo(msgspec.json.encode({"error": sentence, "status": status}).decode())
    return status


def _sentence(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if one_line.endswith((".", "?")) else one_line + "."
