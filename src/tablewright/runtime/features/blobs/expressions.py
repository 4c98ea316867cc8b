"""What expressions may say of large attributes: an update may set one as a whole, or remove it; a condition may ask
whether it is there. DynamoDB sees a reference or compressed bytes, so everything else would answer wrongly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import msgspec

from tablewright.errors import RequestError
from tablewright.expr import nodes
from tablewright.expr.parse import ExpressionError, parse_condition, parse_update
from tablewright.wire.values import unmarshal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.runtime.features.blobs.large_fields import Kept

Params: TypeAlias = dict[str, Any]
Touch: TypeAlias = Literal["set", "if absent", "gone"]

CONDITIONS = ("ConditionExpression", "FilterExpression", "KeyConditionExpression")
ASK_ANOTHER = "keep what you ask for (a size, a hash, a title) in an attribute of its own"
PRESENCE = ("attribute_exists", "attribute_not_exists")


class Touched(msgspec.Struct, frozen=True):
    """What an update does to a large attribute, and the placeholder of the value it gives."""

    how: Touch
    placeholder: str | None = None


def touched(body: Params, kept: Kept) -> dict[str, Touched]:
    """By field: what an update does to the large attributes; refused where it does what cannot be done."""
    text = body.get("UpdateExpression")
    if text is None or not _mentions(body, kept):
        return {}
    values, placeholders = _told_apart(body)
    try:
        update = parse_update(text, body.get("ExpressionAttributeNames"), values)
    except ExpressionError:  # DynamoDB will say what is wrong
        return {}
    found: dict[str, Touched] = {}
    actions: tuple[nodes.Action, ...] = (*update.set, *update.remove, *update.add, *update.delete)
    for action in actions:
        field = str(action.path.parts[0])
        large = kept.fields.get(field)
        if large is None:
            _refuse_names(_names_in(action), kept, "copied from")
        elif len(action.path.parts) > 1:
            _refuse(kept, field, "changed in part", f"set {kept.called[field]} as a whole")
        else:
            found[field] = _touch(action, kept, field, placeholders)
    return found


def _touch(action: nodes.Action, kept: Kept, field: str, placeholders: Mapping[int, str]) -> Touched:
    match action:
        case nodes.Remove():
            return Touched("gone")
        case nodes.Set(value=nodes.Value(value)):
            return Touched("set", placeholders[id(value)])
        case nodes.Set(path=path, value=nodes.IfNotExists(path=asked, otherwise=nodes.Value(value))) if path == asked:
            return Touched("if absent", placeholders[id(value)])
        case _:
            pass
    _refuse(kept, field, "computed by DynamoDB", f"read the item, and set {kept.called[field]} as a whole")
    return None


def _told_apart(body: Params) -> tuple[dict[str, Any], dict[int, str]]:
    """The plain values by placeholder, each an object of its own, and the placeholders by those objects."""
    values = {name: _distinct(unmarshal(value)) for name, value in body.get("ExpressionAttributeValues", {}).items()}
    return values, {id(value): name for name, value in values.items()}


def _distinct(value: Any) -> Any:
    """The same value as another object: two placeholders may have been given one object."""
    if isinstance(value, str):
        return value[:1] + value[1:]
    return value[:1] + value[1:] if isinstance(value, bytes) else value


def _mentions(body: Params, kept: Kept) -> bool:
    """Whether an expression can be about a large attribute at all; most are not, and need no reading."""
    names = body.get("ExpressionAttributeNames", {}).values()
    if any(field in names for field in kept.fields):
        return True
    texts = [body[name] for name in ("UpdateExpression", *CONDITIONS) if name in body]
    return any(field in text for field in kept.fields for text in texts)


# ---- conditions ------------------------------------------------------------------------------------------------------


def check_conditions(body: Params, kept: Kept) -> None:
    """Refuse what a condition, filter or key condition asks of a large attribute, unless it is whether it is there."""
    for field, _ in compared(body, kept):
        refuse_compared(kept, field)


def compared(body: Params, kept: Kept) -> Iterator[tuple[str, str]]:
    """The whole large attributes that conditions compare with a value by `=`: field and placeholder.

    Nobody but companions does, and they compare with what was just read.
    """
    for name in CONDITIONS:
        if name in body and _mentions(body, kept):
            yield from _compared(body, name, kept)


def _compared(body: Params, name: str, kept: Kept) -> Iterator[tuple[str, str]]:
    values, placeholders = _told_apart(body)
    try:
        condition = parse_condition(body[name], body.get("ExpressionAttributeNames"), values, kind=name)
    except ExpressionError:  # DynamoDB will say what is wrong
        return
    for leaf in _leaves(condition):
        match leaf:
            case nodes.Function(name=asked, args=(nodes.Name((_,)),)) if asked in PRESENCE:
                continue
            case nodes.Compare("=", nodes.Name((str(field),)), nodes.Value(value)) if field in kept.fields:
                yield field, placeholders[id(value)]
            case _:
                _refuse_names(_names_in(leaf), kept, "compared")


def _leaves(condition: nodes.Condition) -> Iterator[nodes.Condition]:
    match condition:
        case nodes.And(parts) | nodes.Or(parts):
            for part in parts:
                yield from _leaves(part)
        case nodes.Not(part):
            yield from _leaves(part)
        case _:
            yield condition


def _names_in(node: Any) -> Iterator[nodes.Name]:
    """Every path inside a node."""
    if isinstance(node, nodes.Name):
        yield node
    elif isinstance(node, nodes.Node):
        for field in node.__struct_fields__:
            yield from _names_in(getattr(node, field))
    elif isinstance(node, tuple):
        for each in node:  # pyright: ignore[reportUnknownVariableType]
            yield from _names_in(each)


def _refuse_names(names: Iterator[nodes.Name], kept: Kept, what: str) -> None:
    for name in names:
        field = str(name.parts[0])
        if field in kept.fields:
            _refuse(kept, field, what, ASK_ANOTHER)


def refuse_compared(kept: Kept, field: str) -> NoReturn:
    _refuse(kept, field, "compared", ASK_ANOTHER)


def _refuse(kept: Kept, field: str, what: str, remedy: str) -> NoReturn:
    raise RequestError(
        f"{kept.name}.{kept.called[field]} is stored compressed or outside the table and cannot be {what}; {remedy}",
        code=2002,
    )
