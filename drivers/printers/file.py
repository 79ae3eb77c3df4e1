"""A folder as a printer: one file a job, on the disk before it counts as printed."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

from drivers.printers import PrinterOff, Progress, Status, StorageFull


class FilePrinter:
    """Writes `0001.bin`, `0002.bin` and so on into `folder`, never over one that is there."""

    bytes_per_second = 100_000

    def __init__(self, folder: str | Path, *, name: str = "") -> None:
        self.folder = Path(folder)
        self.name = name or f"folder {self.folder}"

    def open(self) -> None:
        self._guard(lambda: self.folder.mkdir(parents=True, exist_ok=True))

    def close(self) -> None:
        pass

    def cancel(self) -> None:
        pass

    def status(self, deadline_s: float) -> Status:
        return Status(True, "ok", False, "ready")

    def write(self, data: bytes, deadline_s: float, progress: Progress | None = None) -> None:
        self._guard(lambda: self._save(data))
        if progress:
            progress(len(data))

    def _save(self, data: bytes) -> None:
        draft = self.folder / f".draft-{os.getpid()}-{time.monotonic_ns()}"
        try:
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self._publish(draft)
        finally:
            draft.unlink(missing_ok=True)

    def _publish(self, draft: Path) -> None:
        """Give the draft the next number, and see the folder itself onto the disk."""
        numbers = (int(path.stem) for path in self.folder.glob("*.bin") if path.stem.isdecimal())
        draft.rename(self.folder / f"{1 + max(numbers, default=0):04}.bin")
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _guard(self, action: Callable[[], None]) -> None:
        try:
            action()
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
                raise StorageFull(f"{self.name}: storage full or read-only; make room and retry.") from error
            raise PrinterOff(f"{self.name}: cannot write there ({error.strerror}); check the folder.") from error
