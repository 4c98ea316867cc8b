"""The steps of a design, compiled: all that they mean, without a dependency.

`compile_design` gives everything at once. `stored` says how items are keyed; `reads`
and `writings` have the steps of every pattern by its id. Whoever prints steps elsewhere
finds each request's expressions rendered, with names and values by
placeholder, and every key as texts and slots (see `model`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.design import model as designed
from tablewright.design.layout import forms
from tablewright.design.values import amounts, buckets
from tablewright.design.values.templates import KeyTemplate, Path, Template
from tablewright.expr import nodes, render
from tablewright.spec.conditions import Comparison, Predicate, absent, compare, join

from .model import (
    NOW,
    Bucket,
    Cascade,
    Clause,
    Demand,
    Expression,
    Input,
    ItemKeys,
    ItemType,
    KeyFields,
    Merge,
    Read,
    Slot,
    Stored,
    Sum,
    Unchanged,
    Unfold,
    Value,
    Write,
    Writing,
)

SECONDS_PER_DAY = 86_400
_UNUSABLE = re.compile(r"[^A-Za-z0-9_]")
_SORTS = {
    "begins_with": "begins_with({name}, {low})",
    "between": "{name} BETWEEN {low} AND {high}",
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """A design's steps, by pattern."""

    stored: Stored
    reads: Mapping[str, tuple[Read, ...]]
    writings: Mapping[str, Writing]


def compile_design(design: designed.Design) -> Compiled:
    return Compiled(
        compile_stored(design),
        {each.id: compile_reads(design, each) for each in design.patterns},
        {
            each.id: compile_writing(design, each)
            for each in design.patterns
            if each.writes
        },
    )


# ---- values and expressions ----------------------------------------------------------


def compile_template(template: Template) -> Value:
    """A slot, a tuple of texts and slots, or a text that is always the same."""
    parts = tuple(_compile_value(part) for part in template.parts)
    if not any(isinstance(part, Slot) for part in parts):
        return "".join(parts)
    return parts[0] if len(parts) == 1 else parts


def _compile_value(value: Any) -> Value:
    return Slot(value.name) if isinstance(value, nodes.Slot) else value


def _compile_templates(keys: Iterable[KeyTemplate]) -> dict[str, Value]:
    return {each.field: compile_template(each.template) for each in keys}


class _Marks(render.Placeholders):
    """Placeholders of one step: `#status` for a name, `:v0`, `:v1`, ... for values."""

    __slots__ = ("_written",)
    is_plain = False

    def __init__(self) -> None:
        super().__init__()
        self._written: list[str] = []  # those in the expression that is being written

    def name(self, parts: Sequence[str | int | nodes.Slot]) -> str:
        text = ""
        for part in parts:
            if isinstance(part, int):
                text += f"[{part}]"
                continue
            self._written.append(self.mark(part))
            text += f".{self._written[-1]}" if text else self._written[-1]
        return text

    def value(self, value: Any, hint: str = "") -> str:
        del hint
        self._written.append(self.reserve(value))
        return self._written[-1]

    def mark(self, part: str | nodes.Slot) -> str:
        """A number is added where two names would look alike."""
        named: Any = _compile_value(part)
        plain = "#" + _UNUSABLE.sub("_", part if isinstance(part, str) else part.name)
        found, number = plain, 1
        while self.names.setdefault(found, named) != named:
            number += 1
            found = f"{plain}_{number}"
        return found

    def reserve(self, value: Any = None) -> str:
        found = f":v{len(self.values)}"
        self.values[found] = _compile_value(value)
        return found

    def expression(self, text: str) -> Expression:
        """What was written since the last one, with its placeholders."""
        written, self._written = dict.fromkeys(self._written), []
        names: dict[str, Any] = {
            each: self.names[each] for each in written if each in self.names
        }
        values = {each: self.values[each] for each in written if each in self.values}
        return Expression(text, names, values)

    def condition(self, predicate: Predicate | None) -> Expression | None:
        if predicate is None:
            return None
        return self.expression(render.render_condition(predicate.tree, self))


# ---- reads ---------------------------------------------------------------------------


def compile_reads(
    design: designed.Design, pattern: designed.PatternDesign
) -> tuple[Read, ...]:
    return tuple(_compile_read(design, each) for each in pattern.reads)


def _compile_read(design: designed.Design, step: designed.ReadStep) -> Read:
    marks = _Marks()
    is_query = step.operation == "Query"
    is_at_hand = not is_query or step.unfold is not None
    key = _compile_templates(step.pk)
    key |= {each.field: compile_template(each.low) for each in step.sk}
    return Read(
        operation=step.operation,
        table=step.table,
        index=step.index,
        key={} if is_query else key,
        condition=_compile_condition(step, marks) if is_query else Expression(""),
        filter=None if is_at_hand else _compile_filter(step, marks),
        demands=tuple(map(_compile_comparison, step.filters)) if is_at_hand else (),
        projection=_compile_projection(design, step, marks),
        backwards=step.backwards,
        limit=step.limit,
        sends_limit=is_at_hand or not step.filters,
        consistent=step.consistent,
        shards=step.shards,
        shard_of=step.shard_of if step.shards > 1 else (),
        for_each=dict(step.for_each),
        bucket=_compile_bucket(step.bucket),
        entities=step.entities,
        keys_from=step.keys_from,
        joins=step.joins,
        unfold=_compile_unfold(design, step),
        optional=step.optional,
        continues=step.continues,
        merges=_compile_merge(step.merges),
        unexpired=step.unexpired or "",
        each=step.each,
    )


def _compile_merge(merge: forms.Merge | None) -> Merge | None:
    if merge is None:
        return None
    return Merge(merge.attributes, absent_first=merge.absent == "first")


def _compile_filter(step: designed.ReadStep, marks: _Marks) -> Expression | None:
    if step.unexpired is None:
        return marks.condition(join(*step.filters))
    later = compare(step.unexpired, ">", nodes.Slot(NOW))
    unexpired = Predicate(nodes.Or((absent(step.unexpired).tree, later.tree)))
    return marks.condition(join(*step.filters, unexpired))


def _compile_condition(step: designed.ReadStep, marks: _Marks) -> Expression:
    pieces = [
        f"{marks.name([each.field])} = {marks.value(compile_template(each.template))}"
        for each in step.pk
    ]
    for each in step.sk:
        name, low = marks.name([each.field]), marks.value(compile_template(each.low))
        high = "" if each.high is None else marks.value(compile_template(each.high))
        written = _SORTS.get(each.operator, f"{{name}} {each.operator} {{low}}")
        pieces.append(written.format(name=name, low=low, high=high))
    return marks.expression(" AND ".join(pieces))


def _compile_projection(
    design: designed.Design, step: designed.ReadStep, marks: _Marks
) -> Expression | None:
    """What is asked for, and the keys that a page has to begin behind."""
    if not step.projection:
        return None
    table = next(each for each in design.tables if each.name == step.table)
    names = dict.fromkeys((*step.projection, *_places_of(table)[step.index].all))
    return marks.expression(", ".join(marks.name([name]) for name in names))


def _compile_comparison(predicate: Predicate) -> Demand:
    found: Comparison = predicate.comparison
    operator: Any = found.operator
    return Demand(found.attribute, operator, tuple(map(_compile_value, found.values)))


def _compile_bucket(bucket: buckets.Bucket | None) -> Bucket | None:
    return None if bucket is None else Bucket(bucket.attribute, bucket.length)


def _compile_unfold(design: designed.Design, step: designed.ReadStep) -> Unfold | None:
    if step.unfold is None:
        return None
    kind = next(
        each
        for each in design.items
        if each.inside == step.unfold and each.entity in step.entities
    )
    return Unfold(kind.inside, kind.name, kind.holder in step.entities)


# ---- writes --------------------------------------------------------------------------


def compile_writing(
    design: designed.Design, pattern: designed.PatternDesign
) -> Writing:
    kinds = {each.name: each for each in design.items}
    return Writing(
        op=pattern.op or "put",
        entities=pattern.entities,
        inputs=tuple(_compile_input(each) for each in pattern.parameters),
        reads=compile_reads(design, pattern),
        writes=tuple(_compile_write(design, each) for each in pattern.writes),
        transaction=pattern.transaction or pattern.idempotent,
        puts=tuple(_find_puts(kinds, pattern)) if pattern.op == "transact" else (),
        becomes=_compile_becoming(kinds, pattern),
        idempotent=pattern.idempotent,
        deleted=_deleted_by(kinds, pattern) if pattern.cascade else (),
        cascades=tuple(_compile_cascade(design, each) for each in pattern.cascade),
        resumes=pattern.resumes,
    )


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
            reads=tuple(_compile_read(design, each) for each in cascade.reads),
            writes=tuple(_compile_write(design, each) for each in cascade.writes),
            transaction=cascade.transaction,
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
                path.name: _compile_amount(amount)
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


def _compile_write(design: designed.Design, step: designed.WriteStep) -> Write:
    marks = _Marks()
    item = next(each for each in design.items if each.name == step.item)
    is_update = step.operation == "UpdateItem"
    attributes: dict[str, Value] = {
        path.name: compile_template(template) for path, template in step.set.items()
    }
    attributes |= step.constants
    compiling = _compile_replacement if step.all_attributes else _compile_changes
    changes = tuple(compiling(design, item, step, marks)) if is_update else ()
    return Write(
        operation=step.operation,
        item=step.item,
        table=step.table,
        key=_compile_templates(step.key),
        all_attributes=step.all_attributes,
        attributes={} if is_update else attributes,
        changes=changes,
        condition=_compile_requirement(step, marks),
        unchanged=tuple(
            Unchanged(name, marks.mark(name), marks.reserve())
            for name in step.unchanged
        ),
        unless_same=step.unless_same,
        if_same=step.if_same,
        each=step.each,
        names_of=step.names_of,
    )


def _compile_requirement(step: designed.WriteStep, marks: _Marks) -> Expression | None:
    """In parentheses where an OR would otherwise take in what follows."""
    found = marks.condition(step.condition)
    if found is None or step.condition is None or not step.unchanged:
        return found
    is_or = isinstance(step.condition.tree, nodes.Or)
    return Expression(f"({found.text})", found.names, found.values) if is_or else found


def _compile_changes(
    _: designed.Design,
    item: designed.ItemType,
    step: designed.WriteStep,
    marks: _Marks,
) -> Iterable[Clause]:
    keys = {each.field for keys in _composed(item) for each in (*keys.pk, *keys.sk)}
    for path, template in step.set.items():
        yield Clause(
            action="SET",
            path=_compile_path(path, marks),
            placeholder=marks.reserve(),
            value=compile_template(template),
            key_field=path.name if path.name in keys else "",
        )
    for name, value in step.constants.items():
        yield Clause(
            action="SET",
            path=_compile_path(Path(name), marks),
            placeholder=marks.reserve(),
            value=value,
        )
    for path, template in step.initial.items():
        yield _compile_initial(path, compile_template(template), marks)
    for path in step.remove:
        yield Clause(action="REMOVE", path=_compile_path(path, marks))
    for path, amount in step.add.items():
        yield _compile_addition(path, amount, marks)


def _compile_initial(path: Path, value: Value, marks: _Marks) -> Clause:
    found, mark = _compile_path(path, marks), marks.reserve()
    return Clause(
        action="SET",
        path=found,
        placeholder=mark,
        value=value,
        assigned=f"if_not_exists({found.text}, {mark})",
    )


def _compile_addition(path: Path, amount: amounts.Amount, marks: _Marks) -> Clause:
    """ADD is for attributes of the item itself, not for what lies inside a map."""
    found, mark = _compile_path(path, marks), marks.reserve()
    value = _compile_amount(amount)
    if len(path.parts) == 1:
        return Clause(action="ADD", path=found, placeholder=mark, value=value)
    zero = marks.reserve()
    return Clause(
        action="SET",
        path=Expression(found.text, found.names, {zero: 0}),
        placeholder=mark,
        value=value,
        assigned=f"if_not_exists({found.text}, {zero}) + {mark}",
    )


def _compile_replacement(
    design: designed.Design,
    item: designed.ItemType,
    step: designed.WriteStep,
    marks: _Marks,
) -> Iterable[Clause]:
    """All that an item can have, so that what is not given goes; maps of what lies in
    it stay.
    """
    located = {each.field for each in step.key}
    maps = {each.inside for each in design.items if each.holder == item.name}
    said = {path.name: compile_template(each) for path, each in step.set.items()}
    said |= {**step.constants, **item.fixed}
    attributes = (each.name for each in item.attributes)
    for name in dict.fromkeys((*attributes, *said)):
        if name in maps:
            yield _compile_initial(Path(name), item.fixed[name], marks)
        elif name not in located:
            yield Clause(
                action="SET",
                path=_compile_path(Path(name), marks),
                placeholder=marks.reserve(),
                value=said.get(name, Slot(name)),
            )
    for each in (each for keys in _composed(item) for each in (*keys.pk, *keys.sk)):
        if each.field not in located:
            yield Clause(
                action="SET",
                path=_compile_path(Path(each.field), marks),
                placeholder=marks.reserve(),
                value=compile_template(each.template),
                key_field=each.field,
            )


def _compile_path(path: Path, marks: _Marks) -> Expression:
    return marks.expression(marks.name(path.parts))


def _compile_amount(amount: amounts.Amount) -> Sum:
    return Sum(tuple((each.sign, _compile_value(each.value)) for each in amount.terms))


# ---- items ---------------------------------------------------------------------------


def compile_stored(design: designed.Design) -> Stored:
    places = {
        table.name if index is None else f"{table.name}/{index}": place
        for table in design.tables
        for index, place in _places_of(table).items()
    }
    return Stored(
        types={item.name: _compile_item_type(item) for item in design.items},
        places=places,
        type_field=design.encoding.type_field,
        hidden=frozenset(hidden_fields(design)),
        key_style=design.key_style,
    )


def _compile_item_type(item: designed.ItemType) -> ItemType:
    days = item.ttl_days if item.ttl_attribute else None
    return ItemType(
        entity=item.entity,
        table=item.table,
        id=item.id,
        attributes=tuple(each.name for each in item.attributes),
        fixed=dict(item.fixed),
        keys=tuple(_compile_keys(each) for each in _composed(item)),
        expires=item.ttl_attribute or "",
        lifetime_seconds=round((days or 0) * SECONDS_PER_DAY),
    )


def _composed(item: designed.ItemType) -> list[designed.ItemKeys]:
    return [each for each in item.keys if not each.native]


def _compile_keys(keys: designed.ItemKeys) -> ItemKeys:
    bucketed = (keys.bucket.attribute,) if keys.bucket else ()
    return ItemKeys(
        index=keys.index,
        needs=(*keys.partition, *keys.lead, *bucketed),
        fields=_compile_templates((*keys.pk, *keys.sk)),
        shards=keys.shards,
        bucket=_compile_bucket(keys.bucket),
        when={} if keys.when is None else keys.when.required,
    )


def hidden_fields(design: designed.Design) -> list[str]:
    """Composed keys, constants, times to live, and maps of what lies inside."""
    found: list[str] = []
    for item in design.items:
        found += [
            each.field for keys in _composed(item) for each in (*keys.pk, *keys.sk)
        ]
        found += [*item.fixed, item.inside, item.ttl_attribute or ""]
    return list(dict.fromkeys(name for name in found if name))


def _places_of(table: designed.TableDesign) -> dict[str | None, KeyFields]:
    own = (table.pk.name, table.sk.name)
    found: dict[str | None, KeyFields] = {
        None: KeyFields(sort=(table.sk.name,), all=own)
    }
    for index in (*table.gsis, *table.lsis):
        names = (each.name for each in (*index.pk, *index.sk))
        sort = tuple(each.name for each in index.sk)
        found[index.name] = KeyFields(
            sort=sort, all=tuple(dict.fromkeys((*own, *names)))
        )
    return found
