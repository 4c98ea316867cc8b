"""Parents at the edge of their children: where that is offered, what is asked, and what else is read there."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.plans.forms import form_options
from tablewright.architect.solution import solve
from tablewright.proof.run import prove
from tablewright.report.patterns import read_text
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

STYLES = ["plain", "electrodb"]
NEWEST: dict[str, Any] = {
    "id": "newest",
    "kind": "query",
    "entities": ["Device", "Sample"],
    "by": "deviceId",
    "sort": "at desc",
    "limit": 20,
    "rate": 100,
}
EDGE = "edge newest (Device, Sample, desc)"
APART = "apart newest (Device, Sample)"


def spec_of(*patterns: dict[str, Any], style: str = "plain", **entities: Any) -> dict[str, Any]:
    """Devices with samples, and what is read of them."""
    known: dict[str, dict[str, Any]] = {
        "Device": {"id": "deviceId", "attributes": {"model": {"required": True}}, "count": 1000},
        "Sample": {
            "id": ["deviceId", "at"],
            "attributes": {"at": "timestamp", "value": "number", "kind": {"values": ["a", "b"], "required": True}},
            "count": "1M",
        },
        **entities,
    }
    writes = [
        {"id": f"put{name}", "kind": "write", "op": "put", "entity": name, "by": each["id"]}
        for name, each in known.items()
    ]
    return {
        "name": "devices",
        "entities": known,
        "access_patterns": [*patterns, *writes],
        "constraints": {"key_style": style},
    }


def ways(*patterns: dict[str, Any], **entities: Any) -> list[list[str]]:
    found = form_options(assume(read_spec(spec_of(*patterns, **entities))))
    return [[" + ".join(map(str, option)) for option in options] for options in found]


def steps_of(spec: dict[str, Any], pattern: str = "newest") -> list[str]:
    made = write_table(solve(spec))
    return [read_text(step) for each in made.patterns if each.id == pattern for step in each.reads]


# ---- offered --------------------------------------------------------------------------------------------------------


def test_one_query_is_a_way_beside_two() -> None:
    assert ways(NEWEST) == [[APART, EDGE]]
    assert ways({**NEWEST, "limit": {"Sample": 5}}) == [[APART, EDGE]]


@pytest.mark.parametrize(
    "changed",
    [
        {"range": {"attr": "at", "op": "gte"}},
        {"filter": {"kind": "a"}},
        {"sort": None, "limit": {"Sample": 5}},
        {"sort": "value desc"},  # which a sample may lack
    ],
)
def test_what_no_edge_answers_is_read_apart(changed: dict[str, Any]) -> None:
    pattern = {name: value for name, value in {**NEWEST, **changed}.items() if value is not None}
    assert not any("edge" in way for found in ways(pattern) for way in found)


def test_a_name_that_might_lie_between_keeps_it_away() -> None:
    other = {"id": ["deviceId", "n"], "attributes": {"n": "number"}}
    assert ways(NEWEST, Sample_1x=other) == [[APART]]
    assert ways(NEWEST, Sample_log=other) == [[APART, EDGE]]


# ---- asked ----------------------------------------------------------------------------------------------------------


def test_backwards_the_parent_lies_behind_its_children() -> None:
    assert steps_of(spec_of(NEWEST)) == [
        "Query DEVICE#{deviceId} | between SAMPLE# and SAMPLE+DEVICE, backwards, limit 20 and Device"
    ]
    (step,) = steps_of(spec_of(NEWEST, style="electrodb"))
    assert "between $device#Sample_1#at_ and $device#Sample_1_Device#Device_1, backwards, limit 20 and Device" in step


def test_forwards_it_lies_before_them() -> None:
    (step,) = steps_of(spec_of({**NEWEST, "sort": "at"}))
    assert step.startswith("Query DEVICE#{deviceId} | between SAMPLE!DEVICE and SAMPLE#")
    (step,) = steps_of(spec_of({**NEWEST, "sort": "at"}, style="electrodb"))
    assert "between $device#Sample_0_Device#Device_1 and $device#Sample_1#at_" in step


def test_two_limits_share_an_edge_and_two_directions_do_not() -> None:
    few, oldest = {**NEWEST, "id": "few", "limit": 3}, {**NEWEST, "id": "oldest", "sort": "at", "rate": 1}
    assert len(steps_of(spec_of(NEWEST, few), "few")) == 1
    assert len(steps_of(spec_of(NEWEST, oldest), "newest")) == 1
    assert len(steps_of(spec_of(NEWEST, oldest), "oldest")) == 2


def test_of_two_kinds_of_children_the_busier_have_the_edge() -> None:
    alarm = {"id": ["deviceId", "at"], "attributes": {"at": "timestamp"}, "count": "1M"}
    alarms = {**NEWEST, "id": "alarms", "entities": ["Device", "Alarm"], "rate": 500}
    spec = spec_of(NEWEST, alarms, Alarm=alarm)
    assert [len(steps_of(spec, id_)) for id_ in ("newest", "alarms")] == [2, 1]


@pytest.mark.parametrize("style", STYLES)
def test_everything_else_in_the_partition_is_read_as_ever(style: str) -> None:
    """The whole collection, children alone, other types beside them, and a parent in an index."""
    alarm = {"id": ["deviceId", "n"], "attributes": {"n": "number", "text": "string"}, "count": "10k"}
    owned = {"id": "deviceId", "attributes": {"model": {"required": True}, "owner": {"required": True}}}
    spec = spec_of(
        NEWEST,
        {"id": "all", "kind": "query", "entities": ["Device", "Sample", "Alarm"], "by": "deviceId", "rate": 1},
        {"id": "both", "kind": "query", "entities": ["Device", "Alarm"], "by": "deviceId", "rate": 1},
        {"id": "samples", "kind": "query", "entity": "Sample", "by": "deviceId", "sort": "at", "rate": 1},
        {"id": "device", "kind": "get", "entity": "Device", "by": "deviceId", "consistency": "strong", "rate": 1},
        {"id": "owners", "kind": "query", "entity": "Device", "by": "owner", "rate": 1},
        {"id": "drop", "kind": "write", "op": "delete", "entity": "Device", "by": "deviceId"},
        {"id": "move", "kind": "write", "op": "update", "entity": "Device", "by": "deviceId", "changes": ["owner"]},
        style=style,
        Alarm=alarm,
        Device=owned,
    )
    made = design(spec)
    assert EDGE in map(str, made.rewrites)
    assert prove(made).failure == ""


# ---- kept -----------------------------------------------------------------------------------------------------------


def keys_of(made: Any) -> dict[str, str]:
    return {item.name: item.keys[0].sk[0].text for item in made.items}


@pytest.mark.parametrize("style", STYLES)
def test_an_edge_stays_and_serves_new_patterns(style: str) -> None:
    earlier = design(spec_of(NEWEST, style=style))
    few = {**NEWEST, "id": "few", "limit": 3}
    for patterns in (
        (NEWEST,),
        (NEWEST, few),
        (few,),
        ({"id": "d", "kind": "get", "entity": "Device", "by": "deviceId"},),
    ):
        later = design(spec_of(*patterns, style=style), keep=earlier)
        assert keys_of(later) == keys_of(earlier)
        assert all(len(each.reads) <= 1 for each in later.patterns)


@pytest.mark.parametrize("style", STYLES)
def test_keys_in_use_are_not_moved_for_an_edge(style: str) -> None:
    get = {"id": "d", "kind": "get", "entity": "Device", "by": "deviceId"}
    of = {"id": "of", "kind": "query", "entity": "Sample", "by": "deviceId", "sort": "at desc"}
    earlier = design(spec_of(get, of, style=style))
    later = design(spec_of(get, of, NEWEST, style=style), keep=earlier)
    assert keys_of(later) == keys_of(earlier)
    assert [len(each.reads) for each in later.patterns if each.id == "newest"] == [2]
