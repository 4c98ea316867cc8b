"""Answers go into the text of a spec; everything else in it stays as somebody wrote it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.errors import DesignError
from tablewright.spec.text_edit import edit_spec

SPEC = """\
# my shop
name: shop
entities:
  Order:   # what people buy
    id: [orderId]
    attributes: {orderId: string}  # more to come

  # people
  User: {id: [u], attributes: {status: string}}
  Empty:
relationships:
- {from: User, to: Order, kind: one-to-many}
access_patterns:
  - id: AP1   # the first
    kind: get
    description: >
      long
      text

  # the second
  - {id: AP2, kind: query, rate: 3}
constraints: {}
"""


@pytest.mark.parametrize(
    ("place", "value", "before", "after"),
    [
        ("entities.Order.count", 5, "# more to come\n", "# more to come\n    count: 5\n"),
        ("entities.User.count", 10.5, "{status: string}}", "{status: string}, count: 10.5}"),
        ("entities.Empty.count", 5, "Empty:\n", "Empty: {count: 5}\n"),
        ("relationships[0].avg", 7, "one-to-many}", "one-to-many, avg: 7}"),
        ("access_patterns.AP2.rate", {"avg": 3, "peak": 9}, "rate: 3}", "rate: {avg: 3, peak: 9}}"),
        ("access_patterns[1].rate", 4, "rate: 3}", "rate: 4}"),
        ("access_patterns.AP2.rate.peak", 9, "rate: 3}", "rate: {avg: 3, peak: 9}}"),
        ("access_patterns.AP1.rate.avg", 9, "      text\n", "      text\n    rate: {avg: 9}\n"),
        (
            "entities.User.attributes.status.values",
            ["a b", "yes"],
            "status: string",
            'status: {type: string, values: [a b, "yes"]}',
        ),
        ("constraints.tables", "any", "constraints: {}", "constraints: {tables: any}"),
        ("billing.pitr", False, "constraints: {}\n", "constraints: {}\nbilling: {pitr: false}\n"),
        (
            "access_patterns.new-one",
            {"kind": "get", "by": ["a"]},
            "kind: query, rate: 3}\n",
            "kind: query, rate: 3}\n  - {id: new-one, kind: get, by: [a]}\n",
        ),
        ("name", "my: shop", "name: shop", 'name: "my: shop"'),
    ],
)
def test_one_place_changes(place: str, value: Any, before: str, after: str) -> None:
    assert SPEC.count(before) == 1
    assert edit_spec(SPEC, {place: value}) == SPEC.replace(before, after)


def test_several_changes_and_what_they_come_to() -> None:
    text = edit_spec(
        SPEC, {"entities.Order.count": 1, "entities.Order.ttl": {"days": 30}, "access_patterns.AP1.rate": 2}
    )
    content = yaml.safe_load(text)
    assert content["entities"]["Order"] == {
        "id": ["orderId"],
        "attributes": {"orderId": "string"},
        "count": 1,
        "ttl": {"days": 30},
    }
    assert content["access_patterns"][0]["rate"] == 2
    assert [line for line in SPEC.splitlines() if "#" in line] == [line for line in text.splitlines() if "#" in line]


def test_json_stays_json() -> None:
    text = '{\n  "name": "x",\n  "entities": {"A": {"id": ["a"]}}\n}\n'
    changed = edit_spec(text, {"entities.A.count": 3, "constraints.tables": "any"})
    assert '"A": {"id": ["a"], "count": 3}' in changed
    assert '"constraints": {"tables": "any"}' in changed


def test_a_pattern_is_added_to_a_list_in_one_line() -> None:
    assert edit_spec("access_patterns: [{id: A}]\n", {"access_patterns.B": {"kind": "get"}}) == (
        "access_patterns: [{id: A}, {id: B, kind: get}]\n"
    )
    assert edit_spec('{"access_patterns": []}', {"access_patterns.B": {"kind": "get"}}) == (
        '{"access_patterns": [{"id": "B", "kind": "get"}]}'
    )


@pytest.mark.parametrize("place", ["relationships[7].avg", "access_patterns.AP9.rate"])
def test_a_place_that_is_not_there_is_refused(place: str) -> None:
    with pytest.raises(DesignError, match="no place"):
        edit_spec(SPEC, {place: 1})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1), inner, max_size=3),
    max_leaves=5,
)


@given(value=VALUES, place=st.sampled_from(["entities.Order.notes", "entities.User.notes", "name", "new.one"]))
@settings(max_examples=60, deadline=None)
def test_any_value_is_read_back(value: Any, place: str) -> None:
    content = yaml.safe_load(edit_spec(SPEC, {place: value}))
    for step in place.split("."):
        content = content[step]
    assert content == value
