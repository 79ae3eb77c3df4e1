"""A document as a fragment of HTML: plain semantic markup, all text escaped, drawings inline as SVG."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from html import escape

from printouts import boxes, qr, svg
from printouts.document import (
    QR,
    Big,
    Block,
    Card,
    Chit,
    Columns,
    Cut,
    Document,
    Drawing,
    Grid,
    Heading,
    Keep,
    Line,
    Pair,
    Panel,
    Picture,
    Rule,
    Run,
    Sheet,
    Space,
    Sum,
    Table,
    Text,
    Track,
    Words,
    runs,
)
from printouts.marks import banners, feet, label_of
from printouts.words import clean

PAGE_MM = 186.0  # the width at which tracks wrap

_STYLE = """
body { font: 16px/1.35 system-ui, sans-serif; margin: 1rem; color: #000; background: #fff }
.printout { max-width: 48rem; margin: auto } .printout.slip { max-width: 24rem }
.pair { display: flex; justify-content: space-between; gap: 1rem; margin: 0 }
.printout p { margin: .15rem 0 } .big { font-size: 2.5rem; font-weight: 700; text-align: center }
.printout table { border-collapse: collapse; font-variant-numeric: tabular-nums }
.sum { width: 100% } .sum th { text-align: left; font-weight: 400; padding-left: 1rem }
.sum td { text-align: right } .sum .rule { width: 4rem } .wide { overflow-x: auto }
.sum .title > *, .sum .total > *, .sum .result > * { font-weight: 700 }
.sum .title th, .sum .result th { padding-left: 0 }
.table td, .table th { border: 1px solid; padding: .1rem .4rem } .marked { background: #ddd; font-weight: 700 }
.right { text-align: right } .centre { text-align: center } .inverse { background: #000; color: #fff }
.large { font-size: 2em } .banner { text-align: center; font-weight: 700; background: #000; color: #fff }
.columns { display: flex; flex-wrap: wrap; gap: 1rem } .columns > * { flex: 1 1 18rem }
.panel { border: 1px solid; padding: .5rem } .panel.heavy { border-width: 3px }
.printout svg, .printout img { max-width: 100%; height: auto } .printout figure { margin: .3rem 0 }
@page { margin: 12mm }
"""


def render(doc: Document, *, banner: str = "") -> str:
    """The document as one `article`; it needs no style sheet to be read and loads nothing from anywhere."""
    head = "".join(f'<p class="banner">{_e(word)}</p>' for word in banners(doc, banner))
    lines = "".join(f"<p>{_e(line)}</p>" for line in feet(doc))
    foot = f"<footer>{lines}</footer>" if lines else ""
    body = _blocks(doc.blocks)
    return f'<article class="printout {doc.paper}" aria-label="{_e(doc.title)}">{head}{body}{foot}</article>'


def page(doc: Document, *, banner: str = "") -> str:
    """The document as a whole page that stands alone."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_e(doc.title)}</title><style>{_STYLE}</style></head>"
        f"<body><main>{render(doc, banner=banner)}</main></body></html>\n"
    )


def _e(text: str) -> str:
    return escape(clean(text))


def _blocks(blocks: Iterable[Block]) -> str:
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Heading():
            return _heading(block)
        case Text(words, align, small):
            inner = f"<small>{_words(words)}</small>" if small else _words(words)
            return f"<p{_class(align)}>{inner}</p>"
        case Big(text, note):
            return f'<p class="big">{_e(text)}</p>' + (f'<p class="centre">{_e(note)}</p>' if note else "")
        case Rule():
            return "<hr>"
        case Space(mm):
            return f'<div style="height:{mm:g}mm"></div>'
        case Cut():
            return '<hr style="break-after:page">'
        case Pair(left, right, bold):
            words = f"<strong>{_words(left)}</strong>" if bold else _words(left)
            return f'<p class="pair"><span>{words}</span> <span>{_e(right)}</span></p>'
        case Sum():
            return _sum(block)
        case Table():
            return _table(block)
        case QR():
            return _qr(block)
        case Picture():
            return _picture(block)
        case Columns(columns):
            return f'<div class="columns">{"".join(f"<div>{_blocks(each)}</div>" for each in columns)}</div>'
        case Panel(blocks, title, heavy):
            head = f"<h2>{_e(title)}</h2>" if title else ""
            return f'<section class="panel{" heavy" * heavy}">{head}{_blocks(blocks)}</section>'
        case Keep(blocks):
            return _blocks(blocks)
        case Chit() | Sheet():
            return "".join(map(_piece, (block,) if isinstance(block, Chit) else block.pieces))
        case Drawing() | Grid() | Track():
            return _figure(block)


def _heading(it: Heading) -> str:
    tag = f"h{min(max(it.level, 1), 6)}"
    if not it.right:
        return f"<{tag}>{_e(it.text)}</{tag}>"
    return f'<{tag} class="pair"><span>{_e(it.text)}</span> <span>{_e(it.right)}</span></{tag}>'


def _picture(it: Picture) -> str:
    kind = "png" if it.data.startswith(b"\x89PNG") else "jpeg"
    source = f"data:image/{kind};base64,{b64encode(it.data).decode()}"
    return f'<img alt="{_e(it.alt)}" style="width:{it.width_mm:g}mm" src="{source}">'


def _class(name: str) -> str:
    return "" if name == "left" else f' class="{name}"'


def _words(words: Words) -> str:
    return "".join(map(_run, runs(words)))


def _run(run: Run) -> str:
    text = _e(run.text)
    classes = " ".join(name for name in ("large", "inverse") if getattr(run, name))
    text = f'<span class="{classes}">{text}</span>' if classes else text
    return (f"<strong>{text}</strong>" if run.bold else text) + ("<br>" if run.ends_line else "")


def _sum(it: Sum) -> str:
    title = ""
    if it.title or it.rule:
        title = f'<tr class="title"><th colspan="2">{_e(it.title)}</th><td class="rule">{_e(it.rule)}</td></tr>'
    return f'<table class="sum"><tbody>{title}{"".join(map(_sum_line, it.lines))}</tbody></table>'


def _sum_line(it: Line) -> str:
    cells = f'<td class="value">{_e(it.value)}</td><td class="rule">{_e(it.rule)}</td>'
    return f'<tr class="{it.role}"><th scope="row">{_e(label_of(it))}</th>{cells}</tr>'


def _table(it: Table) -> str:
    caption = f"<caption>{_e(it.caption)}</caption>" if it.caption else ""
    titles = "".join(f'<th scope="col"{_class(c.align)}>{_e(c.title)}</th>' for c in it.columns)
    head = f"<thead><tr>{titles}</tr></thead>" if any(column.title for column in it.columns) else ""
    rows = "".join(_row(it, number, row) for number, row in enumerate(it.rows))
    return f'<div class="wide"><table class="table">{caption}{head}<tbody>{rows}</tbody></table></div>'


def _row(it: Table, number: int, row: tuple[Words, ...]) -> str:
    cells = "".join(
        f"<td{_class(column.align)}>{_words(words)}</td>" for column, words in zip(it.columns, row, strict=False)
    )
    return f'<tr class="marked" aria-current="true">{cells}</tr>' if number in it.marked else f"<tr>{cells}</tr>"


def _figure(it: Drawing | Grid | Track) -> str:
    match it:
        case Grid():
            drawings = boxes.grid(it)
        case Track():
            drawings = boxes.track(it, PAGE_MM)
        case Drawing():
            drawings = [it]
    return f'<figure class="drawing">{"".join(map(svg.render, drawings))}</figure>'


def _qr(it: QR) -> str:
    words = _e(it.caption or qr.address(it.link))
    if it.link.startswith(("http://", "https://")):
        words = f'<a href="{_e(it.link)}">{words}</a>'
    try:
        return f'<figure class="qr">{qr.svg(it.link, it.size_mm)}<figcaption>{words}</figcaption></figure>'
    except qr.LinkTooLong:
        return f'<p class="qr">Link too long for a code; type: {words}</p>'


def _piece(piece: Chit | Card) -> str:
    if isinstance(piece, Chit):
        faces = [face for face in (piece.front, piece.back) if face]
        return "".join(_figure(boxes.chit(face, piece)) for face in faces)
    return "".join(
        f'<section class="panel card">{_blocks(side)}</section>' for side in (piece.front, piece.back) if side
    )
