"""What features may do to the items of an entity, its reads and its writes: all that the core knows of features.

A feature is asked once, when a layout is made, and leaves values of these kinds on it. Where there is none, nothing is
called: an entity without features is read and written as if there were no features at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from tablewright.schema.keys import PatternKeys
from tablewright.schema.model import Entity

if TYPE_CHECKING:
    from tablewright.expr.nodes import Action, Condition
    from tablewright.runtime.flow import Flow

Params: TypeAlias = dict[str, Any]


class Derivation(Protocol):
    """An item has an attribute that follows from others, such as the shard it is in."""

    @property
    def name(self) -> str: ...

    @property
    def sources(self) -> tuple[str, ...]: ...

    @property
    def fields(self) -> tuple[str, ...]:
        """The stored partition keys it is part of."""
        ...

    @property
    def is_constant(self) -> bool:
        """Whether it follows from the table key alone."""
        ...

    @property
    def is_random(self) -> bool: ...

    @property
    def is_found_without(self) -> bool:
        """Whether a question that does not say it can be asked all the same."""
        ...

    def value(self, values: Mapping[str, Any]) -> Any:
        """What it is for these values; ABSENT when a source is."""
        ...

    def is_kept(self, stored: Any) -> bool:
        """Whether a value that is there may stay, whatever the sources say."""
        ...


class LargeFields(Protocol):
    """An item has attributes that are stored in another form, or elsewhere."""

    @property
    def fields(self) -> Collection[str]: ...

    def inline(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """A stored item with plain values, as far as they are in it."""
        ...


class Spread(Protocol):
    """A question is asked in several partitions; each is a question of its own."""

    def lanes(self, query: Any) -> list[Any]: ...

    def gather(self, query: Any) -> Flow[Any]: ...


class Settled(msgspec.Struct, frozen=True):
    """What became of a single write: a reply as DynamoDB would have given, and what was sent."""

    reply: Params
    body: Params


class WritePlan(Protocol):
    """A write counts versions in the attribute `lock`, or takes companions along."""

    @property
    def lock(self) -> str | None: ...

    @property
    def companions(self) -> tuple[Any, ...]: ...

    def insisted(self, write: Any) -> Condition | None:
        """The version that the write insists on."""
        ...

    def counted(self, values: dict[str, Any], *, only_new: bool) -> dict[str, Any]:
        """The values of a whole item with their next version."""
        ...

    def counting(self, write: Any) -> list[Action]:
        """What counts the version up in an update."""
        ...

    def along(self, writes: Any) -> list[Params] | None:
        """What features add to these writes, in one transaction, as far as it is known; None where they add nothing."""
        ...

    def run(self, write: Any) -> Flow[Settled]: ...

    def run_together(self, writes: Any, options: Any) -> Flow[None]:
        """A transaction in which at least one write is of an entity with a plan."""
        ...


class Marking(Protocol):
    """A deletion only marks the item: it is an update."""

    def as_update(self, deletion: Any) -> Any: ...

    def flow(self, deletion: Any) -> Flow[Any]: ...


class UpgradeAt(Protocol):
    """Bring the item of a key up to today's version; whether it was of an older one."""

    def __call__(self, layout: Any, composites: Mapping[str, Any], options: Any, /) -> Flow[bool]: ...


class Hooks(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """What the features of one entity have to do."""

    derived: tuple[Derivation, ...] = ()
    large: LargeFields | None = None
    spread: Spread | None = None
    plan: WritePlan | None = None
    marking: Marking | None = None
    upgrade_at: UpgradeAt | None = None


HooksOf: TypeAlias = Callable[[Entity, PatternKeys], Hooks]
NO_HOOKS = Hooks()


def no_hooks(entity: Entity, primary: PatternKeys) -> Hooks:  # noqa: ARG001 - a HooksOf
    """Of an entity that is nothing but its items."""
    return NO_HOOKS
