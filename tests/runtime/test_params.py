"""`params()` shows what is sent, and pages are like lists."""

from __future__ import annotations

from typing import Any

import tablewright as tw
from tablewright import Attr, attr
from tablewright.runtime.observing.observation import Observation

site = tw.Service("site", table="site")


class User(tw.Entity, service=site, name="user"):
    user: Attr[str]
    email: Attr[str] = attr(unique=True)
    visits: Attr[int] = attr(default=0)

    @tw.primary
    def key(self, user: str) -> None:
        """One user."""


ann = User(user="u1", email="ann@example.org")


def sent_by(operation: Any) -> list[str]:
    seen: list[Observation] = []
    db = tw.Database.embedded(observe=seen.append)
    db.create(site)
    db.run(User(user="u2", email="bo@example.org").put())
    seen.clear()
    db.run(operation)
    return [each.action for each in seen]


def test_a_unique_attribute_makes_a_transaction() -> None:
    (own, along) = ann.create().params()["TransactItems"]
    assert own["Put"]["Item"]["email"] == "ann@example.org"
    assert along["Put"]["Item"]["pk"].startswith("__unique__")
    assert sent_by(ann.create()) == ["TransactWriteItems"]


def test_what_is_read_first_is_a_transaction_as_well() -> None:
    change = User.key("u2").patch(User.email.set("b@example.org"))
    for operation in (ann.put(), change, User.key("u2").delete()):
        assert "TransactItems" in operation.params()
        assert sent_by(operation)[-1] == "TransactWriteItems"
    (own, claim) = change.params()["TransactItems"]
    assert "attribute_not_exists" not in own["Update"]["ConditionExpression"]
    assert "b@example.org" in claim["Put"]["Item"]["pk"]


def test_what_concerns_nobody_else_is_sent_alone() -> None:
    visit = User.key("u2").patch(User.visits.add(1))
    assert "UpdateExpression" in visit.params()
    assert sent_by(visit) == ["UpdateItem"]


def test_a_transaction_shows_everything_it_writes() -> None:
    both = tw.transact(ann.create(), User.key("u2").patch(User.visits.add(1)))
    assert [*map(list, both.params()["TransactItems"])] == [["Put"], ["Update"], ["Put"]]


def test_a_page_is_like_a_list() -> None:
    db = tw.Database.embedded()
    db.create(site)
    db.run(ann.put())
    page = db.run(User.key.query("u1"))
    assert (len(page), page[0], page[-1], page[:1], [*page]) == (1, ann, ann, [ann], [ann])
    assert bool(page)


def test_names_say_what_they_do() -> None:
    query = User.scan()
    assert query.page_size(5).params()["Limit"] == query.limit(5).params()["Limit"] == 5
    assert query.first(5) == query.count(5)
