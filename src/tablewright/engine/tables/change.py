"""A table on its way from one description to the next, and what is shown of it meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from tablewright.engine.tables.describe import DAY, throughput
from tablewright.engine.tables.status import pending_until

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tablewright.engine.context import EngineContext
    from tablewright.engine.store.table import Table, Throughput


class Change:
    """`table` is what it will be; the rest is shown until then, units under the name of their index or none."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.units: dict[str, dict[str, Any]] = {}
        self.indexes: dict[str, str] = {}
        self.leaving: dict[str, Any] | None = None

    @property
    def doing(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"units": self.units, "indexes": self.indexes}
        return shown if self.leaving is None else {**shown, "leaving": self.leaving}

    def set(self, name: str, value: Any) -> None:
        self.table = replace(self.table, settings={**self.table.settings, name: value})

    def units_settings(
        self, engine: EngineContext, where: str, old: Throughput | None, new: Throughput, settings: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The settings with the dates of this change of units; what was there before stays visible for now."""
        before = throughput(engine, old, settings)
        up = [
            name
            for name, grows in (("LastIncreaseDateTime", True), ("LastDecreaseDateTime", False))
            if _moved(old, new, grows)
        ]
        now = round(engine.clock(), 3)  # once: between two looks at the clock the change might be done before it began
        done = pending_until(engine, now)
        self.units[where] = {**before, **dict.fromkeys(up, now)}
        changed = {**settings, "Changes": {**settings.get("Changes", {}), **dict.fromkeys(up, done)}}
        if "LastDecreaseDateTime" in up:
            changed["Decreases"] = [int(now // DAY), before["NumberOfDecreasesToday"] + 1]
        return changed


def _moved(old: Throughput | None, new: Throughput, grows: bool) -> bool:
    """Whether one of the units went up (or, with `grows` false, down)."""
    read, write = (0, 0) if old is None else (old.read, old.write)
    if grows:
        return new.read > read or new.write > write
    return new.read < read or new.write < write
