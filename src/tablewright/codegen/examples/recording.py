"""The requests of a pattern for the design's own sample items, as the interpreter of its steps sends them.

Whoever changes something gives a new value, so that an example shows all that a change takes; whoever puts something
puts what was not there. A step that asks several partitions (shards, values, buckets) is shown for the first of them,
and says how many there are; one that takes its keys from what an earlier step found is shown for that step's sample.
What goes with a deleted item is shown for the one sample that names it: its page, and the delete of what is on it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.design.samples import EXAMPLE, WRITTEN_AT
from tablewright.design.steps.compile import compile_writing
from tablewright.design.steps.compiling.items import compile_stored
from tablewright.design.steps.compiling.reads import compile_read, compile_reads
from tablewright.design.steps.errors import WrongValue
from tablewright.design.steps.model import FOUND, Expression
from tablewright.design.steps.reads import read_page
from tablewright.design.steps.writes import actions_of
from tablewright.design.values.templates import BUCKET, COPY, slot
from tablewright.expr.nodes import Function
from tablewright.spec.model import AttributeSpec
from tablewright.spec.validation import make_valid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.design.model import Cascade as CascadeDesign
    from tablewright.design.model import Design, Parameter, PatternDesign, ReadStep, WriteStep
    from tablewright.design.steps.actions import Action
    from tablewright.design.steps.model import Cascade, Read, Stored, Write

_KNOWN_IN_FULL = ("entity", "detail", "embedded", "packed")
_EXAMPLES: dict[str, Any] = {"number": 1, "boolean": True, "timestamp": "2026-01-31T12:00:00.000Z"}
_EXISTENCE = ("attribute_exists", "attribute_not_exists")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One request with plain values; `note` says what an example alone does not tell."""

    operation: str
    params: dict[str, Any]
    note: str = ""


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of one moment: one after the other, or writes in one transaction."""

    calls: list[Call]
    transaction: bool = False
    token: str = ""  # the ClientRequestToken
    note: str = ""


# ---- requests -------------------------------------------------------------------------------------------------------


def read_calls(design: Design, pattern: PatternDesign) -> list[Call]:
    stored, inputs = compile_stored(design), _inputs_of(design, pattern)
    pairs = zip(pattern.reads, compile_reads(design, pattern), strict=True)
    own = [_read_call(stored, step, read, {**inputs, **_source_of(design, pattern, step)}) for step, read in pairs]
    return [*own, *_keepers_read(design, pattern)]


def _read_call(stored: Stored, step: ReadStep, read: Read, inputs: dict[str, Any]) -> Call:
    """The first request of the step by itself."""
    alone = replace(
        read,
        keys_from=None,
        joins=False,
        continues=False,
        merges=None,
        copies=1,
        projection=_projection_of(step, read),
    )
    inputs = {**inputs, COPY: "1"} if step.copies > 1 else inputs
    request = next(read_page(stored, (alone,), inputs, now=_asked_at(step)))[0]
    notes = (
        _copy_note(step),
        _walk_note(step),
        _spread_note(step),
        _list_note(step),
        _beside_note(step),
        _expiry_note(step),
    )
    return Call(operation=request.action, params=request.params, note="; ".join(each for each in notes if each))


def _asked_at(step: ReadStep) -> int:
    """The time of the samples, or the first time of a walk where that is later."""
    return WRITTEN_AT if step.since is None else max(WRITTEN_AT, int(datetime.fromisoformat(step.since).timestamp()))


def _projection_of(step: ReadStep, read: Read) -> Expression | None:
    """What is asked for, without the keys that only pages need."""
    if read.projection is None:
        return None
    names = {mark: name for mark, name in read.projection.names.items() if name in step.projection}
    return Expression(", ".join(names), names)


def _copy_note(step: ReadStep) -> str:
    return f"asked of any one of {step.copies} copies, here the first" if step.copies > 1 else ""


def _spread_note(step: ReadStep) -> str:
    if step.operation != "Query":
        return "up to 100 keys at once" if step.operation == "BatchGetItem" else ""
    asked = [
        "every bucket between the ends of the range" if name == BUCKET else f"every {name} of {', '.join(listed)}"
        for name, listed in step.for_each.items()
    ]
    asked += [f"every shard from 0 to {step.shards - 1}"] if step.shards > 1 else []
    return f"asked for {' and '.join(asked)}, and merged" if asked else ""


def _walk_note(step: ReadStep) -> str:
    if step.since is None or step.bucket is None:
        return ""
    first, last = ("now", step.since) if step.backwards else (step.since, "now")
    period = step.bucket.period
    return f"asked for one {period} after the other, from {first} to {last}, until there are {step.limit} items"


def _list_note(step: ReadStep) -> str:
    """How it belongs to the list of the step before it."""
    if step.merges is not None:
        return f"merged with the list before it in the order of {', '.join(step.merges.attributes)}"
    if step.continues:
        return "goes on with the list before it" + (", for what that lacks of the limit" if step.limit else "")
    return ""


def _beside_note(step: ReadStep) -> str:
    if not step.beside:
        return ""
    return f"{step.beside} comes first, beside {step.limit} others; where it is not there, the last is one too many"


def _expiry_note(step: ReadStep) -> str:
    if step.unexpired is None:
        return ""
    if step.operation == "Query" and step.unfold is None:
        return f"{step.unexpired} is compared with the time of the call"
    return f"whoever asks leaves out what has expired by {step.unexpired}"


def write_groups(design: Design, pattern: PatternDesign) -> list[Group]:
    """The writes, and what goes with what they delete."""
    if not pattern.writes:
        return []
    token = str(_inputs_of(design, pattern)["request_token"]) if pattern.idempotent else ""
    calls = [*write_calls(design, pattern), *_copies_set(design, pattern)]
    own = Group(calls=calls, transaction=pattern.transaction, token=token)
    return [own, *_groups_along(design, pattern)]


def write_calls(design: Design, pattern: PatternDesign) -> list[Call]:
    """A put finds nothing in its way; any other write that reads finds the samples."""
    writing = compile_writing(design, pattern)
    read = {name for step in pattern.reads for name in step.entities if not writing.is_put(name)}
    old = {name: _sample_of(design, name) for name in read}
    inputs = {**_inputs_of(design, pattern), **_taken_of(design, pattern)}
    try:
        actions = actions_of(compile_stored(design), writing, inputs, old, WRITTEN_AT)
    except WrongValue:
        return []  # the spec's own values cannot stand in keys of this style: such a write is refused
    return _calls_of(actions, writing.writes, pattern.writes)


def _taken_of(design: Design, pattern: PatternDesign) -> dict[str, Any]:
    """What a put takes of the items that it names."""
    return {
        name: _sample_of(design, step.entities[0])[taken]
        for step in pattern.reads
        for name, taken in step.takes.items()
    }


def _calls_of(actions: list[Action], compiled: tuple[Write, ...], steps: tuple[WriteStep, ...]) -> list[Call]:
    pairs = list(zip(compiled, steps, strict=True))
    notes = [next(_write_note(step) for write, step in pairs if write is each.step) for each in actions]
    return [
        Call(operation=each.operation, params=dict(each.params), note=note)
        for each, note in zip(actions, notes, strict=True)
    ]


def _write_note(step: WriteStep) -> str:
    """Why it is written, and what it depends on besides that the item is there or not."""
    tree = None if step.condition is None else step.condition.tree
    is_plain = tree is None or (isinstance(tree, Function) and tree.name in _EXISTENCE)
    return "; ".join(each for each in (step.why, "" if is_plain else f"only if {step.condition}") if each)


# ---- copies that are set along --------------------------------------------------------------------------------------


def _keepers_read(design: Design, pattern: PatternDesign) -> Iterator[Call]:
    """What keeps copies of the item that an update changes."""
    inputs = _inputs_of(design, pattern) if pattern.refreshes else {}
    for refresh in pattern.refreshes:
        for number, step in enumerate(refresh.reads):
            found = {} if step.keys_from is None else _stored_sample(design, refresh.entity)
            call = _read_call(compile_stored(design), step, compile_read(design, step), {**inputs, **found})
            note = "" if number else f"every {refresh.entity} with that {', '.join(refresh.by)}, page by page"
            yield msgspec.structs.replace(call, note="; ".join(each for each in (note, call.note) if each))


def _copies_set(design: Design, pattern: PatternDesign) -> Iterator[Call]:
    """In the same transaction, for the one sample that keeps copies, which is all that is found."""
    writing = compile_writing(design, pattern)
    inputs = _inputs_of(design, pattern) if pattern.refreshes else {}
    for compiled, refresh in zip(writing.refreshes, pattern.refreshes, strict=True):
        sample = {refresh.entity: _sample_of(design, refresh.entity)}
        given = {copy: inputs[name] for copy, name in refresh.given.items()}
        actions = actions_of(compile_stored(design), compiled.updates, given, sample, WRITTEN_AT)
        for call in _calls_of(actions, compiled.updates.writes, refresh.writes):
            yield msgspec.structs.replace(call, note=f"and so for every {refresh.entity} that was found")
        counted = {**{ours: inputs[theirs] for ours, theirs in refresh.by.items()}, FOUND: 1}
        checking = replace(compiled.updates, writes=compiled.checks)
        checks = actions_of(compile_stored(design), checking, counted, {}, WRITTEN_AT)
        yield from _calls_of(checks, compiled.checks, refresh.checks)


# ---- what goes along ------------------------------------------------------------------------------------------------


def _groups_along(design: Design, pattern: PatternDesign) -> list[Group]:
    """Of every entity that goes along one sample, what names that before it."""
    writing = compile_writing(design, pattern)
    pairs = list(zip(writing.cascades, pattern.cascade, strict=True))
    shown = set(writing.deleted)

    def below(entity: str) -> Iterator[Group]:
        for compiled, cascade in pairs:
            if cascade.of == entity and cascade.entity not in shown:
                shown.add(cascade.entity)
                yield _reads_along(design, compiled, cascade)
                yield from below(cascade.entity)
                yield _deletes_along(design, compiled, cascade)

    return [group for entity in writing.deleted for group in below(entity)]


def _reads_along(design: Design, compiled: Cascade, cascade: CascadeDesign) -> Group:
    sample = _sample_of(design, cascade.of)
    known = {name: sample[name] for name in cascade.by.values()}
    calls: list[Call] = []
    for step, read in zip(cascade.reads, compiled.deletes.reads, strict=True):
        found = {} if step.keys_from is None else _stored_sample(design, cascade.reads[step.keys_from].entities[0])
        calls.append(_read_call(compile_stored(design), step, read, {**known, **found}))
    by = ", ".join(cascade.by)
    note = f"then, until nothing more is found: every {cascade.entity} with that {by} is read, page by page"
    return Group(calls=calls, note=note)


def _deletes_along(design: Design, compiled: Cascade, cascade: CascadeDesign) -> Group:
    old = {cascade.entity: _sample_of(design, cascade.entity)}
    actions = actions_of(compile_stored(design), compiled.deletes, {}, old, WRITTEN_AT)
    calls = _calls_of(actions, compiled.deletes.writes, cascade.writes)
    note = f"each {cascade.entity} that is found goes; one that is refused is looked for again"
    return Group(calls=calls, transaction=cascade.transaction, note=note)


# ---- values ---------------------------------------------------------------------------------------------------------


def _sample_of(design: Design, entity: str) -> dict[str, Any]:
    """The attributes of the entity's sample, wherever they are stored; without keys and what says its type."""
    found: dict[str, Any] = {}
    for item in reversed(design.items):
        if entity in (item.entity, item.name) and (item.kind in _KNOWN_IN_FULL or item.name == entity):
            found |= {each.name: item.sample[each.name] for each in item.attributes if each.name in item.sample}
    return found


def _source_of(design: Design, pattern: PatternDesign, step: ReadStep) -> dict[str, Any]:
    """What an earlier step is taken to have found, keys and all."""
    if step.keys_from is None:
        return {}
    return _stored_sample(design, pattern.reads[step.keys_from].entities[0])


def _stored_sample(design: Design, entity: str) -> dict[str, Any]:
    stored = next(each.sample for each in design.items if entity in (each.name, each.entity))
    return {**stored, **_sample_of(design, entity)}


def _inputs_of(design: Design, pattern: PatternDesign) -> dict[str, Any]:
    """A value for every parameter, from the samples."""
    return {each.name: _input_value(design, pattern, each) for each in pattern.parameters}


def _input_value(design: Design, pattern: PatternDesign, parameter: Parameter) -> Any:
    if parameter.each:
        return [_sample_of(design, parameter.entity or parameter.name)]
    for entity in _entities_of(pattern, parameter):
        sample = _sample_of(design, entity)
        if parameter.attribute is None and _is_compared(pattern, parameter.name) and parameter.name in sample:
            return 0 if pattern.op == "put" else sample[parameter.name]
        if parameter.attribute in sample:
            known = sample[parameter.attribute]
            return _another(parameter, known) if _is_new_value(pattern, parameter) else known
    return parameter.values[0] if parameter.values else _EXAMPLES.get(parameter.type, f"{parameter.name}-1")


def _entities_of(pattern: PatternDesign, parameter: Parameter) -> Iterator[str]:
    """Those whose attribute it may be, the likeliest first."""
    yield from () if parameter.entity is None else (parameter.entity,)
    yield from pattern.entities
    yield from (name for step in pattern.reads for name in step.entities)


def _is_compared(pattern: PatternDesign, name: str) -> bool:
    """Whether it is the version that an item must have, 0 where there is none."""
    return any(f"{name} = {{{name}}}" in str(step.condition) for step in pattern.writes)


def _is_new_value(pattern: PatternDesign, parameter: Parameter) -> bool:
    """Whether an update sets it and finds nothing by it."""
    if pattern.op not in ("update", "transact"):
        return False
    asked = [each for step in pattern.reads for each in (*(t.template for t in step.pk), *(t.low for t in step.sk))]
    keys = asked or [each.template for step in pattern.writes for each in step.key]
    finds = any(parameter.name in template.names for template in keys)
    return not finds and any(slot(parameter.name) in step.set.values() for step in pattern.writes)


def _another(parameter: Parameter, known: Any) -> Any:
    """A value of the same kind."""
    if parameter.validate is not None:
        return make_valid(
            AttributeSpec(name=parameter.name, type=parameter.type, validate=parameter.validate), EXAMPLE + 1
        )
    if parameter.values:
        return parameter.values[(parameter.values.index(known) + 1) % len(parameter.values)]
    if parameter.type == "timestamp":
        return _EXAMPLES["timestamp"]
    match known:
        case bool():
            return not known
        case int() | Decimal():
            return known + 1
        case str():
            return f"new-{known}"
        case _:
            return known
