"""Large documents: title and size in the item, the content in object storage, read and written as one.

`python -m examples.large_documents` keeps the content in a folder beside a table in memory; with the name of a bucket
behind it, it uses DynamoDB and S3, with credentials as boto3 finds them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from datetime import timedelta

import tablewright as tw
from tablewright import Attr, attr

archive = tw.Service("archive", table=tw.Table("documents"))


class Document(tw.Entity, service=archive, name="document"):
    """A document: what is asked for stays small, the content may have any size."""

    owner: Attr[str]
    name: Attr[str]
    size_bytes: Attr[int]
    content: Attr[bytes] = attr(offload=50_000, compress="zlib")

    @tw.primary
    def key(self, owner: str, *, name: str) -> None:
        """One document."""

    @tw.index("table")
    def of(self, owner: str) -> None:
        """All documents of an owner."""


def document(owner: str, name: str, content: bytes) -> Document:
    return Document(owner=owner, name=name, size_bytes=len(content), content=content)


def open_database(bucket: str | None) -> tw.Database:
    if bucket is not None:
        return tw.Database.aws(blobs=tw.S3Store(bucket, "archive/"))
    return tw.Database.embedded(blobs=tw.FolderStore(tempfile.mkdtemp()))


def main(bucket: str | None = None) -> None:
    photo = os.urandom(2_000_000)
    with open_database(bucket) as db:
        db.create(archive)
        db.run(document("ann", "photo.jpg", photo).put())
        db.run(document("ann", "minutes.txt", b"Ann opened the meeting. " * 2_000).put())
        print("what the two cost:", tw.saved(*db.iter(Document.of("ann"))))

        print("\nlisted without fetching any content:")
        for each in db.iter(Document.of("ann").only(Document.name, Document.size_bytes)):
            print(f"  {each.name:12} {each.size_bytes:>9,} bytes")

        found = db.run(Document.key("ann", name="photo.jpg").get(), explain=True)
        assert found.result is not None
        assert found.result.content == photo
        print(f"\n{found}")

        small = Document.content.set(b"scaled down"), Document.size_bytes.set(11)
        db.run(Document.key("ann", name="photo.jpg").patch(*small))
        print("\nafter the photo was scaled down:", db.run(tw.sweep(archive, older_than=timedelta(0))))
        db.run(tw.delete_all(Document.of("ann")))


if __name__ == "__main__":
    main(*sys.argv[1:2])
