"""What the whole suite shares: which rules, examples and field reports the tests prove, and which tests go together."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
MARKS = ("rule", "example", "field")
SHARED, GROUP = {"browser", "emupos"}, "wires"
"""What takes seconds to start: one process runs all tests that need it, room by room."""

REAL = {"drivers", "e2e", "emupos", "field", "phones_ci", "soak_ci", "spool", "web", "wiring"}
"""Rooms whose tests wait for real processes, lines and clocks: one that fails is run once more, and the run says so."""

Marks = dict[str, dict[str, list[str]]]

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""Every test that was found, whether it is run or not."""


# how long an example takes says nothing on a machine that does other things too
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--marks", metavar="FILE", help="write the marks of every collected test to FILE")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)  # before `-m` and `-k` take any away
    for item in items:
        if SHARED.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(GROUP))
        if REAL.intersection(item.path.relative_to(HERE).parts[:-1]):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish(session: pytest.Session) -> None:
    if file := session.config.getoption("--marks"):
        Path(file).write_text(json.dumps(_marks(session.config.stash[COLLECTED])))


@pytest.fixture(scope="session")
def marks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Marks:
    """The marks of the whole suite, whichever part of it is being run now."""
    if _whole(request.config):
        return _marks(request.config.stash[COLLECTED])
    file = tmp_path_factory.mktemp("marks") / "marks.json"
    collect = ["--collect-only", "-q", "--continue-on-collection-errors", "-p", "no:cacheprovider"]
    run = [sys.executable, "-m", "pytest", *collect, f"--marks={file}", "tests"]
    done = subprocess.run(run, cwd=HERE.parent, capture_output=True, text=True, timeout=300)
    assert file.exists(), done.stdout + done.stderr
    found: Marks = json.loads(file.read_text())
    return found


def _whole(config: pytest.Config) -> bool:
    """Whether every test was found, however few of them are run."""
    named = any("::" in str(arg) for arg in config.args)
    return not named and {item.path for item in config.stash[COLLECTED]} >= set(HERE.rglob("test_*.py"))


def _marks(items: Iterable[pytest.Item]) -> Marks:
    """By test; under `--dist loadgroup` a test's name ends in its group, which is no part of it."""
    return {item.nodeid.removesuffix(f"@{GROUP}"): {name: _names(item, name) for name in MARKS} for item in items}


def _names(item: pytest.Item, mark: str) -> list[str]:
    return [str(arg) for each in item.iter_markers(mark) for arg in each.args]
