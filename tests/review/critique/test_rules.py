"""Every rule, once on a design that it passes and once on one that it does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablewright.architect.designer import design
from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.cost.predict import predict
from tablewright.design.cost.report import table_cost
from tablewright.design.cost.units.volumes import estimate
from tablewright.design.model import SortCondition
from tablewright.design.values.templates import KeyTemplate, Template
from tablewright.review.case import cases_of
from tablewright.review.critique.rules import RULES, apply_rule, check_table, critique
from tablewright.spec.conditions import compare
from tests.review.applications import (
    CASES,
    GET_TASK,
    HOLDS,
    PROJECT,
    PROJECT_WITH_TASKS,
    PUT_TASK,
    TASK,
    app,
    board,
    made,
)

EVENT: dict[str, Any] = {
    "id": ["device", "time"],
    "attributes": {"device": {"type": "string", "cardinality": 1000}, "time": "timestamp", "note": "string"},
    "count": 1_000_000,
    "size_bytes": 500,
}
LAST = {"id": "last", "kind": "query", "entity": "Event", "by": "device", "sort": "time desc", "limit": 10, "rate": 1}
PUT = {"id": "put", "kind": "write", "op": "put", "entity": "Event", "by": ["device", "time"], "rate": 1}


def check(id_, case):
    rule = next(each for each in RULES if each.id == id_)
    return apply_rule(rule, case)


def events(*patterns, event=None, **changed):
    return app(
        {"Event": {**EVENT, **(event or {})}},
        {**LAST, **changed.pop("last", {})},
        {**PUT, **changed.pop("put", {})},
        *patterns,
        **changed,
    )


def with_step(case, id_, **changes):
    """With another request for a read."""
    steps = {**case.steps, id_: msgspec.structs.replace(case.steps[id_], **changes)}
    return msgspec.structs.replace(case, steps=steps)


def with_pk(case, id_, text):
    return with_step(case, id_, pk=(KeyTemplate("pk", Template.parse(text)),))


def with_sk(case, id_, operator, low, high=None, **changes):
    ends = {"low": Template.parse(low), "high": None if high is None else Template.parse(high)}
    return with_step(
        case, id_, operation="Query", sk=(SortCondition(field="sk", operator=operator, **ends),), **changes
    )


def without_step(case, id_):
    steps = {each: step for each, step in case.steps.items() if each != id_}
    return msgspec.structs.replace(case, steps=steps)


def with_settings(case, **settings):
    return msgspec.structs.replace(case, table=msgspec.structs.replace(case.table, **settings))


def with_index(case, id_, index):
    reads = {**case.layout.reads, id_: msgspec.structs.replace(case.layout.reads[id_], index=index)}
    return msgspec.structs.replace(case, layout=msgspec.structs.replace(case.layout, reads=reads))


# ---- keys -----------------------------------------------------------------------------------------------------------


def test_tw101_scans():
    design = events()
    assert check("TW101", design).passed
    assert check("TW101", without_step(design, "last")).remains == "last has no key to ask by."


def test_tw102_few_partition_keys():
    assert check("TW102", events()).passed
    everything = {"id": "all", "kind": "query", "entity": "Event", "by": [], "sort": "time", "limit": 10}
    found = check("TW102", events(everything))
    assert "1 partition key (" in found.remains
    assert "for 1,000,000 Event items; it bears " in found.remains


def test_tw102_few_items_may_lie_together():
    everything = {"id": "all", "kind": "query", "entity": "Event", "by": [], "sort": "time", "limit": 10}
    assert check("TW102", events(everything, event={"count": 900})).passed


def test_tw103_a_busy_end():
    assert check("TW103", events()).passed
    still = {"growth_per_month": 0}
    found = check("TW103", events(put={"rate": {"avg": 10, "peak": 600}, "skew": {"hottest": 1.0}}, event=still))
    assert found.remains == "table: DEVICE#{device} is sorted by time and used to 60% at peak."
    assert check("TW103", events(put={"rate": {"avg": 10, "peak": 900}, "skew": {"hottest": 1.0}}, event=still)).passed


def test_tw112_tenants():
    entity = {"id": "orderId", "attributes": {"orderId": "string", "tenantId": {"type": "string", "required": True}}}
    get = {"id": "get", "kind": "get", "entity": "Order", "by": ["tenantId", "orderId"], "tenant": "tenantId"}
    design = app({"Order": entity}, get)
    inside = with_pk(design, "get", "TENANT#{tenantId}#{orderId}")
    outside = with_pk(design, "get", "ORDER#{orderId}")
    assert check("TW112", inside).passed
    assert check("TW112", outside).remains == "get reads ORDER#{orderId}, which does not hold tenantId."


def test_tw113_numbers_as_text():
    manager = made(next(each for each in CASES if each.stem == "task-manager"))
    found = check("TW113", manager)
    assert found.remains.startswith("Employee.salary is declared as text and AP9 orders by it")
    assert check("TW113", events()).passed


@pytest.mark.parametrize(("kind", "passed"), [("string", False), ("number", True)])
def test_tw113_goes_by_the_declared_type(kind, passed):
    entity = {"id": "player", "attributes": {"player": "string", "game": "string", "score": kind}}
    best = {"id": "best", "kind": "query", "entity": "Score", "by": "game", "sort": "score desc", "limit": 10}
    assert check("TW113", app({"Score": entity}, best)).passed is passed


@pytest.mark.parametrize(
    ("name", "kind", "passed"), [("total", "number", False), ("totalCents", "number", True), ("total", "string", True)]
)
def test_tw114_money(name, kind, passed):
    entity = {"id": "orderId", "attributes": {"orderId": "string", name: kind}}
    found = check("TW114", app({"Order": entity}, {"id": "get", "kind": "get", "entity": "Order", "by": "orderId"}))
    assert found.passed is passed
    assert passed or found.remains == "Order.total: use Decimal or whole cents, never float."


def test_tw117_prefixes_that_other_types_share():
    design = app(
        {"Order": {**PROJECT, "id": "projectId"}, "OrderItem": TASK},
        {**PROJECT_WITH_TASKS, "entities": ["Order", "OrderItem"]},
        {"id": "order", "kind": "query", "entity": "Order", "by": "projectId"},
    )
    assert check("TW117", design).passed
    open_ended = with_sk(design, "order", "begins_with", "ORDER")
    assert check("TW117", open_ended).remains.startswith(
        "order asks begins_with ORDER and also gets OrderItem (ORDER_ITEM"
    )
    closed = with_sk(design, "order", "between", "ORDER", "ORDER#\U0010ffff")
    assert check("TW117", closed).passed
    filtered = with_sk(
        design, "order", "begins_with", "ORDER", filters=(compare(design.layout.type_field, "in", "Order"),)
    )
    assert check("TW117", filtered).passed


def test_tw118_ids_that_the_key_does_not_keep_unique():
    assert check("TW118", events()).passed
    found = check("TW118", board(PUT_TASK))
    assert found.remains.startswith("Task: the key holds projectId besides taskId;")


def test_tw122_partitions_beyond_their_limit():
    assert check("TW122", events()).passed
    counter = {"id": "name", "attributes": {"name": "string", "total": "number"}, "count": 100, "size_bytes": 50}
    add = {
        "id": "add",
        "kind": "write",
        "op": "update",
        "entity": "Counter",
        "by": "name",
        "changes": ["total"],
        "rate": {"avg": 100, "peak": 50_000},
        "skew": {"hottest": 1.0},
    }
    found = check(
        "TW122", app({"Counter": counter}, {"id": "get", "kind": "get", "entity": "Counter", "by": "name"}, add)
    )
    assert "50,000 units a second" in found.remains


# ---- requests -------------------------------------------------------------------------------------------------------


def test_tw106_filters_that_throw_away():
    kind = {"note": {"type": "string", "values": ["a", "b", "c", "d"], "required": True}}
    event = {"attributes": {**EVENT["attributes"], **kind}, "count": 8000}
    notes = {"id": "noted", "kind": "query", "entity": "Event", "by": "device", "filter": {"note": "a"}, "rate": 1}
    found = check("TW106", events({**notes, "selectivity": 0.25}, event=event))
    # 8 events a device, of which a quarter is left
    assert found.remains == "noted reads 8 items to return 2."
    assert check("TW106", events({**notes, "selectivity": 0.5}, event=event)).passed


def test_tw116_strong_reads_from_an_index():
    design = events(last={"consistency": "strong"})
    assert check("TW116", design).passed
    assert check("TW116", with_index(design, "last", "gsi1")).remains == (
        "last must see the last write and reads gsi1."
    )


def test_tw119_what_a_delete_goes_on_to_is_no_transaction():
    drop = {"id": "drop", "kind": "write", "op": "delete", "entity": "Project", "by": "projectId"}
    assert check("TW119", board(PUT_TASK, drop, holds={"cascade": True, "avg": 150, "max": 1000})).passed


def test_tw119_transactions_that_write_too_many_children():
    place = {"id": "place", "kind": "write", "op": "transact", "entities": ["Project", "Task"], "by": ["title"]}
    found = check("TW119", board(place, holds={"avg": 150, "max": 200}))
    assert found.remains == "place writes 151 items in one transaction."


def test_tw120_answers_of_several_pages():
    assert check("TW120", events(last={"limit": None})).passed
    # 5,000 events of 500 bytes are 2.4 MB
    found = check("TW120", events(last={"limit": None}, event={"count": 5_000_000}))
    assert found.remains == "last reads 2.4 MB, 3 pages: give it a limit and a cursor."


def test_tw121_reads_that_ask_many_partitions():
    hot, still = {"skew": {"hottest": 1.0}}, {"growth_per_month": 0}
    assert check("TW121", events(put={**hot, "rate": {"avg": 10, "peak": 7000}}, event=still)).passed
    found = check("TW121", events(put={**hot, "rate": {"avg": 10, "peak": 11_000}}, event=still))
    assert found.remains == "last asks 16 partitions for one answer: as slow as the slowest of them."


def test_tw123_writes_that_look_up_their_item():
    """The board must see the last write, so that tasks lie in the table by their project."""
    done = {"id": "done", "kind": "write", "op": "update", "entity": "Task", "by": "taskId", "changes": ["points"]}
    patterns = ({**PROJECT_WITH_TASKS, "consistency": "strong"}, PUT_TASK, GET_TASK)
    found = check("TW123", app({"Project": PROJECT, "Task": TASK}, *patterns, done, relationships=[HOLDS]))
    assert found.remains == "done finds the key of Task in gsi1, which lags: put what it found into the condition."
    known = {**done, "by": ["taskId", "projectId"]}
    assert check("TW123", app({"Project": PROJECT, "Task": TASK}, *patterns, known, relationships=[HOLDS])).passed


# ---- sizes and settings ---------------------------------------------------------------------------------------------


def test_tw104_collections_that_grow():
    assert check("TW104", events()).passed
    # a million events a month over 10 devices: in 36 months 3.7 million of 500 bytes each is little, of 50,000 not
    event = {"growth_per_month": 1_000_000, "size_bytes": 50_000}
    few = {**EVENT["attributes"], "device": {"type": "string", "cardinality": 10}}
    found = check("TW104", events(event={**event, "attributes": few}))
    assert "DEVICE#{device} grows to " in found.remains
    assert "in 36 months" in found.remains


def test_tw105_large_items():
    assert check("TW105", events()).passed
    event = {"attributes": {**EVENT["attributes"], "note": {"type": "string", "max": 300 * 1024}}}
    assert check("TW105", events(event=event)).remains.startswith("Event has up to 30")


def test_tw105_lists_without_end():
    event = {"attributes": {**EVENT["attributes"], "marks": "list"}}
    mark = {
        "id": "mark",
        "kind": "write",
        "op": "update",
        "entity": "Event",
        "by": ["device", "time"],
        "changes": ["marks"],
    }
    assert "Event.marks can grow without end" in check("TW105", events(mark, event=event)).remains
    assert check("TW105", events(event=event)).passed


def by_state(rate):
    return {
        "id": "of-state",
        "kind": "query",
        "entity": "Task",
        "by": ["state"],
        "sort": "due",
        "limit": 5,
        "rate": rate,
    }


def test_tw107_indexes_kept_for_something_rare():
    put = {**PUT_TASK, "rate": 100}
    rare = check("TW107", board(put, by_state(0.01), GET_TASK))
    assert "serves of-state alone" in rare.remains
    assert check("TW107", board({**PUT_TASK, "rate": 0.1}, by_state(50), GET_TASK)).passed


def with_whole_items(case):
    reads = {id_: msgspec.structs.replace(each, fetches=False) for id_, each in case.layout.reads.items()}
    layout = msgspec.structs.replace(case.layout, projections={}, reads=reads)
    volumes = estimate(layout)
    predictions = {each: predict(layout, each, volumes) for each in case.predictions}
    return msgspec.structs.replace(
        case, layout=layout, cost=table_cost(layout), volumes=volumes, predictions=predictions
    )


def test_tw108_whole_items_whose_readers_want_less():
    many = {"count": 2_000_000, "size_bytes": 5000}
    silent = board(PUT_TASK, by_state(5), GET_TASK, task=many, project={"count": 100_000})
    assert check("TW108", silent).passed  # nobody says what is returned
    want = ({**by_state(5), "returns": ["taskId", "due"]}, {**GET_TASK, "returns": ["taskId"]})
    said = board(PUT_TASK, *want, task=many, project={"count": 100_000})
    assert check("TW108", said).passed  # the design chose a smaller projection
    found = check("TW108", with_whole_items(said))
    assert "holds whole items, its readers want due and taskId: " in found.remains


def test_tw109_and_tw110_settings():
    design = events()
    assert check("TW109", design).passed
    assert check("TW110", design).passed
    assert check("TW109", with_settings(design, pitr=False)).remains.startswith("off; ")
    assert (
        check("TW110", with_settings(design, deletion_protection=False)).remains == "off; one call deletes the table."
    )


def test_tw130_recovery_of_what_is_gone_within_a_week():
    assert check("TW130", events()).passed
    assert check("TW130", events(event={"ttl": 8})).passed
    week = events(event={"ttl": 7})
    # a million events of 500 bytes, and 100 that storage adds, at $0.20
    assert check("TW130", week).remains.startswith(
        f"all that is in the table (Event) expires within 7 days, and recovery costs ${600e6 / 2**30 * 0.2:.2f} a month"
    )
    off = events(event={"ttl": 7}, billing={"pitr": False})
    assert check("TW130", off).passed
    assert check("TW109", off).passed
    assert not check("TW109", events(event={"ttl": 8}, billing={"pitr": False})).passed


def test_tw130_a_part_of_the_table_that_is_gone_within_a_week():
    often = {**PUT_TASK, "rate": 38}
    design = board(often, GET_TASK, task={"ttl": 1, "count": 10_000_000}, project={"count": 500_000})
    # ten million tasks of 1,100 bytes of 11 GB (10^9), and half a million projects of 600 bytes
    usd = (10e6 * 1100 / 2**30 * 0.2, 0.5e6 * 600 / 2**30 * 0.2)
    found = check("TW130", design).remains
    assert found.startswith(f"Task expires within 7 days and is ${usd[0]:.2f} of the ${sum(usd):.2f} a month")
    few = board(PUT_TASK, GET_TASK, task={"ttl": 1, "count": 2000}, project={"count": 10_000_000})
    assert check("TW130", few).passed


def test_tw111_local_indexes_end_a_collection():
    design = events()
    assert check("TW111", design).passed
    limited = tuple(
        msgspec.structs.replace(each, is_limited=True, largest_bytes={**each.largest_bytes, "36": 6 * 2**30})
        for each in design.heat.collections
    )
    heat = msgspec.structs.replace(design.heat, collections=limited)
    found = check("TW111", msgspec.structs.replace(design, heat=heat))
    assert found.remains == "DEVICE#{device} reaches 6 GB in 36 months, and writes stop at 10 GB."


@pytest.mark.parametrize(("kind", "passed"), [("number", True), ("timestamp", False), ("string", False)])
def test_tw115_times_of_expiry(kind, passed):
    event = {"attributes": {**EVENT["attributes"], "gone": kind}, "ttl": {"days": 30, "attribute": "gone"}}
    found = check("TW115", events(event=event))
    assert found.passed is passed
    assert passed or found.remains == f"Event.gone is {kind}: items would never expire."


# ---- several regions ------------------------------------------------------------------------------------------------

BOTH = ["us-east-1", "eu-west-1"]
PUT_USER = {"id": "put", "kind": "write", "op": "put", "entity": "User", "by": "userId", "rate": 1}
COUNT = {
    "id": "count",
    "kind": "write",
    "op": "update",
    "entity": "User",
    "by": "userId",
    "changes": {"visits": {"add": 1}},
    "rate": 1,
}
RENAME = {**COUNT, "id": "rename", "changes": ["name"]}
GET_USER = {"id": "get", "kind": "get", "entity": "User", "by": "userId", "rate": 1}


def users(*patterns, regions=BOTH, **user):
    attributes = {"name": "string", "email": {"required": True}, "visits": "number"}
    entity = {"id": "userId", "attributes": attributes, "count": 1000, **user}
    return app({"User": entity}, GET_USER, *patterns, regions=regions)


def at_home(pattern):
    return {**pattern, "regions": "us-east-1"}


def test_tw131_is_asked_of_several_regions_alone():
    assert "TW131" not in [each.id for each in check_table(users(COUNT, regions=BOTH[:1]))]
    assert check("TW131", users(at_home(COUNT), at_home(RENAME))).passed
    assert check("TW131", users(PUT_USER)).passed  # new items do not meet


@pytest.mark.parametrize(
    ("case", "words"),
    [
        (users(COUNT), "User: count adds to visits, and of two adds at the same time in two regions one is lost"),
        (users(RENAME), "User: of two writes at the same time by rename the later wins"),
        (users(at_home(RENAME), {**COUNT, "regions": "eu-west-1"}), "by rename the later wins"),
        (users(PUT_USER, unique=["email"]), "User: the same email can be taken in two regions at the same time"),
        (users({**RENAME, "when": "visits > 5"}), "User: rename checks a condition that holds in one region alone"),
        (users(RENAME, PUT_USER, version=True), "rename and put check a condition"),
        (users(PUT_USER, unique=["email"]), "put is a transaction, whole in one region alone"),
        (users({**GET_USER, "id": "strong", "consistency": "strong"}, PUT_USER), "strong reads strongly"),
        (users(COUNT), "all of them in us-east-1 (say `regions: [us-east-1]` at the pattern)"),
        (users(COUNT), "(MRSC) refuse the second write, but do not allow 2 regions (only 3) and regions in several"),
        (users(COUNT, regions=["us-east-1", "us-east-2", "us-west-2"]), "(MRSC), which this design allows"),
        (
            users(PUT_USER, unique=["email"], ttl="300d", regions=["us-east-1", "us-east-2", "us-west-2"]),
            "do not allow transactions and items that expire",
        ),
    ],
    ids=range(12),
)
def test_tw131_what_two_regions_lose(case, words):
    found = check("TW131", case)
    assert not found.passed
    assert words in found.remains


def test_tw131_unique_values_given_at_home_are_unique():
    found = check("TW131", users(at_home(PUT_USER), RENAME, unique=["email"]))
    assert "email" not in found.remains
    assert "rename" in found.remains


# ---- all of them ----------------------------------------------------------------------------------------------------


def test_ids_are_unique_and_in_order_and_every_rule_has_a_source():
    ids = [each.id for each in RULES]
    assert ids == sorted(set(ids))
    assert all(each.sources and each.why for each in RULES)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_case_is_checked_by_every_rule(path):
    design = made(path)
    found = check_table(design)
    assert [each.id for each in found] == [each.id for each in RULES if each.id != "TW131"]  # of several regions
    assert all(each.passed == (not each.remains) for each in found)
    assert next(each for each in found if each.id == "TW101").passed
    assert next(each for each in found if each.id == "TW116").passed
    assert next(each for each in found if each.id == "TW117").passed


def test_the_critique_of_a_design_is_that_of_its_table():
    whole = write_table(solve(CASES[0]))
    assert critique(whole) == whole.advice.critique == check_table(made(CASES[0]))


def test_several_tables_hold_a_rule_when_each_does():
    shop = design(next(each for each in CASES if each.stem == "online-shop"), tables="several")
    found = {each.id: each for each in critique(shop)}
    assert tuple(found.values()) == shop.advice.critique
    apart = [{each.id: each for each in check_table(case)} for case in cases_of(shop).values()]
    assert len(apart) > 1
    for id_, check_ in found.items():
        assert check_.passed == all(each[id_].passed for each in apart)


def test_recovery_follows_the_spec():
    off = events(billing={"pitr": False})
    assert not next(each for each in check_table(off) if each.id == "TW109").passed
