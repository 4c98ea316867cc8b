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

from tablewright.engine import Engine
from tablewright.proof.calls import make_write_call
from tablewright.proof.checks.loading import load
from tablewright.proof.checks.stored import advance
from tablewright.proof.database import aggregate_of, run_reads
from tablewright.proof.questions import make_read_call
from tablewright.proof.run import make_context
from tablewright.proof.values import WRITTEN_MOMENT
from tablewright.wire.values import marshal, marshal_item

if TYPE_CHECKING:
    from collections.abc import Collection

    from tablewright.design.model import Design, PatternDesign
    from tablewright.proof.context import ProofContext, Subject
    from tablewright.proof.database import Database

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
    time: float = WRITTEN_MOMENT

    def as_json(self) -> bytes:
        return msgspec.json.encode(self)


def record(design: Design, seed: int = 1, rounds: int = 4, only: Collection[str] | None = None) -> Recording:
    """Reads, writes, and the reads again: each pattern so many rounds, asked and done as the proof does.

    `only`: the patterns that are run, where that is not all of them.
    """
    with Engine() as engine:
        context, put = make_context(design, engine, seed)
        load(context, put)
        items = stored_items(design, engine)
        reads, writes = (
            [each for each in found if only is None or each.design.id in only]
            for found in (context.reads, context.writes)
        )
        calls = [read(context, each) for _ in range(rounds) for each in reads]
        calls += [write(context, each) for _ in range(rounds) for each in writes]
        calls += [read(context, each) for _ in range(rounds) for each in reads]
        return Recording(items, calls, stored_items(design, engine))


def read(context: ProofContext, subject: Subject) -> Call:
    pattern = subject.design
    inputs = context.parameters(subject, make_read_call(context.values, subject.meant, context.state))
    found = run_reads(context.engine, context.compiled, pattern.id, inputs).items
    if pattern.aggregate:
        answer = Answer(number=marshal(aggregate_of(pattern, found)))
    else:
        shown = (context.identify(item) for item in found)
        answer = Answer([Found(entity, sorted_sets(marshal_item(returned(pattern, item)))) for entity, item in shown])
    return Call(pattern=pattern.id, inputs=sorted_sets(marshal_item(inputs)), answer=answer)


def returned(pattern: PatternDesign, item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name in pattern.returns} if pattern.returns else item


def write(context: ProofContext, subject: Subject) -> Call:
    """The application's state follows what was written, so that later questions are about what is there."""
    made = make_write_call(context.values, subject.meant, context.state, context.next_number())
    inputs = context.parameters(subject, made)
    applied = context.try_write(subject, made)
    result = context.run_write(subject, made).result
    if result == "written" and applied is not None:
        advance(context, applied)
    return Call(pattern=subject.design.id, inputs=sorted_sets(marshal_item(inputs)), outcome=result)


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
