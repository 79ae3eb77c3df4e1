"""What is wrong with a pack, every fault at once, each one plain sentence."""

from collections.abc import Sequence

from companion.umpire.errors import UsageError


class PackError(UsageError):
    """A pack that cannot be used; `faults` holds every sentence."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))
