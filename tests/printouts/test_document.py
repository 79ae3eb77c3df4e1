import subprocess
import sys

import pytest

from printouts.document import (
    Card,
    Columns,
    Document,
    Keep,
    Panel,
    Run,
    Sheet,
    Text,
    note,
    plain,
    rectangle,
    runs,
    walk,
)
from tests.printouts.samples import panel


def test_a_document_is_a_value():
    assert panel(3) == panel(3)
    assert hash(panel(3)) == hash(panel(3))
    with pytest.raises(AttributeError):
        panel().title = "other"


def test_words_are_runs_or_strings_or_both():
    assert runs(("a", Run("b", bold=True))) == (Run("a"), Run("b", bold=True))
    assert plain(("a", Run("b", bold=True))) == "ab"
    assert [run.ends_line for run in note("a\nb")] == [True, True]


def test_walking_finds_blocks_however_deep():
    a, b, c, d = (Text(letter) for letter in "abcd")
    blocks = (Columns(((Panel((a,)),), (Keep((b,)),))), Sheet((Card((c,), (d,)),)))
    assert [block for block in walk(blocks) if isinstance(block, Text)] == [a, b, c, d]


def test_a_rectangle_is_closed_and_of_true_size():
    assert rectangle(1, 2, 3, 4).points == ((1, 2), (4, 2), (4, 6), (1, 6))


def test_nothing_heavy_is_imported_before_something_is_rendered():
    modules = "document text thermal pdf html picture qr figures calibration profiles"
    program = (
        f"import sys, importlib; [importlib.import_module('printouts.' + m) for m in {modules.split()!r}];"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'reportlab', 'PIL', 'qrcode', 'escpos', 'companion'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"


def test_documents_have_a_paper_of_their_own():
    from printouts import pdf
    from tests.printouts.reading import PT, sizes

    papers = {paper: sizes(pdf.render(Document("t", (Text("x"),), paper)))[0][0] for paper in ("slip", "page", "a5")}
    assert {paper: round(width / PT) for paper, width in papers.items()} == {"slip": 80, "page": 210, "a5": 148}
