"""Pages that follow a table: versions, beats, 304, one-time keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from companion.game.table import Table
from companion.web import live
from companion.web.live import Hub


def in_a_thread(following: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own, where no other test's event loop can be running."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, following).result()


def test_nothing_newer_is_304(phone: TestClient, table: Table) -> None:
    version = phone.get(f"/api/tables/{table.key}").json()["version"]
    assert phone.get(f"/api/tables/{table.key}?since={version}").status_code == 304
    table.open("next", seat="host")
    assert phone.get(f"/api/tables/{table.key}?since={version}").json()["version"] > version
    for nonsense in ("-1", "x", "9" * 40, "²"):
        assert phone.get(f"/api/tables/{table.key}?since={nonsense}").status_code == 200


def told(event: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(event.split("data: ")[1])
    return found


def test_a_follower_hears_the_version_now_and_each_new_one(table: Table) -> None:
    async def follow() -> None:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        table.listeners.append(hub.publish)
        events = hub.follow(table, "b1")
        assert told(await anext(events)) == {"version": table.version, "page": table.version, "build": "b1"}
        await asyncio.to_thread(table.open, "next", seat="host")
        assert told(await anext(events))["version"] == table.version
        await events.aclose()  # type: ignore[attr-defined]
        assert hub.count == 0

    in_a_thread(follow())


def test_a_slow_follower_gets_only_the_newest_version(table: Table) -> None:
    async def follow() -> None:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        table.listeners.append(hub.publish)
        events = hub.follow(table, "b")
        await anext(events)
        for _ in range(5):
            table.open("next", seat="host")
        await asyncio.sleep(0)
        assert told(await anext(events))["version"] == table.version
        await events.aclose()  # type: ignore[attr-defined]

    in_a_thread(follow())


def test_watchers_hear_when_the_table_rests_and_who_acts_at_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """More watchers than one group: all hear the newest version once, whatever came in between."""
    monkeypatch.setattr(live, "REST", 0.02)

    async def follow() -> None:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        table.listeners.append(hub.publish)
        acting = hub.follow(table, "b")
        watching = [hub.follow(table, "b", watches=True) for _ in range(2 * live.GROUP + 1)]
        for events in (acting, *watching):
            await anext(events)
        heard = [asyncio.ensure_future(anext(events)) for events in watching]  # type: ignore[var-annotated, arg-type]
        for act in ("next", "next"):
            table.open(act, seat="host")
            assert told(await anext(acting))["version"] == table.version
            assert not any(each.done() for each in heard), "nobody watches sooner than those who act"
        assert {told(event)["version"] for event in await asyncio.gather(*heard)} == {table.version}
        for events in (acting, *watching):
            await events.aclose()  # type: ignore[attr-defined]

    in_a_thread(follow())


def test_watchers_do_not_wait_for_ever(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "REST", 3600.0)
    monkeypatch.setattr(live, "LATEST", 0.02)

    async def follow() -> None:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        table.listeners.append(hub.publish)
        events = hub.follow(table, "b", watches=True)
        await anext(events)
        table.open("next", seat="host")
        assert told(await anext(events))["version"] == table.version
        hub.end()
        with pytest.raises(StopAsyncIteration):
            await anext(events)

    in_a_thread(follow())


def test_a_beat_says_that_the_line_stands(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT", 0.01)

    async def follow() -> None:
        hub = Hub()
        hub.bind(asyncio.get_running_loop())
        events = hub.follow(table, "b")
        await anext(events)
        assert "event: beat" in await anext(events)
        await events.aclose()  # type: ignore[attr-defined]

    in_a_thread(follow())
    assert live.BEAT * 2 < 15  # two missed beats are noticed in time


def test_an_event_between_snapshot_and_subscription_is_not_lost(table: Table, phone: TestClient) -> None:
    """The page has version v; the first event names what is true at that moment, so it reads again."""
    page = phone.get(f"/e/{table.key}")
    table.open("next", seat="host")

    async def follow() -> None:
        events = Hub().follow(table, "b")
        assert told(await anext(events))["version"] != int(page.headers["x-version"])
        await events.aclose()  # type: ignore[attr-defined]

    in_a_thread(follow())


@pytest.mark.field(32)
def test_a_double_tap_is_one_act_and_gets_the_same_answer(ann: TestClient, table: Table) -> None:
    path, body = f"/api/tables/{table.key}/acts", {"act": "torpedo:ann>bob"}
    first, second = (ann.post(path, json=body, headers={"Idempotency-Key": "tap-1"}) for _ in range(2))
    assert first.json() == second.json()
    assert len([r for r in table.records if r.act == "torpedo:ann>bob"]) == 1


@pytest.mark.field(32)
def test_two_posts_of_one_form_at_once_are_one_roll(ann: TestClient, table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer(table.asks[0].address, "near", seat="ann")
    form = {"address": table.asks[0].address, "roll": "1", "once": "tap-2"}
    with ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda _: ann.post(f"/e/{table.key}/answer", data=form), range(2)))
    assert [p.status_code for p in pages] == [200, 200]
    assert len([s for r in table.records for s in r.sources.values()]) == 1
    assert len(table.records[-1].attempts) == 0


@pytest.mark.field(32)
def test_back_and_reload_after_a_roll_changes_nothing(ann: TestClient, table: Table) -> None:
    table.open("torpedo:ann>bob", seat="ann", key="tap-3")
    version = table.version
    for _ in range(3):
        assert ann.post(f"/e/{table.key}/act", data={"act": "torpedo:ann>bob", "once": "tap-3"}).status_code == 200
    assert table.version == version


@pytest.mark.field(32)
def test_the_same_die_from_two_phones_counts_once(ann: TestClient, kiosk: TestClient, table: Table) -> None:
    table.open("shoot:ann>bob", seat="ann")
    table.answer(table.asks[0].address, "near", seat="ann")
    path = f"/api/tables/{table.key}/asks/{table.asks[0].address}"
    answers = [c.post(path, json={"faces": {"white": "5"}, "key": k}) for c, k in ((ann, "a"), (kiosk, "b"))]
    assert [a.status_code for a in answers] == [200, 409]
    assert table.records[-1].answers[path.rsplit("/", 1)[1]] == {"white": "5"}
