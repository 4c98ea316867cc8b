"""Key templates: filling, cutting, and the comparisons that find what was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.design.values.templates import (
    HIGHEST,
    LOWEST,
    Comparison,
    Path,
    Template,
    compare_at,
    slot,
    under,
    under_lead,
)
from tablewright.expr.nodes import Slot

STAFF = Template("$Staff_1", "#team_", Slot("team"), "#date_", Slot("date"))
TASK = Template("$work#task_", Slot("task"), "#Comment_1", "#at_", Slot("at"))
TEXTS = st.text(alphabet=st.characters(exclude_characters="{}"), max_size=8)
NAMES = st.text(alphabet=st.characters(exclude_characters="{}"), min_size=1, max_size=8)


@given(st.lists(st.one_of(TEXTS, NAMES.map(Slot)), max_size=6))
def test_what_is_written_is_read_back(parts: list[str | Slot]) -> None:
    template = Template(*parts)
    assert Template.parse(str(template)) == template
    assert hash(Template.parse(str(template))) == hash(template)


@pytest.mark.parametrize("text", ["", "{}", "a{b", "a}b", "{a{b}", "{{x}}", "}{", "{*}", "{old.status}"])
def test_braces_that_hold_no_name_are_text(text: str) -> None:
    assert str(Template.parse(text)) == text


def test_a_template_of_nothing_but_a_slot_is_the_value_itself() -> None:
    assert Template.parse("{orderId}") == slot("orderId")
    assert slot("orderId").only_name == "orderId"
    assert Template.parse("ORDER#{orderId}").only_name is None
    assert Template.parse("ORDER").only_name is None


@given(NAMES, st.one_of(st.none(), NAMES))
def test_paths_are_written_and_read(name: str, entry: str | None) -> None:
    path = Path(name) if entry is None else Path(name, Slot(entry))
    assert Path.parse(str(path)) == path
    assert path.name == name


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
    assert str(TASK) == "$work#task_{task}#Comment_1#at_{at}"
    assert TASK.names == ("task", "at")
    assert str(TASK.rename({"at": "when"})) == "$work#task_{task}#Comment_1#at_{when}"
    assert str(TASK.put({"at": "now"})) == "$work#task_{task}#Comment_1#at_now"


def test_what_lies_under_given_attributes() -> None:
    assert under(STAFF, 0, whole=False) == Comparison("begins_with", Template.parse("$Staff_1#team_"))
    assert under(STAFF, 1, whole=False) == Comparison("begins_with", Template.parse("$Staff_1#team_{team}#date_"))
    assert under(STAFF, 2, whole=False) == Comparison("=", STAFF)
    whole = under(STAFF, 0, whole=True)
    assert whole == Comparison(
        "between", Template.parse("$Staff_1#team_" + LOWEST), Template.parse("$Staff_1#team_" + HIGHEST)
    )


def test_a_prefix_ends_with_the_delimiter() -> None:
    """Task 1 is no task 10."""
    assert under_lead(TASK, 1) == Comparison("begins_with", Template.parse("$work#task_{task}#"))


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
    comparison = compare_at(STAFF, 0, operator)
    values = {"value": "b", "from": "b", "to": "c"}
    low, high = (each.fill(values) for each in (comparison.low, comparison.high or comparison.low))
    keys = {team: STAFF.fill({"team": team, "date": "2026"}) for team in ("a", "b", "b2", "c", "d")}
    inside = {
        "begins_with": lambda key: key.startswith(low),
        "between": lambda key: low <= key <= high,
    }[comparison.operator]
    assert [team for team, key in keys.items() if inside(key)] == found
