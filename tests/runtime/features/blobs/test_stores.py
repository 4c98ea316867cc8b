from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import tablewright as tw
from tablewright.runtime.features.blobs import compression
from tests.runtime.features.blobs.library import Document, library, noise


def exercise(store: Any) -> None:
    assert store.get("t/s/a") is None
    store.put("t/s/a", b"one")
    store.put("t/s/b", b"three")
    store.put("t/s/a", b"two")
    assert store.get("t/s/a") == b"two"
    assert [(each.key, each.size_bytes) for each in store.list("t/s/")] == [("t/s/a", 3), ("t/s/b", 5)]
    assert list(store.list("other/")) == []
    store.delete("t/s/a")
    store.delete("t/s/a")
    assert [each.key for each in store.list("t/")] == ["t/s/b"]
    assert all(each.written_at > 1_600_000_000 for each in store.list("t/"))


def test_a_folder_is_a_store(tmp_path: Path) -> None:
    exercise(tw.FolderStore(tmp_path / "blobs"))


@pytest.mark.parametrize("key", ["../out", "/etc/passwd", "a/../../b", "", "a//b", "a\\..\\b"])
def test_no_key_leads_out_of_the_folder(key: str, tmp_path: Path) -> None:
    store = tw.FolderStore(tmp_path)
    with pytest.raises(tw.BlobError, match="no key"):
        store.get(key)


def test_half_a_file_is_no_blob_but_is_swept(tmp_path: Path) -> None:
    store = tw.FolderStore(tmp_path)
    place = tmp_path / "library" / "library" / "document"
    place.mkdir(parents=True)
    (place / "x.part").write_bytes(b"half")
    os.utime(place / "x.part", (0, 0))
    assert store.get("library/library/document/x") is None
    with tw.Database.embedded(blobs=store) as database:
        database.create(library)
        assert database.run(tw.sweep(library)).deleted == ("library/library/document/x.part",)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Any:
    moto = pytest.importorskip("moto")
    boto3 = pytest.importorskip("boto3")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with moto.mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket="documents")
        yield client


def test_a_bucket_is_a_store(s3: Any) -> None:
    exercise(tw.S3Store("documents", "some/prefix/", client=s3))
    s3.put_object(Bucket="documents", Key="not-ours", Body=b"x")
    exercise(tw.S3Store("documents", "another/"))


def test_documents_in_s3(s3: Any) -> None:
    import boto3

    store = tw.S3Store("documents", "app/", session=boto3.Session())
    with tw.Database.embedded(blobs=store) as database:
        database.create(library)
        item = Document(shelf="a", number="1", content=noise(5000))
        database.run(item.put())
        (held,) = s3.list_objects_v2(Bucket="documents")["Contents"]
        assert held["Key"].startswith("app/library/library/document/")
        assert database.run(Document.key("a", number="1").get()) == item
        database.run(Document.key("a", number="1").delete())
        assert "Contents" not in s3.list_objects_v2(Bucket="documents")


def test_what_s3_refuses_is_told(s3: Any) -> None:
    store = tw.S3Store("no-such-bucket", client=s3)
    with pytest.raises(tw.BlobError, match="NoSuchBucket"):
        store.put("a", b"x")
    with pytest.raises(tw.BlobError, match="NoSuchBucket"):
        list(store.list(""))
    with pytest.raises(tw.RequestError, match="no S3 client"):
        tw.S3Store("documents", client=object())


def test_codings_give_back_what_they_were_given() -> None:
    data = b"abc" * 1000
    packed = compression.compress("zlib", data)
    assert len(packed) < 100
    assert compression.expand("zlib", packed, len(data)) == data
    with pytest.raises(tw.BlobError, match="damaged"):
        compression.expand("zlib", packed[:-10], len(data))
    with pytest.raises(tw.BlobError, match="damaged"):
        compression.expand("zlib", packed, 100)
    with pytest.raises(tw.BlobError, match="cannot read"):
        compression.expand("lzma", packed, 100)


def has_zstd() -> bool:
    return sys.version_info >= (3, 14) or importlib.util.find_spec("zstandard") is not None


def test_zstd_where_it_is_present() -> None:
    data = b"abc" * 1000
    if not has_zstd():
        with pytest.raises(tw.RequestError, match="pip install zstandard"):
            compression.compress("zstd", data)
        return
    packed = compression.compress("zstd", data)
    assert compression.expand("zstd", packed, len(data)) == data
    with pytest.raises(tw.BlobError, match="damaged"):
        compression.expand("zstd", packed, 100)
