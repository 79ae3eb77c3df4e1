"""A process with a spool, for tests that kill it: child.py FOLDER PRINTER [TITLE ...]."""

import signal
import sys
from pathlib import Path

from companion.spool import Spool
from drivers.printers import printer_from
from tests.spool.rig import QUICK, slip


def main(folder: str, printer: str, *titles: str) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    spool = Spool(Path(folder) / "companion.db", [printer_from(printer, "till")], slip, pace=QUICK)
    spool.start()
    for title in titles:
        spool.submit("till", "slip", title, b"x" * 200, key=title)
    print("ready", flush=True)
    signal.sigwait({signal.SIGTERM})
    sys.exit(0 if spool.close() else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
