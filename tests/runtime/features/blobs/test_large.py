"""Large attributes are plain values for whoever writes and reads them, in every operation."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablewright as tw
from tablewright import Attr, attr
from tablewright.wire.call import Call
from tests.runtime.features.blobs.library import Comment, Document, MemoryStore, library, noise

WORDS = "many words that are much alike " * 400


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def db(store: MemoryStore) -> tw.Database:
    database = tw.Database.embedded(blobs=store)
    database.create(library)
    return database


def stored(db: tw.Database, shelf: str = "a", number: str = "1") -> dict[str, Any]:
    from tablewright.wire.document import read_reply

    key = {field: {"S": value} for field, value in Document.key(shelf, number=number).values().items()}
    found: dict[str, Any] = read_reply(db.transport.call(Call("GetItem", {"TableName": "library", "Key": key})))["Item"]
    return found


def doc(**values: Any) -> Document:
    return Document(shelf="a", number="1", **values)


def test_what_pays_is_compressed_and_what_is_small_stays(db: tw.Database, store: MemoryStore) -> None:
    db.run(doc(content=WORDS.encode(), text="short", facts={"a": 1}).put())
    item = stored(db)
    assert item["content"]["$sealed"] == "zlib/B"
    assert len(item["content"]["data"]) < 600
    assert (item["text"], item["f"]) == ("short", {"a": 1})
    assert not store.blobs
    assert db.run(Document.key("a", number="1").get()) == doc(content=WORDS.encode(), text="short", facts={"a": 1})


def test_what_is_still_large_is_kept_outside(db: tw.Database, store: MemoryStore) -> None:
    db.run(doc(content=noise(5000), text=WORDS).put())
    item = stored(db)
    assert item["content"]["$sealed"] == "plain/B"
    assert store.blobs[item["content"]["$blob"]] == noise(5000)
    assert store.blobs[item["text"]["$blob"]] == WORDS.encode()
    assert all(key.startswith("library/library/document/") for key in store.blobs)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.text(max_size=300) | st.binary(max_size=300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(min_size=1, max_size=8), inner, max_size=4),
    max_leaves=12,
)
FACTS = st.dictionaries(st.sampled_from(["$sealed", "$blob", "data", "a", "b"]), VALUES, max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=1500), st.text(max_size=1500), FACTS)
def test_every_value_is_read_as_it_was_written(content: bytes, text: str, facts: dict[str, Any]) -> None:
    with tw.Database.embedded(blobs=MemoryStore()) as database:
        database.create(library)
        item = doc(content=content * 3, text=text, facts=facts)
        database.run(item.put())
        assert database.run(Document.key("a", number="1").get()) == item


def test_replaced_and_removed_blobs_are_deleted(db: tw.Database, store: MemoryStore) -> None:
    key = Document.key("a", number="1")
    db.run(doc(content=noise(900, 1), text=WORDS).put())
    first = set(store.blobs)
    db.run(doc(content=noise(900, 2), text=WORDS).put())
    assert len(store.blobs) == 2
    assert not first & set(store.blobs)
    db.run(key.patch(Document.text.remove(), Document.content.set(noise(900, 3))))
    assert list(store.blobs.values()) == [noise(900, 3)]
    db.run(key.patch(Document.title.set("other")))
    assert list(store.blobs.values()) == [noise(900, 3)]
    db.run(key.delete())
    assert not store.blobs


def test_answers_of_writes_are_whole(db: tw.Database, store: MemoryStore) -> None:
    key = Document.key("a", number="1")
    db.run(doc(content=noise(900, 1), text=WORDS).put())
    new = db.run(key.patch(Document.content.set(noise(900, 2))).returning("all_new"))
    assert new == doc(content=noise(900, 2), text=WORDS)
    changed = db.run(key.patch(Document.content.set(noise(900, 3))).returning("updated_new"))
    assert changed is not None
    assert changed.content == noise(900, 3)
    old = db.run(doc(content=b"small").put().returning("all_old"))
    assert old == doc(content=noise(900, 3), text=WORDS)
    gone = db.run(key.remove().returning("all_old"))
    assert gone == doc(content=b"small")
    assert not store.blobs


def test_a_failed_condition_leaves_no_blob_and_shows_the_whole_item(db: tw.Database, store: MemoryStore) -> None:
    db.run(doc(content=noise(900, 1)).put())
    before = dict(store.blobs)
    write = doc(content=noise(900, 2)).create().with_options(return_on_condition_check_failure="all_old")
    with pytest.raises(tw.ConditionFailed) as failed:
        db.run(write)
    assert failed.value.item == doc(content=noise(900, 1))
    with pytest.raises(tw.TransactionCancelled) as cancelled:
        db.run(tw.transact(doc(content=noise(900, 2)).create()))
    assert cancelled.value.reasons[0].item == doc(content=noise(900, 1))
    assert store.blobs == before


def test_reads_of_every_kind_are_whole_and_only_leaves_blobs_alone(db: tw.Database, store: MemoryStore) -> None:
    items = [Document(shelf="a", number=str(at), title="t", content=noise(700, at)) for at in range(5)]
    db.run(tw.batch_write(*(item.put() for item in items)))
    assert sorted(db.iter(Document.by_title("t").limit(2)), key=lambda each: each.number) == items
    assert sorted(db.iter(Document.scan().parallel(2)), key=lambda each: each.number) == items
    gets = [Document.key("a", number=str(at)).get() for at in range(5)]
    assert db.run(tw.batch_get(*gets)) == items
    assert list(db.run(tw.transact_get(*gets))) == items
    store.get = pytest.fail  # type: ignore[method-assign, assignment]
    part = db.run(Document.key("a", number="1").get().only(Document.title))
    assert part is not None
    assert part.title == "t"
    assert db.run(Document.by_title("t").total()) == 5
    assert db.run(tw.delete_all(Document.by_title("t"))) == 5
    assert not store.blobs


def test_other_entities_with_such_a_field_are_stored_as_they_are(db: tw.Database, store: MemoryStore) -> None:
    comment = Comment(id="1", content=noise(5000))
    db.run(tw.transact(comment.put(), doc(content=noise(5000)).put()))
    assert len(store.blobs) == 1
    assert db.run(Comment.key("1").get()) == comment
    db.run(Comment.key("1").delete())
    assert len(store.blobs) == 1


def test_documents_above_400_kb_fit_into_batches_and_transactions(db: tw.Database) -> None:
    db.run(tw.batch_write(doc(content=noise(500_000, 1)).put()))
    db.run(tw.transact(doc(content=noise(600_000, 2)).put(), Document.key("b", number="1").delete()))
    found = db.run(Document.key("a", number="1").get())
    assert found is not None
    assert found.content == noise(600_000, 2)


@pytest.mark.parametrize(
    "operation",
    [
        lambda: Document.scan().where(Document.content == b"x"),
        lambda: Document.by_title("t").where(Document.text.begins_with("x")),
        lambda: Document.key("a", number="1").patch(Document.title.set("x")).where(Document.text.size() > 5),
        lambda: Document.key("a", number="1").delete().where(Document.content != b"x"),
        lambda: Document.key("a", number="1").patch(Document.facts["a"].set(1)),
        lambda: tw.transact(Document.key("a", number="1").check(Document.text == "x")),
    ],
)
def test_conditions_and_partial_changes_are_refused_in_words(operation: Any, db: tw.Database) -> None:
    with pytest.raises(tw.RequestError, match="stored compressed or outside the table"):
        db.run(operation())


def test_whether_it_is_there_may_be_asked(db: tw.Database) -> None:
    db.run(doc(content=noise(900)).put())
    key = Document.key("a", number="1")
    db.run(key.patch(Document.title.set("x")).where(Document.content.exists()))
    assert len(db.run(Document.scan().where(Document.content.exists())).items) == 1
    with pytest.raises(tw.ConditionFailed):
        db.run(key.patch(Document.title.set("x")).where(Document.content.not_exists()))


def test_keys_and_other_features_cannot_be_large() -> None:
    service = tw.Service("s", table=tw.Table("s"))

    class Bad(tw.Entity, service=service, name="bad"):
        id: Attr[str] = attr(offload=1000)

        @tw.primary
        def key(self, id: str) -> None: ...  # noqa: A002

    with pytest.raises(tw.SchemaError, match="large, but the keys"):
        Bad.schema()

    class Number(tw.Entity, service=service, name="number"):
        id: Attr[str]
        n: Attr[int] = attr(compress="zlib")

        @tw.primary
        def key(self, id: str) -> None: ...  # noqa: A002

    with pytest.raises(tw.SchemaError, match="cannot be offloaded or compressed"):
        Number.schema()


def test_a_database_without_store_says_so() -> None:
    with tw.Database.embedded() as database:
        database.create(library)
        database.run(doc(content=b"small").put())
        with pytest.raises(tw.RequestError, match="blobs="):
            database.run(doc(content=noise(900)).put())


def test_damaged_and_missing_blobs_are_told(db: tw.Database, store: MemoryStore) -> None:
    db.run(doc(content=noise(900)).put())
    (key,) = store.blobs
    store.blobs[key] = b"something else"
    with pytest.raises(tw.BlobError, match="checksum"):
        db.run(Document.key("a", number="1").get())
    del store.blobs[key]
    with pytest.raises(tw.BlobError, match="there is none") as missing:
        db.run(Document.key("a", number="1").get())
    assert missing.value.key == key
    assert db.run(tw.sweep(library)).dangling == (key,)


def test_a_store_that_fails_stops_the_write(db: tw.Database, store: MemoryStore) -> None:
    def full(key: str, data: bytes) -> None:
        raise OSError("disk full")

    store.put = full  # type: ignore[method-assign, assignment]
    with pytest.raises(tw.BlobError, match="disk full"):
        db.run(doc(content=noise(900)).put())
    assert db.run(Document.key("a", number="1").get()) is None


def test_young_blobs_are_not_swept(db: tw.Database, store: MemoryStore) -> None:
    store.put("library/library/document/under-way", b"x")
    store.put("elsewhere/library/document/other-table", b"x")
    assert db.run(tw.sweep(library)).deleted == ()
    store.times["library/library/document/under-way"] -= 25 * 3600
    assert db.run(tw.sweep(library)).deleted == ("library/library/document/under-way",)
    assert list(store.blobs) == ["elsewhere/library/document/other-table"]


def test_what_is_saved_is_told(db: tw.Database) -> None:
    item = doc(content=noise(90_000), text="short")
    saved = tw.saved(item)
    assert saved.blob_bytes == 90_000
    assert saved.saved_bytes > 89_000
    assert (saved.wcu, saved.rcu) == (88 - 0, 22)
    written = db.run(item.put(), explain=True)
    assert written.saved is not None
    assert written.saved.wcu == saved.wcu
    assert "saved      88 wcu" in str(written)
    assert "saved" in str(db.run(Document.key("a", number="1").get(), explain=True))
    assert "saved" not in str(db.run(Comment(id="1", content=b"x").put(), explain=True))


def test_a_token_of_ones_own_is_refused_with_offloaded_values(db: tw.Database) -> None:
    with pytest.raises(tw.RequestError, match="token"):
        db.run(tw.transact(doc(content=noise(900)).put()).token("once"))
    db.run(tw.transact(doc(content=b"small").put()).token("twice"))
    db.run(tw.transact(doc(content=b"small").put()).token("twice"))


def test_the_schema_says_it_in_every_form() -> None:
    schema = library.schema
    from tablewright.schema.dump import dump
    from tablewright.schema.load import load

    large = schema.entities["document"].features.large
    assert [(each.attribute, each.offload_bytes, each.compress) for each in large] == [
        ("content", 600, "zlib"),
        ("text", 600, None),
        ("facts", 2000, "zlib"),
    ]
    assert load(dump(schema)).entities["document"].features.large == large
    assert "content compressed (zlib) and offloaded above 600 bytes" in library.describe()
    from tablewright.schema.electro import write

    assert write.dump_entity(schema.entities["document"])["attributes"]["content"]["type"] == "any"


def test_a_loaded_service_has_them_too(store: MemoryStore) -> None:
    from tablewright.schema.dump import dump

    with tw.Database.embedded(blobs=store) as database:
        database.create(library)
        loaded = tw.Service.load(dump(library.schema), client=database)
        documents = loaded.entities["document"]
        documents.put(shelf="a", number="1", title="t", content=noise(900)).go()
        assert len(store.blobs) == 1
        assert documents.get(shelf="a", number="1").go()["data"]["content"] == noise(900)
        documents.delete(shelf="a", number="1").go()
        assert not store.blobs


def test_stored_items_from_elsewhere_are_opened_as_far_as_they_are_there(db: tw.Database) -> None:
    db.run(doc(content=WORDS.encode(), text=WORDS).put())
    parsed = Document.parse(stored(db))
    assert parsed is not None
    assert parsed.content == WORDS.encode()


def test_an_async_database_takes_blocking_stores(store: MemoryStore) -> None:
    async def run() -> None:
        database = tw.AsyncDatabase.embedded(blobs=store)
        await database.create(library)
        await database.run(doc(content=noise(900)).put())
        assert await database.run(Document.key("a", number="1").get()) == doc(content=noise(900))
        assert [each.content async for each in database.iter(Document.scan())] == [noise(900)]

    asyncio.run(run())


def test_companions_see_plain_values(store: MemoryStore) -> None:
    """A unique attribute beside a large one: what was read is demanded as it is stored."""
    service = tw.Service("both", table=tw.Table("both"))

    class Page(tw.Entity, service=service, name="page"):
        id: Attr[str]
        slug: Attr[str] = attr(unique=True)
        body: Attr[str] = attr(offload=600, compress="zlib")

        @tw.primary
        def key(self, id: str) -> None: ...  # noqa: A002

    with tw.Database.embedded(blobs=store) as database:
        database.create(service)
        body = noise(900).hex()
        database.run(Page(id="1", slug="a", body=body).create())
        with pytest.raises(tw.NotUnique):
            database.run(Page(id="2", slug="a", body=body).create())
        assert len(store.blobs) == 1
        changed = database.run(Page.key("1").patch(Page.slug.set("b")).returning("all_new"))
        assert changed == Page(id="1", slug="b", body=body)
        old = database.run(Page.key("1").delete().returning("all_old"))
        assert old == Page(id="1", slug="b", body=body)
        assert not store.blobs


def test_a_call_with_a_new_reference_is_never_repeated() -> None:
    from tablewright.runtime.requests.retry_safety import is_harmless

    sent: list[Call] = []

    class Listening:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def call(self, call: Call, trace: Any = None, /) -> bytes:
            sent.append(call)
            answer: bytes = self.inner.call(call, trace)
            return answer

        def close(self) -> None:
            self.inner.close()

    inner = tw.Database.embedded()
    inner.create(library)
    database = tw.Database(Listening(inner.transport), blobs=MemoryStore())
    database.run(doc(content=noise(900)).create())
    database.run(tw.batch_write(doc(content=noise(900)).put()))
    writes = [call for call in sent if call.action in ("PutItem", "BatchWriteItem")]
    assert [is_harmless(call) for call in writes] == [False, False]
