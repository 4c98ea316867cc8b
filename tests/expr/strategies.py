"""Hypothesis strategies for nodes, within what DynamoDB's grammar and operand rules allow."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from tablewright.expr.nodes import (
    Add,
    And,
    Between,
    Compare,
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

# Fields that need a placeholder, clash after cleaning, or vanish in it are the interesting ones.
FIELDS = ("a", "b", "a-", "a_2", "status", "1", "é", "-", "A", "a.b", "x[0]")

fields = st.sampled_from(FIELDS)
indexes = st.integers(0, 3)
numbers = st.one_of(st.integers(-5, 5), st.sampled_from([0.5, Decimal("0.1"), Decimal("12345678901234567890.5")]))
texts = st.text("abé", max_size=3)
blobs = st.binary(max_size=2)
ordered_values = st.one_of(numbers, texts, blobs)
sets = st.one_of(
    st.sets(texts, min_size=1, max_size=3), st.sets(st.integers(0, 4), min_size=1), st.sets(blobs, min_size=1)
)
any_values = st.recursive(
    st.one_of(ordered_values, st.booleans(), st.none(), sets),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
items = st.dictionaries(fields, any_values, max_size=6)

names = st.builds(lambda first, rest: Name((first, *rest)), fields, st.lists(st.one_of(fields, indexes), max_size=2))
sizes = st.builds(Size, names)


def values(inner: st.SearchStrategy[object]) -> st.SearchStrategy[Value]:
    return st.builds(Value, inner, st.sampled_from(["", "hint", "a1"]))


def _no_repeat(args: list[object]) -> bool:
    return args[0] not in args[1:] or not isinstance(args[0], Name)


def _operands(inner: st.SearchStrategy[object], count: int) -> st.SearchStrategy[list[object]]:
    one = st.one_of(names, values(inner), sizes)
    return st.lists(one, min_size=count, max_size=count).filter(_no_repeat)


equalities = st.builds(lambda op, args: Compare(op, *args), st.sampled_from(["=", "<>"]), _operands(any_values, 2))
orders = st.builds(
    lambda op, args: Compare(op, *args), st.sampled_from(["<", "<=", ">", ">="]), _operands(ordered_values, 2)
)


@st.composite
def betweens(draw: st.DrawFn) -> Between:
    low, high = sorted(draw(st.lists(st.integers(-3, 3), min_size=2, max_size=2)))
    return Between(draw(names), Value(low), Value(high))


memberships = st.builds(lambda args: In(args[0], tuple(args[1:])), _operands(any_values, 4))
prefix_values = st.one_of(texts, blobs)
functions = st.one_of(
    st.builds(Function, st.sampled_from(["attribute_exists", "attribute_not_exists"]), st.tuples(names)),
    st.builds(
        Function,
        st.just("attribute_type"),
        st.tuples(
            names, st.builds(Value, st.sampled_from(["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"]))
        ),
    ),
    st.builds(Function, st.just("begins_with"), st.tuples(names, values(prefix_values))),
    st.builds(lambda args: Function("contains", tuple(args)), _operands(any_values, 2)),
)
comparisons = st.one_of(equalities, orders, betweens(), memberships, functions)
conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(lambda parts: And(tuple(parts)), st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda parts: Or(tuple(parts)), st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=8,
)

_number_operands = st.one_of(names, values(numbers), st.builds(IfNotExists, names, values(numbers)))
_list_values = values(st.lists(any_values, max_size=2))
_list_operands = st.one_of(names, _list_values, st.builds(IfNotExists, names, _list_values))
assigned = st.one_of(
    names,
    values(any_values),
    st.builds(IfNotExists, names, st.one_of(names, values(any_values), st.builds(IfNotExists, names, names))),
    st.builds(ListAppend, _list_operands, _list_operands),
    st.builds(Plus, _number_operands, _number_operands),
    st.builds(Minus, _number_operands, _number_operands),
)


@st.composite
def updates(draw: st.DrawFn) -> Update:
    """Every root attribute is written by one action at most, so that no paths overlap."""
    roots = draw(st.lists(fields, min_size=1, max_size=6, unique=True))
    sections: dict[str, list[object]] = {"set": [], "remove": [], "add": [], "delete": []}
    for root in roots:
        path = Name((root, *draw(st.lists(st.one_of(fields, indexes), max_size=2))))
        section = draw(st.sampled_from(sorted(sections)))
        made = {
            "set": lambda path=path: Set(path, draw(assigned)),
            "remove": lambda path=path: Remove(path),
            "add": lambda path=path: Add(path, draw(values(st.one_of(numbers, sets)))),
            "delete": lambda path=path: Delete(path, draw(values(sets))),
        }
        sections[section].append(made[section]())
    return Update(**{section: tuple(actions) for section, actions in sections.items()})
