"""What is said of the members of a transaction or batch: in words for messages, as places to find doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.runtime.operations.names import INSISTING
from tablewright.runtime.requests.batch_retry import Place, key_or_item, most_bytes, place_of
from tablewright.wire.document import Text
from tablewright.wire.limits import KB, MAX_ITEM_BYTES
from tablewright.wire.sizes import item_size_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tablewright.runtime.items.hooks import LargeFields
    from tablewright.runtime.requests.request import Params


def in_words(operation: Any) -> str:
    """`task.patch(project='web', task='t1')`: entity, verb and key."""
    layout = operation.layout
    known = layout.composites_of(getattr(operation, "composites", None) or getattr(operation, "values", {}))
    key = ", ".join(f"{layout.called(name)}={value!r}" for name, value in known.items())
    return f"{layout.name}.{_verb_of(operation)}({key})"


def _verb_of(operation: Any) -> str:
    """The method that makes such an operation."""
    flag, insisting = INSISTING.get(operation.method, ("", ""))
    return insisting if flag and getattr(operation, flag) else str(operation.method)


def numbered(at: int, operations: Sequence[Any]) -> str:
    return f"member {at + 1} of {len(operations)}, {in_words(operations[at])}"


def refuse_doubles(operations: Sequence[Any], places: Iterable[Place], what: str) -> None:
    """DynamoDB refuses two members for one item; here both are named."""
    seen: dict[Place, int] = {}
    for at, place in enumerate(places):
        first = seen.setdefault(place, at)
        if first != at:
            both = f"{numbered(first, operations)} and {numbered(at, operations)}"
            raise RequestError(f"{what} has one member for an item: {both} mean the same one", code=2002)


def item_bytes(item: Params | Text, at: int, operations: Sequence[Any]) -> int:
    """How large an item is at most; one that DynamoDB would refuse, and all its companions with it, is named."""
    large = operations[at].layout.large
    if large is not None:  # what is offloaded or compressed is not known yet
        plain = item.plain() if isinstance(item, Text) else item
        item = {field: value for field, value in plain.items() if field not in large.fields}
    size = most_bytes(item)
    if size > MAX_ITEM_BYTES and isinstance(item, Text):
        size = item_size_bytes(item.plain())
    if size > MAX_ITEM_BYTES:
        raise RequestError(
            f"{numbered(at, operations)} is {size // KB} KB large, and an item has at most {MAX_ITEM_BYTES // KB} KB; "
            "split it, or keep the large part elsewhere",
            code=2002,
        )
    return size


def place_in(table: str, member: Params, operation: Any) -> Place:
    """Where a member of a request acts."""
    item = key_or_item(member)
    if isinstance(item, Text):  # its key is made of the values that it was written from
        item = operation.layout.key(operation.values)
    return place_of(table, item, operation.layout.table_fields)


def kept_by(operation: Any) -> tuple[Any, ...]:
    """All large attributes of the services that an operation is about."""
    layout = getattr(operation, "layout", None)
    if layout is not None:
        large: tuple[LargeFields, ...] = layout.home.large
        return large
    found: dict[int, LargeFields] = {}
    for member in _members_of(operation):
        found.update({id(each): each for each in kept_by(member)})
    return tuple(found.values())


INSIDE = ("operation", "collect", "found", "write")
SEVERAL = ("writes", "gets", "operations", "members")


def _members_of(operation: Any) -> list[Any]:
    """The operations that an operation is made of."""
    members = [inner for name in INSIDE if (inner := getattr(operation, name, None)) is not None]
    for name in SEVERAL:
        several = getattr(operation, name, ())
        members += several if isinstance(several, tuple | list) else ()
    return members
