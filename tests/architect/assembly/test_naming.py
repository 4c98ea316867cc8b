"""Keys of both styles: what shares a partition, what a collection is called, and what a query of it asks for."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.architect.designer import design
from tablewright.architect.solution import solve
from tablewright.proof.run import prove

CHILD = {"id": ["orderId", "number"], "attributes": {"orderId": "string", "number": "string", "at": "timestamp"}}
ENTITIES: dict[str, Any] = {
    "Order": {"id": ["orderId"], "attributes": {"orderId": "string", "at": "timestamp"}},
    "Line": CHILD,
    "Payment": CHILD,
    "Note": CHILD,
}


def spec_of(*groups: list[str], **more: Any) -> dict[str, Any]:
    reads = [{"id": "+".join(group), "kind": "query", "by": ["orderId"], "entities": group, **more} for group in groups]
    single = [{"id": f"of-{name}", "kind": "query", "entity": name, "by": ["orderId"]} for name in ENTITIES]
    return {"name": "shop", "entities": ENTITIES, "access_patterns": [*reads, *single]}


def sort_keys(spec: dict[str, Any], style: Any) -> dict[str, str]:
    made = design(spec, key_style=style)
    return {item.name: item.keys[0].sk[0].text for item in made.items}


def questions(spec: dict[str, Any], style: Any) -> dict[str, str | None]:
    made = design(spec, key_style=style)
    return {each.id: str(step.sk[0].low) if step.sk else None for each in made.patterns for step in each.reads}


def test_what_is_read_together_is_a_collection() -> None:
    spec = spec_of(["Order", "Line"])
    assert sort_keys(spec, "electrodb") == {
        "Order": "$order#Order_1",
        "Line": "$order#Line_1#number_{number}",
        "Payment": "$Payment_1#number_{number}",
        "Note": "$Note_1#number_{number}",
    }
    assert questions(spec, "electrodb")["Order+Line"] == "$order#"


def test_collections_nest() -> None:
    spec = spec_of(["Order", "Line", "Payment", "Note"], ["Line", "Payment"])
    assert sort_keys(spec, "electrodb") == {
        "Order": "$order#Order_1",
        "Line": "$order#orderLinePayment#Line_1#number_{number}",
        "Payment": "$order#orderLinePayment#Payment_1#number_{number}",
        "Note": "$order#Note_1#number_{number}",
    }
    assert questions(spec, "electrodb")["Line+Payment"] == "$order#orderLinePayment#"


def test_what_does_not_nest_is_read_with_more_and_filtered() -> None:
    spec = spec_of(["Line", "Payment"], ["Payment", "Note"])
    solution = solve(spec)
    assert questions(spec, "electrodb") | {} == {
        "Line+Payment": "$order#orderLinePayment#",
        "Payment+Note": "$order#",
        "of-Order": "$Order_1",
        "of-Line": "$order#orderLinePayment#Line_1#number_",
        "of-Payment": "$order#orderLinePayment#Payment_1#number_",
        "of-Note": "$order#Note_1#number_",
    }
    (wider,) = solution.requests["Payment+Note"].filters
    assert wider.comparison == ("__edb_e__", "in", ("Payment", "Note"))
    assert solution.requests["Line+Payment"].filters == ()


def test_plain_labels_keep_strangers_out_of_a_partition() -> None:
    made = design(spec_of(["Order", "Line"]), key_style="plain")
    assert {item.name: item.keys[0].pk[0].text for item in made.items} == {
        "Order": "ORDER#{orderId}",
        "Line": "ORDER#{orderId}",
        "Payment": "ORDER.PAYMENT#{orderId}",
        "Note": "ORDER.NOTE#{orderId}",
    }


@pytest.mark.parametrize("style", ["electrodb", "plain"])
@pytest.mark.parametrize(
    "groups",
    [
        (["Order", "Line"],),
        (["Order", "Line", "Payment", "Note"], ["Line", "Payment"]),
        (["Line", "Payment"], ["Payment", "Note"]),
        (["Line", "Payment"], ["Order", "Note"], ["Order", "Line", "Payment", "Note"]),
    ],
    ids=lambda groups: "/".join("+".join(group) for group in groups),
)
def test_every_collection_answers_as_brute_force_does(groups: tuple[list[str], ...], style: Any) -> None:
    assert prove(design(spec_of(*groups), key_style=style), rounds=6).passed


@pytest.mark.parametrize("style", ["electrodb", "plain"])
def test_types_mixed_in_one_order(style: Any) -> None:
    made = design(spec_of(["Line", "Payment"], sort="at desc", absent="omit", limit=5), key_style=style)
    assert [len(each.reads) for each in made.patterns if each.id == "Line+Payment"] == [1]
    assert prove(made, rounds=6).passed


@pytest.mark.parametrize("absent", ["last", "first"])
def test_types_that_are_merged_because_some_lack_what_orders_them(absent: str) -> None:
    made = design(spec_of(["Line", "Payment"], sort="at desc", absent=absent, limit=5))
    (reads,) = [each.reads for each in made.patterns if each.id == "Line+Payment"]
    assert [each.merges is not None for each in reads].count(True) == 1
    assert prove(made, rounds=6).passed
