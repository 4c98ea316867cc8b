"""What a service declares against the table that is there, in words.

An index that the service does not declare is no difference: a table may serve others too. Nor is a setting that nobody
spoke of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.runtime.tables.compare import index_differences, key_difference, setting_differences
from tablewright.runtime.tables.declared import Params, tables_of, wanted_ttl
from tablewright.runtime.tables.difference import Difference
from tablewright.runtime.tables.settings import Settings
from tablewright.runtime.tables.wait import ask, described, unready

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.schema.model import Table


class CheckTable(msgspec.Struct, frozen=True):
    """`db.check(service)`: what is different, nothing when all is well."""

    service: Any  # AnyService
    settings: Settings = Settings()

    def params(self) -> list[Params]:
        return [{"TableName": table.name} for table in tables_of(self.service)]

    def flow(self) -> Flow[list[Difference]]:
        found: list[Difference] = []
        for table in tables_of(self.service):
            found += yield from self.differences(table)
        return found

    def differences(self, table: Table) -> Flow[list[Difference]]:
        place = f'table "{table.name}"'
        actual = yield from described(str(table.name))
        if actual is None:
            return [Difference(place, "it does not exist", "create it with db.create(service)")]
        found = [*key_difference(table, actual), *index_differences(table, actual)]
        found += setting_differences(place, self.settings, actual)
        found += yield from self.ttl_difference(place, table, actual)
        found += yield from self.pitr_difference(place, actual)
        found += yield from self.tag_differences(place, actual)
        found += [Difference(place, told, "wait for it with db.wait(service)") for told in unready(actual)]
        return found

    def ttl_difference(self, place: str, table: Table, actual: Params) -> Flow[list[Difference]]:
        wanted = wanted_ttl(self.service, table, self.settings)
        if wanted is None:
            return []
        found = yield from expiring_by(actual["TableName"])
        if found == wanted:
            return []
        if found is None:
            said = f', ttl="{self.settings.ttl}"' if self.settings.ttl else ""
            remedy = f"enable it with db.create(service{said}), or with UpdateTimeToLive"
            return [Difference(place, f"items do not expire, but should by {wanted}", remedy)]
        remedy = "declare that one, or disable it with UpdateTimeToLive and enable the other an hour later"
        return [Difference(place, f"items expire by {found}, but should by {wanted}", remedy)]

    def pitr_difference(self, place: str, actual: Params) -> Flow[list[Difference]]:
        if self.settings.pitr is None:
            return []
        enabled = yield from recovers(actual["TableName"])
        if enabled == self.settings.pitr:
            return []
        state = "on" if enabled else "off"
        remedy = "change it with UpdateContinuousBackups"
        return [Difference(place, f"point-in-time recovery is {state}, which is not what is declared", remedy)]

    def tag_differences(self, place: str, actual: Params) -> Flow[list[Difference]]:
        if not self.settings.tags:
            return []
        tags = yield from _tags_of(actual["TableArn"])
        wrong = {key: value for key, value in self.settings.tags.items() if tags.get(key) != value}
        problem = "the tag {} is {}, but should be {}"
        return [
            Difference(place, problem.format(key, tags.get(key, "missing"), value), "set it with TagResource")
            for key, value in wrong.items()
        ]


def expiring_by(name: str) -> Flow[str | None]:
    """The field by which items expire, None when they do not."""
    reply = yield from ask("DescribeTimeToLive", TableName=name)
    told = reply.get("TimeToLiveDescription", {})
    return told.get("AttributeName") if told.get("TimeToLiveStatus") in ("ENABLED", "ENABLING") else None


def recovers(name: str) -> Flow[bool]:
    """Whether the table can be restored to any second of the last weeks."""
    reply = yield from ask("DescribeContinuousBackups", TableName=name)
    told = reply["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    return bool(told.get("PointInTimeRecoveryStatus") == "ENABLED")


def _tags_of(arn: str) -> Flow[dict[str, str]]:
    tags: dict[str, str] = {}
    more: Params = {}
    while True:
        reply = yield from ask("ListTagsOfResource", ResourceArn=arn, **more)
        tags.update({each["Key"]: each["Value"] for each in reply.get("Tags", ())})
        if not reply.get("NextToken"):
            return tags
        more = {"NextToken": reply["NextToken"]}
