"""Reads the docs as a reader would: their commands, code, links and pictures."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "companion" / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((ROOT / "systemd").glob("*.md")))

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^    (?=\S)(.+)$", re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


class Block(msgspec.Struct, frozen=True):
    """A fenced block; `name` is what its first line calls it: `# duel/charts.toml`."""

    language: str
    text: str

    @property
    def name(self) -> str:
        first = self.text.splitlines()[0] if self.text else ""
        return first[2:].strip() if first.startswith("# ") else ""


def blocks(page: Path, language: str) -> list[Block]:
    found = (Block(m[1], m[2]) for m in _FENCE.finditer(page.read_text("utf-8")))
    return [block for block in found if block.language == language]


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def section(page: Path, heading: str) -> str:
    """What stands under a heading, up to the next one."""
    return prose(page).split(f"\n## {heading}\n")[1].split("\n## ")[0]


def spans(page: Path) -> list[str]:
    """What stands between back-quotes in running text."""
    return _SPAN.findall(prose(page))


def indented(page: Path) -> list[str]:
    """The lines that stand for themselves: commands to type, lines on a wire."""
    return [line.rstrip() for line in _INDENTED.findall(prose(page))]


def commands(page: Path) -> Iterator[list[str]]:
    """The words of each `companion ...` line, in an indented line or between back-quotes."""
    for text in [*indented(page), *spans(page)]:
        words = shlex.split(text, comments=True) if "companion" in text else []
        if words[:2] == ["sudo", "-u"]:
            words = words[3:]
        if len(words) > 1 and (words[0] == "companion" or words[0].endswith("/bin/companion")):
            yield words[1:]


def links(page: Path) -> list[str]:
    """Links and pictures that lead to a file of the repository."""
    return [link for link in _LINK.findall(prose(page)) if "://" not in link and not link.startswith("#")]
