"""What contradicts itself is refused with its place; what is merely unusual is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablewright.spec.facts import assume
from tablewright.spec.read import SpecFaults, read_spec
from tablewright.spec.writes import effects_of

GET = {"id": "AP1", "kind": "get", "entity": "User", "by": "userId"}
ROOT = Path(__file__).parents[3]
TRUST = ROOT / "tests" / "trust" / "specs"
READ = sorted(
    (
        *TRUST.glob("*.yaml"),
        *(ROOT / "tests" / "architect" / "cases").glob("*.yaml"),
        *ROOT.glob("examples/specs/*.yaml"),
    )
)


def spec_of(
    *patterns: dict[str, Any], unique: Any = None, relationships: Any = None, **entities: Any
) -> dict[str, Any]:
    user = {"id": "userId", "attributes": {"email": {}, "level": "number"}}
    return {
        "name": "app",
        "entities": {"User": user, **entities},
        "access_patterns": [*patterns] or [GET],
        **({"unique": unique} if unique else {}),
        **({"relationships": relationships} if relationships else {}),
    }


def faults_of(spec: dict[str, Any]) -> dict[str, str]:
    try:
        read_spec(spec)
    except SpecFaults as found:
        return {where.removeprefix("the spec: "): problem for where, problem in found.faults}
    return {}


# ---- entities -------------------------------------------------------------------------------------------------------


def user(**said: Any) -> dict[str, Any]:
    attributes = said.pop("attributes", {})
    return {"User": {"id": "userId", "attributes": {"email": {}, "level": "number", **attributes}, **said}}


@pytest.mark.parametrize(
    ("entity", "place", "words"),
    [
        (user(attributes={"email": {"required": True, "presence": "10%"}}), "attributes.email.presence", "required"),
        (user(attributes={"userId": {"presence": 0.5}}), "attributes.userId.presence", "part of the id"),
        (
            user(attributes={"email": {"values": ["a", "b"], "cardinality": 3}}),
            "attributes.email.cardinality",
            "only 2",
        ),
        (user(attributes={"on": {"type": "boolean", "cardinality": 3}}), "attributes.on.cardinality", "only 2"),
        (user(attributes={"level": {"type": "number", "values": ["low"]}}), "attributes.level.values", "number"),
        (user(attributes={"email": {"size_bytes": "2 MB"}}), "attributes.email.size_bytes", "400 KB"),
        (user(attributes={"email": {"size_bytes": 90, "max": 80}}), "attributes.email.size_bytes", "the most"),
        (user(attributes={"a": {"size_bytes": "300 KB"}, "b": {"size_bytes": "300 KB"}}), "attributes", "together"),
        (user(size_bytes="401 KB"), "size_bytes", "400 KB"),
        (user(count=1000, growth="5%", growth_per_month=100_000), "growth", "growth_per_month"),
        (user(growth="10k/month", growth_per_month=100), "growth", "growth_per_month"),
        (user(count=1000, unique="email", attributes={"email": {"cardinality": 10}}), "unique", "cannot be unique"),
        (user(count=1000, attributes={"userId": {"cardinality": 10}}), "id", "cannot be its id"),
        (user(version="email"), "version", "number"),
        (user(version="userId", attributes={"userId": "number"}), "version", "no id"),
        (user(version="level", unique="level"), "version", "not unique"),
        (user(attributes={"boss": {"references": "Usre"}}), "attributes.boss.references", "User"),
    ],
)
def test_entities(entity: dict[str, Any], place: str, words: str) -> None:
    found = faults_of(spec_of(**entity))
    assert list(found) == [f"entities.User.{place}"]
    assert words in found[f"entities.User.{place}"]


@pytest.mark.parametrize(
    "entity",
    [
        user(count=1000, growth="5%", growth_per_month=50),
        user(growth="10k/month", growth_per_month=10_000),
        user(count=1000, unique="email", attributes={"email": {"cardinality": 600, "presence": "60%"}}),
        user(attributes={"boss": {"references": "User"}}),
    ],
)
def test_what_is_unusual_of_an_entity(entity: dict[str, Any]) -> None:
    assert faults_of(spec_of(**entity)) == {}


# ---- relationships and uniqueness -----------------------------------------------------------------------------------

POST = {"id": "postId", "attributes": {"userId": {}}, "count": 1000}


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"avg": 100, "max": 50}, "avg"),
        ({"p99": 100, "max": 50}, "p99"),
        ({"avg": 100, "p99": 2}, "p99"),
        ({"avg": 100, "p99": 2, "max": 9000}, "p99"),
        ({"kind": "1:1", "max": 2}, "max"),
        ({"avg": 2000}, "avg"),
        ({"max": 9}, "max"),
    ],
)
def test_relationships(said: dict[str, Any], place: str) -> None:
    people = {"id": "userId", "attributes": {}, "count": 100}
    relationship = {"from": "User", "to": "Post", "kind": "1:n", **said}
    assert list(faults_of(spec_of(relationships=[relationship], User=people, Post=POST))) == [
        f"relationships[0].{place}"
    ]


def test_a_few_parents_may_have_most_children() -> None:
    relationship = {"from": "User", "to": "Post", "kind": "1:n", "avg": 100, "p99": 2, "max": 100_000}
    assert faults_of(spec_of(relationships=[relationship], Post=POST)) == {}


def test_who_checks_a_parent_must_know_it() -> None:
    relationship = {"from": "User", "to": "Note", "kind": "1:n", "integrity": "checked"}
    assert list(faults_of(spec_of(relationships=[relationship], Note={"id": "noteId"}))) == [
        "relationships[0].integrity"
    ]


@pytest.mark.parametrize(
    ("group", "words"),
    [
        (["User.email", "Team.email"], 'no entity "Team"'),
        (["User.email", "Post.mail"], 'no attribute "mail"'),
        (["User.email", "Post.rank"], "different types"),
        (["User.email"], "two or more"),
        (["User.email", "User.level"], "two or more"),
    ],
)
def test_unique_across_entities(group: list[str], words: str) -> None:
    post = {"id": "postId", "attributes": {"rank": "number"}}
    found = faults_of(spec_of(unique=[group], Post=post))
    assert set(found) == {"unique[0]"}
    with pytest.raises(SpecFaults, match=words):
        read_spec(spec_of(unique=[group], Post=post))


# ---- reads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ({"rate": {"avg": 100, "peak": 10}}, "rate.peak"),
        ({"by": "email"}, "by"),
        ({"kind": "query", "by": "email", "limit": 10, "items": 500}, "items"),
        ({"by": "level", "items": 7}, "items"),
        ({"kind": "query", "by": "email", "limit": {"Team": 5}}, "limit.Team"),
        ({"kind": "query", "by": "email", "absent": "omit"}, "absent"),
        ({"kind": "batch", "by": "email"}, "by"),
        ({"kind": "batch", "sort": "level"}, "sort"),
        ({"when": "level > 3"}, "when"),
        ({"changes": ["level"]}, "changes"),
    ],
)
def test_reads(said: dict[str, Any], place: str) -> None:
    people = user(count=1000, attributes={"email": {"cardinality": 20}})
    assert list(faults_of(spec_of({**GET, **said}, **people))) == [f"access_patterns[0].{place}"]


def test_a_get_by_what_a_parent_shares() -> None:
    relationship = {"from": "User", "to": "Post", "kind": "1:n", "avg": 5}
    read = {**GET, "entity": "Post"}
    assert list(faults_of(spec_of(read, relationships=[relationship], Post=POST))) == ["access_patterns[0].by"]
    assert faults_of(spec_of({**read, "sort": "postId desc"}, relationships=[relationship], Post=POST)) == {}


@pytest.mark.parametrize(
    "said", [{"by": "email"}, {"kind": "query"}, {"kind": "query", "by": "email", "limit": 10, "items": 10}]
)
def test_what_is_unusual_of_a_read(said: dict[str, Any]) -> None:
    assert faults_of(spec_of({**GET, **said})) == {}


def test_a_get_of_many_ids_is_a_batch() -> None:
    found = read_spec(spec_of({**GET, "items": 50})).patterns[0]
    assert (found.kind, found.items) == ("batch", 50)


# ---- writes ---------------------------------------------------------------------------------------------------------

ORDER: dict[str, Any] = {
    "id": "orderId",
    "attributes": {
        "status": {"values": ["open", "paid"], "required": True},
        "total": "number",
        "number": "number",
        "madeAt": {"type": "timestamp", "immutable": True},
        "tags": "set",
    },
    "unique": "number",
    "version": True,
}
STOCK = {"id": "sku", "attributes": {"available": "number", "status": {}}}
UPDATE = {"id": "AP1", "kind": "write", "op": "update", "entity": "Order", "by": "orderId"}
BOTH = {
    "id": "AP1",
    "kind": "write",
    "op": "transact",
    "ops": {"Order": "update", "Stock": "update"},
    "by": ["orderId", "sku"],
}


@pytest.mark.parametrize(
    ("write", "place", "words"),
    [
        ({"changes": ["orderId"]}, "changes.orderId", "part of the id"),
        ({"changes": ["madeAt"]}, "changes.madeAt", "immutable"),
        ({"changes": ["version"]}, "changes.version", "raises by itself"),
        ({"changes": {"tags": {"add": 1}}}, "changes.tags", "only numbers"),
        ({"changes": {"number": {"add": 1}}}, "changes.number", "unique"),
        ({"changes": {"status": {"remove": True}}}, "changes.status", "required"),
        ({"changes": {"status": "piad"}}, "changes.status", "paid"),
        ({"changes": {"total": "many"}}, "changes.total", "number"),
        ({"op": "put", "changes": ["total"]}, "changes", "nothing is updated"),
        ({"op": "put", "upsert": True}, "upsert", "for updates"),
        ({"upsert": True, "changes": ["total"]}, "upsert", "needs status"),
        ({"upsert": True, "by": "number", "changes": ["status"]}, "upsert", "orderId is missing"),
        ({"condition": "not exists"}, "condition", "make it a put"),
        ({"op": "delete", "condition": "not exists"}, "condition", "make it a put"),
        ({"upsert": True, "changes": ["status"], "condition": "exists"}, "condition", "upsert"),
        ({"when": "total >"}, "when", "no DynamoDB condition"),
        ({"when": "totl > 5"}, "when", "speaks of totl"),
        ({"op": "delete", "ops": {"Order": "delete"}}, "ops", "op: transact"),
        ({**BOTH, "ops": {**BOTH["ops"], "User": "put"}, "entities": ["Order", "Stock"]}, "ops.User", "not about User"),
        ({**BOTH, "changes": ["status"]}, "changes.status", "ops: {Order:"),
        ({**BOTH, "changes": ["total"], "when": "status = 'open'"}, "when", "Order.status or Stock.status"),
        ({**BOTH, "changes": ["total"], "when": "total > 0 OR available > 0"}, "when", "about one entity each"),
        ({**BOTH, "changes": ["total"], "when": "Stock.available > Order.total"}, "when", "about one entity each"),
        ({**BOTH, "changes": ["total"], "when": "weight > 3"}, "when", "about none of"),
        ({**BOTH, "changes": ["total"], "condition": "not exists"}, "condition", "make it a put"),
        (
            {**BOTH, "ops": {"Order": {"op": "put", "upsert": True}, "Stock": "check"}},
            "ops.Order.upsert",
            "for updates",
        ),
        (
            {**BOTH, "ops": {"Order": {"op": "delete", "changes": ["total"]}, "Stock": "check"}},
            "ops.Order.changes",
            "delete",
        ),
        (
            {**BOTH, "ops": {"Order": {"op": "update", "changes": ["totl"]}, "Stock": "check"}},
            "ops.Order.changes",
            'no attribute "totl"',
        ),
        (
            {**BOTH, "ops": {"Order": {"op": "check", "when": "totl > 1"}, "Stock": "check"}},
            "ops.Order.when",
            "speaks of totl",
        ),
        (
            {**BOTH, "ops": {"Order": "put", "Stock": "update"}, "condition": "Stock does not exist"},
            "condition",
            "Stock must",
        ),
    ],
)
def test_writes(write: dict[str, Any], place: str, words: str) -> None:
    given = write if write.get("op") == "transact" else {**UPDATE, **write}
    found = faults_of(spec_of(given, Order=ORDER, Stock=STOCK))
    assert [each for each in found if each.startswith(f"access_patterns[0].{place}")]
    assert any(words in each for each in found.values()), found


@pytest.mark.parametrize(
    "write",
    [
        {**BOTH, "changes": ["total", "available"], "when": "Order.status = 'open' AND available >= {qty}"},
        {**BOTH, "changes": {"total": {"add": "{qty}"}, "available": {"add": "-{qty}"}}},
        {
            **BOTH,
            "ops": {
                "Order": {"op": "update", "changes": {"status": "paid"}},
                "Stock": {"op": "check", "when": "status = 'ok'"},
            },
        },
        {**UPDATE, "upsert": True, "changes": {"status": "open", "total": {"add": 1}}},
        {**UPDATE, "condition": "only by its customer"},
    ],
)
def test_every_write_that_is_read_has_its_effects(write: dict[str, Any]) -> None:
    facts = assume(read_spec(spec_of(write, Order=ORDER, Stock=STOCK)))
    assert [each.entity for each in effects_of(facts, facts.spec.patterns[0])] == list(facts.spec.patterns[0].entities)


def test_an_unknown_name_hides_no_other_fault() -> None:
    write = {**UPDATE, "by": "orderNo", "changes": ["madeAt"]}
    assert list(faults_of(spec_of({**GET, "id": "AP0", "by": "usrId"}, write, Order=ORDER))) == [
        "access_patterns[0].by",
        "access_patterns[1].by",
        "access_patterns[1].changes.madeAt",
    ]


# ---- whole specs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [each for each in READ if each.stem != "contradict"], ids=lambda path: path.stem)
def test_published_specs_are_read_and_their_writes_understood(path: Path) -> None:
    facts = assume(read_spec(path))
    for each in facts.writes:
        assert [effect.entity for effect in effects_of(facts, each)] == list(each.entities)


def test_every_contradiction_is_told_at_once() -> None:
    with pytest.raises(SpecFaults) as told:
        read_spec(TRUST / "contradict.yaml")
    assert [where.split("contradict.yaml:")[1] for where, _ in told.value.faults] == [
        "5: entities.User.attributes.email.presence",
        "5: entities.User.attributes.status.cardinality",
        "5: entities.User.attributes.tags.size_bytes",
        "7: entities.User.growth",
        "12: relationships[0].avg",
        "12: relationships[0].p99",
        "12: relationships[0].avg",
        "14: access_patterns[0].rate.peak",
        "14: access_patterns[0].changes.level",
        "14: access_patterns[0].changes.userId",
        "15: access_patterns[1].by",
        "17: access_patterns[3].items",
        "17: access_patterns[3].items",
    ]
