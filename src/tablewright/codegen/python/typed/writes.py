"""Writes with typed entities: puts alone and together, changes of one item, deletes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.codegen.entities import entity_attributes, is_ruled, put_entity, writes_ruled
from tablewright.codegen.python.literals import INDENT, Code, Invocation, invoke, print_code
from tablewright.codegen.python.names import parameter_names
from tablewright.codegen.python.signatures import may_go, statement, thing_name
from tablewright.codegen.python.typed.conditions import condition_codes, path_of
from tablewright.codegen.python.typed.known import DELETE, GET, PUT, UPDATE, WRITING, says_only
from tablewright.codegen.python.typed.reads import chain_calls, chainable_key, is_own_key
from tablewright.codegen.python.typed.views import entity_item, is_spread, key_call, may_cut_keys
from tablewright.design.service import has_shared_keys

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.codegen.python.signatures import CallMode
    from tablewright.design.model import ItemType, PatternDesign, WriteStep
    from tablewright.design.values.templates import Path, Template

VERBS: dict[bool | None, tuple[str, str, str]] = {
    None: ("put", "update", "delete"),
    False: ("create", "", ""),
    True: ("", "patch", "remove"),
}
"""By whether the item must be there: the words for putting, changing and deleting it."""


def write_body(named: NamedDesign, pattern: PatternDesign, mode: CallMode) -> list[str] | None:
    """None where typed entities do not do the same."""
    if not says_only(pattern, WRITING) or _has_rules(named, pattern):
        return None
    if pattern.writes and all(step.operation == "PutItem" for step in pattern.writes):
        return _put_body(named, pattern, mode)
    if len(pattern.writes) != 1 or len(pattern.entities) != 1 or pattern.transaction:
        return None
    (step,) = pattern.writes
    item = entity_item(named, pattern.entities)
    if item is None or step.item != item.name or not _is_writable(item):
        return None
    if step.operation == "UpdateItem":
        return _update_body(named, pattern, item, step, mode)
    return _delete_body(named, pattern, item, step, mode)


def _has_rules(named: NamedDesign, pattern: PatternDesign) -> bool:
    """Defaults and rules are filled in and checked by the steps, also of what lists hold."""
    listed = [each.entity or each.name for each in pattern.parameters if each.each]
    held = [each for entity in listed for each in entity_attributes(named.design, entity).values()]
    return writes_ruled(pattern) or any(map(is_ruled, held))


def _is_writable(item: ItemType) -> bool:
    """Whether a typed entity stores just what the design says."""
    return (
        not may_cut_keys(item)
        and not is_spread(item)
        and not any(isinstance(each, dict) for each in item.fixed.values())
    )


# ---- puts -----------------------------------------------------------------------------------------------------------


def _put_body(named: NamedDesign, pattern: PatternDesign, mode: CallMode) -> list[str] | None:
    puts = [_put_code(named, pattern, step) for step in pattern.writes]
    found = [each for each in puts if each is not None]
    if len(found) != len(puts) or pattern.reads or (len(found) > 1 and not pattern.transaction):
        return None
    if not pattern.transaction:
        return statement(mode.run, found[0])
    return statement(mode.run, invoke("tw.transact", *found))


def _put_code(named: NamedDesign, pattern: PatternDesign, step: WriteStep) -> Any:
    """`order.create()`, or the making of an entity and then that."""
    item = named.item(step.item)
    if not says_only(step, PUT) or not step.all_attributes or not _can_put(named, item):
        return None
    wanted = condition_codes(named, item, step.condition, {})
    if wanted is None or wanted[0] is True or wanted[1]:
        return None
    verb = VERBS[wanted[0]][0]
    if step.each:
        parameter = next(each for each in pattern.parameters if each.name == step.each)
        name = parameter_names(pattern)[step.each]
        return Code(f"*(each.{verb}() for each in {name})") if parameter.entity == item.entity else None
    whole = put_entity(named.design, pattern)
    if whole is not None and item.entity == whole and item.kind == "entity":
        return Code(f"{thing_name(whole)}.{verb}()")
    made = _entity_code(named, pattern, item)
    return None if made is None else _call_method(made, verb)


def _can_put(named: NamedDesign, item: ItemType) -> bool:
    if item.kind == "sentinel":
        if has_shared_keys(named.design, item):
            return False  # typed entities keep apart what makes different keys
        needed = {each.name for each in item.attributes if not each.required}
        return named.design.key_style == "electrodb" and not needed and _is_writable(item)
    found = entity_item(named, (item.entity,))
    return found is not None and found.name == item.name and _is_writable(item)


def _entity_code(named: NamedDesign, pattern: PatternDesign, item: ItemType) -> Invocation | None:
    """An entity made of what the function was given."""
    given = _variables_of(named, pattern, item)
    names = named.attributes[item.name]
    wanted = [each.name for each in item.attributes]
    if any(name not in given for name in wanted):
        return None
    return invoke(named.classes[item.name], **{names[name]: Code(given[name]) for name in wanted})


def _variables_of(named: NamedDesign, pattern: PatternDesign, item: ItemType) -> dict[str, str]:
    """By attribute: the variable that holds its value."""
    whole = put_entity(named.design, pattern)
    if whole is not None:
        own = next(each for each in named.design.items if each.entity == whole and each.kind == "entity")
        return {name: f"{thing_name(whole)}.{variable}" for name, variable in named.attributes[own.name].items()}
    names = parameter_names(pattern)
    return {
        each.attribute: names[each.name]
        for each in pattern.parameters
        if each.attribute is not None and each.entity in (None, item.entity)
    }


def _call_method(made: Invocation, verb: str) -> Invocation:
    """`Order(...).create()`."""
    return Invocation(made.name, made.arguments, made.named, made.opening, f"{made.closing}.{verb}()")


# ---- changes and deletes --------------------------------------------------------------------------------------------


def _update_body(
    named: NamedDesign, pattern: PatternDesign, item: ItemType, step: WriteStep, mode: CallMode
) -> list[str] | None:
    names = parameter_names(pattern)
    wanted = condition_codes(named, item, step.condition, names)
    key = key_call(named, item, names)
    if not says_only(step, UPDATE) or wanted is None or wanted[0] is not True or key is None:
        return None
    fields = {each.field for keys in item.keys if not keys.native for each in (*keys.pk, *keys.sk)}
    changes = _changes_of(named, pattern, item, {p: t for p, t in step.set.items() if p.name not in fields}, names)
    if changes is None or not _is_same_key(item, step) or _may_leave_index(item, step) or _is_sparse(item):
        return None
    reading, changed = chainable_key(key)
    if pattern.reads:
        (read,) = pattern.reads if len(pattern.reads) == 1 else (None,)
        if read is None or read.operation != "GetItem" or not says_only(read, GET) or not is_own_key(item, read):
            return None
        asked = chain_calls(changed, invoke("get"), invoke("consistent"))
        reading += [*statement(f"found = {mode.run}", Code(asked)), *_raise_not_found(named, pattern)]
        changed = "found"
    elif any(path.name in fields for path in step.set) or step.unchanged:
        return None
    made = Invocation(f"{changed}.patch", tuple(changes))
    if wanted[1]:
        lines = [f"{INDENT}change = {print_code(made, 1, 9)}"]
        return [*reading, *lines, *statement(mode.run, invoke("change.where", *wanted[1]))]
    return [*reading, *statement(mode.run, made)]


def _is_sparse(item: ItemType) -> bool:
    return any(keys.when for keys in item.keys)


def _may_leave_index(item: ItemType, step: WriteStep) -> bool:
    """Whether it changes the sort key of an index that the item need not be in: typed updates leave half a key."""
    required = {each.name for each in item.attributes if each.required}
    return any(
        {path.name for path in step.set} & {*keys.lead, *keys.rest} and not required.issuperset(keys.partition)
        for keys in item.keys
        if keys.index is not None
    )


def _raise_not_found(named: NamedDesign, pattern: PatternDesign) -> list[str]:
    raised = invoke("NotFound", f"{named.functions[pattern.id]}: there is no such item")
    return [f"{INDENT}if found is None:", f"{INDENT * 2}raise {print_code(raised, 2, 6)}"]


def _is_same_key(item: ItemType, step: WriteStep) -> bool:
    keys = item.keys[0]
    return {each.field: each.template for each in (*keys.pk, *keys.sk)} == {e.field: e.template for e in step.key}


def _changes_of(
    named: NamedDesign, pattern: PatternDesign, item: ItemType, sets: Mapping[Path, Template], names: Mapping[str, str]
) -> list[Code] | None:
    found: list[Code] = []
    given = {each.name: each for each in pattern.parameters}
    fixed = {each.name for each in item.attributes if each.immutable}
    for (name, *entry), template in ((path.parts, template) for path, template in sets.items()):
        path, parameter = path_of(named, item, str(name)), given.get(template.only_name or "")
        if path is None or entry or parameter is None or name in fixed or name in item.id:
            return None
        value = names[parameter.name]
        simple = parameter.required and not may_go(named.design, pattern, parameter)
        found.append(Code(f"{path}.set({value})" if simple else f"*become({path}, {value})"))
    return found


def _delete_body(
    named: NamedDesign, pattern: PatternDesign, item: ItemType, step: WriteStep, mode: CallMode
) -> list[str] | None:
    names = parameter_names(pattern)
    wanted = condition_codes(named, item, step.condition, names)
    key = key_call(named, item, names)
    if step.operation != "DeleteItem" or pattern.reads or wanted is None or wanted[0] is False or key is None:
        return None
    if not says_only(step, DELETE) or not _is_same_key(item, step):
        return None
    lines, variable = chainable_key(key)
    code = chain_calls(variable, invoke(VERBS[wanted[0]][2]))
    if not wanted[1]:
        return [*lines, *statement(mode.run, Code(code))]
    return [*lines, f"{INDENT}deletion = {code}", *statement(mode.run, invoke("deletion.where", *wanted[1]))]
