"""The item that remembers a job: one in the service's table while the job is under way, gone when it is done.

Each step replaces it, on condition that nobody else did since it was read. So two runners of one job do not count the
same step twice, and whoever comes after a crash goes on where the last step ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tablewright.errors import ConditionFailed, RequestError
from tablewright.runtime.features.companion import companion_identity, companion_key
from tablewright.runtime.features.jobs.progress import Progress
from tablewright.runtime.items.layout import Layout
from tablewright.runtime.options import DEFAULT, Options
from tablewright.runtime.requests.request import Params, call

if TYPE_CHECKING:
    from tablewright.runtime.flow import Flow

MARK = "$tablewright$job"


class Checkpoint(msgspec.Struct, frozen=True):
    """Where a job is remembered. `about` says what it does, so that nobody goes on with a different one."""

    layout: Layout
    table: str
    job: str
    about: str

    @property
    def key(self) -> Params:
        return companion_key(self.layout, f"{MARK}#{self.layout.entity.service}#{self.job}", MARK)

    def get(self) -> Params:
        return {"TableName": self.table, "Key": self.key, "ConsistentRead": True}

    def read(self) -> Flow[Progress | None]:
        """The job as it was left; None when it is not under way."""
        reply = yield from call("GetItem", self.get())
        item = reply.get("Item")
        if item is None:
            return None
        if item["about"] != self.about:
            raise RequestError(
                f"the job {self.job!r} is under way, but to {item['about']}, not to {self.about}; let it finish first",
                code=2002,
            )
        return Progress(
            job=self.job,
            counts={name: int(count) for name, count in item["counts"].items()},
            write_units=float(item["units"]),
            steps=int(item["steps"]),
            state=msgspec.json.decode(item["state"]),
            run=item["run"],
        )

    def put(self, before: Progress | None, after: Progress) -> Params:
        """The request that writes the job as it is now, in place of what it was."""
        item = {
            **self.key,
            "job": self.job,
            "about": self.about,
            "counts": dict(after.counts),
            "units": after.write_units,
            "steps": after.steps,
            "run": after.run,
            "state": msgspec.json.encode(after.state).decode(),
            **companion_identity(self.layout, "job"),
        }
        return {"TableName": self.table, "Item": item, **self.unless_changed(before)}

    def unless_changed(self, before: Progress | None) -> Params:
        if before is None:
            names = {"#key": self.layout.primary.pk.field}
            return {"ConditionExpression": "attribute_not_exists(#key)", "ExpressionAttributeNames": names}
        return {
            "ConditionExpression": "#run = :run AND #steps = :steps",
            "ExpressionAttributeNames": {"#run": "run", "#steps": "steps"},
            "ExpressionAttributeValues": {":run": before.run, ":steps": before.steps},
        }

    def save(self, before: Progress | None, after: Progress) -> Flow[bool]:
        """Remember the job, or forget it when it is done; False when somebody else went on with it meanwhile."""
        try:
            if after.is_done:
                forget = {"TableName": self.table, "Key": self.key, **self.unless_changed(before)}
                yield from call("DeleteItem", forget)
            else:
                yield from call("PutItem", self.put(before, after))
        except ConditionFailed:
            return False
        return True


class Noted(msgspec.Struct, frozen=True):
    """A checkpoint as a member of a step's own transaction."""

    layout: Layout
    body: Params
    options: Options = DEFAULT
    role: str = "checkpoint"

    method = "checkpoint"

    @property
    def composites(self) -> dict[str, Any]:
        return {}

    def clause(self) -> Params:
        return {"Put": dict(self.body)}
