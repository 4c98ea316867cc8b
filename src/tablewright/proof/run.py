"""The proof: fill the engine, run every read pattern with many inputs, compare answers, order and limits."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.design.naming import TYPE_FIELD, key_fields
from tablewright.engine import Engine
from tablewright.proof.client import Answer, run, stored_items
from tablewright.proof.data import Item, synthesise
from tablewright.proof.oracle import answer
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from tablewright.architect.design.requests import Request
    from tablewright.architect.solution import Solution
    from tablewright.architect.spec.model import PatternSpec

TABLE = "proof"
ROUNDS = 40


class Mismatch(msgspec.Struct, frozen=True):
    """An answer that differs from brute force."""

    pattern: str
    inputs: Mapping[str, Any]
    expected: list[Any]
    found: list[Any]


class Proved(msgspec.Struct, frozen=True):
    """How a pattern did: so many questions, so many wrong answers, read units on average."""

    pattern: str
    asked: int
    mismatches: tuple[Mismatch, ...]
    units: float


def prove(solution: Solution, *, seed: int = 1) -> list[Proved]:
    """Every read pattern, asked many times."""
    facts, requests = solution.facts, solution.requests
    items = synthesise(facts, seed=seed)
    with Engine() as engine:
        create(engine, len(solution.choice.slots))
        for name, found in items.items():
            for item in found:
                for stored in stored_items(item, facts.spec.entities[name], solution.names):
                    engine.call("PutItem", {"TableName": TABLE, "Item": marshal_item(stored)})
        return [prove_pattern(engine, each, requests[each.id], items, seed) for each in facts.spec.reads]


def create(engine: Engine, slots: int) -> None:
    places = [key_fields(None), *(key_fields(slot) for slot in range(slots))]
    schemas = [
        [{"AttributeName": pk, "KeyType": "HASH"}, {"AttributeName": sk, "KeyType": "RANGE"}] for pk, sk in places
    ]
    definition: dict[str, Any] = {
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for pair in places for name in pair],
        "KeySchema": schemas[0],
    }
    if slots:
        definition["GlobalSecondaryIndexes"] = [
            {"IndexName": f"gsi{at}", "KeySchema": schema, "Projection": {"ProjectionType": "ALL"}}
            for at, schema in enumerate(schemas[1:], 1)
        ]
    engine.call("CreateTable", definition)


def prove_pattern(
    engine: Engine, pattern: PatternSpec, request: Request, items: Mapping[str, list[Item]], seed: int
) -> Proved:
    chance = random.Random(f"{seed} {pattern.id}")  # noqa: S311 - the same questions every time
    wrong: list[Mismatch] = []
    units = 0.0
    for _ in range(ROUNDS):
        inputs = ask(pattern, items, chance)
        found = run(engine, TABLE, request, inputs)
        expected = answer(pattern, items, inputs)
        units += found.units
        if not agrees(pattern, expected, found):
            wrong.append(Mismatch(pattern.id, inputs, [item for _, item in expected], found.items))
    return Proved(pattern.id, ROUNDS, tuple(wrong), units / ROUNDS)


def ask(pattern: PatternSpec, items: Mapping[str, list[Item]], chance: random.Random) -> dict[str, Any]:
    """Inputs taken from an item that exists, most of the time."""
    entity = pattern.entities[0]
    wanted = [*pattern.by, *pattern.filter, *([pattern.range.attr] if pattern.range else [])]
    fitting = [item for item in items[entity] if all(name in item for name in wanted)]
    chosen = chance.choice(fitting or items[entity])
    inputs = {name: chosen.get(name, "none") for name in (*pattern.by, *pattern.filter)}
    if pattern.range is not None:
        values = sorted({item[pattern.range.attr] for item in items[entity] if pattern.range.attr in item})
        low, high = sorted((chance.choice(values), chance.choice(values)))
        middle = chosen.get(pattern.range.attr, low)
        begin = str(middle)[: chance.randint(1, 4)] if pattern.range.op == "begins_with" else middle
        inputs |= {"from": low, "to": high} if pattern.range.op == "between" else {"value": begin}
    return inputs


def agrees(pattern: PatternSpec, expected: list[tuple[str, Item]], found: Answer) -> bool:
    shown = [without_keys(item) for item in found.items]
    wanted = [{**item, TYPE_FIELD: name} for name, item in expected]
    if pattern.kind == "get":
        return shown == wanted[:1] or (not shown and not wanted)
    if pattern.limit is not None:
        return (
            len(shown) == min(pattern.limit, len(wanted))
            and all(each in wanted for each in shown)
            and in_order(pattern, shown, wanted)
        )
    return canonical(shown) == canonical(wanted) and in_order(pattern, shown, wanted)


def without_keys(item: Item) -> Item:
    return {name: value for name, value in item.items() if not (name in ("pk", "sk") or name.startswith("gsi"))}


def canonical(items: list[Item]) -> list[str]:
    return sorted(repr(sorted(item.items(), key=lambda pair: pair[0])) for item in items)


def in_order(pattern: PatternSpec, shown: list[Item], wanted: list[Item]) -> bool:
    """The values that are sorted by come in the order brute force gives them."""
    for each in pattern.sort[:1]:
        sequence = [item[each.attr] for item in shown if each.attr in item]
        if sequence != [item[each.attr] for item in wanted if each.attr in item][: len(sequence)]:
            return False
    return True
