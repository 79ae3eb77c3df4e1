"""The command line. Errors are one plain sentence; the exit status says what kind."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from companion.cli.version import version

_COMMANDS = {
    "serve": "serving:serve",
    "games": "games:games",
    "procedures": "games:procedures",
    "describe": "cases:describe",
    "resolve": "cases:resolve",
    "odds": "cases:odds",
    "chart": "charts:chart",
    "print": "printing:print_",
    "table": "tables:table",
    "packs": "packs:packs",
    "club": "club:club",
    "dice": "dice:dice",
    "config": "settings:config",
    "doctor": "doctor:doctor",
    "backup": "backup:backup",
    "restore": "backup:restore",
}
"""Where each command stands: a module of this room is imported when its command runs."""


class Commands(click.Group):
    """Commands return their exit status; what goes wrong becomes one sentence and a status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        from importlib import import_module

        module, attribute = _COMMANDS[name].split(":")
        command: click.Command = getattr(import_module(f"companion.cli.{module}"), attribute)
        return command

    def main(self, args: Sequence[str] | None = None, prog_name: str | None = None, *_: Any, **extra: Any) -> NoReturn:
        from companion.cli import ending

        words = sys.argv[1:] if args is None else list(args)
        extra["standalone_mode"] = False
        sys.exit(ending.of(words, lambda: super(Commands, self).main(words, prog_name, **extra)))


@click.group(
    "companion", cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    help="Show the version.",
    callback=lambda *a: _say_version(*a),
)
def main() -> None:
    """Dice in, rules run, slips out: the Raspberry Pi beside an air-combat game."""


def _say_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Looked up only where it is asked for: that costs more than most commands."""
    if wanted and not ctx.resilient_parsing:
        click.echo(f"companion {version()}")
        ctx.exit()
