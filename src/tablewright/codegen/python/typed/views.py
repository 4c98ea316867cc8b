"""Which view of an entity asks the question of a step, and with which arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.codegen.entities import detail_item
from tablewright.codegen.python.literals import Code, Invocation, invoke
from tablewright.codegen.python.model import PRIMARY, EntityView, table_view, views
from tablewright.design.values.templates import Comparison, compare_at, under

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.codegen.python.model import NamedDesign
    from tablewright.design.model import ItemKeys, ItemType, ReadStep

RANGES = {"between": ("from", "to"), "gte": ("value",), "gt": ("value",), "lte": ("value",), "lt": ("value",)}
SYMBOLS = {"gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}


class _ViewCall(msgspec.Struct, frozen=True):
    """The call of a view, and the attribute that it compares, if it does."""

    call: Invocation
    compares: str | None = None
    operator: str = "="


def entity_item(named: NamedDesign, step_entities: tuple[str, ...]) -> ItemType | None:
    """The one type that a step finds, where typed code can read it: an item of its own, in one piece."""
    if len(step_entities) != 1:
        return None
    items = [each for each in named.design.items if each.entity == step_entities[0] and each.kind == "entity"]
    is_split = detail_item(named.design, step_entities[0]) is not None
    return items[0] if items and not is_split and items[0].name in named.entities and _is_readable(items[0]) else None


def _is_readable(item: ItemType) -> bool:
    """Whether typed entities can read attributes of such names."""
    return not any(character in each.name for each in item.attributes for character in ('"', "\\"))


def may_cut_keys(item: ItemType) -> bool:
    """Whether a key may lack an attribute with more behind it, which typed entities refuse."""
    required = {each.name for each in item.attributes if each.required}
    return any(name not in required for keys in item.keys for name in (*keys.lead, *keys.rest)[:-1])


def is_spread(item: ItemType) -> bool:
    """Whether typed writes would store a shard or a period with the item."""
    return any(keys.shards > 1 or keys.bucket for keys in item.keys)


# ---- keys -----------------------------------------------------------------------------------------------------------


def key_call(named: NamedDesign, item: ItemType, given: Mapping[str, str]) -> Invocation | None:
    """`Order.key(order_id)`, where all attributes of the table's key are given; `given` has variables by attribute."""
    keys = item.keys[0]
    if keys.index is not None or keys.native or keys.shards > 1 or keys.bucket:
        return None
    view = next(iter(views(named, item)))
    return _call_view(named, item, view, PRIMARY, given, list(_sort_attributes(view)))


def _sort_attributes(view: EntityView) -> tuple[str, ...]:
    return () if view.pattern.sk is None else view.pattern.sk.composite


def _call_view(
    named: NamedDesign, item: ItemType, view: EntityView, name: str, given: Mapping[str, Any], sort: list[str]
) -> Invocation | None:
    derived = {each.attribute for each in (view.pattern.shards, view.pattern.bucket) if each is not None}
    partition = [each for each in view.pattern.pk.composite if each not in derived]
    if any(each not in given for each in (*partition, *sort)):
        return None
    names = named.attributes[item.name]
    arguments = [_code(given[each]) for each in partition]
    return invoke(
        f"{named.classes[item.name]}.{name}", *arguments, **{names[each]: _code(given[each]) for each in sort}
    )


def _code(value: Any) -> Any:
    return Code(value) if isinstance(value, str) else value


# ---- queries --------------------------------------------------------------------------------------------------------


def query_call(named: NamedDesign, item: ItemType, step: ReadStep, variables: Mapping[str, str]) -> _ViewCall | None:
    """The view that a query asks; `variables` by parameter."""
    for view in views(named, item):
        keys = view.keys
        if keys.index == step.index and keys.pk == step.pk and keys.shards == step.shards and not keys.native:
            name = table_view(named, item) if keys.index is None else view.name
            return _ask_view(named, item, view, name, step, variables)
    return None


def _ask_view(
    named: NamedDesign, item: ItemType, view: EntityView, name: str, step: ReadStep, variables: Mapping[str, str]
) -> _ViewCall | None:
    if view.keys.index is None and not (view.keys.rest or view.keys.lead):
        return None  # there is nothing to query by but the whole key
    for count, operator, comparison in _comparisons(item, view.keys):
        if comparison == _comparison_of(step):
            sort = list(_sort_attributes(view))[: count + (operator != "=")]
            given: dict[str, Any] = dict(variables)
            if operator != "=":
                bounds = [Code(variables[each]) for each in RANGES[operator]]
                given[sort[-1]] = invoke(f"tw.{operator}", *bounds)
            call = _call_view(named, item, view, name, given, sort)
            return (
                None
                if call is None
                else _ViewCall(call, sort[-1] if operator != "=" else None, SYMBOLS.get(operator, operator))
            )
    return None


def _comparison_of(step: ReadStep) -> Comparison | None:
    if len(step.sk) != 1:
        return None
    (only,) = step.sk
    return Comparison(only.operator, only.low, only.high)


def _comparisons(item: ItemType, keys: ItemKeys) -> Iterator[tuple[int, str, Comparison | None]]:
    """Every question of the sort key: so many first attributes are given, and how the next one is compared."""
    template = keys.sk[0].template
    required = {each.name for each in item.attributes if each.required}
    plain = {each.name for each in item.attributes if not each.values}
    names = template.names
    for count in range(len(names) + 1):
        yield count, "=", under(template, count, whole=False)
        if count == len(names):
            return
        if names[count] in required:
            yield count, "=", under(template, count, whole=True)
        for operator in RANGES if names[count] in plain else ():
            yield count, operator, compare_at(template, count, operator)
