"""Requests of every plan kind: chosen by the search, named, and answering as brute force does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.derive import layout_of
from tablewright.design.serving.serving import serve
from tablewright.errors import DesignError
from tablewright.proof.run import prove
from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec

if TYPE_CHECKING:
    from tablewright.architect.solution import Solution
    from tablewright.spec.facts import Facts
    from tablewright.spec.model import PatternSpec

PLAIN = {"key_style": "plain"}
ORDER: dict[str, Any] = {
    "id": ["orderId"],
    "attributes": {
        "orderId": "string",
        "region": {"type": "string", "cardinality": 20, "required": True},
        "status": {"type": "string", "values": ["open", "paid", "sent"], "required": True},
        "urgent": {"type": "boolean", "required": True},
        "date": {"type": "timestamp", "required": True},
    },
    "count": 100_000,
}
GET = {"id": "get", "kind": "get", "entity": "Order", "by": ["orderId"], "rate": 50}
PAY = {"id": "pay", "kind": "write", "op": "update", "entity": "Order", "by": ["orderId"], "changes": ["status"]}
OF_STATUS = {
    "id": "of-status",
    "kind": "query",
    "entity": "Order",
    "by": ["region", "status"],
    "sort": "date desc",
    "limit": 10,
    "rate": 100,
}
OF_REGION = {**OF_STATUS, "id": "of-region", "by": ["region"], "rate": 0.01}


def orders(*patterns: dict[str, Any], **top: Any) -> Solution:
    spec = {"name": "orders", "entities": {"Order": ORDER}, "access_patterns": list(patterns), "constraints": PLAIN}
    return solve({**spec, **top}, aim="cost")


def failure(solution: Solution) -> str:
    return prove(write_table(solution)).failure


class TestFanOut:
    def test_a_rare_list_asks_for_every_value_of_an_index_that_is_there(self):
        solution = orders(GET, PAY, OF_STATUS, OF_REGION)
        assert [str(shape) for slot in solution.choice.slots for shape in slot.values()] == ["status | @ region date"]
        request = solution.requests["of-region"]
        assert request.for_each == {"status": ("open", "paid", "sent")}
        assert "status" in request.pk.names
        assert failure(solution) == ""

    def test_every_value_is_a_request_and_reads_up_to_the_limit(self):
        # 3 partitions, ten items each: 3 x 10 x 180 bytes, a step of 4 KB (halved) for each partition
        plan = orders(GET, PAY, OF_STATUS, OF_REGION).choice.plans["of-region"]
        assert (plan.read_items, plan.units) == (30, 1.5)

    def test_a_boolean_has_two_values(self):
        by_urgency = {**OF_STATUS, "by": ["region", "urgent"]}
        solution = orders(GET, PAY, by_urgency, OF_REGION)
        assert solution.requests["of-region"].for_each == {"urgent": ("false", "true")}
        assert failure(solution) == ""

    def test_an_attribute_that_may_be_absent_is_no_way_to_find_everything(self):
        optional = {**ORDER, "attributes": {**ORDER["attributes"], "status": {"type": "string", "values": ["open"]}}}
        solution = orders(GET, PAY, OF_STATUS, OF_REGION, entities={"Order": optional})
        assert solution.requests["of-region"].for_each == {}
        assert failure(solution) == ""


BY_DATE = {
    "id": "by-date",
    "kind": "query",
    "entity": "Line",
    "by": ["orderId"],
    "sort": "date desc",
    "consistency": "strong",
    "rate": 5,
}
BY_NUMBER = {**BY_DATE, "id": "by-price", "sort": "price"}
LINE = {
    "id": ["orderId", "lineId"],
    "attributes": {"orderId": "string", "lineId": "string", "date": "timestamp", "price": "number"},
    "count": 10_000,
}
CHANGE = {"id": "change", "kind": "write", "op": "update", "entity": "Line", "by": ["orderId", "lineId"]}


def lines(*patterns: dict[str, Any], line: dict[str, Any] | None = None, **constraints: Any) -> Solution:
    spec = {
        "name": "lines",
        "entities": {"Line": {**LINE, **(line or {})}},
        "access_patterns": [*patterns, CHANGE],
        "constraints": {"lsis": True, "key_style": "plain", **constraints},
    }
    return solve(spec, aim="gsis")


class TestLocalIndexes:
    def test_strong_reads_in_two_orders_come_from_two_local_indexes(self):
        solution = lines(BY_DATE, BY_NUMBER)
        shapes = [str(shape) for each in solution.choice.lsis for shape in each.values()]
        assert sorted(shapes) == ["orderId | @ date", "orderId | @ price"]
        assert sorted(str(each.index) for each in solution.requests.values()) == ["lsi1", "lsi2"]
        assert all(each.consistent and each.pk_field == "pk" for each in solution.requests.values())
        assert failure(solution) == ""

    def test_without_them_such_a_spec_cannot_be_met(self):
        with pytest.raises(DesignError):
            lines(BY_DATE, BY_NUMBER, lsis=False)

    def test_a_collection_that_outgrows_ten_gigabytes_has_none(self):
        # 100 million lines of 1,000 orders: 100,000 lines of 20 KB are 2 GB a collection, of 120 KB 12 GB
        orders_of = {"attributes": {**LINE["attributes"], "orderId": {"type": "string", "cardinality": 1000}}}
        small = lines(BY_DATE, line={**orders_of, "count": 100e6, "size_bytes": 20_000})
        assert len(small.choice.lsis) == 1
        with pytest.raises(DesignError):
            lines(BY_DATE, line={**orders_of, "count": 100e6, "size_bytes": 120_000})

    def test_one_local_index_holds_a_shape_of_each_entity(self):
        spec = {
            "name": "lines",
            "entities": {"Line": LINE, "Note": {**LINE, "id": ["orderId", "noteId"]}},
            "access_patterns": [
                BY_DATE,
                {**BY_NUMBER, "entity": "Note"},
                CHANGE,
                {**CHANGE, "id": "n", "entity": "Note"},
            ],
            "constraints": {"lsis": True, "key_style": "plain"},
        }
        spec["entities"]["Note"]["attributes"] = {**LINE["attributes"], "noteId": "string"}
        spec["access_patterns"][-1]["by"] = ["orderId", "noteId"]
        solution = solve(spec, aim="gsis")
        assert [sorted(each) for each in solution.choice.lsis] == [["Line", "Note"]]
        assert failure(solution) == ""


BIG = {**ORDER, "size_bytes": 9000}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"], "rate": 100}
SELDOM = {**OF_REGION, "rate": 0.5}
BRIEF = {**OF_REGION, "rate": 50, "returns": ["orderId", "date"]}


class TestProjections:
    def test_a_list_that_is_seldom_read_of_large_items_often_written_holds_only_keys(self):
        solution = orders(GET, PUT, PAY, SELDOM, entities={"Order": BIG})
        assert [each.kind for each in solution.choice.projections] == ["KEYS_ONLY"]
        request = solution.requests["of-region"]
        assert request.then is not None
        assert (request.then.operation, str(request.then.pk)) == ("BatchGetItem", "{pk}")
        assert failure(solution) == ""

    def test_it_is_paid_for_key_by_key_and_item_by_item(self):
        # ten entries of 60 bytes are one step of 4 KB, halved; ten items of 9,000 bytes are three steps each, halved
        assert orders(GET, PUT, PAY, SELDOM, entities={"Order": BIG}).choice.plans["of-region"].units == 0.5 + 10 * 1.5

    def test_a_list_of_a_few_attributes_holds_those(self):
        solution = orders(GET, PUT, PAY, BRIEF, entities={"Order": BIG})
        (projection,) = solution.choice.projections
        assert (projection.kind, projection.attributes) == ("INCLUDE", ("date", "orderId"))
        (index,) = write_table(solution).tables[0].gsis
        assert index.projection.attributes == ("_type", "date", "orderId")
        assert failure(solution) == ""

    @pytest.mark.parametrize("style", ["plain", "electrodb"])
    def test_whoever_asks_for_more_fetches_the_items_by_the_keys_of_the_same_index(self, style: str):
        whole = {**SELDOM, "id": "whole"}
        found = {**PLAIN, "key_style": style}
        solution = orders(GET, PUT, PAY, BRIEF, whole, entities={"Order": BIG}, constraints=found)
        (projection,) = solution.choice.projections
        assert (projection.kind, projection.attributes) == ("INCLUDE", ("date", "orderId"))
        assert solution.requests["of-region"].then is None
        assert solution.requests["whole"].then is not None
        assert layout_of(write_table(solution)).reads == solution.layout.reads
        assert failure(solution) == ""

    def test_a_filter_needs_what_it_filters_by(self):
        solution = orders(
            GET, PUT, PAY, {**BRIEF, "limit": None, "filter": {"urgent": "param"}}, entities={"Order": BIG}
        )
        assert "urgent" in solution.choice.projections[0].attributes
        assert failure(solution) == ""

    def test_small_items_are_held_whole(self):
        assert [each.kind for each in orders(GET, PUT, PAY, SELDOM).choice.projections] == ["ALL"]

    def test_a_whole_item_that_is_wanted_there_keeps_the_index_whole(self):
        often = {**OF_REGION, "id": "often", "rate": 5000}
        solution = orders(GET, PUT, PAY, BRIEF, often, entities={"Order": BIG}, constraints={**PLAIN, "max_gsis": 1})
        assert [each.kind for each in solution.choice.projections] == ["ALL"]


READING: dict[str, Any] = {
    "id": ["deviceId", "takenAt"],
    "attributes": {
        "deviceId": {"type": "string", "cardinality": 100},
        "takenAt": "timestamp",
        "value": {"type": "number", "required": True},
    },
    "count": 1_000_000_000,
    "size_bytes": 200,
}
BETWEEN = {
    "id": "between",
    "kind": "query",
    "entity": "Reading",
    "by": ["deviceId"],
    "range": {"attr": "takenAt", "op": "between"},
    "sort": "takenAt desc",
    "rate": 1,
}
TAKE = {"id": "take", "kind": "write", "op": "put", "entity": "Reading", "by": ["deviceId", "takenAt"], "rate": 500}
READ_ONE = {"id": "one", "kind": "get", "entity": "Reading", "by": ["deviceId", "takenAt"], "rate": 1}


def readings(*patterns: dict[str, Any], **reading: Any) -> Solution:
    spec = {"name": "iot", "entities": {"Reading": {**READING, **reading}}, "access_patterns": [*patterns, TAKE]}
    return solve({**spec, "constraints": PLAIN}, aim="cost")


class TestTimeBuckets:
    def test_what_grows_beyond_ten_gigabytes_is_cut_by_time(self):
        # in three years 500 a second are 47.3 billion readings, with those there are 48.3, of 300 bytes for 100
        # devices: 145 GB a device, 4 GB a month
        solution = readings(BETWEEN, READ_ONE)
        assert str(solution.choice.base["Reading"]) == "deviceId takenAt:7 | @ takenAt"
        request = solution.requests["between"]
        assert (request.for_each, str(request.bucket)) == ({"_bucket": ()}, "takenAt:7")
        assert "_bucket" in request.pk.names
        assert solution.requests["one"].operation == "GetItem"
        assert failure(solution) == ""

    def test_the_period_is_the_longest_that_fits(self):
        # ten times the size is 40 GB a month and device, 1.3 GB a day
        assert readings(BETWEEN, size_bytes=2900).choice.base["Reading"].bucket == "takenAt:10"

    def test_a_question_without_an_end_leaves_the_partition_whole(self):
        newest = {**BETWEEN, "id": "newest", "limit": 10}
        del newest["range"]
        assert readings(newest, READ_ONE).choice.base["Reading"].bucket == ""

    def test_what_stays_small_is_not_cut(self):
        assert readings(BETWEEN, ttl={"days": 30}, size_bytes=100).choice.base["Reading"].bucket == ""


class TestCopies:
    def test_any_key_can_be_a_copy(self):
        strong = {**OF_REGION, "consistency": "strong"}
        by_status = {**OF_REGION, "id": "strong-status", "by": ["status"], "sort": "date", "consistency": "strong"}
        get, change = {**GET, "consistency": "strong"}, {**PAY, "changes": ["urgent"]}
        solution = orders(get, change, strong, by_status, constraints={**PLAIN, "copies": "any"})
        copies = [str(shape) for shapes in solution.choice.second_items.values() for shape in shapes]
        bases = [str(shape) for shape in solution.choice.base.values()]
        assert sorted([*copies, *bases]) == sorted(
            ["orderId | @", "region | @ date orderId", "status | @ date orderId"]
        )
        assert failure(solution) == ""

    def test_one_that_changes_moves(self):
        by_status = {**OF_REGION, "id": "strong-status", "by": ["status"], "consistency": "strong"}
        assert failure(orders(GET, PAY, by_status, constraints={**PLAIN, "copies": "any"})) == ""


URGENT = {**OF_REGION, "id": "urgent", "rate": 20, "filter": {"urgent": True}, "selectivity": 0.01}


class TestFilters:
    def test_a_filter_with_a_fixed_value_becomes_part_of_the_key(self):
        solution = orders(GET, PAY, URGENT)
        request = solution.requests["urgent"]
        assert request.filters == ()
        assert "true" in f"{request.pk} {request.sk}"
        assert [each.name for each in pattern_of(solution, "urgent").parameters] == ["region"]
        assert failure(solution) == ""

    def test_a_filter_with_a_parameter_does_so_too(self):
        solution = orders(GET, PAY, {**URGENT, "filter": {"status": "param"}})
        request = solution.requests["urgent"]
        assert request.filters == ()
        assert "{status}" in f"{request.pk} {request.sk}"
        assert failure(solution) == ""

    def test_what_is_left_to_a_filter_is_read_and_paid_for(self):
        # no limit is sent with a filter: all there are in a region are read, 100,000 / 20, which are less than a page
        whole = orders(GET, PAY, {**OF_REGION, "rate": 20}).choice
        shape = whole.slots[0]["Order"]
        served = serve(assumed(URGENT), spec_pattern(URGENT), shape, in_table=False)
        assert served is not None
        assert (served.keyed, served.read_items, served.returned_items) == ((), 5000, 10)

    def test_a_value_is_compared_as_what_it_is(self):
        entities = {"Order": {**ORDER, "count": 100}}
        solution = orders(GET, PAY, {**OF_REGION, "rate": 20}, {**URGENT, "rate": 0.001}, entities=entities)
        assert failure(solution) == ""


def pattern_of(solution: Solution, name: str) -> Any:
    return next(each for each in write_table(solution).patterns if each.id == name)


def assumed(pattern: dict[str, Any]) -> Facts:
    return assume(read_spec({"name": "orders", "entities": {"Order": ORDER}, "access_patterns": [pattern]}))


def spec_pattern(pattern: dict[str, Any]) -> PatternSpec:
    return assumed(pattern).spec.patterns[0]


class TestCopiesInCollections:
    @pytest.mark.parametrize("style", ["plain", "electrodb"])
    def test_an_edge_lies_with_what_it_comes_from_and_its_copy_with_what_it_leads_to(self, style: str):
        edge = {"userId": "string", "pageId": "string", "since": "timestamp"}
        spec = {
            "name": "graph",
            "entities": {
                "User": {"id": ["userId"], "attributes": {"userId": "string", "name": "string"}},
                "Page": {"id": ["pageId"], "attributes": {"pageId": "string", "title": "string"}},
                "Like": {"id": ["userId", "pageId"], "attributes": edge},
            },
            "access_patterns": [
                {"id": "user", "kind": "query", "entities": ["User", "Like"], "by": ["userId"]},
                {"id": "page", "kind": "query", "entities": ["Page", "Like"], "by": ["pageId"]},
                {"id": "like", "kind": "write", "op": "put", "entity": "Like", "by": ["userId", "pageId"]},
                {"id": "unlike", "kind": "write", "op": "delete", "entity": "Like", "by": ["userId", "pageId"]},
            ],
            "constraints": {"key_style": style},
        }
        solution = solve(spec, aim="gsis")
        assert solution.choice.slots == ()
        (copy,) = solution.choice.second_items["Like"]
        assert {copy.partition, solution.choice.base["Like"].partition} == {("userId",), ("pageId",)}
        assert failure(solution) == ""
