"""The pages by what they let a player do: play, mend, set up, pass the kiosk, put away."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from companion import lan
from companion.config import Config
from companion.game.table import Table
from companion.game.tables import seat_key
from companion.web.parts import Parts
from tests.web.conftest import PI, Ask, Till


def seated(ask: Ask, table: Table, seat: str) -> TestClient:
    client = ask("192.168.1.60")
    client.get(f"/e/{table.key}?k={seat_key(table, seat)}")
    return client


@pytest.fixture
def bob(ask: Ask, table: Table) -> TestClient:
    return seated(ask, table, "bob")


def shoot(table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer(table.asks[0].address, "near", seat="ann")
    table.answer(table.asks[0].address, {"white": "5"}, seat="ann")
    table.answer(table.asks[0].address, dict.fromkeys(table.asks[0].open_slots, "3"), seat="ann")


# --- mending


def test_a_draft_is_taken_back_at_once_a_die_only_with_the_other_side(
    ann: TestClient, bob: TestClient, phone: TestClient, table: Table
) -> None:
    table.open("shoot:ann>bob", seat="ann")
    ann.post(f"/e/{table.key}/undo", data={"once": "u1"})
    assert table.played == []
    shoot(table)
    ann.post(f"/e/{table.key}/undo", data={"once": "u2"})
    assert len(table.played) == 1
    assert "I agree" in bob.get(f"/e/{table.key}").text
    for nobody in (ann, phone):  # neither the one who asks nor a spectator can agree
        assert "I agree" not in nobody.get(f"/e/{table.key}").text
        nobody.post(f"/e/{table.key}/agree", data={"agree": "yes"})
        assert len(table.played) == 1
    bob.post(f"/e/{table.key}/agree", data={"agree": "yes"})
    assert table.played == []


def test_a_wish_is_told_to_open_pages_and_ends_when_the_table_goes_on(
    ann: TestClient, bob: TestClient, table: Table
) -> None:
    shoot(table)
    before = int(bob.get(f"/e/{table.key}").headers["x-version"])
    ann.post(f"/e/{table.key}/undo", data={"once": "u"})
    assert int(bob.get(f"/e/{table.key}").headers["x-version"]) > before
    table.open("next", seat="bob")
    assert "I agree" not in bob.get(f"/e/{table.key}").text
    assert bob.post(f"/e/{table.key}/agree", data={"agree": "yes"}).status_code == 409


def test_a_refused_wish_changes_nothing(ann: TestClient, bob: TestClient, table: Table) -> None:
    shoot(table)
    played, state = table.played, table.state
    ann.post(f"/e/{table.key}/undo", data={"once": "u"})
    bob.post(f"/e/{table.key}/agree", data={"agree": "no"})
    assert (table.played, table.state, table.wish) == (played, state, None)
    assert bob.post(f"/e/{table.key}/agree", data={"agree": "yes"}).status_code == 409


def test_a_die_is_amended_by_touching_the_one_that_lay_there(ann: TestClient, table: Table) -> None:
    shoot(table)
    record = table.records[-1]
    address = next(a for a, v in record.answers.items() if v == {"white": "5"})
    result = ann.get(f"/e/{table.key}/result/{record.number}").text
    link = next(m for m in re.findall(r'href="([^"]+amend[^"]+)"', result) if "aim" in m)
    assert 'aria-current="true">5<' in ann.get(link.replace("&amp;", "&")).text
    form = {"number": record.number, "address": address, "face": "white=1", "reason": "read wrongly"}
    page = ann.post(f"/e/{table.key}/amend", data=form).text
    assert table.records[-1].summary["word"] == "MISS"
    assert table.state.hits == {"ann": 0, "bob": 0}
    assert "read wrongly" in page


def test_a_ruling_of_a_seat_needs_the_other_side_and_keeps_what_it_says_stands(
    ann: TestClient, bob: TestClient, table: Table
) -> None:
    shoot(table)
    number = table.records[-1].number
    assert "bob takes 6" in ann.get(f"/e/{table.key}/rule/{number}").text
    form = {"number": number, "word": "Does not count", "reason": "both sides agree"}
    ann.post(f"/e/{table.key}/rule", data=form)
    assert table.state.hits["bob"] == 6
    bob.post(f"/e/{table.key}/agree", data={"agree": "yes"})
    assert table.state.hits["bob"] == 0
    assert table.records[-1].ruled == {
        "seat": "ann", "agreed": "bob", "reason": "both sides agree", "word": "DOES NOT COUNT",
    }  # fmt: skip


def test_the_host_rules_at_once_but_never_without_a_reason(kiosk: TestClient, table: Table) -> None:
    shoot(table)
    number = table.records[-1].number
    assert kiosk.post(f"/e/{table.key}/rule", data={"number": number, "word": "Hit"}).status_code == 400
    kiosk.post(f"/e/{table.key}/rule", data={"number": number, "word": "Hit", "stands": "1", "reason": "so it is"})
    assert table.state.hits["bob"] == 6
    assert "so it is" in kiosk.get(f"/e/{table.key}/result/{number}").text


# --- one kiosk that goes from hand to hand


def test_the_kiosk_shows_nothing_hidden_without_a_touch(kiosk: TestClient, table: Table) -> None:
    table.open("plan", seat="host")
    covered = kiosk.get(f"/e/{table.key}").text
    assert "loop" not in covered
    assert "I am Ann" in covered
    assert "loop" not in kiosk.get(f"/e/{table.key}?screen=table").text
    shown = kiosk.post(f"/e/{table.key}/look", data={"seat": "ann"}).text
    assert "loop" in shown
    ask = next(a.address for a in table.asks if a.seat == "ann")
    after = kiosk.post(f"/e/{table.key}/answer", data={"address": ask, "value": "loop", "once": "c1"}).text
    assert "I am Bob" in after
    assert "loop" not in after
    assert kiosk.post(f"/e/{table.key}/look", data={"seat": "nobody"}).status_code == 400


def test_only_the_kiosk_goes_from_hand_to_hand(ann: TestClient, phone: TestClient, table: Table) -> None:
    for client in (ann, phone):
        assert client.post(f"/e/{table.key}/look", data={"seat": "bob"}).status_code == 403
        client.cookies.set(f"as_{table.key}", "bob")
        assert client.get(f"/api/tables/{table.key}").json()["seat"] != "bob"


def test_a_seat_is_handed_over_from_its_own_phone(ann: TestClient, phone: TestClient, table: Table) -> None:
    assert phone.get(f"/e/{table.key}/hand").status_code == 403
    assert "<svg" in ann.get(f"/e/{table.key}/hand").text
    ann.post(f"/e/{table.key}/hand")
    assert ann.get(f"/api/tables/{table.key}").json()["seat"] == ""


# --- set-up, settings, putting away


@pytest.mark.parametrize(
    ("game", "axis", "allies"),
    [("aod", "Fw 190 A-8", "Spitfire Mk IX"), ("rotl", "Bf-109E", "Spitfire I"), ("fastplay", "Me-109", "Spitfire")],
)
def test_four_against_four_begin_by_touch_alone(
    kiosk: TestClient, parts: Parts, game: str, axis: str, allies: str
) -> None:
    form = {"a": "", "b": "", "side": "0"}
    for touch in [{"add": axis}] * 4 + [{"to": "1"}] + [{"add": allies}] * 4:
        page = kiosk.post(f"/new/{game}", data=form | touch).text
        form = {name: re.search(f'name="{name}" value="([^"]*)"', page).group(1) for name in form}  # type: ignore[union-attr]
    assert (form["a"].count("|"), form["b"].count("|")) == (3, 3)
    page = kiosk.post("/begin", data=form | {"game": game})
    assert page.status_code == 200
    made = parts.tables.get(page.url.path.rsplit("/", 1)[1])
    assert made.game.key == game
    again = kiosk.post("/begin", data={"game": game, "same": made.key})
    assert parts.tables.get(again.url.path.rsplit("/", 1)[1]).setup == made.setup


def test_a_formation_is_chosen_by_touch_and_stays_with_every_touch(kiosk: TestClient, parts: Parts) -> None:
    page = kiosk.post("/new/aod", data={"a": "Fw 190 A-8", "b": "Spitfire Mk IX", "formation": "echelon"}).text
    assert 'name="formation" value="echelon" checked' in page
    assert "house value" in page
    assert 'value="vic"' not in kiosk.post("/new/aod", data={"formation": "vic"}).text
    form = {"game": "aod", "a": "Fw 190 A-8", "b": "Spitfire Mk IX", "formation": "echelon"}
    made = parts.tables.get(kiosk.post("/begin", data=form).url.path.rsplit("/", 1)[1])
    assert all(craft.pose for craft in made.state.crafts)


def test_a_scenario_begins_with_one_touch_and_its_own_rules(kiosk: TestClient, parts: Parts) -> None:
    page = kiosk.get("/new/aod").text
    assert "Bomber escort" in page
    assert "2.2.2 Ex 10" in page
    made = parts.tables.get(kiosk.post("/begin", data={"game": "aod", "scenario": "dogfight"}).url.path[3:])
    assert len(made.state.crafts) == 12
    assert made.switches["sun"] == "SE"
    assert kiosk.post("/begin", data={"game": "aod", "scenario": "nowhere"}).status_code == 400
    assert "Scenarios" not in kiosk.get("/new/rotl").text


def test_a_unit_is_taken_out_by_touching_it(kiosk: TestClient) -> None:
    page = kiosk.post("/new/aod", data={"a": "Fw 190 A-8|Me 262 Schwalbe", "b": "", "side": "0", "drop": "0:0"}).text
    assert 'name="a" value="Me 262 Schwalbe"' in page
    nonsense = {"a": "No Such|Fw 190 A-8", "side": "7", "drop": "0:99", "add": "<b>", "nation": "?"}
    assert 'name="a" value="Fw 190 A-8"' in kiosk.post("/new/aod", data=nonsense).text


def test_settings_are_kept_in_the_journal_and_shown(ann: TestClient, phone: TestClient, table: Table) -> None:
    assert phone.post(f"/e/{table.key}/settings", data={"odds": "off"}).status_code == 403
    for wrong in ({"odds": "maybe"}, {"other": "x"}, {}):
        assert ann.post(f"/e/{table.key}/settings", data=wrong).status_code == 400
    ann.post(f"/e/{table.key}/settings", data={"odds": "off"})
    ann.post(f"/e/{table.key}/settings", data={"teach": "on"})
    assert Table(table.journal, table.key).settings == {"odds": "off", "teach": "on"}
    table.open("shoot:ann>bob", seat="ann")
    page = ann.get(f"/e/{table.key}").text
    assert "Chance" not in page
    assert "Look at the table and touch what you see" in page
    assert ann.get(f"/api/tables/{table.key}/odds").status_code == 409


def test_speech_that_cannot_be_heard_says_why(kiosk: TestClient, parts: Parts, table: Table) -> None:
    parts.no_voice = lambda: "Speech needs espeak-ng."
    assert "espeak" not in kiosk.get(f"/e/{table.key}/settings").text
    assert "Speech needs espeak-ng." in kiosk.post(f"/e/{table.key}/settings", data={"speech": "on"}).text


def test_odds_on_asking_come_after_a_touch(ann: TestClient, table: Table) -> None:
    ann.post(f"/e/{table.key}/settings", data={"odds": "asked"})
    table.open("shoot:ann>bob", seat="ann")
    table.answer(table.asks[0].address, "near", seat="ann")
    assert "bar-fill" not in ann.get(f"/e/{table.key}").text
    assert "bar-fill" in ann.get(f"/e/{table.key}?odds=1").text


def test_a_table_is_put_away_and_continued(kiosk: TestClient, phone: TestClient, table: Table) -> None:
    assert "Continue" in kiosk.post(f"/e/{table.key}/away", data={"back": ""}).text
    assert table.put_away
    assert "put away" in phone.get("/").text
    assert kiosk.post(f"/e/{table.key}/away", data={"back": "1"}).url.path == f"/e/{table.key}"
    assert not table.put_away


def test_a_table_that_is_put_away_offers_the_sheet_to_set_it_up_again(
    kiosk: TestClient, ann: TestClient, phone: TestClient, table: Table, till: Till
) -> None:
    page = kiosk.post(f"/e/{table.key}/away", data={"back": ""})
    assert page.url.path == f"/e/{table.key}/away"
    assert "Print the set-up-again sheet on till" in page.text
    assert f"/e/{table.key}/paper/again" in page.text
    ann.post(
        f"/e/{table.key}/paper", data={"kind": "again", "printer": "till", "f_link": "http://evil", "f_seat": "bob"}
    )
    own = {"table": table.key, "link": f"http://{PI}/e/{table.key}"}
    assert till.sent == [("till", "again", {**own, "seat": "ann"})]
    assert "Print the set-up-again" not in phone.get(f"/e/{table.key}/away").text
    assert phone.get(f"/e/{table.key}/paper/again").status_code == 200
    shown = phone.get(f"/e/{table.key}/print/again.txt", params={"link": "http://evil"}).text
    assert "evil" not in shown
    assert f"{PI}/e/{table.key}" in shown


def test_a_backup_is_one_sound_file_for_the_host_alone(kiosk: TestClient, phone: TestClient, table: Table) -> None:
    assert phone.get("/backup").status_code == 403
    copy = kiosk.get("/backup")
    assert copy.content.startswith(b"SQLite format 3")
    assert table.key.encode() in copy.content


def test_switching_off_is_asked_twice_and_only_on_the_kiosk(
    kiosk: TestClient, phone: TestClient, ask: Ask, parts: Parts
) -> None:
    assert kiosk.get("/off").status_code == 409
    done: list[str] = []
    parts.switch_off = lambda: done.append("off") or "Good night."  # type: ignore[func-returns-value]
    assert phone.post("/off", data={"sure": "yes"}).status_code == 403
    assert "Switch this Pi off now?" in kiosk.post("/off", data={}).text
    assert done == []
    assert "Good night." in kiosk.post("/off", data={"sure": "yes"}).text
    assert done == ["off"]


def test_the_host_enters_the_pin_on_a_page(phone: TestClient) -> None:
    assert phone.post("/host", data={"pin": "1"}).status_code == 403
    assert "Backup" in phone.post("/host", data={"pin": "2468"}).text


def test_house_rules_are_named(parts: Parts, kiosk: TestClient) -> None:
    soft = parts.tables.new("toy", preset="soft")
    page = kiosk.get(f"/e/{soft.key}/rules").text
    assert re.search(r"Gentle.*<strong>on</strong>.*house rule", page)


def test_why_names_the_rule_and_the_acts_that_made_a_value(ann: TestClient, table: Table) -> None:
    shoot(table)
    page = ann.get(f"/e/{table.key}/piece/bob").text
    assert f"/result/{table.records[-1].number}" in page
    assert "bob takes 6" in page


# --- paper


def test_a_preview_is_the_page_that_prints(kiosk: TestClient, table: Table) -> None:
    shoot(table)
    page = kiosk.get(f"/e/{table.key}/paper").text
    assert "Slip 0001" in page
    preview = kiosk.get(f"/e/{table.key}/paper/slip?number={table.records[-1].number}").text
    source = re.search(r'<img[^>]+src="([^"]+)"', preview).group(1).replace("&amp;", "&")  # type: ignore[union-attr]
    assert kiosk.get(source).content.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("ending", "accept", "starts"),
    [
        (".pdf", "", b"%PDF"), (".png", "", b"\x89PNG"), (".html", "", b"<!doctype"), (".txt", "", b"TOY"),
        ("", "application/pdf", b"%PDF"), ("", "image/png", b"\x89PNG"), ("", "text/plain", b"TOY"),
    ],
)  # fmt: skip
def test_paper_comes_by_ending_or_by_accept(
    phone: TestClient, table: Table, ending: str, accept: str, starts: bytes
) -> None:
    shoot(table)
    headers = {"accept": accept} if accept else {}
    found = phone.get(f"/api/tables/{table.key}/print/slip{ending}", headers=headers)
    assert found.status_code == 200
    assert found.content.strip()[:9].lower().startswith(starts.lower())


def test_what_cannot_be_printed_says_so(phone: TestClient, table: Table) -> None:
    for kind in ("slip.pdf", "nothing.pdf", "aod.panel.pdf", "..%2fetc.pdf"):
        answer = phone.get(f"/api/tables/{table.key}/print/{kind}")
        assert answer.status_code in (400, 404)


def test_a_held_job_asks_what_became_of_it(kiosk: TestClient, phone: TestClient, table: Table, till: object) -> None:
    page = kiosk.get(f"/e/{table.key}/paper").text
    assert "Is it on paper?" in page
    kiosk.post(f"/e/{table.key}/job", data={"job": "7", "answer": "no", "once": "j1"})
    assert till.settled == [(7, "no")]  # type: ignore[attr-defined]
    assert kiosk.post(f"/e/{table.key}/job", data={"job": "7", "answer": "perhaps"}).status_code == 400
    assert phone.post(f"/e/{table.key}/job", data={"job": "7", "answer": "no"}).status_code == 403


# --- addresses


LAN = [("lo", "127.0.0.1"), ("docker0", "172.17.0.1"), ("usb0", "169.254.7.7"), ("tun0", "10.8.0.2")]


@pytest.mark.field(29)
def test_the_code_holds_the_address_that_phones_can_reach(kiosk: TestClient, parts: Parts, table: Table) -> None:
    parts.base_url = lambda: lan.base_url("", 8080, [*LAN, ("wlan0", "192.168.1.23")])
    page = kiosk.get(f"/e/{table.key}/seats").text  # the kiosk itself is opened as localhost
    assert f"{PI}/e/{table.key}" in page
    assert "localhost" not in page
    assert "not in a guest network" in page
    parts.base_url = lambda: lan.base_url("", 8080, LAN)
    for path in ("", "/seats"):
        page = kiosk.get(f"/e/{table.key}{path}").text
        assert "No phone can reach this Pi yet" in page
        assert "<svg" not in page.split("<main")[1]


@pytest.mark.field(29)
def test_the_address_and_the_name_of_the_wifi_can_be_set(kiosk: TestClient, parts: Parts, table: Table) -> None:
    parts.config = Config(wifi_name="Clubhouse")
    parts.base_url = lambda: lan.base_url("http://pi.club:99/", 8080, LAN)
    page = kiosk.get(f"/e/{table.key}/seats").text
    assert f"pi.club:99/e/{table.key}" in page
    assert "in the Wi-Fi Clubhouse" in page


def behind(ask: Ask, peer: str = "10.0.0.9", **more: str) -> TestClient:
    """What a proxy on https://dice.example sends on, from a trusted address unless said otherwise."""
    headers = {"x-forwarded-for": "203.0.113.5", "x-forwarded-proto": "https", "x-forwarded-host": "dice.example"}
    return ask(peer, "127.0.0.1:8080", **{**headers, **more})


@pytest.mark.field(30)
class TestBehindAProxy:
    @pytest.fixture
    def config(self) -> Config:
        return Config(public_url="https://dice.example/game", trusted_proxies=["10.0.0.9"])

    @pytest.mark.parametrize("kept", ["", "/game"])
    def test_the_sub_path_stays_on_every_link_form_and_redirect(self, ask: Ask, table: Table, kept: str) -> None:
        proxy = behind(ask)
        page = proxy.get(f"{kept}/e/{table.key}?screen=table").text
        links = re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
        assert links
        assert [link for link in links if not link.startswith("/game/")] == []
        moved = proxy.get(f"{kept}/e/{table.key}?k=x", follow_redirects=False)
        assert moved.headers["location"] == f"/game/e/{table.key}"

    def test_it_is_never_the_kiosk_and_its_own_origin_may_change(self, ask: Ask, table: Table) -> None:
        proxy = behind(ask, origin="https://dice.example")
        assert proxy.get(f"/api/tables/{table.key}").json()["seat"] == ""
        key = seat_key(table, "ann")
        body = {"act": "shoot:ann>bob"}
        assert proxy.post(f"/api/tables/{table.key}/acts", json=body, headers={"X-Seat-Key": key}).status_code == 201

    def test_nobody_else_is_believed(self, ask: Ask, table: Table) -> None:
        liar = behind(ask, peer="192.168.1.66", origin="https://dice.example")
        key = {"X-Seat-Key": seat_key(table, "ann")}
        assert liar.post(f"/api/tables/{table.key}/acts", json={"act": "next"}, headers=key).status_code == 403
        assert "/game/" not in liar.get(f"/e/{table.key}?screen=table").text.split("<main")[0]

    def test_screen_and_slip_hold_the_same_link(self, kiosk: TestClient, parts: Parts, table: Table) -> None:
        assert parts.base_url() == "https://dice.example/game"
        assert f"dice.example/game/e/{table.key}" in kiosk.get(f"/e/{table.key}/seats").text


@pytest.mark.field(33)
def test_controls_are_large_enough_for_a_thumb_by_style(kiosk: TestClient) -> None:
    style = kiosk.get("/static/companion.css").text
    assert re.search(r"button,\.button,select\{[^}]*min-height:48px;min-width:48px", style)
    assert ".kiosk{user-select:none" in style
    assert "touch-action:manipulation" in style
