"""Where numbers come from. Every sum here is done by hand, not by the functions that are tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablewright import tasks
from tablewright.errors import DesignError
from tablewright.spec.facts import Facts, assume
from tablewright.spec.numbers import assumptions_of, numbers_of
from tablewright.spec.quantities import Number
from tablewright.spec.read import read_spec
from tablewright.spec.volumes import cardinality, distinct, largest, matching
from tests.architect.designs import CASES

ROOT = Path(__file__).parents[2]
SPECS = [
    *sorted((ROOT / "examples/specs").glob("*.yaml")),
    *(ROOT / f"tests/architect/cases/{case}.yaml" for case in CASES),
    *(path for path in sorted((ROOT / "tests/trust/specs").glob("*.yaml")) if path.stem != "contradict"),
]
USER: dict[str, Any] = {"id": "userId", "attributes": {"email": {"required": True}}, "count": 5000}
GET: dict[str, Any] = {"id": "get", "kind": "get", "entity": "User", "by": "userId", "rate": 1}


def facts_of(entities: dict[str, Any], *patterns: dict[str, Any], **other: Any) -> Facts:
    return assume(read_spec({"entities": entities, "access_patterns": list(patterns), **other}))


def order(**attributes: Any) -> dict[str, Any]:
    return {"id": "orderId", "attributes": {"userId": {"required": True}, **attributes}, "count": 100_000}


# ---- values ---------------------------------------------------------------------------------------------------------


def test_a_foreign_key_has_as_many_values_as_there_are_parents() -> None:
    facts = facts_of({"User": USER, "Order": order()}, GET)
    assert matching(facts, "Order", ("userId",)) == 100_000 / 5000


def test_references_are_followed_whatever_they_are_called() -> None:
    facts = facts_of({"User": USER, "Order": order(buyer={"references": "User", "required": True})}, GET)
    assert cardinality(facts, "Order", "buyer") == 5000


@pytest.mark.parametrize(("name", "values"), [("deviceId", 5000), ("deviceNo", 100)])
def test_the_id_of_something_in_a_tenant_is_as_many_as_there_are_of_it(name: str, values: int) -> None:
    device = {"id": ["tenantId", name], "attributes": {"tenantId": {"cardinality": 20}}, "count": 5000}
    sample = {"id": [name, "at"], "attributes": {"at": "timestamp"}, "count": 1_000_000}
    facts = facts_of({"Device": device, "Sample": sample}, {**GET, "entity": "Device", "by": ["tenantId", name]})
    assert matching(facts, "Sample", (name,)) == 1_000_000 / values


def test_a_relationship_tells_how_long_a_list_is_and_the_longest() -> None:
    kin = {"from": "User", "to": "Order", "kind": "1:n", "avg": 40, "p99": 300, "max": 900}
    facts = facts_of({"User": USER, "Order": order(state={"values": ["open", "done"]})}, GET, relationships=[kin])
    assert matching(facts, "Order", ("userId",)) == 40  # of the half of the users who order at all
    assert largest(facts, "Order", ("userId",)) == 900
    assert largest(facts, "Order", ("userId", "state")) == 450
    assert largest(facts, "Order", ("state",)) is None


def test_an_item_can_have_a_parent_of_its_own_kind() -> None:
    thing = {"id": "thingId", "attributes": {"parentId": {"presence": "60%"}}, "count": 1_000_000}
    kin = {"from": "Thing", "to": "Thing", "kind": "1:n", "by": "parentId", "avg": 3, "max": 1000}
    get = {**GET, "entity": "Thing", "by": "thingId"}
    facts = facts_of({"Thing": thing}, get, relationships=[kin])
    assert cardinality(facts, "Thing", "parentId") == 200_000  # 600,000 with a parent, 3 for each
    assert matching(facts, "Thing", ("parentId",)) == pytest.approx(3)


def test_what_is_unique_has_a_value_for_every_item() -> None:
    facts = facts_of({"User": {**USER, "unique": "email"}}, GET)
    assert matching(facts, "User", ("email",)) == 1


def test_only_items_that_have_it_are_in_a_list() -> None:
    facts = facts_of({"User": {**USER, "attributes": {"plan": {"presence": "10%", "cardinality": 5}}}}, GET)
    assert matching(facts, "User", ("plan",)) == 100


def test_numbers_at_the_end_of_an_id_begin_anew() -> None:
    line = {"id": ["orderId", "line"], "attributes": {"orderId": {}, "line": "number"}, "count": 300_000}
    facts = facts_of({"Order": order(), "Line": line, "User": USER}, GET)
    assert cardinality(facts, "Line", "line") == 3
    assert distinct(facts, "Line", ("orderId", "line")) == 300_000


# ---- the calendar ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ({"growth": "5M/month"}, 365),  # 60 M / 5 M = 12 months
        ({"ttl": "30d"}, 32),  # deleted within two days
        ({}, 365),  # a guess
    ],
)
def test_a_date_has_as_many_values_as_there_are_days(said: dict[str, Any], days: int) -> None:
    sale = {"id": "saleId", "attributes": {"day": "date", "month": "string"}, "count": 60_000_000, **said}
    facts = facts_of({"Sale": sale}, {**GET, "entity": "Sale", "by": "saleId"})
    assert cardinality(facts, "Sale", "day") == pytest.approx(days, rel=0.001)
    assert cardinality(facts, "Sale", "month") == pytest.approx(days / 30.4167, rel=0.001)


def test_what_is_put_tells_how_old_the_oldest_is() -> None:
    put = {"id": "put", "kind": "write", "op": "put", "entity": "Sale", "by": "saleId", "condition": "not exists"}
    sale = {"id": "saleId", "attributes": {"day": "date"}, "count": 864_000}
    facts = facts_of({"Sale": sale}, {**put, "rate": 1})
    assert cardinality(facts, "Sale", "day") == pytest.approx(10)  # 86,400 a day


def test_a_put_that_nobody_gave_a_rate_is_as_frequent_as_there_are_more() -> None:
    user = {**USER, "growth": "2628000/month"}
    (number,) = [each for each in numbers_of(facts_of({"User": user}, GET)) if each.place.endswith("put User.rate")]
    assert (number.value, number.origin) == (1.0, "derived")


# ---- origins --------------------------------------------------------------------------------------------------------


def origins(facts: Facts) -> dict[str, str]:
    return {each.place: each.origin for each in numbers_of(facts)}


def test_every_number_has_its_origin() -> None:
    by_plan = {"id": "by", "kind": "query", "entity": "User", "by": "plan", "rate": {"avg": 2, "peak": 9}}
    user = {**USER, "attributes": {"plan": "string", "email": {"size_bytes": 40, "required": True}}}
    assert origins(facts_of({"User": user}, by_plan, {**GET, "rate": None})) == {
        "entities.User.count": "given",
        "access_patterns.by.rate": "given",
        "access_patterns.by.rate.peak": "given",
        "access_patterns.get.rate": "assumed",
        "access_patterns.get.rate.peak": "assumed",
        "access_patterns.put User.rate": "assumed",
        "access_patterns.put User.rate.peak": "assumed",
        "entities.User.size_bytes": "assumed",
        "entities.User.attributes.userId.cardinality": "derived",
        "entities.User.attributes.plan.cardinality": "assumed",
        "entities.User.attributes.plan.presence": "assumed",
    }


def test_other_values_can_be_taken_for_what_is_assumed() -> None:
    spec = read_spec({"entities": {"User": {"id": "userId"}}, "access_patterns": [{**GET, "rate": None}]})
    for each in assumptions_of(assume(spec)):
        if each.value is not None and each.place != "access_patterns.rate.peak":
            then = assume(spec, {each.place: each.value * 10})
            assert Number(each.place, each.value * 10, "assumed") in [
                Number(other.place, other.value, other.origin) for other in numbers_of(then)
            ]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_nothing_is_guessed_in_silence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every guess that is asked for while a design is made stands in its list of assumptions."""
    asked: set[str] = set()
    guess = Facts.guess

    def noting(self: Facts, place: str, usual: float) -> float:
        asked.add(place)
        return guess(self, place, usual)

    monkeypatch.setattr(Facts, "guess", noting)
    design = tasks.design(path, quick=True)
    spec = read_spec(design.spec)
    own = {
        place
        for place in asked
        if place.split(".")[1] in spec.entities or any(place.split(".")[1] == each.id for each in spec.patterns)
    }
    listed = {each.place for each in (*design.assumptions, *design.cost.assumptions)}
    used = {place for place in own if not _is_never_asked(spec, place)}
    assert used - listed == set()


def _is_never_asked(spec: Any, place: str) -> bool:
    """Values and presence of attributes that no read names are looked at while plans are made, and used by none."""
    parts = place.split(".")
    if parts[0] != "entities" or parts[-1] not in ("cardinality", "presence"):
        return False
    reads = [each for each in spec.reads if parts[1] in each.entities]
    named = {name for each in reads for name in (*each.by, *each.filter, *(sort.attr for sort in each.sort))}
    named |= {each.range.attr for each in reads if each.range is not None}
    return parts[3] not in named


# ---- parents whose ids have several parts ---------------------------------------------------------------------------

REPO: dict[str, Any] = {"id": ["ownerName", "repoName"], "attributes": {"stars": "number"}, "count": 1_000_000}
REPO_GET: dict[str, Any] = {"id": "repo", "kind": "get", "entity": "Repo", "by": ["ownerName", "repoName"], "rate": 1}


def issues_of(names: tuple[str, str], **relationship: Any) -> Facts:
    attributes = {name: {"required": True} for name in names}
    issue = {"id": "issueId", "attributes": attributes, "count": 50_000_000}
    related = {"from": "Repo", "to": "Issue", "kind": "1:n", "avg": 50, **relationship}
    return facts_of({"Repo": REPO, "Issue": issue}, REPO_GET, relationships=[related])


@pytest.mark.parametrize(
    ("names", "by"),
    [
        (("ownerName", "repoName"), {}),
        (("repoOwnerName", "repoName"), {}),
        (("login", "project"), {"by": ["login", "project"]}),
    ],
)
def test_a_child_that_holds_all_parts_of_an_id_has_the_numbers_of_the_parent(
    names: tuple[str, str], by: dict[str, Any]
) -> None:
    facts = issues_of(names, **by)
    assert matching(facts, "Issue", names) == 50
    assert distinct(facts, "Issue", names) == 1_000_000
    assert cardinality(facts, "Issue", names[0]) == cardinality(facts, "Repo", "ownerName") == 100
    assert cardinality(facts, "Issue", names[1]) == cardinality(facts, "Repo", "repoName") == 1_000_000


def test_some_parts_of_a_parents_id_have_the_numbers_that_they_have_there() -> None:
    issue = {"id": ["ownerName", "repoName", "number"], "attributes": {"number": "number"}, "count": 50_000_000}
    comment = {"id": "commentId", "attributes": {"o": {}, "r": {}, "n": "number"}, "count": 500_000_000}
    related = {"from": "Issue", "to": "Comment", "kind": "1:n", "avg": 10, "by": ["o", "r", "n"]}
    facts = facts_of({"Repo": REPO, "Issue": issue, "Comment": comment}, REPO_GET, relationships=[related])
    assert matching(facts, "Comment", ("o", "r", "n")) == 10
    assert matching(facts, "Comment", ("o", "r")) == 500


def test_numbers_of_children_that_name_no_parent_are_refused() -> None:
    with pytest.raises(DesignError, match="which attributes of Issue hold the id of Repo"):
        issues_of(("login", "project"))
