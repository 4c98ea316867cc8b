from __future__ import annotations

import asyncio

import boto3
import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import Server

pytest_plugins = ["pytester"]

people = tw.Service("people", table="people")


class Person(tw.Entity, service=people, name="person"):
    name: tw.Attr[str]

    @tw.primary
    def key(self, name: str) -> None:
        """One person."""


SAVING_CODE = """
import boto3

def save(name):
    boto3.resource("dynamodb").Table("people").put_item(Item={"name": name})

def names():
    return sorted(item["name"] for item in boto3.resource("dynamodb").Table("people").scan()["Items"])
"""

TEST_OF_IT = """
import boto3
import pytest
import saving

@pytest.fixture(autouse=True)
def people(tablewright_server):
    boto3.resource("dynamodb").create_table(
        TableName="people",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "name", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "name", "AttributeType": "S"}],
    )

@pytest.mark.parametrize("name", ["Ann", "Bob"])
def test_begins_empty(name):
    assert saving.names() == []
    saving.save(name)
    assert saving.names() == [name]

def test_engine_and_server_are_one(tablewright_engine):
    saving.save("Eve")
    assert tablewright_engine.call("Scan", {"TableName": "people"})["Count"] == 1
"""


def test_the_engine_is_empty(tablewright_engine: Engine) -> None:
    assert tablewright_engine.call("ListTables", {}) == {"TableNames": []}


def test_plain_boto3_finds_the_server(tablewright_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    client = boto3.client("dynamodb")
    assert client.meta.endpoint_url == tablewright_server.url
    assert client.list_tables()["TableNames"] == []


def test_code_with_plain_boto3_can_be_tested_side_by_side(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(saving=SAVING_CODE, test_saving=TEST_OF_IT)
    pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider", "-n", "2").assert_outcomes(passed=3)


def test_a_database_on_the_tests_engine(
    tablewright_db: tw.Database, async_tablewright_db: tw.AsyncDatabase, tablewright_engine: Engine
) -> None:
    tablewright_db.create(people)
    tablewright_db.run(Person(name="Ann").put())
    assert asyncio.run(async_tablewright_db.run(Person.key("Ann").get())) == Person(name="Ann")
    assert tablewright_engine.call("ListTables", {}) == {"TableNames": ["people"]}


@pytest.mark.anyio
async def test_awaiting_with_anyio(async_tablewright_db: tw.AsyncDatabase) -> None:
    await async_tablewright_db.create(people)
    await async_tablewright_db.run(Person(name="Ann").put())
    assert [person.name async for person in async_tablewright_db.iter(Person.scan())] == ["Ann"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
