"""Handlers and what they are for: kinds of changes, of which entity, under which condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar, cast, get_args, get_origin

import msgspec

from tablewright.errors import RequestError
from tablewright.expr.nodes import Condition
from tablewright.runtime.entity import Entity
from tablewright.runtime.requests.path import Path
from tablewright.runtime.streams.changes.differences import as_path
from tablewright.runtime.streams.changes.events import AnyEvent, Event, Modified

if TYPE_CHECKING:
    from tablewright.runtime.streams.changes.owners import Owners

A = TypeVar("A", bound=AnyEvent)
R = TypeVar("R")

When: TypeAlias = Condition | Callable[[A], bool]
Handler: TypeAlias = Callable[[Any], Any]


class Kind(msgspec.Struct, frozen=True):
    """`Inserted[Order]`, taken apart."""

    event: type[AnyEvent]
    entity: type[Entity]

    def fits(self, event: AnyEvent) -> bool:
        return isinstance(event, self.event) and issubclass(event.entity, self.entity)


class Registration(msgspec.Struct, frozen=True):
    """A handler, the changes it wants, and the name under which it is remembered."""

    name: str
    handler: Handler
    kinds: tuple[Kind, ...]
    changed: tuple[Path[Any], ...] = ()
    when: Condition | Callable[[Any], bool] | None = None

    def wants(self, event: AnyEvent) -> bool:
        if not any(kind.fits(event) for kind in self.kinds):
            return False
        if self.changed and not (isinstance(event, Modified) and any(event.changed(each) for each in self.changed)):
            return False
        if self.when is None:
            return True
        if isinstance(self.when, Condition):
            from tablewright.expr.evaluate import evaluate  # few handlers have such a condition

            return evaluate(self.when, event.stored_item())
        return bool(self.when(event))


class Registering(Generic[A]):
    """Decorates a function that takes such events: `@handlers.on(Inserted[Order])`."""

    def __init__(self, register: Callable[[Handler], None]) -> None:
        self._register = register

    def __call__(self, handler: Callable[[A], R]) -> Callable[[A], R]:
        self._register(handler)
        return handler


def kind_of(given: Any, owners: Owners) -> Kind:
    """`Inserted[Order]` as a value, if there can be such events."""
    event, entities = get_origin(given), get_args(given)
    is_event = isinstance(event, type) and issubclass(event, Event)
    if not is_event or len(entities) != 1 or not isinstance(entities[0], type):
        remedy = "name a kind of change and an entity, such as Inserted[Order] or Event[Order]"
        raise RequestError(f"on({given!r:.60}): {remedy}", code=2002)
    entity = cast("type[Entity]", entities[0])
    if not any(issubclass(each, entity) for each in owners.entities()):
        names = ", ".join(service.name for service in owners.services)
        raise RequestError(f"{entity.__name__} is no entity of {names}; give its service to Handlers(...)", code=2002)
    return Kind(cast("type[AnyEvent]", event), entity)


def places_of(changed: Any, kinds: Iterable[Kind]) -> tuple[Path[Any], ...]:
    """The attributes of which one must have changed."""
    places: list[Any] = [*changed] if isinstance(changed, list | tuple) else [changed]
    if any(not issubclass(kind.event, Modified) for kind in kinds):
        raise RequestError("changed= is for modifications alone: write on(Modified[...], changed=...)", code=2002)
    return tuple(as_path(place) for place in places)


def name_of(handler: Handler) -> str:
    """A function's place, which is the same in the next process."""
    kind: Any = handler if hasattr(handler, "__qualname__") else type(handler)
    return f"{kind.__module__ or 'builtins'}.{kind.__qualname__}"
