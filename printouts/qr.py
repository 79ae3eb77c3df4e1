"""QR codes: the one place that knows the library."""

from __future__ import annotations

from functools import lru_cache

from printouts import PrintError

QUIET = 4  # modules of white on every side, as the standard asks
Matrix = tuple[tuple[bool, ...], ...]


class LinkTooLong(PrintError, ValueError):
    """Why a link has no QR code."""


@lru_cache(maxsize=64)
def matrix(link: str) -> Matrix:
    """The modules of a QR code without its quiet zone, error correction M."""
    import qrcode

    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=0)
    try:
        code.add_data(link.encode("utf-8", "replace"))
        code.make(fit=True)
    except (ValueError, qrcode.exceptions.DataOverflowError):
        raise LinkTooLong(
            f"The link of {len(link)} characters is too long for a QR code: use a shorter address."
        ) from None
    return tuple(tuple(map(bool, row)) for row in code.modules)


def size(link: str) -> int:
    """Modules along one side, with the quiet zone."""
    return len(matrix(link)) + 2 * QUIET


def bars(link: str) -> list[tuple[int, int, int]]:
    """Dark runs as (x, y, length) in modules, the quiet zone included: few shapes make a whole code."""
    found = []
    for y, row in enumerate(matrix(link)):
        x = 0
        while x < len(row):
            if not row[x]:
                x += 1
                continue
            end = x
            while end < len(row) and row[end]:
                end += 1
            found.append((x + QUIET, y + QUIET, end - x))
            x = end
    return found


def svg(link: str, size_mm: float = 24.0) -> str:
    """The code as inline SVG with a white ground, so that it scans on a dark page too."""
    side, length = size(link), f"{size_mm:g}mm"
    return (
        f'<svg width="{length}" height="{length}" viewBox="0 0 {side} {side}" role="img" aria-label="QR code" '
        f'shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/>'
        f'<path d="{outline(link)}"/></svg>'
    )


def outline(link: str) -> str:
    """The dark modules as SVG path data, one unit a module."""
    return "".join(f"M{x} {y}h{length}v1h-{length}z" for x, y, length in bars(link))


def address(link: str) -> str:
    """The link as people type it."""
    return link.removeprefix("http://").removeprefix("https://")
