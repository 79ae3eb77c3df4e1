"""Commands run in this process, with what they wrote and their status."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from companion.cli.main import main


def run(*words: str, given: str | bytes = "") -> Result:
    """A command that must end with a status: a fault of the program fails the test."""
    result = CliRunner(env={"COMPANION_DEBUG": "1"}).invoke(main, list(words), input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def out(*words: str, given: str | bytes = "", status: int = 0) -> Any:
    """What a command wrote as JSON; its status must be this one."""
    result = run(*words, given=given)
    assert result.exit_code == status, result.output
    return json.loads(result.stdout)
