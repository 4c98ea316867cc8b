"""A small service that keeps versions and marks what is deleted, for the tests of both."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import tablewright as tw
from tablewright import ANY, Attr, attr

archive = tw.Service("archive", table="archive")
NOON = datetime(2036, 11, 15, 12, tzinfo=UTC)


class Shelf(tw.Entity, service=archive, name="shelf"):
    """Counts its documents."""

    shelf: Attr[str]
    documents: Attr[int] = attr(aggregate=True, default=0)

    @tw.primary
    def key(self, shelf: str) -> None:
        """One shelf."""


class Doc(
    tw.Entity,
    service=archive,
    name="doc",
    history=tw.History(by="editor"),
    soft_delete=True,
    aggregates=[tw.count_into(Shelf, "documents", by="shelf")],
):
    """Text, all versions of which are kept."""

    doc: Attr[str]
    shelf: Attr[str] = attr(default="s")
    title: Attr[str | None] = attr(default=None, unique=True)
    text: Attr[str] = attr(default="")
    editor: Attr[str | None] = attr(default=None)
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, doc: str) -> None:
        """One document."""

    @tw.index("gsi1", collection="shelved")
    def on(self, shelf: str, *, doc: str = ANY) -> None:
        """The documents of a shelf."""


class Note(tw.Entity, service=archive, name="note", history=tw.History(keep=2)):
    """The last two versions are kept."""

    note: Attr[str]
    text: Attr[str] = attr(default="")
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, note: str) -> None:
        """One note."""


class Memo(tw.Entity, service=archive, name="memo", history=tw.History(keep=timedelta(days=1))):
    """A version is kept for a day after the next."""

    memo: Attr[str]
    text: Attr[str] = attr(default="")
    version: Attr[int] = attr(version=True)

    @tw.primary
    def key(self, memo: str) -> None:
        """One memo."""


class Session(tw.Entity, service=archive, name="session", soft_delete=tw.SoftDelete(keep=timedelta(days=30))):
    """Marked when it is deleted, and gone a month later."""

    session: Attr[str]
    user: Attr[str] = attr(default="u")
    expires: Attr[datetime | None] = attr(default=None, ttl=True)
    deleted_at: Attr[datetime | None] = attr(default=None)

    @tw.primary
    def key(self, session: str) -> None:
        """One session."""

    @tw.index("gsi1")
    def of(self, user: str, *, session: str = ANY) -> None:
        """The sessions of a user."""


class Shelved(tw.Collection, service=archive, name="shelved"):
    """What is on a shelf."""

    docs: list[Doc]

    @tw.index("gsi1")
    def on(self, shelf: str) -> None:
        """All of it."""


def fresh() -> tw.Database:
    db = tw.Database.embedded()
    db.create(archive)
    db.run(Shelf(shelf="s").create())
    return db
