"""A range of keys in a table or index: the limits that conditions set to the bytes, and the SQL that walks along it.

A key of one sort attribute is compared as it is. Of several attributes, the bytes of the first ones are a prefix of the
whole, so equality and the limit of the last condition become the prefixes the bytes lie between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import msgspec

from tablewright.engine.store.keys import after_prefix, joined_bytes
from tablewright.expr.nodes import Between, Compare, Condition, Function, Value
from tablewright.wire.keys import key_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tablewright.engine.reads.source import Source
    from tablewright.expr.nodes import Operand


UNLIMITED = ("", b"")


class Limits(NamedTuple):
    """Where the bytes begin and end; a comparison that is empty stands for no limit."""

    low: tuple[str, bytes] = UNLIMITED
    high: tuple[str, bytes] = UNLIMITED


def values_of(condition: Condition) -> tuple[Any, ...]:
    """What the key attribute of a condition is compared with."""
    operands: tuple[Operand, ...]
    if isinstance(condition, Compare):
        operands = (condition.right,)
    elif isinstance(condition, Between):
        operands = (condition.low, condition.high)
    else:
        operands = cast("Function", condition).args[1:]
    return tuple(cast("Value", operand).value for operand in operands)


def sort_limits(conditions: Sequence[Condition], *, of: int) -> Limits:
    """The limits these conditions, each on one more of the `of` sort attributes, set to the bytes."""
    if not conditions:
        return Limits()
    return _single_limits(conditions[0]) if of == 1 else _joined_limits(conditions)


def _single_limits(condition: Condition) -> Limits:
    limits = [key_bytes(value) for value in values_of(condition)]
    if isinstance(condition, Between):
        return Limits((">=", limits[0]), ("<=", limits[1]))
    if isinstance(condition, Function):
        return Limits((">=", limits[0]), _before(after_prefix(limits[0])))
    operator = cast("Compare", condition).operator
    return Limits(
        (">=" if operator == "=" else operator, limits[0]) if operator in ("=", ">", ">=") else UNLIMITED,
        ("<=" if operator == "=" else operator, limits[0]) if operator in ("=", "<", "<=") else UNLIMITED,
    )


def _before(end: bytes | None) -> tuple[str, bytes]:
    return UNLIMITED if end is None else ("<", end)


def _joined_limits(conditions: Sequence[Condition]) -> Limits:
    *equal, last = conditions
    stem = joined_bytes([values_of(each)[0] for each in equal])
    behind = _before(after_prefix(stem))
    values = values_of(last)
    ends = [stem + joined_bytes((value,)) for value in values]
    if isinstance(last, Function):
        prefix = ends[0][:-2]  # without what closes the value
        return Limits((">=", prefix), _before(after_prefix(prefix)))
    if isinstance(last, Between):
        return Limits((">=", ends[0]), _before(after_prefix(ends[1])))
    return {
        "=": Limits((">=", ends[0]), _before(after_prefix(ends[0]))),
        "<": Limits((">=", stem), ("<", ends[0])),
        "<=": Limits((">=", stem), _before(after_prefix(ends[0]))),
        ">": Limits((">=", cast("bytes", after_prefix(ends[0]))), behind),
        ">=": Limits((">=", ends[0]), behind),
    }[cast("Compare", last).operator]


class KeyRange(msgspec.Struct, frozen=True):
    """Columns fixed to values, the next one between limits, all behind a starting point."""

    fixed: tuple[bytes, ...] = ()
    limits: Limits = Limits()
    after: tuple[bytes, ...] | None = None
    forward: bool = True


def select_rows(source: Source, key_range: KeyRange) -> tuple[str, list[bytes]]:
    """The rows of the range in order."""
    columns, at = source.columns, len(key_range.fixed)
    terms = [f"{column} = ?" for column in columns[:at]]
    args = list(key_range.fixed)
    low, high = key_range.limits
    if key_range.after is not None:
        # It lies between the limits and takes the place of one of them: SQLite seeks one limit only and would walk
        # from the other.
        rest = columns[at:]
        terms.append(f"({', '.join(rest)}) {'>' if key_range.forward else '<'} ({', '.join('?' * len(rest))})")
        args += key_range.after[at:]
        low, high = (UNLIMITED, high) if key_range.forward else (low, UNLIMITED)
    for sign, end in (low, high):
        if sign:
            terms.append(f"{columns[at]} {sign} ?")
            args.append(end)
    where = f" where {' and '.join(terms)}" if terms else ""
    direction = "" if key_range.forward else " desc"
    order = ", ".join(f"{column}{direction}" for column in columns[at:])
    return f"{_select_clause(source, key_range)}{where} order by {order}", args


def _select_clause(source: Source, key_range: KeyRange) -> str:
    """What a row consists of (`pages.Row`); the partition key stands last, where it is not known already."""
    table, index = source.table, source.index
    if index is None:
        return f"select item, size, size, r, crc{'' if key_range.fixed else ', h'} from t{table.id}"
    shown = f"i.item, i.size, e.size, e.r, i.crc, e.h, e.gr, e.crc{'' if key_range.fixed else ', e.gh'}"
    # a left join, so that SQLite walks the entries and not the items, and an entry without item is not passed over
    return f"select {shown} from t{table.id}_{index.slot} e left join t{table.id} i on i.id = e.id"
