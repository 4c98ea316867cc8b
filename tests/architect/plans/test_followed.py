"""Copies of what changes, kept by the stream: where reads may be behind, priced as the function writes, and proven."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.plans.forms import go_together
from tablewright.design.layout.forms import Rewrite
from tablewright.design.read import design_data, read_design
from tablewright.design.steps.compile import compile_design
from tablewright.design.steps.following import Change, follow
from tablewright.engine import Engine
from tablewright.errors import DesignError
from tablewright.proof.database import add_units, create_tables, run_flow, run_write
from tablewright.proof.run import prove
from tablewright.spec.read import read_spec
from tablewright.wire.values import unmarshal_item
from tests.architect.plans.specs import offered
from tests.proof.offers import offers, offers_design

NAMES = "(Shop.name, Shop.motto, Shop.size)"
WAYS = [f"parents tagged {NAMES}", f"followed tagged {NAMES}"]


def changed(id_: str, **fields: Any) -> dict[str, Any]:
    """The spec with one pattern otherwise."""
    spec = offers()
    patterns = [{**each, **fields} if each["id"] == id_ else each for each in spec["access_patterns"]]
    return {**spec, "access_patterns": patterns}


def with_entity(name: str, **fields: Any) -> dict[str, Any]:
    spec = offers()
    return {**spec, "entities": {**spec["entities"], name: {**spec["entities"][name], **fields}}}


def ways(spec: dict[str, Any]) -> list[str]:
    return next(each for each in offered(spec) if WAYS[0] in each)


def test_where_reads_may_be_behind() -> None:
    assert ways(offers()) == WAYS
    assert ways(changed("rename", idempotent=True)) == WAYS
    few = with_entity("Offer", count=10_000)
    both = ways({**few, "relationships": [{**few["relationships"][0], "avg": 20, "max": 40}]})
    assert both == [WAYS[0], f"refreshed tagged {NAMES}", WAYS[1]]


@pytest.mark.parametrize(
    ("why", "spec"),
    [
        ("nobody says so", changed("tagged", stale=None)),
        ("a second is too little", changed("tagged", stale="1s")),
        ("the parent is replaced", changed("open", condition="")),
        ("the parent goes", changed("grow", op="delete", changes=None)),
        ("children have versions", with_entity("Offer", version=True)),
        ("copies are forbidden", with_entity("Offer", rewrites="none")),
        ("several regions write", {**offers(), "regions": ["us-east-1", "eu-west-1"]}),
        ("the child may have none", {**offers(), "relationships": []}),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_where_it_is_no_way(why: str, spec: dict[str, Any]) -> None:
    assert why
    assert ways(spec) == WAYS[:1]


def test_the_copies_of_a_parent_are_kept_in_one_way() -> None:
    late = Rewrite("followed", "tagged", ("Shop.name",))
    assert not go_together([late, Rewrite("refreshed", "other", ("Shop.motto",))])
    assert not go_together([late, Rewrite("split", "Shop", ("name",))])
    assert go_together([late, Rewrite("refreshed", "other", ("Town.name",))])


def test_stale_is_for_numbers_and_for_what_parents_have() -> None:
    with pytest.raises(DesignError, match=r"stale.*nor one in `returns`"):
        read_spec(changed("tagged", returns=["offerId"]))


def test_chosen_with_its_delay_told() -> None:
    made = design(offers(), explain=False)
    patterns = {each.id: each for each in made.patterns}
    assert [each.kind for each in made.rewrites if each.subject == "tagged"] == ["followed"]
    assert "up to about 6 s behind Shop" in patterns["tagged"].why
    assert "sets what Offer items keep of it" in patterns["rename"].why
    assert made.tables[0].stream == "NEW_AND_OLD_IMAGES"
    assert any("up to about 6 s behind the writes" in each for each in made.notes)
    assert [each.threshold for each in made.advice.monitoring.alarms if each.metric == "IteratorAge"] == [10_000]
    dear = design(changed("grow", rate=50), explain=False)
    assert not any(each.kind == "followed" for each in dear.rewrites)


def test_the_update_itself_stays_as_it_was() -> None:
    made = offers_design("plain")
    rename = next(each for each in made.patterns if each.id == "rename")
    assert (rename.transaction, rename.refreshes, rename.predicted.wcu) == (False, (), 1.0)
    (later,) = rename.followed
    assert later.given == {"shopName": "name", "shopMotto": "motto"}
    assert all(each.consistent for each in later.reads)


def test_the_price_is_what_the_function_takes() -> None:
    """One shop with as many offers as the spec says of the average one."""
    made = offers_design("plain")
    compiled, offers_of_one = compile_design(made), 200
    with Engine() as engine:
        create_tables(engine, made)
        shop = {"shopId": "s", "name": "n" * 20, "motto": "m" * 20, "size": 10}
        assert run_write(engine, compiled, "open", shop).result == "written"
        for at in range(offers_of_one):
            offer = {"shopId": "s", "offerId": f"o{at:03d}", "tag": "t" * 20, "price": 5}
            assert run_write(engine, compiled, "add", offer).result == "written"
        found = engine.call("Query", everything(made.tables[0].name, "s", made))["Items"]
        old = next(item for item in map(unmarshal_item, found) if item["_type"] == "Shop")
        assert run_write(engine, compiled, "rename", {"shopId": "s", "name": "another"}).result == "written"
        change = Change("1", old, {**old, "name": "another"})
        taken = add_units(run_flow(engine, follow(compiled.stored, compiled.following["offers"], [change], 0)))
    line = next(each for each in made.cost.patterns if each.pattern == "rename")
    assert sum(taken.values()) == pytest.approx(line.prediction.followed_wcu, rel=0.05)


def everything(table: str, shop: str, made: Any) -> dict[str, Any]:
    keys = next(each for each in made.items if each.name == "Shop").table_keys
    text = keys.pk[0].template.fill({"shopId": shop})
    return {
        "TableName": table,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": text}},
    }


@pytest.mark.parametrize("style", ["plain", "electrodb"])
def test_proven_also_when_it_was_read(style: str) -> None:
    assert prove(read_design(design_data(offers_design(style)))).failure == ""


def test_a_file_with_mistakes_in_it_is_told_where() -> None:
    content = design_data(offers_design("plain"))
    rename = next(each for each in content["patterns"] if each["id"] == "rename")
    rename["followed"][0]["given"] = {"shopName": "title"}
    with pytest.raises(DesignError, match=r"followed\[0\]\.given.*title"):
        read_design(content)
