"""Databases that run what one tenant may ask, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.runtime.database import AsyncDatabase, Database
from tablewright.runtime.features.tenant.guard import refuse_others

if TYPE_CHECKING:
    from tablewright.runtime.features.tenant.scope import Tenant
    from tablewright.runtime.flow import AsyncSend, Send
    from tablewright.runtime.requests.request import Operation


class TenantDatabase(Database):
    """`db.tenant(app.tenant("w1"))`: the same database, for one tenant."""

    def __init__(self, database: Database, tenant: Tenant) -> None:
        super().__init__(database.transport, observe=database.observers, sleep=database.sleep, blobs=database.blobs)
        self.bound_to = tenant

    def _send(self, operation: Operation[Any], *others: Any) -> Send:
        refuse_others(self.bound_to, operation)
        return super()._send(operation, *others)


class AsyncTenantDatabase(AsyncDatabase):
    """As TenantDatabase, awaited."""

    def __init__(self, database: AsyncDatabase, tenant: Tenant) -> None:
        super().__init__(database.transport, observe=database.observers, sleep=database.sleep, blobs=database.blobs)
        self.bound_to = tenant

    def _send(self, operation: Operation[Any], *others: Any) -> AsyncSend:
        refuse_others(self.bound_to, operation)
        return super()._send(operation, *others)
