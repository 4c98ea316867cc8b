"""What ElectroDB's users bring along: functions of any length, renamed identifiers, entities by name."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.electrodb.entity import LoadedEntity
from tablewright.schema.electro import dump_entity
from tests.conformance.electrodb.compare import meaning
from tests.conftest import Node
from tests.runtime.harbor import BERTH, CAPTAIN, berth, harbor

NOTE: dict[str, Any] = {
    "model": {"service": "notes", "entity": "note", "version": "2"},
    "attributes": {"id": {"type": "string"}, "text": {"type": "string"}, "state": {"type": "string"}},
    "indexes": {
        "main": {"pk": {"field": "pk", "composite": ["id"]}, "sk": {"field": "sk", "composite": []}},
        "byState": {
            "index": "gsi1",
            "pk": {"field": "gsi1pk", "composite": ["state"]},
            "sk": {"field": "gsi1sk", "composite": ["id"]},
        },
    },
}


def note(**text: Any) -> LoadedEntity:
    """A note whose text has these options."""
    return tw.Service.load(
        {**NOTE, "attributes": {**NOTE["attributes"], "text": {"type": "string", **text}}}, table="t"
    ).note


class Shout:
    def __call__(self, value: str) -> str:
        return value.upper()

    def loud(self, value: str) -> str:
        return value.upper()


def shouted(mark: str, value: str) -> str:
    return value.upper() + mark


@pytest.mark.parametrize(
    ("function", "stored"),
    [
        (lambda: "same", "same"),
        (lambda value: value.upper(), "HI"),
        (lambda value, item: value + item["id"], "hi1"),
        (lambda *given: f"{given[0]}{given[1]['id']}", "hi1"),
        (lambda value, /: value.upper(), "HI"),
        (str.upper, "HI"),
        (str.strip, "hi"),
        (str, "hi"),
        (Shout(), "HI"),
        (Shout().loud, "HI"),
        (functools.partial(shouted, "!"), "HI!"),
    ],
)
def test_a_setter_takes_as_many_arguments_as_it_likes(function: Any, stored: str) -> None:
    assert note(set=function).put(id="1", text="hi").params()["Item"]["text"] == stored


@pytest.mark.parametrize(("function", "read"), [(lambda: "same", "same"), (lambda value: value.upper(), "HI")])
def test_a_getter_takes_as_many_arguments_as_it_likes(function: Any, read: str) -> None:
    entity = note(get=function)
    item = entity.put(id="1", text="hi").params()["Item"]
    assert entity.parse({"Item": item}) == {"data": {"id": "1", "text": read}}


def test_validators_and_conditions_may_take_nothing() -> None:
    assert note(validate=lambda: True).put(id="1", text="hi").params()["Item"]["text"] == "hi"
    with pytest.raises(tw.ValidationError, match="validator"):
        note(validate=lambda: False).put(id="1", text="hi").params()
    sparse = {
        **NOTE,
        "indexes": {**NOTE["indexes"], "byState": {**NOTE["indexes"]["byState"], "condition": lambda: False}},
    }
    assert "gsi1pk" not in tw.Service.load(sparse, table="t").note.put(id="1", state="s").params()["Item"]


def test_nested_functions_and_made_ones_as_well() -> None:
    inner = {"type": "map", "properties": {"a": {"type": "string", "set": {"$fn": "const", "args": ["x"]}}}}
    schema = {**NOTE, "attributes": {**NOTE["attributes"], "inner": inner}}
    entity = tw.Service.load(schema, functions={"const": lambda value: lambda: value}, table="t").note
    assert entity.put(id="1", inner={"a": "b"}).params()["Item"]["inner"] == {"a": "x"}


def test_our_own_form_is_as_patient() -> None:
    own = {
        "service": "s",
        "entities": {
            "n": {
                "version": "1",
                "attributes": {"id": "string", "text": {"type": "string", "set": {"$fn": "up"}}},
                "access_patterns": {"main": {"pk": {"field": "pk", "composite": ["id"]}}},
            }
        },
    }
    entity = tw.Service.load(own, functions={"up": str.upper}, table="t").n
    assert entity.put(id="1", text="hi").params()["Item"]["text"] == "HI"


def test_functions_keep_their_names_when_the_schema_is_written() -> None:
    def tidy(value: str) -> str:
        return value.strip()

    schema = note(set=tidy).schema
    assert dump_entity(schema, functions={"tidy": tidy})["attributes"]["text"]["set"] == {"$fn": "tidy"}
    assert schema == note(set=tidy).schema


def test_callbacks_may_leave_their_last_arguments_out() -> None:
    assert berth().scan.where(lambda: "").params() == berth().scan.params()
    assert berth().scan.where(lambda _a: "").params() == berth().scan.params()
    change = berth().update(harbor="H", slot=1).set(visits=1)
    assert change.data(lambda _a: None).params() == change.data(lambda: None).params() == change.params()
    named = tw.Service.load({**NOTE, "filters": {"all": lambda: ""}}, table="t").note
    assert named.scan.all("ignored").params() == named.scan.params()


# ---- identifiers ----------------------------------------------------------------------------------------------------


def test_identifiers_are_renamed_for_the_whole_service() -> None:
    for identifiers in (tw.Identifiers(entity="_e", version="_v"), {"entity": "_e", "version": "_v"}):
        service = tw.Service.load({"berths": BERTH, "captains": CAPTAIN}, table="port", identifiers=identifiers)
        item = service.captains.put(name="N").params()["Item"]
        assert (item["_e"], item["_v"], "__edb_e__" in item) == ("captain", "1", False)
        scan = service.berths.scan.params()
        assert scan["FilterExpression"].endswith("#_e = :_e0 AND #_v = :_v0")
        assert service.parse(item) == ("captains", {"name": "N"})


def test_identifiers_are_renamed_for_one_entity() -> None:
    service = tw.Service.load({"berths": BERTH, "captains": CAPTAIN}, identifiers={"captains": {"entity": "kind"}})
    assert service.captains.schema.identifiers == tw.Identifiers(entity="kind")
    assert service.berths.schema.identifiers == tw.Identifiers()
    entity = LoadedEntity(berth().schema, table="t", identifiers=tw.Identifiers(entity="kind"))
    assert entity.put(harbor="H", slot=1).params()["Item"]["kind"] == "berth"


def test_a_schema_may_bring_its_identifiers() -> None:
    schema = {**NOTE, "identifiers": {"entity": "_e", "version": "_v"}}
    entity = tw.Service.load(schema, table="t").note
    assert entity.put(id="1").params()["Item"]["_v"] == "2"
    assert dump_entity(entity.schema)["identifiers"] == {"entity": "_e", "version": "_v"}
    assert "identifiers" not in dump_entity(note().schema)


def test_an_identifier_is_renamed_later() -> None:
    entity = berth()
    entity.set_identifier("entity", "kind")
    assert entity.put(harbor="H", slot=1).params()["Item"]["kind"] == "berth"
    with pytest.raises(tw.RequestError, match="entity, version") as unknown:
        entity.set_identifier("name", "kind")
    assert unknown.value.code == 1002


@pytest.mark.parametrize(
    "identifiers",
    [{"entity": 5}, {"name": "x"}, {"entity": ""}, {"sailors": {"entity": "x"}}, {"captains": 5}, "entity"],
)
def test_bad_identifiers_are_refused(identifiers: Any) -> None:
    with pytest.raises(tw.SchemaError) as bad:
        tw.Service.load({"berths": BERTH, "captains": CAPTAIN}, identifiers=identifiers)
    assert "identifiers" in str(bad.value)


# ---- entities of a service ------------------------------------------------------------------------------------------


def test_entities_stand_in_the_service_by_name() -> None:
    service = harbor()
    assert service.entities.captains is service.captains is service.entities["captains"]
    assert list(service.entities) == ["berths", "captains"]
    with pytest.raises(AttributeError, match="berths, captains"):
        _ = service.entities.sailors
    assert not hasattr(service, "keys")


def test_an_entity_without_sort_key_cannot_share_a_table_with_one_that_has_it() -> None:
    alone = {**CAPTAIN, "indexes": {"main": {"pk": {"field": "pk", "composite": ["name"]}}}}
    with pytest.raises(tw.SchemaError, match=r"the table's own key has the key pk \(S\), but .* pk \(S\) and sk \(S\)"):
        tw.Service.load({"berths": BERTH, "captains": alone}, table="port")
    tw.Service.load({"berths": {**BERTH, "table": "a"}, "captains": {**alone, "table": "b"}})


def test_electrodb_makes_the_same_of_renamed_identifiers(node: Node) -> None:
    theirs = node.run("identifiers.cjs")
    service = tw.Service.load(theirs["schemas"], table="t", identifiers={"one": {"entity": "_e"}})
    one = service.entities.one
    ours = {
        "put": one.put(a="1", b="2").params(),
        "scan": one.scan.params(),
        "update": one.update(a="1", b="2").remove([]).params(),
        "collection": service.collections.c(a="1").params(),
    }
    one.set_identifier("version", "_v")
    ours["later"] = one.put(a="1", b="2").params()
    assert {name: meaning(each) for name, each in ours.items()} == {
        name: meaning(each) for name, each in theirs["answers"].items()
    }
