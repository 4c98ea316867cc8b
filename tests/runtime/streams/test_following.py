"""Following a stream: places kept, failures tried again, shards in order, through the engine and through botocore."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import boto3
import pytest

import tablewright as tw
from tablewright.engine import Engine
from tablewright.engine.server import Server
from tablewright.runtime.transports.recorded import Recorded
from tests.runtime.streams.bakery import Loaf, bakery, clock_of, engine_of, open_bakery, stream_arn


class Kitchen:
    """Handlers that note what they were called for; `failures` is how often a loaf fails."""

    def __init__(self, **failures: int) -> None:
        self.handlers = tw.Handlers(bakery)
        self.failures = failures
        self.seen: list[str] = []

        @self.handlers.on(tw.Event[Loaf])
        def note(event: tw.Event[Loaf]) -> None:
            self.seen.append(event.item.loaf)
            if self.failures.get(event.item.loaf, 0):
                self.failures[event.item.loaf] -= 1
                raise ValueError(event.item.loaf)


def bake(db: tw.Database, *names: str) -> None:
    for name in names:
        db.run(Loaf(oven="o", loaf=name).put())


def test_catching_up_goes_on_where_it_was() -> None:
    db, kitchen = open_bakery(), Kitchen()
    bake(db, "a", "b")
    assert kitchen.handlers.catch_up(db) == 2
    bake(db, "c")
    assert kitchen.handlers.catch_up(db) == 1
    assert kitchen.seen == ["a", "b", "c"]


def test_databases_have_places_of_their_own() -> None:
    kitchen = Kitchen()
    for name in ("a", "b"):
        db = open_bakery()
        bake(db, name)
        assert kitchen.handlers.catch_up(db) == 1
    assert kitchen.seen == ["a", "b"]


def test_more_than_a_page_is_read() -> None:
    db, kitchen = open_bakery(), Kitchen()
    bake(db, *(f"l{at}" for at in range(1100)))
    assert kitchen.handlers.catch_up(db) == 1100
    assert len(kitchen.seen) == 1100


def test_a_failure_is_raised_and_its_place_is_kept() -> None:
    db, kitchen = open_bakery(), Kitchen(b=1)
    bake(db, "a", "b", "c")
    with pytest.raises(ValueError, match="b"):
        kitchen.handlers.catch_up(db)
    assert kitchen.handlers.catch_up(db) == 2
    assert kitchen.seen == ["a", "b", "b", "c"]


def test_checkpoints_in_a_file_outlive_the_process(tmp_path: Path) -> None:
    db, path = open_bakery(), tmp_path / "places.json"
    bake(db, "a")
    assert Kitchen().handlers.catch_up(db, checkpoints=tw.Checkpoints(path)) == 1
    bake(db, "b")
    later = Kitchen()
    assert later.handlers.catch_up(db, checkpoints=tw.Checkpoints(str(path))) == 1
    assert later.seen == ["b"]
    checkpoints = tw.Checkpoints(path)
    checkpoints.forget()
    assert Kitchen().handlers.catch_up(db, checkpoints=tw.Checkpoints(path)) == 2
    assert [each.name for each in tmp_path.iterdir()] == ["places.json"]


def test_a_stream_can_be_forgotten_on_its_own() -> None:
    checkpoints = tw.Checkpoints()
    checkpoints.save("one", "s", "1")
    checkpoints.save("two", "s", "2")
    checkpoints.forget("one")
    assert (checkpoints.of("one"), checkpoints.of("two")) == ({}, {"s": "2"})


def test_another_file_is_no_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / "places.json"
    path.write_text("[]")
    with pytest.raises(tw.RequestError, match=r"places\.json holds no checkpoints"):
        tw.Checkpoints(path)


def test_following_until_told_to_stop() -> None:
    db, kitchen = open_bakery(), Kitchen()
    began = clock_of(db)()
    names = iter(["a", "b", "c"])

    def stop() -> bool:
        name = next(names, None)
        if name is None:
            return True
        bake(db, name)
        return False

    kitchen.handlers.follow(db, stop=stop, poll_seconds=30)
    assert kitchen.seen == ["a", "b", "c"]
    assert clock_of(db)() == began + 30  # it waited once, for the first loaf; nobody else did


def test_following_from_now_on() -> None:
    db, kitchen = open_bakery(), Kitchen()
    bake(db, "before")
    names = iter(["a", "b"])

    def stop() -> bool:
        name = next(names, None)
        bake(db, *([name] if name else []))
        return name is None

    checkpoints = tw.Checkpoints()
    kitchen.handlers.follow(db, stop=stop, start="latest", checkpoints=checkpoints)
    assert kitchen.seen == ["a", "b"]
    bake(db, "c")
    kitchen.handlers.catch_up(db, start="latest", checkpoints=checkpoints)
    assert kitchen.seen == ["a", "b", "c"]


@pytest.mark.parametrize(("failures", "attempts", "gives_up"), [(2, 3, False), (3, 3, True), (1, 1, True)])
def test_following_tries_again(failures: int, attempts: int, gives_up: bool) -> None:
    db, kitchen = open_bakery(), Kitchen(b=failures)
    bake(db, "a", "b", "c")

    def stop() -> bool:
        return "c" in kitchen.seen

    if gives_up:
        with pytest.raises(ValueError, match="b"):
            kitchen.handlers.follow(db, stop=stop, attempts=attempts)
        assert kitchen.handlers.catch_up(db) == 2
    else:
        kitchen.handlers.follow(db, stop=stop, attempts=attempts)
    assert kitchen.seen == ["a", *["b"] * (failures + 1), "c"]


def test_an_old_iterator_is_renewed() -> None:
    db, kitchen = open_bakery(), Kitchen()
    bake(db, "a")

    def stop() -> bool:
        if len(kitchen.seen) < 2:
            clock_of(db).step(minutes=20)
            bake(db, "b")
        return len(kitchen.seen) >= 2

    kitchen.handlers.follow(db, stop=stop)
    assert kitchen.seen == ["a", "b"]


def test_changes_that_are_gone_are_told() -> None:
    db, kitchen, checkpoints = open_bakery(), Kitchen(), tw.Checkpoints()
    bake(db, "a", "b")
    kitchen.handlers.catch_up(db, checkpoints=checkpoints)
    bake(db, "a", "c")
    clock_of(db).step(hours=30)
    bake(db, "d")
    with pytest.raises(tw.RequestError, match="streams keep them for a day"):
        kitchen.handlers.catch_up(db, checkpoints=checkpoints)
    checkpoints.forget()
    kitchen.handlers.catch_up(db, checkpoints=checkpoints)
    assert kitchen.seen == ["a", "b", "d"]


def test_a_stream_that_ends_is_read_to_its_end() -> None:
    db, kitchen = open_bakery(), Kitchen()
    bake(db, "a")
    arn = stream_arn(db)
    engine_of(db).call("UpdateTable", {"TableName": "bakery", "StreamSpecification": {"StreamEnabled": False}})
    assert engine_of(db).call("DescribeStream", {"StreamArn": arn})["StreamDescription"]["StreamStatus"] == "DISABLED"
    kitchen.handlers.follow(db)
    assert kitchen.seen == ["a"]


def test_tables_without_a_stream_are_told() -> None:
    db = tw.Database.embedded(engine=Engine())
    with pytest.raises(tw.RequestError, match="no table"):
        Kitchen().handlers.catch_up(db)
    db.create(bakery)
    with pytest.raises(tw.RequestError, match=r"no stream; .*new_and_old_images"):
        Kitchen().handlers.catch_up(db)
    with pytest.raises(tw.RequestError, match="oldest"):
        Kitchen().handlers.catch_up(db, start="newest")  # type: ignore[arg-type]
    with pytest.raises(tw.RequestError, match="no database"):
        Kitchen().handlers.catch_up(bakery)  # type: ignore[arg-type]


# ---- shards ----------------------------------------------------------------------------------------------------------


def shard(name: str, parent: str | None = None, *, closed: bool = True) -> dict[str, Any]:
    numbers = {"StartingSequenceNumber": "1", **({"EndingSequenceNumber": "9"} if closed else {})}
    return {"ShardId": name, "SequenceNumberRange": numbers, **({"ParentShardId": parent} if parent else {})}


def record(name: str) -> dict[str, Any]:
    keys = {"pk": {"S": "$bakery#oven_o"}, "sk": {"S": f"$loaf_2#loaf_{name}"}}
    image = {"oven": {"S": "o"}, "loaf": {"S": name}, "__edb_e__": {"S": "loaf"}, "__edb_v__": {"S": "2"}}
    inside = {"Keys": keys, "NewImage": {**keys, **image}, "SequenceNumber": name}
    return {"eventID": name, "eventName": "INSERT", "dynamodb": inside}


def page(*names: str, following: str | None) -> dict[str, Any]:
    return {"Records": [record(name) for name in names], **({"NextShardIterator": following} if following else {})}


class Shards:
    """A stream in several shards: it answers by shard, and notes the order in which they were begun."""

    def __init__(self, listings: list[dict[str, Any]], pages: dict[str, list[dict[str, Any]]]) -> None:
        self.listings = listings
        self.pages = pages
        self.begun: list[tuple[str, str]] = []

    def call(self, call: Any, trace: Any = None) -> bytes:
        import msgspec

        return msgspec.json.encode(getattr(self, call.action)(call.params))

    def close(self) -> None:
        pass

    def DescribeTable(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return {"Table": {"TableStatus": "ACTIVE", "LatestStreamArn": "arn:aws:dynamodb:r:1:table/bakery/stream/x"}}

    def DescribeStream(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return {"StreamDescription": self.listings.pop(0)}

    def GetShardIterator(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.begun.append((params["ShardId"], params["ShardIteratorType"]))
        return {"ShardIterator": params["ShardId"]}

    def GetRecords(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return self.pages[params["ShardIterator"]].pop(0)


def test_parents_come_before_their_children() -> None:
    family = [shard("child", "parent", closed=False), shard("parent", "grandparent"), shard("grandparent", "long gone")]
    shards = Shards(
        [
            {"Shards": family[:2], "StreamStatus": "ENABLED", "LastEvaluatedShardId": "parent"},
            {"Shards": family[2:], "StreamStatus": "ENABLED"},
            {"Shards": family, "StreamStatus": "ENABLED"},
            {"Shards": family, "StreamStatus": "ENABLED"},
        ],
        {
            "grandparent": [page("a", following="grandparent"), page(following=None)],
            "parent": [page("b", following=None)],
            "child": [page("c", following="child"), page(following="child")],
        },
    )
    kitchen = Kitchen()
    db = tw.Database(shards, sleep=lambda _seconds: None)  # type: ignore[arg-type]
    kitchen.handlers.follow(db, stop=lambda: len(kitchen.seen) == 3)
    assert kitchen.seen == ["a", "b", "c"]
    assert shards.begun == [(name, "TRIM_HORIZON") for name in ("grandparent", "parent", "child")]


def test_a_child_that_is_born_later_is_read_from_its_beginning() -> None:
    first, second = shard("first", closed=False), shard("second", "first", closed=False)
    shards = Shards(
        [
            {"Shards": [shard("closed"), first], "StreamStatus": "ENABLED"},
            {"Shards": [first, second], "StreamStatus": "ENABLED"},
        ],
        {"first": [page("a", following=None)], "second": [page("b", following="second")]},
    )
    kitchen = Kitchen()
    db = tw.Database(shards, sleep=lambda _seconds: None)  # type: ignore[arg-type]
    kitchen.handlers.follow(db, start="latest", stop=lambda: len(kitchen.seen) == 2)
    assert shards.begun == [("first", "LATEST"), ("second", "TRIM_HORIZON")]


# ---- awaited, and through botocore -----------------------------------------------------------------------------------


def test_following_awaited() -> None:
    blocking = open_bakery()
    bake(blocking, "a", "b")
    db = tw.AsyncDatabase.embedded(engine=engine_of(blocking))
    handlers = tw.Handlers(bakery, concurrent=4)
    seen: list[str] = []

    @handlers.on(tw.Inserted[Loaf])
    async def note(event: tw.Inserted[Loaf]) -> None:
        await asyncio.sleep(0)
        seen.append(event.new.loaf)

    async def main() -> None:
        assert await handlers.acatch_up(db) == 2
        bake(blocking, "c")
        await handlers.afollow(db, stop=lambda: "c" in seen)

    asyncio.run(main())
    assert sorted(seen) == ["a", "b", "c"]


@pytest.mark.parametrize("awaited", [False, True])
def test_through_a_client_of_dynamodb_streams(tablewright_server: Server, awaited: bool) -> None:
    db = tw.Database.aws(endpoint_url=tablewright_server.url)
    db.create(bakery, stream="new_and_old_images")
    bake(db, "a", "b")
    db.run(Loaf.key("o", loaf="a").patch(Loaf.weight.set(2.5)))
    kitchen = Kitchen()
    client = boto3.client("dynamodbstreams")
    if awaited:

        async def main() -> int:
            async with tw.AsyncDatabase.aws(endpoint_url=tablewright_server.url) as adb:
                return await kitchen.handlers.acatch_up(adb, client=client)

        assert asyncio.run(main()) == 3
    else:
        assert kitchen.handlers.catch_up(db, client=client) == 3
    assert kitchen.seen == ["a", "b", "a"]
    with pytest.raises(tw.RequestError, match="dynamodbstreams"):
        kitchen.handlers.catch_up(db)
    with pytest.raises(tw.RequestError, match="no client of DynamoDB Streams"):
        kitchen.handlers.catch_up(db, client=boto3.client("dynamodb"))
    db.close()
    client.close()


def test_an_error_of_the_service_goes_through() -> None:
    answers = [{"Table": {"TableStatus": "ACTIVE", "LatestStreamArn": "x"}}, tw.ServiceError("AccessDenied", "no")]
    with pytest.raises(tw.ServiceError, match="AccessDenied"):
        Kitchen().handlers.catch_up(tw.Database(Recorded(answers)))
