"""Key conditions: from composites and a comparison to DynamoDB's `#pk = :pk and ...`, plus the filters they need.

`compare` says how a comparison on a sort composite is meant:

    keys        the keys alone decide, as ElectroDB does: unbounded on the far side, and `gt` on a composite that is
                not the last finds its equals too
    attributes  the same key condition, and the attributes filtered besides
    v2          ElectroDB 2's way: bounds raised by one code unit, and filters for what that lets through
    exact       (typed style) both ends bounded by the composites in front, so that a comparison never leaves its group
                and means what it says; filters only where a key cannot tell
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.nodes import Comparator, Condition
from tablewright.runtime.items.layout import Layout, Values, incomplete
from tablewright.runtime.requests.ranges import Ends, Sort, begin, exact_range, finds_nothing, raised, refuse_disorder
from tablewright.schema.ordered import is_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tablewright.runtime.options import Compare
    from tablewright.schema.keys import ComposedKey, PatternKeys

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


PLAIN = frozenset({"exact", "keys"})  # what compares by keys alone needs no filters for equality


class KeyCondition(msgspec.Struct, frozen=True):
    """The text over `#pk`, `#sk1`, the values behind it, and the filters that the comparison needs besides."""

    text: str
    values: dict[str, Any]
    filters: tuple[Condition, ...] = ()
    is_partial: bool = False  # whether other items can match the sort key condition


def key_condition(
    layout: Layout, keys: PatternKeys, given: Values, sort: Sort | None, compare: Compare, *, tail: bool = True
) -> KeyCondition:
    try:
        pk = keys.pk.whole(given)
    except KeyError:
        raise incomplete(layout, keys.pattern, keys.pk.missing(given)) from None
    if keys.sk is None:
        return KeyCondition(TEXTS["pk"], {":pk": pk})
    if sort is None:
        return _by_composites(layout, keys, keys.sk, given, pk, compare, tail=tail)
    if compare == "exact":
        return _by_exact_comparison(layout, keys, keys.sk, given, sort, pk, goes_on=not tail)
    return _by_comparison(layout, keys, keys.sk, given, sort, pk, compare)


# ---- equality and prefixes ---------------------------------------------------------------------------------------


def _by_composites(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, pk: Any, compare: Compare, *, tail: bool
) -> KeyCondition:
    """All sort composites: equality. Some: everything that begins with them."""
    filters = () if compare in PLAIN else compare_filters(layout, keys, given, None, compare)
    complete = sk.given(given) == len(sk.pieces)
    key = sk.compose(given, tail=tail)
    if key is None:
        return KeyCondition(TEXTS["pk"], {":pk": pk}, filters, is_partial=True)
    text = TEXTS["eq" if complete and tail else "begins"]
    return KeyCondition(text, {":pk": pk, ":sk1": key}, filters, is_partial=not complete)


def compare_attribute(layout: Layout, operator: Comparator, name: str, value: Any) -> Condition:
    return nodes.Compare(operator, nodes.Name((layout.attributes[name].field,)), nodes.Value(value))


# ---- comparisons as ElectroDB makes them --------------------------------------------------------------------------


def _by_comparison(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, pk: Any, compare: Compare
) -> KeyCondition:
    operator: str = sort.operator
    low = sk.compose({**given, **sort.low}, tail=False)
    high = sk.compose({**given, **sort.high}, tail=False)
    filters = compare_filters(layout, keys, given, sort, compare)
    if low is None and operator == "begins":
        return KeyCondition(TEXTS["pk"], {":pk": pk}, filters, is_partial=True)
    if low is None or (high is None and operator == "between"):
        raise _nothing_to_compare(layout, keys, operator)
    if sk.numeric and operator == "begins":
        raise begins_on_number(layout, keys, sk.pieces[0].name)
    if compare == "v2" and not sk.numeric:
        operator, low, high = _shifted(operator, low, high)
    values = {":pk": pk, ":sk1": low, ":sk2": high} if operator == "between" else {":pk": pk, ":sk1": low}
    return KeyCondition(TEXTS[operator], values, filters, is_partial=True)


def _nothing_to_compare(layout: Layout, keys: PatternKeys, operator: str) -> RequestError:
    where = f"{layout.name}.{keys.pattern.name}"
    return RequestError(
        f"{where}: {operator} needs a sort composite to compare with; leave it out to get all", code=2002
    )


def begins_on_number(layout: Layout, keys: PatternKeys, name: str) -> RequestError:
    where = f"{layout.name}.{keys.pattern.name}"
    return RequestError(f"{where}: {name} is no text, and DynamoDB knows begins_with for text alone", code=2002)


def _shifted(operator: str, low: Any, high: Any) -> tuple[str, Any, Any]:
    """ElectroDB 2's trick: raise the last code unit of a bound, so that everything below a prefix is in or out."""
    if operator == "gt":
        return "gte", raised(low), high
    if operator == "lte":
        return "lt", raised(low), high
    return (operator, low, raised(high)) if operator == "between" else (operator, low, high)


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


def compare_filters(
    layout: Layout, keys: PatternKeys, given: Values, sort: Sort | None, compare: Compare
) -> tuple[Condition, ...]:
    """With `attributes` and `v2` the attributes themselves are compared as well.

    A sort key of one composite says all there is to say of what was given, and of `gte`.
    """
    if compare not in FILTERED or keys.sk is None:
        return ()
    is_long = len(keys.sk.pieces) > 1
    filters: list[Condition] = []
    if sort is not None and (is_long or sort.operator != "gte"):
        filters += _sort_filters(layout, keys.sk, sort, compare)
    if is_long:
        extra = [name for name in given if name in layout.attributes and name not in keys.pattern.pk.composite]
        filters += [compare_attribute(layout, "=", name, given[name]) for name in extra]
    return tuple(filters)


def _sort_filters(layout: Layout, sk: ComposedKey, sort: Sort, compare: Compare) -> Iterator[Condition]:
    """What a comparison says of each sort composite, but for one that is the sort key itself: keys are not filtered."""
    names = [piece.name for piece in sk.pieces if piece.name != sk.attribute]
    for side, operator in FILTERED[compare].get(sort.operator, ()):
        values = sort.low if side == "low" else sort.high
        for name in names:
            if name in values:
                yield compare_attribute(layout, operator, name, values[name])


# ---- comparisons as one would expect them ---------------------------------------------------------------------------


FIRST_TEXT = "\0"
LEAST_NUMBER = Decimal("-9.9999999999999999999999999999999999999E+125")
"""The least keys that there are; what is to be below them is nothing, which DynamoDB has no words for."""


def _by_exact_comparison(
    layout: Layout, keys: PatternKeys, sk: ComposedKey, given: Values, sort: Sort, pk: Any, *, goes_on: bool
) -> KeyCondition:
    if finds_nothing(sk, given, sort):
        return _nothing(pk, LEAST_NUMBER if sk.numeric else FIRST_TEXT)
    if sk.numeric:
        return _by_comparison(layout, keys, sk, given, sort, pk, "keys")
    if sort.operator == "begins":
        piece = sk.pieces[sk.given(given)]
        if not is_text(piece.type):
            raise begins_on_number(layout, keys, piece.name)
        refuse_disorder(layout, keys, piece)
        low, filters = begin(layout, keys, sk, given, sort, goes_on=goes_on)
        if not low:  # everything begins with nothing
            return KeyCondition(TEXTS["pk"], {":pk": pk}, filters, is_partial=True)
        return KeyCondition(TEXTS["begins"], {":pk": pk, ":sk1": low}, filters, is_partial=True)
    ends = exact_range(layout, keys, sk, given, sort, goes_on=goes_on)
    return _of_whole_keys(ends, sort.operator, pk) if ends.is_whole else _within(ends, pk)


def _nothing(pk: Any, least: Any) -> KeyCondition:
    return KeyCondition(TEXTS["lt"], {":pk": pk, ":sk1": least}, is_partial=True)


def _within(ends: Ends, pk: Any) -> KeyCondition:
    """Open ends are left out: DynamoDB takes no empty text."""
    if ends.start and ends.end:
        values = {":pk": pk, ":sk1": ends.start, ":sk2": ends.end}
        return KeyCondition(TEXTS["between"], values, ends.filters, is_partial=True)
    operator = "gte" if ends.start else "lt" if ends.end else "pk"
    values = {":pk": pk, ":sk1": ends.start or ends.end} if operator != "pk" else {":pk": pk}
    return KeyCondition(TEXTS[operator], values, ends.filters, is_partial=True)


def _of_whole_keys(bounds: Ends, operator: str, pk: Any) -> KeyCondition:
    """The comparison itself; no key is an empty text, all are behind it."""
    low, high = bounds.start, bounds.end
    if low and operator == "between":
        return KeyCondition(TEXTS["between"], {":pk": pk, ":sk1": low, ":sk2": high}, is_partial=True)
    if low:
        return KeyCondition(TEXTS[operator], {":pk": pk, ":sk1": low}, is_partial=True)
    if operator in ("gt", "gte"):
        return KeyCondition(TEXTS["pk"], {":pk": pk}, is_partial=True)
    return KeyCondition(TEXTS["lte"], {":pk": pk, ":sk1": high}, is_partial=True) if high else _nothing(pk, FIRST_TEXT)
