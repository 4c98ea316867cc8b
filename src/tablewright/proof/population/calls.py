"""Calls as an application makes them: about what exists, as uneven as the spec says, and such that they succeed.

A range asks for a tenth of what there is, which is what a spec that says no more is taken to mean. Writes that are
refused are left to the rest of the proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.expr.compare import is_equal
from tablewright.proof.application.reads import value_of
from tablewright.proof.application.state import Call, Item, State
from tablewright.proof.population.items import Population, fresh_value, new_item, passing
from tablewright.proof.values import WRITTEN_AT, WRITTEN_MOMENT
from tablewright.spec.intervals import longest_of, shifted, without_intervals
from tablewright.spec.listing import as_list
from tablewright.spec.volumes import begun_share, lasting_share
from tablewright.spec.writes import effects_of, parents_in, slot_of_amount, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.spec.model import PatternSpec, Skew
    from tablewright.spec.writes import Effect

BATCH_IDS = 25
RANGE_SHARE = 0.1
COMPARED_SHARE = 1 / 3
"""What passes a filter that is more or less than something, where the spec does not say."""
TRIES = 20
OWN_SHARE = 0.6
"""How often a condition is asked with what is stored."""
PHRASES = {"at most": False, "fewer than": False, "less than": False, "at least": True, "more than": True}
"""Whether those pass that are greater."""


# ---- reads ----------------------------------------------------------------------------------------------------------


def read_calls(population: Population, pattern: PatternSpec, state: State, most: int) -> tuple[list[Call], bool]:
    """So many calls, and whether these are all that there could be; each once, unless the spec says a skew."""
    if pattern.kind == "batch":
        return [_batch_call(population, pattern) for _ in range(most)], False
    goes_through, pattern = pattern.through is not None, as_list(population.facts.spec, pattern)
    keys = _keys_asked(population, pattern, state)
    population.chance.shuffle(keys)
    chosen = keys[:most] if pattern.skew is None or len(keys) <= 1 else _skewed(population, keys, pattern.skew, most)
    if not pattern.range and not pattern.filter:
        is_all = pattern.skew is None and len(keys) <= most and not goes_through  # which items are named is chance
        return [Call(by=by, now=WRITTEN_AT) for by in chosen], is_all
    several = [chosen[at % len(chosen)] for at in range(most)] if chosen else []
    return [
        Call(
            by=by, filter=_filter_values(population, pattern), range=_range_of(population, pattern, by), now=WRITTEN_AT
        )
        for by in several
    ], False


def _keys_asked(population: Population, pattern: PatternSpec, state: State) -> list[Item]:
    """All combinations of inputs for which there is something; of a get, something that passes its filter."""
    if not pattern.by:
        return [{}]
    found: dict[tuple[Any, ...], Item] = {}
    everything = population.items[pattern.entity]
    for item in (passing(population, pattern, state.of(pattern.entity)) if pattern.kind == "get" else []) or everything:
        by = {name: value_of(population.facts, state, (pattern.entity, item), name) for name in pattern.by}
        if None not in by.values():
            found.setdefault(tuple(by.values()), by)
    return list(found.values())


def _skewed(population: Population, keys: list[Item], skew: Skew, most: int) -> list[Item]:
    """The first gets the hottest share, or the first n-th of Zipf."""
    if skew.hottest is not None:
        rest = max(0.0, 1.0 - skew.hottest) / (len(keys) - 1)
        weights = [max(skew.hottest, 1 / len(keys)), *(rest for _ in keys[1:])]
    else:
        weights = [(at + 1) ** -(skew.zipf or 0.0) for at in range(len(keys))]
    return population.chance.choices(keys, weights=weights, k=most)


def _batch_call(population: Population, pattern: PatternSpec) -> Call:
    everything = population.items[pattern.entity]
    many = min(len(everything), round(pattern.items or BATCH_IDS))
    names = population.facts.spec.entities[pattern.entity].id
    found = population.chance.sample(everything, many)
    return Call(ids=tuple({name: item[name] for name in names} for item in found), now=WRITTEN_AT)


def _values_of(population: Population, entity: str, attr: str) -> list[Any]:
    return [item[attr] for item in population.items[entity] if attr in item]


def _some_value(population: Population, entity: str, attr: str) -> Any:
    known = _values_of(population, entity, attr)
    return population.chance.choice(known) if known else fresh_value(population, entity, attr)


def _filter_values(population: Population, pattern: PatternSpec) -> Item:
    """What callers ask for: a value that some have, or one that lets through what the spec says."""
    found: Item = {}
    for name, said in without_intervals(pattern).filter.items():
        known = _values_of(population, pattern.entity, name) or [said]
        greater = next((up for phrase, up in PHRASES.items() if " " in str(said) and phrase in str(said).lower()), None)
        if greater is None:
            found[name] = population.chance.choice(list(dict.fromkeys(map(_hashable, known))))
        else:
            share = COMPARED_SHARE if pattern.selectivity is None else pattern.selectivity
            found[name] = sorted(known)[min(len(known) - 1, int(len(known) * (1 - share if greater else share)))]
    return found


def _hashable(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | bytes) else str(value)


def _range_of(population: Population, pattern: PatternSpec, by: Item) -> tuple[Any, ...]:
    """A part of what lies under the key: as many items as the spec says, else a tenth."""
    if pattern.range is None:
        return ()
    attr = pattern.range.attr
    items = [each for each in population.items[pattern.entity] if attr in each]
    own = [each for each in items if all(each.get(name, value) == value for name, value in by.items())]
    known = sorted(each[attr] for each in own or items) or ["none"]
    many = _asked_items(population, pattern, len(known))
    part = min(len(known), max(1, int(many + population.chance.random())))
    match pattern.range.op:
        case "between":
            at = population.chance.randrange(len(known) - part + 1)
            return known[at], known[at + part - 1]
        case "overlaps":
            at = population.chance.randrange(len(known) - part + 1)
            longest = 0 if pattern.overlaps is None else longest_of(pattern.overlaps) or 0
            return shifted(known[at], longest), known[at + part - 1]
        case "begins_with":
            return (_common_beginning(known, population.chance.choice(known), part / len(known)),)
        case "gte" | "gt":
            return (known[-part],)
        case _:
            return (known[part - 1],)


def _asked_items(population: Population, pattern: PatternSpec, known: int) -> float:
    """What a range has, before any filter."""
    if pattern.overlaps is None:
        return known * RANGE_SHARE if pattern.items is None else pattern.items
    if pattern.items is None:
        return known * begun_share(population.facts, pattern)
    return pattern.items / lasting_share(population.facts, pattern)


def _common_beginning(known: list[Any], value: Any, wanted: float) -> str:
    """The beginning that is nearest to being shared by so many."""
    text = str(value)
    shares = {
        size: sum(str(each).startswith(text[:size]) for each in known) / len(known) for size in range(1, len(text) + 1)
    }
    return text[: min(shares, key=lambda size: abs(shares[size] - wanted))]


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_call(population: Population, pattern: PatternSpec, state: State) -> Call:
    """What exists is changed or deleted, what is put is new; conditions are likely to hold."""
    effects = effects_of(population.facts, pattern)
    inputs = {name for each in effects if each.op != "put" for name in each.by}
    by = _new_ids(population, effects)
    given: dict[str, Item] = {}
    lists: dict[str, tuple[Item, ...]] = {}
    for effect in sorted(effects, key=lambda each: (each.op == "put", each.is_list)):
        if effect.op != "put":
            given.update(_change(population, effect, state, by, inputs))
        elif effect.is_list:
            lists[effect.entity] = tuple(_children(population, pattern, effect, by, state))
        else:
            item = _new(population, effect, state, by)
            by.update({name: item[name] for name in effect.by if name in item})
            given[effect.entity] = {name: value for name, value in item.items() if name not in effect.by}
    slots = _slots(population, effects, state, by, given)
    versions = {each.entity: _version_of(each, state, by) for each in effects if each.version is not None}
    token = f"token-{population.next_number()}" if pattern.idempotent else ""
    return Call(by=by, given=given, lists=lists, slots=slots, versions=versions, token=token, now=WRITTEN_MOMENT)


def _new_ids(population: Population, effects: Sequence[Effect]) -> Item:
    """Of what is put together: the ids that no other item has yet, which those put along refer to."""
    if len(effects) < 2:
        return {}
    put = {each.entity for each in effects if each.op == "put" and not each.is_list}
    found: Item = {}
    for name in sorted(put):
        attr = population.facts.spec.entities[name].id[-1]
        parents = {kin.parent for kin in population.kin[name] if attr in kin.names}
        if parents <= put and any(attr in each.by for each in effects if each.entity == name):
            found[attr] = fresh_value(population, name, attr)
    return found


def _fitting(effect: Effect, state: State, by: Item) -> list[Item]:
    known = {name: by[name] for name in effect.by if name in by}
    return [
        item
        for item in state.of(effect.entity)
        if all(name in item for name in effect.by) and all(is_equal(item[name], value) for name, value in known.items())
    ]


def _change(population: Population, effect: Effect, state: State, by: Item, wanted: Iterable[str]) -> dict[str, Item]:
    """An item that exists, and for an update new values of all that it changes."""
    fitting = _fitting(effect, state, by)
    if not fitting:  # nothing has all of that: the call finds nothing
        by.update({name: _some_value(population, effect.entity, name) for name in effect.by if name not in by})
        return {}
    chosen = population.chance.choice([item for item in fitting if _changes_something(effect, item)] or fitting)
    by.update({name: chosen[name] for name in effect.by})
    if population.chance.random() < OWN_SHARE:  # a ticket says of which seat it is; whose the post is that is liked
        by.update({name: chosen[name] for name in wanted if name in chosen and name not in by})
    if effect.op != "update":
        return {}
    names = frozenset(each.attr for each in effect.changes if each.kind == "given")
    kept = {name: value for name, value in chosen.items() if name not in names}
    made = new_item(population, effect.entity, kept, names)
    for _ in range(TRIES):
        if all(made.get(name) != chosen.get(name) for name in names):
            break
        made = new_item(population, effect.entity, kept, names)
    made.update(_never_seen(population, effect.entity, {name for name in names if made.get(name) == chosen.get(name)}))
    return {effect.entity: {name: made[name] for name in names if name in made}} if names else {}


def _never_seen(population: Population, entity: str, names: Iterable[str]) -> Item:
    """Of few items all may have the same value of what takes many: somebody who changes it has another one."""
    named = {name for kin in population.kin[entity] for name in kin.names}
    known = {name: population.facts.attribute(entity, name) for name in sorted(names) if name not in named}
    free = (name for name, each in known.items() if not each.values and each.type in ("string", "number"))
    return {name: fresh_value(population, entity, name) for name in free}


def _changes_something(effect: Effect, item: Item) -> bool:
    """Nobody closes what is closed, or takes away what is not there."""
    said = [each for each in effect.changes if each.kind in ("set", "remove")]
    return all(item.get(each.attr) != (each.value if each.kind == "set" else None) for each in said)


def _new(population: Population, effect: Effect, state: State, by: Item) -> Item:
    """An item that nobody has: where all parents have such a child already, it names somebody new."""
    spec = population.facts.spec.entities[effect.entity]
    known = {name: by[name] for name in effect.by if name in by}
    item = new_item(population, effect.entity, known)
    for _ in range(TRIES):
        if state.get(effect.entity, tuple(item[name] for name in spec.id)) is None:
            return _said(population, effect.entity, item)
        item = new_item(population, effect.entity, known)
    free = [name for name in spec.id if name not in known]
    changed = {**item, **{name: fresh_value(population, effect.entity, name) for name in free[-1:]}}
    return _said(population, effect.entity, changed)


def _said(population: Population, entity: str, item: Item) -> Item:
    """Only what callers say: neither the version nor the time that a put writes."""
    spec = population.facts.spec.entities[entity]
    return {name: value for name, value in item.items() if name in spec.attributes and name != spec.version}


def _children(population: Population, pattern: PatternSpec, effect: Effect, by: Item, state: State) -> Iterable[Item]:
    """As many as a parent has on average, and no two of them the same, as long as there are others."""
    average = next(parents_in(population.facts, pattern, effect.entity)).avg or 1.0
    many = max(1, int(average + population.chance.random()))
    found: dict[tuple[Any, ...], Item] = {}
    for _ in range(many * TRIES):
        if len(found) < many:
            item = _new(population, effect, state, by)
            found.setdefault(tuple(item[name] for name in population.facts.spec.entities[effect.entity].id), item)
    return found.values()


def _slots(population: Population, effects: Sequence[Effect], state: State, by: Item, given: dict[str, Item]) -> Item:
    """What conditions compare with: what is stored, or what another has, so that they hold now and then."""
    taken = {*by, *(name for each in given.values() for name in each)}
    found: Item = {}
    for name, (entity, attribute) in slots_of(effects).items():
        effect = next(each for each in effects if each.entity == entity)
        if name not in taken:
            stored = next(iter(_fitting(effect, state, by)), dict[str, Any]())
            is_amount = any(slot_of_amount(each) == name for each in effect.changes)
            found[name] = 1 if is_amount else _slot_value(population, effect, attribute, stored)
    return found


def _slot_value(population: Population, effect: Effect, attribute: str | None, stored: Item) -> Any:
    if attribute is None:
        return 1
    others = _values_of(population, effect.entity, attribute)
    own = stored.get(attribute) if effect.op != "put" else None
    if own is not None and (not others or population.chance.random() < OWN_SHARE):
        return own
    return population.chance.choice(others) if others else 1


def _version_of(effect: Effect, state: State, by: Item) -> int:
    stored = next(iter(_fitting(effect, state, by)), None) if effect.op != "put" else None
    return 0 if stored is None else int(stored.get(effect.version or "", 0))
