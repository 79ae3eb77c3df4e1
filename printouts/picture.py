"""A document as PNG picture: the very page that the PDF prints."""

from __future__ import annotations

import io

from printouts import PrintError, pdf
from printouts.document import Document

LARGEST = 12_000  # pixels along a side


class NoSuchPage(PrintError, IndexError):
    """Which page a document does not have."""


def png(doc: Document, paper: str = "", *, dpi: int = 150, page: int = 1, banner: str = "") -> bytes:
    """One page of the document (from 1) as PNG."""
    return from_pdf(pdf.render(doc, paper, banner=banner), dpi=dpi, page=page)


def from_pdf(data: bytes, *, dpi: int = 150, page: int = 1) -> bytes:
    """One page of a PDF (from 1) as PNG in grey or colour; very long slips come out coarser."""
    import pypdfium2

    with pypdfium2.PdfDocument(data) as book:
        if not 1 <= page <= len(book):
            raise NoSuchPage(f"There is no page {page}: the document has {len(book)}.")
        sheet = book[page - 1]
        scale = min(dpi / 72, LARGEST / max(sheet.get_size()))
        image = sheet.render(scale=scale).to_pil()
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
