"""Languages: every word of the pages stands in one file, and a first game has a sentence for whatever is asked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import companion.web
from companion.game import registry
from companion.umpire.asks import Kind
from companion.web import words
from companion.web.screens import SETTINGS, explain

ROOM = Path(companion.web.__file__).parent
TEMPLATES = sorted((ROOM / "templates").glob("*.html"))
MODULES = [p for p in sorted(ROOM.glob("*.py")) if p.name not in ("words.py", "openapi.py")]
"""The description of the API is for programs, not for players."""

SENTENCE = re.compile(r"[A-Za-z]{2,} [a-zA-Z]{2,} [a-zA-Z]{2,}")
MACHINE_TALK = {"frame-ancestors", "default-src", "ran out of something"}
"""What only browsers and logs read."""


def spoken(template: str) -> str:
    """What a reader sees or hears of a template that does not come from the file of words."""
    text = re.sub(r"\{#.*?#\}|<(script|style)\b.*?</\1>", "", template, flags=re.DOTALL)
    bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", text, flags=re.DOTALL)
    heard = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', bare)
    return re.sub(r"&\w+;", " ", " ".join([re.sub(r"<[^>]*>", " ", bare), *heard]))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda p: p.name)
def test_a_template_holds_no_word_of_its_own(template: Path) -> None:
    assert re.findall(r"[A-Za-z]{2,}", spoken(template.read_text())) == []


def test_a_word_in_a_template_would_be_found() -> None:
    assert "Fire now" in spoken("<p class='x'>{{ w.fire }} Fire now</p>")
    assert "Close it" in spoken('<button aria-label="Close it">{% if x %}✕{% endif %}</button>')


def strings(source: str) -> Iterator[str]:
    """Every text of a module but for its docstrings."""
    tree = ast.parse(source)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.name)
def test_a_page_holds_no_sentence_of_its_own(module: Path) -> None:
    found = [text for text in strings(module.read_text()) if SENTENCE.search(text)]
    assert [text for text in found if not any(part in text for part in MACHINE_TALK)] == []


@pytest.mark.parametrize("script", sorted((ROOM / "static").glob("*.js")), ids=lambda p: p.name)
def test_a_script_holds_no_sentence_of_its_own(script: Path) -> None:
    code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text())
    assert [text for text in re.findall(r'"([^"\n]*)"', code) if SENTENCE.search(text)] == []


def test_every_word_is_there_and_every_word_is_used() -> None:
    sources = [p.read_text() for p in (*TEMPLATES, *ROOM.glob("*.py"))]
    text = "\n".join(source for source in sources if not source.startswith('"""Every word'))
    named = set(re.findall(r"\bw\.([a-z_0-9]+)\b(?!\()", "\n".join(p.read_text() for p in TEMPLATES)))
    assert named - set(words.WORDS) - {"get", "format"} == set()
    made = {f"set_{key}" for key in SETTINGS} | {f"set_{key}_{v}" for key, values in SETTINGS.items() for v in values}
    assert made <= set(words.WORDS)
    loose = [key for key in words.WORDS if not re.search(rf"\b{key}\b", text) and key not in made]
    assert [key for key in loose if not _is_made(key, text) and key not in _LOOKED_UP] == []
    assert [key for key in words.SAYS if not re.search(rf"\b{key}\b", text)] == []


def _is_made(key: str, text: str) -> bool:
    """Put together in a template or a page: `w["sheet_" ~ sheet]`."""
    starts = [key[: n + 1] for n, letter in enumerate(key) if letter == "_"]
    return any(f'"{start}' in text or f"'{start}" in text for start in starts)


_LOOKED_UP = {"dark", "light", "sunlight"}


def roles() -> Iterator[tuple[str, str]]:
    for key in registry.keys():  # noqa: SIM118  (a function of the registry)
        for procedure in registry.game(key).procedures.values():
            for role in procedure.asks:
                yield procedure.name, role


def test_a_first_game_explains_whatever_is_asked_in_one_sentence() -> None:
    for name, role in roles():
        for kind in get_args(Kind):
            sentence = explain({"role": role, "kind": kind})
            assert re.fullmatch(r"[A-Z][^\n]{20,140}[.?]", sentence), (name, role, kind, sentence)
