"""Generated source: one place that runs it, names that mean themselves, texts that are data."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tablewright
from tablewright.errors import SchemaError
from tablewright.schema.script import Script, checked_name, is_plain_name, literal

SOURCES = Path(tablewright.__file__).parent
NASTY = [
    *("", "class", "None", "a b", "a\nb", "x)\nboom()", "'", '"', "\\", "{0}", "ﬁ", "℘", "__debug__", "a.b", "a;b"),
    *("ªb", "value", "made", "\0", "x, y", "__class__", "lambda", "match", "É", "E\u0301", "1a"),
]


def runners(source: Path) -> set[str]:
    """What a module calls to run text as code."""
    calls = [each.func for each in ast.walk(ast.parse(source.read_text())) if isinstance(each, ast.Call)]
    return {each.id for each in calls if isinstance(each, ast.Name) and each.id in ("exec", "eval", "compile")}


def test_one_module_runs_what_it_wrote() -> None:
    found = {str(path.relative_to(SOURCES)): runners(path) for path in SOURCES.rglob("*.py")}
    assert {path: names for path, names in found.items() if names} == {"schema/script.py": {"exec"}}


class Loud(str):
    """A text that prints itself as code."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "boom()"


@given(st.text() | st.sampled_from(NASTY))
def test_a_literal_is_the_text(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    assert ast.literal_eval(literal(Loud(text))) == text


class Holder:
    pass


@given(st.text() | st.sampled_from(NASTY))
@example("ﬁ")
def test_attributes_are_taken_and_put_by_their_very_name(name: str) -> None:
    script = Script()
    held, changed = Holder(), Holder()
    vars(held)[name] = "there"
    if name in ("__class__", "__dict__", "__doc__", "__module__", "__weakref__"):
        return
    take = script.define("take", "value", [f"return {script.taken('value', name)}"])
    put = script.define("put", "value", [script.put("value", name, "'new'")])
    made: Any = script.run()
    assert made[take](held) == "there"
    made[put](changed)
    assert vars(changed) == {name: "new"}


@pytest.mark.parametrize("name", NASTY)
def test_parameters_are_identifiers(name: str) -> None:
    if is_plain_name(name):
        assert checked_name(name, "X.key") == name
        assert name.isidentifier()
        return
    with pytest.raises(SchemaError, match=r"X\.key: .* cannot be the name of a parameter"):
        checked_name(name, "X.key")
