"""Designs of version 1, in which filters, sparse indexes and missing conditions were written otherwise.

Everything else had the same written form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from tablewright.design.values.templates import Template
from tablewright.expr.nodes import Slot
from tablewright.spec.conditions import compare, require

_Rewrite: TypeAlias = Callable[[Any], Any]
_OPERATORS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


def upgrade(content: Mapping[str, Any]) -> dict[str, Any]:
    """The same design as version 2; what is no design at all is left for the reader to complain about."""
    return {
        **content,
        "version": 2,
        "items": [_item(each) for each in _to_list(content.get("items"))],
        "patterns": [_pattern(each) for each in _to_list(content.get("patterns"))],
    }


def _to_list(value: Any) -> list[Any]:
    return [*value] if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _changed(value: Any, **changes: _Rewrite) -> Any:
    """A map with some of its values replaced, as far as they are there."""
    if not isinstance(value, Mapping):
        return value
    known = cast("Mapping[str, Any]", value)
    return {**known, **{name: change(known[name]) for name, change in changes.items() if name in known}}


def _each(**changes: _Rewrite) -> _Rewrite:
    """The same changes to every map of a list."""
    return lambda value: [_changed(each, **changes) for each in _to_list(value)]


def _item(item: Any) -> Any:
    return _changed(item, keys=_each(when=_when))


def _when(when: Any) -> Any:
    if not isinstance(when, Mapping):
        return when
    found = require(cast("Mapping[str, Any]", when))
    return None if found is None else str(found)


def _pattern(pattern: Any) -> Any:
    return _changed(
        pattern,
        reads=_each(filters=_filters),
        writes=_each(condition=_condition),
    )


def _condition(text: Any) -> Any:
    return text or None


def _filters(filters: Any) -> list[Any]:
    return [
        _filter(cast("Mapping[str, Any]", each)) if isinstance(each, Mapping) else each for each in _to_list(filters)
    ]


def _filter(written: Mapping[str, Any]) -> str:
    operator = str(written.get("operator"))
    values = [_value(each) for each in _to_list(written.get("values"))]
    return str(compare(str(written.get("attribute")), _OPERATORS.get(operator, operator), *values))


def _value(value: Any) -> Any:
    name = Template.parse(value).only_name if isinstance(value, str) else None
    return value if name is None else Slot(name)
