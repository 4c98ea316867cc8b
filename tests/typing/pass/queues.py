"""Queues, history and soft delete, as they are meant to be used."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_type

import tablewright as tw
from tablewright import ANY, Attr, attr

works = tw.Service("works", table="works")


class Job(tw.Entity, service=works, name="job", history=True, soft_delete=True):
    """Something to do."""

    job: Attr[str]
    queue: Attr[str] = attr(default="mail")
    due: Attr[datetime | None] = attr(default_factory=tw.now)
    result: Attr[str | None] = attr(default=None)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, job: str) -> None:
        """One job."""

    @tw.index("gsi1", queue=tw.Lease(seconds=30, attempts=3), shards=2)
    def waiting(self, queue: str, *, due: datetime = ANY) -> None:
        """Jobs that wait."""


class Note(
    tw.Entity,
    service=works,
    name="note",
    history=tw.History(keep=timedelta(days=1), by="author"),
    soft_delete=tw.SoftDelete("removed_at"),
):
    """Something to remember."""

    note: Attr[str]
    author: Attr[str | None] = attr(default=None)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, note: str) -> None:
        """One note."""


db = tw.Database.embedded()
db.create(works)
db.run(Job(job="a").create())
(claim,) = assert_type(
    db.run(tw.claim(Job.waiting("mail"), lease=timedelta(minutes=1), limit=3, worker="w")), list[tw.Claim[Job]]
)
assert_type(claim.item, Job)
claim = assert_type(db.run(tw.extend(claim)), tw.Claim[Job])
assert_type(db.run(tw.release(claim, delay=timedelta(0), counted=False)), Job)
(claim,) = db.run(tw.claim(Job.waiting("mail")))
assert_type(db.run(tw.finish(claim, Job.result.set("done"))), Job)
assert_type(db.run(tw.enqueue(Job.waiting("mail"), claim.item)), Job | None)
(claim,) = db.run(tw.claim(Job.waiting("mail")))
db.run(tw.transact(tw.discard(claim).write))

key = Job.key("a")
assert_type(db.run(tw.restore(key)), Job | None)
assert_type(db.run(tw.versions(key)).items, list[tw.Version[Job]])
for version in db.iter(tw.versions(key).limit(1)):
    assert_type(version.item, Job | None)
    assert_type(version.at, datetime)
assert_type(db.run(tw.version_of(key, 1)), tw.Version[Job] | None)
assert_type(db.run(tw.as_of(key, tw.now())), tw.Version[Job] | None)
assert_type(db.run(tw.restore(key, 1)), Job)
assert_type(db.run(key.get().including_deleted()), Job | None)
assert_type(db.run(tw.purge(key)), Job | None)
assert_type(db.run(tw.forget(key)), int)
assert_type(Note.schema().features.soft_delete, tw.SoftDelete | None)
