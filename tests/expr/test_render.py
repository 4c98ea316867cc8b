from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.expr.nodes import (
    Add,
    And,
    Between,
    Compare,
    Condition,
    Delete,
    Function,
    IfNotExists,
    In,
    ListAppend,
    Minus,
    Name,
    Not,
    Or,
    Plus,
    Remove,
    Set,
    Size,
    Update,
    Value,
)
from tablewright.expr.parse import parse_condition, parse_projection, parse_update
from tablewright.expr.render import Placeholders, render_condition, render_projection, render_update
from tests.expr.strategies import conditions, fields, names, updates

A, B, C = (Compare("=", Name((field,)), Value(number)) for number, field in enumerate("abc"))
DEPTH = 10_000


def condition_text(node: Condition) -> str:
    return render_condition(node, Placeholders())


def update_text(update: Update) -> str:
    return render_update(update, Placeholders())


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (A, "#a = :a0"),
        (Compare("<>", Value(1), Name(("a",))), ":a0 <> #a"),
        (Compare(">", Size(Name(("log",))), Value(3)), "size(#log) > :log0"),
        (Compare("=", Name(("log", 0, "by")), Value("me")), "#log[0].#by = :by0"),
        (Compare("=", Name(("log", 0)), Value("me")), "#log[0] = :log0"),
        (Compare("=", Name(("a",)), Value(1, "why")), "#a = :why0"),
        (Compare("=", Value(1), Value(2)), ":p0 = :p1"),
        (Between(Name(("n",)), Value(1), Value(2)), "#n BETWEEN :n0 AND :n1"),
        (In(Name(("n",)), (Value(1), Value(1), Name(("m",)))), "#n IN (:n0, :n1, #m)"),
        (Function("attribute_exists", (Name(("a",)),)), "attribute_exists(#a)"),
        (Function("begins_with", (Name(("a",)), Value("x"))), "begins_with(#a, :a0)"),
        (And((A, B, C)), "#a = :a0 AND #b = :b0 AND #c = :c0"),
        (And((And((A, B)), C)), "(#a = :a0 AND #b = :b0) AND #c = :c0"),
        (Or((And((A, B)), C)), "#a = :a0 AND #b = :b0 OR #c = :c0"),
        (And((Or((A, B)), C)), "(#a = :a0 OR #b = :b0) AND #c = :c0"),
        (Or((Or((A, B)), C)), "(#a = :a0 OR #b = :b0) OR #c = :c0"),
        (Not(A), "NOT #a = :a0"),
        (Not(Not(A)), "NOT NOT #a = :a0"),
        (Not(And((A, B))), "NOT (#a = :a0 AND #b = :b0)"),
        (And((Or((A,)), B)), "#a = :a0 AND #b = :b0"),
        (And((Or((Or((A, B)),)), C)), "(#a = :a0 OR #b = :b0) AND #c = :c0"),
    ],
)
def test_conditions(node: Condition, text: str) -> None:
    assert condition_text(node) == text


@pytest.mark.parametrize(
    ("update", "text"),
    [
        (Update(set=(Set(Name(("a",)), Value(1)), Set(Name(("b",)), Name(("a",))))), "SET #a = :a0, #b = #a"),
        (Update(set=(Set(Name(("a",)), Plus(Name(("a",)), Value(1))),)), "SET #a = #a + :a0"),
        (Update(set=(Set(Name(("a",)), Minus(IfNotExists(Name(("a",)), Value(0)), Value(1))),)),
         "SET #a = if_not_exists(#a, :a0) - :a1"),
        (Update(set=(Set(Name(("m", "l")), ListAppend(Name(("m", "l")), Value([1]))),)),
         "SET #m.#l = list_append(#m.#l, :l0)"),
        (
            Update(
                delete=(Delete(Name(("d",)), Value({1})),),
                add=(Add(Name(("c",)), Value(1)),),
                remove=(Remove(Name(("b",))), Remove(Name(("l", 2)))),
                set=(Set(Name(("a",)), Value(1)),),
            ),
            "SET #a = :a0 REMOVE #b, #l[2] ADD #c :c0 DELETE #d :d0",
        ),
        (Update(), ""),
    ],
)  # fmt: skip
def test_updates(update: Update, text: str) -> None:
    assert update_text(update) == text


def test_one_request_shares_names_and_numbers_values() -> None:
    placeholders = Placeholders()
    update = render_update(Update(set=(Set(Name(("status",)), Value("open")),)), placeholders)
    condition = render_condition(Compare("=", Name(("status",)), Value("new")), placeholders)
    assert (update, condition) == ("SET #status = :status0", "#status = :status1")
    assert placeholders.names == {"#status": "status"}
    assert placeholders.values == {":status0": "open", ":status1": "new"}


def test_fields_that_clean_to_the_same_text_stay_apart() -> None:
    placeholders = Placeholders()
    given = ["a-", "a", "a_2", "a+", "a-", "-", "é", "p"]
    written = [placeholders.name((field,)) for field in given]
    assert written == ["#a", "#a_2", "#a_2_2", "#a_3", "#a", "#p", "#p_2", "#p_3"]
    assert [placeholders.names[text] for text in written] == given


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("1-", "#p1"), ("1 2", "#p12"), ("8é", "#p8"), ("0x1F-", "#p0x1F"), ("1e3-", "#p1e3"), ("1", "#1"),
        ("-2", "#2"), ("1.5", "#15"), ("+3", "#3"), (" 7", "#7"), ("1e-3", "#1e3"), ("9_-", "#9_"), ("a1-", "#a1"),
    ],
)  # fmt: skip
def test_a_name_that_turns_into_a_number_is_spelt_as_electrodb_spells_it(field: str, text: str) -> None:
    assert Placeholders().name((field,)) == text


def test_a_placeholder_may_start_with_a_digit() -> None:
    placeholders = Placeholders()
    assert [placeholders.name((field,)) for field in ("1", "2nd", "_")] == ["#1", "#2nd", "#_"]


def test_value_placeholders_never_meet() -> None:
    placeholders = Placeholders()
    written = [placeholders.value(number, hint) for number, hint in enumerate(["a1", *["a"] * 12, "a1"])]
    assert len(set(written)) == len(written)
    assert written[0] == ":a10"
    assert written[1:12] == [f":a{number}" for number in (*range(10), 11)]
    assert list(placeholders.values.values()) == list(range(14))


@given(st.lists(st.text(max_size=4), max_size=8))
def test_every_placeholder_is_one_token_for_one_field(given_fields: list[str]) -> None:
    placeholders = Placeholders()
    for field in given_fields:
        text = placeholders.name((field,))
        assert re.fullmatch(r"#[A-Za-z0-9_]+", text)
        assert placeholders.names[text] == field
    assert len(placeholders.names) == len(set(given_fields))


@given(conditions)
@settings(deadline=None, max_examples=200)
def test_parsing_what_was_rendered_gives_the_condition(node: Condition) -> None:
    placeholders = Placeholders()
    text = render_condition(node, placeholders)
    assert parse_condition(text, placeholders.names, placeholders.values) == node


@given(updates())
@settings(deadline=None, max_examples=200)
def test_parsing_what_was_rendered_gives_the_update(update: Update) -> None:
    placeholders = Placeholders()
    text = render_update(update, placeholders)
    assert parse_update(text, placeholders.names, placeholders.values) == update


@given(st.lists(st.tuples(fields, names), min_size=1, max_size=5, unique_by=lambda entry: entry[0]))
@settings(deadline=None)
def test_parsing_what_was_rendered_gives_the_projection(entries: list[tuple[str, Name]]) -> None:
    paths = tuple(Name((root, *path.parts[1:])) for root, path in entries)
    placeholders = Placeholders()
    assert parse_projection(render_projection(paths, placeholders), placeholders.names) == paths


def test_depth_does_not_matter() -> None:
    node: Condition = A
    for _ in range(DEPTH):
        node = Not(Or((And((node, B)), C)))
    assert condition_text(node).count("NOT") == DEPTH
    value: Plus | Value = Value(1)
    for _ in range(DEPTH):
        value = Plus(value, Value(1))
    assert update_text(Update(set=(Set(Name(("a",)), value),))).count("+") == DEPTH
    assert len(Placeholders().name(("a",) * DEPTH)) == 3 * DEPTH - 1


def test_an_empty_and_has_no_text() -> None:
    with pytest.raises(ValueError, match="AND without conditions"):
        condition_text(And(()))
