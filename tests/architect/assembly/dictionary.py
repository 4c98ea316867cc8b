"""Reads of an application over dictionaries, and the same questions put to a design that runs on the engine."""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from tablewright.architect.pipeline import write_table
from tablewright.architect.solution import solve
from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.reads import read_page
from tablewright.design.steps.values import stored_item
from tablewright.engine import Engine
from tablewright.proof.database import create_tables, run_reads
from tablewright.wire.document import from_wire, to_wire

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tablewright.design.steps.model import Flow
    from tablewright.spec.model import PatternSpec, Spec

R = TypeVar("R")
Item = dict[str, Any]
NOW = 1_800_000_000
COMPARE = {
    "gt": lambda value, given: value > given["value"],
    "gte": lambda value, given: value >= given["value"],
    "lt": lambda value, given: value < given["value"],
    "lte": lambda value, given: value <= given["value"],
    "between": lambda value, given: given["from"] <= value <= given["to"],
    "begins_with": lambda value, given: value.startswith(given["value"]),
}


# ---- what is right --------------------------------------------------------------------------------------------------


class Dictionaries:
    """The items of every entity, and the answers that a spec promises."""

    def __init__(self, spec: Spec, items: Mapping[str, Sequence[Item]]) -> None:
        self.spec, self.items = spec, items

    def answer(self, pattern: PatternSpec, given: Mapping[str, Any]) -> dict[str, list[Item]]:
        """By entity: its items, in the order that is asked for."""
        found = {name: self._sorted(pattern, name, self._matching(pattern, name, given)) for name in pattern.entities}
        return {name: items[: self._limit(pattern, name)] for name, items in found.items()}

    def _matching(self, pattern: PatternSpec, entity: str, given: Mapping[str, Any]) -> list[Item]:
        spec = self.spec.entities[entity]
        if pattern.kind == "batch":
            by_id = {tuple(each[name] for name in spec.id): each for each in self.items[entity]}
            ids = [tuple(each[name] for name in spec.id) for each in given["ids"]]
            found = [by_id[each] for each in ids if each in by_id]
        else:
            found = [each for each in self.items[entity] if all(each.get(name) == given[name] for name in pattern.by)]
        if pattern.range is not None:
            name, fits = pattern.range.attr, COMPARE[pattern.range.op]
            found = [each for each in found if name in each and fits(each[name], given)]
        for name, value in pattern.filter.items():
            wanted = given[name] if value == "param" else value
            found = [each for each in found if each.get(name) == wanted]
        if spec.ttl is not None and pattern.expired == "hidden":
            until = self.spec.expiry_attribute
            found = [each for each in found if each.get(until, NOW + 1) > NOW]
        return found

    def _sorted(self, pattern: PatternSpec, entity: str, items: list[Item]) -> list[Item]:
        names = [each.attr for each in pattern.sort]
        if pattern.absent == "omit" and set(names) <= self.spec.entities[entity].attributes.keys():
            items = [each for each in items if all(name in each for name in names)]

        def compare(one: Item, other: Item) -> int:
            for each in pattern.sort:
                if (each.attr in one) != (each.attr in other):
                    return 1 if (each.attr in other) == (pattern.absent == "last") else -1
                if each.attr in one and one[each.attr] != other[each.attr]:
                    return 1 if (one[each.attr] > other[each.attr]) == (each.order == "asc") else -1
            return 0

        return sorted(items, key=cmp_to_key(compare))

    def _limit(self, pattern: PatternSpec, entity: str) -> int | None:
        if pattern.limits:
            return pattern.limits.get(entity)
        return pattern.limit if self._is_sorted(pattern, entity) else None

    def _is_sorted(self, pattern: PatternSpec, entity: str) -> bool:
        return all(each.attr in self.spec.entities[entity].attributes for each in pattern.sort[:1])


# ---- what a design answers ------------------------------------------------------------------------------------------


def drive(engine: Engine, flow: Flow[R]) -> R:
    """What a flow comes to when its requests are sent one after the other."""
    try:
        requests = next(flow)
        while True:
            replies = [from_wire(engine.call(each.action, to_wire(each.params))) for each in requests]
            requests = flow.send(replies)
    except StopIteration as done:
        found: R = done.value
        return found


class Running:
    """A spec designed, with items in its tables."""

    def __init__(self, given: Mapping[str, Any], items: Mapping[str, Sequence[Item]], **options: Any) -> None:
        self.solution = solve(given, **options)
        self.design = write_table(self.solution)
        self.compiled = compile_design(self.design)
        self.right = Dictionaries(self.solution.origin, items)
        self.engine = Engine()
        create_tables(self.engine, self.design)
        stored = self.compiled.stored
        for name, kind in stored.types.items():
            if self.design.item(name).is_whole_item:
                for each in items[kind.entity]:
                    item = {**stored_item(stored, kind, each, NOW), **self._times(each)}
                    self.engine.call("PutItem", to_wire({"TableName": kind.table, "Item": item}))

    def _times(self, item: Item) -> Item:
        """When it goes, as said: an item that was put long ago may be there still."""
        name = self.design.tables[0].ttl_attribute
        return {name: item[name]} if name in item else {}

    def step(self, pattern: str) -> Any:
        """The steps of a pattern."""
        return next(each for each in self.design.patterns if each.id == pattern).reads

    def read(self, pattern: str, **given: Any) -> dict[str, list[Item]]:
        return self._by_entity(pattern, run_reads(self.engine, self.compiled, pattern, given, NOW).items)

    def in_order(self, pattern: str, **given: Any) -> list[Item]:
        """The items of entities that have what is sorted by, one after the other."""
        asked = self.solution.origin.pattern(pattern)
        assert asked is not None
        items = run_reads(self.engine, self.compiled, pattern, given, NOW).items
        entities = self.solution.origin.entities
        known = {name for name, each in entities.items() if asked.sort[0].attr in each.attributes}
        return [each for each in items if self.compiled.stored.entity_of(each) in known]

    def pages(self, pattern: str, size: int, **given: Any) -> dict[str, list[Item]]:
        """The whole answer, page by page."""
        items: list[Item] = []
        cursor: str | None = None
        steps = self.compiled.reads[pattern]
        for _ in range(100):
            flow = read_page(self.compiled.stored, steps, given, size, cursor, NOW)
            page = drive(self.engine, flow)
            items += page.items
            cursor = page.cursor
            if cursor is None:
                return self._by_entity(pattern, items)
        raise AssertionError("a cursor leads nowhere")

    def _by_entity(self, pattern: str, items: Sequence[Item]) -> dict[str, list[Item]]:
        asked = self.solution.origin.pattern(pattern)
        assert asked is not None
        found: dict[str, list[Item]] = {name: [] for name in asked.entities}
        until = self.design.tables[0].ttl_attribute
        for each in items:
            entity = self.compiled.stored.entity_of(each)
            known = {*self.solution.origin.entities[entity].attributes, until}
            found[entity].append({name: value for name, value in each.items() if name in known})
        return found

    def check(self, pattern: str, **given: Any) -> dict[str, list[Item]]:
        """The answer, after it was compared with the right one, as far as the spec says what that is."""
        asked = self.solution.origin.pattern(pattern)
        assert asked is not None
        right, found = self.right.answer(asked, given), self.read(pattern, **given)
        assert _orders(asked, found) == _orders(asked, right)
        whole = replace(asked, limit=None, limits={})
        for size in (1, 3):
            assert _orders(whole, self.pages(pattern, size, **given)) == _orders(whole, self.right.answer(whole, given))
        return found


def _orders(pattern: PatternSpec, found: Mapping[str, list[Item]]) -> dict[str, Any]:
    """What the answers must agree in: values of the order one after the other, and which items, ties aside."""
    names = [each.attr for each in pattern.sort]
    is_cut = pattern.limit is not None or bool(pattern.limits)
    return {
        entity: (
            [[each.get(name) for name in names] for each in items] if pattern.kind != "batch" else items,
            len(items) if is_cut else sorted(map(repr, map(sorted, (each.items() for each in items)))),
        )
        for entity, items in found.items()
    }
