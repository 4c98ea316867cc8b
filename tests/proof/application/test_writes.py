"""What a write does to dictionaries, and when it does nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.proof.application.state import Call, RefusedError, State, state_of
from tablewright.proof.application.writes import apply
from tablewright.spec.facts import Facts, assume
from tablewright.spec.read import read_spec

SHOP: dict[str, Any] = {
    "name": "shop",
    "entities": {
        "Shop": {"id": ["shopId"], "attributes": {"shopId": "string", "handle": "string", "likes": "number"}},
        "User": {"id": ["userId"], "unique": [["email"]], "attributes": {"userId": "string", "email": "string"}},
        "Ware": {
            "id": ["shopId", "wareId"],
            "unique": [["shelf", "place"]],
            "attributes": {
                "shopId": "string",
                "wareId": "string",
                "stock": "number",
                "sold": "number",
                "note": "string",
                "shelf": "string",
                "place": "number",
            },
        },
        "Like": {"id": ["shopId", "userId"], "attributes": {"shopId": "string", "userId": "string"}},
        "Part": {
            "id": ["partId"],
            "attributes": {"partId": "string", "shopId": "string", "wareId": "string"},
        },
        "Doc": {"id": ["docId"], "version": True, "attributes": {"docId": "string", "text": "string"}},
    },
    "relationships": [
        {"from": "Shop", "to": "Ware", "kind": "one-to-many", "cascade": True},
        {"from": "Ware", "to": "Part", "kind": "one-to-many", "by": ["shopId", "wareId"], "cascade": True},
        {"from": "Shop", "to": "User", "kind": "many-to-many", "via": "Like", "cascade": True},
    ],
}
STATE: dict[str, list[dict[str, Any]]] = {
    "Shop": [{"shopId": "s", "handle": "h", "likes": 1}, {"shopId": "t"}],
    "User": [{"userId": "u", "email": "e"}, {"userId": "v"}],
    "Ware": [{"shopId": "s", "wareId": "w", "stock": 1, "note": "n"}, {"shopId": "t", "wareId": "w", "stock": 5}],
    "Like": [{"shopId": "s", "userId": "u"}, {"shopId": "t", "userId": "u"}],
    "Part": [{"partId": "p", "shopId": "s", "wareId": "w"}, {"partId": "q", "shopId": "t", "wareId": "w"}],
    "Doc": [{"docId": "d", "text": "x", "version": 3}],
}


def facts_with(more: dict[str, Any], **pattern: Any) -> Facts:
    return assume(read_spec({**SHOP, **more, "access_patterns": [{"id": "AP", "kind": "write", **pattern}]}))


def run(call: Call, state: State | None = None, more: dict[str, Any] | None = None, **pattern: Any) -> State:
    facts = facts_with(more or {}, **pattern)
    return apply(facts, facts.spec.patterns[0], state or state_of(facts.spec, STATE), call).state


WARE = Call(by={"shopId": "s", "wareId": "w"})
OF_WARE = {"entity": "Ware", "by": ["shopId", "wareId"]}


def ware(state: State) -> dict[str, Any] | None:
    return state.get("Ware", ("s", "w"))


class TestPuts:
    def test_a_put_replaces(self):
        call = Call(by=WARE.by, given={"Ware": {"stock": 9}})
        assert ware(run(call, op="put", **OF_WARE)) == {"shopId": "s", "wareId": "w", "stock": 9}

    def test_unless_it_must_be_new(self):
        with pytest.raises(RefusedError):
            run(WARE, op="put", condition="not exists", **OF_WARE)

    def test_an_item_that_expires_has_its_time_from_the_put(self):
        entities = {**SHOP["entities"], "User": {**SHOP["entities"]["User"], "ttl": "1d"}}
        call = Call(by={"userId": "new"}, now=100)
        after = run(call, more={"entities": entities}, op="put", entity="User", by=["userId"])
        assert after.get("User", ("new",)) == {"userId": "new", "expiresAt": 100 + 86_400}


class TestUpdates:
    def test_what_is_not_named_stays(self):
        call = Call(by=WARE.by, given={"Ware": {"note": None, "stock": 2}})
        after = run(call, op="update", changes=["note"], **OF_WARE)
        assert ware(after) == {"shopId": "s", "wareId": "w", "stock": 1}

    def test_kinds_of_changes(self):
        changes = {"stock": {"add": "-{qty}"}, "note": {"remove": True}, "shelf": "top", "sold": {"add": 2}}
        call = Call(by=WARE.by, slots={"qty": 0.75})
        after = run(call, op="update", changes=changes, **OF_WARE)
        assert ware(after) == {"shopId": "s", "wareId": "w", "stock": 0.25, "shelf": "top", "sold": 2}

    def test_what_is_not_there_is_refused(self):
        with pytest.raises(RefusedError):
            run(Call(by={"shopId": "s", "wareId": "none"}), op="update", changes={"stock": {"add": 1}}, **OF_WARE)

    def test_or_made(self):
        call = Call(by={"shopId": "s", "wareId": "none"})
        after = run(call, op="update", upsert=True, changes={"stock": {"add": 1}}, **OF_WARE)
        assert after.get("Ware", ("s", "none")) == {"shopId": "s", "wareId": "none", "stock": 1}

    def test_the_last_one_is_sold_once(self):
        sell = {"op": "update", "changes": {"stock": {"add": "-{qty}"}}, "when": "stock >= {qty}", **OF_WARE}
        call = Call(by=WARE.by, slots={"qty": 1})
        sold = run(call, **sell)
        assert ware(sold) == {"shopId": "s", "wareId": "w", "stock": 0, "note": "n"}
        with pytest.raises(RefusedError):
            run(call, sold, **sell)


class TestUnique:
    def test_each_alone(self):
        call = Call(by={"userId": "v"}, given={"User": {"email": "e"}})
        with pytest.raises(RefusedError):
            run(call, op="put", entity="User", by=["userId"])

    def test_its_own_value_is_free(self):
        call = Call(by={"userId": "u"}, given={"User": {"email": "e"}})
        run(call, op="put", entity="User", by=["userId"])

    def test_together(self):
        first = run(Call(by=WARE.by, given={"Ware": {"shelf": "a", "place": 1}}), op="put", **OF_WARE)
        other = {"shopId": "t", "wareId": "w"}
        run(Call(by=other, given={"Ware": {"shelf": "a"}}), first, op="put", **OF_WARE)
        with pytest.raises(RefusedError):
            run(Call(by=other, given={"Ware": {"shelf": "a", "place": 1}}), first, op="put", **OF_WARE)

    def test_across_entities(self):
        more = {"unique": [["Shop.handle", "User.email"]]}
        call = Call(by={"userId": "v"}, given={"User": {"email": "h"}})
        with pytest.raises(RefusedError):
            run(call, more=more, op="put", entity="User", by=["userId"])


class TestDeletes:
    def test_children_grandchildren_and_edges_go_along(self):
        after = run(Call(by={"shopId": "s"}), op="delete", entity="Shop", by=["shopId"])
        left = {name: len(items) for name, items in after.items.items()}
        assert left == {"Shop": 1, "User": 2, "Ware": 1, "Like": 1, "Part": 1, "Doc": 1}

    def test_edges_go_with_either_end(self):
        after = run(Call(by={"userId": "u"}), op="delete", entity="User", by=["userId"])
        assert not list(after.of("Like"))

    def test_without_cascade_nothing_else_goes(self):
        plain = [{**each, "cascade": False} for each in SHOP["relationships"]]
        call = Call(by={"shopId": "s"})
        after = run(call, more={"relationships": plain}, op="delete", entity="Shop", by=["shopId"])
        assert len(list(after.of("Ware"))) == 2

    def test_what_is_not_there_stays_away(self):
        facts = facts_with({}, op="delete", entity="Shop", by=["shopId"])
        before = state_of(facts.spec, STATE)
        assert apply(facts, facts.spec.patterns[0], before, Call(by={"shopId": "none"})).state == before


class TestTransactions:
    LIKE: dict[str, Any] = {
        "op": "transact",
        "entities": ["Like", "Shop"],
        "by": ["shopId", "userId"],
        "ops": {"Like": {"op": "put"}, "Shop": {"op": "update", "changes": {"likes": {"add": 1}}}},
        "condition": "not exists",
    }

    def test_whole(self):
        after = run(Call(by={"shopId": "s", "userId": "v"}), **self.LIKE)
        assert after.get("Shop", ("s",)) == {"shopId": "s", "handle": "h", "likes": 2}
        assert after.get("Like", ("s", "v")) is not None

    def test_or_not_at_all(self):
        with pytest.raises(RefusedError):
            run(Call(by={"shopId": "s", "userId": "u"}), **self.LIKE)

    def test_once_for_a_token(self):
        repeated = {**self.LIKE, "condition": "", "idempotent": True}
        call = Call(by={"shopId": "s", "userId": "u"}, token="t")
        after = run(call, run(call, **repeated), **repeated)
        assert after.get("Shop", ("s",)) == {"shopId": "s", "handle": "h", "likes": 2}


class TestParents:
    CHECKED: dict[str, Any] = {"relationships": [{**SHOP["relationships"][0], "integrity": "checked"}]}

    def test_a_child_needs_its_parent(self):
        run(WARE, more=self.CHECKED, op="put", **OF_WARE)
        with pytest.raises(RefusedError):
            run(Call(by={"shopId": "none", "wareId": "w"}), more=self.CHECKED, op="put", **OF_WARE)

    def test_which_the_same_transaction_may_put(self):
        both = {"entities": ["Shop", "Ware"], "by": ["shopId"], "ops": {"Shop": {"op": "put"}, "Ware": {"op": "put"}}}
        call = Call(by={"shopId": "new"}, lists={"Ware": ({"wareId": "1"}, {"wareId": "2"})})
        after = run(call, more=self.CHECKED, op="transact", **both)
        assert after.get("Ware", ("new", "2")) == {"shopId": "new", "wareId": "2"}


class TestVersions:
    DOC: dict[str, Any] = {"entity": "Doc", "by": ["docId"]}

    @pytest.mark.parametrize(("docId", "seen", "stored"), [("d", 3, 4), ("new", 0, 1)])
    def test_the_version_seen_is_raised(self, docId: str, seen: int, stored: int):  # noqa: N803 - a spec's name
        call = Call(by={"docId": docId}, versions={"Doc": seen})
        found = run(call, op="put", **self.DOC).get("Doc", (docId,))
        assert found == {"docId": docId, "version": stored}

    @pytest.mark.parametrize(("docId", "seen"), [("d", 2), ("d", 0), ("new", 1)])
    def test_another_is_refused(self, docId: str, seen: int):  # noqa: N803
        with pytest.raises(RefusedError):
            run(Call(by={"docId": docId}, versions={"Doc": seen}), op="put", **self.DOC)

    def test_updates_raise_it(self):
        call = Call(by={"docId": "d"}, given={"Doc": {"text": "y"}}, versions={"Doc": 3})
        after = run(call, op="update", changes=["text"], **self.DOC)
        assert after.get("Doc", ("d",)) == {"docId": "d", "text": "y", "version": 4}
