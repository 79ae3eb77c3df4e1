"""The thread of a source: begun, ended and never left behind."""

import contextlib
import logging
import os
import select
import threading
from abc import ABC, abstractmethod

from drivers.dice import Event, Sink, State, Status

_log = logging.getLogger(__name__)
STOP_WITHIN_S = 1.8


class Worker(ABC):
    """A source with one thread, which alone calls the sink. A sink that fails never ends the thread.

    Other threads leave what they have for it and ring the bell, which is a descriptor, so that the thread
    can wait for bell and device at once.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._sink: Sink | None = None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._bell = -1
        self._bell_lock = threading.Lock()  # so that nobody rings a number that has been given to another file
        self._status = Status("off", f"{name} is not started.")

    @property
    def name(self) -> str:
        return self._name

    def status(self) -> Status:
        return self._status

    def start(self, sink: Sink) -> None:
        if self._thread:
            return
        self._sink = sink
        self._stopping.clear()
        self._bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread = threading.Thread(target=self._guarded, name=f"dice {self._name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        thread, self._thread = self._thread, None
        if not thread:
            return
        self._stopping.set()
        self._ring()
        if thread is not threading.current_thread():
            thread.join(STOP_WITHIN_S)
        self._set_status("off", f"{self._name} is switched off.")

    @abstractmethod
    def _run(self) -> None:
        """Work until `_stopping` is set."""

    def _ring(self) -> None:
        with self._bell_lock:
            if self._bell >= 0:
                os.eventfd_write(self._bell, 1)

    def _quiet_bell(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._bell)

    def _wait(self, seconds: float | None) -> None:
        """Until the bell rings or the time is over."""
        ears = select.poll()
        ears.register(self._bell, select.POLLIN)
        ears.poll(None if seconds is None else max(0.0, seconds) * 1000)
        self._quiet_bell()

    def _set_status(self, state: State, text: str) -> None:
        self._status = Status(state, text)

    def _emit(self, event: Event) -> None:
        if self._sink is None:
            return
        try:
            self._sink(event)
        except Exception:
            _log.exception("What %s reported could not be taken", self._name)

    def _guarded(self) -> None:
        try:
            self._run()
        except Exception as fault:
            _log.exception("%s stopped", self._name)
            self._set_status("off", f"{self._name} stopped by a fault of its own ({fault}); restart the program.")
        finally:
            with self._bell_lock:
                os.close(self._bell)
                self._bell = -1
