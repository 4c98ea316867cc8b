"""Whose paths a condition may name: those of the entity that it is asked of.

A path of another entity names a field that items here lack, or that means something else in them: the condition would
be false for good, or true by accident. Conditions that were read from text name nobody, and are taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.expr.nodes import Name, Node, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tablewright.expr.nodes import Condition


def own_name(parts: tuple[str | int, ...], owner: Any) -> Name:
    """A name that remembers whose it is; that counts in no comparison, and is never sent."""
    name = Name(parts)
    vars(name)["owner"] = owner
    return name


def owner_of(name: Name) -> Any:
    return vars(name).get("owner")


def refuse_foreign(conditions: Iterable[Condition], asked: list[type[Any]]) -> None:
    """Refuse paths of entities that are not asked; a class and those derived from it are the same to each other."""
    for condition in conditions:
        for name in _names_in(condition):
            owner = owner_of(name)
            if owner is not None and not any(issubclass(owner, each) or issubclass(each, owner) for each in asked):
                raise _foreign(name, owner, asked)


def _names_in(node: Any) -> Iterator[Name]:
    if type(node) is Name:
        yield node
    elif isinstance(node, tuple):
        for each in node:  # pyright: ignore[reportUnknownVariableType] - operands or conditions
            yield from _names_in(each)
    elif isinstance(node, Node) and type(node) is not Value:
        for field in node.__struct_fields__:
            yield from _names_in(getattr(node, field))


def _foreign(name: Name, owner: Any, asked: list[Any]) -> RequestError:
    called = " or ".join(each.__name__ for each in asked)
    problem = f"{owner.__name__}'s {name.parts[0]} is no attribute of {called}, whose items are asked"
    remedy = f"compare a path of {called}, or put a check of the other item into the same transaction"
    return RequestError(
        f"where(...): {problem}; {remedy}: tw.transact(..., {owner.__name__}.key(...).check(...))", code=2002
    )
