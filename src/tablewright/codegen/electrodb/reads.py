"""Reads in ElectroDB's words: get, query and collections, where they send what the design's steps say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from tablewright.codegen.carrying import said_in
from tablewright.codegen.electrodb.names import (
    entity_path,
    index_name,
    is_derived,
    property_of,
    schemas_of,
    service_path,
)
from tablewright.codegen.typescript.literals import Code, interpolate, literal, text
from tablewright.design.model import ItemKeys, ItemType
from tablewright.design.values.templates import Part, Template, slot
from tablewright.expr.nodes import Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.design.model import Design, PatternDesign, ReadStep, SortCondition
    from tablewright.design.values.templates import KeyTemplate
    from tablewright.spec.conditions import Predicate

_CARRIED = frozenset("operation table index pk sk filters backwards limit consistent projection entities items".split())
"""What ElectroDB has words for; a step that says more goes through the document client."""
Chain: TypeAlias = tuple[str, ...]  # calls, one behind the other
OPERATIONS = {"=": "eq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "begins_with": "begins", "between": "between"}


class _TemplateMatch(msgspec.Struct, frozen=True):
    """By attribute the parameter that is its value, and perhaps one more whose value is text around parameters."""

    given: Mapping[str, str]
    last: tuple[str, Template] | None = None


class _KeyedItem(msgspec.Struct, frozen=True):
    """An item type, and its keys in the place that a step asks."""

    item: ItemType
    keys: ItemKeys


def match_template(template: Template, bound: Template, last: str | None = None) -> _TemplateMatch | None:
    """How a bound of a request is made with an item's template, if it is at all; `last` is to be set apart."""
    given: dict[str, str] = {}
    rest = bound.parts
    for piece, following in zip(template.parts, (*template.parts[1:], None), strict=True):
        head = rest[0] if rest else ""
        if isinstance(piece, str):
            if not isinstance(head, str) or not head.startswith(piece):
                return None
            rest = Template(head.removeprefix(piece), *rest[1:]).parts
            if not rest:
                return _TemplateMatch(given)
        elif piece.name != last and isinstance(head, Slot) and _goes_on(rest[1:], following):
            given[piece.name] = head.name
            rest = rest[1:]
        else:
            return _TemplateMatch(given, (piece.name, Template(*rest)))
    return None if rest else _TemplateMatch(given)


def _goes_on(rest: tuple[Part, ...], following: Part | None) -> bool:
    if following is None or not rest:
        return following is None and not rest
    return isinstance(rest[0], str) and isinstance(following, str) and rest[0].startswith(following)


def same_texts(one: Template, other: Template) -> bool:
    """Whether two templates differ in nothing but the names of their slots."""
    unnamed = [[part if isinstance(part, str) else None for part in each.parts] for each in (one, other)]
    return unnamed[0] == unnamed[1]


def _find_keyed(design: Design, step: ReadStep) -> _KeyedItem | None:
    """The item type that a step finds, by its partition key, where ElectroDB knows it."""
    known = schemas_of(design)
    for item in design.items:
        if item.entity != step.entities[0] or not item.is_whole_item or item.name not in known:
            continue
        for keys in item.keys:
            fits = keys.index == step.index and not keys.native and not is_derived(keys)
            if fits and _are_alike(keys.pk, step.pk):
                return _KeyedItem(item, keys)
    return None


def _are_alike(own: Sequence[KeyTemplate], asked: Sequence[KeyTemplate]) -> bool:
    pairs = zip(own, asked, strict=False)
    return len(own) == len(asked) and all(
        one.field == other.field and same_texts(one.template, other.template) for one, other in pairs
    )


# ---- code -----------------------------------------------------------------------------------------------------------


def _value_code(design: Design, bound: Template) -> Code:
    """A parameter as it is, or text with parameters in it; plain keys escape parameters and leave such text alone."""
    if bound.only_name is not None:
        return _input(bound.only_name)
    parts = interpolate(each if isinstance(each, str) else _input(each.name) for each in bound.parts)
    if design.key_style == "plain":
        return Code(f"bound{parts}")
    return Code(parts if bound.names else text(str(bound)))


def _input(name: str) -> Code:
    return Code(property_of("input", name))


def object_code(values: Mapping[str, str]) -> Code:
    return Code(literal({name: _input(value) for name, value in values.items()}))


def read_call(design: Design, pattern: PatternDesign) -> Chain | None:
    """The calls that ask ElectroDB; None where that has no words for what is to be asked."""
    step = pattern.reads[0]
    is_plain = step.unfold is None and step.shards == 1 and not step.for_each and step.bucket is None
    if len(pattern.reads) != 1 or not is_plain or pattern.aggregate or said_in(step) - _CARRIED:
        return None
    if len(pattern.entities) > 1:
        return _collection_call(design, pattern, step)
    found = _find_keyed(design, step)
    if found is None:
        return None
    return _get_call(design, step, found) if step.operation == "GetItem" else _query_call(design, pattern, step, found)


def _get_call(design: Design, step: ReadStep, found: _KeyedItem) -> Chain | None:
    keys = _whole_key(step, found.keys)
    if keys is None or step.filters:
        return None
    options = "{ consistent: true }" if step.consistent else ""
    return entity_path(design, found.item), f".get({object_code(keys)})", f".go({options})"


def _whole_key(step: ReadStep, keys: ItemKeys) -> dict[str, str] | None:
    """By attribute: the parameter, for a step that names a key in full."""
    given: dict[str, str] = {}
    pairs = [(mine.template, theirs.template) for mine, theirs in zip(keys.pk, step.pk, strict=True)]
    pairs += [(mine.template, theirs.low) for mine, theirs in zip(keys.sk, step.sk, strict=True)]
    for template, bound in pairs:
        found = match_template(template, bound)
        if found is None or found.last is not None or not same_texts(template, bound):
            return None
        given |= found.given
    return given


def _query_call(design: Design, pattern: PatternDesign, step: ReadStep, found: _KeyedItem) -> Chain | None:
    partition = match_template(found.keys.pk[0].template, step.pk[0].template)
    if partition is None or partition.last is not None or len(step.sk) != 1 or not _holds_whole_items(design, step):
        return None
    sort = _sort_code(design, found, step.sk[0])
    if sort is None:
        return None
    given, comparison = sort
    where = _where_code(step.filters)
    if where is None:
        return None
    given_all = object_code({**partition.given, **given})
    asked = f"{property_of('', index_name(found.item, found.keys))}({given_all})"
    compared = [comparison] if comparison else []
    going = f".go({_options_code('paging', pattern, step)})"
    return f"{entity_path(design, found.item)}.query", asked, *compared, *where, going


def _holds_whole_items(design: Design, step: ReadStep) -> bool:
    """Whether a place holds whole items: ElectroDB makes its cursors of them."""
    table = next(each for each in design.tables if each.name == step.table)
    index = next((each for each in (*table.gsis, *table.lsis) if each.name == step.index), None)
    return index is None or index.projection.type == "ALL"


def _sort_code(design: Design, found: _KeyedItem, condition: SortCondition) -> tuple[Mapping[str, str], str] | None:
    """What of the sort key is given, and the comparison behind it."""
    template = found.keys.sk[0].template
    low = match_template(template, condition.low)
    if low is None:
        return None
    is_whole = same_texts(template, condition.low)
    if condition.operator == "=":
        return (low.given, "") if is_whole else None
    low = _split_last(low) if is_whole and low.given else low
    if condition.operator == "begins_with":
        if low.last is None:
            return None if is_whole else (low.given, "")
        return _comparison_code(design, found, low.given, "begins", [low.last])
    high = None if condition.high is None else match_template(template, condition.high)
    if condition.operator != "between" or condition.high is None or high is None:
        return None
    high = _split_last(high) if same_texts(template, condition.high) and high.given else high
    low, high = _split_alike(template, condition, low, high)
    if low.last is None or high.last is None or (low.given, low.last[0]) != (high.given, high.last[0]):
        return None
    return _comparison_code(design, found, low.given, "between", [low.last, high.last])


def _split_alike(
    template: Template, condition: SortCondition, low: _TemplateMatch, high: _TemplateMatch
) -> tuple[_TemplateMatch, _TemplateMatch]:
    """Both ends with the same attribute set apart; what stands behind a value may look like the next attribute's."""
    lasts = [each.last[0] for each in (low, high) if each.last is not None]
    if condition.high is None or len(set(lasts)) < 2:
        return low, high
    first = next(name for name in template.names if name in lasts)
    found = [match_template(template, each, first) for each in (condition.low, condition.high)]
    return found[0] or low, found[1] or high


def _split_last(found: _TemplateMatch) -> _TemplateMatch:
    """The same with the last attribute set apart."""
    *others, (name, value) = found.given.items()
    return _TemplateMatch(dict(others), (name, slot(value)))


def _comparison_code(
    design: Design, found: _KeyedItem, given: Mapping[str, str], method: str, bounds: list[tuple[str, Template]]
) -> tuple[Mapping[str, str], str] | None:
    kinds = {each.name: each.type for each in found.item.attributes}
    if any(kinds.get(name) not in ("string", "timestamp") and value.only_name is None for name, value in bounds):
        return None  # what is no text cannot be text around a value
    arguments = [literal({name: _value_code(design, value)}) for name, value in bounds]
    return given, f".{method}({', '.join(arguments)})"


def _where_code(filters: Iterable[Predicate]) -> list[str] | None:
    """Filters as ElectroDB's where clauses."""
    clauses: list[str] = []
    for each in filters:
        attribute, operator, given = each.comparison
        method = OPERATIONS.get(operator)
        if method is None:
            return None
        values = [_input(value.name) if isinstance(value, Slot) else literal(value) for value in given]
        arguments = ", ".join([property_of("attributes", attribute), *values])
        clauses.append(f".where((attributes, {{ {method} }}) => {method}({arguments}))")
    return clauses


def _options_code(paging: str, pattern: PatternDesign, step: ReadStep) -> str:
    page = "{}" if pattern.kind == "get" else "page"
    limit = 1 if pattern.kind == "get" else step.limit
    said = f"{paging}({page}{'' if limit is None else f', {limit}'})"
    more = [
        *(['order: "desc"'] if step.backwards else []),
        *(["consistent: true"] if step.consistent else []),
    ]
    return f"{{ ...{said}, {', '.join(more)} }}" if more else said


# ---- collections ----------------------------------------------------------------------------------------------------


def _collection_call(design: Design, pattern: PatternDesign, step: ReadStep) -> Chain | None:
    """Entities that share a collection, read by its whole prefix."""
    found = _collection_of(design, step)
    if found is None or step.operation != "Query" or step.filters:
        return None
    name, keys, table = found
    partition = match_template(keys.pk[0].template, step.pk[0].template)
    if partition is None or partition.last is not None:
        return None
    if not _is_whole_collection(design, name, keys, step):
        return None
    options = _options_code("collectionPaging", pattern, step)
    asked = object_code(partition.given)
    return f"{service_path(design, table)}.collections", f"{property_of('', name)}({asked})", f".go({options})"


def _is_whole_collection(design: Design, name: str, keys: ItemKeys, step: ReadStep) -> bool:
    """Whether a step asks as ElectroDB does: by the collection's prefix, or by nothing where keys are templates."""
    if design.key_style == "plain":
        return not step.sk and not keys.lead
    return len(step.sk) == 1 and step.sk[0].operator == "begins_with" and step.sk[0].low == Template(f"${name}#")


def _collection_of(design: Design, step: ReadStep) -> tuple[str, ItemKeys, str] | None:
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
