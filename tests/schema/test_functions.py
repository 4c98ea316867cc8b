from __future__ import annotations

import re

import pytest

from tablewright.errors import SchemaError
from tablewright.schema.functions import Made, name_function, revive
from tablewright.schema.places import Place
from tablewright.schema.types import Pattern
from tests.schema.samples import FUNCTIONS, now, prefix, upper


def test_names_become_functions_wherever_they_stand() -> None:
    revived = revive({"a": [{"$fn": "upper"}], "b": {"$fn": "prefix", "args": ["e-"]}, "c": 1}, FUNCTIONS)
    assert revived["a"] == [upper]
    assert revived["b"]("1") == "e-1"
    assert revived["b"] == Made("prefix", ("e-",), prefix("other object"))
    assert revived["c"] == 1


def test_an_unknown_name_says_where_it_stands_and_what_is_known() -> None:
    with pytest.raises(SchemaError, match=r"attributes\.a\[0\]: .*'uper'.*\"upper\".*is_open, now, prefix, upper"):
        revive({"a": [{"$fn": "uper"}]}, FUNCTIONS, Place("attributes"))
    with pytest.raises(SchemaError, match="none were given"):
        revive({"$fn": "x"}, {})


@pytest.mark.parametrize("args", [[1, 2, 3], ["x"]])
def test_args_must_make_a_function(args: list[object]) -> None:
    functions = {"prefix": prefix, "now": len}
    name = "prefix" if len(args) == 3 else "now"
    with pytest.raises(SchemaError, match="function"):
        revive({"$fn": name, "args": args}, functions)


@pytest.mark.parametrize(
    ("given", "source"),
    [
        ({"$regex": "^a"}, "^a"),
        (re.compile("^a"), "^a"),
        (re.compile("^a", re.IGNORECASE | re.DOTALL), "(?is)^a"),
        (Pattern("^a"), "^a"),
    ],
)
def test_regular_expressions_keep_their_source(given: object, source: str) -> None:
    assert revive(given, {}) == Pattern(source)


def test_a_broken_regular_expression_is_refused() -> None:
    with pytest.raises(SchemaError, match="validate: '\\(' is no regular expression"):
        revive({"validate": {"$regex": "("}}, {})


def test_functions_are_named_by_the_table_or_by_themselves() -> None:
    class Callable:
        def __call__(self) -> None: ...

    assert name_function(now, {"clock": now}) == {"$fn": "clock"}
    assert name_function(now) == {"$fn": "tests.schema.samples.now"}
    assert name_function(Made("prefix", (1,), now)) == {"$fn": "prefix", "args": [1]}
    assert name_function(Callable())["$fn"].endswith("Callable")
