"""A service with every kind of index, for the tests of tables."""

from __future__ import annotations

import tablewright as tw
from tablewright import ANY, Attr, attr

workshop = tw.Service("workshop", table=tw.Table("workshop", indexes={"by_date": ("pk", "lsi1sk")}))


class Job(tw.Entity, service=workshop, name="job"):
    """Work on a machine."""

    machine: Attr[str]
    job: Attr[str]
    customer: Attr[str | None] = attr(default=None, field="cust")
    due: Attr[str | None] = attr(default=None)
    hours: Attr[int] = attr(default=0)
    expires: Attr[int | None] = attr(default=None, field="exp")

    @tw.primary
    def key(self, machine: str, *, job: str) -> None:
        """One job."""

    @tw.index("by_date")
    def by_date(self, machine: str, *, due: str = ANY) -> None:
        """The jobs of a machine by date."""

    @tw.index("gsi1", projection=("customer", "hours"))
    def by_customer(self, customer: str, *, due: str = ANY) -> None:
        """The jobs of a customer."""

    @tw.index("gsi2", kind="composite")
    def by_load(self, customer: str, due: str, *, hours: int = ANY) -> None:
        """The jobs of a customer on a day, by size."""
