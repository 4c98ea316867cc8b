"""A design that is broken on purpose fails its proof, whatever it is that was broken."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from tablewright.architect.designer import design
from tablewright.design.model import Projection
from tablewright.design.values.templates import KeyTemplate, Template
from tablewright.proof.run import prove
from tablewright.spec.conditions import compare, exists

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.design.model import Design, ItemType, PatternDesign, ReadStep, WriteStep

SHOP: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "Order": {
            "id": ["orderId"],
            "count": 100_000,
            "attributes": {
                "orderId": "string",
                "customerId": {"type": "string", "required": True, "cardinality": 1000},
                "status": {"type": "string", "values": ["open", "paid", "sent"], "required": True},
                "date": {"type": "timestamp", "required": True, "immutable": True},
                "courier": "string",
                "urgency": "number",
                "total": {"type": "number", "required": True},
            },
        },
    },
    "access_patterns": [
        {"id": "order", "kind": "get", "entity": "Order", "by": ["orderId"]},
        {
            "id": "of-customer",
            "kind": "query",
            "entity": "Order",
            "by": ["customerId"],
            "sort": "date desc",
            "limit": 5,
        },
        {
            "id": "of-status",
            "kind": "query",
            "entity": "Order",
            "by": ["customerId", "status"],
            "range": {"attr": "date", "op": "between"},
        },
        {"id": "of-courier", "kind": "query", "entity": "Order", "by": ["courier"], "sort": "urgency"},
        {
            "id": "cheap",
            "kind": "query",
            "entity": "Order",
            "by": ["customerId"],
            "filter": {"total": "at most a number"},
            "selectivity": 0.5,
        },
        {"id": "place", "kind": "write", "op": "put", "entity": "Order", "by": ["orderId"], "condition": "not exists"},
        {
            "id": "assign",
            "kind": "write",
            "op": "update",
            "entity": "Order",
            "by": ["orderId"],
            "changes": ["courier", "status"],
            "when": "status <> {before}",
        },
        {"id": "cancel", "kind": "write", "op": "delete", "entity": "Order", "by": ["orderId"]},
        {"id": "correct", "kind": "write", "op": "update", "entity": "Order", "by": ["orderId"], "changes": ["total"]},
        {"id": "hurry", "kind": "write", "op": "update", "entity": "Order", "by": ["orderId"], "changes": ["urgency"]},
    ],
    "constraints": {"key_style": "plain"},
}
FOLLOW: dict[str, Any] = {"entity": "Follow", "by": ["fan", "star"]}
SOCIAL: dict[str, Any] = {
    "name": "social",
    "entities": {
        "Follow": {"id": ["fan", "star"], "attributes": {"fan": "string", "star": "string", "since": "timestamp"}}
    },
    "access_patterns": [
        {"id": "stars", "kind": "query", "entity": "Follow", "by": ["fan"]},
        {"id": "fans", "kind": "query", "entity": "Follow", "by": ["star"]},
        {**FOLLOW, "id": "follow", "kind": "write", "op": "put"},
        {**FOLLOW, "id": "unfollow", "kind": "write", "op": "delete"},
        {**FOLLOW, "id": "note", "kind": "write", "op": "update", "changes": ["since"]},
    ],
    "constraints": {"key_style": "plain"},
}
HOT: dict[str, Any] = {
    "name": "hot",
    "entities": {
        "Event": {
            "id": ["eventId"],
            "count": 1_000_000,
            "attributes": {
                "eventId": "string",
                "kind": {"type": "string", "values": ["a", "b"], "required": True},
                "at": {"type": "timestamp", "required": True},
            },
        }
    },
    "access_patterns": [
        {"id": "log", "kind": "write", "op": "put", "entity": "Event", "by": ["eventId"], "rate": 9000},
        {
            "id": "of-kind",
            "kind": "query",
            "entity": "Event",
            "by": ["kind"],
            "sort": "at desc",
            "limit": 9,
            "rate": 10,
        },
    ],
    "constraints": {"key_style": "plain"},
}


@cache
def whole(name: str) -> Design:
    return design({"shop": SHOP, "social": SOCIAL, "hot": HOT}[name], aim="gsis")


def with_pattern(made: Design, id_: str, change: Callable[[PatternDesign], PatternDesign]) -> Design:
    return replace(made, patterns=tuple(change(each) if each.id == id_ else each for each in made.patterns))


def with_read(made: Design, id_: str, **changes: Any) -> Design:
    def change(pattern: PatternDesign) -> PatternDesign:
        return replace(pattern, reads=tuple(replace(each, **changes) for each in pattern.reads))

    return with_pattern(made, id_, change)


def with_write(made: Design, id_: str, at: int, **changes: Any) -> Design:
    def change(pattern: PatternDesign) -> PatternDesign:
        steps = list(pattern.writes)
        steps[at] = replace(steps[at], **changes)
        return replace(pattern, writes=tuple(steps))

    return with_pattern(made, id_, change)


def with_items(made: Design, change: Callable[[ItemType], ItemType]) -> Design:
    return replace(made, items=tuple(change(each) for each in made.items))


def read_of(made: Design, id_: str) -> ReadStep:
    return next(each for each in made.patterns if each.id == id_).reads[0]


def writes_of(made: Design, id_: str) -> tuple[WriteStep, ...]:
    return next(each for each in made.patterns if each.id == id_).writes


# ---- one function for every way to break a design -------------------------------------------------------------------


def wrong_direction(made: Design) -> Design:
    return with_read(made, "of-customer", backwards=not read_of(made, "of-customer").backwards)


def limit_too_large(made: Design) -> Design:
    return with_read(made, "of-customer", limit=6)


def limit_too_small(made: Design) -> Design:
    return with_read(made, "of-customer", limit=4)


def limit_forgotten(made: Design) -> Design:
    return with_read(made, "of-customer", limit=None)


def filter_dropped(made: Design) -> Design:
    return with_read(made, "cheap", filters=())


def filter_turned(made: Design) -> Design:
    found = [each.comparison for each in read_of(made, "cheap").filters]
    return with_read(made, "cheap", filters=tuple(compare(each.attribute, ">", *each.values) for each in found))


def range_cut_short(made: Design) -> Design:
    (condition,) = read_of(made, "of-status").sk
    return with_read(made, "of-status", sk=(replace(condition, high=condition.low),))


def sort_condition_dropped(made: Design) -> Design:
    return with_read(made, "of-status", sk=())


def wrong_index(made: Design) -> Design:
    step = read_of(made, "of-courier")
    return with_read(made, "of-courier", index=None, pk=(KeyTemplate("pk", step.pk[0].template),), sk=())


def strong_read_of_an_index(made: Design) -> Design:
    return with_read(made, "of-courier", consistent=True)


def other_label(made: Design) -> Design:
    step = read_of(made, "of-customer")
    return with_read(
        made, "of-customer", pk=tuple(replace(k, template=Template("x", *k.template.parts)) for k in step.pk)
    )


def keys_only(made: Design) -> Design:
    (table,) = made.tables
    gsis = tuple(replace(each, projection=Projection("KEYS_ONLY")) for each in table.gsis)
    return replace(made, tables=(replace(table, gsis=gsis),))


def create_overwrites(made: Design) -> Design:
    return with_write(made, "place", 0, condition=None)


def condition_dropped(made: Design) -> Design:
    return with_write(made, "assign", 0, condition=exists("pk"))


def update_makes_items(made: Design) -> Design:
    return with_write(made, "correct", 0, condition=None)


def stale_index_key(made: Design) -> Design:
    step = writes_of(made, "assign")[0]
    kept = {path: each for path, each in step.set.items() if not path.name.startswith("gsi")}
    return with_write(made, "assign", 0, set=kept)


def half_an_index_key(made: Design) -> Design:
    step = writes_of(made, "assign")[0]
    kept = {path: each for path, each in step.set.items() if not re.fullmatch(r"gsi\d+sk", path.name)}
    return with_write(made, "assign", 0, set=kept)


def races_ignored(made: Design) -> Design:
    return with_write(made, "assign", 0, unchanged=())


def attribute_forgotten(made: Design) -> Design:
    step = writes_of(made, "assign")[0]
    return with_write(made, "assign", 0, set={path: each for path, each in step.set.items() if path.name != "courier"})


def copy_not_written(made: Design) -> Design:
    return with_pattern(made, "follow", lambda each: replace(each, writes=each.writes[:1]))


def copy_not_updated(made: Design) -> Design:
    return with_pattern(made, "note", lambda each: replace(each, writes=each.writes[:1]))


def copy_left_behind(made: Design) -> Design:
    return with_pattern(made, "unfollow", lambda each: replace(each, writes=each.writes[:1]))


def original_left_behind(made: Design) -> Design:
    return with_pattern(made, "unfollow", lambda each: replace(each, writes=each.writes[1:]))


def not_together(made: Design) -> Design:
    return with_pattern(made, "follow", lambda each: replace(each, transaction=False))


def wrong_item(made: Design) -> Design:
    step = writes_of(made, "cancel")[0]
    return with_write(
        made, "cancel", 0, key=tuple(replace(each, template=Template(*each.template.parts, "x")) for each in step.key)
    )


def no_delimiters(made: Design) -> Design:
    """Keys run together: two different pairs of values are one key."""

    def bare(template: KeyTemplate) -> KeyTemplate:
        parts = (part.replace("#", "") if isinstance(part, str) else part for part in template.template.parts)
        return replace(template, template=Template(*parts))

    def change(item: ItemType) -> ItemType:
        keys = (replace(k, pk=tuple(map(bare, k.pk)), sk=tuple(map(bare, k.sk))) for k in item.keys)
        return replace(item, keys=tuple(keys))

    return with_items(made, change)


def id_left_out(made: Design) -> Design:
    """All orders overwrite each other."""

    def change(item: ItemType) -> ItemType:
        keys = (
            replace(k, pk=tuple(replace(t, template=Template(t.template.stem)) for t in k.pk)) if k.index is None else k
            for k in item.keys
        )
        return replace(item, keys=tuple(keys))

    return with_items(made, change)


def missing_index(made: Design) -> Design:
    (table,) = made.tables
    return replace(made, tables=(replace(table, gsis=table.gsis[:-1]),))


SHOPS = [
    wrong_direction,
    limit_too_large,
    limit_too_small,
    limit_forgotten,
    filter_dropped,
    filter_turned,
    range_cut_short,
    sort_condition_dropped,
    wrong_index,
    strong_read_of_an_index,
    other_label,
    keys_only,
    create_overwrites,
    condition_dropped,
    update_makes_items,
    stale_index_key,
    half_an_index_key,
    races_ignored,
    attribute_forgotten,
    wrong_item,
    no_delimiters,
    id_left_out,
    missing_index,
]
SOCIALS = [copy_not_written, copy_not_updated, copy_left_behind, original_left_behind, not_together]
BROKEN = [*(("shop", each) for each in SHOPS), *(("social", each) for each in SOCIALS)]


@pytest.mark.parametrize("name", ["shop", "social"])
def test_as_it_is_the_design_passes(name: str):
    report = prove(whole(name))
    assert report.failure == ""
    assert report.passed


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=lambda each: getattr(each, "__name__", each))
def test_broken(name: str, broken: Callable[[Design], Design]):
    made = broken(whole(name))
    assert made != whole(name)
    report = prove(made, rounds=12)
    assert not report.passed
    assert report.failure


class TestShards:
    def test_as_it_is_the_design_passes(self):
        assert read_of(whole("hot"), "of-kind").shards > 1
        assert prove(whole("hot")).failure == ""

    @pytest.mark.parametrize("change", [{"shards": 1}, {"backwards": False}, {"limit": 10}])
    def test_broken(self, change: dict[str, Any]):
        assert not prove(with_read(whole("hot"), "of-kind", **change)).passed

    def test_one_shard_too_few(self):
        shards = read_of(whole("hot"), "of-kind").shards - 1
        assert not prove(with_read(whole("hot"), "of-kind", shards=shards)).passed
