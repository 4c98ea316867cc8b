"""What a proof does, written down: the items it starts from, every call and what came of it, the items it ends with.

Generated code in any language makes the same calls on the same items, and must give the same answers and leave the same
items. All values are DynamoDB's typed JSON (`{"S": "open"}`, `{"N": "2.5"}`, `{"B": "base64"}`, `{"SS": [...]}`, sets
in the order of their texts), so that `Recording` can be given to any language as plain JSON by `as_json`.

An input is by parameter; `{"NULL": true}` takes an attribute off an item, a missing one leaves it alone. Every call has
one of two results. `answer` is what a read gives: `items`, each with its entity and what the application knows of it
(where the pattern returns only some attributes, these alone, also of what is compared with it), or the `number` of an
aggregate (`{"NULL": true}` for the greatest of nothing). `outcome` of a write is `written`, `refused` (a condition did
not hold, and nothing was written) or `absent` (there was nothing to change or to delete).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.steps.compile import compile_design
from tablewright.engine import Engine
from tablewright.proof.answers import aggregate_items
from tablewright.proof.checks import apply_to_model, expected_changes, fill_tables, identify, kept_attributes
from tablewright.proof.context import ProofContext
from tablewright.proof.data import make_instances, make_source
from tablewright.proof.database import create_tables, run_reads, run_write
from tablewright.proof.expected import expected_items
from tablewright.proof.inputs import make_read_inputs, make_write_inputs
from tablewright.proof.items import WRITTEN_AT, hidden_names, labels_of
from tablewright.proof.run import facts_of, rules_of
from tablewright.wire.values import marshal, marshal_item

if TYPE_CHECKING:
    from tablewright.design.model import Design, PatternDesign
    from tablewright.proof.database import Database
    from tablewright.spec.model import PatternSpec

Typed = dict[str, Any]


class Found(msgspec.Struct, frozen=True):
    """An item of an answer."""

    entity: str
    item: Typed


class Answer(msgspec.Struct, frozen=True):
    """What a read gives: items, or a number."""

    items: list[Found] = []
    number: Typed | None = None


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a pattern."""

    pattern: str
    inputs: dict[str, Typed]
    answer: Answer | None = None
    outcome: str | None = None


class Recording(msgspec.Struct, frozen=True):
    """Stored items by table before and after the calls, ordered by their keys.

    `time` is that of all writes, in seconds since 1970: what is put with a time to live counts from there.
    """

    items: dict[str, list[Typed]]
    calls: list[Call]
    final: dict[str, list[Typed]]
    time: int = WRITTEN_AT

    def as_json(self) -> bytes:
        return msgspec.json.encode(self)


def record(design: Design, seed: int = 1, rounds: int = 4) -> Recording:
    """Reads, writes, and the reads again: each pattern so many rounds, asked and done as the proof does."""
    with Engine() as engine:
        context = make_context(design, engine, seed)
        items = stored_items(design, engine)
        meant = {each.id: each for each in (*context.facts.spec.patterns, *context.facts.implied)}
        reads = [each for each in design.patterns if each.kind != "write"]
        writes = [each for each in design.patterns if each.kind == "write"]
        calls = [read(context, each, meant[each.id]) for _ in range(rounds) for each in reads]
        calls += [write(context, each, meant[each.id]) for _ in range(rounds) for each in writes]
        calls += [read(context, each, meant[each.id]) for _ in range(rounds) for each in reads]
        return Recording(items, calls, stored_items(design, engine))


def make_context(design: Design, engine: Engine, seed: int) -> ProofContext:
    facts = facts_of(design)
    values = make_source(facts, seed=seed, odd=design.key_style == "plain")
    instances = make_instances(values)
    create_tables(engine, design)
    context = ProofContext(
        engine=engine,
        design=design,
        compiled=compile_design(design),
        facts=facts,
        values=values,
        instances=instances,
        stored=expected_items(design, instances),
        rules=rules_of(design),
        labels=labels_of(design),
        hidden=hidden_names(design),
    )
    fill_tables(context)
    return context


def read(context: ProofContext, pattern: PatternDesign, meant: PatternSpec) -> Call:
    inputs = make_read_inputs(context.values, meant, context.instances)
    found = run_reads(context.engine, context.compiled, pattern.id, inputs).items
    if pattern.aggregate:
        answer = Answer(number=marshal(aggregate_items(pattern.aggregate, found)))
    else:
        shown = (identify(context, item) for item in found)
        answer = Answer([Found(entity, sorted_sets(marshal_item(returned(pattern, item)))) for entity, item in shown])
    return Call(pattern=pattern.id, inputs=sorted_sets(marshal_item(inputs)), answer=answer)


def returned(pattern: PatternDesign, item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name in pattern.returns} if pattern.returns else item


def write(context: ProofContext, pattern: PatternDesign, meant: PatternSpec) -> Call:
    """The application's objects follow what was written, so that later questions are about what is there."""
    inputs = make_write_inputs(
        context.values, meant, context.instances, context.next_number(), kept_attributes(context, meant)
    )
    changes = expected_changes(context, meant, inputs)
    result = run_write(context.engine, context.compiled, pattern.id, inputs).result
    if result == "written" and changes:
        apply_to_model(context, changes, pattern)
    return Call(pattern=pattern.id, inputs=sorted_sets(marshal_item(inputs)), outcome=result)


# ---- what is stored -------------------------------------------------------------------------------------------------


def stored_items(design: Design, engine: Database) -> dict[str, list[Typed]]:
    """Everything in the tables."""
    return {table.name: scanned(engine, table.name, (table.pk.name, table.sk.name)) for table in design.tables}


def scanned(engine: Database, table: str, key: tuple[str, str]) -> list[Typed]:
    found: list[Typed] = []
    start: dict[str, Any] = {}
    while True:
        reply = engine.call("Scan", {"TableName": table, **start})
        found += map(sorted_sets, reply["Items"])
        if "LastEvaluatedKey" not in reply:
            return sorted(found, key=lambda item: [repr(item[name]) for name in key])
        start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}


def sorted_sets(value: Any) -> Any:
    """The same typed JSON, sets in order."""
    if isinstance(value, list):
        return [sorted_sets(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: sorted(each) if name in ("SS", "NS", "BS") and isinstance(each, list) else sorted_sets(each)
        for name, each in value.items()
    }
