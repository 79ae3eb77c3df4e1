"""Plain text made safe and measured: no control byte, widths in cells, and one fall-back table for signs."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from printouts.document import Align, Run

SHOWN_AS = "·"
_SILENT = {"\xad", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", *map(chr, range(0xFE00, 0xFE10))}

# The one declared table of what is written where a printer or font lacks a sign.
FALLBACKS: dict[str, str] = {
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‘’‚‛‹›′`´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("\xa0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000", " "),
    "…": "...", "€": "EUR", "£": "GBP", "¥": "JPY", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "ø": "o", "Ø": "O", "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th", "ð": "d", "ı": "i",
    "⚀": "[1]", "⚁": "[2]", "⚂": "[3]", "⚃": "[4]", "⚄": "[5]", "⚅": "[6]", "🎲": "[die]",
    "←": "<-", "→": "->", "↑": "^", "↓": "v", "↔": "<->", "↕": "^v", "↖": "\\", "↗": "/", "↘": "\\", "↙": "/",
    "⇐": "<=", "⇒": "=>", "↺": "(L)", "↻": "(R)", "⟲": "(L)", "⟳": "(R)",
    "†": "*", "‡": "**", "•": ".", "◦": "o", "·": ".", "×": "x", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=",
    "≈": "~", "±": "+/-", "½": "1/2", "¼": "1/4", "¾": "3/4", "°": " deg", "№": "No", "™": "(TM)", "©": "(c)",
    "®": "(R)", "§": "sec.", "♠": "[S]", "♣": "[C]", "♥": "[H]", "♦": "[D]", "✓": "[x]", "✔": "[x]",
    "☑": "[x]", "☐": "[ ]", "✗": "x", "✘": "x", "★": "*", "☆": "*", "■": "#",
    "□": "[ ]", "▲": "^", "▼": "v", "●": "*", "○": "o",
}  # fmt: skip

CanPrint: TypeAlias = Callable[[str], bool]


def clean(text: str) -> str:
    """The text without control characters: each shows as "·", so none can steer a printer or start a line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char) for char in unicodedata.normalize("NFC", text) if char not in _SILENT)


def _shown(char: str) -> str:
    return SHOWN_AS if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char


def substitute(char: str) -> str | None:
    """What stands for a sign that cannot be printed, or None for a letter of another script."""
    if char in FALLBACKS:
        return FALLBACKS[char]
    bare = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
    if bare.isascii() and bare:
        return bare
    if unicodedata.category(char)[0] in "LNM":
        return None
    name = unicodedata.name(char, "")
    return f"[{name.lower()}]" if name else "[?]"


def fit(text: str, can_print: CanPrint, replaced: dict[str, str]) -> str:
    """Clean text with unprintable signs replaced and listed in `replaced`; foreign letters stay."""
    if text.isascii() and text.isprintable():
        return text
    out = []
    for char in clean(text):
        written = char if " " <= char <= "~" or can_print(char) else substitute(char)
        if written is not None and written != char:
            replaced[char] = written
        out.append(char if written is None else written)
    return "".join(out)


@lru_cache(maxsize=4096)
def cell(char: str) -> int:
    """Cells of one character: 2 for wide ones, 0 for combining ones."""
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cells(text: str) -> int:
    """Width of a text in character cells of a slip."""
    return len(text) if text.isascii() else sum(map(cell, text))


Measure: TypeAlias = Callable[[Run], float]


def in_cells(large: int = 2) -> Measure:
    """Measures styled words in cells, a large one counting `large` times."""
    return lambda run: cells(run.text) * (large if run.large else 1)


def width_of(spans: Iterable[Run], large: int = 2) -> int:
    """Width of styled words in cells."""
    return sum(cells(span.text) * (large if span.large else 1) for span in spans)


_BEFORE: dict[Align, float] = {"left": 0.0, "centre": 0.5, "right": 1.0}


def before(align: Align, room: float) -> float:
    """How much of the room that is left over stands before aligned words, in the unit of the room."""
    return room * _BEFORE[align]


def pad(text: str, width: int, align: Align = "left") -> str:
    """The text filled with spaces to a width in cells."""
    room = max(0, width - cells(text))
    first = int(before(align, room))
    return " " * first + text + " " * (room - first)


def wrap(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` cells; a word longer than a line is broken."""
    return ["".join(run.text for run in line) for line in wrap_runs((Run(text),), width, in_cells())]


def wrap_runs(parts: Iterable[Run], width: float, measure: Measure) -> list[list[Run]]:
    """Styled words in lines no wider than `width` by that measure. There is always at least one line."""
    parts = tuple(parts)
    if len(parts) == 1 and _simple(parts[0]) and measure(parts[0]) <= width:
        only = parts[0]
        return [[only if only.text[-1] != " " else replace(only, text=only.text.rstrip(" "))]]
    lines: list[list[Run]] = [[]]
    room = width
    for atom in _atoms(parts):
        size = measure(atom)
        if size > room and lines[-1] and atom.text != " ":
            lines.append([])
            room = width
        if atom.text == " " and (size > room or not lines[-1]):
            size = 0
        else:
            for piece in _broken(atom, width, measure) if size > width else (atom,):
                size = measure(piece)
                if size > room and lines[-1]:
                    lines.append([])
                    room = width
                _append(lines[-1], piece)
                room -= size
        if atom.ends_line:
            lines.append([])
            room = width
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    for line in lines:
        _strip(line)
    return lines


def _simple(part: Run) -> bool:
    """Nearly every line of a slip: plain letters in one style, which need not be taken apart where they fit."""
    return part.text.isascii() and part.text.strip(" ") != "" and part.text[0] != " " and not part.ends_line


def _atoms(parts: Iterable[Run]) -> Iterator[Run]:
    """Words and single spaces, each in its style; wide characters may break anywhere."""
    for part in parts:
        atoms = list(_words(part.text)) or [""]
        for atom in atoms[:-1]:
            yield replace(part, text=atom, ends_line=False)
        yield replace(part, text=atoms[-1])


def _words(text: str) -> Iterator[str]:
    word = ""
    for char in text:
        if char == " " or cell(char) == 2:
            if word:
                yield word
            word = ""
            yield char
        else:
            word += char
    if word:
        yield word


def _broken(atom: Run, width: float, measure: Measure) -> Iterator[Run]:
    """The pieces of a word that is wider than a whole line."""
    piece, used = "", 0.0
    for char in atom.text:
        size = measure(replace(atom, text=char))
        if piece and used + size > width:
            yield replace(atom, text=piece)
            piece, used = "", 0.0
        piece += char
        used += size
    yield replace(atom, text=piece)


def _append(line: list[Run], atom: Run) -> None:
    atom = replace(atom, ends_line=False)
    if line and replace(line[-1], text="") == replace(atom, text=""):
        line[-1] = replace(atom, text=line[-1].text + atom.text)
    elif atom.text:
        line.append(atom)


def _strip(line: list[Run]) -> None:
    while line and line[-1].text.rstrip(" ") != line[-1].text:
        line[-1] = replace(line[-1], text=line[-1].text.rstrip(" "))
        if not line[-1].text:
            line.pop()
