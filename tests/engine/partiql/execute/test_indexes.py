from __future__ import annotations

from typing import Any

import pytest

from tests.engine.partiql.conftest import Session, create, index, key_schema

FILTERED = (
    "One or more parameter values were invalid: Secondary index {} does not project one or more filter attributes: "
)


def test_an_index_shows_what_it_holds(indexed: Session) -> None:
    def names(source: str, where: str) -> list[list[str]]:
        return [sorted(item) for item in indexed.items(f'SELECT * FROM "shelf"."{source}" WHERE {where}')]

    assert names("by-h", "h = 'y'") == [["h", "pk", "sk", "title"]] * 3
    assert names("h-keys", "h = 'y'") == [["h", "pk", "sk"]] * 3
    assert names("m-keys", "pk = 'p'") == [["m", "pk", "sk"]] * 3
    assert len(names("by-g", "g = 'x'")) == 2
    assert len(names("by-g", "pk = 'p'")) == 3
    assert len(names("by-l", "pk = 'p' AND l > 'l1'")) == 2


def capacity(session: Session, statement: str, **more: Any) -> dict[str, Any]:
    return session.run(statement, ReturnConsumedCapacity="INDEXES", **more)["ConsumedCapacity"]


def test_a_local_index_fetches_what_it_does_not_hold(indexed: Session) -> None:
    statement = 'SELECT note FROM "shelf"."m-keys" WHERE pk = \'p\''
    assert indexed.items(statement) == [{"note": {"S": f"note{n}"}} for n in (1, 2, 3)]
    fetched = capacity(indexed, statement)
    assert fetched["Table"]["CapacityUnits"] > 0
    assert capacity(indexed, statement, ConsistentRead=True)["CapacityUnits"] == 2 * fetched["CapacityUnits"]
    held = capacity(indexed, 'SELECT m FROM "shelf"."m-keys" WHERE pk = \'p\'')
    assert held["Table"]["CapacityUnits"] == 0
    assert held["LocalSecondaryIndexes"] == {"m-keys": {"CapacityUnits": 0.5}}
    assert capacity(indexed, 'SELECT m FROM "shelf"."m-keys" WHERE pk = \'p\'')["CapacityUnits"] == 0.5


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            'SELECT note, foo FROM "shelf"."by-h" WHERE h = \'y\'',
            "One or more parameter values were invalid: Global secondary index by-h does not project [note, foo]",
        ),
        (
            'SELECT note FROM "shelf"."by-h"',
            "One or more parameter values were invalid: Global secondary index by-h does not project [note]",
        ),
        ('SELECT * FROM "shelf"."none" WHERE pk = \'p\'', "The table does not have the specified index"),
        ('UPDATE "shelf"."by-g" SET a = 1 WHERE pk = \'p\'', "This operation is not supported on an index"),
        ('DELETE FROM "shelf"."by-g" WHERE pk = \'p\'', "This operation is not supported on an index"),
        (
            'INSERT INTO "shelf"."none" VALUE {\'pk\': 1}',
            "FROM clause may only contain a single table name in data manipulation statements",
        ),
    ],
)
def test_what_an_index_cannot_do(indexed: Session, statement: str, message: str) -> None:
    assert indexed.refusal(statement) == message


def test_a_global_index_is_never_consistent(indexed: Session) -> None:
    message = "Strongly consistent read is not supported on Global Secondary Indexes"
    assert indexed.refusal('SELECT * FROM "shelf"."by-g" WHERE g = \'x\'', ConsistentRead=True) == message


@pytest.mark.parametrize(
    ("source", "where", "names"),
    [
        ("by-h", "h = 'y' AND note = 'n'", "note"),
        ("m-keys", "pk = 'p' AND note = 'n'", "note"),
        ("by-h", "h = 'y' AND note IS MISSING", "note"),
        ("by-h", "h = 'y' AND NOT note = 'n'", "note"),
        ("by-h", "h IN ['y', 'z'] AND note = 'n'", "note"),
        ("m-keys", "pk = 'p' AND m BETWEEN 'a' AND 'z' AND note = 'n'", "note"),
        ("by-h", "h = 'y' AND b = '1' AND (a = '2' OR title = '3')", "a, b"),
        ("by-h", "h = 'y' AND (zz = '1' OR aa = '2' OR mm = '3')", "zz, aa, mm"),
        ("by-h", "(h = 'b' AND u1 = '1') OR (h = 'q' AND u2 = '1')", "u2"),
        ("by-h", "(h = 'q' AND u1 = '1') OR (h = 'b' AND u2 = '1')", "u1"),
    ],
)
def test_filters_on_what_the_index_does_not_hold(indexed: Session, source: str, where: str, names: str) -> None:
    message = indexed.refusal(f'SELECT pk FROM "shelf"."{source}" WHERE {where}')
    assert message == f"{FILTERED.format(source)}[{names}]"


@pytest.mark.parametrize(
    ("source", "where", "found"),
    [
        ("by-h", "note = 'note1'", []),
        ("m-keys", "note = 'note1'", []),
        ("h-keys", "NOT note = 'note1'", ["sk1", "sk2", "sk3", "sk5"]),
        ("by-h", "(h = 'y' AND note = 'note1') OR h = 'y2'", ["sk5"]),
        ("by-h", "h > 'a' AND note = 'n'", []),
        ("by-h", "h = 'y' AND (h = 'z' OR note = 'n')", []),
        ("by-h", "h = 'y' AND title = 'title2'", ["sk2"]),
    ],
)
def test_scans_see_only_the_index(indexed: Session, source: str, where: str, found: list[str]) -> None:
    statement = f'SELECT sk FROM "shelf"."{source}" WHERE {where}'
    assert sorted(item["sk"]["S"] for item in indexed.items(statement)) == found


def test_pages_of_an_index(indexed: Session) -> None:
    statement = 'SELECT sk FROM "shelf"."by-g" WHERE g = \'x\''
    first = indexed.run(statement, Limit=1)
    second = indexed.run(statement, NextToken=first["NextToken"])
    assert sorted(item["sk"]["S"] for item in first["Items"] + second["Items"]) == ["sk1", "sk2"]


def test_keys_of_several_attributes_are_not_for_partiql(db: Session) -> None:
    pair = [{"AttributeName": name, "KeyType": "HASH"} for name in ("h1", "h2")]
    create(db.engine, "multi", key_schema("id"), "id:S h1:S h2:S", GlobalSecondaryIndexes=[index("gsi", pair)])
    message = (
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys."
    )
    for clause in ("WHERE h1 = 'a'", "WHERE h1 = 5", "WHERE id = 'x' ORDER BY r", ""):
        assert db.refusal(f'SELECT * FROM "multi"."gsi" {clause}') == message
    assert db.refusal('SELECT COUNT(*) FROM "multi"."gsi"') == message
    db.run("INSERT INTO multi VALUE {'id': 'a', 'h1': 'x'}")
    assert len(db.items("SELECT * FROM multi WHERE id = 'a'")) == 1
    refused, read = db.batch('SELECT * FROM "multi"."gsi" WHERE h1 = \'a\'', "SELECT * FROM multi WHERE id = 'a'")[
        "Responses"
    ]
    assert refused["Error"] == {"Code": "ValidationError", "Message": message}
    assert "Item" in read
