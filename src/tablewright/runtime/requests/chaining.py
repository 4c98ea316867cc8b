"""What operations let a caller add, one value after the other: conditions, pages, options.

Every method gives a new operation; none changes the one it is called on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.expr.nodes import Condition, all_of
from tablewright.runtime.options import DEFAULT, RESPONDING, check_options, read_options
from tablewright.runtime.requests.ownership import refuse_foreign

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Compare, Response
    from tablewright.runtime.requests.path import Path
    from tablewright.runtime.requests.request import Operation
    from tablewright.runtime.types.structures import AnyMap

R = TypeVar("R")


class Tunable:
    """An operation with options."""

    __slots__ = ()

    if TYPE_CHECKING:

        def params(self) -> Any:
            """The request as it would be sent, with plain values."""

    def with_options(self, **options: Any) -> Self:
        """The same operation with other execution options, such as `table` or `params`."""
        operation: Any = self
        changed = msgspec.structs.replace(operation.options, **_known(options))
        check_options(changed)
        return msgspec.structs.replace(operation, options=changed)  # type: ignore[no-any-return]

    def go(self: Operation[R]) -> R:
        """Run it on the database its service is bound to."""
        operation: Any = self
        database = _home_of(operation).database
        if database is None:
            message = "bind the service to a database first (service.bind(db)), or use db.run(operation)"
            raise RequestError(f"nothing to run this on: {message}", code=1001)
        return database.run(operation)  # type: ignore[no-any-return]


def _home_of(operation: Any) -> Any:
    """Where the operation (or the first member of a batch or transaction) lives."""
    members = getattr(operation, "writes", getattr(operation, "gets", (operation,)))
    if not members:
        raise RequestError("there is nothing to run: give it at least one operation", code=2002)
    operation = members[0]
    return operation.layout.home


def _known(options: dict[str, Any]) -> dict[str, Any]:
    read = read_options(options)
    return {name: getattr(read, name) for name in options}


class Conditional(Tunable):
    """A write that takes conditions, or a read that takes filters."""

    __slots__ = ()

    def where(self, *conditions: Condition) -> Self:
        """Only if these hold (writes); only those for which they hold (reads). Several are joined by AND."""
        _refuse_no_conditions(conditions)
        operation: Any = self
        _refuse_others(operation, conditions)
        earlier = operation.condition
        condition = conditions[0] if earlier is None and len(conditions) == 1 else all_of(earlier, *conditions)
        return msgspec.structs.replace(operation, condition=condition)  # type: ignore[no-any-return]


def _refuse_others(operation: Any, conditions: tuple[Condition, ...]) -> None:
    """Refuse paths of entities whose items are not looked at, where all that are looked at are classes."""
    members: Mapping[str, Layout] | None = getattr(operation, "members", None)
    layouts: Iterable[Layout] = (operation.layout,) if members is None else members.values()
    codecs = [layout.codec for layout in layouts]
    if None not in codecs:
        refuse_foreign(conditions, [codec.cls for codec in codecs if codec is not None])


def _refuse_no_conditions(conditions: tuple[Any, ...]) -> None:
    for each in conditions:
        if not isinstance(each, Condition):
            problem = f"where(...) takes conditions, not {each!r}"
            raise RequestError(f"{problem}; write one with a path, such as Task.hours > 3", code=2002)


class Returning(Conditional):
    """A write that can answer with an item."""

    __slots__ = ()

    def returning(self, what: Response) -> Self:
        """Answer with the item as it was (`all_old`) or has become (`all_new`), or only with what changed."""
        operation: Any = self
        known = RESPONDING.get(str(what))
        if known is not None and operation.options is DEFAULT:
            return msgspec.structs.replace(operation, options=known)  # type: ignore[no-any-return]
        return self.with_options(response=what)


class Projected(Tunable):
    """A read that can ask for part of an item."""

    __slots__ = ()

    def consistent(self) -> Self:
        """Read what was last written, for twice the capacity."""
        return self.with_options(consistent=True)

    def including_expired(self) -> Self:
        """Read what has expired and is yet to be deleted, too, of an entity that hides it."""
        return self.with_options(expired=True)

    def including_deleted(self) -> Self:
        """Read what is only marked as deleted, too, of an entity with `soft_delete`."""
        return self.with_options(deleted=True)

    def only(self, *attributes: Path[Any] | type[AnyMap] | str) -> Self:
        """Read just these attributes (paths or names); the others are not there on the items that come back."""
        operation: Any = self
        return self.with_options(attributes=tuple(_root_name(operation, each) for each in attributes))


def _root_name(operation: Any, attribute: Any) -> str:
    """The attribute's name in the schema; some entity that is read must have it."""
    collect = getattr(operation, "collect", None)
    layouts: list[Layout] = [operation.layout] if collect is None else list(collect.members.values())
    names = {layout.called(name): name for layout in layouts for name in layout.attributes}
    # A path says the schema's name already, which may be Python's for another attribute.
    name = names.get(attribute, attribute) if isinstance(attribute, str) else str(attribute.root_name)
    if name not in names.values():
        known = ", ".join(names)
        raise RequestError(f"only(...) names {name!r}, which is no attribute; known are {known}", code=2002)
    return name


class Paged(Projected, Conditional):
    """A query or scan."""

    __slots__ = ()

    def page_size(self, items: int) -> Self:
        """Evaluate at most so many items for a page, before filters: DynamoDB's `Limit`."""
        return self.limit(items)

    def first(self, items: int) -> Self:
        """The first so many items that are found, after filters, whatever pages that takes."""
        return self.count(items)

    def limit(self, items: int) -> Self:
        """DynamoDB's and ElectroDB's name for `page_size`: it limits what is evaluated, not what is found."""
        return self.with_options(limit=items)

    def count(self, items: int) -> Self:
        """ElectroDB's name for `first`. (How many there are is said by `total()`.)"""
        return self.with_options(count=items)

    def pages(self, pages: int | Literal["all"]) -> Self:
        """Read so many pages in one run, or "all"."""
        return self.with_options(pages=pages)

    def after(self, cursor: str | None) -> Self:
        """Go on where an earlier page ended."""
        return self.with_options(cursor=cursor) if cursor is not None else self

    def ascending(self) -> Self:
        return self.with_options(order="asc")

    def descending(self) -> Self:
        """Largest sort key first."""
        return self.with_options(order="desc")

    def compare(self, how: Compare) -> Self:
        """How comparisons on the sort key are meant: `exact` (default), or one of ElectroDB's ways."""
        return self.with_options(compare=how)

    def hydrate(self) -> Self:
        """Read whole items behind an index that holds only part of them."""
        return self.with_options(hydrate=True)
