"""What the repository as a whole promises: its shape, its commands, its words and its docstrings."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.cli.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
TOP = {"pyproject.toml", "companion", "drivers", "printouts", "tests", "systemd", "README.md", "LICENSE"}
ONE_SKIP = ["tests/emupos/conftest.py"]

# in brackets, so that this file does not hold the words that it forbids
UNFINISHED = re.compile(r"\b(?:TO[D]O|FIX[M]E|XX[X])\b|(?:raise|except) NotImplemente[d]Error\(\"later")
SKIPPED = re.compile(r"pytest\.(?:mark\.)?(?:ski[p]|xfai[l]|importorski[p])|unittest\.ski[p]")
WORKPLACE = re.compile(
    r"/wor[k]/|shared/(?:design|facts|style)|\b(?:clau[d]e|anthropi[c]|subagen[t]|language mode[l])"
    r"|\b(?:this|another|other|next|earlier|previous|first) sessio[n]\b"
    r"|\b(?:pypi\.or[g]|pythonhoste[d]|npmjs\.co[m]|proxy\.golan[g]|crates\.i[o])",
    re.IGNORECASE,
)


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).exists()]


def lines(*, but: str = "LICENSE") -> Iterator[tuple[str, str]]:
    """Every line of every tracked text, with its file."""
    for name in tracked():
        data = (ROOT / name).read_bytes()
        if name != but and b"\0" not in data:
            yield from ((name, line) for line in data.decode("utf-8").splitlines())


def test_the_top_level_holds_only_what_belongs_there() -> None:
    top = {name.split("/")[0] for name in tracked()}
    assert {name for name in top if not name.startswith(".")} <= TOP
    assert {"pyproject.toml", "README.md", "LICENSE", "companion", "tests", ".ci"} <= top


@pytest.mark.parametrize("program", ["tests/run", ".ci/run", "tests/bench"])
def test_what_is_to_be_run_can_be_run(program: str) -> None:
    assert os.access(ROOT / program, os.X_OK)
    assert (ROOT / program).read_text("utf-8").startswith("#!/usr/bin/env ")


def test_the_readme_says_how_to_try_and_how_to_test() -> None:
    commands = [line.strip() for line in README.splitlines() if line.startswith("    ")]
    assert ".venv/bin/companion serve --demo" in commands
    assert "tests/run" in commands
    assert (ROOT / ".ci/run").read_text("utf-8").rstrip().endswith("tests/run")


def test_every_command_and_file_that_the_readme_names_is_there() -> None:
    named = set(re.findall(r"^    (?:\S*/)?companion ([a-z]+)|`companion ([a-z]+)", README, re.MULTILINE))
    words = {first or second for first, second in named}
    assert words >= {"serve", "chart", "odds"}
    assert words <= set(main.list_commands(click.Context(main)))
    for link in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / link).exists(), link


def test_every_command_says_what_it_does() -> None:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None, name
        assert command.help, name


def test_nothing_is_left_for_later() -> None:
    assert [found for found in lines() if UNFINISHED.search(found[1])] == []


def test_no_test_is_skipped_but_those_of_a_printer_that_is_not_installed() -> None:
    assert [name for name, line in lines() if SKIPPED.search(line)] == ONE_SKIP


def test_the_words_are_about_the_product() -> None:
    assert [found for found in lines() if WORKPLACE.search(found[1])] == []


@pytest.mark.parametrize("room", ["umpire", "game"])
def test_public_names_have_a_docstring(room: str) -> None:
    """Modules, and classes and functions that are too long to speak for themselves."""
    missing = []
    for path in sorted((ROOT / "companion" / room).rglob("*.py")):
        module = ast.parse(path.read_text("utf-8"))
        missing += [] if ast.get_docstring(module) else [path.name]
        missing += [f"{path.name}: {node.name}" for node in _public(module) if not ast.get_docstring(node)]
    assert missing == []


def _public(module: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    for node in module.body:
        named = isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
        if named and (node.end_lineno or 0) - node.lineno > 5:
            yield node
