"""Entities and their access patterns: what is refused when they are declared, and what reading them gives."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, Range, attr
from tablewright.runtime.transports.recorded import Recorded

office = tw.Service("office", table="office")


class Desk(tw.Entity, service=office, name="desk"):
    """A desk."""

    room: Attr[str]
    desk: Attr[str]
    owner: Attr[str | None] = attr(default=None, alias="ownerId")
    state: Attr[str] = attr(default="free")
    items: Attr[set[str]] = attr(default_factory=set)

    @tw.primary
    def key(self, room: str, *, desk: str) -> None:
        """One desk."""

    @tw.index("gsi1")
    def by_owner(self, owner: str, *, state: Range[str] = ANY) -> None:
        """Whose desk it is."""

    @tw.index("gsi2", projection="keys_only")
    def keys_by_state(self, state: str) -> None:
        """Keys only."""

    @tw.index("gsi3", projection=["owner", "__edb_e__", "__edb_v__"])
    def owners(self, state: str, *, owner: str = ANY) -> None:
        """Owners."""


def desk(**values: Any) -> Desk:
    return Desk(room="r", desk="d", **values)


def answers(*replies: Any) -> tuple[tw.Database, Recorded]:
    transport = Recorded(replies)
    return tw.Database(transport), transport


# ---- reading -------------------------------------------------------------------------------------------------------


def test_what_was_not_asked_for_is_not_there() -> None:
    item = desk(owner="o").put().params()["Item"]
    db, sent = answers({"Item": {name: item[name] for name in ("pk", "sk", "room", "__edb_e__", "__edb_v__")}})
    found: Any = db.run(Desk.key("r", desk="d").get().only(Desk.room, "owner"))
    assert (found.room, found.owner) == ("r", None)
    for name in ("state", "items", "desk"):
        with pytest.raises(AttributeError, match=rf"Desk\.{name} has no value on this item: it was not read"):
            getattr(found, name)
    assert "ownerId" in sent.requests[0][1]["ExpressionAttributeNames"].values()


def test_an_update_through_part_of_an_item_rests_on_nothing_it_did_not_read() -> None:
    layout = Desk.__tablewright_layout__()
    part = layout.make({"room": "r", "desk": "d"}, ("room", "desk"))
    with pytest.raises(tw.RequestError, match="for which state must be known"):
        part.patch(Desk.owner.set("o")).params()


def test_only_takes_python_names_schema_names_and_paths() -> None:
    query = Desk.by_owner("o")
    wanted = query.only(Desk.owner).params()
    assert query.only("owner").params() == wanted
    assert query.only("ownerId").params() == wanted


@pytest.mark.parametrize("operation", [Desk.by_owner("o"), Desk.key("r", desk="d").get(), Desk.scan()])
def test_only_refuses_what_is_no_attribute(operation: Any) -> None:
    with pytest.raises(
        tw.RequestError, match=r"only\(...\) names 'ownr', which is no attribute; known are room, desk, owner"
    ):
        operation.only("ownr")


def test_items_of_an_index_have_what_it_holds() -> None:
    item = desk(owner="o").put().params()["Item"]
    keys = {name: item[name] for name in ("pk", "sk", "gsi2pk", "gsi2sk")}
    db, _ = answers({"Items": [keys]})
    [found] = db.run(Desk.keys_by_state("free"))
    assert found.__dict__ == {}
    held = {**{name: item[name] for name in ("pk", "sk", "gsi3pk", "gsi3sk", "__edb_e__", "__edb_v__")}}
    db, _ = answers({"Items": [held]})
    [found] = db.run(Desk.owners("free"))
    assert found.__dict__ == {"owner": None}


def test_answers_with_what_changed_hold_no_more() -> None:
    db, _ = answers({"Attributes": {"state": "taken"}})
    found: Any = db.run(Desk.key("r", desk="d").patch(Desk.items.add({"pen"})).returning("updated_new"))
    assert found.__dict__ == {"state": "taken"}


def test_absent_values_read_as_default_none_or_empty() -> None:
    identity = {"__edb_e__": "desk", "__edb_v__": "1"}
    found: Any = Desk.parse({"room": "r", "desk": "d", **identity})
    assert (found.owner, found.state, found.items) == (None, "free", set())
    assert Desk.parse({"room": "r", "desk": "d"}) is None


def test_match_takes_none_for_absent() -> None:
    params = Desk.match(room="r", owner=None).params()
    assert "attribute_not_exists(#ownerId)" in params["FilterExpression"]
    assert "IndexName" not in params


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"room": "r", "owner": None}, r"find\(owner=None\)"),
        ({"owner": None}, r"find\(owner=None\)"),
        ({"items": {"pen"}}, "no index serves items"),
        ({"room": "r", "items": {"pen"}}, "the index it would use, key, has no use for items"),
        ({"room": "r", "desk": "d", "owner": "o"}, "the index it would use, key, has no use for owner"),
    ],
)
def test_find_refuses_what_its_index_does_not_use(given: dict[str, Any], said: str) -> None:
    with pytest.raises(tw.RequestError, match=rf"{said}.*Desk.match\(...\)"):
        Desk.find(**given)


def test_find_with_nothing_is_a_scan() -> None:
    assert type(Desk.find()).__name__ == "Scan"
    assert type(Desk.find(room="r", desk="d")).__name__ == "Query"


@pytest.mark.parametrize("wrong", ["n > 1", True, None, Desk.owner, Desk.owner.exists])
@pytest.mark.parametrize(
    "operation", [Desk.scan(), Desk.scan().where(Desk.owner.exists()), Desk.key("r", desk="d").delete(), desk().put()]
)
def test_where_refuses_what_is_no_condition(operation: Any, wrong: Any) -> None:
    with pytest.raises(tw.RequestError, match=r"where\(...\) takes conditions.*not .*Task.hours > 3"):
        operation.where(wrong)
    with pytest.raises(tw.RequestError, match=r"takes conditions"):
        operation.where(Desk.owner.exists(), wrong)
    with pytest.raises(tw.RequestError, match=r"takes conditions"):
        Desk.key("r", desk="d").check(wrong)


def test_an_upsert_makes_nested_changes_besides() -> None:
    class Place(tw.Map):
        floor: Attr[int]

    class Lamp(tw.Entity, service=tw.Service("s", table="t")):
        lamp: Attr[str]
        place: Attr[dict[str, int] | None] = attr(default=None)
        watts: Attr[int | None] = attr(default=None)
        other: Attr[int | None] = attr(default=None)

        @tw.primary
        def key(self, lamp: str) -> None:
            """One."""

    params = Lamp(lamp="l").upsert(Lamp.place["x"].set(3), Lamp.watts.set(Lamp.other)).params()
    assert "#place.#x = :x0" in params["UpdateExpression"]
    assert "#watts = #other" in params["UpdateExpression"]
    with pytest.raises(tw.RequestError, match="are changed in one update"):
        Lamp(lamp="l", place={}).upsert(Lamp.place["x"].set(3)).params()


# ---- declarations --------------------------------------------------------------------------------------------------


def pattern_entity(decorate: Any, service: Any = None) -> Any:
    def by_state(self: Any, state: str, *, owner: str = ANY) -> None:
        """By state."""

    def key(self: Any, id: str) -> None:  # noqa: A002 - the attribute's name
        """One."""

    body: dict[str, Any] = {"by_state": decorate(by_state), "key": tw.primary(key), "__module__": __name__}
    names = {"id": Attr[str], "state": Attr[str], "owner": Attr[str]}
    body["__annotations__"] = names
    return type("Thing", (tw.Entity,), body, service=service or tw.Service("s", table="t"))  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"sort": False}, r"Thing\.by_state has sort composites, but sort=False"),
        ({"condition": bool}, r"has a condition that does not say what it depends on; .*depends_on=\(\"status\",\)"),
        ({"condition": bool, "depends_on": ["stat"]}, r"stat is no attribute; did you mean state"),
        ({"pk": "S#{stat}"}, r"the template 'S#\{stat\}' names \['stat'\], the signature state"),
        ({"sk": "O#"}, r"the template 'O#' names \[\], the signature owner"),
        ({"projection": ["nobody"]}, "nobody"),
        ({"fields": ("gsi1pk", "gsi1pk")}, "both the field"),
        ({"kind": "composite", "scope": "x"}, "takes no scope"),
    ],
)
def test_access_patterns_that_cannot_work(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(tw.SchemaError, match=reason):
        pattern_entity(tw.index("gsi1", **options)).schema()


def test_two_patterns_on_one_index() -> None:
    class Thing(tw.Entity, service=tw.Service("s", table="t")):
        thing: Attr[str]

        @tw.primary
        def key(self, thing: str) -> None:
            """One."""

        @tw.index("gsi1")
        def one(self, thing: str) -> None:
            """One way."""

        @tw.index("gsi1")
        def two(self, thing: str) -> None:
            """The same way."""

    with pytest.raises(tw.SchemaError, match="already described by"):
        Thing.schema()


def test_a_view_of_the_table_adds_nothing_to_its_key() -> None:
    with pytest.raises(tw.SchemaError, match="whose composites are"):
        pattern_entity(tw.index("table")).schema()
    with pytest.raises(tw.SchemaError, match=r"stand with @tw.primary"):
        pattern_entity(tw.index("table", scope="x")).schema()


@pytest.mark.parametrize("name", ["put", "scan", "match", "parse", "schema"])
def test_access_patterns_must_not_hide_methods(name: str) -> None:
    def decorate(function: Any) -> Any:
        function.__name__ = name
        return tw.index("gsi1")(function)

    def key(self: Any, state: str) -> None:
        """One."""

    body = {name: decorate(lambda self, state: None), "key": tw.primary(key), "__module__": __name__}
    body["__annotations__"] = {"state": Attr[str]}
    with pytest.raises(tw.SchemaError, match=rf"Thing\.{name} would hide a method"):
        type("Thing", (tw.Entity,), body, service=tw.Service("s", table="t"))  # type: ignore[call-overload]


def test_two_entities_of_one_name() -> None:
    service = tw.Service("s", table="t")
    pattern_entity(tw.index("gsi1"), service)
    with pytest.raises(tw.SchemaError, match="service s has two entities named 'Thing'"):

        class Other(tw.Entity, service=service, name="Thing"):
            other: Attr[str]


def test_a_module_loaded_again_replaces_its_entities() -> None:
    service = tw.Service("s", table="t")
    first, second = pattern_entity(tw.index("gsi1"), service), pattern_entity(tw.index("gsi1"), service)
    assert first is not second
    assert service.entities["Thing"] is second


def test_a_service_needs_a_name() -> None:
    with pytest.raises(tw.SchemaError, match="a service needs a name"):
        tw.Service("", table="t")


def test_patterns_of_a_base_are_shared() -> None:
    class Base(tw.Entity):
        owner: Attr[str]

        @tw.primary
        def key(self, owner: str) -> None:
            """One."""

        @tw.index("gsi1")
        def of_owner(self, owner: str) -> None:
            """By owner."""

    class One(Base, service=tw.Service("s", table="t"), name="one"):
        """One."""

    class Two(Base, service=tw.Service("s", table="t"), name="two"):
        extra: Attr[int] = attr(default=1)

    assert One.key("o").values() == {"pk": "$s#owner_o", "sk": "$one_1"}
    assert Two.of_owner("o").params()["ExpressionAttributeValues"][":sk1"] == "$two_1"
    assert Two.owner is not One.owner
