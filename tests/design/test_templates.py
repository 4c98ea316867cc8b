"""Key templates: filling, cutting, and the comparisons that find what was written."""

from __future__ import annotations

import pytest

from tablewright.design.templates import (
    HIGHEST,
    LOWEST,
    Comparison,
    Part,
    Template,
    compared,
    fields_in,
    named_as,
    under,
    under_lead,
)

STAFF = Template("sk", (Part("$Staff_1"), Part("#team_", "team"), Part("#date_", "date")))
TASK = Template("sk", (Part("$work#task_", "task"), Part("#Comment_1"), Part("#at_", "at")))


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"team": "a", "date": "2026"}, "$Staff_1#team_a#date_2026"),
        ({"team": "a"}, "$Staff_1#team_a#date_"),
        ({"date": "2026"}, "$Staff_1#team_"),
    ],
)
def test_a_key_ends_where_its_first_absent_attribute_would_stand(values: dict[str, str], text: str) -> None:
    assert STAFF.fill(values) == text


def test_the_text_is_what_people_write() -> None:
    assert TASK.text == "$work#task_{task}#Comment_1#at_{at}"
    assert fields_in(TASK.text) == TASK.attributes == ("task", "at")
    assert named_as(TASK.text, {"at": "when"}) == "$work#task_{task}#Comment_1#at_{when}"


def test_what_lies_under_given_attributes() -> None:
    assert under(STAFF, 0, whole=False) == Comparison("begins_with", "$Staff_1#team_")
    assert under(STAFF, 1, whole=False) == Comparison("begins_with", "$Staff_1#team_{team}#date_")
    assert under(STAFF, 2, whole=False) == Comparison("=", STAFF.text)
    whole = under(STAFF, 0, whole=True)
    assert whole == Comparison("between", "$Staff_1#team_" + LOWEST, "$Staff_1#team_" + HIGHEST)


def test_a_prefix_ends_with_the_delimiter() -> None:
    """Task 1 is no task 10."""
    assert under_lead(TASK, 1) == Comparison("begins_with", "$work#task_{task}#")


@pytest.mark.parametrize(
    ("operator", "found"),
    [
        ("between", ["b", "b2", "c"]),
        ("gte", ["b", "b2", "c", "d"]),
        ("gt", ["b2", "c", "d"]),
        ("lte", ["a", "b"]),
        ("begins_with", ["b", "b2"]),
    ],
)
def test_comparisons_of_an_attribute_that_more_follows(operator: str, found: list[str]) -> None:
    comparison = compared(STAFF, 0, operator)
    values = {"value": "b", "from": "b", "to": "c"}
    low, high = (text.format_map(values) for text in (comparison.low, comparison.high))
    keys = {team: STAFF.fill({"team": team, "date": "2026"}) for team in ("a", "b", "b2", "c", "d")}
    inside = {
        "begins_with": lambda key: key.startswith(low),
        "between": lambda key: low <= key <= high,
    }[comparison.operator]
    assert [team for team, key in keys.items() if inside(key)] == found
