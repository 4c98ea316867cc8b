"""A small service with versions and unique attributes, for the tests of writes."""

from __future__ import annotations

from typing import Any

import tablewright as tw
from tablewright import ANY, Attr, attr
from tests.runtime.features.interleaving import items_in

club = tw.Service("club", table="club")


class Account(tw.Entity, service=club, name="account"):
    """Counts its writes."""

    account: Attr[str]
    balance: Attr[int] = attr(default=0)
    note: Attr[str | None] = attr(default=None)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, account: str) -> None:
        """One account."""

    @tw.index("gsi1")
    def by_note(self, note: str, *, account: str = ANY) -> None:
        """Accounts with a note."""


class Plain(tw.Entity, service=club, name="plain"):
    """Counts nothing."""

    name: Attr[str]
    count: Attr[int] = attr(default=0)
    tags: Attr[set[str]] = attr(default_factory=set)

    @tw.primary
    def key(self, name: str) -> None:
        """One of them."""


class Member(tw.Entity, service=club, name="member", unique=[("team", "shirt")]):
    """No two have one email, and no two of a team one shirt."""

    member: Attr[str]
    email: Attr[str | None] = attr(default=None, unique=True, field="mail")
    team: Attr[str | None] = attr(default=None)
    shirt: Attr[int | None] = attr(default=None)
    note: Attr[str | None] = attr(default=None)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, member: str) -> None:
        """One member."""


def fresh() -> tw.Database:
    """A new engine with the club's empty table."""
    db = tw.Database.embedded()
    db.create(club)
    return db


def stored(db: tw.Database, entity: str) -> list[dict[str, Any]]:
    return [item for item in items_in(db.transport.call, "club") if item["__edb_e__"] == entity]


def sentinels(db: tw.Database) -> list[dict[str, Any]]:
    return stored(db, "tablewright:unique")


def check_sentinels(db: tw.Database) -> None:
    """Every value in use has one sentinel, which its only owner owns; there are no others."""
    wanted: dict[str, dict[str, Any]] = {}
    for item in stored(db, "member"):
        owner = {"pk": item["pk"], "sk": item["sk"]}
        values = []
        if "mail" in item:
            values.append(f'__unique__#club#member#email#["{item["mail"]}"]')
        if "team" in item and "shirt" in item:
            values.append(f'__unique__#club#member#team,shirt#["{item["team"]}",{{"N":"{item["shirt"]}"}}]')
        for value in values:
            assert value not in wanted, f"{value} is used twice"
            wanted[value] = owner
    assert {each["pk"]: each["owner"] for each in sentinels(db)} == wanted
