"""Versions, unique attributes, edits and idempotent writes as type checkers see them."""

from __future__ import annotations

from datetime import timedelta
from typing import assert_type

import tablewright as tw
from tablewright import Attr, attr

club = tw.Service("club", table="club")


class Member(tw.Entity, service=club, name="member", unique=["nick", ("team", "shirt")]):
    """Someone."""

    member: Attr[str]
    nick: Attr[str]
    team: Attr[str | None] = attr(default=None)
    shirt: Attr[int] = attr(default=0)
    email: Attr[str | None] = attr(default=None, unique=True)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, member: str) -> None:
        """One member."""


def decide(member: Member) -> list[tw.Change]:
    return [Member.shirt.set(member.shirt + 1)] if member.version > 1 else []


ann = Member(member="ann", nick="a")  # the version is no parameter
assert_type(ann.version, int)
assert_type(Member.version, tw.Path[int])
assert_type(tw.edit(Member.key("ann"), decide), tw.Edit[Member])
tw.edit(Member.key("ann"), lambda member: Member.nick.set(member.nick.upper()), attempts=3)
tw.edit(Member.key("ann"), lambda _: None)


def run(db: tw.Database) -> None:
    assert_type(db.run(tw.edit(Member.key("ann"), decide)), Member)
    assert_type(db.run(tw.find_unique(Member, email="a@example.com")), Member | None)
    assert_type(db.run(tw.once(ann.create(), "r1", keep=timedelta(hours=1))), Member | None)
    assert_type(db.run(tw.once(Member.key("ann").delete(), "r2")), Member | None)
    db.run(tw.once(tw.transact(ann.put()), "r3", same=b"body"))
    assert_type(db.run(tw.repair_unique(Member)), tw.Repaired)
    try:
        db.run(ann.put())
    except tw.NotUnique as error:
        assert_type(error.attributes, tuple[str, ...])
    except tw.Conflict as error:
        print(error.item)


async def arun(db: tw.AsyncDatabase) -> None:
    assert_type(await db.run(tw.edit(Member.key("ann"), decide)), Member)
    assert_type(await db.run(tw.find_unique(Member, email="a@example.com")), Member | None)
