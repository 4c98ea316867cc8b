"""Access patterns: steps that read and write what there is, with values that somebody brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.design.check.items import names_in
from tablewright.design.check.names import attribute_faults, quote, repeated, template_faults, unknown
from tablewright.design.values.templates import BUCKET, COPY, CUT, EARLIEST, EXPIRES, FOUND, PACKED, SHARD, Template
from tablewright.expr.nodes import Slot
from tablewright.spec.kinds import is_moment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.check.names import Fault
    from tablewright.design.model import Design, PatternDesign, ReadStep, WriteStep
    from tablewright.design.values.templates import Path
    from tablewright.spec.conditions import Predicate

REQUEST_TOKEN = "request_token"
AGGREGATES = ("count", "sum", "max", "min", "total")


def pattern_faults(design: Design) -> Iterator[Fault]:
    yield from repeated("patterns", (each.id for each in design.patterns))
    entities = list(dict.fromkeys(each.entity for each in design.items))
    for at, pattern in enumerate(design.patterns):
        place = f"patterns[{at}]"
        yield from attribute_faults(f"{place}.id", pattern.id)
        if not pattern.entities:
            yield f"{place}.entities", "is empty; a pattern is about at least one entity"
        for name in pattern.entities:
            yield from unknown(f"{place}.entities", "entity", name, entities)
        yield from repeated(f"{place}.parameters", (each.name for each in pattern.parameters))
        for number, parameter in enumerate(pattern.parameters):
            yield from attribute_faults(f"{place}.parameters[{number}].name", parameter.name)
            if parameter.entity is not None:
                yield from unknown(f"{place}.parameters[{number}].entity", "entity", parameter.entity, entities)
        for name in pattern.aggregate:
            yield from unknown(f"{place}.aggregate", "such number", name, AGGREGATES)
        yield from _step_faults(place, pattern, design)


def _step_faults(place: str, pattern: PatternDesign, design: Design) -> Iterator[Fault]:
    if not pattern.reads and not pattern.writes:
        yield place, "has no steps; give it reads or writes"
    elif pattern.kind == "write" and not pattern.writes:
        yield f"{place}.writes", "is empty; a write has at least one"
    if len(pattern.writes) > 1 and not pattern.transaction:
        yield f"{place}.transaction", "is not true, and several writes go in one transaction"
    if any(each.operation == "ConditionCheck" for each in pattern.writes) and not pattern.transaction:
        yield f"{place}.transaction", "is not true, and a ConditionCheck is part of a transaction"
    if pattern.idempotent and not any(each.name == REQUEST_TOKEN for each in pattern.parameters):
        yield f"{place}.parameters", f"lack {REQUEST_TOKEN}, which an idempotent pattern is sent with"
    for at, read in enumerate(pattern.reads):
        yield from read_faults(f"{place}.reads[{at}]", read, pattern, design, at)
    items = {each.name: each for each in design.items}
    for at, write in enumerate(pattern.writes):
        yield from unknown(f"{place}.writes[{at}].item", "item type", write.item, items)
        if write.item in items:
            yield from write_faults(f"{place}.writes[{at}]", write, pattern, design)


# ---- reads ----------------------------------------------------------------------------------------------------------


def _key_fields_at(design: Design, table: str, index: str | None) -> list[str] | None:
    """The key fields of a place; None where there is no such place."""
    for each in design.tables:
        if each.name == table and index is None:
            return [each.pk.name, each.sk.name]
        for known in (*each.gsis, *each.lsis) if each.name == table else ():
            if known.name == index:
                return [field.name for field in (*known.pk, *known.sk)]
    return None


def read_faults(place: str, step: ReadStep, pattern: PatternDesign, design: Design, at: int) -> Iterator[Fault]:
    fields = _key_fields_at(design, step.table, step.index)
    if fields is None:
        where = quote(step.table) if step.index is None else f"{quote(step.table)} with an index {quote(step.index)}"
        yield place, f"there is no table {where}"
        return
    known = {*(each.name for each in pattern.parameters), *step.for_each, SHARD, BUCKET}
    known |= {EARLIEST} if step.longest is not None else set()
    known |= {cut for name, cut in CUT.items() if step.unfold == PACKED and name in known}
    known |= {COPY} if step.copies > 1 else set()
    if step.each:
        known |= {name for item in design.items for name in item.id}
    if step.keys_from is not None:
        known |= {name for item in design.items for name in (*item.fixed, *names_in(item, design))}
        known |= {field for table in design.tables for field in (table.pk.name, table.sk.name)}
        if not 0 <= step.keys_from < at:
            yield f"{place}.keys_from", "names no earlier step"
    for each in step.pk:
        yield from unknown(f"{place}.pk", "key field", each.field, fields)
        yield from template_faults(f"{place}.pk", each.template, known)
    for number, condition in enumerate(step.sk):
        inside = f"{place}.sk[{number}]"
        yield from unknown(f"{inside}.field", "key field", condition.field, fields)
        for template in (condition.low, *([condition.high] if condition.high else [])):
            yield from template_faults(inside, template, known)
        if (condition.operator == "between") != (condition.high is not None):
            yield inside, "between has a high end, and nothing else has"
    yield from _filter_faults(place, step, known)
    copies = [each for each in design.items if each.name in step.items and each.table_keys.copies == step.copies]
    if step.copies < 1 or (
        step.copies > 1 and sorted(each.table_keys.copy for each in copies) != [*range(1, step.copies + 1)]
    ):
        yield (
            f"{place}.copies",
            "are read from so many item types, each with its number from 1 on; name them in `items`",
        )
    if not step.pk or step.shards < 1 or (step.limit is not None and step.limit < 1):
        yield place, "a step has a partition, at least one shard, and a limit of at least 1 where it has one"
    yield from _found_faults(place, step, design, fields)
    yield from _list_faults(place, step, pattern, at)


def _list_faults(place: str, step: ReadStep, pattern: PatternDesign, at: int) -> Iterator[Fault]:
    """What makes a list: keys that are given, the step that it goes on behind, what is left out of it."""
    if step.each:
        yield from unknown(f"{place}.each", "parameter", step.each, (each.name for each in pattern.parameters))
        if step.operation != "BatchGetItem" or step.keys_from is not None:
            yield f"{place}.each", "is for a BatchGetItem that takes its keys from nowhere else"
    elif step.operation == "BatchGetItem" and step.keys_from is None:
        yield place, "BatchGetItem takes its keys from an earlier step (keys_from) or from a list parameter (each)"
    if step.counts_gone and (step.operation != "BatchGetItem" or step.keys_from is None or step.joins):
        yield f"{place}.counts_gone", "is for a BatchGetItem of what the items of an earlier step (keys_from) name"
    if step.continues and at == 0:
        yield f"{place}.continues", "goes on with nothing; it is for a step behind another one that answers"
    if step.merges is not None and (at == 0 or step.joins or not step.merges.attributes):
        yield f"{place}.merges", "merges nothing; it is for a step behind another one that answers, by attributes"
    if step.since is not None:
        yield from _walk_faults(f"{place}.since", step)
    yield from _beside_faults(f"{place}.beside", step) if step.beside else ()
    if step.longest is not None and (step.operation != "Query" or step.longest < 0 or not _is_asked_from(pattern)):
        yield f"{place}.longest", "is for a Query of a pattern with a parameter `from`, and at least 0"
    if step.unexpired is not None:
        yield from attribute_faults(f"{place}.unexpired", step.unexpired)
    if step.takes and step.joins and step.operation == "Query":
        yield f"{place}.takes", "is for a GetItem or BatchGetItem, where it joins what it finds to the items before it"
    for name in step.takes.values():
        yield from attribute_faults(f"{place}.takes", name)


def _beside_faults(place: str, step: ReadStep) -> Iterator[Fault]:
    """What a limit does not count is one of the entities that are found."""
    yield from unknown(place, "entity", step.beside, step.entities)
    if step.operation != "Query" or step.limit is None or step.filters or len(step.entities) < 2:
        yield place, "is for a Query of several entities with a limit and no filter"


def _is_asked_from(pattern: PatternDesign) -> bool:
    return any(each.name == "from" for each in pattern.parameters)


def _walk_faults(place: str, step: ReadStep) -> Iterator[Fault]:
    """Without a limit a walk would be a scan of all time, and a bucket that is known need not be looked for."""
    said = step.since or ""
    if not is_moment(said) or "T" not in said:
        yield place, f"{quote(said)} is no time in UTC such as 2024-01-01T00:00:00Z"
    if step.operation != "Query" or step.bucket is None or step.limit is None or BUCKET in step.for_each:
        yield place, "is for a Query with a bucket and a limit, which goes through buckets one after the other"


def _found_faults(place: str, step: ReadStep, design: Design, fields: list[str]) -> Iterator[Fault]:
    given = {*(each.field for each in step.pk), *(each.field for each in step.sk)}
    if step.operation != "Query" and given != set(fields):
        yield place, f"{step.operation} takes the whole key: {', '.join(map(quote, fields))}"
    if not step.entities:
        yield f"{place}.entities", "names nothing that is found; give it the entities or item types"
    there = dict.fromkeys(name for each in design.items for name in (each.entity, each.name))
    for name in step.entities:
        yield from unknown(f"{place}.entities", "entity or item type", name, there)
    if step.unfold == PACKED:
        packed = {each.name for each in design.items if each.kind == "packed" and each.entity in step.entities}
        if step.bucket is None or len(step.items) != 1 or not packed.issuperset(step.items):
            yield f"{place}.unfold", "* is for a step with a bucket that reads one packed item type"
    elif step.unfold is not None:
        maps = dict.fromkeys(each.inside for each in design.items if each.inside and each.entity in step.entities)
        yield from unknown(f"{place}.unfold", "map of these entities", step.unfold, maps)
    types = [each.name for each in design.items]
    for name in step.items:
        yield from unknown(f"{place}.items", "item type", name, types)


def _filter_faults(place: str, step: ReadStep, known: set[str]) -> Iterator[Fault]:
    for number, each in enumerate(step.filters):
        try:
            compared = each.comparison
        except ValueError as error:
            yield f"{place}.filters[{number}]", str(error)
        else:
            yield from attribute_faults(f"{place}.filters[{number}]", compared.attribute)
        for name in each.slots:
            yield from unknown(f"{place}.filters[{number}]", "parameter", name, sorted(known))


# ---- writes ---------------------------------------------------------------------------------------------------------


def write_faults(place: str, step: WriteStep, pattern: PatternDesign, design: Design) -> Iterator[Fault]:
    fields = _key_fields_at(design, step.table, None)
    if fields is None:
        yield from unknown(f"{place}.table", "table", step.table, (each.name for each in design.tables))
        return
    attributes = {name for each in design.items for name in (*each.fixed, *names_in(each, design))}
    known = {*(each.name for each in pattern.parameters), *attributes, *(f"old.{name}" for name in attributes)}
    known |= {f"new.{name}" for name in attributes}
    known |= {SHARD, BUCKET, EXPIRES, f"old.{SHARD}", f"old.{BUCKET}", "*"}
    known |= {FOUND} if pattern.refreshes else set()
    for each in step.key:
        yield from unknown(f"{place}.key", "key field", each.field, fields)
        yield from template_faults(f"{place}.key", each.template, known)
    yield from _change_faults(place, step, known)
    if step.names_of:
        entities = dict.fromkeys(each.entity for each in design.items)
        yield from unknown(f"{place}.names_of", "entity", step.names_of, entities)
    for name in (*step.unchanged, *step.unless_same, *step.if_newer):
        yield from attribute_faults(f"{place}: unchanged, unless_same or if_newer", name)
    taken = {name for each in pattern.reads for name in each.takes}
    for name, seen in step.seen.items():
        yield from attribute_faults(f"{place}.seen", name)
        yield from unknown(f"{place}.seen", "parameter that a read takes", seen, sorted(taken))
    if step.each:
        yield from unknown(f"{place}.each", "parameter", step.each, (each.name for each in pattern.parameters))
    if step.condition:
        yield from _condition_faults(f"{place}.condition", step.condition, {*attributes, *fields}, known)


def _change_faults(place: str, step: WriteStep, known: set[str]) -> Iterator[Fault]:
    for path, template in step.set.items():
        yield from _path_faults(f"{place}.set", path, known)
        yield from template_faults(f"{place}.set.{path}", template, known)
    for path, template in step.initial.items():
        yield from _path_faults(f"{place}.initial", path, known)
        yield from template_faults(f"{place}.initial.{path}", template, known)
    for name, value in step.constants.items():
        yield from attribute_faults(f"{place}.constants", name)
        if value is None or isinstance(value, list | dict):
            yield f"{place}.constants.{name}", "is no text, number or truth value"
    for path in step.remove:
        yield from _path_faults(f"{place}.remove", path, known)
    for path, amount in step.add.items():
        yield from _path_faults(f"{place}.add", path, known)
        slots = Template(*(each.value for each in amount.terms if isinstance(each.value, Slot)))
        yield from template_faults(f"{place}.add.{path}", slots, known)


def _path_faults(place: str, path: Path, known: set[str]) -> Iterator[Fault]:
    yield from attribute_faults(place, path.name)
    yield from template_faults(place, Template(*(each for each in path.parts if isinstance(each, Slot))), known)


def _condition_faults(place: str, condition: Predicate, attributes: set[str], known: set[str]) -> Iterator[Fault]:
    for name in condition.attributes:
        yield from unknown(place, "attribute", name, sorted(attributes))
    for name in condition.slots:
        yield from unknown(place, "parameter", name, sorted(known))
