"""Over the Reich: a book with charts and throws, no game to play yet."""

from typing import Any

TITLE = "Over the Reich"


def __getattr__(name: str) -> Any:
    """`BOOK`, loaded when it is first asked for."""
    if name != "BOOK":
        raise AttributeError(name)
    from companion.rules.otr.book import BOOK

    return BOOK
