"""Asking for some attributes only, on the embedded engine, which like DynamoDB refuses a field that is named twice."""

from __future__ import annotations

from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.runtime.electrodb.service import LoadedService
from tablewright.schema.electro import load_service

docks = tw.Service("docks", table="docks")


class Ship(tw.Entity, service=docks, name="ship"):
    port: Attr[str]
    ship: Attr[str]
    nick: Attr[str | None] = attr(default=None, alias="nk")
    size: Attr[int] = attr(default=1)

    @tw.primary(collection="fleet")
    def key(self, port: str, *, ship: str) -> None:
        """One ship."""

    @tw.index("table")
    def of_port(self, port: str, *, ship: str = ANY) -> None:
        """The ships of a port."""


class Boat(tw.Entity, service=docks, name="boat"):
    port: Attr[str]
    boat: Attr[str]
    oars: Attr[int] = attr(default=2)

    @tw.primary(collection="fleet")
    def key(self, port: str, *, boat: str) -> None:
        """One boat."""


class Fleet(tw.Collection, service=docks, name="fleet"):
    """What lies in a port."""

    ships: list[Ship]
    boats: list[Boat]

    @tw.index("table")
    def of(self, port: str) -> None: ...


def member(entity: str, **attributes: Any) -> dict[str, Any]:
    return {
        "model": {"service": "docks", "entity": entity, "version": "1"},
        "attributes": {"port": {"type": "string"}, entity: {"type": "string"}, **attributes},
        "indexes": {
            "main": {
                "collection": "fleet",
                "pk": {"field": "pk", "composite": ["port"]},
                "sk": {"field": "sk", "composite": [entity]},
            }
        },
    }


@pytest.fixture
def db() -> tw.Database:
    db = tw.Database.embedded()
    db.create(docks)
    db.run(Ship(port="p", ship="s", nick="n", size=3).put())
    db.run(Boat(port="p", boat="b", oars=4).put())
    return db


@pytest.fixture
def loaded(db: tw.Database) -> Any:
    ships = member("ship", nick={"type": "string", "field": "nk"}, size={"type": "number"})
    boats = member("boat", oars={"type": "number"})
    return LoadedService(load_service({"ships": ships, "boats": boats}, table="docks"), client=db)


def test_typed_queries_of_the_table_key(db: tw.Database) -> None:
    for query in (Ship.of_port("p"), Ship.of_port("p", ship="s"), Ship.of_port("p").where(Ship.nick == "n")):
        (found,) = db.run(query.only(Ship.nick)).items
        assert found.nick == "n"
    assert db.run(Ship.scan().only(Ship.nick)).items[0].nick == "n"


def test_typed_collections_of_the_table_key(db: tw.Database) -> None:
    found = db.run(Fleet.of("p").only("size", "oars"))
    assert [ship.size for ship in found.ships] == [3]
    assert [boat.oars for boat in found.boats] == [4]


def test_loaded_chains_on_the_table_key(loaded: Any) -> None:
    ships = loaded.entities["ships"]
    chains = [
        ships.query.main(port="p"),
        ships.query.main(port="p", ship="s"),
        ships.query.main(port="p").gte(ship="a"),
        ships.query.main(port="p").between({"ship": "a"}, {"ship": "z"}),
        ships.query.main(port="p").where(lambda a, op: op.eq(a.nick, "n")),
        ships.find(port="p"),
        ships.match(port="p", size=3),
        ships.scan,
    ]
    for chain in chains:
        assert chain.go(attributes=["nick"])["data"] == [{"nick": "n"}]
    assert ships.get(port="p", ship="s").go(attributes=["nick"])["data"] == {"nick": "n"}


def test_loaded_collections_on_the_table_key(loaded: Any) -> None:
    found = loaded.collections.fleet(port="p").go(attributes=["nick", "oars"])["data"]
    assert found == {"ships": [{"nick": "n"}], "boats": [{"oars": 4}]}


def test_a_projection_of_ones_own_counts_too(loaded: Any) -> None:
    chain = loaded.entities["ships"].query.main(port="p")
    given = chain.params(attributes=["nick"], params={"ProjectionExpression": "ship"})
    assert given["ProjectionExpression"] == "ship, #pk, #sk1, #nk"
    raw = chain.go(attributes=["nick"], params={"ProjectionExpression": "ship"}, data="raw")["data"]
    assert raw["Items"][0]["ship"] == "s"
