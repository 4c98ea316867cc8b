"""Large attributes in S3: one object for each, plain or compressed, under a prefix of a bucket.

botocore retries what S3 answers with an error; whatever it gives up becomes a `BlobError`. S3 shows an object to
everybody as soon as `put` has returned, which is what the order of writes relies on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tablewright.errors import BlobError, RequestError
from tablewright.runtime.blob_store import StoredBlob
from tablewright.runtime.transports.forks import ForkedLock, not_pickled

if TYPE_CHECKING:
    from collections.abc import Iterator

GONE = frozenset({"NoSuchKey", "404", "NotFound"})


class S3Store:
    """`tw.S3Store("my-bucket", "documents/")`. The client is made when it is first needed, from `session` or anew.

    `options` are those of `session.create_client`, such as `region_name` and `endpoint_url`.
    """

    def __init__(
        self, bucket: str, prefix: str = "", *, client: Any = None, session: Any = None, **options: Any
    ) -> None:
        if not bucket:
            raise RequestError("S3Store needs the name of a bucket", code=1001)
        self.bucket = bucket
        self.prefix = prefix
        self._client = None if client is None else _s3_client(client)
        self._session = session
        self._options = options
        self._lock = ForkedLock()

    __reduce__ = not_pickled

    def __repr__(self) -> str:
        return f"S3Store({self.bucket!r}, {self.prefix!r})"

    @property
    def client(self) -> Any:
        with self._lock:
            if self._client is None:
                from tablewright.runtime.transports.aws.session import botocore_session

                self._client = botocore_session(self._session, None).create_client("s3", **self._options)
            return self._client

    def put(self, key: str, data: bytes, /) -> None:
        self._call("put_object", key, Body=data)

    def get(self, key: str, /) -> bytes | None:
        answer = self._call("get_object", key)
        if answer is None:
            return None
        with answer["Body"] as body:
            return cast("bytes", body.read())

    def delete(self, key: str, /) -> None:
        self._call("delete_object", key)

    def list(self, prefix: str, /) -> Iterator[StoredBlob]:
        from botocore.exceptions import BotoCoreError, ClientError  # pyright: ignore[reportMissingTypeStubs]

        try:
            pages = self.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket, Prefix=self.prefix + prefix
            )
            for page in pages:
                for each in page.get("Contents", ()):
                    key = each["Key"].removeprefix(self.prefix)
                    yield StoredBlob(key, each["Size"], each["LastModified"].timestamp())
        except (BotoCoreError, ClientError) as error:
            raise BlobError(f"S3 could not list s3://{self.bucket}/{self.prefix}{prefix}: {error}") from error

    def _call(self, method: str, key: str, **more: Any) -> Any:
        """One request about one object; None when there is no such object."""
        from botocore.exceptions import BotoCoreError, ClientError  # pyright: ignore[reportMissingTypeStubs]

        where = f"s3://{self.bucket}/{self.prefix}{key}"
        try:
            return getattr(self.client, method)(Bucket=self.bucket, Key=self.prefix + key, **more)
        except ClientError as error:
            response = cast("dict[str, Any]", error.response)  # pyright: ignore[reportUnknownMemberType]
            if response.get("Error", {}).get("Code") in GONE:
                return None
            raise BlobError(f"S3 refused {method} of {where}: {error}", key=key) from error
        except BotoCoreError as error:
            raise BlobError(f"S3 could not be asked for {method} of {where}: {error}", key=key) from error


def _s3_client(given: Any) -> Any:
    """The client behind a client or a resource of boto3's."""
    client: Any = getattr(getattr(given, "meta", None), "client", given)
    model = getattr(getattr(client, "meta", None), "service_model", None)
    if model is None or model.service_name != "s3":
        raise RequestError(f"client={given!r:.60} is no S3 client; give boto3.client('s3')", code=1023)
    return client
