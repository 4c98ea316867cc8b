"""Runs an example's story: on the DynamoDB in the package, on a server, or in AWS.

    python -m examples.sessions                                     in this process, in memory
    python -m examples.sessions --endpoint http://localhost:8000    on a server that takes any keys
    python -m examples.sessions --aws sessions-demo                 in AWS, in a table of this name

The table is made for the story and deleted behind it, so that nothing is left to pay for. A table that is there already
is not touched. Region and keys for AWS are found as boto3 finds them.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import tablewright as tw

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

D = TypeVar("D", tw.Database, tw.AsyncDatabase)

LAG_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Place:
    """Where a story is to run: in memory unless one of the two is given."""

    table: str | None = None
    endpoint: str | None = None
    keep: bool = False

    def open(self, kind: type[D]) -> D:
        if self.endpoint is not None:
            return kind.aws(
                endpoint_url=self.endpoint,
                region_name="us-east-1",
                aws_access_key_id="local",
                aws_secret_access_key="local",
            )
        return kind.embedded() if self.table is None else kind.aws()


def run(service: tw.Service, story: Callable[[tw.Database], None]) -> None:
    """Tell the story on a fresh table, where the command line says."""
    place = asked_for(service)
    with place.open(tw.Database) as db:
        refuse_existing(service, db.check(service))
        db.create(service)
        try:
            story(db)
        finally:
            if not place.keep:
                db.delete_table(service)


def run_async(service: tw.Service, story: Callable[[tw.AsyncDatabase], Awaitable[None]]) -> None:
    """The same for a story that awaits."""
    asyncio.run(tell_async(service, story, asked_for(service)))


async def tell_async(service: tw.Service, story: Callable[[tw.AsyncDatabase], Awaitable[None]], place: Place) -> None:
    async with place.open(tw.AsyncDatabase) as db:
        refuse_existing(service, await db.check(service))
        await db.create(service)
        try:
            await story(db)
        finally:
            if not place.keep:
                await db.delete_table(service)


def catch_up(db: tw.Database) -> None:
    """Let a moment pass: in AWS indexes, and reads that are not consistent, are behind by that much."""
    if not is_embedded(db):
        db.sleep(LAG_SECONDS)


def is_embedded(db: tw.Database) -> bool:
    from tablewright.runtime.transports.embedded import Embedded

    return isinstance(db.transport, Embedded)


def asked_for(service: tw.Service) -> Place:
    parser = argparse.ArgumentParser(description=f"The story of {service.name}, in memory unless told otherwise.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--aws", metavar="TABLE", help="run in AWS, in a table of this name")
    where.add_argument("--endpoint", metavar="URL", help="run on a server that speaks DynamoDB's protocol")
    parser.add_argument("--keep", action="store_true", help="do not delete the table behind the story")
    given = parser.parse_args()
    if given.aws:
        service.home.table = given.aws  # operations are sent to this table from now on
    return Place(given.aws, given.endpoint, given.keep)


def refuse_existing(service: tw.Service, differences: list[tw.Difference]) -> None:
    """No difference means that the table is there; one that is there and different is refused by db.create."""
    if not differences:
        raise SystemExit(f'the table "{service.home.table}" exists already; name one that does not, or delete it first')


if __name__ == "__main__":
    print(__doc__)
