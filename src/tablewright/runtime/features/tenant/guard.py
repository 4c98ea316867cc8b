"""What a database that is bound to a tenant runs: operations whose every part is of that tenant.

Nothing is filled in and nothing is filtered: an operation says its tenant, and one that says another, says none, or
asks across tenants is refused before anything is sent. Entities without a tenant are everybody's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from tablewright.errors import RequestError
from tablewright.schema.keys import key_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.items.layout import Layout
    from tablewright.runtime.options import Options

PARTS = (
    "gets",
    "writes",
    "found",
    "operations",
    "operation",
    "collect",
    "scan",
    "search",
    "work",
    "get",
    "first",
    "second",
)
SAYING = ("composites", "values", "given")
HARMLESS = frozenset({"ReturnConsumedCapacity", "ReturnItemCollectionMetrics"})


def refuse_others(tenant: Tenant, operation: Any) -> None:
    """Raise for an operation that is not wholly of the tenant."""
    options: Options | None = getattr(operation, "options", None)
    if options is not None and options.params and not options.params.keys() <= HARMLESS:
        _refuse(tenant, f"{type(operation).__name__} has its own parameters, which might say anything")
    own_check = getattr(operation, "check_tenant", None)
    if own_check is not None:
        own_check(tenant)
        return
    if hasattr(operation, "members") and hasattr(operation, "given"):  # a collection: one question for all of them
        for layout in operation.members.values():
            _check_pattern(tenant, layout, _pattern_in(layout, operation.collection))
            check_said(tenant, layout, operation.given)
        return
    parts = list(_parts_of(operation))
    for part in parts:
        refuse_others(tenant, part)
    if not parts:
        _check_one(tenant, operation)


def _parts_of(operation: Any) -> Iterator[Any]:
    """The operations that one is made of."""
    for name in PARTS:
        held = getattr(operation, name, None)
        if isinstance(held, tuple | list):
            yield from held  # pyright: ignore[reportUnknownVariableType]
        elif held is not None and not callable(held):
            yield held


def _check_one(tenant: Tenant, operation: Any) -> None:
    layout: Layout | None = getattr(operation, "layout", None)
    if layout is None:
        if getattr(operation, "gets", None) == () or getattr(operation, "writes", None) == ():
            return  # an empty batch does nothing
        _refuse(tenant, f"{type(operation).__name__} is not about one tenant's items")
    if layout.entity.features.tenant is None:
        return
    said: Mapping[str, Any] | None = next(
        (getattr(operation, name) for name in SAYING if hasattr(operation, name)), None
    )
    if said is None:
        _refuse(tenant, f"a {operation.method} of {layout.name} reads the items of all tenants")
    _check_pattern(tenant, layout, getattr(operation, "pattern", None))
    check_said(tenant, layout, said)


def _check_pattern(tenant: Tenant, layout: Layout, pattern: str | None) -> None:
    if pattern is not None and layout.pattern(pattern).pattern.across_tenants:
        _refuse(tenant, f"{layout.name}.{pattern} finds items of all tenants")


def check_said(tenant: Tenant, layout: Layout, said: Mapping[str, Any]) -> None:
    name = layout.entity.features.tenant
    if name is None:
        return
    if layout.entity.service != tenant.service.name:
        _refuse(tenant, f"{layout.name} belongs to the service {layout.entity.service}")
    value = said.get(name)
    if value is None or key_text(value) != tenant.text:
        _refuse(tenant, f"{layout.name} is asked for with {layout.called(name)} {value!r}")


def _pattern_in(layout: Layout, collection: Any) -> str | None:
    """The access pattern by which an entity is a member of a collection."""
    return next((each.pattern for each in collection.members if each.entity == layout.name), None)


def _refuse(tenant: Tenant, what: str) -> NoReturn:
    where = f"this database is bound to the tenant {tenant.text!r} of {tenant.service.name}"
    raise RequestError(f"{what}, and {where}; run it on the database itself if that is meant", code=2002)
