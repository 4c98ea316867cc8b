"""Versions, sentinels and request records in a table that ElectroDB works at, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import serve
from tests.conftest import Node
from tests.runtime.features.club import Account, Member, check_sentinels, club


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture
def db(engine: Engine) -> tw.Database:
    db = tw.Database.embedded(engine=engine)
    db.create(club)
    return db


def electro(node: Node, engine: Engine, **lines: str) -> dict[str, Any]:
    with serve(engine) as server:
        answers: dict[str, Any] = node.run(
            "shared_table.cjs", {"endpoint": server.url, "service": "club", "lines": lines, "given": {}}
        )
        return answers


def test_electrodb_passes_by_what_is_not_its_own(node: Node, engine: Engine, db: tw.Database) -> None:
    db.run(tw.once(Member(member="a", email="x", team="red", shirt=7).create(), "r"))
    answers = electro(node, engine, all="members.scan.go({ pages: 'all' })", one="members.get({ member: 'a' }).go()")
    stored = {"member": "a", "email": "x", "team": "red", "shirt": 7, "version": 1}
    assert answers["all"]["data"] == [stored]
    assert answers["one"]["data"] == stored


def test_versions_count_for_both(node: Node, engine: Engine, db: tw.Database) -> None:
    mine = db.run(Account(account="a").create())
    assert mine is not None
    where = "where(({ version }, { eq }) => eq(version, 1))"
    electro(node, engine, one=f"accounts.patch({{ account: 'a' }}).add({{ balance: 5, version: 1 }}).{where}.go()")
    with pytest.raises(tw.Conflict) as caught:
        db.run(mine.patch(Account.balance.set(9)))
    assert caught.value.item == Account(account="a", balance=5, version=2)
    electro(node, engine, made="accounts.create({ account: 'b' }).go()")
    made = db.run(Account.key("b").get())
    assert made == Account(account="b", version=0)
    db.run(made.patch(Account.balance.set(1)))


def test_what_electrodb_wrote_is_repaired(node: Node, engine: Engine, db: tw.Database) -> None:
    electro(node, engine, one="members.create({ member: 'a', email: 'x' }).go()")
    assert db.run(tw.repair_unique(Member)).claimed == 1
    with pytest.raises(tw.NotUnique):
        db.run(Member(member="b", email="x").create())
    check_sentinels(db)
