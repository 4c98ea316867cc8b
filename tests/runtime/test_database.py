"""Databases: made cheaply, opened when used, the same for every transport."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import Any

import boto3
import pytest
from moto import mock_aws

import tablewright as tw
from tablewright.engine.server import Server
from tablewright.runtime.transports.aws.opening import AwsSettings
from tablewright.runtime.transports.recorded import AsyncRecorded, Recorded
from tablewright.runtime.transports.settings import read_settings
from tests.runtime.observing.shelf import BOOKS, Book, Both, filled, shelf

FIRST = Book.key("ann", book="b0")
LOCAL: dict[str, Any] = {
    "region_name": "us-east-1",
    "aws_access_key_id": "local",
    "aws_secret_access_key": "local",
}


# ---- AWS -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that says nothing of AWS."""
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    return monkeypatch


@pytest.mark.parametrize("kind", ["fast", "botocore"])
def test_every_transport_does_the_same(kind: Any, tablewright_server: Server) -> None:
    with tw.Database.aws(transport=kind, timeout=5.0, retry=tw.Retry(attempts=2)) as db:
        db.create(shelf)
        db.run(BOOKS[0].put())

    async def read() -> Any:
        async with tw.AsyncDatabase.aws(transport=kind, timeout=(2.0, 5.0)) as adb:
            return await adb.run(FIRST.get(), explain=True)

    told = asyncio.run(read())
    assert told.result == BOOKS[0]
    assert told.rcu == 0.5


def test_a_client_is_used_as_it_is(tablewright_server: Server) -> None:
    client = boto3.client("dynamodb", endpoint_url=tablewright_server.url, **LOCAL)
    sent: list[str] = []
    client.meta.events.register("before-call.dynamodb.*", lambda model, **_: sent.append(model.name))
    db = tw.Database.aws(client=client)
    db.create(shelf)
    db.run(BOOKS[0].put())
    assert asyncio.run(tw.AsyncDatabase.aws(client=client).run(FIRST.get())) == BOOKS[0]
    assert sent == ["CreateTable", "DescribeTable", "PutItem", "GetItem"]


def test_nothing_is_looked_for_before_the_first_call(nowhere: pytest.MonkeyPatch, tablewright_server: Server) -> None:
    nowhere.delenv("AWS_ENDPOINT_URL_DYNAMODB")
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        nowhere.delenv(name)
    db = tw.Database.aws()
    with pytest.raises(tw.RequestError, match="region"):
        db.run(FIRST.get())
    nowhere.setenv("AWS_ENDPOINT_URL_DYNAMODB", tablewright_server.url)
    db.create(shelf)
    assert db.run(FIRST.get()) is None


def test_making_one_imports_neither_botocore_nor_ssl() -> None:
    code = (
        "import sys, tablewright as tw\n"
        "tw.Database.aws(), tw.AsyncDatabase.aws()\n"
        "print([name for name in ('botocore', 'ssl', 'asyncio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_closed_is_closed(tablewright_server: Server) -> None:
    db = tw.Database.aws()
    db.create(shelf)
    db.close()
    with pytest.raises(tw.TransportError, match="is closed"):
        db.run(FIRST.get())
    unused = tw.Database.aws()
    unused.close()
    with pytest.raises(tw.TransportError, match="is closed"):
        unused.run(FIRST.get())


def test_threads_open_it_once(tablewright_server: Server) -> None:
    db = tw.Database.aws()
    db.create(shelf)
    db = tw.Database.aws()
    meeting = threading.Barrier(6)
    found: list[Any] = []

    def read() -> None:
        meeting.wait(5)
        db.run(FIRST.get())
        found.append(db.transport.opened.made)  # type: ignore[attr-defined]

    threads = [threading.Thread(target=read) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    db.close()
    assert len(found) == 6
    assert len(set(map(id, found))) == 1


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown": ({"regon_name": "eu-west-1"}, "does not know 'regon_name'; it takes session"),
    "transport": ({"transport": "curl"}, "none of fast, botocore"),
    "client and more": ({"client": object(), "region_name": "x"}, "leave out region_name, or client"),
    "no client": ({"client": object()}, "is no DynamoDB client"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("kind", [tw.Database, tw.AsyncDatabase])
def test_nonsense_is_refused_at_once(kind: Any, name: str) -> None:
    settings, told = REFUSED[name]
    with pytest.raises(tw.RequestError, match=told):
        kind.aws(**settings)


def test_all_settings_arrive() -> None:
    import inspect

    known = set(inspect.signature(read_settings).parameters)
    assert set(AwsSettings.__annotations__) - {"client", "retry", "transport"} == known


# ---- pages of collections -----------------------------------------------------------------------------------------


def test_collections_are_gone_through_by_page() -> None:
    db = filled()
    pages = list(db.iter(Both.of("novel").limit(3)))
    assert [(len(page.books), len(page.notes)) for page in pages] == [(3, 0), (3, 0), (0, 1)]
    assert [page.cursor is None for page in pages] == [False, False, True]
    assert len(list(db.iter(Both.of("novel")))) == 1

    async def collect() -> int:
        adb = tw.AsyncDatabase.embedded(engine=db.transport.engine)  # type: ignore[attr-defined]
        return sum([len(page.books) async for page in adb.iter(Both.of("novel").limit(4))])

    assert asyncio.run(collect()) == 6


def test_iteration_wants_pages() -> None:
    with pytest.raises(tw.RequestError, match="goes through pages, and Get gives none"):
        list(filled().iter(FIRST.get()))  # type: ignore[call-overload]


# ---- go() and clients ----------------------------------------------------------------------------------------------


def test_a_typed_service_is_bound_to_what_blocks() -> None:
    with pytest.raises(tw.RequestError, match="bind a Database, or use await"):
        shelf.bind(tw.AsyncDatabase(AsyncRecorded()))  # type: ignore[arg-type]
    shelf.bind(filled())
    try:
        assert FIRST.get().go() == BOOKS[0]
    finally:
        shelf.bind(None)


SCHEMA = {
    "model": {"service": "shelf", "entity": "book", "version": "1"},
    "attributes": {"reader": "string", "book": "string"},
    "indexes": {
        "books": {"pk": {"field": "pk", "composite": ["reader"]}, "sk": {"field": "sk", "composite": ["book"]}}
    },
}
ASKED = {"TableName": "shelf", "Key": {"pk": "$shelf#reader_ann", "sk": "$book_1#book_b0"}}


@mock_aws
def test_the_loaded_style_takes_boto3_clients() -> None:
    for client in (boto3.client("dynamodb", **LOCAL), boto3.resource("dynamodb", **LOCAL)):
        db = tw.Database.aws(client=client)
        loaded = tw.Service.load(SCHEMA, table="shelf", client=client)
        db.create(loaded)
        loaded.book.put(reader="ann", book="b0").go()
        assert loaded.book.get(reader="ann", book="b0").go() == {"data": {"reader": "ann", "book": "b0"}}


def test_the_loaded_style_is_awaited_on_an_async_database() -> None:
    db = filled()
    events: list[dict[str, Any]] = []
    adb = tw.AsyncDatabase.embedded(engine=db.transport.engine)  # type: ignore[attr-defined]
    loaded = tw.Service.load(SCHEMA, table="shelf", client=adb)

    async def run() -> None:
        found = await loaded.book.query.books(reader="ann").go(pages="all", listeners=[events.append])
        assert len(found["data"]) == 6
        assert found == await adb.run(loaded.book.query.books(reader="ann"))
        written = await loaded.transaction.write(lambda book: [book.create(reader="ann", book="b0").commit()]).go()
        assert written["canceled"]

    asyncio.run(run())
    assert [each["type"] for each in events] == ["query", "results"]


def test_listeners_hear_the_same_whatever_carries_the_calls() -> None:
    heard: list[list[Any]] = []
    reply = {"Item": BOOKS[0].put().item()}
    no = tw.ServiceError("ResourceNotFoundException", "no")
    for replies in ([reply], [no]):
        blocking, awaited = [], []
        first = tw.Service.load(SCHEMA, table="shelf", client=Recorded(replies))
        second = tw.Service.load(SCHEMA, table="shelf", client=tw.AsyncDatabase(AsyncRecorded(replies)))
        outcome(lambda: first.book.get(reader="ann", book="b0").go(listeners=[blocking.append]))  # noqa: B023
        outcome(lambda: asyncio.run(second.book.get(reader="ann", book="b0").go(listeners=[awaited.append])))  # noqa: B023
        heard.append([told(each) for each in blocking])
        assert heard[-1] == [told(each) for each in awaited]
    assert [each["params"] for events in heard for each in events if each["type"] == "query"] == [ASKED, ASKED]
    assert [each["success"] for events in heard for each in events if each["type"] == "results"] == [True, False]


def told(event: dict[str, Any]) -> dict[str, Any]:
    return {
        name: str(value) if isinstance(value, Exception) else value for name, value in event.items() if name != "config"
    }


def outcome(run: Any) -> None:
    try:
        run()
    except tw.ServiceError:
        return


def test_batches_tell_of_every_request() -> None:
    events: list[dict[str, Any]] = []
    no = tw.ServiceError("ResourceNotFoundException", "no")
    loaded = tw.Service.load(SCHEMA, table="shelf", client=Recorded([{}, no]))
    chain = loaded.book.get([{"reader": "ann", "book": f"b{number}"} for number in range(150)])
    with pytest.raises(tw.ServiceError):
        chain.go(listeners=[events.append])
    assert [each["success"] for each in events if each["type"] == "results"] == [True, False]


def test_what_is_no_client_is_told() -> None:
    with pytest.raises(tw.RequestError, match="give a Database, a boto3 client or a transport"):
        tw.Service.load(SCHEMA, client=object())


@pytest.mark.parametrize("opened", [tw.Database, tw.AsyncDatabase])
def test_a_client_is_no_transport_and_the_remedy_is_named(opened: Any) -> None:
    with pytest.raises(tw.RequestError, match=rf"write tw.{opened.__name__}.aws\(client=client\)"):
        opened(object())


def test_each_way_to_begin_wrong_has_its_remedy() -> None:
    boto3 = pytest.importorskip("boto3")
    opened: Any = tw.Database
    for given, remedy in (
        ("app.db", r"write tw.Database.embedded\(path\)"),
        (boto3.Session(), r"write tw.Database.aws\(session=session\)"),
        (boto3.client("dynamodb", region_name="eu-west-1"), r"write tw.Database.aws\(client=client\)"),
    ):
        with pytest.raises(tw.RequestError, match=remedy):
            opened(given)


def test_what_is_no_path_makes_no_file() -> None:
    service: Any = tw.Service("app", table="app")
    with pytest.raises(tw.RequestError, match="is no path of a file; leave it out"):
        tw.Database.embedded(service)
