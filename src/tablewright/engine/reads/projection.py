"""What a reply shows of an item: all of its text, some of its attributes, or what paths lead to.

Text is only taken apart as far as it must be: attributes are picked as pieces of it, and only paths into them need
values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

import msgspec

from tablewright.engine.faults import invalid_parameters
from tablewright.engine.legacy import check_names
from tablewright.engine.store.item import pieces
from tablewright.engine.store.values import from_text
from tablewright.expr.evaluate import project
from tablewright.expr.nodes import Name
from tablewright.wire.values import marshal_item

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from tablewright.engine.expressions import Expressions

Shown: TypeAlias = "msgspec.Raw | dict[str, Any]"
Paths: TypeAlias = "tuple[Name, ...] | None"


def read_paths(params: Mapping[str, Any], expressions: Expressions) -> Paths:
    """The paths of ProjectionExpression or AttributesToGet; None for everything."""
    names = params.get("AttributesToGet")
    return expressions.projection() if names is None else tuple(Name((name,)) for name in names)


def check_attributes_to_get(params: Mapping[str, Any]) -> None:
    """Names that attributes can have, none of them twice."""
    names: list[str] = params.get("AttributesToGet") or []
    check_names(names)
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise invalid_parameters(f"Duplicate value in attribute name: {name}")
        seen.add(name)


def projector(paths: Paths, visible: Collection[str] | None = None) -> Callable[[bytes], Shown]:
    """How to turn a stored text into what the reply shows; `visible` limits it to what an index holds."""
    if paths is None:
        return msgspec.Raw if visible is None else lambda text: pick_names(text, visible)
    if all(len(path.parts) == 1 for path in paths):
        names = [cast("str", path.parts[0]) for path in paths]
        wanted = names if visible is None else [name for name in names if name in visible]
        return lambda text: pick_names(text, wanted)
    return lambda text: marshal_item(project(paths, narrow(from_text(text), visible)))


def pick_names(text: bytes, names: Iterable[str]) -> dict[str, Any]:
    fields = pieces(text)
    return {name: fields[name] for name in names if name in fields}


def narrow(item: dict[str, Any], visible: Collection[str] | None) -> dict[str, Any]:
    """The item as an index holds it."""
    return item if visible is None else {name: value for name, value in item.items() if name in visible}
