"""Writes in ElectroDB's words: put, create, patch, delete and transactions, where they write the design's items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablewright.codegen.carrying import said_in
from tablewright.codegen.electrodb.names import (
    aliases,
    entity_path,
    is_derived,
    property_of,
    schemas_of,
    service_path,
)
from tablewright.codegen.electrodb.reads import Chain, match_template, object_code, same_texts
from tablewright.codegen.entities import put_entity, writes_ruled
from tablewright.codegen.typescript.literals import INDENT, WIDTH, Code, literal, text
from tablewright.spec.conditions import absent, exists

if TYPE_CHECKING:
    from tablewright.design.model import Design, ItemType, PatternDesign, WriteStep


_CARRIED = frozenset("operation item table key all_attributes set condition why".split())
"""What ElectroDB has words for; a write that says more goes through the document client."""
_DONE_OTHERWISE = frozenset("cascade resumes refreshes idempotent".split())


def write_call(design: Design, pattern: PatternDesign, name: str) -> list[str] | None:
    """The lines that have ElectroDB write; None where that would write something else than the design says."""
    if said_in(pattern) & _DONE_OTHERWISE or any(said_in(each) - _CARRIED for each in pattern.writes):
        return None
    if writes_ruled(pattern):
        return None
    if pattern.reads or any(each.attribute not in (None, each.name) or each.each for each in pattern.parameters):
        return None
    if len(pattern.writes) == 1 and not pattern.transaction:
        found = _step_code(design, pattern, pattern.writes[0], "")
        return None if found is None else _single_call(name, found)
    return _transaction_call(design, pattern, name)


def _single_call(name: str, calls: Chain) -> list[str]:
    line = f"{INDENT}return written({text(name)}, {''.join(calls)}.go());"
    if len(line) <= WIDTH:
        return [line]
    inner = f"{INDENT}const request = {''.join(calls)}.go();"
    if len(inner) > WIDTH:
        inner = f"{INDENT}const request = " + f"\n{INDENT * 2}".join((*calls, ".go();"))
    return [inner, f"{INDENT}return written({text(name)}, request);"]


def _transaction_call(design: Design, pattern: PatternDesign, name: str) -> list[str] | None:
    tables = {each.table for each in pattern.writes}
    if len(tables) != 1:
        return None
    steps = [_step_code(design, pattern, each, "entities.") for each in pattern.writes]
    known = [each for each in steps if each is not None]
    if len(known) < len(steps):
        return None
    return [
        f"{INDENT}const request = {service_path(design, next(iter(tables)))}.transaction",
        f"{INDENT * 2}.write((entities) => [",
        *(f"{INDENT * 3}{''.join(each)}.commit()," for each in known),
        f"{INDENT * 2}])",
        f"{INDENT * 2}.go();",
        f"{INDENT}return writtenTogether({text(name)}, request);",
    ]


def _step_code(design: Design, pattern: PatternDesign, step: WriteStep, inside: str) -> Chain | None:
    item = next(each for each in design.items if each.name == step.item)
    if not step.key or item.name not in schemas_of(design) or any(is_derived(each) for each in item.keys):
        return None
    entity = f"{inside}{aliases(design)[item.name]}" if inside else entity_path(design, item)
    match step.operation:
        case "PutItem":
            return _put_code(design, pattern, step, item, entity)
        case "DeleteItem":
            return _delete_code(step, item, entity)
        case "UpdateItem":
            return _patch_code(step, item, entity)
        case _:
            return None


def _put_code(design: Design, pattern: PatternDesign, step: WriteStep, item: ItemType, entity: str) -> Chain | None:
    """Only where no key can end early, which ElectroDB does not write."""
    methods = {None: "put", absent(step.key[0].field): "create"}
    values = _put_values(design, pattern, item)
    if step.condition not in methods or not step.all_attributes or step.set or values is None:
        return None
    return entity, f".{methods[step.condition]}({values})"


def _put_values(design: Design, pattern: PatternDesign, item: ItemType) -> str | None:
    required = {each.name for each in item.attributes if each.required}
    in_keys = {name for keys in item.keys for name in (*keys.partition, *keys.lead, *keys.rest)}
    given = {each.name: each.required for each in pattern.parameters}
    names = [each.name for each in item.attributes]
    if not in_keys <= required or not all(given.get(name) for name in in_keys):
        return None
    stored = {name for name in schemas_of(design)[item.name]["attributes"] if name != item.ttl_attribute}
    if stored != set(names) or not set(names) <= set(given):
        return None
    is_whole = put_entity(design, pattern) == item.entity and item.kind == "entity"
    if item.ttl_attribute is not None and item.ttl_days is not None:
        return None
    return "input" if is_whole else object_code({name: name for name in names})


def _delete_code(step: WriteStep, item: ItemType, entity: str) -> Chain | None:
    methods = {None: "delete", exists(step.key[0].field): "remove"}
    key = _key_code(step, item)
    return None if key is None or step.condition not in methods else (entity, f".{methods[step.condition]}({key})")


def _patch_code(step: WriteStep, item: ItemType, entity: str) -> Chain | None:
    """Changes of attributes that are in no key."""
    key = _key_code(step, item)
    fields = {each.field for keys in item.keys for each in (*keys.pk, *keys.sk)}
    in_keys = {name for keys in item.keys for name in (*keys.partition, *keys.lead, *keys.rest)}
    names = [path.name for path, template in step.set.items() if path.parts == (template.only_name,)]
    if key is None or step.condition != exists(step.key[0].field) or not names or len(names) < len(step.set):
        return None
    if set(names) & (fields | in_keys):
        return None
    given = {name: Code(property_of("input", name)) for name in names}
    optional = {each.name for each in item.attributes if not each.required}
    gone = {name: value for name, value in given.items() if name in optional}
    removed = [f".remove(removed({literal(gone, 2)}))"] if gone else []
    return entity, f".patch({key})", f".set(changed({literal(given, 2)}))", *removed


def _key_code(step: WriteStep, item: ItemType) -> Code | None:
    """The attributes of the whole key."""
    keys = next(each for each in item.keys if each.index is None)
    given: dict[str, str] = {}
    for mine, theirs in zip((*keys.pk, *keys.sk), step.key, strict=True):
        found = match_template(mine.template, theirs.template)
        if found is None or found.last is not None or not same_texts(mine.template, theirs.template):
            return None
        given |= found.given
    return None if any(name.startswith("old.") for name in given.values()) else object_code(given)
