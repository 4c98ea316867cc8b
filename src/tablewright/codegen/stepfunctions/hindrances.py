"""Which access patterns have no state machine, and why: what one request cannot say, and what nobody wrote for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.carrying import refused_fields
from tablewright.codegen.stepfunctions.meaning import meaning_of
from tablewright.design.steps.model import EARLIEST, EXPIRES, NOW, Slot, Sum
from tablewright.design.steps.values import slots_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import PatternDesign
    from tablewright.design.steps.compile import Compiled
    from tablewright.design.steps.model import Read, Value, Write, Writing

_SEVERAL = "it asks several partitions, or one that follows from a checksum or a time"
_PICKED = "its answer has to be picked out of what is found"
_MANY = "it is more than one request"
_STORED = "what it writes depends on stored items, or on a list"
_READS = frozenset(
    (
        "operation table index key condition filter projection backwards limit beside sends_limit consistent"
        " entities unexpired longest"
    ).split()
)
_WHY_NO_READ = {
    "copies": "it reads any one of several copies, and no machine here picks a number",
    "shards": _SEVERAL,
    "shard_of": _SEVERAL,
    "for_each": _SEVERAL,
    "bucket": _SEVERAL,
    "since": "it asks one bucket of time after the other, and a machine sends one request",
    "unfold": _PICKED,
    "demands": _PICKED,
    "continues": _MANY,
    "merges": _MANY,
    "keys_from": _MANY,
    "joins": _MANY,
    "counts_gone": _MANY,
    "takes": _PICKED,
    "each": "it takes a list of ids",
}
_WRITES = frozenset("operation item table key all_attributes attributes changes condition names_of".split())
_WHY_NO_WRITE = {"each": _STORED, "unchanged": _STORED, "unless_same": _STORED, "if_same": _STORED, "if_newer": _STORED}
_WRITINGS = frozenset("op entities inputs reads writes transaction puts seen becomes idempotent".split())
_LOOPS = "it deletes what goes with its item, page by page"
_WHY_NO_WRITING = {
    "cascades": _LOOPS,
    "deleted": _LOOPS,
    "resumes": _LOOPS,
    "rules": "it fills in defaults or checks values, which a machine of one request does not",
}


def hindrance(compiled: Compiled, pattern: PatternDesign) -> str | None:
    """Why a pattern has no machine, if it has none."""
    reads, writing = compiled.reads[pattern.id], compiled.writings.get(pattern.id)
    found = [*_read_hindrances(pattern, reads)]
    if writing is not None:
        found += refused_fields(writing, _WRITINGS, _WHY_NO_WRITING)
        found += _same_items(writing)
        found += [why for step in writing.writes for why in _step_hindrances(compiled, pattern, step)]
    found += [*_value_hindrances(compiled, pattern), *_bound_hindrances(compiled, pattern)]
    return next(iter(found), None)


def _read_hindrances(pattern: PatternDesign, reads: tuple[Read, ...]) -> Iterator[str]:
    if pattern.kind == "write" and reads:
        yield "it has to know the stored item first"
    if len(reads) > 1:
        yield _MANY
    for step in reads:
        if step.since:
            yield _WHY_NO_READ["since"]
        yield from refused_fields(step, _READS, _WHY_NO_READ)


def _step_hindrances(compiled: Compiled, pattern: PatternDesign, step: Write) -> Iterator[str]:
    yield from refused_fields(step, _WRITES, _WHY_NO_WRITE)
    if step.operation == "UpdateItem" and step.all_attributes:
        yield "it replaces an item but for a map in it, where what is not given goes"
    kind = compiled.stored.types[step.item]
    if any(keys.shards > 1 or keys.bucket for keys in kind.keys):
        yield f"keys of {step.item} hold a checksum or the beginning of a time"
    names = [name for each in step.changes for name in each.path.names.values()]
    if Slot("*") in [*step.attributes.values(), *(each.value for each in step.changes)]:
        yield "it writes an entry of a map inside another item"
    if any(isinstance(each, Slot) for each in names):
        yield "it writes an entry of a map inside another item"
    yield from _name_hindrances(compiled, pattern, step)
    yield from _index_hindrances(compiled, pattern, step)


def _same_items(writing: Writing) -> Iterator[str]:
    """Two steps on items of one type may be about one item, which only a run can tell."""
    items = [step.item for step in writing.writes]
    if len(set(items)) < len(items):
        yield "two of its writes may be of the same item"


def _name_hindrances(compiled: Compiled, pattern: PatternDesign, step: Write) -> Iterator[str]:
    """Names that mean nothing without the stored item, or another entity's input."""
    writing = compiled.writings[pattern.id]
    entity = step.names_of or compiled.stored.types[step.item].entity
    own = {each.name for each in writing.given if each.entity in (None, entity)}
    meaning = meaning_of(compiled, pattern, step)
    for value in _written_values(step):
        for name in slots_of(value):
            found = meaning.of(Slot(name))
            is_known = found is not None if not isinstance(found, Slot) else found.name in {*own, EXPIRES}
            if not is_known:
                yield f"it needs {name}, which only the stored item has"
            if isinstance(value, tuple) and not isinstance(found, Slot):
                yield f"a key holds {name}, which is no value of the caller"
    terms = (term for each in step.changes if isinstance(each.value, Sum) for _, term in each.value.terms)
    demanded = step.condition.values.values() if step.condition is not None else ()
    for value in (*terms, *demanded):
        if isinstance(value, Slot) and value.name not in meaning.types:
            yield f"it needs {value.name}, which only the stored item has"
    for value in demanded:
        if isinstance(value, Slot) and value.name not in meaning.needed:
            yield f"{value.name} may be absent, and a condition asks for it"


def _written_values(step: Write) -> list[Value]:
    values = [*step.key.values(), *(each.value for each in step.changes if not isinstance(each.value, Sum))]
    is_put = step.operation == "PutItem" and not step.all_attributes
    return [*values, *(step.attributes.values() if is_put else ())]


def _index_hindrances(compiled: Compiled, pattern: PatternDesign, step: Write) -> Iterator[str]:
    """Indexes that hold the item only for some of the values that a caller may give."""
    needed = {each.attribute or each.name for each in pattern.parameters if each.required}
    changed = {each.key_field for each in step.changes}
    becoming = meaning_of(compiled, pattern, step).becoming
    for keys in compiled.stored.types[step.item].keys:
        is_put = step.operation == "PutItem" and step.all_attributes
        is_written = is_put or not changed.isdisjoint(keys.fields)
        if is_written and any(value is not None or name not in needed for name, value in keys.when.items()):
            yield f"whether {step.item} is in {keys.index} depends on {', '.join(keys.when)}"
        names = [name for value in keys.fields.values() for name in slots_of(value)]
        if is_put and any(isinstance(becoming.get(name), Sum) for name in names):
            yield f"a key of {step.item} holds a sum"


def _value_hindrances(compiled: Compiled, pattern: PatternDesign) -> Iterator[str]:
    """Values that a machine could not write, or not as the design says."""
    used = set(key_names(compiled, pattern))
    for each in pattern.parameters:
        if each.type in ("map", "list", "any", "binary"):
            yield f"{each.name} is of type {each.type}, which a machine cannot write as DynamoDB's JSON"
        is_set = pattern.op == "update" or any(each.name in _set_by(step) for step in writes_of(compiled, pattern))
        if pattern.kind == "write" and not each.required and (is_set or each.name in used):
            yield f"{each.name} may be absent, and what is written depends on it"


def _bound_hindrances(compiled: Compiled, pattern: PatternDesign) -> Iterator[str]:
    """Where what overlaps may have begun is less than `from`, and may be less than 0."""
    is_number = any(each.name == "from" and each.type == "number" for each in pattern.parameters)
    if is_number and compiled.stored.key_style == "plain" and EARLIEST in key_names(compiled, pattern):
        yield "it asks for numbers from one on that may be less than 0, which a machine cannot write in a key"


def _set_by(step: Write) -> set[str]:
    """Inputs whose absence changes an update's text."""
    return {each.value.name for each in step.changes if isinstance(each.value, Slot)}


def writes_of(compiled: Compiled, pattern: PatternDesign) -> tuple[Write, ...]:
    return compiled.writings[pattern.id].writes if pattern.id in compiled.writings else ()


def key_names(compiled: Compiled, pattern: PatternDesign) -> Iterator[str]:
    """Parameters that stand inside a text."""
    for read in compiled.reads[pattern.id]:
        for value in (*read.key.values(), *read.condition.values.values()):
            yield from _inside(value)
    for step in writes_of(compiled, pattern):
        meaning = meaning_of(compiled, pattern, step)
        for value in (*step.key.values(), *step.attributes.values(), *(each.value for each in step.changes)):
            yield from _inside(meaning.of(value))
        for keys in compiled.stored.types[step.item].keys:
            for value in keys.fields.values():
                found = (meaning.becoming.get(name) for name in slots_of(value))
                yield from (each.name for each in found if isinstance(each, Slot))


def _inside(value: Value) -> list[str]:
    return [name for name in slots_of(value) if name != NOW] if isinstance(value, tuple) else []
