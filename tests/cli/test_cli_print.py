"""`print`: every form of file, papers of a game, slips of a table, and printers by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from companion import papers
from companion.game import registry
from companion.game.errors import UsageError
from companion.game.tables import Tables
from tests.cli.rig import run
from tests.cli.test_cli_tables import GAME, play

BEGINS = {"pdf": b"%PDF-", "png": b"\x89PNG", "html": b"<!", "txt": b"", "bin": b"\x1b@"}


@pytest.fixture
def data(tmp_path: Path) -> str:
    tables = Tables(tmp_path / "data")
    play(tables.new(GAME, name="Elm"), 2)
    tables.close()
    return str(tmp_path / "data")


@pytest.mark.parametrize("form", papers.FORMS)
def test_the_name_of_the_file_says_the_form(form: str, data: str, tmp_path: Path) -> None:
    for n, kind in enumerate((("chart", f"game={GAME}", "words=crash"), ("slip", "table=Elm"))):
        file = tmp_path / f"{n}.{form}"
        assert run("print", *kind, "--to", str(file), "--data", data).stderr == ""
        assert file.read_bytes().startswith(BEGINS[form])
        assert len(file.read_bytes()) > 100


@pytest.mark.rule("fastplay:Crash Landings")
def test_a_chart_on_paper_says_what_the_screen_says(tmp_path: Path) -> None:
    run("print", "chart", f"game={GAME}", "words=crash landing", "--to", str(tmp_path / "c.txt"))
    printed = (tmp_path / "c.txt").read_text()
    for words in ("Crash landing", "1-4", "survives", "5-6", "out of action"):
        assert words in printed
        assert words in run("chart", GAME, "crash", "landing").stdout


def test_a_house_chart_says_so_on_paper(tmp_path: Path) -> None:
    run("print", "chart", "game=aod", "words=movement dots", "--to", str(tmp_path / "c.txt"))
    printed = (tmp_path / "c.txt").read_text()
    assert "3†" in printed
    assert "house value" in printed


def test_every_paper_of_every_game_prints(tmp_path: Path) -> None:
    tables = Tables(tmp_path / "data")
    for game in registry.games():
        table = tables.new(game.key)
        for paper in game.papers.values():
            kind = f"{game.key}.{paper.key}"
            try:
                document = papers.document(tables, kind, {"table": table.key})
            except UsageError:
                assert paper.fields, f"{kind} prints without fields, since it takes none"
                continue
            assert papers.rendered(document, "html")[0].startswith(b"<!")
    tables.close()


def test_the_paper_is_the_one_that_was_asked_for(tmp_path: Path) -> None:
    wide = {}
    for paper in ("a4", "a5", "80"):
        file = tmp_path / f"{paper}.pdf"
        assert run("print", "chart", f"game={GAME}", "words=crash", "--paper", paper, "--to", str(file)).exit_code == 0
        with PdfDocument(file) as book:
            wide[paper] = round(book[0].get_width() * 25.4 / 72)
    assert wide == {"a4": 210, "a5": 148, "80": 80}


def test_further_pages_of_a_picture_go_beside_the_first(tmp_path: Path) -> None:
    every = " ".join(["print", "chart", "game=aod", "--to"]).split()
    assert run(*every, str(tmp_path / "all.png")).exit_code == 0
    assert (tmp_path / "all-2.png").read_bytes().startswith(BEGINS["png"])


def test_wrong_kinds_fields_and_places_are_one_sentence(data: str, tmp_path: Path) -> None:
    file = str(tmp_path / "x.pdf")
    for wrong in (
        ("nothing", "--to", file),
        ("chart", "colour=red", "--to", file),
        ("chart", "game=chess", "--to", file),
        ("chart", f"game={GAME}", "words=zzzz", "--to", file),
        ("slip", "table=Yew", "--to", file, "--data", data),
        ("slip", "number=x", "--to", file, "--data", data),
        ("slip", "number=9999", "--to", file, "--data", data),
        ("slip", "--to", "No Such Printer", "--data", data),
        ("chart", f"game={GAME}"),
        ("chart", f"game={GAME}", "words=crash", "--to", str(tmp_path / "no" / "x.txt")),
    ):
        result = run("print", *wrong)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), wrong
    assert not Path(file).exists()


def test_a_printer_is_found_by_its_name(data: str, tmp_path: Path) -> None:
    config = tmp_path / "companion.toml"
    config.write_text(f'[[printers]]\nname = "Ash"\naddress = "file:{tmp_path}/out"\n')
    result = run("print", "slip", "table=Elm", "--to", "Ash", "--data", data, "--config", str(config))
    assert result.exit_code == 0, result.stderr
    assert next((tmp_path / "out").iterdir()).read_bytes().startswith(BEGINS["bin"])


def test_a_printer_that_cannot_print_is_a_device_that_failed(
    data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.wiring.PRINTED_WITHIN", 0.5)
    config = tmp_path / "companion.toml"
    config.write_text('[[printers]]\nname = "Ash"\naddress = "tcp://127.0.0.1:9"\n')
    result = run("print", "slip", "table=Elm", "--to", "Ash", "--data", data, "--config", str(config))
    assert result.exit_code == 5
    assert result.stderr.count("\n") == 1


def test_backs_are_moved_as_the_settings_say_but_those_of_their_test_page(tmp_path: Path) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text("back_offset_mm = [1.5, -0.5]\n")
    pages = {}
    for kind in ("duplex", "aod.chits"):
        for name, more in (("plain", ()), ("moved", ("--config", str(settings)))):
            file = tmp_path / f"{kind}-{name}.pdf"
            done = run("print", kind, "--to", str(file), "--data", str(tmp_path / "none"), *more)
            assert done.exit_code == 0, done.output
            pages[kind, name] = file.read_bytes()
    assert pages["duplex", "plain"] == pages["duplex", "moved"]
    assert pages["aod.chits", "plain"] != pages["aod.chits", "moved"]


def test_without_a_kind_everything_is_listed() -> None:
    listed = [line.split()[0] for line in run("print").stdout.splitlines()]
    assert listed[:5] == ["slip", "chart", "again", "calibration", "duplex"]
    assert set(listed[5:]) == {f"{g.key}.{p}" for g in registry.games() for p in g.papers}
