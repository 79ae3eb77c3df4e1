"""Everything that the docs name is there: commands, settings, pages, links and pictures."""

from __future__ import annotations

import dataclasses
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import pytest
from PIL import Image
from starlette.routing import Route

from companion import config, sources
from companion.cli.main import main
from companion.game import registry
from companion.web.app import create_app
from companion.web.words import WORDS
from companion.wiring import Machine
from drivers.dice.formats import FORMATS, Reading, format_named
from drivers.dice.gpio import Pins
from drivers.printers import printer_from
from drivers.printers.offer import TcpOffer
from drivers.printers.virtual import VirtualPrinter
from tests.docs.reading import DOCS, PAGES, ROOT, blocks, commands, indented, links, prose, section, spans

PICTURES = DOCS / "pictures"
HOST = DOCS / "host.md"
CHART_KEYS = {"natural", "source"}
"""Keys of charts, which developer.md explains."""
NO_BUTTONS = {"The dagger †"}
ALONE = re.compile(r"companion (?:dice|backup|restore) |systemctl (?:stop|start) companion")
"""Steps of host.md that are no part of the set-up."""
LARGEST, LARGEST_TOGETHER = 60_000, 500_000

names = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@names
def test_every_command_can_be_given_as_it_stands(page: Path) -> None:
    for words in commands(page):
        command: click.Command = main
        rest = list(words)
        context = click.Context(main, info_name="companion")
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            found = command.get_command(context, rest[0])
            assert found is not None, f"{page.name}: there is no command {' '.join(words)}"
            command, rest = found, rest[1:]
            context = click.Context(command, context, info_name=command.name)
        known = {option for param in command.params for option in param.opts} | {"--help"}
        options = {word.split("=")[0] for word in rest if re.match(r"--[a-z]", word)}
        assert options <= known, f"{page.name}: {' '.join(words)}"
        if rest and "--help" not in rest and not isinstance(command, click.Group):
            command.make_context(command.name, rest, context.parent)


def test_the_docs_name_enough_commands_to_be_worth_checking() -> None:
    assert {words[0] for page in PAGES for words in commands(page)} >= {
        "serve", "games", "chart", "odds", "resolve", "describe", "print", "table", "packs", "dice", "config", "doctor",
        "backup", "restore",
    }  # fmt: skip


@names
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        assert (page.parent / link.split("#")[0]).exists(), f"{page.name}: {link}"


def test_every_picture_is_shown_and_every_shown_picture_is_there() -> None:
    shown = {(page.parent / link).resolve() for page in PAGES for link in links(page) if link.endswith(".png")}
    assert shown == set(PICTURES.glob("*.png"))


def test_pictures_are_small_and_of_the_sizes_that_are_promised() -> None:
    sizes = {path.name: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert max(sizes.values()) < LARGEST
    assert sum(sizes.values()) < LARGEST_TOGETHER
    screens = {Image.open(path).size for path in PICTURES.glob("*.png") if path.name != "slip.png"}
    assert screens == {(800, 480), (390, 844)}


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Route]]:
    """Everything that the application serves."""
    machine = Machine(config.Config(), tmp_path_factory.mktemp("data"))
    yield [route for route in create_app(machine.parts).routes if isinstance(route, Route)]
    machine.tables.close()


@names
def test_every_page_that_is_named_is_a_page(page: Path, routes: list[Route]) -> None:
    """A path is one of ours when its first part is: `/e/...` is, `/dev/...` is not."""
    ours = {route.path.split("/")[1] for route in routes}
    for span in spans(page):
        named = re.fullmatch(r"(?:(GET|POST) )?(/([a-z]*)[^?]*)(?:\?.*)?", span)
        if named and named[3] in ours:
            method, path = named[1] or "GET", named[2]
            assert any(r.path_regex.match(path) and method in (r.methods or ()) for r in routes), f"{page.name}: {span}"


def test_the_wheel_takes_every_page_and_picture() -> None:
    taken = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["companion.docs"]
    assert {file for pattern in taken for file in DOCS.glob(pattern)} == {f for f in DOCS.rglob("*") if f.is_file()}


def documented() -> dict[str, set[str]]:
    """The keys that host.md lists, by the table that they stand in: `key`, `dice.key`, `printers.key`."""
    rows = re.findall(r"^\| `([a-z_.]+)` \|", section(HOST, "Settings"), re.MULTILINE)
    return {"all": set(rows), "twice": {row for row in rows if rows.count(row) > 1}}


def settings() -> dict[str, object]:
    """Every key with its default."""
    found: dict[str, object] = {}
    for prefix, kind in (("", config.Config), ("dice.", config.DiceConfig), ("printers.", config.PrinterConfig)):
        found |= {prefix + f.name: f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory()
                  for f in msgspec.structs.fields(kind)}  # fmt: skip
    return found


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    assert documented() == {"all": set(settings()) - {"dice", "printers"}, "twice": set()}


def test_the_defaults_are_as_documented() -> None:
    told = dict(re.findall(r"^\| `([a-z_.]+)` \| ([^|]+?) \|", section(HOST, "Settings"), re.MULTILINE))
    assert {key: _told(settings()[key]) for key in told} == told


def _told(default: object) -> str:
    if default is msgspec.NODEFAULT:
        return "must be given"
    if default in ("", [], {}, None):
        return "none"
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_settings_of_the_host_make_the_parts_that_they_name(tmp_path: Path) -> None:
    (block,) = blocks(HOST, "toml")
    file = tmp_path / "companion.toml"
    file.write_text(block.text)
    loaded = config.load(file)
    assert [sources.source_from(die).name for die in loaded.dice] == ["tower Oak", "buttons"]
    assert [printer_from(p.address, p.name).name for p in loaded.printers] == ["till"]


def test_every_key_that_is_named_in_passing_is_a_setting() -> None:
    known = {key.split(".")[-1] for key in settings()}
    for page in PAGES:
        for span in spans(page):
            key = re.fullmatch(r"([a-z_]+) = .+", span)
            assert key is None or key[1] in known | CHART_KEYS, f"{page.name}: {span}"


def test_the_pins_are_those_of_the_driver() -> None:
    rows = re.findall(r"^\| (`(?:face_1|dial_a|roll|shock|lamp|buzzer)`[^|]*)\|", prose(HOST), re.MULTILINE)
    told = set(re.findall(r"`([a-z_0-9]+)`", " ".join(rows)))
    assert told == {"face_1", "face_6", *(f.name for f in dataclasses.fields(Pins) if f.name != "faces")}


def test_the_formats_are_those_of_the_driver() -> None:
    (row,) = re.findall(r"^\| `dice.format` \|.*$", prose(HOST), re.MULTILINE)
    assert set(re.findall(r"`([a-z0-9-]+)`", row)) == set(FORMATS)


@pytest.mark.parametrize("address", re.findall(r"^\| `([a-z]+:[^`]*)` \|", prose(HOST), re.MULTILINE))
def test_every_address_finds_its_printer(address: str) -> None:
    assert printer_from(address, "till").name == "till"


def test_the_steps_of_the_set_up_are_those_of_the_units() -> None:
    """The same commands, word for word, so that they are mended in one place and noticed in the other."""
    steps = [line for line in indented(HOST) if line.startswith("sudo ") and not ALONE.search(line)]
    assert [line for line in steps if line not in indented(ROOT / "systemd/README.md")] == []
    assert len(steps) > 20


def test_the_reference_lines_are_what_the_format_reads() -> None:
    lines = [line for line in indented(HOST) if line.startswith("CD1 ")]
    read = [format_named("cd1").parse(line) for line in lines]
    assert [found.kind for found in read if isinstance(found, Reading)] == ["hello", "throw", "cocked", "moving"]


def test_the_calibration_slip_can_be_printed_as_the_page_says(tmp_path: Path) -> None:
    (line,) = [line for line in indented(HOST) if "calibration" in line]
    paper = VirtualPrinter(58, cutter=True)
    with TcpOffer(paper) as offer:
        file = tmp_path / "companion.toml"
        file.write_text(f'[[printers]]\nname = "till"\naddress = "{offer.description}"\ncutter = "partial"\n')
        command = [sys.executable, "-m", *shlex.split(line), "--config", str(file), "--data", str(tmp_path / "data")]
        subprocess.run(command, check=True, cwd=ROOT, timeout=60)
        assert paper.until(lambda: bool(paper.slips), 20)
    assert {"COLUMNS", "CODES", "CUTTER"} <= set(re.findall("[A-Z]+", paper.slips[-1].text + paper.tape.text))


WORDS_SHOWN = re.compile(r"\*\*([A-Z][^*]*)\*\*")


@pytest.mark.parametrize("page", [DOCS / "player.md", HOST], ids=lambda page: page.name)
def test_every_button_that_is_named_is_on_a_page(page: Path) -> None:
    """Words in bold that begin a sentence of their own are not buttons: they end with a full stop."""
    acts = (procedure.title for game in registry.games() for procedure in game.procedures.values())
    shown = " ".join([*WORDS.values(), *acts])
    for word in WORDS_SHOWN.findall(prose(page)):
        assert word.endswith((".", "?")) or word in NO_BUTTONS or word in shown, f"{page.name}: {word}"
