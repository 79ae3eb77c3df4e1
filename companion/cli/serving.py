"""`companion serve`."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from companion.cli.version import version
from companion.config import ConfigError, data_folder, load
from companion.daemon import PortTaken, serve
from companion.game.errors import CompanionError


def run(config_file: Path | None, data: str | None, port: int | None, demo: bool, faults: str) -> int:
    """Exit status: 0 after a stop, 2 for a wrong setting, 5 where a port or folder cannot be had."""
    try:
        config = load(config_file)
        if port:
            config = msgspec.structs.replace(config, port=port)
        serve(config, data_folder(config, data), version=version(), demo=demo, faults=faults)
    except (ConfigError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    except (CompanionError, PortTaken) as error:
        print(error, file=sys.stderr)
        return 5
    return 0
