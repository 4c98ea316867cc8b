"""The access patterns of a solution written out: parameters, requests, writes and what they are predicted to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.architect.assembly.requests import IDS, ReadRequest, loops_of, range_filter, single_request
from tablewright.architect.assembly.views import view_read
from tablewright.architect.assembly.writes.cascade import going_on
from tablewright.architect.assembly.writes.companions import with_companions
from tablewright.architect.assembly.writes.inputs import write_parameters
from tablewright.architect.assembly.writes.refreshes import as_seen, refreshing
from tablewright.architect.assembly.writes.steps import write_steps
from tablewright.architect.plans.embedding import embedded_steps
from tablewright.architect.plans.packing import packed_steps
from tablewright.architect.plans.writing import WriteSteps
from tablewright.design.model import ItemType, Parameter, PatternDesign, Predicted, ReadStep, SortCondition
from tablewright.design.serving.filters import constants
from tablewright.design.values.buckets import Bucket
from tablewright.design.values.templates import KeyTemplate
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import compare
from tablewright.spec.intervals import ends_by
from tablewright.spec.listing import as_list
from tablewright.spec.writes import effect_on, unread_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tablewright.architect.assembly.solution import Solution
    from tablewright.design.cost.lines import PatternCost
    from tablewright.design.cost.report import CostReport
    from tablewright.design.layout.forms import ReadPart, Rewritten
    from tablewright.design.values.templates import Comparison
    from tablewright.spec.conditions import Predicate
    from tablewright.spec.model import PatternSpec


def patterns_of(solution: Solution, items: tuple[ItemType, ...]) -> Iterator[PatternDesign]:
    """Without what they take, which is known when the design has its keys: see `with_predictions`."""
    for pattern in (*solution.origin.patterns, *solution.asked.implied):
        steps = _steps_of(solution, pattern, items)
        made = PatternDesign(
            id=pattern.id,
            description=pattern.description,
            kind=pattern.kind,
            op=pattern.op,
            entities=pattern.entities,
            parameters=tuple(_parameters_of(solution, pattern)),
            reads=steps.reads,
            writes=steps.writes,
            transaction=steps.transaction,
            idempotent=pattern.idempotent,
            implied=pattern in solution.asked.implied,
            aggregate=solution.rewritten.aggregates.get(pattern.id, {}),
            sorted_by=tuple((each.attr, each.order) for each in pattern.sort),
            returns=pattern.returns,
            consistency=pattern.consistency,
            unproven=_why_unproven(solution, pattern),
            predicted=Predicted(requests=0.0, items=0.0),
        )
        more = () if pattern.is_read else solution.rewritten.parts(pattern.id)[1:]
        if any(each.refreshes for each in more):
            made = refreshing(solution, made, pattern, items, lambda id_: _read_steps(solution, solution.requests[id_]))
        goes_on = any(not each.takes and not each.refreshes for each in more)
        yield _going_on(solution, made, pattern, items) if goes_on else made


def _why_unproven(solution: Solution, pattern: PatternSpec) -> str:
    """A condition that nobody could read is checked by nothing, neither by the table nor by the proof."""
    words = unread_of(solution.asked, pattern) if not pattern.is_read else ()
    return " and ".join(f'"{each}" is in words that cannot be read' for each in words)


def _going_on(
    solution: Solution, made: PatternDesign, pattern: PatternSpec, items: tuple[ItemType, ...]
) -> PatternDesign:
    """Of a table that holds only a part of the spec `merge` does it, which knows the others."""
    return going_on(solution.asked, made, pattern, items, lambda id_: _read_steps(solution, solution.requests[id_]))


def with_predictions(patterns: Iterable[PatternDesign], cost: CostReport) -> Iterator[PatternDesign]:
    """What one run takes, by the design's own bill."""
    lines = {each.pattern: each for each in cost.patterns}
    for pattern in patterns:
        yield msgspec.structs.replace(pattern, predicted=predicted(lines[pattern.id]))


def predicted(line: PatternCost) -> Predicted:
    return Predicted(
        requests=line.prediction.requests,
        items=line.prediction.items,
        rcu=line.prediction.rcu,
        wcu=line.prediction.wcu,
        usd_per_month=line.usd_per_month,
    )


def _steps_of(solution: Solution, pattern: PatternSpec, items: tuple[ItemType, ...]) -> WriteSteps:
    if pattern.is_read:
        return WriteSteps(
            _compose(solution.rewritten, pattern.id, lambda id_: _read_steps(solution, solution.requests[id_])),
            (),
            transaction=False,
        )
    if pattern.entity in solution.rewritten.embedded:
        return embedded_steps(pattern, next(each for each in items if each.entity == pattern.entity))
    if solution.spec.entities[pattern.entity].packed is not None:
        return packed_steps(next(each for each in items if each.entity == pattern.entity))
    located = {
        entity: _read_step(solution, _locating_request(solution, pattern, entity))
        for write, entity in solution.choice.located
        if write == pattern.id
    }
    written = write_steps(solution.asked, pattern, items, located)
    found = with_companions(solution.asked, pattern, items, located, written)
    return msgspec.structs.replace(
        found,
        reads=(*found.reads, *_copied_reads(solution, pattern)),
        writes=tuple(as_seen(solution.rewritten, items, step) for step in found.writes),
    )


def _copied_reads(solution: Solution, pattern: PatternSpec) -> Iterator[ReadStep]:
    """What a put has to know of parents, for the copies that it writes."""
    for part in solution.rewritten.parts(pattern.id)[1:]:
        for step in _read_steps(solution, solution.requests[part.pattern]) if part.takes else ():
            taking = _taking(part, step, several=False)
            yield msgspec.structs.replace(_place_step(part, taking, None, [], continues=False), optional=True)


def _locating_request(solution: Solution, pattern: PatternSpec, entity: str) -> ReadRequest:
    """How a write finds an item whose table key does not follow from what the caller knows."""
    spec, plan = solution.spec.entities[entity], solution.choice.located[pattern.id, entity]
    known = effect_on(solution.asked, pattern, entity).by
    asked = msgspec.structs.replace(pattern, kind="query", entities=(entity,), by=known, limit=None, filter={})
    request = single_request(asked, plan, view_read(solution.choice, plan), solution.names)
    return msgspec.structs.replace(request, for_each=loops_of(solution.facts, plan), id=spec.id)


def _parameters_of(solution: Solution, pattern: PatternSpec) -> Iterator[Parameter]:
    if not pattern.is_read:
        yield from write_parameters(solution.asked, pattern)
        return
    if pattern.through is not None:
        listed = as_list(solution.origin, pattern)
        asked_by = _parameters_of(solution, listed)
        yield from (msgspec.structs.replace(each, entity=listed.entity) for each in asked_by)
        return
    asked = [each for each in pattern.filter if each not in pattern.by and each not in constants(pattern)]
    asked = [each for each in asked if not ends_by(pattern, each)]
    if pattern.kind == "batch":
        yield Parameter(name=IDS, type="list", entity=pattern.entity, each=True)
    for name in (*(pattern.by if pattern.kind != "batch" else ()), *asked):
        yield _parameter(solution, pattern, name, name)
    if pattern.range is not None:
        for name in ("from", "to") if pattern.range.op in ("between", "overlaps") else ("value",):
            yield _parameter(solution, pattern, name, pattern.range.attr)


def _parameter(solution: Solution, pattern: PatternSpec, name: str, attribute: str) -> Parameter:
    entities, parents = solution.origin.entities, solution.asked.references
    near = (*pattern.entities, *(parent for each in pattern.entities for parent in parents[each].values()))
    spec = next(
        (entities[each].attributes[attribute] for each in near if attribute in entities[each].attributes),
        None,
    )
    if spec is None:
        return Parameter(name=name)
    return Parameter(name=name, type=spec.type, attribute=attribute, values=spec.values)


def _read_steps(solution: Solution, request: ReadRequest) -> tuple[ReadStep, ...]:
    """A request, the one that takes its keys from what the first found, and those that go on with the list."""
    found = [_read_step(solution, request)]
    if request.then is not None:
        found.append(msgspec.structs.replace(_read_step(solution, request.then), keys_from=0))
    for each in _read_steps(solution, request.rest) if request.rest is not None else ():
        earlier = None if each.keys_from is None else each.keys_from + 1 + (request.then is not None)
        found.append(msgspec.structs.replace(each, keys_from=earlier, continues=True))
    return tuple(found)


def _read_step(solution: Solution, request: ReadRequest) -> ReadStep:
    found = ReadStep(
        operation=request.operation,
        table=solution.spec.name,
        index=request.index,
        pk=(KeyTemplate(request.pk_field, request.pk),),
        sk=(_sort_condition(request.sk_field, request.sk),) if request.sk is not None else (),
        filters=request.filters,
        backwards=request.backwards,
        limit=request.limit,
        beside=request.beside,
        consistent=request.consistent,
        entities=request.entities,
        items=request.items,
        copies=request.copies,
        shards=request.shards,
        shard_of=request.id,
        for_each=request.for_each,
        bucket=request.bucket,
        since=request.since,
        longest=request.longest,
        unexpired=request.unexpired,
        each=request.each,
    )
    keys = solution.index_keys(request.index)
    return found if keys is None else keys.read_step(found)


def _sort_condition(field: str, comparison: Comparison) -> SortCondition:
    operator: Any = comparison.operator
    return SortCondition(field=field, operator=operator, low=comparison.low, high=comparison.high)


# ---- reads of a rewritten spec --------------------------------------------------------------------------------------
# The steps of the patterns that a read became, joined to those of the pattern as it was written.


def _compose(form: Rewritten, pattern: str, steps_of: Callable[[str], tuple[ReadStep, ...]]) -> tuple[ReadStep, ...]:
    """All steps of a read; `steps_of` gives those of a rewritten pattern."""
    found: list[ReadStep] = []
    ends: list[list[int]] = []  # by part: the steps that find its items, several where these are one list
    for part in form.parts(pattern):
        steps, begin = steps_of(part.pattern), len(found)
        for source in (None,) if part.keys_from is None else ends[part.keys_from]:
            first = len(found)
            for step in steps:
                earlier = source if step.keys_from is None else first + step.keys_from
                found.append(_place_step(part, step, earlier, found, continues=first > begin))
        used = {each.keys_from for each in found[begin:]}
        ends.append([at for at in range(begin, len(found)) if at not in used])
        for at in ends[-1] if part.takes and not part.joins else ():
            found[at] = msgspec.structs.replace(found[at], takes=part.takes)
    return tuple(found)


def _place_step(
    part: ReadPart, step: ReadStep, earlier: int | None, found: list[ReadStep], *, continues: bool
) -> ReadStep:
    source = None if earlier is None else found[earlier]
    several = source is not None and (source.operation != "GetItem" or source.unfold is not None)
    placed = _taking(part, step, several=several) if part.takes and part.joins else step
    return msgspec.structs.replace(
        placed,
        operation="BatchGetItem" if several and placed.operation == "GetItem" else placed.operation,
        pk=tuple(KeyTemplate(each.field, each.template.rename(part.given)) for each in step.pk),
        sk=tuple(
            msgspec.structs.replace(
                each,
                low=each.low.rename(part.given),
                high=None if each.high is None else each.high.rename(part.given),
            )
            for each in step.sk
        ),
        filters=(*step.filters, *_picking(part)),
        bucket=Bucket.parse(part.cut) if part.cut else step.bucket,
        limit=part.limit if part.cut else step.limit,
        keys_from=earlier,
        continues=not (part.takes and part.joins) and (step.continues or part.continues or continues),
        merges=None if step.continues else part.merges,
        joins=part.joins or step.joins,
        each=step.each if earlier is None else "",
        counts_gone=step.counts_gone or part.counts_gone,
        unfold=part.unfold or step.unfold,
        entities=part.entities or step.entities,
    )


def _picking(part: ReadPart) -> Iterator[Predicate]:
    """What unfolded values must be like to be part of the answer."""
    yield from (compare(name, "=", Slot(name)) for name in part.only)
    if part.within is not None:
        yield range_filter(part.within)


def _taking(part: ReadPart, step: ReadStep, *, several: bool) -> ReadStep:
    """Items whose keys are given by those before them, and not by a caller."""
    bucket = step.bucket
    return msgspec.structs.replace(
        step,
        operation="BatchGetItem" if several else "GetItem",
        each="",
        takes=part.takes,
        projection=tuple(dict.fromkeys((*part.takes.values(), *([step.unexpired] if step.unexpired else [])))),
        shard_of=tuple(part.given.get(name, name) for name in step.shard_of),
        bucket=bucket and Bucket(part.given.get(bucket.attribute, bucket.attribute), bucket.length),
    )
