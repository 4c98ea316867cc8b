"""Inputs for patterns: mostly those of instances that exist, sometimes of none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.design.serving.filters import constants
from tablewright.design.serving.writes import condition_inputs, is_list, operation_on, value_names, written_attributes
from tablewright.proof.answers import parent_attributes
from tablewright.proof.data import Instances, Item, ValueSource, make_instance, new_value
from tablewright.proof.reference_model import find_same_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.spec.model import PatternSpec

MISSING_SHARE = 0.1
"""The share of inputs that match no instance."""
OVERWRITE_SHARE = 0.3
"""The share of puts over an existing instance."""
TAKEN_SHARE = 0.2
"""The share of unique values that another instance has."""
REMOVED_SHARE = 0.15
"""The share of new values that remove an optional attribute."""


# ---- reads ----------------------------------------------------------------------------------------------------------


def make_read_inputs(values: ValueSource, pattern: PatternSpec, instances: Instances) -> Item:
    chance = values.chance
    entity = pattern.entities[_pick_entity(chance.random(), len(pattern.entities))]
    wanted = [*pattern.by, *pattern.filter, *([pattern.range.attr] if pattern.range else [])]
    own = [name for name in wanted if name in values.facts.spec.entities[entity].attributes]
    fitting = [item for item in instances[entity] if all(name in item for name in own)]
    chosen = chance.choice(fitting or instances[entity] or [make_instance(values, entity, 0, instances)])
    chosen = {**parent_attributes(values.facts, pattern, entity, chosen, instances), **chosen}
    asked = [name for name in pattern.filter if name not in constants(pattern)]
    inputs = {name: chosen.get(name, "none") for name in (*pattern.by, *asked)}
    if pattern.by and chance.random() < MISSING_SHARE:
        inputs[pattern.by[0]] = _change_value(inputs[pattern.by[0]])
    return {**inputs, **_range_inputs(values, pattern, entity, chosen, instances)}


def _pick_entity(chance: float, size: int) -> int:
    """The first entity mostly, which has the inputs of the pattern."""
    return 0 if chance < 0.7 else int(chance * 7919) % size


def _change_value(value: Any) -> Any:
    return f"{value}x" if isinstance(value, str) else value


def _range_inputs(values: ValueSource, pattern: PatternSpec, entity: str, chosen: Item, instances: Instances) -> Item:
    if pattern.range is None:
        return {}
    attr, chance = pattern.range.attr, values.chance
    known = sorted({item[attr] for item in instances[entity] if attr in item}) or ["none"]
    if pattern.range.op == "between":
        low, high = sorted((chance.choice(known), chance.choice(known)))
        return {"from": low, "to": high}
    value = chosen.get(attr, known[0])
    if pattern.range.op == "begins_with":
        text = str(value)
        return {"value": text[: chance.choice((1, 4, 7, 10, len(text)))]}
    return {"value": value}


# ---- writes ---------------------------------------------------------------------------------------------------------


def make_write_inputs(
    values: ValueSource, pattern: PatternSpec, instances: Instances, number: int, kept: Mapping[str, set[str]]
) -> Item:
    """`number` makes ids that no other instance has; `kept` are the attributes that overwriting leaves as they are."""
    inputs: Item = {}
    ordered = sorted(pattern.entities, key=lambda name: operation_on(values.facts, pattern, name) == "put")
    for entity in ordered:
        if operation_on(values.facts, pattern, entity) == "put":
            _put_inputs(values, pattern, entity, instances, number, inputs, kept[entity])
        else:
            _change_inputs(values, pattern, entity, instances, number, inputs)
    _reuse_unique_values(values, pattern, instances, inputs)
    for name, attribute in condition_inputs(values.facts, pattern).items():
        known = [item[attribute] for each in ordered for item in instances[each] if attribute and attribute in item]
        inputs[name] = values.chance.choice(known) if known else "none"
    return inputs


def _reuse_unique_values(values: ValueSource, pattern: PatternSpec, instances: Instances, inputs: Item) -> None:
    """Sometimes gives a unique attribute the value of another instance."""
    for entity in pattern.entities:
        names = value_names(values.facts, pattern, entity)
        for group in values.facts.spec.entities[entity].unique:
            given = [names.get(attr, attr) for attr in group]
            if instances[entity] and all(name in inputs for name in given) and values.chance.random() < TAKEN_SHARE:
                other = values.chance.choice(instances[entity])
                if all(attr in other for attr in group) and not set(group) & set(pattern.by):
                    inputs.update({name: other[attr] for name, attr in zip(given, group, strict=True)})


def _put_inputs(
    values: ValueSource,
    pattern: PatternSpec,
    entity: str,
    instances: Instances,
    number: int,
    inputs: Item,
    kept: set[str],
) -> None:
    facts, chance = values.facts, values.chance
    if is_list(facts, pattern, entity):
        several = [make_instance(values, entity, number * 10 + at, instances) for at in range(chance.randint(1, 3))]
        shared = {name: inputs.setdefault(name, several[0][name]) for name in pattern.by if name in several[0]}
        unique = {tuple({**each, **shared}[name] for name in facts.spec.entities[entity].id): each for each in several}
        inputs[entity] = [{**each, **shared} for each in unique.values()]
        return
    instance = make_instance(values, entity, number, instances)
    old = find_same_id(facts, entity, instance, instances)
    if instances[entity] and chance.random() < OVERWRITE_SHARE:
        old = chance.choice(instances[entity])
    if pattern.op == "put" and old is not None:
        instance = {**{name: value for name, value in instance.items() if name not in kept}, **_select(old, kept)}
    names = value_names(facts, pattern, entity)
    for attr, value in instance.items():
        inputs.setdefault(names.get(attr, attr), value)


def _select(item: Item, names: set[str]) -> Item:
    return {name: value for name, value in item.items() if name in names}


def _change_inputs(
    values: ValueSource, pattern: PatternSpec, entity: str, instances: Instances, number: int, inputs: Item
) -> None:
    """An instance that exists, and new values: of all listed attributes, or of some that may change."""
    facts, chance = values.facts, values.chance
    known = [name for name in pattern.by if name in facts.spec.entities[entity].attributes]
    fitting = [item for item in instances[entity] if all(name in item for name in known)]
    chosen = chance.choice(fitting) if fitting else make_instance(values, entity, number, instances)
    for name in known:
        inputs.setdefault(name, chosen.get(name, "none"))
    if chance.random() < MISSING_SHARE and known:
        inputs[known[-1]] = _change_value(inputs[known[-1]])
    names = value_names(facts, pattern, entity)
    written = written_attributes(facts, pattern, entity)
    picked = [name for name in written if pattern.changes is not None or chance.random() < 0.4] or list(written[:1])
    for attr in picked:
        optional = attr not in facts.present[entity]
        removed = optional and chance.random() < REMOVED_SHARE
        inputs[names.get(attr, attr)] = None if removed else new_value(values, entity, attr, number, instances)
