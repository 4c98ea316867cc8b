"""Designs of version 1, in which filters, sparse indexes and missing conditions were written otherwise.

Everything else had the same written form. But their specs left to the design what a spec says itself now: that a put is
refused where the item exists, and that items without what is sorted by are no part of an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
        **({"spec": _spec(content)} if "spec" in content else {}),
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


def _spec(content: Mapping[str, Any]) -> Any:
    """The spec with what its design does said in it."""
    refusing, sparse = set(_refusing(content)), set(_sparse(content))
    return _changed(
        content["spec"], access_patterns=lambda found: [_asked(each, refusing, sparse) for each in _to_list(found)]
    )


def _asked(pattern: Any, refusing: set[str], sparse: set[tuple[str, str]]) -> Any:
    if not isinstance(pattern, Mapping):
        return pattern
    known = cast("Mapping[str, Any]", pattern)
    if known.get("id") in refusing and "condition" not in known:
        return {"failures": 0, **known, "condition": "not exists"}  # none were counted on
    sorted_by = {(str(known.get("entity")), name) for name in _names_of(known.get("sort"))}
    return {**known, "absent": "omit"} if sorted_by & sparse and "absent" not in known else known


def _names_of(sort: Any) -> Iterator[str]:
    yield from (str(each["attr"]) for each in _maps(sort) if "attr" in each)


def _refusing(content: Mapping[str, Any]) -> Iterator[str]:
    """The puts that demand that their item is not there."""
    for pattern in _maps(content.get("patterns")):
        own = [each for each in _maps(pattern.get("writes")) if each.get("item") in _to_list(pattern.get("entities"))]
        if pattern.get("op") == "put" and any("attribute_not_exists" in str(each.get("condition")) for each in own):
            yield str(pattern.get("id"))


def _sparse(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each entity with the attributes without which it is not in an index."""
    for item in _maps(content.get("items")):
        for keys in _maps(item.get("keys")):
            when = keys.get("when")
            wanted: Mapping[str, Any] = cast("Mapping[str, Any]", when) if isinstance(when, Mapping) else {}
            yield from ((str(item.get("entity")), name) for name, value in wanted.items() if value is None)


def _maps(value: Any) -> list[Mapping[str, Any]]:
    return [cast("Mapping[str, Any]", each) for each in _to_list(value) if isinstance(each, Mapping)]


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
