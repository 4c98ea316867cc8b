from __future__ import annotations

import pytest

from tablewright.schema.templates import template_names, template_parts


@pytest.mark.parametrize(
    ("template", "parts"),
    [
        ("", ()),
        ("abc", (("", "abc"),)),
        ("${a}", (("a", ""),)),
        ("x${a}y${b}z", (("a", "x"), ("b", "y"), ("", "z"))),
        ("${a}${a}", (("a", ""), ("a", ""))),
        ("$a {b} ${c}", (("c", "$a {b} "),)),
    ],
)
def test_parts(template: str, parts: tuple[tuple[str, str], ...]) -> None:
    assert template_parts(template) == parts
    assert template_names(template) == tuple(name for name, _ in parts if name)
