"""The checks: one run of a pattern on the engine, compared with the reference model and the predicted units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.tables import table_of
from tablewright.proof.answers import aggregate_items, compare_answers, compare_items, find_answer
from tablewright.proof.data import new_value
from tablewright.proof.database import Outcome, add_units, run_reads, run_write
from tablewright.proof.expected import Images, images_of, read_units, write_units
from tablewright.proof.inputs import make_read_inputs, make_write_inputs
from tablewright.proof.items import Key, key_in, types_of
from tablewright.proof.reference_model import InstanceChange, RefusedError, apply_changes, changes_of
from tablewright.wire.values import marshal_item, unmarshal_item

if TYPE_CHECKING:
    from tablewright.design.model import PatternDesign
    from tablewright.proof.context import PatternTally, ProofContext
    from tablewright.proof.database import Database
    from tablewright.spec.model import PatternSpec

Item = dict[str, Any]
PAGE = 7
BATCH = 25


def fill_tables(context: ProofContext) -> None:
    """Writes all expected items."""
    requests: dict[str, list[Any]] = {}
    for (table, _, _), item in context.stored.items():
        requests.setdefault(table, []).append({"PutRequest": {"Item": marshal_item(item)}})
    for table, puts in requests.items():
        for at in range(0, len(puts), BATCH):
            context.engine.call("BatchWriteItem", {"RequestItems": {table: puts[at : at + BATCH]}})


class _SmallPages:
    """An engine whose queries end their pages early, so that answers take many of them."""

    def __init__(self, engine: Database) -> None:
        self.engine = engine

    def call(self, action: str, params: dict[str, Any]) -> dict[str, Any]:
        return self.engine.call(action, {"Limit": PAGE, **params} if action == "Query" else params)


# ---- reads ----------------------------------------------------------------------------------------------------------


def check_read(
    context: ProofContext, pattern: PatternDesign, meant: PatternSpec, tally: PatternTally, number: int
) -> None:
    inputs = make_read_inputs(context.values, meant, context.instances)
    paged = number % 4 == 3
    tally.runs += 1
    try:
        found = run_reads(
            _SmallPages(context.engine) if paged else context.engine, context.compiled, pattern.id, inputs
        )
    except Exception as fault:  # noqa: BLE001 - whatever a broken design runs into is reported
        tally.fail(f"{inputs}: {fault}")
        return
    expected = find_answer(context.facts, meant, context.instances, inputs)
    if meant.aggregate is not None:
        wrong = _compare_aggregate(pattern, meant, expected, found.items)
    else:
        wrong = compare_answers(meant, expected, [identify(context, item) for item in found.items])
    if wrong:
        tally.fail(f"{inputs}: {wrong}")
    context.count_check("answers equal brute force")
    if not paged:
        tally.measured += 1
        tally.exact &= tally.rcu.add(found.rcu, read_units(context.design, context.stored, pattern.reads, inputs))


def _compare_aggregate(
    pattern: PatternDesign, meant: PatternSpec, expected: list[tuple[str, Item]], found: list[Item]
) -> str:
    assert meant.aggregate is not None
    wanted = aggregate_items({meant.aggregate.kind: meant.aggregate.attr}, [item for _, item in expected])
    shown = aggregate_items(pattern.aggregate, found)
    return "" if shown == wanted else f"answered {shown}, must be {wanted}"


def identify(context: ProofContext, item: Item) -> tuple[str, Item]:
    """The entity of a stored item, and what the application knows of it."""
    entity = context.labels.get(item.get(context.design.encoding.type_field), "?")
    return entity, {name: value for name, value in item.items() if name not in context.hidden}


# ---- writes ---------------------------------------------------------------------------------------------------------


def check_write(
    context: ProofContext, pattern: PatternDesign, meant: PatternSpec, tally: PatternTally, number: int
) -> None:
    """A run as it should go; some runs begin with one that must be refused, or have a concurrent writer."""
    inputs = make_write_inputs(
        context.values, meant, context.instances, context.next_number(), kept_attributes(context, meant)
    )
    tally.runs += 1
    try:
        if number % 4 == 1:
            _check_atomic(context, pattern, meant, inputs, tally)
        if number % 4 == 2:
            _check_race(context, pattern, meant, inputs, tally)
            return
        changes = _run_and_check(context, pattern, meant, inputs, tally)
        if number % 3 == 0 and changes:
            _check_repeat(context, pattern, meant, inputs, tally)
    except Exception as fault:  # noqa: BLE001 - see above
        tally.fail(f"{inputs}: {type(fault).__name__} {fault}")


def kept_attributes(context: ProofContext, meant: PatternSpec) -> dict[str, set[str]]:
    """By entity: the attributes of the table key, which a put over an existing item keeps."""
    found: dict[str, set[str]] = {}
    for entity in meant.entities:
        own = types_of(context.design, entity)[0]
        keys = next(each for each in own.keys if each.index is None)
        found[entity] = {*own.id, *keys.partition, *keys.lead, *keys.rest}
    return found


def expected_changes(context: ProofContext, meant: PatternSpec, inputs: Item) -> list[InstanceChange] | None:
    """None where the write must be refused."""
    try:
        return changes_of(context.facts, meant, inputs, context.instances, context.rules)
    except RefusedError:
        return None


def _run_and_check(
    context: ProofContext, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: PatternTally
) -> list[InstanceChange] | None:
    changes = expected_changes(context, meant, inputs)
    predicted_rcu = read_units(context.design, context.stored, pattern.reads, inputs)
    outcome = run_write(context.engine, context.compiled, pattern.id, inputs)
    if changes is None:
        _check_refused(context, outcome, tally, inputs, "what the conditions forbid is refused")
        return None
    if changes and outcome.result != "written":
        tally.fail(f"{inputs}: {outcome.result}, but it should have been written")
        return None
    images = [apply_to_model(context, each, pattern) for each in _group_changes(meant, changes)]
    for each in images:
        _compare_touched(context, each, tally, inputs)
    if changes:
        tally.measured += 1
        tally.exact &= tally.rcu.add(outcome.rcu, predicted_rcu)
        predicted = add_units(write_units(context.design, each, transaction=pattern.transaction) for each in images)
        tally.exact &= tally.wcu.add(outcome.wcu, predicted)
    return changes


def _group_changes(meant: PatternSpec, changes: list[InstanceChange]) -> list[list[InstanceChange]]:
    """Changes that are written together: all of a transaction, otherwise each by itself."""
    return [changes] if meant.op == "transact" or not changes else [[each] for each in changes]


def apply_to_model(
    context: ProofContext, changes: list[InstanceChange], pattern: PatternDesign | None = None
) -> Images:
    """Applies changes to the reference model and to the expected items; the images of what changed."""
    apply_changes(changes, context.instances, context.rules)
    images = images_of(context.design, context.stored, changes, context.instances, pattern.writes if pattern else ())
    for key in images.before:
        del context.stored[key]
    context.stored.update(images.after)
    return images


def _images_touched(context: ProofContext, changes: list[InstanceChange]) -> Images:
    keys = [
        key
        for each in changes
        for item in types_of(context.design, each.entity)
        for instance in (each.before, each.after)
        if instance is not None and (key := key_in(context.design, item, instance)) is not None
    ]
    now = {key: context.stored[key] for key in keys if key in context.stored}
    return Images(now, now, tuple(keys))


def _check_refused(context: ProofContext, outcome: Outcome, tally: PatternTally, inputs: Item, what: str) -> None:
    if outcome.result == "written" and any(outcome.wcu.values()):
        tally.fail(f"{inputs}: it was written, but it had to be refused ({what})")
    context.count_check(what)


# ---- writes that must be refused ------------------------------------------------------------------------------------


def _check_repeat(
    context: ProofContext, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: PatternTally
) -> None:
    """A write that may happen once is refused the second time."""
    if expected_changes(context, meant, inputs) is not None:
        return
    outcome = run_write(context.engine, context.compiled, pattern.id, inputs)
    _check_refused(context, outcome, tally, inputs, "what may happen once does not happen twice")


def _check_atomic(
    context: ProofContext, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: PatternTally
) -> None:
    """With one failing condition in the transaction, nothing is written."""
    changes = expected_changes(context, meant, inputs)
    if not changes or not (pattern.transaction or len(pattern.writes) > 1):
        return
    outcome = run_write(context.engine, context.compiled, pattern.id, inputs, also=(_failing_action(context),))
    what = "a transaction happens whole or not at all"
    _check_refused(context, outcome, tally, inputs, what)
    _compare_touched(context, _images_touched(context, changes), tally, inputs)


def _failing_action(context: ProofContext) -> Item:
    table = context.design.tables[0]
    key = {table.pk.name: "nobody", table.sk.name: "nothing"}
    params = {
        "TableName": table.name,
        "Key": key,
        "ConditionExpression": "attribute_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": table.pk.name},
    }
    return {"ConditionCheck": params}


def _check_race(
    context: ProofContext, pattern: PatternDesign, meant: PatternSpec, inputs: Item, tally: PatternTally
) -> None:
    """A concurrent writer between the read and the write: refused or not, the stored items must be right afterwards."""
    changes = expected_changes(context, meant, inputs)
    target = next((each for each in changes or () if each.before is not None), None)
    concurrent = None if target is None else _concurrent_change(context, meant, target)
    if concurrent is None:
        _run_and_check(context, pattern, meant, inputs, tally)
        return
    outcome = run_write(
        context.engine, context.compiled, pattern.id, inputs, between=lambda: _store_changes(context, [concurrent])
    )
    then = expected_changes(context, meant, inputs) if outcome.result == "written" else []
    _compare_touched(context, apply_to_model(context, then or []), tally, inputs)
    _compare_touched(context, _images_touched(context, [concurrent]), tally, inputs)
    context.count_check("two writers at once leave items that fit together")


def _concurrent_change(context: ProofContext, meant: PatternSpec, target: InstanceChange) -> InstanceChange | None:
    """A change by a concurrent writer, of an attribute in a key where there is one."""
    may = sorted(context.facts.changing[target.entity] - set(meant.by))
    keys = [keys for each in types_of(context.design, target.entity) for keys in each.keys]
    key_attributes = [name for name in may if any(name in (*k.partition, *k.lead, *k.rest) for k in keys)]
    if not may or target.before is None:
        return None
    name = context.values.chance.choice(key_attributes or may)
    value = new_value(context.values, target.entity, name, context.next_number(), context.instances)
    return InstanceChange(target.entity, target.before, {**target.before, name: value})


def _store_changes(context: ProofContext, changes: list[InstanceChange]) -> None:
    """Writes changes to the engine as a correct client would."""
    images = apply_to_model(context, changes)
    for table, pk, sk in images.before:
        names = table_of(context.design, table)
        key = marshal_item({names.pk.name: pk, names.sk.name: sk})
        context.engine.call("DeleteItem", {"TableName": table, "Key": key})
    for (table, _, _), item in images.after.items():
        context.engine.call("PutItem", {"TableName": table, "Item": marshal_item(item)})


# ---- stored items ---------------------------------------------------------------------------------------------------


def _compare_touched(context: ProofContext, images: Images, tally: PatternTally, inputs: Item) -> None:
    """Compares the stored items that a write touched with the expected ones."""
    for key in dict.fromkeys((*images.before, *images.after, *images.written)):
        table = table_of(context.design, key[0])
        wanted = {table.pk.name: key[1], table.sk.name: key[2]}
        params = {"TableName": key[0], "Key": marshal_item(wanted), "ConsistentRead": True}
        reply = context.engine.call("GetItem", params)
        found = unmarshal_item(reply["Item"]) if "Item" in reply else None
        context.count_check("stored items and their keys follow from the data")
        if found != context.stored.get(key):
            tally.fail(f"{inputs}: {key[1]} / {key[2]} {compare_items(context.stored.get(key), found)}")


def compare_tables(context: ProofContext, tally: PatternTally) -> None:
    """Compares all stored items with the expected ones."""
    found: dict[Key, Item] = {}
    for table in context.design.tables:
        start: dict[str, Any] = {}
        while True:
            reply = context.engine.call("Scan", {"TableName": table.name, **start})
            for item in map(unmarshal_item, reply["Items"]):
                found[table.name, item[table.pk.name], item[table.sk.name]] = item
            if "LastEvaluatedKey" not in reply:
                break
            start = {"ExclusiveStartKey": reply["LastEvaluatedKey"]}
    context.count_check("the tables hold what they must and nothing else")
    for key in {**found, **context.stored}:
        if found.get(key) != context.stored.get(key):
            tally.fail(f"afterwards {key[1]} / {key[2]} {compare_items(context.stored.get(key), found.get(key))}")
            return
