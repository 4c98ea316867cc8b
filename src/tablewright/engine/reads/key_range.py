"""A stretch of a table or index, and the SQL that walks along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tablewright.engine.reads.ranges import UNLIMITED, Limits

if TYPE_CHECKING:
    from tablewright.engine.reads.pages import Source


class Stretch(msgspec.Struct, frozen=True):
    """Columns fixed to values, the next one between limits, all behind a starting point."""

    fixed: tuple[bytes, ...] = ()
    limits: Limits = Limits()
    after: tuple[bytes, ...] | None = None
    forward: bool = True


def statement(source: Source, stretch: Stretch) -> tuple[str, list[bytes]]:
    """The rows of the stretch in order."""
    columns, at = source.columns, len(stretch.fixed)
    terms = [f"{column} = ?" for column in columns[:at]]
    args = list(stretch.fixed)
    low, high = stretch.limits
    if stretch.after is not None:
        # It lies between the limits and takes the place of one of them: SQLite seeks one limit only and would walk
        # from the other.
        rest = columns[at:]
        terms.append(f"({', '.join(rest)}) {'>' if stretch.forward else '<'} ({', '.join('?' * len(rest))})")
        args += stretch.after[at:]
        low, high = (UNLIMITED, high) if stretch.forward else (low, UNLIMITED)
    for sign, end in (low, high):
        if sign:
            terms.append(f"{columns[at]} {sign} ?")
            args.append(end)
    where = f" where {' and '.join(terms)}" if terms else ""
    direction = "" if stretch.forward else " desc"
    order = ", ".join(f"{column}{direction}" for column in columns[at:])
    return f"{_selected(source, stretch)}{where} order by {order}", args


def _selected(source: Source, stretch: Stretch) -> str:
    """What a row consists of (`pages.Row`); the partition key stands last, where it is not known already."""
    table, index = source.table, source.index
    if index is None:
        return f"select item, size, size, r, crc{'' if stretch.fixed else ', h'} from t{table.id}"
    shown = f"i.item, i.size, e.size, e.r, i.crc, e.h, e.gr, e.crc{'' if stretch.fixed else ', e.gh'}"
    # a left join, so that SQLite walks the entries and not the items, and an entry without item is not passed over
    return f"select {shown} from t{table.id}_{index.slot} e left join t{table.id} i on i.id = e.id"
