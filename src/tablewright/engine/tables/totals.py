"""How many items there are and what they weigh. Of a large table the weight is an estimate: nobody waits for a sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tablewright.engine.engine import Engine
    from tablewright.engine.store.table import Index, Table

EXACT_ROWS = 100_000
SAMPLES = 500


def table_totals(engine: Engine, table: Table) -> tuple[int, int]:
    rows = f"t{table.id}"
    if number(engine, f"select coalesce(max(id), 0) from {rows}") <= EXACT_ROWS:
        return exact_totals(engine, rows)
    count = number(engine, f"select count(*) from {rows}")
    return count, round(count * mean_size(engine, rows))


def index_totals(engine: Engine, table: Table, index: Index) -> tuple[int, int]:
    return exact_totals(engine, f"t{table.id}_{index.slot}")


def exact_totals(engine: Engine, rows: str) -> tuple[int, int]:
    query = f"select count(*), coalesce(sum(size), 0) from {rows}"
    count, size = engine.storage.connection.execute(query).fetchone()
    return count, size


def mean_size(engine: Engine, rows: str) -> float:
    """The mean over some rows, evenly spread."""
    highest = int(number(engine, f"select max(id) from {rows}"))
    places = ", ".join(str(place * highest // SAMPLES) for place in range(1, SAMPLES + 1))
    return number(engine, f"select coalesce(avg(size), 0) from {rows} where id in ({places})")


def number(engine: Engine, query: str) -> int:
    (found,) = engine.storage.connection.execute(query).fetchone()
    return found  # type: ignore[no-any-return]
