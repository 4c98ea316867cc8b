"""The steps of a design, compiled: all that they mean, without a dependency.

`compile_design` gives everything at once. `stored` says how items are keyed; `reads`
and `writings` have the steps of every pattern by its id. Whoever prints steps elsewhere
finds each request's expressions rendered, with names and values by
placeholder, and every key as texts and slots (see `model`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tablewright.design import model as designed
from tablewright.design.steps.compiling.changes import (
    compile_amount,
)
from tablewright.design.steps.compiling.following import compile_following
from tablewright.design.steps.compiling.items import compile_stored
from tablewright.design.steps.compiling.reads import compile_read, compile_reads
from tablewright.design.steps.compiling.writes import compile_write
from tablewright.design.steps.following import Following
from tablewright.design.steps.model import (
    NOW,
    Cascade,
    Input,
    Read,
    Refresh,
    Rule,
    Slot,
    Stored,
    Value,
    Writing,
)


@dataclass(frozen=True, slots=True)
class Compiled:
    """A design's steps, by pattern."""

    stored: Stored
    reads: Mapping[str, tuple[Read, ...]]
    writings: Mapping[str, Writing]
    following: Mapping[str, Following]  # by table whose stream something is kept by


def compile_design(design: designed.Design) -> Compiled:
    return Compiled(
        compile_stored(design),
        {each.id: compile_reads(design, each) for each in design.patterns},
        {
            each.id: compile_writing(design, each)
            for each in design.patterns
            if each.writes
        },
        compile_following(design),
    )


# ---- writes --------------------------------------------------------------------------


def compile_writing(
    design: designed.Design, pattern: designed.PatternDesign
) -> Writing:
    kinds = {each.name: each for each in design.items}
    return Writing(
        op=pattern.op or "put",
        entities=pattern.entities,
        inputs=tuple(_compile_input(each) for each in pattern.parameters),
        rules=tuple(_compile_rules(design, pattern)),
        reads=compile_reads(design, pattern),
        writes=tuple(compile_write(design, each) for each in pattern.writes),
        transaction=pattern.transaction or pattern.idempotent,
        puts=tuple(_find_puts(kinds, pattern)) if pattern.op == "transact" else (),
        seen=_seen_by(design, kinds, pattern),
        becomes=_compile_becoming(kinds, pattern),
        idempotent=pattern.idempotent,
        deleted=_deleted_by(kinds, pattern) if pattern.cascade else (),
        cascades=tuple(_compile_cascade(design, each) for each in pattern.cascade),
        resumes=pattern.resumes,
        refreshes=tuple(_compile_refresh(design, each) for each in pattern.refreshes),
    )


def _seen_by(
    design: designed.Design,
    kinds: Mapping[str, designed.ItemType],
    pattern: designed.PatternDesign,
) -> tuple[str, ...]:
    """Entities whose whole items are read: a sentinel, or an index that holds less,
    tells nothing of what it lacks.
    """
    whole = {
        each.name: each.projection.type == "ALL"
        for table in design.tables
        for each in (*table.gsis, *table.lsis)
    }
    found = (
        entity
        for step in pattern.reads
        if not step.projection
        and whole.get(step.index or "", True)
        and any(kinds[name].kind != "sentinel" for name in step.items)
        for entity in step.entities
    )
    return tuple(dict.fromkeys(found))


def _deleted_by(
    kinds: Mapping[str, designed.ItemType], pattern: designed.PatternDesign
) -> tuple[str, ...]:
    """Entities whose own items go: not those that are only put elsewhere."""
    own = [each for each in pattern.writes if kinds[each.item].kind == "entity"]
    put = {each.item for each in own if each.operation == "PutItem"}
    gone = [each.item for each in own if each.operation == "DeleteItem"]
    named = {each.of for each in pattern.cascade}
    found = (kinds[item].entity for item in gone if item not in put)
    return tuple(dict.fromkeys(entity for entity in found if entity in named))


def _compile_cascade(design: designed.Design, cascade: designed.Cascade) -> Cascade:
    return Cascade(
        of=cascade.of,
        by=dict(cascade.by),
        deletes=Writing(
            op="delete",
            entities=(cascade.entity,),
            reads=tuple(compile_read(design, each) for each in cascade.reads),
            writes=tuple(compile_write(design, each) for each in cascade.writes),
            transaction=cascade.transaction,
        ),
    )


def _compile_refresh(design: designed.Design, refresh: designed.Refresh) -> Refresh:
    return Refresh(
        by=dict(refresh.by),
        given=dict(refresh.given),
        updates=Writing(
            op="update",
            entities=(refresh.entity,),
            inputs=tuple(refresh.given),
            reads=tuple(compile_read(design, each) for each in refresh.reads),
            writes=tuple(compile_write(design, each) for each in refresh.writes),
            transaction=True,
        ),
        checks=tuple(compile_write(design, each) for each in refresh.checks),
        always=any(
            each.constants or each.add or each.remove for each in refresh.writes
        ),
    )


def _find_puts(
    kinds: Mapping[str, designed.ItemType], pattern: designed.PatternDesign
) -> Iterable[str]:
    """Entities whose whole item is written; one that only moves is deleted as well."""
    for entity in pattern.entities:
        own = [
            each
            for each in pattern.writes
            if kinds[each.item].entity == entity and kinds[each.item].kind == "entity"
        ]
        moves = any(each.operation == "DeleteItem" for each in own)
        if any(each.all_attributes for each in own) and not moves:
            yield entity


def _compile_becoming(
    kinds: Mapping[str, designed.ItemType], pattern: designed.PatternDesign
) -> dict[str, dict[str, Value]]:
    """What is changed of an entity's own attributes, wherever these are stored."""
    found: dict[str, dict[str, Value]] = {}
    for step in pattern.writes:
        kind = kinds[step.item]
        if kind.kind not in ("entity", "copy", "detail") or step.names_of:
            continue
        own = {each.name for each in kind.attributes}
        changed: dict[str, Value] = {
            **step.constants,
            **{path.name: None for path in step.remove if len(path.parts) == 1},
            **{
                path.name: compile_amount(amount)
                for path, amount in step.add.items()
                if len(path.parts) == 1
            },
        }
        mine = {name: value for name, value in changed.items() if name in own}
        if mine:
            found.setdefault(kind.entity, {}).update(mine)
    return found


def _compile_input(parameter: designed.Parameter) -> str | Input:
    """Just its name, where it is the attribute of that name."""
    if parameter.attribute == parameter.name and parameter.entity is None:
        return parameter.name
    return Input(parameter.name, parameter.attribute, parameter.entity)


def _compile_rules(
    design: designed.Design, pattern: designed.PatternDesign
) -> Iterable[Rule]:
    """Those of inputs, and of what the elements of lists have."""
    for each in pattern.parameters:
        if each.each:
            own = [
                item
                for item in design.items
                if item.entity == (each.entity or each.name)
                and item.kind in ("entity", "detail", "embedded", "packed")
            ]
            held = {said.name: said for item in own for said in item.attributes}
            for name, said in held.items():
                yield from _compile_rule(name, said, each.name)
        else:
            yield from _compile_rule(each.name, each)


def _compile_rule(
    name: str, said: designed.Parameter | designed.ItemAttribute, each: str = ""
) -> Iterable[Rule]:
    if said.default is None and said.validate is None and said.ends is None:
        return
    is_now = said.type == "timestamp" and said.default == "now"
    rule = said.validate
    yield Rule(
        input=name,
        each=each,
        default=Slot(NOW) if is_now else said.default,
        pattern="" if rule is None else rule.pattern,
        min=None if rule is None else rule.min,
        max=None if rule is None else rule.max,
        min_length=None if rule is None else rule.min_length,
        max_length=None if rule is None else rule.max_length,
        start="" if said.ends is None else said.ends.start,
        longest=0 if said.ends is None else said.ends.longest,
        together=said.ends is not None and said.ends.together,
    )
