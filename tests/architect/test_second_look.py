"""What a rule warns of is searched for again without: taken where that costs little, else told with the reason."""

from __future__ import annotations

from typing import Any

from tablewright import tasks
from tablewright.design.model import Design
from tablewright.report.document import overview
from tablewright.report.text import plain_text


def comments(rate: float, **constraints: Any) -> dict[str, Any]:
    """The newest comments first: cheapest with the time in the table's key, which lets an id in twice (TW118)."""
    return {
        "name": "comments",
        "entities": {
            "Comment": {
                "id": ["postId", "commentId"],
                "attributes": {
                    "postId": {"cardinality": 1000},
                    "writtenAt": {"type": "timestamp", "required": True, "immutable": True},
                },
                "count": 10_000,
                "growth_per_month": 0,
                "size_bytes": 200,
            }
        },
        "access_patterns": [
            {
                "id": "newest",
                "kind": "query",
                "entity": "Comment",
                "by": "postId",
                "sort": "writtenAt desc",
                "limit": 10,
                "rate": rate,
            },
            {
                "id": "write",
                "kind": "write",
                "op": "put",
                "entity": "Comment",
                "by": ["postId", "commentId"],
                "rate": rate,
            },
        ],
        "constraints": constraints,
    }


def failed(design: Design) -> list[str]:
    return [each.id for each in design.advice.critique if not each.passed]


def test_a_design_without_the_warning_is_taken_where_it_costs_little() -> None:
    """0.01 writes a second are 26,280 a month; an index entry more for each is 2 cents with what it stores."""
    design = tasks.design(comments(0.01), quick=True)
    assert (failed(design), len(design.tables[0].gsis)) == ([], 1)
    (said,) = design.advice.tradeoffs
    assert said.startswith("$0.02 a month more than the cheapest design, of which TW118 warns: Comment: the key holds")
    assert "Up to $1.00 a month or 0.5% of the bill" in said
    assert f"{len(design.advice.critique)} checks, none remains." in plain_text(overview(design))


def test_what_is_too_dear_to_avoid_stays_with_its_price() -> None:
    """500 index entries a second more are 1.3 billion write units a month at $0.625 a million: $821.25."""
    design = tasks.design(comments(500), quick=True)
    assert (failed(design), design.advice.tradeoffs) == (["TW118"], ())
    assert "costs $821.25 a month more" in design.advice.reconsidered["TW118"]
    shown = plain_text(overview(design))
    assert f"{len(design.advice.critique)} checks, 1 remains: TW118." in shown
    assert "$821.25 a month more" in shown


def test_what_no_design_does_without_is_said_to() -> None:
    """With no index allowed, only the time in the table's key puts the newest first."""
    design = tasks.design(comments(0.01, max_gsis=0), quick=True)
    assert design.advice.reconsidered["TW118"] == "Forbidden once: no design without it."


def test_whoever_wants_the_fewest_indexes_gets_none_for_a_warning() -> None:
    design = tasks.design(comments(0.01), minimise="gsis", quick=True)
    assert (failed(design), len(design.tables[0].gsis)) == (["TW118"], 0)


def test_keys_that_are_in_use_stay() -> None:
    before = tasks.design(comments(500), quick=True)
    design = tasks.design(comments(0.01), keep=before, quick=True)
    assert (failed(design), design.advice.reconsidered) == (["TW118"], {"TW118": "Keys that are in use stay."})


def test_tables_of_their_own_keep_the_name_of_the_application_in_their_keys() -> None:
    spec = comments(0.01)
    spec["entities"]["Author"] = {"id": "authorId", "count": 100}
    spec["access_patterns"].append({"id": "author", "kind": "get", "entity": "Author", "by": "authorId", "rate": 1})
    design = tasks.design(spec, tables="several", quick=True)
    assert (len(design.tables), failed(design), len(design.advice.tradeoffs)) == (2, [], 1)
    keys = [str(part.template) for item in design.items for each in item.keys for part in each.pk]
    assert all(each.startswith("$comments#") for each in keys)
