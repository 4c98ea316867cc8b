"""What a write does to one item, compiled: its updates and what it demands."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.design import model as designed
from tablewright.design.steps.compiling.expressions import (
    Marks,
    compile_path,
    compile_template,
    compile_value,
)
from tablewright.design.steps.compiling.items import composed_keys
from tablewright.design.steps.model import (
    Clause,
    Expression,
    Slot,
    Sum,
    Value,
)
from tablewright.design.values import amounts
from tablewright.design.values.templates import Path
from tablewright.expr import nodes


def compile_requirement(step: designed.WriteStep, marks: Marks) -> Expression | None:
    """In parentheses where an OR would otherwise take in what follows."""
    found = marks.condition(step.condition)
    if found is None or step.condition is None or not step.unchanged:
        return found
    is_or = isinstance(step.condition.tree, nodes.Or)
    return Expression(f"({found.text})", found.names, found.values) if is_or else found


def compile_changes(
    _: designed.Design,
    item: designed.ItemType,
    step: designed.WriteStep,
    marks: Marks,
) -> Iterable[Clause]:
    keys = {each.field for keys in composed_keys(item) for each in (*keys.pk, *keys.sk)}
    for path, template in step.set.items():
        yield Clause(
            action="SET",
            path=compile_path(path, marks),
            placeholder=marks.reserve(),
            value=compile_template(template),
            key_field=path.name if path.name in keys else "",
        )
    for name, value in step.constants.items():
        yield Clause(
            action="SET",
            path=compile_path(Path(name), marks),
            placeholder=marks.reserve(),
            value=value,
        )
    for path, template in step.initial.items():
        yield _compile_initial(path, compile_template(template), marks)
    for path in step.remove:
        yield Clause(action="REMOVE", path=compile_path(path, marks))
    for path, amount in step.add.items():
        yield _compile_addition(path, amount, marks)


def _compile_initial(path: Path, value: Value, marks: Marks) -> Clause:
    found, mark = compile_path(path, marks), marks.reserve()
    return Clause(
        action="SET",
        path=found,
        placeholder=mark,
        value=value,
        assigned=f"if_not_exists({found.text}, {mark})",
    )


def _compile_addition(path: Path, amount: amounts.Amount, marks: Marks) -> Clause:
    """ADD is for attributes of the item itself, not for what lies inside a map."""
    found, mark = compile_path(path, marks), marks.reserve()
    value = compile_amount(amount)
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


def compile_replacement(
    design: designed.Design,
    item: designed.ItemType,
    step: designed.WriteStep,
    marks: Marks,
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
                path=compile_path(Path(name), marks),
                placeholder=marks.reserve(),
                value=said.get(name, Slot(name)),
            )
    for each in (each for keys in composed_keys(item) for each in (*keys.pk, *keys.sk)):
        if each.field not in located:
            yield Clause(
                action="SET",
                path=compile_path(Path(each.field), marks),
                placeholder=marks.reserve(),
                value=compile_template(each.template),
                key_field=each.field,
            )


def compile_amount(amount: amounts.Amount) -> Sum:
    return Sum(tuple((each.sign, compile_value(each.value)) for each in amount.terms))
