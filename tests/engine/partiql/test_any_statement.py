"""Random statements: what is found is what a naive reading finds, and nothing breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.engine.engine import Engine
from tablewright.errors import ServiceError
from tests.engine.partiql.conftest import Session, create, key_schema

Item = dict[str, str]
Meaning = tuple[str, Callable[[Item], bool]]

ITEMS = [
    {"pk": pk, "sk": sk, **({"flag": f"{pk}{sk}"} if (n + m) % 2 else {})}
    for n, pk in enumerate("abc")
    for m, sk in enumerate(("1", "11", "2", "3"))
]


@pytest.fixture(scope="module")
def filled() -> Session:
    engine = Engine()
    create(engine, "things", key_schema("pk", "sk"), "pk:S sk:S")
    session = Session(engine)
    for item in ITEMS:
        session.put("things", **{name: {"S": value} for name, value in item.items()})
    return session


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda one, two: one == two,
    "<": lambda one, two: one < two,
    "<=": lambda one, two: one <= two,
    ">": lambda one, two: one > two,
    ">=": lambda one, two: one >= two,
}
VALUES = {"pk": ["a", "b", "c", "d"], "sk": ["", "1", "11", "2", "25", "3"], "flag": ["a1", "b11", "c2", "x"]}


@st.composite
def leaves(draw: st.DrawFn) -> Meaning:
    name = draw(st.sampled_from(["pk", "pk", "pk", "sk", "sk", "flag"]))
    value, other = (draw(st.sampled_from([each for each in VALUES[name] if each])) for _ in range(2))
    kind = draw(st.sampled_from([*COMPARE, "=", "=", "<>", "begins", "in", "between", "missing", "exists"]))
    low, high = sorted((value, other))
    made: dict[str, Meaning] = {
        "<>": (f"{name} <> '{value}'", lambda item: item.get(name) != value),
        "begins": (f"begins_with({name}, '{value[0]}')", lambda item: name in item and item[name].startswith(value[0])),
        "in": (f"{name} IN ['{value}', '{other}']", lambda item: item.get(name) in (value, other)),
        "between": (f"{name} BETWEEN '{low}' AND '{high}'", lambda item: name in item and low <= item[name] <= high),
        "missing": (f"{name} IS MISSING", lambda item: name not in item),
        "exists": (f"attribute_exists({name}) = true", lambda item: name in item),
    }
    if kind in made:
        return made[kind]
    return f"{name} {kind} '{value}'", lambda item: name in item and COMPARE[kind](item[name], value)


def joined(word: str, judge: Callable[[Any], bool]) -> Callable[[list[Meaning]], Meaning]:
    def join(parts: list[Meaning]) -> Meaning:
        text = f" {word} ".join(text for text, _ in parts)
        return f"({text})", lambda item: judge(holds(item) for _, holds in parts)

    return join


def negated(part: Meaning) -> Meaning:
    return f"NOT ({part[0]})", lambda item: not part[1](item)


conditions = st.recursive(
    leaves(),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(joined("AND", all)),
        st.lists(inner, min_size=2, max_size=3).map(joined("OR", any)),
        inner.map(negated),
    ),
    max_leaves=6,
)


@st.composite
def wheres(draw: st.DrawFn) -> Meaning:
    """Conditions, most of them such that queries answer them."""
    condition = draw(conditions)
    values = draw(st.lists(st.sampled_from(VALUES["pk"]), max_size=3, unique=True))
    if not values:
        return condition
    ways: list[Meaning] = [(f"pk = '{value}'", lambda item, value=value: item["pk"] == value) for value in values]
    keys = joined("OR", any)(ways)
    if draw(st.booleans()):
        keys = (f"pk IN [{', '.join(repr(value) for value in values)}]", keys[1])
    return joined("AND", all)([keys, condition])


REFUSALS = ("Overlapping conditions", "Too many decomposed")


@settings(max_examples=120, deadline=None)
@given(condition=wheres(), limit=st.sampled_from([None, 1, 2, 5]))
def test_what_is_found_is_what_holds(filled: Session, condition: Meaning, limit: int | None) -> None:
    statement = f"SELECT * FROM things WHERE {condition[0]}"
    found: list[Item] = []
    request: dict[str, Any] = {} if limit is None else {"Limit": limit}
    try:
        while True:
            page = filled.run(statement, **request)
            found += [{name: value["S"] for name, value in item.items()} for item in page["Items"]]
            if "NextToken" not in page:
                break
            request["NextToken"] = page["NextToken"]
    except ServiceError as error:
        assert error.service_message.startswith(REFUSALS)  # noqa: PT017
        return
    assert sorted(found, key=str) == sorted([item for item in ITEMS if condition[1](item)], key=str)


WORDS = """
SELECT * FROM things WHERE pk sk flag = <> < > <= >= ( ) [ ] { } << >> , . : ; ? ' " -- /* */ ` # + - / % || @ 1 1e5 .5
'a' "things" 'it''s' AND OR NOT IN IS NULL MISSING BETWEEN LIKE INSERT INTO VALUE VALUES UPDATE SET REMOVE DELETE
RETURNING ALL OLD NEW MODIFIED ORDER BY ASC DESC LIMIT GROUP HAVING AS AT JOIN ON EXISTS COUNT size attribute_exists
begins_with set_add list_append true false null DATE TIME CASE WHEN CAST STRING \u00e9 \U0001f600
""".split()


@settings(max_examples=120, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=14), start=st.sampled_from([0, 0, 4, 5]))
def test_no_statement_breaks_anything(filled: Session, words: list[str], start: int) -> None:
    statement = " ".join([*WORDS[:start], *words])
    parameters = [{"S": "x"}] * statement.count("?")
    calls: tuple[Callable[[], Any], ...] = (
        lambda: filled.run(statement.replace("INTO things", "INTO nothing"), *parameters),
        lambda: filled.batch({"Statement": statement, "Parameters": parameters}) if parameters else None,
        lambda: filled.transact(f"EXISTS({statement})"),
    )
    for call in calls:
        try:
            call()
        except ServiceError as error:
            assert error.name in (  # noqa: PT017
                "ValidationException",
                "ResourceNotFoundException",
                "ConditionalCheckFailedException",
                "TransactionCanceledException",
                "DuplicateItemException",
            )
