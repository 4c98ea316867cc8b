"""Copies of what changes, kept by transaction: where all children fit into one, proven, taken where it is cheaper."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.plans.forms import go_together
from tablewright.codegen.appsync import hindrances as appsync
from tablewright.codegen.electrodb.writes import write_call
from tablewright.codegen.stepfunctions import hindrances as stepfunctions
from tablewright.codegen.targets import find_refusals
from tablewright.design.layout.forms import Rewrite
from tablewright.design.read import design_data, read_design
from tablewright.design.steps.compile import compile_design
from tablewright.errors import DesignError
from tablewright.proof.run import prove
from tests.architect.plans.specs import offered

TEAM: dict[str, Any] = {"id": "teamId", "attributes": {"name": {"required": True}, "motto": "string"}, "count": 2000}
PLAYER: dict[str, Any] = {
    "id": "playerId",
    "attributes": {"teamId": {"required": True}, "goals": "integer"},
    "count": 40_000,
}
RELATION: dict[str, Any] = {
    "from": "Team",
    "to": "Player",
    "kind": "1:n",
    "avg": 20,
    "max": 40,
    "integrity": "checked",
}
ONE: dict[str, Any] = {
    "id": "one",
    "kind": "get",
    "entity": "Player",
    "by": "playerId",
    "returns": ["goals", "Team.name"],
    "rate": 200,
}
SIGN: dict[str, Any] = {"id": "sign", "kind": "write", "op": "put", "entity": "Player", "by": "playerId", "rate": 0.05}
LEAVE: dict[str, Any] = {**SIGN, "id": "leave", "op": "delete"}
FOUND: dict[str, Any] = {**SIGN, "id": "found", "entity": "Team", "by": "teamId", "condition": "not exists"}
RENAME: dict[str, Any] = {**SIGN, "id": "rename", "op": "update", "entity": "Team", "by": "teamId", "changes": ["name"]}
WAYS = ["parents one (Team.name)", "refreshed one (Team.name)"]


def league(*patterns: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {
        "name": "league",
        "entities": {"Team": TEAM, "Player": PLAYER},
        "relationships": [RELATION],
        "access_patterns": [ONE, *(patterns or (SIGN, LEAVE, FOUND, RENAME))],
        **parts,
    }


def related(**fields: Any) -> dict[str, Any]:
    return league(relationships=[{**RELATION, **fields}])


def ways(spec: dict[str, Any]) -> list[str]:
    return next(each for each in offered(spec) if WAYS[0] in each)


def test_where_every_child_fits_into_one_transaction() -> None:
    assert ways(league()) == WAYS
    assert ways(related(max=90)) == WAYS


@pytest.mark.parametrize(
    ("why", "spec"),
    [
        ("nobody says how many there are", related(max=None)),
        ("there are too many", related(max=91)),
        ("each may have a second item", {**related(max=46), "constraints": {"copies": "any"}}),
        ("the child may have none", related(integrity="none")),
        ("the parent is replaced", league(SIGN, {**FOUND, "condition": ""}, RENAME)),
        ("the parent may be made", league(SIGN, FOUND, {**RENAME, "upsert": True})),
        ("a token is remembered", league(SIGN, FOUND, {**RENAME, "idempotent": True})),
        ("the parent goes", league(SIGN, FOUND, RENAME, {**RENAME, "id": "end", "op": "delete", "changes": None})),
        ("children expire", league(entities={"Team": TEAM, "Player": {**PLAYER, "ttl": "30d"}})),
        ("children have versions", league(entities={"Team": TEAM, "Player": {**PLAYER, "version": True}})),
        ("the child gets another", league(SIGN, FOUND, RENAME, {**LEAVE, "op": "update", "changes": ["teamId"]})),
        ("copies are forbidden", league(entities={"Team": TEAM, "Player": {**PLAYER, "rewrites": "none"}})),
        ("several regions write", league(regions=["us-east-1", "eu-west-1"])),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_where_it_is_no_way(why: str, spec: dict[str, Any]) -> None:
    assert why
    assert ways(spec) == WAYS[:1]


def test_what_never_changes_needs_no_refreshing() -> None:
    assert ways(league(SIGN, LEAVE, FOUND)) == [WAYS[0], "copied one (Team.name)"]


def test_it_goes_with_no_form_that_takes_child_or_attribute_apart() -> None:
    kept = Rewrite("refreshed", "one", ("Team.name",))
    assert not go_together([kept, Rewrite("embed", "Player", ("Team",))])
    assert not go_together([kept, Rewrite("split", "Team", ("name",))])


# ---- chosen, written out and proven ---------------------------------------------------------------------------------


def test_chosen_where_it_costs_less_than_reading_the_parents() -> None:
    made = design(league(), explain=False)
    (way,) = [each for each in made.rewrites if each.kind == "refreshed"]
    patterns = {each.id: each for each in made.patterns}
    dear = design(league(SIGN, LEAVE, FOUND, {**RENAME, "rate": 20}), explain=False)
    assert way.attributes == ("Team.name",)
    assert not any(each.kind == "refreshed" for each in dear.rewrites)
    assert "updates of Team set in their own transaction" in patterns["one"].why
    assert "All Player items that keep copies" in patterns["rename"].why
    assert any(each.startswith("rename: writes every Player") for each in made.notes)


def test_the_update_is_one_transaction_with_all_children_and_their_number() -> None:
    made = design(league(), explain=False)
    rename = next(each for each in made.patterns if each.id == "rename")
    (along,) = rename.refreshes
    (check,) = along.checks
    assert rename.transaction
    assert (along.entity, along.by, along.given) == ("Player", {"teamId": "teamId"}, {"teamName": "name"})
    assert [(each.operation, each.item) for each in along.writes] == [("UpdateItem", "Player")]
    assert str(check.condition) == "attribute_not_exists(total) OR total = {_found}"
    assert rename.predicted.wcu == pytest.approx(2 + 20 * 2 + 2)


def test_a_put_demands_the_parent_as_it_was_read() -> None:
    sign = next(each for each in design(league(), explain=False).patterns if each.id == "sign")
    (check,) = [each for each in sign.writes if each.operation == "ConditionCheck"]
    assert check.seen == {"name": "teamName"}


def test_a_design_that_was_read_is_proven_as_well() -> None:
    made = design(league(), explain=False)
    assert prove(read_design(design_data(made))).failure == ""


def test_a_file_with_mistakes_in_it_is_told_where() -> None:
    content = design_data(design(league(), explain=False))
    rename = next(each for each in content["patterns"] if each["id"] == "rename")
    rename["refreshes"][0]["given"] = {"teamName": "title"}
    with pytest.raises(DesignError, match=r"refreshes\[0\]\.given.*title"):
        read_design(content)


def test_targets_that_cannot_carry_it_say_so() -> None:
    made = design(league(), explain=False)
    compiled, rename = compile_design(made), next(each for each in made.patterns if each.id == "rename")
    why = "it writes all items along that keep copies of its own"
    assert list(find_refusals(made, ["all"])) == ["lambda"]
    assert appsync.hindrance(compiled, "rename") == stepfunctions.hindrance(compiled, rename) == why
    assert write_call(made, rename, "rename") is None
