"""Tables are made as the service says, and making them again changes nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.simulation import Clock
from tablewright.errors import service_error
from tablewright.runtime.tables.create import CreateTable
from tablewright.runtime.tables.settings import Settings, TableSettings
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.tables.workshop import Job, workshop


def described(db: tw.Database, name: str = "workshop") -> dict[str, Any]:
    found: dict[str, Any] = db.transport.engine.call("DescribeTable", {"TableName": name})["Table"]  # type: ignore[attr-defined]
    return found


def keys(described: dict[str, Any]) -> list[str]:
    return [f"{each['AttributeName']} {each['KeyType']}" for each in described["KeySchema"]]


def test_every_kind_of_index_is_made() -> None:
    db = tw.Database.embedded()
    db.create(workshop)
    table = described(db)
    indexes = {each["IndexName"]: each for each in (*table["GlobalSecondaryIndexes"], *table["LocalSecondaryIndexes"])}
    assert keys(table) == ["pk HASH", "sk RANGE"]
    assert keys(table["LocalSecondaryIndexes"][0]) == ["pk HASH", "lsi1sk RANGE"]
    assert keys(indexes["gsi1"]) == ["gsi1pk HASH", "gsi1sk RANGE"]
    assert indexes["gsi1"]["Projection"] == {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["cust", "hours"]}
    assert keys(indexes["gsi2"]) == ["cust HASH", "due HASH", "hours RANGE"]
    types = {each["AttributeName"]: each["AttributeType"] for each in table["AttributeDefinitions"]}
    assert types["hours"] == "N"
    assert types["gsi1sk"] == "S"
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


def test_what_was_made_can_be_used() -> None:
    db = tw.Database.embedded()
    db.create(workshop)
    job = Job(machine="m", job="j", customer="c", due="2026-01-01", hours=3)
    db.run(job.put())
    assert db.run(Job.by_date("m", due="2026-01-01")).items == [job]
    assert db.run(Job.by_load("c", "2026-01-01", hours=3)).items == [job]
    assert [found.hours for found in db.iter(Job.by_customer("c"))] == [3]


def test_settings_reach_the_table() -> None:
    db = tw.Database.embedded()
    units = tw.Provisioned(5, 6, indexes={"gsi1": tw.Provisioned(rcu=7, wcu=8)})
    db.create(
        workshop,
        billing=units,
        pitr=True,
        deletion_protection=True,
        ttl="expires",
        stream="new_and_old_images",
        tags={"team": "blue"},
        table_class="infrequent_access",
    )
    table = described(db)
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 6
    gsi1, gsi2 = table["GlobalSecondaryIndexes"]
    assert (gsi1["ProvisionedThroughput"]["ReadCapacityUnits"], gsi2["ProvisionedThroughput"]["ReadCapacityUnits"]) == (
        7,
        5,
    )
    assert table["DeletionProtectionEnabled"]
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert table["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"
    assert not db.check(workshop, billing=units, pitr=True, ttl="expires", tags={"team": "blue"})
    assert db.check(workshop, pitr=False, ttl="hours")


def test_making_it_again_is_fine_and_completes_what_is_missing() -> None:
    db = tw.Database.embedded()
    db.create(workshop)
    db.create(workshop, ttl="expires", pitr=True)
    db.create(workshop, ttl="expires", pitr=True)
    assert not db.check(workshop, ttl="expires", pitr=True)


def test_a_different_table_is_told() -> None:
    db = tw.Database.embedded()
    db.transport.engine.call(  # type: ignore[attr-defined]
        "CreateTable",
        {
            "TableName": "workshop",
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        },
    )
    with pytest.raises(tw.SchemaError) as caught:
        db.create(workshop)
    told = caught.value.message.splitlines()
    assert told[0] == 'the table "workshop" exists and is not as declared:'
    assert told[1].startswith('- table "workshop": its key is pk (S), but pk (S) and sk (S) is declared; the key of a')
    assert len(told) == 5


def test_awaiting_makes_the_same_table() -> None:
    engine = Engine()

    async def create() -> list[tw.Difference]:
        db = tw.AsyncDatabase.embedded(engine=engine)
        await db.create(workshop, ttl="expires")
        await db.wait(workshop)
        return await db.check(workshop, ttl="expires")

    assert asyncio.run(create()) == []
    assert tw.Database.embedded(engine=engine).check(workshop) == []


def test_a_table_in_the_making_is_waited_for() -> None:
    clock = Clock(1000.0)
    db = tw.Database.embedded(engine=Engine(clock=clock, table_delay_seconds=20))
    db.create(workshop, wait=False)
    assert next(each.remedy for each in db.check(workshop)) == "wait for it with db.wait(service)"
    db.wait(workshop)
    assert clock() >= 1020
    assert db.check(workshop) == []


def test_patience_is_bounded() -> None:
    clock = Clock(1000.0)
    db = tw.Database.embedded(engine=Engine(clock=clock, table_delay_seconds=100))
    with pytest.raises(tw.TimedOut, match="not ready after 9 seconds: it is CREATING, index gsi1 is CREATING"):
        db.create(workshop, timeout_seconds=9)
    assert clock() == pytest.approx(1009)


def test_a_table_that_never_comes_is_told() -> None:
    db = tw.Database.embedded(engine=Engine(clock=Clock(0.0)))
    with pytest.raises(tw.TimedOut, match="there is no such table"):
        db.wait(workshop, timeout_seconds=3)


def test_backups_of_a_new_table_are_waited_for() -> None:
    active = {"Table": {"TableStatus": "ACTIVE"}}
    late = service_error("ContinuousBackupsUnavailableException", "Backups are being enabled for the table")
    transport = Recorded([{}, active, {"ContinuousBackupsDescription": {}}, late, late, {}])
    slept: list[float] = []
    tw.Database(transport, sleep=slept.append).create(workshop, pitr=True)
    assert [action for action, _ in transport.requests][-3:] == ["UpdateContinuousBackups"] * 3
    assert len(slept) == 2


def test_deleting_is_complete_and_repeatable() -> None:
    db = tw.Database.embedded(engine=Engine(clock=Clock(0.0), table_delay_seconds=5))
    db.create(workshop)
    db.delete_table(workshop)
    db.delete_table(workshop)
    assert [each.problem for each in db.check(workshop)] == ["it does not exist"]


def test_protected_tables_stay() -> None:
    db = tw.Database.embedded()
    db.create(workshop, deletion_protection=True)
    with pytest.raises(tw.ServiceError, match="protect"):
        db.delete_table(workshop)
    assert db.check(workshop) == []


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "billing": ({"billing": "free"}, "Provisioned"),
    "stream": ({"stream": "everything"}, "new_and_old_images"),
    "class": ({"table_class": "cheap"}, "infrequent_access"),
    "unknown": ({"biling": "on-demand"}, "billing"),
    "ttl of nobody": ({"ttl": "expirs"}, "no entity of the service has such an attribute"),
    "ttl of text": ({"ttl": "due"}, "is no number"),
    "no patience": ({"ttl": "expires", "wait": False}, "leave wait on"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_nonsense_is_refused_before_anything_is_made(name: str) -> None:
    settings, told = REFUSED[name]
    transport = Recorded()
    with pytest.raises(tw.RequestError, match=told):
        tw.Database(transport).create(workshop, **settings)
    assert transport.calls == []


def test_units_are_positive() -> None:
    with pytest.raises(tw.RequestError, match="wcu=0"):
        tw.Provisioned(1, 0)


def test_keyword_arguments_and_settings_are_the_same() -> None:
    assert list(TableSettings.__annotations__) == list(Settings.__struct_fields__)


def test_a_service_without_a_table_is_told() -> None:
    nowhere = tw.Service("nowhere", table=tw.Table(None))

    class Thing(tw.Entity, service=nowhere, name="thing"):
        thing: tw.Attr[str]

        @tw.primary
        def key(self, thing: str) -> None:
            """One thing."""

    with pytest.raises(tw.RequestError, match="has no table"):
        tw.Database(Recorded()).create(nowhere)
    assert Thing


# ---- other forms of services -------------------------------------------------------------------------------------


SCHEMA = {
    "model": {"service": "taskapp", "entity": "task", "version": "1"},
    "attributes": {"project": "string", "taskId": "string", "rank": "number"},
    "indexes": {
        "tasks": {"pk": {"field": "pk", "composite": ["project"]}, "sk": {"field": "sk", "composite": ["taskId"]}},
        "ranked": {
            "index": "gsi1",
            "pk": {"field": "gsi1pk", "composite": ["project"]},
            "sk": {"field": "rank", "composite": ["rank"]},
        },
    },
}


def test_loaded_services_and_schemas_are_made_too() -> None:
    db = tw.Database.embedded()
    loaded = tw.Service.load(SCHEMA, table="tasks", client=db)
    db.create(loaded)
    loaded.task.put(project="p", taskId="t", rank=3).go()
    assert loaded.task.query.ranked(project="p", rank=3).go()["data"] == [{"project": "p", "taskId": "t", "rank": 3}]
    types = {each["AttributeName"]: each["AttributeType"] for each in described(db, "tasks")["AttributeDefinitions"]}
    assert types["rank"] == "N"
    db.create(loaded.schema if loaded.schema.table.name else with_table(loaded.schema, "other"))
    assert described(db, "other")["GlobalSecondaryIndexes"]


def with_table(schema: Any, name: str) -> Any:
    return msgspec.structs.replace(schema, table=msgspec.structs.replace(schema.table, name=name))


def test_entities_of_several_tables_get_theirs() -> None:
    db = tw.Database.embedded()
    loaded = tw.Service.load(SCHEMA, table="tasks")
    entity = msgspec.structs.replace(loaded.schema.entities["task"], table="elsewhere")
    schema = msgspec.structs.replace(
        loaded.schema,
        entities={**loaded.schema.entities, "other": entity},
        table=with_table(loaded.schema, "t1t").table,
    )
    requests = CreateTable(schema).params()
    assert [each["TableName"] for each in requests] == ["t1t", "elsewhere"]
    db.create(schema)
    assert db.check(schema) == []


def test_what_is_no_service_is_told() -> None:
    with pytest.raises(tw.RequestError, match="is no service"):
        tw.Database(Recorded()).create(Job)  # type: ignore[arg-type]
