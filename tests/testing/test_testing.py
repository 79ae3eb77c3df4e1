"""`companion.testing`, as somebody who writes a pack would use it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import testing
from companion.config import Config
from companion.game import registry
from companion.game.statuses import ILLEGAL, MISSING, USAGE
from companion.packs.errors import PackError
from tests.e2e.daemon import until
from tests.wiring.rig import burst, working


@pytest.fixture
def club(tmp_path: Path) -> Path:
    file = tmp_path / "club.toml"
    file.write_text('pack = "Club"\ngame = "fastplay"\n[cells."fastplay.move"]\n1ST = "F F F"\n')
    return file


def test_a_pack_is_judged_with_its_file_and_line(club: Path) -> None:
    assert (testing.pack(club).name, len(testing.pack(club).cells)) == ("Club", 1)
    club.write_text('pack = "Club"\ngame = "aod"\n[cells.durability]\nSpit = 99\n')
    with pytest.raises(PackError, match=r"club\.toml, line 4: durability\.Spit: 99 is out of range"):
        testing.pack(club)


CRASH = [{"address": "crash", "faces": {"d6": "1"}}]


def test_a_procedure_runs_with_its_figures_and_given_dice(club: Path) -> None:
    plain = testing.resolve("fastplay.crash_landing", pilot="Bob", answers=CRASH)
    own = testing.resolve("fastplay.crash_landing", pilot="Bob", answers=CRASH, packs=[club])
    assert own["result"] == plain["result"]
    assert "Club" in own["packs"]
    assert "Club" not in plain["packs"]


def test_what_gives_no_result_says_why() -> None:
    with pytest.raises(testing.NotDone, match=r"An answer is missing: crash\.") as missing:
        testing.resolve("fastplay.crash_landing", pilot="Bob")
    assert missing.value.status == MISSING
    assert missing.value.said["asks"][0]["address"] == "crash"
    with pytest.raises(testing.NotDone, match="missing required field `pilot`") as wrong:
        testing.resolve("fastplay.crash_landing", plot="Bob")
    assert wrong.value.status == USAGE
    with pytest.raises(testing.NotDone) as barred:
        testing.resolve("aod.fire", attacker="3", target="3")
    assert barred.value.status in (ILLEGAL, USAGE)
    assert str(barred.value)


def test_odds_are_exact() -> None:
    said = testing.odds("fastplay.crash_landing", pilot="Bob")
    assert said["exact"]
    assert sum(row["numerator"] / row["denominator"] for row in said["outcomes"]) == pytest.approx(1)


def test_a_table_is_played_with_the_pack_and_is_gone_afterwards(club: Path) -> None:
    with testing.table("fastplay", packs=[club]) as table:
        folder = Path(table.journal.folder)
        assert "Club" in table.packs
        assert table.game is registry.game("fastplay")
    assert not folder.exists()


def test_tower_and_printer_are_rehearsed_with_faults(tmp_path: Path) -> None:
    with (
        testing.rehearsal("tower.noise,printer.slow=9600") as rehearsal,
        working(tmp_path / "data", rehearsal.adapt(Config(hold=0))) as machine,
    ):
        table = burst(machine)
        until(lambda: rehearsal.tower.is_armed, what="the tower to be armed")
        rehearsal.throw({"w": 1})
        until(lambda: table.asks == (), what="the miss")
        until(lambda: rehearsal.printer.slips, what="its slip")
        assert any("TARGETING" in line.upper() for line in rehearsal.printer.slips[0].lines)
