"""A spec as an application over dictionaries, and nothing else: no keys, no tables, no requests.

It follows the page on what a spec means, sentence by sentence. Short forms of the language are written out by
`spec.writes`; what a write does, and what a question answers, is said here a second time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from datetime import datetime
from decimal import Decimal
from operator import eq, ge, gt, le, lt
from typing import TYPE_CHECKING, Any, TypeAlias

from tablewright.spec.facts import assume
from tablewright.spec.read import read_spec
from tablewright.spec.writes import Effect, effects_of
from tests.trust.conditions import holds

if TYPE_CHECKING:
    from tablewright.design.model import Parameter, PatternDesign
    from tablewright.spec.model import PatternSpec

Item: TypeAlias = dict[str, Any]
State: TypeAlias = dict[str, dict[tuple[Any, ...], Item]]


class Refused(Exception):
    """A write that must not happen."""


class Application:
    """The items of every entity by id."""

    def __init__(self, spec: Mapping[str, Any], parameters: Mapping[str, PatternDesign]) -> None:
        self.facts = assume(read_spec(spec))
        self.spec = self.facts.spec
        self.patterns = {each.id: each for each in (*self.spec.patterns, *self.facts.implied)}
        self.parameters = {name: each.parameters for name, each in parameters.items()}
        self.state: State = {name: {} for name in self.spec.entities}

    # ---- writes -----------------------------------------------------------------------------------------------------

    def write(self, pattern: str, inputs: Item) -> bool:
        """Whether it happened; what is refused changes nothing."""
        before, after = self.state, deepcopy(self.state)
        try:
            effects = effects_of(self.facts, self.patterns[pattern])
            for effect, given in [(each, one) for each in effects for one in self._given(pattern, each, inputs)]:
                self._demand(effect, given, before, pattern, inputs)
                self._apply(effect, given, after)
            self._demand_unique(after)
        except Refused:
            return False
        self.state = after
        return True

    def _given(self, pattern: str, effect: Effect, inputs: Item) -> Iterator[Item]:
        """The values that the caller gives for one item of an entity, by attribute; slots by their own names."""
        attributes = self.spec.entities[effect.entity].attributes
        shared = {each: inputs[each] for each in self.patterns[pattern].by if each in inputs}
        own = {
            each.attribute: inputs[each.name]
            for each in self.parameters[pattern]
            if each.attribute is not None and each.name in inputs and self._is_about(each, effect)
        }
        known = {name: value for name, value in {**shared, **own}.items() if name in attributes}
        if effect.is_list:
            yield from ({**known, **each} for each in inputs[effect.entity])
        else:
            yield known | {"": inputs}

    def _is_about(self, parameter: Parameter, effect: Effect) -> bool:
        return parameter.entity in (None, effect.entity)

    def _id_of(self, effect: Effect, given: Item, state: State) -> tuple[Any, ...]:
        """By its id, or by other attributes that name one item."""
        ids = self.spec.entities[effect.entity].id
        if all(name in given for name in ids) and (effect.op == "put" or set(ids) <= set(effect.by)):
            key = tuple(given[name] for name in ids)
            stored = state[effect.entity].get(key)
            if stored is not None and effect.op != "put" and any(stored.get(each) != given[each] for each in effect.by):
                raise Refused  # the id is another's: the caller's other inputs do not fit it
            return key
        found = [
            key
            for key, item in state[effect.entity].items()
            if all(item.get(name) == given[name] for name in effect.by)
        ]
        if len(found) != 1:
            raise Refused
        return found[0]

    def _demand(self, effect: Effect, given: Item, state: State, pattern: str, inputs: Item) -> None:
        stored = state[effect.entity].get(self._id_of(effect, given, state))
        if (effect.existence == "new" and stored is not None) or (effect.existence == "there" and stored is None):
            raise Refused
        if effect.when is not None and not holds(effect.when.tree, stored or {}, {**inputs, **given}):
            raise Refused
        if effect.version and effect.op != "check":
            seen = given.get(effect.version, inputs.get(effect.version))
            is_new = stored is None and (effect.op == "put" or effect.upsert)
            if seen != (0 if is_new else (stored or {}).get(effect.version)):
                raise Refused
        self._demand_lengths(effect, given)
        made = {each.entity for each in effects_of(self.facts, self.patterns[pattern]) if each.op == "put"}
        for parent in effect.parents:
            values = {**(stored or {}), **given} if effect.op == "update" else given
            key = tuple(values.get(ours) for _, ours in parent.named)
            if None not in key and key not in state[parent.entity] and parent.entity not in made:
                raise Refused

    def _demand_lengths(self, effect: Effect, given: Item) -> None:
        """Nothing lasts longer than it is looked for; an update says both ends, or neither."""
        for asked in self.spec.patterns if effect.op in ("put", "update") else ():
            said = asked.overlaps
            if said is None or asked.entity != effect.entity:
                continue
            changed = {each.attr for each in effect.changes} & {said.start, said.end}
            if len(changed) == 2 and (said.start in given) != (said.end in given):
                raise Refused
            start, end = given.get(said.start), given.get(said.end)
            most = LONGEST.get(str(said.longest), said.longest)
            if start is not None and end is not None and _lasts(start, end) > Decimal(str(most)):
                raise Refused

    def _apply(self, effect: Effect, given: Item, state: State) -> None:
        key, items = self._id_of(effect, given, state), state[effect.entity]
        if effect.op == "delete":
            self._delete(effect.entity, key, state)
        elif effect.op == "put":
            items[key] = {name: value for name, value in given.items() if name and value is not None}
            if effect.version:
                items[key][effect.version] = given.get("", given)[effect.version] + 1
        elif effect.op == "update":
            items[key] = self._changed(effect, given, items.get(key, dict(zip(self._ids(effect), key, strict=True))))

    def _ids(self, effect: Effect) -> tuple[str, ...]:
        return self.spec.entities[effect.entity].id

    def _changed(self, effect: Effect, given: Item, item: Item) -> Item:
        new = dict(item)
        for each in effect.changes:
            if each.kind == "set":
                new[each.attr] = each.value
            elif each.kind == "remove":
                new.pop(each.attr, None)
            elif each.kind == "add":
                new[each.attr] = item.get(each.attr, 0) + _amount(each.value, given.get("", given))
            elif each.attr in given:
                new[each.attr] = given[each.attr]
        if effect.version:
            new[effect.version] = new.get(effect.version, 0) + 1
        return {name: value for name, value in new.items() if value is not None}

    def _delete(self, entity: str, key: tuple[Any, ...], state: State) -> None:
        """The item, and what goes with it: whatever names its id, whether it was there or not."""
        state[entity].pop(key, None)
        for each in self.spec.relationships:
            if not each.cascade or entity not in ((each.source, each.target) if each.via else (each.source,)):
                continue
            child = each.via or each.target
            ours = self._reference(child, entity, each.by)
            for other in [one for one, item in state[child].items() if tuple(map(item.get, ours)) == key]:
                self._delete(child, other, state)

    def _reference(self, child: str, parent: str, said: tuple[str, ...]) -> tuple[str, ...]:
        """The attributes of a child that name its parent, in the order of the parent's id."""
        ids = self.spec.entities[parent].id
        ours = said or tuple(name for name, of in self.facts.references[child].items() if of == parent)
        return ids if set(ids) <= set(ours) else ours

    def _demand_unique(self, state: State) -> None:
        for entity, spec in self.spec.entities.items():
            for group in spec.unique:
                _demand_different([tuple(item.get(name) for name in group) for item in state[entity].values()])
        for across in self.spec.unique:
            _demand_different([(item.get(name),) for entity, name in across for item in state[entity].values()])

    # ---- reads ------------------------------------------------------------------------------------------------------

    def matching(self, pattern: str, entity: str, inputs: Item) -> list[Item]:
        """All items of an entity that answer, in any order."""
        asked = self.patterns[pattern]
        return [item for item in self.state[entity].values() if self._answers(asked, entity, item, inputs)]

    def answering(self, pattern: str, entity: str) -> Callable[[Item], bool]:
        """Whether an item whose id is asked for is shown."""
        is_shown = self.patterns[pattern].expired == "shown"
        return lambda item: is_shown or not self._is_expired(entity, item)

    def _answers(self, asked: PatternSpec, entity: str, item: Item, inputs: Item) -> bool:
        return (
            all(self._value(entity, item, name) == inputs[name] for name in asked.by)
            and all(_passes(item.get(name), value, inputs.get(name)) for name, value in _said_filter(asked).items())
            and _is_in_range(asked, item, inputs)
            and (asked.expired == "shown" or not self._is_expired(entity, item))
            and (asked.absent != "omit" or all(self._has(entity, item, each.attr) for each in asked.sort))
        )

    def _has(self, entity: str, item: Item, name: str) -> bool:
        return name in item or name not in self.spec.entities[entity].attributes

    def _value(self, entity: str, item: Item, name: str) -> Any:
        """An item's own value, or that of a parent which alone has such an attribute."""
        if name in self.spec.entities[entity].attributes:
            return item.get(name)
        for parent in dict.fromkeys(self.facts.references[entity].values()):
            if name in self.spec.entities[parent].attributes:
                key = tuple(item.get(each) for each in self._reference(entity, parent, ()))
                return self.state[parent].get(key, {}).get(name)
        return None

    def _is_expired(self, entity: str, item: Item) -> bool:
        return any(item.get(name, time.time()) < time.time() for name in self.spec.entities[entity].said_expiry)


LONGEST = {"14d": 14 * 86_400}
COMPARISONS = {"gte": ge, "lte": le, "gt": gt, "lt": lt}
PHRASES = {"at most": le, "at least": ge, "more than": gt, "less than": lt, "fewer than": lt}


def _passes(value: Any, said: Any, given: Any) -> bool:
    """`param` and words are asked of the caller; without the attribute an item passes no filter."""
    if not isinstance(said, str) or (said != "param" and " " not in said):
        return bool(value == said)
    compare = next((each for phrase, each in PHRASES.items() if phrase in said), eq)
    return value is not None and bool(compare(order_of(value), order_of(given)))


def _said_filter(asked: PatternSpec) -> Mapping[str, Any]:
    """Without the end of what overlaps, which `from` says."""
    end = None if asked.overlaps is None else asked.overlaps.end
    return {name: value for name, value in asked.filter.items() if name != end}


def _lasts(start: Any, end: Any) -> Decimal:
    """From one to the other: a number, or seconds."""
    if isinstance(start, str):
        ends = [datetime.fromisoformat(each.replace("Z", "")) for each in (start, end)]
        return Decimal(str((ends[1] - ends[0]).total_seconds()))
    return Decimal(str(end)) - Decimal(str(start))


def _amount(value: Any, inputs: Item) -> Any:
    if not isinstance(value, str):
        return value
    name = value.strip("-{} ")
    return -inputs[name] if value.startswith("-") else inputs[name]


def _demand_different(values: list[tuple[Any, ...]]) -> None:
    whole = [each for each in values if None not in each]
    if len(set(whole)) < len(whole):
        raise Refused


def _is_in_range(asked: PatternSpec, item: Item, inputs: Item) -> bool:
    if asked.overlaps is not None:
        start, end = item.get(asked.overlaps.start), item.get(asked.overlaps.end)
        is_whole = start is not None and end is not None
        return is_whole and bool(
            order_of(start) <= order_of(inputs["to"]) and order_of(inputs["from"]) <= order_of(end)
        )
    if asked.range is None:
        return True
    value = item.get(asked.range.attr)
    if value is None:
        return False
    if asked.range.op == "begins_with":
        return str(value).startswith(inputs["value"])
    ends = (("from", ge), ("to", le)) if asked.range.op == "between" else (("value", COMPARISONS[asked.range.op]),)
    return all(bool(compare(order_of(value), order_of(inputs[name]))) for name, compare in ends)


def order_of(value: Any) -> Any:
    """Text sorts by its bytes, numbers by value."""
    return value.encode() if isinstance(value, str) else Decimal(str(value))
