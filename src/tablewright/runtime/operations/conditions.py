"""Key conditions: from composites and a comparison to DynamoDB's `#pk = :pk and ...`, plus the filters they need.

`compare` says how a comparison on a sort composite is meant:

    keys        the keys alone decide, as ElectroDB does: unbounded on the far side, and `gt` on a composite that is
                not the last finds its equals too
    attributes  the same key condition, and the attributes filtered besides
    v2          ElectroDB 2's way: bounds raised by one code unit, and filters for what that lets through
    exact       (typed style) both ends bounded by the composites in front, so that a comparison never leaves its group
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.nodes import Comparator, Condition
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.options import Compare
from tablewright.schema.keys import ComposedKey, PatternKeys

Operator: TypeAlias = Literal["begins", "between", "gt", "gte", "lt", "lte"]

COMPARATORS: dict[str, Comparator] = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
TEXTS = {
    "pk": "#pk = :pk",
    "eq": "#pk = :pk and #sk1 = :sk1",
    "begins": "#pk = :pk and begins_with(#sk1, :sk1)",
    "between": "#pk = :pk and #sk1 BETWEEN :sk1 AND :sk2",
    "gt": "#pk = :pk and #sk1 > :sk1",
    "gte": "#pk = :pk and #sk1 >= :sk1",
    "lt": "#pk = :pk and #sk1 < :sk1",
    "lte": "#pk = :pk and #sk1 <= :sk1",
}


class Sort(msgspec.Struct, frozen=True):
    """A comparison on the sort key: the operator and the composites it compares with (for between: both ends)."""

    operator: Operator
    low: Values
    high: Values = msgspec.field(default_factory=dict[str, Any])


class KeyCondition(msgspec.Struct, frozen=True):
    """The text over `#pk`, `#sk1`, the values behind it, and the filters that the comparison needs besides."""

    text: str
    values: dict[str, Any]
    filters: tuple[Condition, ...] = ()
    is_partial: bool = False  # whether other items can match the sort key condition


def key_condition(
    layout: Layout, keys: PatternKeys, given: Values, sort: Sort | None, compare: Compare, *, tail: bool = True
) -> KeyCondition:
    missing = keys.pk.missing(given)
    if missing:
        raise incomplete(layout, keys.pattern, missing)
    pk = keys.pk.compose(given)
    if keys.sk is None:
        return KeyCondition(TEXTS["pk"], {":pk": pk})
    if sort is None:
        return by_composites(layout, keys, keys.sk, given, pk, compare, tail=tail)
    if compare == "exact":
        return exact_comparison(layout, keys.sk, given, sort, pk)
    return by_comparison(layout, keys.sk, given, sort, pk, compare)


# ---- equality and prefixes ---------------------------------------------------------------------------------------


def by_composites(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, pk: Any, compare: Compare, *, tail: bool
) -> KeyCondition:
    """All sort composites: equality. Some: everything that begins with them."""
    filters = own_filters(layout, keys, sk, given, compare)
    complete = not sk.missing(given)
    key = sk.compose(given, tail=tail)
    if key is None:
        return KeyCondition(TEXTS["pk"], {":pk": pk}, filters, is_partial=True)
    text = TEXTS["eq" if complete and tail else "begins"]
    return KeyCondition(text, {":pk": pk, ":sk1": key}, filters, is_partial=not complete)


def own_filters(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, compare: Compare
) -> tuple[Condition, ...]:
    """With `attributes` and `v2` what was given besides the partition key is compared with the attributes as well."""
    if compare not in ("attributes", "v2"):
        return ()
    names = [name for name in given if name in layout.attributes and name not in keys.pattern.pk.composite]
    if len(sk.pieces) <= 1:
        names = [name for name in names if name not in keys.pattern.composites]
    return equalities(layout, {name: given[name] for name in names}, sk)


def equalities(layout: Layout, values: Values, sk: ComposedKey) -> tuple[Condition, ...]:
    return tuple(compare_attribute(layout, "=", name, value) for name, value in values.items() if name != sk.attribute)


def compare_attribute(layout: Layout, operator: Comparator, name: str, value: Any) -> Condition:
    return nodes.Compare(operator, nodes.Name((layout.attributes[name].field,)), nodes.Value(value))


# ---- comparisons as ElectroDB makes them --------------------------------------------------------------------------


def by_comparison(
    layout: Layout, sk: ComposedKey, given: Values, sort: Sort, pk: Any, compare: Compare
) -> KeyCondition:
    operator: str = sort.operator
    low = sk.compose({**given, **sort.low}, tail=False)
    high = sk.compose({**given, **sort.high}, tail=False)
    if compare == "v2" and not sk.numeric:
        operator, low, high = shifted(operator, low, high)
    values = {":pk": pk, ":sk1": low, ":sk2": high} if operator == "between" else {":pk": pk, ":sk1": low}
    filters = comparison_filters(layout, sk, given, sort, compare)
    return KeyCondition(TEXTS[operator], values, filters, is_partial=True)


def shifted(operator: str, low: Any, high: Any) -> tuple[str, Any, Any]:
    """ElectroDB 2's trick: raise the last code unit of a bound, so that everything below a prefix is in or out."""
    if operator == "gt":
        return "gte", raised(low), high
    if operator == "lte":
        return "lt", raised(low), high
    return (operator, low, raised(high)) if operator == "between" else (operator, low, high)


def raised(key: Any) -> Any:
    """The key with its last UTF-16 unit raised by one."""
    if not isinstance(key, str) or not key:
        return key
    units = key.encode("utf-16-le", "surrogatepass")
    last = (int.from_bytes(units[-2:], "little") + 1) & 0xFFFF
    return (units[:-2] + last.to_bytes(2, "little")).decode("utf-16-le", "surrogatepass")


FILTERED: dict[str, dict[str, tuple[tuple[str, Comparator], ...]]] = {
    "attributes": {
        "gt": (("low", ">"),),
        "gte": (("low", ">="),),
        "lt": (("low", "<"),),
        "lte": (("low", "<="),),
        "between": (("high", "<="), ("low", ">=")),
    },
    "v2": {"gt": (("low", ">"),), "lte": (("low", "<="),), "between": (("high", "<="),)},
}


def comparison_filters(
    layout: Layout, sk: ComposedKey, given: Values, sort: Sort, compare: Compare
) -> tuple[Condition, ...]:
    wanted = FILTERED.get(compare, {}).get(sort.operator, ())
    names = [piece.name for piece in sk.pieces if piece.name != sk.attribute]
    filters: list[Condition] = []
    for side, operator in wanted:
        values = sort.low if side == "low" else sort.high
        filters += [compare_attribute(layout, operator, name, values[name]) for name in names if name in values]
    if compare in ("attributes", "v2") and len(sk.pieces) > 1:
        filters += equalities(layout, {name: given[name] for name in names if name in given}, sk)
    return tuple(filters)


# ---- comparisons as one would expect them ---------------------------------------------------------------------------


def exact_comparison(layout: Layout, sk: ComposedKey, given: Values, sort: Sort, pk: Any) -> KeyCondition:
    """A range inside the group of keys that share the composites in front.

    DynamoDB's range has no open ends, so `gt` starts just behind the key and `lt` filters its bound away. On a composite
    that is not the last, every key of one value is longer than the value's own prefix; bounds include them as needed.
    """
    if sk.numeric:
        return by_comparison(layout, sk, given, sort, pk, "keys")
    at = len([piece for piece in sk.pieces if piece.name in given])
    name, is_last = sk.pieces[at].name, at == len(sk.pieces) - 1
    open_key = msgspec.structs.replace(sk, postfix="")
    low = open_key.compose({**given, **sort.low}, tail=False)
    if sort.operator == "begins":
        return KeyCondition(TEXTS["begins"], {":pk": pk, ":sk1": low}, (), is_partial=True)
    floor = open_key.compose(given)
    ceiling = raised(floor)
    filters: list[Condition] = []
    start, end = floor, ceiling
    if sort.operator in ("gt", "gte", "between"):
        start = low
    if sort.operator in ("lt", "lte"):
        end = low if sort.operator == "lt" else above(low, sk, is_last=is_last)
    if sort.operator == "between":
        end = above(open_key.compose({**given, **sort.high}, tail=False), sk, is_last=is_last)
    if sort.operator in ("gt", "lt"):
        filters.append(compare_attribute(layout, "<>", name, sort.low[name]))
    values = {":pk": pk, ":sk1": start, ":sk2": end}
    return KeyCondition(TEXTS["between"], values, tuple(filters), is_partial=True)


def above(key: Any, sk: ComposedKey, *, is_last: bool) -> Any:
    """The end of a range that is to include the keys of this value."""
    return key + sk.cased(sk.postfix) if is_last else raised(key + "#")


# ---- multi-attribute keys --------------------------------------------------------------------------------------------


def composite_condition(
    layout: Layout, keys: PatternKeys, given: Values, sort: Sort | None
) -> list[Condition]:
    """Key conditions on the attributes themselves: equality from the left, the last one with the operator."""
    missing = keys.pk.missing(given)
    if missing:
        raise incomplete(layout, keys.pattern, missing)
    conditions = [compare_attribute(layout, "=", piece.name, given[piece.name]) for piece in keys.pk.pieces]
    names = [piece.name for piece in keys.sk.pieces] if keys.sk else []
    values = {**given, **(sort.low if sort else {})}
    supplied = leading(names, values)
    if sort is None or not supplied:
        return conditions + [compare_attribute(layout, "=", name, given[name]) for name in supplied]
    conditions += [compare_attribute(layout, "=", name, values[name]) for name in supplied[:-1]]
    return [*conditions, last_comparison(layout, keys, names, supplied, given, sort)]


def leading(names: list[str], values: Values) -> list[str]:
    """The names supplied, up to the first that is not."""
    supplied: list[str] = []
    for name in names:
        if name not in values:
            break
        supplied.append(name)
    return supplied


def last_comparison(
    layout: Layout, keys: PatternKeys, names: list[str], supplied: list[str], given: Values, sort: Sort
) -> Condition:
    name = supplied[-1]
    path = nodes.Name((layout.attributes[name].field,))
    low = nodes.Value({**given, **sort.low}[name])
    if sort.operator == "begins":
        return nodes.Function("begins_with", (path, low))
    if sort.operator != "between":
        return nodes.Compare(COMPARATORS[sort.operator], path, low)
    ends = {**given, **sort.high}
    same_lead = leading(names, ends) == supplied and all(
        ends[each] == {**given, **sort.low}[each] for each in supplied[:-1]
    )
    if not same_lead:
        where = f"{layout.name}.{keys.pattern.name}"
        reason = "both ends of between must share all attributes but the last"
        raise RequestError(f"{where}: {reason}", code=2013)
    return nodes.Between(path, low, nodes.Value(ends[name]))
