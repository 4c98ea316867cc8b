"""Reads in ElectroDB's words: get, query and collections, where they send what the design's steps say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.codegen.electrodb.names import (
    entity_path,
    index_name,
    is_derived,
    property_of,
    schemas_of,
    service_path,
)
from tablewright.codegen.functions import Placeholder, parts_of
from tablewright.codegen.typescript.literals import Code, interpolated, literal, text
from tablewright.design.model import ItemKeys, ItemType, KeyTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tablewright.architect.assembly.requests import Filter
    from tablewright.design.model import Design, PatternDesign, ReadStep, SortCondition

Chain: TypeAlias = tuple[str, ...]  # calls, one behind the other
NAMED = re.compile(r"\{([^{}]+)\}")
OPERATIONS = {"=": "eq", "gt": "gt", "gte": "gte", "lt": "lt", "lte": "lte", "begins_with": "begins"}


class Matched(msgspec.Struct, frozen=True):
    """By attribute the parameter that is its value, and perhaps one more whose value is text around parameters."""

    given: Mapping[str, str]
    last: tuple[str, str] | None = None


class Keyed(msgspec.Struct, frozen=True):
    """An item type, and its keys in the place that a step asks."""

    item: ItemType
    keys: ItemKeys


def matched(template: str, bound: str) -> Matched | None:
    """How a bound of a request is made with an item's template, if it is at all."""
    given: dict[str, str] = {}
    at = 0
    pieces = list(parts_of(template))
    for number, piece in enumerate(pieces):
        if isinstance(piece, str):
            if not bound.startswith(piece, at):
                return None
            at += len(piece)
            if at == len(bound):
                return Matched(given)
            continue
        following = pieces[number + 1] if number + 1 < len(pieces) else None
        found = NAMED.match(bound, at)
        if found is None or not goes_on(bound, found.end(), following):
            return Matched(given, (piece.name, bound[at:]))
        given[piece.name] = found.group(1)
        at = found.end()
    return Matched(given) if at == len(bound) else None


def goes_on(bound: str, at: int, following: str | Placeholder | None) -> bool:
    return at == len(bound) if following is None else isinstance(following, str) and bound.startswith(following, at)


def keyed_by(design: Design, step: ReadStep) -> Keyed | None:
    """The item type that a step finds, by its partition key, where ElectroDB knows it."""
    known = schemas_of(design)
    for item in design.items:
        if item.entity != step.entities[0] or not item.is_whole_item or item.name not in known:
            continue
        for keys in item.keys:
            fits = keys.index == step.index and not keys.native and not is_derived(keys)
            if fits and tuple(map(shape_of, keys.pk)) == tuple(map(shape_of, step.pk)):
                return Keyed(item, keys)
    return None


def shape_of(template: KeyTemplate) -> tuple[str, str]:
    return template.field, NAMED.sub("{}", template.template)


# ---- code -----------------------------------------------------------------------------------------------------------


def value_code(bound: str) -> Code:
    """A parameter as it is, or text with parameters in it."""
    parts = list(parts_of(bound))
    if len(parts) == 1 and isinstance(parts[0], Placeholder):
        return Code(property_of("input", parts[0].name))
    if not any(isinstance(each, Placeholder) for each in parts):
        return Code(text(bound))
    return Code(
        interpolated(each if isinstance(each, str) else Code(property_of("input", each.name)) for each in parts)
    )


def object_code(values: Mapping[str, str]) -> Code:
    return Code(literal({name: Code(property_of("input", value)) for name, value in values.items()}))


def read_call(design: Design, pattern: PatternDesign) -> Chain | None:
    """The calls that ask ElectroDB; None where that has no words for what is to be asked."""
    step = pattern.reads[0]
    is_plain = step.unfold is None and step.shards == 1 and not step.for_each and step.bucket is None
    if len(pattern.reads) != 1 or not is_plain or pattern.aggregate:
        return None
    if len(pattern.entities) > 1:
        return collection_call(design, pattern, step)
    found = keyed_by(design, step)
    if found is None:
        return None
    return get_call(design, step, found) if step.operation == "GetItem" else query_call(design, pattern, step, found)


def get_call(design: Design, step: ReadStep, found: Keyed) -> Chain | None:
    keys = whole_key(step, found.keys)
    if keys is None or step.filters:
        return None
    options = "{ consistent: true }" if step.consistent else ""
    return entity_path(design, found.item), f".get({object_code(keys)})", f".go({options})"


def whole_key(step: ReadStep, keys: ItemKeys) -> dict[str, str] | None:
    """By attribute: the parameter, for a step that names a key in full."""
    given: dict[str, str] = {}
    pairs = [(mine.template, theirs.template) for mine, theirs in zip(keys.pk, step.pk, strict=True)]
    pairs += [(mine.template, theirs.low) for mine, theirs in zip(keys.sk, step.sk, strict=True)]
    for template, bound in pairs:
        match = matched(template, bound)
        if match is None or match.last is not None or NAMED.sub("{}", template) != NAMED.sub("{}", bound):
            return None
        given |= match.given
    return given


def query_call(design: Design, pattern: PatternDesign, step: ReadStep, found: Keyed) -> Chain | None:
    partition = matched(found.keys.pk[0].template, step.pk[0].template)
    if partition is None or partition.last is not None or len(step.sk) != 1 or not is_whole_in(design, step):
        return None
    sort = sort_code(found, step.sk[0])
    if sort is None:
        return None
    given, comparison = sort
    where = where_code(step.filters)
    if where is None:
        return None
    given_all = object_code({**partition.given, **given})
    asked = f"{property_of('', index_name(found.item, found.keys))}({given_all})"
    compared = [comparison] if comparison else []
    going = f".go({options_code('paging', pattern, step)})"
    return f"{entity_path(design, found.item)}.query", asked, *compared, *where, going


def is_whole_in(design: Design, step: ReadStep) -> bool:
    """Whether a place holds whole items: ElectroDB makes its cursors of them."""
    table = next(each for each in design.tables if each.name == step.table)
    index = next((each for each in (*table.gsis, *table.lsis) if each.name == step.index), None)
    return index is None or index.projection.type == "ALL"


def sort_code(found: Keyed, condition: SortCondition) -> tuple[Mapping[str, str], str] | None:
    """What of the sort key is given, and the comparison behind it."""
    template = found.keys.sk[0].template
    low = matched(template, condition.low)
    if low is None:
        return None
    is_whole = NAMED.sub("{}", template) == NAMED.sub("{}", condition.low)
    if condition.operator == "=":
        return (low.given, "") if is_whole else None
    low = with_last(low) if is_whole and low.given else low
    if condition.operator == "begins_with":
        if low.last is None:
            return None if is_whole else (low.given, "")
        return compared(found, low.given, "begins", [low.last])
    high = matched(template, condition.high or "")
    if condition.operator != "between" or high is None:
        return None
    is_whole = NAMED.sub("{}", template) == NAMED.sub("{}", condition.high or "")
    high = with_last(high) if is_whole and high.given else high
    if low.last is None or high.last is None or (low.given, low.last[0]) != (high.given, high.last[0]):
        return None
    return compared(found, low.given, "between", [low.last, high.last])


def with_last(match: Matched) -> Matched:
    """The same with the last attribute set apart."""
    names = list(match.given)
    kept = {name: match.given[name] for name in names[:-1]}
    return Matched(kept, (names[-1], f"{{{match.given[names[-1]]}}}"))


def compared(
    found: Keyed, given: Mapping[str, str], method: str, bounds: list[tuple[str, str]]
) -> tuple[Mapping[str, str], str] | None:
    kinds = {each.name: each.type for each in found.item.attributes}
    if any(kinds.get(name) not in ("string", "timestamp") and not NAMED.fullmatch(value) for name, value in bounds):
        return None  # what is no text cannot be text around a value
    arguments = [literal({name: value_code(value)}) for name, value in bounds]
    return given, f".{method}({', '.join(arguments)})"


def where_code(filters: Iterable[Filter]) -> list[str] | None:
    """Filters as ElectroDB's where clauses."""
    clauses: list[str] = []
    for each in filters:
        attribute = property_of("attributes", each.attribute)
        values = [value_code(value) if isinstance(value, str) else literal(value) for value in each.values]
        if each.operator in OPERATIONS:
            clauses.append(f".where((attributes, {{ {OPERATIONS[each.operator]} }}) =>")
            clauses[-1] += f" {OPERATIONS[each.operator]}({attribute}, {values[0]}))"
        elif each.operator == "between":
            clauses.append(f".where((attributes, {{ between }}) => between({attribute}, {values[0]}, {values[1]}))")
        else:
            return None
    return clauses


def options_code(paging: str, pattern: PatternDesign, step: ReadStep) -> str:
    page = "{}" if pattern.kind == "get" else "page"
    limit = 1 if pattern.kind == "get" else step.limit
    said = f"{paging}({page}{'' if limit is None else f', {limit}'})"
    more = [
        *(['order: "desc"'] if step.backwards else []),
        *(["consistent: true"] if step.consistent else []),
    ]
    return f"{{ ...{said}, {', '.join(more)} }}" if more else said


# ---- collections ----------------------------------------------------------------------------------------------------


def collection_call(design: Design, pattern: PatternDesign, step: ReadStep) -> Chain | None:
    """Entities that share a collection, read by its whole prefix."""
    found = collection_of(design, step)
    if found is None or step.operation != "Query" or step.filters or len(step.sk) != 1:
        return None
    name, keys, table = found
    partition = matched(keys.pk[0].template, step.pk[0].template)
    if partition is None or partition.last is not None:
        return None
    if step.sk[0].operator != "begins_with" or step.sk[0].low != f"${name}#":
        return None
    options = options_code("collectionPaging", pattern, step)
    asked = object_code(partition.given)
    return f"{service_path(design, table)}.collections", f"{property_of('', name)}({asked})", f".go({options})"


def collection_of(design: Design, step: ReadStep) -> tuple[str, ItemKeys, str] | None:
    """The collection that has exactly these entities."""
    known = schemas_of(design)
    members: dict[str, dict[str, ItemKeys]] = {}
    for item in design.items:
        for name, index in known.get(item.name, {}).get("indexes", {}).items():
            said = index.get("collection")
            keys = next((each for each in item.keys if index_name(item, each) == name), None)
            if isinstance(said, str) and keys is not None and keys.index == step.index and item.kind == "entity":
                members.setdefault(said, {})[item.entity] = keys
    for name, entities in members.items():
        if set(entities) == set(step.entities):
            return name, entities[step.entities[0]], step.table
    return None
