"""A spec with every gap filled. Each number has an origin: given, derived from given ones, or assumed and listed.

count       10,000 items of an entity nobody says more about; children: parents times children per parent (10)
rate        1 read or 0.1 writes a second, three times that at peak; what makes new items, as often as there are more
presence    an attribute is always there when it is part of the id, an input of a put, or names a parent or the
            item of a list's entry
change      an update changes anything but the id and its inputs, unless it lists what it changes; a put that may find
            an item in its place changes anything but the id and what is immutable
reference   a child names its parent by the parent's id, or by the one attribute that ends like it (`ownerId`) and is
            not the id of something else
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.spec.hints import read_latency
from tablewright.spec.listing import listed_by
from tablewright.spec.model import NOW, EntityOp, EntitySpec, PatternSpec, Rate, RelationshipSpec, Spec
from tablewright.spec.quantities import SECONDS_PER_MONTH, Assumption, Number, Taken, count_items, rate_numbers
from tablewright.spec.words import Worded, read_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.model import AttributeSpec


CHILDLESS = 2.0
"""Averages are rounded; beyond this factor some parents are taken to have no children."""


class Kinship(msgspec.Struct, frozen=True):
    """A relationship of which an entity's items are the children, and the attributes by which they name the parent."""

    relationship: RelationshipSpec
    names: tuple[str, ...]


class Facts(msgspec.Struct, frozen=True, kw_only=True, weakref=True):
    """A spec with every gap filled."""

    spec: Spec
    counts: Mapping[str, float]
    rates: Mapping[str, Rate]
    present: Mapping[str, frozenset[str]]  # by entity: attributes every item has
    changing: Mapping[str, frozenset[str]]  # by entity: attributes that may change after the item was written
    fixed: Mapping[str, frozenset[str]]  # by entity: the id and what is immutable
    references: Mapping[str, Mapping[str, str]]  # by entity: attribute -> the entity whose id it holds
    kinships: Mapping[str, tuple[Kinship, ...]]  # by entity that has the children
    created: Mapping[str, float]  # by entity: items a month by writes that make nothing but new ones, if rates are said
    numbers: tuple[Number, ...]  # counts and rates; `numbers.numbers_of` has all
    assumptions: tuple[Assumption, ...]  # in words; `numbers.assumptions_of` has all
    has_rates: bool
    implied: tuple[PatternSpec, ...]  # puts of entities that no described write creates
    taken: Taken = {}

    @property
    def writes(self) -> tuple[PatternSpec, ...]:
        return (*self.spec.writes, *self.implied)

    def attribute(self, entity: str, name: str) -> AttributeSpec:
        return self.spec.entities[entity].attributes[name]

    def guess(self, place: str, usual: float) -> float:
        """A number that nobody gave: every one of them is asked for here, so that each can be listed and varied."""
        return self.taken.get(place, usual)


def assume(spec: Spec, taken: Taken = {}) -> Facts:  # noqa: B006 - never changed
    """`taken`: other values for what would be assumed, to see what depends on it."""
    noted: list[Assumption] = []
    counted = count_items(spec, taken)
    counts = {name: counted[f"entities.{name}.count"].value for name in spec.entities}
    spec = _with_growth(spec, counts)
    references = {name: references_of(spec, name) for name in spec.entities}
    present = {name: _find_present(spec, name, references) for name in spec.entities}
    implied = _implied_writes(spec, references)
    timed = {
        each.id: rate_numbers(each, _added_by(spec, references, each), taken) for each in (*spec.patterns, *implied)
    }
    _note_presence(spec, present, noted)
    noted += [*_unread_words(spec), *_childless(spec)]
    return Facts(
        spec=spec,
        counts=counts,
        rates={id_: Rate(avg=avg.value, peak=peak.value) for id_, (avg, peak) in timed.items()},
        present=present,
        changing={
            name: _find_changing(spec, entity, references, implied, noted) for name, entity in spec.entities.items()
        },
        fixed={name: _find_fixed(spec, entity, references, implied) for name, entity in spec.entities.items()},
        references=references,
        kinships={name: tuple(_kinships_of(spec, name)) for name in spec.entities},
        created={name: _created_in(spec, references, name) for name in spec.entities},
        numbers=(*counted.values(), *(each for pair in timed.values() for each in pair)),
        assumptions=tuple(sorted(set(noted))),
        taken=taken,
        has_rates=any(each.rate is not None for each in spec.patterns if not each.cascade_of),
        implied=implied,
    )


def _implied_writes(spec: Spec, references: References) -> tuple[PatternSpec, ...]:
    """A put of every entity that no described write creates."""
    made = {
        name
        for each in spec.writes
        for name in each.entities
        if name in spec.entities and operation_in(spec, references, each, name) == "put"
    }
    return tuple(
        PatternSpec(id=f"put {name}", kind="write", op="put", entities=(name,), by=entity.id)
        for name, entity in spec.entities.items()
        if name not in made
        and entity.kind == "entity"  # derived items are written with their entity
        and entity.packed is None  # what is put lies in them, and makes them
    )


def _added_by(spec: Spec, references: References, pattern: PatternSpec) -> float | None:
    """The items that are added every month, where one put makes them all."""
    if len(pattern.entities) != 1 or pattern.op != "put":
        return None
    entity = pattern.entity
    others = [each for each in spec.writes if each.id != pattern.id and entity in each.entities]
    if any(operation_in(spec, references, each, entity) == "put" for each in others):
        return None
    return spec.entities[entity].growth_per_month


def _created_in(spec: Spec, references: References, entity: str) -> float:
    """New items a month, as far as the rates of writes tell that are refused where the id exists."""
    rates = [
        each.rate.avg
        for each in spec.writes
        if each.rate is not None and entity in each.entities
        if operation_in(spec, references, each, entity) == "put" and only_creates(spec, each, entity)
    ]
    return sum(rates) * SECONDS_PER_MONTH


def _with_growth(spec: Spec, counts: Mapping[str, float]) -> Spec:
    """The spec with growth by a share turned into a number of items."""
    grown = {
        name: msgspec.structs.replace(entity, growth_per_month=entity.growth_share * counts[name])
        for name, entity in spec.entities.items()
        if entity.growth_share is not None and entity.growth_per_month is None
    }
    return msgspec.structs.replace(spec, entities={**spec.entities, **grown}) if grown else spec


def _unread_words(spec: Spec) -> Iterator[Assumption]:
    """Rates and times to wait in words that hold no number: each is a question."""
    for each in spec.patterns:
        place = f"access_patterns.{each.id}"
        if each.rate_hint and each.rate is None:
            yield Assumption(f"{place}.rate_hint", f'"{each.rate_hint}" says no number such as 100 per second')
        if each.latency and read_latency(each.latency) is None:
            yield Assumption(f"{place}.latency", f'"{each.latency}" says no time such as 10 ms, so none is held to')


def _childless(spec: Spec) -> Iterator[Assumption]:
    """Far fewer children than parents times their average: that of the parents that have any."""
    for at, each in enumerate(spec.relationships):
        parent, child = spec.entities.get(each.source), spec.entities.get(each.via or each.target)
        if parent is None or child is None or not (parent.count and child.count and each.avg):
            continue
        having = child.count / each.avg
        if having * CHILDLESS < parent.count and each.kind != "one-to-one":
            yield Assumption(
                f"relationships[{at}].avg",
                f"{having:,.0f} of {parent.count:,.0f} {parent.name} items have any {child.name} ({each.avg:g} each)",
            )


# ---- references, presence, change -----------------------------------------------------------------------------------


def references_of(spec: Spec, name: str) -> dict[str, str]:
    """The attributes of an entity that hold the id of another."""
    entity = spec.entities[name]
    found: dict[str, str] = {}
    for each in spec.relationships:
        for parent in _parents_named_by(each, name):
            if parent in spec.entities and parent != name:
                found.update(dict.fromkeys(reference_attributes(spec, entity, spec.entities[parent], each), parent))
    for attribute in entity.attributes.values():
        if attribute.references in spec.entities and attribute.references != name:
            found[attribute.name] = str(attribute.references)
    found.update({attr: of for attr, of in listed_by(spec, name).items() if of != name})
    for other in spec.entities.values():
        if other.name != name and other.kind == "entity" and _is_called_like_id(entity, other):
            found.setdefault(other.id[0], other.name)
    return found


def _is_called_like_id(entity: EntitySpec, other: EntitySpec) -> bool:
    """Whether an attribute has the name and the type of another's id, and is nothing else."""
    name = other.id[0]
    own = entity.attributes.get(name)
    if own is None or len(other.id) > 1 or name == entity.version or own.references_any:
        return False
    if name in entity.id and own.sorts_as is not None:  # made with the time of its own item
        return False
    return name not in other.attributes or own.type == other.attributes[name].type


def _kinships_of(spec: Spec, name: str) -> Iterator[Kinship]:
    for each in spec.relationships:
        parent = spec.entities.get(each.source)
        if parent is None or (each.via or each.target) != name:
            continue
        names = reference_attributes(spec, spec.entities[name], parent, each)
        if names and (parent.name != name or each.by):
            yield Kinship(each, names)


def _parents_named_by(each: RelationshipSpec, name: str) -> Iterator[str]:
    """The entities that an item of `name` refers to by this relationship."""
    if each.via == name:
        yield from (each.source, each.target)
    elif each.via is None and each.target == name:
        yield each.source


def reference_attributes(spec: Spec, child: EntitySpec, parent: EntitySpec, each: RelationshipSpec) -> tuple[str, ...]:
    """The given attributes, the parent's id, or for each part of it the one attribute that has its ending (`ownerId`)
    and is no other id.
    """
    if each.by:
        return each.by
    if all(name in child.attributes for name in parent.id):
        return parent.id
    found: list[str] = []
    for part in parent.id:
        likely = [part] if part in child.attributes else _with_ending(spec, child, parent, each, part)
        found += [name for name in likely if name not in found][:1]
    return tuple(found) if len(found) == len(parent.id) else ()


def _with_ending(
    spec: Spec, child: EntitySpec, parent: EntitySpec, each: RelationshipSpec, part: str
) -> tuple[str, ...]:
    wanted = part.lower()
    suffix = wanted.removeprefix(parent.name.lower()) or wanted
    likely = [name for name in child.attributes if name.lower().endswith(suffix) and name not in child.id[-1:]]
    likely = [name for name in likely if len(parent.id) == 1 or name not in parent.id]
    if len(likely) > 1:
        others = {name for other in spec.entities.values() for name in other.id}
        others |= {name for other in spec.relationships if other != each for name in other.by}
        likely = [name for name in likely if name not in others]
    return (likely[0],) if len(likely) == 1 else ()


def _find_present(spec: Spec, name: str, references: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
    entity = spec.entities[name]
    said = {each.name for each in entity.attributes.values() if each.required or each.presence == 1}
    denied = {
        each.name
        for each in entity.attributes.values()
        if each.required is False or (each.presence is not None and each.presence < 1)
    }
    puts = [each for each in spec.writes if each.op == "put" and name in each.entities]
    inputs = {attr for each in puts for attr in each.by if attr in entity.attributes}
    likely = (inputs | set(references[name]) | set(listed_by(spec, name))) - denied - may_lack_after_upsert(spec, name)
    return frozenset((said - denied) | likely | set(entity.id))


def may_lack_after_upsert(spec: Spec, name: str) -> set[str]:
    """What an item may lack that an update made."""
    entity = spec.entities[name]
    upserts = [each for each in spec.writes if name in each.entities and each.upserts(name)]
    return {
        attr
        for each in upserts
        for attr in entity.attributes
        if attr not in (*each.by_of(name), *(each.changed_of(name) or ()))
    }


def _note_presence(spec: Spec, present: Mapping[str, frozenset[str]], noted: list[Assumption]) -> None:
    for name, entity in spec.entities.items():
        silent = [each.name for each in entity.attributes.values() if each.required is None]
        assumed = [attr for attr in silent if attr in present[name] and attr not in entity.id]
        optional = [attr for attr in silent if attr not in present[name]]
        if assumed:
            noted.append(Assumption(f"entities.{name}.attributes", f"always present: {', '.join(assumed)}"))
        if optional:
            noted.append(Assumption(f"entities.{name}.attributes", f"may be absent: {', '.join(optional)}"))


def _find_changing(
    spec: Spec, entity: EntitySpec, references: References, implied: tuple[PatternSpec, ...], noted: list[Assumption]
) -> frozenset[str]:
    """Everything but what is fixed, where a put may replace an item; else what updates change."""
    may = {*entity.attributes} - _find_fixed(spec, entity, references, implied)
    changed = {entity.version} if entity.version else set[str]()
    for each in (*spec.writes, *implied):
        if entity.name not in each.entities:
            continue
        operation = operation_in(spec, references, each, entity.name)
        if operation == "put" and not only_creates(spec, each, entity.name):
            changed |= may
        elif operation == "update":
            changed |= _changed_by_update(each, entity, noted)
    return frozenset(changed & may)


def _changed_by_update(pattern: PatternSpec, entity: EntitySpec, noted: list[Assumption]) -> set[str]:
    said = pattern.changed_of(entity.name)
    if said is not None:
        return set(said)
    noted.append(Assumption(f"access_patterns.{pattern.id}.changes", "anything but the id and its inputs"))
    return set(entity.attributes) - set(pattern.by_of(entity.name))


def _find_fixed(
    spec: Spec, entity: EntitySpec, references: References, implied: tuple[PatternSpec, ...]
) -> frozenset[str]:
    """An id comes with the same values of these every time: an item that is replaced has them as well.

    Not the moment of a put that may replace an item, which nobody who writes can promise.
    """
    replacing = any(
        operation_in(spec, references, each, entity.name) == "put" and not only_creates(spec, each, entity.name)
        for each in (*spec.writes, *implied)
        if entity.name in each.entities
    )
    immutable = (
        each.name for each in entity.attributes.values() if each.immutable and not (replacing and each.default == NOW)
    )
    return frozenset((*entity.id, *immutable))


# ---- what a write does to each of its entities ----------------------------------------------------------------------


Operation: TypeAlias = EntityOp
References: TypeAlias = "Mapping[str, Mapping[str, str]]"


def operation_in(spec: Spec, references: References, pattern: PatternSpec, entity: str) -> Operation:
    """What a write does to one of its entities. A transaction may state it (`ops`); otherwise

    - an entity whose id the caller does not have is put;
    - one that another write puts exists already, and is updated;
    - so is the parent of another entity of the transaction that is named by its id (a like updates its post);
    - every other one is put.
    """
    if pattern.op != "transact":
        return "put" if pattern.op is None else pattern.op
    said = pattern.ops.get(entity)
    if said is not None:
        return said.op
    return "put" if _is_new(spec, references, pattern, entity) else "update"


def _is_new(spec: Spec, references: References, pattern: PatternSpec, entity: str) -> bool:
    if not names_one(spec, pattern, entity):
        return True
    others = [each for each in spec.writes if each.id != pattern.id and entity in each.entities]
    if any(each.op == "put" or (each.op == "transact" and not names_one(spec, each, entity)) for each in others):
        return False
    return not any(
        other != entity and names_one(spec, pattern, other) and _is_child(spec, references, other, entity)
        for other in pattern.entities
    )


def names_one(spec: Spec, pattern: PatternSpec, entity: str) -> bool:
    """Whether the inputs include the whole id of the entity."""
    return set(spec.entities[entity].id) <= set(pattern.by_of(entity))


def only_creates(spec: Spec, pattern: PatternSpec, entity: str) -> bool:
    """Whether a put is refused where the id exists; `not exists` of a transaction holds for all that it puts."""
    return words_on(spec, pattern, entity).existence == "new"


def words_on(spec: Spec, pattern: PatternSpec, entity: str) -> Worded:
    """The condition in words on one entity of a write: its own, else as far as the pattern's is about it."""
    said = pattern.ops.get(entity)
    if said is not None and said.condition:
        return read_words(said.condition, [spec.entities[entity]], spec.entities)[entity]
    return read_words(pattern.condition, [spec.entities[name] for name in pattern.entities], spec.entities)[entity]


def _is_child(spec: Spec, references: References, child: str, parent: str) -> bool:
    return parent in references[child].values() or set(spec.entities[parent].id) < set(spec.entities[child].id)
