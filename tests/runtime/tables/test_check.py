"""Every difference between a declared table and the one that is there is found, in words that help."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.tables.create import CreateTable
from tests.runtime.tables.workshop import workshop

Params = dict[str, Any]


def index(params: Params, name: str) -> Params:
    found: Params = next(
        each
        for each in (*params["GlobalSecondaryIndexes"], *params["LocalSecondaryIndexes"])
        if each["IndexName"] == name
    )
    return found


def without_index(params: Params, kind: str, name: str) -> None:
    params[kind] = [each for each in params[kind] if each["IndexName"] != name]
    used = {each["AttributeName"] for schema in schemas(params) for each in schema}
    params["AttributeDefinitions"] = [each for each in params["AttributeDefinitions"] if each["AttributeName"] in used]
    if not params[kind]:
        del params[kind]


def schemas(params: Params) -> list[list[Params]]:
    indexes = (*params.get("GlobalSecondaryIndexes", ()), *params.get("LocalSecondaryIndexes", ()))
    return [params["KeySchema"], *(each["KeySchema"] for each in indexes)]


def with_type(params: Params, field: str, kind: str) -> None:
    next(each for each in params["AttributeDefinitions"] if each["AttributeName"] == field)["AttributeType"] = kind


def reorder(params: Params) -> None:
    schema = index(params, "gsi2")["KeySchema"]
    schema[0], schema[1] = schema[1], schema[0]


def as_gsi(params: Params) -> None:
    local = params.pop("LocalSecondaryIndexes")
    params["GlobalSecondaryIndexes"] += local


SPOILED: dict[str, tuple[Callable[[Params], Any], str]] = {
    "missing global index": (
        lambda params: without_index(params, "GlobalSecondaryIndexes", "gsi2"),
        (
            'index "gsi2" of table "workshop": it does not exist; add it with UpdateTable (key cust (S), due (S) and '
            "hours (N), projection ALL), one index at a time"
        ),
    ),
    "missing local index": (
        lambda params: without_index(params, "LocalSecondaryIndexes", "by_date"),
        (
            'index "by_date" of table "workshop": it does not exist; a local index can only be made together with its '
            "table: create a new table and copy the items"
        ),
    ),
    "wrong type": (
        lambda params: with_type(params, "hours", "S"),
        (
            'index "gsi2" of table "workshop": its key is cust (S), due (S) and hours (S), but cust (S), due (S) and '
            "hours (N) is declared; delete the index and create it anew with UpdateTable, or change the declaration"
        ),
    ),
    "wrong order": (
        reorder,
        (
            'index "gsi2" of table "workshop": its key is due (S), cust (S) and hours (N), but cust (S), due (S) and '
            "hours (N) is declared; delete the index and create it anew with UpdateTable, or change the declaration"
        ),
    ),
    "projection too small": (
        lambda params: index(params, "gsi1").update(
            Projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["cust"]}
        ),
        (
            'index "gsi1" of table "workshop": it holds cust, but hours is declared too; '
            "delete the index and create it "
            "anew with UpdateTable, or change the declaration (projection=...)"
        ),
    ),
    "keys alone": (
        lambda params: index(params, "gsi2").update(Projection={"ProjectionType": "KEYS_ONLY"}),
        (
            'index "gsi2" of table "workshop": it holds keys alone, but all attributes are declared; '
            "delete the index and "
            "create it anew with UpdateTable, or change the declaration (projection=...)"
        ),
    ),
    "wrong kind": (
        as_gsi,
        (
            'index "by_date" of table "workshop": it is a global index, but a local index (its partition key is the '
            "table's own) is declared; declare the other kind, or give the index another name"
        ),
    ),
}


@pytest.mark.parametrize("name", SPOILED)
def test_a_difference_is_told_with_its_remedy(name: str) -> None:
    spoil, told = SPOILED[name]
    assert [str(each) for each in check_after(spoil)] == [told]


def check_after(spoil: Callable[[Params], Any]) -> list[tw.Difference]:
    params = copy.deepcopy(CreateTable(workshop).params()[0])
    spoil(params)
    db = tw.Database.embedded()
    db.transport.engine.call("CreateTable", params)  # type: ignore[attr-defined]
    return db.check(workshop)


def test_more_than_is_declared_is_fine() -> None:
    def enlarge(params: Params) -> None:
        index(params, "gsi1").update(Projection={"ProjectionType": "ALL"})
        params["AttributeDefinitions"].append({"AttributeName": "theirs", "AttributeType": "S"})
        theirs = {"AttributeName": "theirs", "KeyType": "HASH"}
        params["GlobalSecondaryIndexes"].append(
            {"IndexName": "theirs", "KeySchema": [theirs], "Projection": {"ProjectionType": "ALL"}}
        )

    assert check_after(enlarge) == []


SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "billing": ({"billing": tw.Provisioned(2, 3)}, "it is billed on demand, but 2 rcu and 3 wcu is declared"),
    "stream": ({"stream": "keys_only"}, "its stream is off, but keys_only is declared"),
    "protection": ({"deletion_protection": True}, "deletion protection is off, but on is declared"),
    "class": (
        {"table_class": "infrequent_access"},
        "its class is STANDARD, but STANDARD_INFREQUENT_ACCESS is declared",
    ),
    "recovery": ({"pitr": True}, "point-in-time recovery is off, which is not what is declared"),
    "expiry": ({"ttl": "expires"}, "items do not expire, but should by exp"),
    "tags": ({"tags": {"team": "blue"}}, "the tag team is missing, but should be blue"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_are_spoken_of_are_compared(name: str) -> None:
    settings, problem = SETTINGS[name]
    db = tw.Database.embedded()
    db.create(workshop)
    assert [each.problem for each in db.check(workshop, **settings)] == [problem]
    db.delete_table(workshop)
    db.create(workshop, **settings)
    assert db.check(workshop, **settings) == []


def test_items_that_expire_by_something_else() -> None:
    db = tw.Database.embedded()
    db.create(workshop, ttl="hours")
    assert [each.problem for each in db.check(workshop, ttl="expires")] == ["items expire by hours, but should by exp"]
    with pytest.raises(tw.SchemaError, match="items expire by hours"):
        db.create(workshop, ttl="expires")
