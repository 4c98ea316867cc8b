"""Writes that contradict themselves, and names in transactions that could mean two things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.spec.conditions import Predicate, absent, unqualified
from tablewright.spec.facts import operation_in, words_on
from tablewright.spec.faults.borrowing import borrowed_faults, unnamed_faults
from tablewright.spec.faults.place import SpecFault, constant_faults, unknown_attributes
from tablewright.spec.faults.values import rule_on_constant
from tablewright.spec.writes import changes_on, entities_of, when_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.spec.facts import References
    from tablewright.spec.model import Change, EntityOp, EntitySpec, PatternSpec, Spec


def write_faults(place: str, pattern: PatternSpec, spec: Spec, references: References) -> Iterator[SpecFault]:
    outside = [name for name in pattern.ops if name not in pattern.entities]
    for name in outside:
        yield f"{place}.ops.{name}", f"the pattern is not about {name}, but about {', '.join(pattern.entities)}."
    if pattern.ops and pattern.op != "transact":
        yield f"{place}.ops", f"is for transactions, and this is a {pattern.op}; write op: transact."
    done: dict[str, EntityOp] = {name: operation_in(spec, references, pattern, name) for name in pattern.entities}
    yield from _own_name_faults(place, pattern, spec)
    yield from unnamed_faults(place, pattern, spec, done)
    yield from borrowed_faults(place, pattern, spec, done)
    yield from _change_faults(place, pattern, spec, done)
    yield from _upsert_faults(place, pattern, spec, done)
    yield from _condition_faults(place, pattern, spec)
    yield from _existence_faults(place, pattern, spec, done)
    yield from _impossible_faults(place, pattern, spec)
    yield from _token_faults(place, pattern, spec)


def _token_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    """A token is of one transaction: what finds any number of items is as many of them."""
    if not pattern.idempotent or pattern.op not in ("update", "delete"):
        return
    entity, by = spec.entities[pattern.entity], set(pattern.by)
    if not any(set(names) <= by for names in (entity.id, *entity.unique)):
        yield (
            f"{place}.idempotent",
            (
                f"may {pattern.op} several {entity.name} items, each in its own transaction, and one token is for one"
                f" of them; name the item by its id ({', '.join(entity.id)}), or leave it out."
            ),
        )


def _own_name_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    """Names in `ops` that the entity does not have."""
    for name, said in pattern.ops.items():
        if name in pattern.entities:
            entity = spec.entities[name]
            yield from unknown_attributes(f"{place}.ops.{name}.by", said.by or (), entity)
            changed = tuple(each.attr for each in said.changes or ())
            yield from unknown_attributes(f"{place}.ops.{name}.changes", changed, entity)


# ---- changes --------------------------------------------------------------------------------------------------------


def _change_faults(place: str, pattern: PatternSpec, spec: Spec, done: dict[str, EntityOp]) -> Iterator[SpecFault]:
    updated = [name for name, op in done.items() if op == "update"]
    if pattern.changes and not updated:
        yield f"{place}.changes", "is what an update changes, and nothing is updated here; leave it out."
    for name, said in pattern.ops.items():
        if said.changes and said.op != "update":
            yield f"{place}.ops.{name}.changes", f"is what an update changes, and this is a {said.op}; leave it out."
    yield from _ambiguous_changes(place, pattern, spec, updated)
    for name in updated:
        at = _place_in(place, pattern, name, "changes")
        for each in changes_on(spec, pattern, name) or ():
            yield from _one_change(f"{at}.{each.attr}", spec.entities[name], each)


def _ambiguous_changes(place: str, pattern: PatternSpec, spec: Spec, updated: list[str]) -> Iterator[SpecFault]:
    """What the pattern changes must be of one entity, unless the entities say it themselves."""
    silent = [name for name in updated if name not in pattern.ops or pattern.ops[name].changes is None]
    for each in pattern.changes or ():
        having = [name for name in silent if each.attr in spec.entities[name].attributes]
        if len(having) > 1:
            yield (
                f"{place}.changes.{each.attr}",
                (
                    f"{_listed(having)} have {each.attr}; say for each entity what it changes:"
                    f" ops: {{{having[0]}: {{op: update, changes: [{each.attr}]}}}}."
                ),
            )


def _one_change(place: str, entity: EntitySpec, change: Change) -> Iterator[SpecFault]:
    attribute = entity.attributes[change.attr]
    named = f"{entity.name}.{change.attr}"
    if change.attr in entity.id:
        yield place, f"{named} is part of the id, which never changes. Delete the item and put another one."
    elif attribute.immutable:
        yield place, f"{named} is immutable, so that no update changes it; correct one of them."
    elif change.attr == entity.version:
        yield place, f"{named} is the version, which every write raises by itself; leave it out."
    elif change.kind == "add" and attribute.type not in ("number", "any"):
        yield place, f"{named} is a {attribute.type}, and only numbers can be added to."
    elif change.kind == "add" and any(change.attr in group for group in entity.unique):
        yield place, f"{named} is unique, so that its new value must be given; adding does not know it."
    elif change.kind == "remove" and attribute.required:
        yield place, f"{named} is required, and cannot be removed."
    elif change.kind == "set" and isinstance(change.value, str) and set(change.value) & set("{}"):
        yield (
            place,
            (
                f'"{change.value}" would be stored with its braces. What the caller gives is'
                f" `{change.attr}: {{given: true}}`; a constant has no braces."
            ),
        )
    elif change.kind == "set":
        yield from constant_faults(place, entity, attribute, change.value)
        yield from rule_on_constant(place, attribute, change.value)


def _upsert_faults(place: str, pattern: PatternSpec, spec: Spec, done: dict[str, EntityOp]) -> Iterator[SpecFault]:
    if pattern.upsert and "update" not in done.values():
        yield f"{place}.upsert", "is for updates, and nothing is updated here; a put makes what does not exist anyway."
    for name, op in done.items():
        said = pattern.ops.get(name)
        at = f"{place}.ops.{name}.upsert" if said is not None and said.upsert else f"{place}.upsert"
        if op == "update" and pattern.upserts(name):
            yield from _unknown_to_upsert(at, pattern, spec, name)
        elif said is not None and said.upsert:
            yield at, f"is for updates, and this is a {op}; leave it out."


def _unknown_to_upsert(place: str, pattern: PatternSpec, spec: Spec, name: str) -> Iterator[SpecFault]:
    """An item that is made must be whole."""
    entity, by = spec.entities[name], pattern.by_of(name)
    unnamed = [each for each in entity.id if each not in by]
    if unnamed:
        yield place, f"makes {name} items, so that `by` must have their whole id; {', '.join(unnamed)} is missing."
    changes = changes_on(spec, pattern, name)
    given = {*by, *entity.id, entity.version, *(each.attr for each in changes or () if each.kind != "remove")}
    lacking = [each.name for each in entity.attributes.values() if each.required and each.name not in given]
    if lacking:
        yield (
            place,
            f"may make a {name}, which needs {', '.join(lacking)}; list these in `changes`, or put the item instead.",
        )


# ---- conditions -----------------------------------------------------------------------------------------------------


def _condition_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    for name, said in pattern.ops.items():
        if said.when and name in pattern.entities:
            yield from _own_condition_faults(f"{place}.ops.{name}.when", said.when, spec.entities[name])
    if not pattern.when:
        return
    at = f"{place}.when"
    if len(pattern.entities) == 1:
        yield from _own_condition_faults(at, pattern.when, spec.entities[pattern.entity])
        return
    try:
        parts = Predicate.parse(pattern.when).parts
    except ValueError as fault:
        yield at, _unwritten(fault)
        return
    for part in parts:
        found = entities_of(spec, pattern, part)
        if len(found) != 1:
            yield at, _unclear(pattern, part, found)


def _own_condition_faults(place: str, text: str, entity: EntitySpec) -> Iterator[SpecFault]:
    try:
        found = unqualified(Predicate.parse(text), entity.name)
    except ValueError as fault:
        yield place, _unwritten(fault)
        return
    unknown = sorted(set(found.attributes) - set(entity.attributes))
    if unknown:
        first, known = unknown[0], ", ".join(entity.attributes)
        yield (
            place,
            (
                f'"{text}" speaks of {", ".join(unknown)}; there are the attributes {known}. A text is quoted'
                f" ('{first}'), and what the caller gives stands in braces ({{{first}}})."
            ),
        )


def _unwritten(fault: ValueError) -> str:
    form = "`people < 50 AND attribute_exists(openTimestamp)`"
    return f"{fault} Write it like {form}, with {{name}} for what the caller gives."


def _unclear(pattern: PatternSpec, part: Predicate, found: list[str]) -> str:
    if found:
        named = " or ".join(f"{name}.{part.attributes[0]}" for name in found)
        return f'"{part}" could be about {_listed(found)}; write {named}.'
    return (
        f'"{part}" is about none of {", ".join(pattern.entities)} alone. What AND joins is about one entity each:'
        f" write {pattern.entities[0]}.attribute, a quoted text, or {{name}} for what the caller gives."
    )


def _existence_faults(place: str, pattern: PatternSpec, spec: Spec, done: dict[str, EntityOp]) -> Iterator[SpecFault]:
    """`not exists` is for puts; `exists` is no upsert."""
    for name, op in done.items():
        worded = words_on(spec, pattern, name)
        said = pattern.ops.get(name)
        at = _place_in(place, pattern, name, "condition")
        is_own = worded.named or len(done) == 1 or (said is not None and bool(said.condition))
        if worded.existence == "new" and op != "put" and (is_own or "put" not in done.values()):
            yield at, f"{name} must not exist, and a {op} needs it; leave it out, or make it a put."
        if worded.existence == "there" and op == "update" and pattern.upserts(name):
            yield at, f"{name} must exist, and `upsert` makes what does not; leave out one of them."


def _impossible_faults(place: str, pattern: PatternSpec, spec: Spec) -> Iterator[SpecFault]:
    """An item that is found by an attribute has it; what a transaction finds others by is no demand on this one."""
    for name in pattern.entities:
        said = pattern.ops.get(name)
        own = pattern.by if len(pattern.entities) == 1 else said.by if said is not None and said.by else ()
        try:
            when = when_on(spec, pattern, name)
        except ValueError:  # which is told elsewhere
            continue
        for each in own:
            if when is not None and absent(each) in when.parts:
                at = _place_in(place, pattern, name, "when")
                yield at, f"demands that {name} has no {each}, and it is found by it; leave {each} out of `by`."


def _place_in(place: str, pattern: PatternSpec, entity: str, field: str) -> str:
    """Where a field of an entity was said: with the entity, or with the pattern."""
    said = pattern.ops.get(entity)
    return f"{place}.ops.{entity}.{field}" if said is not None and getattr(said, field) else f"{place}.{field}"


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
