"""`describe`, `resolve` and `odds`: shapes, statuses, repeatable throws, and no traceback whatever is given."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import import_module
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import registry
from companion.umpire import Context
from tests.cli.rig import out, run

NAMES = sorted(name for game in registry.games() for name in game.procedures)
LOSS = ("fastplay.crash_landing", "pilot=Bob")
RESULT = {"result", "lines", "changes", "dice", "rules", "switches", "packs", "house"}


@pytest.mark.rule("fastplay:Crash Landings")
def test_a_result_has_every_part_of_the_contract() -> None:
    done = out("resolve", *LOSS, "--answers", '[{"role": "crash", "faces": [5]}]', "--out", "-")
    assert done.keys() == RESULT
    assert done["result"] is False
    assert done["lines"] == [{"text": "Bob comes down: 5 d6: out of action", "rule": "Crash Landings"}]
    assert done["dice"] == [{"address": "crash", "faces": {"d6": "5"}}]


def test_a_case_may_come_whole_and_fields_go_over_it() -> None:
    case = {"inputs": {"pilot": "Ann"}, "switches": {}, "answers": [{"address": "crash", "faces": {"d6": 2}}]}
    done = out("resolve", LOSS[0], "pilot=Bob", "--in", "-", "--out", "-", given=json.dumps(case))
    assert done["result"] is True
    assert done["lines"][0]["text"].startswith("Bob comes down")


def test_what_is_asked_says_where_the_answer_goes() -> None:
    asks = out("resolve", *LOSS, "--out", "-", status=4)["asks"]
    assert [(a["address"], a["kind"]) for a in asks] == [("crash", "dice")]
    assert asks[0]["dice"] == [{"slot": "d6", "kind": "d6", "faces": ["1", "2", "3", "4", "5", "6"]}]


@pytest.mark.rule("aod:4.5")
def test_what_the_rules_forbid_names_the_rule() -> None:
    answers = [{"role": "position", "fact": "A 2d"}, {"role": "tilt", "fact": ["opposite"]}]
    refused = out("resolve", "aod.fire", "--answers", json.dumps(answers), "--out", "-", status=3)
    assert refused["violations"][0].keys() == {"code", "text", "rule", "address"}
    assert refused["violations"][0]["address"] == "announce/tilt"


@pytest.mark.parametrize(
    "words",
    [
        ("resolve", "aod.nothing"),
        ("resolve", "nothing.at.all"),
        ("resolve", *LOSS, "bob"),
        ("resolve", *LOSS, "pilto=Ann"),
        ("resolve", *LOSS, "pilot.name=Ann"),
        ("resolve", LOSS[0], "hit_by=[{}]"),
        ("resolve", *LOSS, "--answers", "[3"),
        ("resolve", *LOSS, "--answers", '[{"faces": [3]}]'),
        ("resolve", *LOSS, "--answers", '[{"role": "crash", "faces": [7]}]'),
        ("resolve", *LOSS, "--answers", '[{"role": "crash", "faces": [3]}, {"role": "other", "faces": [3]}]'),
        ("resolve", *LOSS, "--in", "/nowhere/at/all"),
        ("odds", *LOSS, "--about", "weather"),
        ("odds", *LOSS, "--answers", '[{"role": "other", "faces": [3]}]'),
        ("describe", "aod.nothing"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_two(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.rstrip().endswith(".")


def test_an_error_is_json_too_where_json_was_wanted() -> None:
    assert out("resolve", *LOSS, "bob", "--out", "-", status=2)["error"].startswith("'bob' is no field")
    assert "seven" in out("odds", *LOSS, "--bogus-seven", "--out=-", status=2)["error"]


def test_a_switch_changes_the_rules_and_a_wrong_one_is_refused() -> None:
    def case(**switches: Any) -> str:
        return json.dumps({"inputs": {"pilot": "Bob"}, "switches": switches})

    done = out("resolve", LOSS[0], "--in", "-", "--roll", "--out", "-", given=case(mat=False))
    assert done["switches"]["mat"] is False
    assert "turbo" in out("resolve", LOSS[0], "--in", "-", "--out", "-", given=case(turbo=1), status=2)["error"]
    assert "radio" in out("resolve", LOSS[0], "--in", "-", "--out", "-", given=case(cards="radio"), status=2)["error"]


def test_throws_with_a_seed_are_the_same_again() -> None:
    def throws(seed: int) -> list[Any]:
        return [out("resolve", *LOSS, "--roll", "--seed", str(seed), "--out", "-")["dice"] for _ in range(2)]

    first, again = zip(*(throws(seed) for seed in range(12)), strict=True)
    assert first == again
    assert len({str(t) for t in first}) > 1


@pytest.mark.rule("fastplay:Crash Landings")
def test_odds_are_exact_and_a_given_die_decides() -> None:
    found = out("odds", *LOSS, "--out", "-")
    assert found["exact"] is True
    assert [(o["result"], o["numerator"], o["denominator"]) for o in found["outcomes"]] == [(True, 2, 3), (False, 1, 3)]
    sure = out("odds", *LOSS, "--answers", '[{"role": "crash", "faces": [1]}]', "--out", "-")
    assert [(o["result"], o["percent"]) for o in sure["outcomes"]] == [(True, 100.0)]


def test_odds_sum_to_one_and_name_what_they_lack() -> None:
    position = json.dumps([{"role": "position", "fact": "B"}])
    result = run("odds", "aod.fire", "--answers", position, "--about", "first", "--out", "-")
    data = json.loads(result.stdout)
    assert result.exit_code in (0, 4)
    assert whole(data.get("outcomes", [])) == {Fraction(1)} or data["asks"][0]["address"]


def test_lines_answer_each_case_on_its_own_line() -> None:
    good = json.dumps({"inputs": {"pilot": "Bob"}, "answers": [{"role": "crash", "faces": [1]}]})
    lines = [good, "not json", "", '{"inputs": {"pilot": "Bob"}}', good]
    result = run("resolve", LOSS[0], "--lines", given="\n".join(lines) + "\n")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [sorted(r)[0] for r in rows] == ["changes", "error", "error", "asks", "changes"]
    assert rows[0] == rows[4]
    assert result.exit_code == 2


def test_lines_of_odds_take_fields_too() -> None:
    result = run("odds", *LOSS, "--lines", given="{}\n{}")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [r["exact"] for r in rows] == [True, True]


def test_a_file_is_read_and_written(tmp_path: Any) -> None:
    case, answer = tmp_path / "case.json", tmp_path / "answer.json"
    case.write_text('{"inputs": {"pilot": "Bob"}}')
    assert run("resolve", LOSS[0], "--in", str(case), "--roll", "--out", str(answer)).exit_code == 0
    assert json.loads(answer.read_text()).keys() == RESULT
    refused = run("resolve", LOSS[0], "--in", str(case), "--out", str(tmp_path / "no" / "way"))
    assert refused.exit_code == 2
    assert refused.stderr.strip().endswith("No such file or directory.")


@pytest.mark.parametrize("name", NAMES)
def test_the_described_schema_is_one(name: str) -> None:
    said = out("describe", name)
    jsonschema_rs.meta.validate(said["inputs"])
    jsonschema_rs.meta.validate(said["result"])
    assert said["procedure"] == name


def test_what_resolve_takes_and_gives_fits_the_description() -> None:
    said = out("describe", LOSS[0])
    done = out("resolve", *LOSS, "--roll", "--out", "-")
    assert jsonschema_rs.is_valid(said["inputs"], {"pilot": "Bob"})
    assert jsonschema_rs.is_valid(said["result"], done["result"])
    assert not jsonschema_rs.is_valid(said["inputs"], {"pilot": []})
    assert out("resolve", LOSS[0], "--in", "-", "--out", "-", given='{"inputs": {"pilot": []}}', status=2)


def test_a_number_is_a_name_where_a_name_is_needed() -> None:
    assert "11 comes down" in out("resolve", LOSS[0], "pilot=11", "--roll", "--out", "-")["lines"][0]["text"]


def demo_acts() -> list[tuple[str, dict[str, Any]]]:
    """What each demonstration offers to do first, with the inputs that its table knows: one of each procedure."""
    found: dict[str, dict[str, Any]] = {}
    for game in registry.games():
        switches = {key: switch.default for key, switch in game.switches.items()}
        context = Context(switches, game.cells())
        state = game.start(game.demo(), context)
        for act in game.due(state, context).acts:
            if not act.barred:
                found.setdefault(act.procedure, act.inputs)
    return list(found.items())


ACTS = demo_acts()


def whole(outcomes: list[dict[str, Any]]) -> set[Fraction]:
    """The sum of the chances, option by option."""
    sums: dict[str, Fraction] = {}
    for o in outcomes:
        option = o.get("option", "")
        sums[option] = sums.get(option, Fraction(0)) + Fraction(o["numerator"], o["denominator"])
    return set(sums.values())


@pytest.mark.parametrize(("name", "inputs"), ACTS, ids=[name for name, _ in ACTS])
def test_what_a_table_gives_fits_the_description_resolves_and_has_odds_of_one(
    name: str, inputs: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("companion.umpire.odds"), "LIMIT", 5000)
    said = out("describe", name)
    given = msgspec.json.encode({"inputs": inputs})
    assert jsonschema_rs.is_valid(said["inputs"], json.loads(given)["inputs"])
    result = run("resolve", name, "--in", "-", "--roll", "--seed", "4", "--out", "-", given=given)
    data = json.loads(result.stdout)
    assert result.exit_code in (0, 4), data
    assert "asks" in data or jsonschema_rs.is_valid(said["result"], data["result"])
    for about in ("", *(q for q in said["questions"] if not q.endswith(":NAME"))):
        counted = run("odds", name, "--in", "-", "--about", about, "--out", "-", given=given)
        assert counted.exit_code in (0, 4, 6), counted.stdout
        assert whole(json.loads(counted.stdout).get("outcomes", [])) <= {Fraction(1)}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
STATUSES = (0, 2, 3, 4, 6)


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from(NAMES),
    fields=st.lists(st.tuples(st.text(min_size=1, max_size=12), st.text(max_size=20)), max_size=3),
    value=VALUES,
)
def test_no_field_gives_a_traceback(name: str, fields: list[tuple[str, str]], value: Any) -> None:
    known = list(out("describe", name)["inputs"].get("$defs", {}).values())
    words = [f"x{k}={v}" for k, v in fields]
    words += [f"{field}={json.dumps(value)}" for d in known[:1] for field in d.get("properties", {})]
    result = run("resolve", name, "--roll", "--out", "-", "--", *words)
    assert result.exit_code in STATUSES
    assert json.loads(result.stdout)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(NAMES), raw=st.binary(max_size=60) | VALUES.map(lambda v: json.dumps(v).encode()))
def test_no_input_gives_a_traceback(name: str, raw: bytes) -> None:
    for whole in (raw, b'{"inputs": ' + raw + b"}", b'{"answers": [{"role": "position", "fact": ' + raw + b"}]}"):
        result = run("resolve", name, "--in", "-", "--out", "-", given=whole)
        assert result.exit_code in STATUSES
        assert json.loads(result.stdout)


def test_inputs_that_no_game_comes_to_are_one_sentence() -> None:
    hand = '{"inputs": {"element": "Axis", "hand": {"known": ["x"], "unknown": 7}, "deck": {}}}'
    assert "error" in out("resolve", "rotl.discard", "--in", "-", "--out", "-", given=hand, status=2)


def test_deep_and_long_input_is_refused() -> None:
    assert "error" in out("resolve", LOSS[0], "--in", "-", "--out", "-", given="[" * 100_000, status=2)
    long = '{"inputs": {"pilot": "' + "x" * 5_000_000 + '"}}'
    assert "longer" in out("resolve", LOSS[0], "--in", "-", "--out", "-", given=long, status=2)["error"]
