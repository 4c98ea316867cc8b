"""Sync and async drive the same flows: the same requests, the same results, the same errors."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import tablewright as tw
from tablewright import ANY, Attr, attr
from tablewright.errors import service_error
from tablewright.runtime.transports.recorded import AsyncRecorded, Recorded

app = tw.Service("app", table="app")


class Note(tw.Entity, service=app, name="note"):
    book: Attr[str]
    note: Attr[str]
    text: Attr[str] = attr(default="")

    @tw.primary
    def key(self, book: str, *, note: str) -> None:
        """One note."""

    @tw.index("gsi1")
    def by_text(self, text: str, *, note: str = ANY) -> None:
        """Notes that say the same."""


def stored(note: str) -> dict[str, Any]:
    return Note(book="b", note=note, text="t").put().params()["Item"]


LAST = {field: stored("1")[field] for field in ("gsi1pk", "gsi1sk", "pk", "sk")}
TWO_PAGES = [{"Items": [stored("1")], "LastEvaluatedKey": LAST}, {"Items": [stored("2")]}]
LEFT_OVER = {"app": [{"DeleteRequest": {"Key": {"pk": "$app#book_b", "sk": "$note_1#note_1"}}}]}

CASES: dict[str, tuple[Any, list[Any]]] = {
    "get": (Note.key("b", note="1").get(), [{"Item": stored("1")}]),
    "missing": (Note.key("b", note="1").get(), [{}]),
    "put": (Note(book="b", note="1").put(), [{}]),
    "page": (Note.by_text("t"), TWO_PAGES[:1]),
    "pages": (Note.by_text("t").pages("all"), TWO_PAGES),
    "batch": (tw.batch_get(Note.key("b", note="1").get()), [{"Responses": {"app": [stored("1")]}}]),
    "transaction": (tw.transact(Note(book="b", note="1").create()).token("once"), [{}]),
    "delete": (tw.delete_all(Note.by_text("t")), [TWO_PAGES[1], {"UnprocessedItems": {}}]),
    "failure": (Note.key("b", note="1").remove(), [service_error("ConditionalCheckFailedException", "no")]),
}


def outcome(run: Any) -> Any:
    try:
        return run()
    except tw.ServiceError as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", CASES)
def test_both_send_and_answer_the_same(name: str) -> None:
    operation, replies = CASES[name]
    blocking, awaited = Recorded(replies), AsyncRecorded(replies)
    first = outcome(lambda: tw.Database(blocking).run(operation))
    second = outcome(lambda: asyncio.run(tw.AsyncDatabase(awaited).run(operation)))
    assert first == second
    assert blocking.requests == awaited.requests


def test_iteration_goes_through_all_pages() -> None:
    async def collect(db: tw.AsyncDatabase) -> list[str]:
        return [note.note async for note in db.iter(Note.by_text("t"))]

    awaited = AsyncRecorded(TWO_PAGES)
    assert asyncio.run(collect(tw.AsyncDatabase(awaited))) == ["1", "2"]
    assert [note.note for note in tw.Database(Recorded(TWO_PAGES)).iter(Note.by_text("t"))] == ["1", "2"]
    assert awaited.requests[1][1]["ExclusiveStartKey"] == LAST


def test_pauses_are_slept(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    replies = [{"UnprocessedItems": LEFT_OVER}, {"UnprocessedItems": {}}]
    asyncio.run(tw.AsyncDatabase(AsyncRecorded(replies)).run(tw.batch_write(Note.key("b", note="1").delete())))
    assert len(slept) == 1
    assert 0 <= slept[0] <= 0.1
