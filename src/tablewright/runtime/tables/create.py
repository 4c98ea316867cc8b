"""Making tables. Doing it again is fine: what is missing is completed, and what is different is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import RequestError, SchemaError, ServiceError, TimedOut
from tablewright.runtime.flow import Flow, Pause
from tablewright.runtime.tables.check import CheckTable, expiring_by, recovers
from tablewright.runtime.tables.declared import Params, create_request, tables_of, ttl_field, wanted_ttl
from tablewright.runtime.tables.settings import PATIENCE_SECONDS, Settings
from tablewright.runtime.tables.wait import ask, pauses, until_active

if TYPE_CHECKING:
    from tablewright.schema.model import Table


class CreateTable(msgspec.Struct, frozen=True):
    """`db.create(service)`: the table with its indexes, ready to be used unless `wait` is off."""

    service: Any  # AnyService
    settings: Settings = Settings()
    wait: bool = True
    timeout_seconds: float = PATIENCE_SECONDS

    def __post_init__(self) -> None:
        if not self.wait and (self.settings.ttl or self.settings.pitr):
            raise RequestError("ttl and pitr can be set once the table is there: leave wait on", code=1010)

    def params(self) -> list[Params]:
        """The requests that make the tables, one each."""
        return [create_request(table, self.settings) for table in tables_of(self.service)]

    def flow(self) -> Flow[None]:
        if self.settings.ttl is not None:
            ttl_field(self.service, self.settings.ttl)  # refused before anything is made
        for table in tables_of(self.service):
            expiring = wanted_ttl(self.service, table, self.settings)
            if expiring is not None and not self.wait:
                raise RequestError("ttl can be set once the table is there: leave wait on", code=1010)
            is_new = yield from self.create(table)
            if not self.wait and is_new:
                continue
            yield from until_active(str(table.name), self.timeout_seconds)
            yield from self.complete(str(table.name), expiring)
            if not is_new:
                yield from self.compare(table)

    def create(self, table: Table) -> Flow[bool]:
        """Whether the table was made; False when it was there."""
        try:
            yield from ask("CreateTable", **create_request(table, self.settings))
        except ServiceError as error:
            if error.name != "ResourceInUseException":
                raise
            return False
        return True

    def complete(self, name: str, expiring: str | None) -> Flow[None]:
        """What only a table that exists can be told."""
        if expiring is not None and (yield from expiring_by(name)) is None:
            specification = {"Enabled": True, "AttributeName": expiring}
            yield from ask("UpdateTimeToLive", TableName=name, TimeToLiveSpecification=specification)
        if self.settings.pitr and not (yield from recovers(name)):
            yield from self.enable_recovery(name)

    def enable_recovery(self, name: str) -> Flow[None]:
        """A new table's backups take some seconds to become available."""
        specification = {"PointInTimeRecoveryEnabled": True}
        for pause in pauses(self.timeout_seconds):
            try:
                yield from ask(
                    "UpdateContinuousBackups", TableName=name, PointInTimeRecoverySpecification=specification
                )
            except ServiceError as error:
                if error.name != "ContinuousBackupsUnavailableException":
                    raise
                yield Pause(pause)
            else:
                return
        raise TimedOut(f'the table "{name}" offered no backups within {self.timeout_seconds:g} seconds')

    def compare(self, table: Table) -> Flow[None]:
        found = yield from CheckTable(self.service, self.settings).differences(table)
        if found:
            listed = "".join(f"\n- {each}" for each in found)
            raise SchemaError(f'the table "{table.name}" exists and is not as declared:{listed}', code=1009)
