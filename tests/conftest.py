"""What the whole suite shares: on request, a list of which rules and examples the collected tests prove."""

import json
from pathlib import Path

import pytest

MARKS = ("rule", "example", "field")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--marks", metavar="FILE", help="write the marks of every collected test to FILE")


def pytest_collection_finish(session: pytest.Session) -> None:
    if file := session.config.getoption("--marks"):
        Path(file).write_text(json.dumps({item.nodeid: _marks(item) for item in session.items}))


def _marks(item: pytest.Item) -> dict[str, list[str]]:
    return {name: [str(arg) for mark in item.iter_markers(name) for arg in mark.args] for name in MARKS}
