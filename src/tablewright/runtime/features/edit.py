"""Read, decide, write, and start over when somebody else was faster: `tw.edit(key, function)`.

The write insists on what was read: on the version where the entity has one, else on every attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import msgspec

from tablewright.errors import ConditionFailed, Conflict, NotUnique, RequestError
from tablewright.runtime.features.member import unchanged
from tablewright.runtime.features.plan import between
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.operations.get import Get
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.chaining import Tunable
from tablewright.runtime.requests.changes import Change
from tablewright.runtime.requests.request import Params, call, table_of

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow
    from tablewright.runtime.items.item import StoredItem
    from tablewright.runtime.key import Key
    from tablewright.runtime.operations.update import Update

E = TypeVar("E", bound="StoredItem")
Decide: TypeAlias = Callable[[E], "Change | Iterable[Change] | None"]


class Edit(Tunable, msgspec.Struct, Generic[E], frozen=True):
    """`tw.edit(Task.key("t1"), lambda task: [Task.status.set("done")])`; the answer is the item as it is then."""

    layout: Layout
    composites: Any
    decide: Decide[E]
    attempts: int = 5
    options: Options = DEFAULT

    method = "edit"

    def params(self) -> Params:
        """The request that reads the item."""
        return {
            "TableName": table_of(self.layout, self.options),
            "Key": self.layout.key(self.composites),
            "ConsistentRead": True,
        }

    def flow(self) -> Flow[E]:
        from tablewright.runtime.operations.members import in_words

        words, last = in_words(self), None
        for count in range(self.attempts):
            yield from between(count)
            reply = yield from call("GetItem", self.params())
            stored: Any = reply.get("Item")
            item: Any = Get[E](self.layout, self.composites).read_stored(stored, DEFAULT)
            if item is None:
                raise ConditionFailed("ConditionalCheckFailedException", f"{words}: there is no such item")
            changes = _listed(self.decide(item))
            if not changes:
                return item  # type: ignore[no-any-return]
            try:
                written: Any = yield from self.write(item, stored, changes).flow()
            except NotUnique:
                raise
            except ConditionFailed as error:
                last = error
            else:
                return written  # type: ignore[no-any-return]
        raise _conflict(words, self.attempts, last) from last

    def write(self, item: Any, stored: Params, changes: tuple[Change, ...]) -> Update[Any]:
        """The changes, on condition that the item is as it was read."""
        patch: Update[Any] = item.patch(*changes)
        plan = self.layout.plan
        if plan is None or plan.lock is None:
            patch = patch.where(*unchanged(self.layout, stored))
        met = "all_old"  # so that a conflict can show the item as it is
        options = {"response": "all_new", "return_on_condition_check_failure": met, "table": self.options.table}
        return patch.with_options(**options)


def edit(key: Key[E], change: Decide[E], *, attempts: int = 5) -> Edit[E]:
    """Read the item, let `change` say what to do with it, and do that unless someone else wrote it meanwhile.

    Then it starts over, `attempts` times in all, and raises `Conflict` in the end. `change` may be called several
    times and should do nothing else; with no changes nothing is written. The item must exist.
    """
    if attempts < 1:
        raise RequestError(f"edit() tries at least once, not {attempts} times", code=2002)
    return Edit(key.layout, key.composites, change, attempts)


def _listed(changes: Change | Iterable[Change] | None) -> tuple[Change, ...]:
    if changes is None:
        return ()
    return (changes,) if isinstance(changes, Change) else tuple(changes)


def _conflict(words: str, attempts: int, last: ConditionFailed | None) -> Conflict:
    message = f"{words}: someone else was faster {attempts} times; try again later"
    error = Conflict("ConditionalCheckFailedException", message)
    error.item = None if last is None else last.item
    return error
