"""What is stored of a session: never its token, only what the token hashes to."""

from __future__ import annotations

from datetime import datetime, timedelta

import tablewright as tw
from tablewright import ANY, Attr, attr

IDLE = timedelta(minutes=30)
LONGEST = timedelta(hours=12)

signing_in = tw.Service("signing-in", table=tw.Table("sessions"))


class Session(tw.Entity, service=signing_in, name="session"):
    """Someone who is signed in on a device."""

    user: Attr[str]
    digest: Attr[str]
    device: Attr[str]
    since: Attr[datetime] = attr(default_factory=tw.now, read_only=True)
    expires: Attr[datetime | None] = attr(default=None, ttl=IDLE, hide_expired=True)

    @tw.primary(casing="none")
    def key(self, user: str, *, digest: str) -> None:
        """One session."""

    @tw.index("table")
    def of_user(self, user: str, *, digest: str = ANY) -> None:
        """The sessions of a user."""
