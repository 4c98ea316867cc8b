"""Several operations that happen together or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from tablewright.runtime.operations.get import Get
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.request import Params, call

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.layout import Layout


class Write(Protocol):
    """An operation that may stand in a write transaction."""

    @property
    def layout(self) -> Layout: ...

    @property
    def options(self) -> Options: ...

    def clause(self) -> Params:
        """The operation as a member of a transaction."""
        ...


class TransactWrite(Tunable, msgspec.Struct, frozen=True):
    """`tw.transact(...)`: puts, updates, deletes and checks, all or nothing."""

    writes: tuple[Write, ...]
    options: Options = DEFAULT

    method = "transact_write"

    def params(self) -> Params:
        params: Params = {"TransactItems": [write.clause() for write in self.writes]}
        if self.options.token is not None:
            params["ClientRequestToken"] = self.options.token
        return {**params, **self.options.params} if self.options.params else params

    def flow(self) -> Flow[Params]:
        """The bare reply; a cancelled transaction raises."""
        plan = next((write.layout.plan for write in self.writes if write.layout.plan is not None), None)
        if plan is not None:
            yield from plan.run_together(self.writes, self.options)
            return {}
        request = self.params()
        if not self.writes:
            return {}
        return (yield from call("TransactWriteItems", request))


class TransactGet(Tunable, msgspec.Struct, frozen=True):
    """Several gets that see the same moment."""

    gets: tuple[Get[Any], ...]
    options: Options = DEFAULT

    method = "transact_get"

    def params(self) -> Params:
        params: Params = {"TransactItems": [get.read_clause() for get in self.gets]}
        return {**params, **self.options.params} if self.options.params else params

    def flow(self) -> Flow[Params]:
        """The bare reply with its responses in order."""
        request = self.params()
        if not self.gets:
            return {}
        return (yield from call("TransactGetItems", request))
