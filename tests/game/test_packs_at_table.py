"""Players' own packs in the data folder: what a table takes from them, and that it never depends on them later."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import own
from companion.game.packs_at_table import Shelf
from companion.game.proof import verify
from companion.game.slip import slip
from companion.game.table import HOST, Table
from companion.game.tables import Tables, export, import_into
from companion.game.views import view
from companion.packs.errors import PackError
from companion.umpire import UsageError
from printouts import text

MINE = 'pack = "Bob\'s panels"\ngame = "aod"\n[cells.durability]\n"Spitfire Mk IX" = 1\nKite = 3\n'
OPEN = "fire:3:11"


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "bob.toml").write_text(MINE)
    found = Tables(tmp_path)
    yield found
    found.close()


def fought(tables: Tables) -> tuple[Table, str]:
    table = tables.new("aod")
    number = table.open(OPEN, seat=HOST)
    for address, given in (("announce/burst", "normal"), ("first/targeting", ["6"]), ("first/outcome", ["6", "5"])):
        table.answer(address, given, seat=HOST)
    while table.asks:
        ask = table.asks[0]
        table.answer(ask.address, [s.die.faces[0].name for s in ask.dice.slots] if ask.dice else "no", seat=HOST)
    return table, text.render(slip(table, number), 48)


def test_a_pack_lies_over_house_values_and_is_named_on_view_and_slip(tables: Tables) -> None:
    table, paper = fought(tables)
    assert "durability" in paper
    assert "-1" in next(line for line in paper.splitlines() if "durability" in line)
    assert "packs: Bob's panels" in " ".join(paper.split())
    assert view(table, "")["packs"] == ["Bob's panels"]
    cell = table.context.cells["durability", "Spitfire Mk IX"]
    assert (cell.value, cell.source, cell.house) == (1, "Bob's panels", False)


def test_replay_never_depends_on_a_file_that_changed(tmp_path: Path) -> None:
    Shelf(tmp_path).save("aod", "bob", MINE)
    tables = Tables(tmp_path)
    table, paper = fought(tables)
    (tmp_path / "packs" / "aod-bob.toml").unlink()
    tables.close()
    again = Tables(tmp_path)
    reopened = again.get(table.key)
    assert not verify(reopened)
    assert text.render(slip(reopened, reopened.records[0].number), 48) == paper
    assert reopened.marks == {"Bob's panels": own.mark(reopened.packs["Bob's panels"])}
    assert again.new("aod").packs == {}, "a new table has only what lies in the folder now"
    data = export(reopened)
    again.close()
    elsewhere = Tables(tmp_path / "elsewhere")
    assert import_into(elsewhere, data).context.cells["durability", "Spitfire Mk IX"].value == 1
    elsewhere.close()


def test_a_changed_file_counts_for_the_next_table_and_leaves_the_last_alone(tables: Tables, tmp_path: Path) -> None:
    first = tables.new("aod")
    (tmp_path / "packs" / "bob.toml").write_text(MINE.replace("= 1", "= 2 # mended"))
    second = tables.new("aod")
    values = [t.context.cells["durability", "Spitfire Mk IX"].value for t in (first, second)]
    assert values == [1, 2]
    assert first.marks != second.marks
    assert "Kite" in [unit.key for unit in tables.shelf.units("aod")]
    assert tables.new("fastplay").packs == {}
    assert (
        tables.new("aod", cells={"durability:Spitfire Mk IX": 9}).context.cells["durability", "Spitfire Mk IX"].value
        == 9
    )


def test_a_wrong_pack_is_left_out_with_every_fault_and_the_others_are_used(tables: Tables, tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    (folder / "a.toml").write_text('pack = "x"\ngame = "aod"\n[cells.durability]\nA = 99\nB = "many"\n')
    (folder / "b.toml").write_bytes(b"\xff\xfe\x00")
    (folder / "c.toml").write_text('pack = "Bob\'s panels"\ngame = "aod"\n')
    (folder / "cards.csv").write_text("name,durability\nSpit,3\n")
    (folder / "aod-cards.csv").write_text("name,durability\nTempest FB Mk II,3\n")
    (folder / "d.toml").write_text("a = " + "[" * 5000)
    (folder / "readme.md").write_text("not a pack")
    assert list(tables.new("aod").packs) == ["aod-cards", "Bob's panels"]
    said = "\n".join(tables.shelf.notices())
    first = ("a.toml, line 4: durability.A: 99", "a.toml, line 5: durability.B: 'many'")
    for words in (*first, "b.toml", "bob.toml is called", "cards.csv: game", "d.toml"):
        assert words in said, said
    assert "readme" not in said


def test_nothing_outside_the_folder_is_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text(MINE)
    shelf = Shelf(tmp_path / "data")
    assert (shelf.of("aod"), shelf.notices()) == ({}, []), "no folder yet"
    shelf.folder.mkdir(parents=True)
    (shelf.folder / "link.toml").symlink_to(tmp_path / "outside.toml")
    (shelf.folder / "folder.toml").mkdir()
    assert shelf.of("aod") == {}
    for name in ("../../etc/passwd", "/root/x", "..\\x", "a/b", "é☃ 1"):
        assert shelf.file_for("aod", name).parent == shelf.folder
    for name in ("", "..", "///"):
        with pytest.raises(UsageError):
            shelf.file_for("aod", name)


def test_a_pack_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    file = shelf.save("aod", "Bob's panels", MINE)
    assert (file.name, file.read_text()) == ("aod-bob-s-panels.toml", MINE)
    with pytest.raises(PackError, match="99"):
        shelf.save("aod", "Bob's panels", MINE.replace("= 1", "= 99"))
    assert file.read_text() == MINE
    assert os.listdir(shelf.folder) == [file.name]


def test_a_later_pack_lies_over_an_earlier_one_and_still_does_after_a_restart(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    (shelf.folder).mkdir()
    for n, name in enumerate(("zebra", "ape")):
        text = MINE.replace("Bob's panels", name).replace("= 1", f"= {n + 6}")
        (shelf.folder / f"{n}.toml").write_text(text)
    tables = Tables(tmp_path)
    key = tables.new("aod").key
    tables.close()
    tables = Tables(tmp_path)
    assert tables.get(key).context.cells["durability", "Spitfire Mk IX"].value == 7
    tables.close()


def test_two_packs_of_one_name_are_refused_at_the_command_line_too(tmp_path: Path) -> None:
    files = [tmp_path / "a.toml", tmp_path / "b.toml"]
    for file in files:
        file.write_text(MINE)
    with pytest.raises(PackError, match="another name"):
        own.for_table(files, "aod")
