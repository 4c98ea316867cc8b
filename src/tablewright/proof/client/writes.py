"""A client for writes that knows a design and nothing else: reads first, then every step, in one transaction if asked.

An outcome says what came of it: `written`, `refused` (a condition did not hold) or `absent` (nothing was found to write
to). A transaction changes everything or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from tablewright.design.when import fits
from tablewright.errors import ConditionFailed, TransactionCancelled
from tablewright.proof.client.expressions import Placeholders, condition_text, unchanged_text
from tablewright.proof.client.items import item_type, stored
from tablewright.proof.client.reads import Answer, Item, added, key_value, run_reads, units_by_place
from tablewright.proof.client.texts import derived, filled, leading, missing
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.design.model import Design, ItemKeys, ItemType, PatternDesign, WriteStep
    from tablewright.design.templates import Path, Template
    from tablewright.proof.client.tables import Database

Result: TypeAlias = Literal["written", "refused", "absent"]
Old: TypeAlias = Mapping[str, Item]  # by entity: what the reads found


class Outcome(msgspec.Struct, frozen=True):
    """What came of a run, and the units it took by place."""

    result: Result
    rcu: Mapping[str, float]
    wcu: Mapping[str, float]


class Action(msgspec.Struct, frozen=True):
    """One write as DynamoDB takes it: the operation, its parameters, and the key it concerns."""

    operation: str
    params: Mapping[str, Any]
    key: tuple[str, ...]


class Values(msgspec.Struct, frozen=True):
    """What the names of one step mean: what was given, and the item that was found for its entity."""

    given: Mapping[str, Any]  # by parameter; None for an attribute that is to go
    old: Item
    by_name: Mapping[str, Any]  # everything a template may name
    becoming: Item  # the attributes of the item after the write
    gone: frozenset[str]  # attributes that the write removes
    unsaid: frozenset[str]  # parameters of new values that were not given


def run_write(
    engine: Database,
    design: Design,
    pattern: PatternDesign,
    inputs: Mapping[str, Any],
    *,
    between: Callable[[], None] | None = None,
    also: tuple[Action, ...] = (),
) -> Outcome:
    """`between` happens after the reads, as another writer would; `also` joins the transaction."""
    answers = [run_reads(engine, design, (step,), inputs) for step in pattern.reads]
    rcu = added(each.rcu for each in answers)
    if between is not None:
        between()
    subjects = list(found_items(pattern, answers))
    if not subjects:
        return Outcome("absent", rcu, {})
    spent: list[Mapping[str, float]] = []
    for old in subjects:
        actions = [*actions_of(design, pattern, inputs, old), *also]
        try:
            spent += [send(engine, actions, transaction=pattern.transaction)]
        except (ConditionFailed, TransactionCancelled):
            return Outcome("refused", rcu, added(spent))
    return Outcome("written", rcu, added(spent))


def found_items(pattern: PatternDesign, answers: list[Answer]) -> Iterator[Old]:
    """One for every time the steps are run: for each item that was found, of the entity it was looked for."""
    if not pattern.reads:
        yield {}
    elif len(pattern.entities) == 1:
        found = answers[-1].items
        yield from ({pattern.entities[0]: item} for item in found)
        if not found and pattern.op == "put":
            yield {}
    elif all(each.items for each in answers):
        yield {step.entities[0]: each.items[0] for step, each in zip(pattern.reads, answers, strict=True)}


# ---- from steps to requests -----------------------------------------------------------------------------------------


def actions_of(design: Design, pattern: PatternDesign, inputs: Mapping[str, Any], old: Old) -> list[Action]:
    actions = [
        action
        for step in pattern.writes
        for given in elements(pattern, item_type(design, step.item).entity, step, inputs)
        for action in step_action(design, pattern, step, given, old)
    ]
    return without_replaced(actions)


def elements(
    pattern: PatternDesign, entity: str, step: WriteStep, inputs: Mapping[str, Any]
) -> list[Mapping[str, Any]]:
    """What is given for an item of an entity: nothing that is another entity's; once for every element of a list."""
    foreign = {each.name for each in pattern.parameters if each.entity not in (None, entity)}
    own = {name: value for name, value in inputs.items() if name not in foreign}
    return [{**own, **element} for element in inputs[step.each]] if step.each else [own]


def step_action(
    design: Design, pattern: PatternDesign, step: WriteStep, given: Mapping[str, Any], old: Old
) -> Iterator[Action]:
    item = item_type(design, step.item)
    values = values_of(pattern, item, given, old.get(item.entity, {}))
    if not values.old and any(name.startswith("old.") for each in step.key for name in each.template.names):
        return  # nothing was there that could be in the way
    if not is_needed(design, item, step, values):
        return
    key = key_of(design, item, step, values)
    used = Placeholders()
    params: dict[str, Any] = {"TableName": step.table}
    if step.operation == "PutItem":
        params["Item"] = marshal_item(put_item(design, item, step, values))
    else:
        params["Key"] = marshal_item(key)
    if step.operation == "UpdateItem":
        params["UpdateExpression"] = update_text(design, item, step, values, used)
    condition = demands(step, values, used)
    if condition:
        params["ConditionExpression"] = condition
    yield Action(step.operation, {**params, **used.params()}, (step.table, *map(str, key.values())))


def is_needed(design: Design, item: ItemType, step: WriteStep, values: Values) -> bool:
    """Not where nothing changes that it is about, nor where its key would need what is absent."""
    if step.unless_same and all(values.becoming.get(name) == values.old.get(name) for name in step.unless_same):
        return False
    keys = next(each for each in item.keys if each.index is None)
    source = derived(values.by_name, item.id, keys.shards, keys.bucket, design.key_style)
    return not any(missing(each.template, source) for each in step.key)


def values_of(pattern: PatternDesign, item: ItemType, given: Mapping[str, Any], old: Item) -> Values:
    attributes = {each.name: each.attribute for each in pattern.parameters if each.entity in (None, item.entity)}
    known = {each.name for each in item.attributes}
    new = {attributes.get(name, name) or name: value for name, value in given.items() if in_type(name, attributes)}
    kept = {} if pattern.op == "put" else old  # a put leaves nothing of what was there
    becoming = {**kept, **{name: value for name, value in given.items() if name in known}, **new}
    unsaid = {name: kept.get(attr) for name, attr in attributes.items() if attr is not None and name not in given}
    by_name = {**kept, **unsaid, **given, **{f"old.{name}": value for name, value in old.items()}}
    gone = frozenset(name for name, value in becoming.items() if value is None)
    stays = {name: value for name, value in becoming.items() if name not in gone}
    return Values(given, old, by_name, stays, gone, frozenset(unsaid))


def in_type(name: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether a parameter is the new value of an attribute under another name."""
    return attributes.get(name) not in (None, name)


def key_of(design: Design, item: ItemType, step: WriteStep, values: Values) -> dict[str, Any]:
    keys = next(each for each in item.keys if each.index is None)
    source = derived(values.by_name, item.id, keys.shards, keys.bucket, design.key_style)
    return {each.field: key_value(design, each.template, source) for each in step.key}


def put_item(design: Design, item: ItemType, step: WriteStep, values: Values) -> Item:
    if step.all_attributes:
        return stored(item, values.becoming, design.key_style)
    key = key_of(design, item, step, values)
    more = {path.name: set_value(design, template, values) for path, template in step.set.items()}
    return {**key, **item.fixed, **{name: value for name, value in more.items() if value is not None}}


def set_value(design: Design, template: Template, values: Values) -> Any:
    name = template.only_name
    if name == "*":
        return values.becoming
    return filled(template, values.by_name, design.key_style) if name is None else values.by_name.get(name)


def demands(step: WriteStep, values: Values, used: Placeholders) -> str:
    said = [condition_text(step.condition, values.by_name, used)] if step.condition else []
    return " AND ".join([*said, *unchanged_text(step.unchanged, values.old, used)])


# ---- updates --------------------------------------------------------------------------------------------------------


def update_text(design: Design, item: ItemType, step: WriteStep, values: Values, used: Placeholders) -> str:
    sets, removes = changes_of(design, item, step, values)
    removes += step.remove
    pieces: list[str] = []

    def text(path: Path) -> str:
        parts = (part if isinstance(part, str) else str(values.by_name[part.name]) for part in path.parts)
        return ".".join(used.name(part) for part in parts)

    if sets:
        pieces.append("SET " + ", ".join(f"{text(path)} = {used.value(value)}" for path, value in sets.items()))
    if removes:
        pieces.append("REMOVE " + ", ".join(text(path) for path in removes))
    if step.add:
        amounts = {name: each.sum(values.by_name.get) for name, each in step.add.items()}
        pieces.append("ADD " + ", ".join(f"{used.name(name)} {used.value(by)}" for name, by in amounts.items()))
    return " ".join(pieces)


def changes_of(design: Design, item: ItemType, step: WriteStep, values: Values) -> tuple[dict[Path, Any], list[Path]]:
    """What is set and what is removed; what nobody gave is neither."""
    style = design.key_style
    sets: dict[Path, Any] = {}
    removes: list[Path] = []
    for path, template in step.set.items():
        keys = keyed_by(item, path.name)
        if keys is not None:
            if stays_keyed(keys, values):
                known = derived(values.by_name, item.id, keys.shards, keys.bucket, style)
                sets[path] = filled(template, known, style)
            else:
                removes.append(path)
            continue
        if template.only_name in values.unsaid:
            continue
        value = set_value(design, template, values)
        if value is None:
            removes.append(path)
        else:
            sets[path] = value
    return sets, removes


def stays_keyed(keys: ItemKeys, values: Values) -> bool:
    """Without a read only what becomes null can take an item out of an index."""
    there = all(name in values.becoming or (not values.old and name not in values.gone) for name in leading(keys))
    return there and fits(keys.when, values.becoming)


def keyed_by(item: ItemType, field: str) -> ItemKeys | None:
    """The index whose composed key a field belongs to."""
    for keys in item.keys:
        if not keys.native and field in {each.field for each in (*keys.pk, *keys.sk)}:
            return keys
    return None


# ---- sending --------------------------------------------------------------------------------------------------------


def without_replaced(actions: list[Action]) -> list[Action]:
    """A delete of what is put at the same time would contradict it: the put alone, with both demands."""
    puts = {each.key for each in actions if each.operation == "PutItem"}
    deletes = {each.key: each for each in actions if each.operation == "DeleteItem" and each.key in puts}
    found: list[Action] = []
    for each in actions:
        if each.operation == "DeleteItem" and each.key in deletes:
            continue
        demanding = deletes.get(each.key)
        if each.operation == "PutItem" and demanding is not None:
            asked = {name: value for name, value in demanding.params.items() if name != "Key"}
            each = Action(each.operation, {**each.params, **asked}, each.key)  # noqa: PLW2901
        found.append(each)
    return found


def send(engine: Database, actions: list[Action], *, transaction: bool) -> Mapping[str, float]:
    if not transaction:
        replies = [
            engine.call(each.operation, {**each.params, "ReturnConsumedCapacity": "INDEXES"}) for each in actions
        ]
        return added(units_by_place(each["ConsumedCapacity"]) for each in replies)
    items = [{each.operation.removesuffix("Item"): each.params} for each in actions]
    reply = engine.call("TransactWriteItems", {"TransactItems": items, "ReturnConsumedCapacity": "INDEXES"})
    return added(units_by_place(each) for each in reply["ConsumedCapacity"])
