"""One tenant of a service: access patterns without saying the tenant again, and the keys that are its own.

Every partition key of a tenant's entity begins with the tenant, and so does every access pattern's signature: that is
what lets the rest of the signature keep its types.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.features.tenant.values import check_tenant_value, following
from tablewright.runtime.types.codec import EncodingError
from tablewright.runtime.types.scalars import SCALARS
from tablewright.schema.keys import compile_keys, key_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tablewright.schema.keys import ComposedKey
    from tablewright.schema.model import Entity

P = ParamSpec("P")
R = TypeVar("R")

WILDCARDS = "*?$"


class Tenant(msgspec.Struct, frozen=True):
    """`w1 = app.tenant("w1")`: `w1.of(Task.by_status)(status="open")` is `Task.by_status("w1", status="open")`."""

    service: Any  # a Service
    value: Any

    def of(self, pattern: Callable[Concatenate[Any, P], R], /) -> Callable[P, R]:
        """An access pattern with the tenant filled in."""
        return partial(pattern, self.value)

    @property
    def text(self) -> str:
        """The tenant as keys hold it."""
        codec = SCALARS.get(type(self.value))
        return key_text(self.value if codec is None else codec.encode(self.value))

    def keys(self) -> list[str]:
        """The partition keys of this tenant: each exact, or a beginning with `*` for the rest."""
        refused = [sign for sign in WILDCARDS if sign in self.text]
        if refused:
            raise RequestError(f"the tenant {self.text!r} contains {refused[0]!r}, a wildcard where keys are matched")
        sides = [side for entity in self.service.schema.entities.values() for side in _tenant_sides(entity)]
        try:
            check_tenant_value(self.text, sides)
        except EncodingError as error:
            raise RequestError(f"the tenant {error.reason}", code=3001) from error
        return sorted({self.key_of(side) for side in sides})

    def key_of(self, side: ComposedKey) -> str:
        piece = side.pieces[0]
        behind = following(side)
        more = "*" if len(side.pieces) > 1 else ""
        return side.cased(side.prefix + piece.lead + self.text + behind) + more


def _tenant_sides(entity: Entity) -> Iterator[ComposedKey]:
    """The partition keys that begin with the tenant; multi-attribute indexes have no text to match."""
    tenant = entity.features.tenant
    if tenant is None:
        return
    for keys in compile_keys(entity).values():
        if keys.pattern.kind != "composite" and not keys.pattern.across_tenants and not keys.pk.numeric:
            yield keys.pk
