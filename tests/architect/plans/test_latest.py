"""The newest of a group, named or copied: where it is offered, read and written, proven, taken where it pays."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright import tasks
from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.plans.forms import go_together
from tablewright.architect.solution import solve
from tablewright.design.layout.forms import Rewrite
from tablewright.design.model import Design
from tablewright.design.read import design_data, read_design
from tablewright.errors import DesignError
from tablewright.proof.run import prove
from tablewright.report.patterns import write_text
from tests.architect.plans.specs import offered

SETTLED: dict[str, Any] = {"required": True, "immutable": True}
DRIVER: dict[str, Any] = {"id": "driverId", "attributes": {"name": "string"}, "count": 1000}
TRIP: dict[str, Any] = {
    "id": "tripId",
    "attributes": {
        "driverId": {**SETTLED, "references": "Driver"},
        "startedAt": {"type": "timestamp", **SETTLED},
        "city": {**SETTLED, "cardinality": 20},
        "fare": {"type": "number", "immutable": True},
        "status": "string",
    },
    "count": 200_000,
}
CURRENT: dict[str, Any] = {
    "id": "current",
    "kind": "get",
    "entity": "Trip",
    "by": "driverId",
    "sort": "startedAt desc",
    "consistency": "strong",
    "rate": 20,
}
ONE: dict[str, Any] = {"id": "trip", "kind": "get", "entity": "Trip", "by": "tripId", "consistency": "strong"}
START: dict[str, Any] = {"id": "start", "kind": "write", "op": "put", "entity": "Trip", "by": "tripId", "rate": 1}
END: dict[str, Any] = {**START, "id": "end", "op": "update", "changes": ["status"]}
HIRE: dict[str, Any] = {**START, "id": "hire", "entity": "Driver", "by": "driverId"}
NAMED = "latest Trip (driverId, startedAt)"
COPIED = "newest Trip (driverId, startedAt)"
SHORT: dict[str, Any] = {**CURRENT, "returns": ["tripId", "startedAt", "fare"]}


def taxis(*patterns: dict[str, Any], trip: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:
    return {
        "name": "taxis",
        "entities": {"Driver": DRIVER, "Trip": {**TRIP, **(trip or {})}},
        "access_patterns": [*(patterns or (CURRENT,)), ONE, START, END, HIRE],
        **parts,
    }


def with_attribute(name: str, **fields: Any) -> dict[str, Any]:
    return {"attributes": {**TRIP["attributes"], name: fields}}


def ways(spec: dict[str, Any]) -> list[str]:
    return [each for decision in offered(spec) for each in decision if each.startswith(("latest", "newest"))]


# ---- where it is offered --------------------------------------------------------------------------------------------


def test_what_may_change_is_named_and_what_cannot_is_copied_too() -> None:
    assert ways(taxis()) == [NAMED]
    assert sorted(ways(taxis(SHORT))) == [NAMED, COPIED]
    assert ways(taxis({**SHORT, "consistency": "eventual"})) == [COPIED]


def test_reads_of_one_group_and_order_share_it() -> None:
    assert ways(taxis(CURRENT, {**CURRENT, "id": "again"})) == [NAMED]
    in_city = {**CURRENT, "id": "in-city", "filter": {"city": "Rome"}}
    assert ways(taxis(CURRENT, in_city)) == ["latest Trip (city, driverId, startedAt)", NAMED]


@pytest.mark.parametrize(
    ("why", "spec"),
    [
        ("a list goes on to the older ones", taxis({**CURRENT, "kind": "query", "limit": 1})),
        ("the oldest", taxis({**CURRENT, "sort": "startedAt"})),
        ("a name may be seen before what it names", taxis({**CURRENT, "consistency": "eventual"})),
        ("of all", taxis({**CURRENT, "by": []})),
        ("what passes a comparison", taxis({**CURRENT, "filter": {"fare": "at least a number"}})),
        ("what changes tells the group", taxis({**CURRENT, "filter": {"status": "open"}})),
        ("a put may move it to another group", taxis(trip=with_attribute("driverId", required=True))),
        ("a put may give it another time", taxis(trip=with_attribute("startedAt", type="timestamp", required=True))),
        ("not all have a time", taxis(trip=with_attribute("startedAt", type="timestamp", immutable=True))),
        ("the greatest of anything", taxis({**CURRENT, "sort": "fare desc"})),
        ("items go", taxis(CURRENT, {**START, "id": "drop", "op": "delete"})),
        ("items expire", taxis(trip={"ttl": "30d"})),
        (
            "items go with others",
            taxis(
                CURRENT,
                {**HIRE, "id": "fire", "op": "delete"},
                relationships=[{"from": "Driver", "to": "Trip", "kind": "1:n", "cascade": True}],
            ),
        ),
        (
            "a group of several tenants",
            taxis(CURRENT, {**END, "id": "close", "by": ["tripId", "city"], "tenant": "city"}),
        ),
        ("it is forbidden", taxis(trip={"rewrites": ["embed", "split"]})),
        ("rewrites are forbidden", taxis(constraints={"rewrites": "none"})),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_where_it_is_not_offered(why: str, spec: dict[str, Any]) -> None:
    assert why
    assert ways(spec) == []


def test_puts_for_what_does_not_exist_settle_what_no_update_changes() -> None:
    fresh = {**START, "condition": "not exists"}
    attributes = {**TRIP["attributes"], "startedAt": {"type": "timestamp", "required": True}}
    spec = taxis(trip={"attributes": attributes})
    spec["access_patterns"] = [CURRENT, ONE, fresh, END, HIRE]
    assert ways(spec) == [NAMED]


def test_a_name_and_a_copy_do_not_go_together() -> None:
    named, copied = (Rewrite(kind, "Trip", ("driverId", "startedAt")) for kind in ("latest", "newest"))
    assert not go_together([named, copied])
    assert not go_together([named, Rewrite("split", "Trip", ("status",))])
    assert go_together([named, Rewrite("newest", "Trip", ("city", "startedAt"))])


# ---- what is read and written ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_two_reads_of_what_is_named(style: str) -> None:
    made = forced(taxis(constraints={"key_style": style}), "latest")
    patterns = {each.id: each for each in made.patterns}
    first, second = patterns["current"].reads
    assert (first.operation, first.items, first.consistent) == ("GetItem", ("TripLatestByDriverId",), True)
    assert (second.operation, second.items, second.keys_from, second.consistent) == ("GetItem", ("Trip",), 0, True)
    (before,) = patterns["start"].reads
    assert dict(before.takes) == {f"TripLatestByDriverId.{name}": name for name in ("startedAt", "tripId")}
    own, named = patterns["start"].writes
    assert own.condition is None
    assert named.if_newer == ("startedAt", "tripId")
    assert str(named.condition) == (
        "attribute_not_exists(pk) OR startedAt < {startedAt} OR startedAt = {startedAt} AND tripId < {tripId}"
    )
    assert "where newer by startedAt, if" in write_text(named)
    assert patterns["start"].transaction
    assert not patterns["end"].reads
    assert prove(made, rounds=12).failure == ""
    assert read_design(design_data(made)).item("TripLatestByDriverId").newest_by == "startedAt"


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_one_read_of_a_copy(style: str) -> None:
    soon = {**SHORT, "id": "soon", "consistency": "eventual", "returns": ["city"]}
    made = forced(taxis(SHORT, soon, constraints={"key_style": style}), "newest")
    patterns = {each.id: each for each in made.patterns}
    assert [len(patterns[id_].reads) for id_ in ("current", "soon")] == [1, 1]
    assert [patterns[id_].reads[0].consistent for id_ in ("current", "soon")] == [True, False]
    copy = made.item("TripNewestByDriverId")
    assert {each.name for each in copy.attributes} == {"driverId", "startedAt", "tripId", "fare", "city"}
    assert prove(made, rounds=12).failure == ""


VERSION: dict[str, Any] = {
    "id": ["docId", "number"],
    "attributes": {"number": "number", "text": "string"},
    "count": 5000,
}
SAVE: dict[str, Any] = {**START, "id": "save", "entity": "Version", "by": ["docId", "number"]}


def documents(**save: Any) -> dict[str, Any]:
    newest = {**CURRENT, "entity": "Version", "by": "docId", "sort": "number desc"}
    return {"name": "docs", "entities": {"Version": VERSION}, "access_patterns": [newest, {**SAVE, **save}]}


def test_an_update_that_may_make_an_item_would_have_to_name_it() -> None:
    assert ways(documents(op="update", changes=["text"], upsert=True)) == []


def test_a_number_of_the_id_tells_the_order() -> None:
    spec = documents()
    assert ways(spec) == ["latest Version (docId, number)"]
    made = write_table(solve(spec, rewrites=[Rewrite("latest", "Version", ("docId", "number"))]))
    (_, named) = made.patterns[1].writes
    assert named.if_newer == ("number",)
    assert prove(made, rounds=12).failure == ""


def test_tenants_are_kept_apart() -> None:
    by_city: dict[str, Any] = {"by": ["city", "driverId"], "tenant": "city"}
    one: dict[str, Any] = {"by": ["city", "tripId"], "tenant": "city"}
    spec = taxis()
    spec["access_patterns"] = [{**CURRENT, **by_city}, {**ONE, **one}, {**START, **one}, {**END, **one}, HIRE]
    assert ways(spec) == ["latest Trip (city, driverId, startedAt)"]
    made = design(spec, explain=False)
    assert [str(each) for each in made.rewrites] == ways(spec)
    assert all("city" in made.item(name).table_keys.partition for name in ("Trip", "TripLatestByCityDriverId"))
    assert prove(made, rounds=12).failure == ""


def forced(spec: dict[str, Any], kind: Any) -> Design:
    return write_table(solve(spec, rewrites=[Rewrite(kind, "Trip", ("driverId", "startedAt"))]))


# ---- taken where it pays --------------------------------------------------------------------------------------------


def test_taken_where_the_table_has_the_id_and_both_reads_are_consistent() -> None:
    made = tasks.design(taxis())
    assert [str(each) for each in made.rewrites] == [NAMED]
    (choice,) = (each for each in made.advice.decisions if each.kind == "rewrite")
    assert choice.chosen == "Trip with a small item that names the newest of its group, by driverId and startedAt"
    assert not choice.loses.possible
    why = {each.id: each.why for each in made.patterns}
    assert "It names the newest Trip by startedAt" in why["current"]
    assert "a newer Trip is written there in the same transaction" in why["start"]


def test_a_list_of_one_is_told_to_be_a_get() -> None:
    with pytest.raises(DesignError, match=r"access_patterns\.current\.kind: get, without the limit"):
        design(taxis({**CURRENT, "kind": "query", "limit": 1}), explain=False)


def test_left_where_a_key_in_that_order_costs_less() -> None:
    spec = taxis()
    spec["access_patterns"] = [CURRENT, START, HIRE]
    assert not design(spec, explain=False).rewrites


def test_a_copy_where_it_is_read_more_than_written() -> None:
    assert [str(each) for each in design(taxis(SHORT), explain=False).rewrites] == [COPIED]


def test_heat_counts_every_put_of_a_group() -> None:
    busy = {**START, "rate": 300, "skew": {"driverId": "hottest 60%"}}
    spec = taxis()
    spec["access_patterns"] = [CURRENT, ONE, busy, END, HIRE]
    made = forced(spec, "latest")
    terms = [each for each in made.heat.patterns if each.pattern.startswith("start")]
    kept = [each for each in terms if each.entity == "TripLatestByDriverId"]
    assert sorted(each.kind for each in kept) == ["read", "write"]
    assert all(each.share >= 0.6 for each in kept)
