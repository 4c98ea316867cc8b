"""CREATING, UPDATING, DELETING: how long a table takes, by the engine's clock. At once, unless the engine is told else.

A change is made at once and only shown late: `settings["Pending"]` says what state the table is in until when, and what
was there before. A table that is being deleted goes with the first change of any table after its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.engine.faults import in_use, no_such_resource

if TYPE_CHECKING:
    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Table

DOING = {"CREATING": "created", "UPDATING": "updated", "DELETING": "deleted"}


def pending_until(engine: EngineContext, now: float | None = None) -> float:
    """When a change that is made now is done; never in the same millisecond."""
    return round((engine.clock() if now is None else now) + max(engine.table_delay_seconds, 0.001), 3)


def with_pending(engine: EngineContext, table: Table, state: str, **before: Any) -> Table:
    """The table in a passing state, if the engine has such states."""
    settings = {name: value for name, value in table.settings.items() if name != "Pending"}
    if engine.table_delay_seconds > 0:
        settings["Pending"] = {"state": state, "until": pending_until(engine), **before}
    return msgspec.structs.replace(table, settings=settings)


def pending(engine: EngineContext, table: Table) -> dict[str, Any]:
    """What is going on with the table; empty when nothing is."""
    found = table.settings.get("Pending")
    return found if found is not None and engine.clock() < found["until"] else {}


def is_gone(engine: EngineContext, table: Table) -> bool:
    found = table.settings.get("Pending")
    return found is not None and found["state"] == "DELETING" and engine.clock() >= found["until"]


def plain_name(name: str) -> str:
    """The name of a table that is named, or whose ARN is given."""
    return name.rpartition("table/")[2] if name.startswith("arn:") else name


def known_table(engine: EngineContext, name: str) -> Table:
    """The table of this name or ARN; the error names it, as the control plane's do."""
    plain = plain_name(name)
    found = engine.storage.tables.get(plain)
    if found is None or is_gone(engine, found):
        raise no_such_resource(f"Requested resource not found: Table: {plain} not found")
    return found


def settled_table(engine: EngineContext, name: str) -> Table:
    """The table of this name or ARN, if nothing is going on with it."""
    table = known_table(engine, name)
    state = pending(engine, table).get("state")
    if state is not None:
        told = "Attempt to change a resource which is still in use"
        raise in_use(f"{told}: Table is being {DOING[state]}: {table.name}")
    return table


def drop_gone_tables(engine: EngineContext) -> None:
    """Take away the tables whose time of being deleted is over."""
    for table in [each for each in engine.storage.tables.values() if is_gone(engine, each)]:
        engine.storage.drop_table(table)
