"""A small service with a filled table, for the tests of observing."""

from __future__ import annotations

from typing import Any

import tablewright as tw
from tablewright import ANY, Attr, attr

shelf = tw.Service("shelf", table="shelf")


class Book(tw.Entity, service=shelf, name="book"):
    """A book of a reader."""

    reader: Attr[str]
    book: Attr[str]
    genre: Attr[str] = attr(default="novel")
    text: Attr[str] = attr(default="")

    @tw.primary
    def key(self, reader: str, *, book: str) -> None:
        """One book."""

    @tw.index("gsi1", collection="both")
    def by_genre(self, genre: str, *, book: str = ANY) -> None:
        """BatchProgress of a genre."""


class Note(tw.Entity, service=shelf, name="note"):
    genre: Attr[str]
    note: Attr[str]

    @tw.primary
    def key(self, genre: str, *, note: str) -> None:
        """One note."""

    @tw.index("gsi1", collection="both")
    def of_genre(self, genre: str, *, note: str = ANY) -> None:
        """Notes on a genre."""


class Both(tw.Collection, service=shelf, name="both"):
    books: list[Book]
    notes: list[Note]

    @tw.index("gsi1")
    def of(self, genre: str) -> None:
        """All on a genre."""


BOOKS = [Book(reader="ann", book=f"b{number}", text="secret" if number % 2 else "") for number in range(6)]


def filled(**options: Any) -> tw.Database:
    """A database with six books, unobserved while it was filled."""
    db = tw.Database.embedded()
    db.create(shelf)
    db.run(tw.batch_write(*(book.put() for book in BOOKS), Note(genre="novel", note="n").put()))
    return tw.Database(db.transport, **options)
