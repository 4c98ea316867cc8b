"""The head of a pattern's function: what it takes, what it gives, what it says about itself, and its inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.entities import entity_attributes, main_item, put_entity
from tablewright.codegen.functions import about_in_short, is_paged
from tablewright.codegen.names import snake
from tablewright.codegen.python.literals import INDENT, WIDTH, Code, Invocation, print_code
from tablewright.codegen.python.model import type_of
from tablewright.codegen.python.names import TAKEN_PARAMETERS, make_unique, parameter_names
from tablewright.codegen.python.parts import answer_class, attribute_name, entity_class
from tablewright.design.wording import units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import Design, Parameter, PatternDesign


class CallMode(msgspec.Struct, frozen=True):
    """Blocking or awaited."""

    define: str
    database: str
    run: str
    page: str = "tw.Page"


def statement(head: str, argument: Any) -> list[str]:
    """`head(argument)`, indented once."""
    return [INDENT + print_code(Invocation(head, (argument,)), 1)]


BLOCKING = CallMode("def", "tw.Database", "db.run")
AWAITED = CallMode("async def", "tw.AsyncDatabase", "await db.run")
PLAIN = CallMode("def", "Database", "", "Page")


def thing_name(entity: str) -> str:
    return make_unique(snake(entity), TAKEN_PARAMETERS)


# ---- signatures -----------------------------------------------------------------------------------------------------


def parameters(named: NamedDesign, pattern: PatternDesign) -> Iterator[str]:
    """Required ones by place or name, the others by name."""
    whole = put_entity(named.design, pattern)
    if whole is not None:
        yield f"{thing_name(whole)}: {entity_class(named, whole, whole=True)}"
        return
    names = parameter_names(pattern)
    optional = [each for each in pattern.parameters if not each.required]
    for each in (each for each in pattern.parameters if each.required):
        yield f"{names[each.name]}: {_parameter_type(named, pattern, each)}"
    if optional or is_paged(pattern):
        yield "*"
    for each in optional:
        yield f"{names[each.name]}: {_optional_type(named, pattern, each)}"
    if is_paged(pattern):
        yield from ("limit: int | None = None", "after: str | None = None")


def _parameter_type(named: NamedDesign, pattern: PatternDesign, parameter: Parameter) -> str:
    if parameter.each and pattern.kind == "batch":
        return f"Sequence[{named.ids[pattern.entities[0]]}]"
    if parameter.each:
        return f"Sequence[{entity_class(named, parameter.entity or parameter.name, whole=True)}]"
    found = _value_type(named, pattern, parameter)
    return f"{found} | None" if may_go(named.design, pattern, parameter) and found != "Any" else found


def _value_type(named: NamedDesign, pattern: PatternDesign, parameter: Parameter) -> str:
    """That of the attribute it stands for, where there is one."""
    for entity in (parameter.entity,) if parameter.entity else pattern.entities:
        for each in entity_attributes(named.design, entity).values():
            if each.name == parameter.attribute and each.type == parameter.type:
                return named.type_of(each)
    return named.choices.get(parameter.values) or type_of(parameter.type, parameter.values)


def _optional_type(named: NamedDesign, pattern: PatternDesign, parameter: Parameter) -> str:
    found = _parameter_type(named, pattern, parameter)
    if _sets_parameter(pattern, parameter.name):
        return f"{found} | Keep = KEEP" if found != "Any" else "Any = KEEP"
    return f"{found} | None = None" if found != "Any" else "Any = None"


def result_type(named: NamedDesign, pattern: PatternDesign, mode: CallMode) -> str:
    if pattern.writes:
        return "None"
    if pattern.aggregate:
        kind = next(iter(pattern.aggregate))
        return {"count": "int", "max": "Number | None", "min": "Number | None"}.get(kind, "Number")
    found = " | ".join(answer_class(named, pattern, each) for each in pattern.entities)
    return f"{mode.page}[{found}]" if is_paged(pattern) else f"{found} | None"


def describe(pattern: PatternDesign) -> list[str]:
    """What it is for, what it sends, what that takes."""
    words = about_in_short(pattern)
    predicted = pattern.predicted
    taken = [f"{units(predicted.rcu)} RCU"] if predicted.rcu else []
    taken += [f"{units(predicted.wcu)} WCU"] if predicted.wcu else []
    said = [_describe_requests(pattern), f"about {' and '.join(taken)} a run" if taken else ""]
    if pattern.kind != "write":
        said.append(f"{'strongly' if pattern.consistency == 'strong' else 'eventually'} consistent")
    sent = f"{', '.join(each for each in said if each)}."
    return [f"{pattern.id}: {words.rstrip('.')}.", " ".join([sent, *_describe_effects(pattern)])]


def _describe_effects(pattern: PatternDesign) -> Iterator[str]:
    """What a caller has to know of the parameters that are no attributes, and of what else goes."""
    names = parameter_names(pattern)
    for each in pattern.parameters:
        if any(f"{each.name} = {{{each.name}}}" in str(step.condition) for step in pattern.writes):
            new = ", 0 of a new item" if pattern.op == "put" else ""
            yield f"`{names[each.name]}` is the one that was read{new}."
    if pattern.idempotent:
        yield f"With the same `{names['request_token']}` again it is done once."
    if pattern.cascade:
        along = dict.fromkeys(each.entity for each in pattern.cascade)
        yield f"What goes with it: {', '.join(along)}."
    if pattern.refreshes:
        keeping = dict.fromkeys(each.entity for each in pattern.refreshes)
        yield f"Copies are set along in the same transaction: of {', '.join(keeping)}."


def _describe_requests(pattern: PatternDesign) -> str:
    """`Query of gsi1`, `GetItem, then UpdateItem`, `a transaction of PutItem and UpdateItem`."""
    reads = [f"{each.operation} of {each.index or 'the table'}" for each in pattern.reads]
    writes = list(dict.fromkeys(each.operation for each in pattern.writes))
    changed = " and ".join(writes)
    steps = [
        *dict.fromkeys(reads),
        *([f"a transaction of {changed}" if pattern.transaction else changed] if writes else []),
    ]
    text = ", then ".join(steps)
    return text[:1].upper() + text[1:]


def may_go(design: Design, pattern: PatternDesign, parameter: Parameter) -> bool:
    """Whether None is a value: of an attribute that an update sets and that an item can do without."""
    attribute = parameter.attribute
    if pattern.op in ("put", "delete") or attribute is None or not _sets_parameter(pattern, parameter.name):
        return False
    owners = [parameter.entity] if parameter.entity else pattern.entities
    known = [entity_attributes(design, entity).get(attribute) for entity in owners]
    return all(each is None or not each.required for each in known) and any(known)


def _sets_parameter(pattern: PatternDesign, name: str) -> bool:
    """Whether an update writes the parameter into an item that is there."""
    if pattern.op == "put":
        return False  # what is not given is not there
    updates = [step for step in pattern.writes if step.operation == "UpdateItem"]
    return any(name in template.names for step in updates for template in step.set.values())


# ---- inputs ---------------------------------------------------------------------------------------------------------


def _inputs(named: NamedDesign, pattern: PatternDesign) -> dict[str, Any]:
    """By the design's names: what the function was given."""
    whole = put_entity(named.design, pattern)
    if whole is not None:
        return _attributes_of(named, whole, thing_name(whole))
    names = parameter_names(pattern)
    return {each.name: _argument_of(named, pattern, each, names[each.name]) for each in pattern.parameters}


def _argument_of(named: NamedDesign, pattern: PatternDesign, parameter: Parameter, name: str) -> Any:
    if not parameter.each:
        return Code(name)
    entity = parameter.entity or parameter.name
    fields = _attributes_of(named, entity, "each")
    if pattern.kind == "batch":
        fields = {each: fields[each] for each in main_item(named.design, entity).id}
    return _Comprehension(fields, name)


class _Comprehension(msgspec.Struct, frozen=True):
    """`[fields for each in name]`."""

    fields: dict[str, Any]
    name: str


def _attributes_of(named: NamedDesign, entity: str, variable: str) -> dict[str, Any]:
    names = entity_attributes(named.design, entity)
    return {each: Code(f"{variable}.{attribute_name(named, entity, each)}") for each in names}


def _inputs_text(value: Any, depth: int) -> list[str]:
    """A dict with a part a line, where comprehensions stand for lists."""
    lines = ["{"]
    inner = INDENT * (depth + 1)
    for name, each in value.items():
        key = print_code(name)
        if isinstance(each, _Comprehension):
            lines += _comprehension_lines(each, f"{inner}{key}: ", depth)
        else:
            lines.append(f"{inner}{key}: {print_code(each)},")
    return [*lines, INDENT * depth + "}"]


def _comprehension_lines(found: _Comprehension, head: str, depth: int) -> list[str]:
    """In one line where that fits."""
    line = f"{head}[{print_code(found.fields, 0, -WIDTH)} for each in {found.name}],"
    if len(line) <= WIDTH:
        return [line]
    inner = INDENT * (depth + 2)
    return [
        f"{head}[",
        f"{inner}{print_code(found.fields, depth + 2)}",
        f"{inner}for each in {found.name}",
        f"{INDENT * (depth + 1)}],",
    ]


def inputs_code(named: NamedDesign, pattern: PatternDesign, depth: int) -> Code | dict[str, Any]:
    found = _inputs(named, pattern)
    if any(isinstance(each, _Comprehension) for each in found.values()):
        return Code("\n".join(_inputs_text(found, depth)))
    return found
