"""A botocore client of DynamoDB Streams as a transport. Streams are a service of their own, with their own endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablewright.errors import RequestError
from tablewright.runtime.transports.botocore import AsyncBotocore, Botocore, take_text

if TYPE_CHECKING:
    from tablewright.runtime.backoff import Retry


class BotocoreStreams(Botocore):
    """Calls DynamoDB Streams through a client, which stays the caller's to close."""

    def __init__(self, client: Any, *, retry: Retry | None = None) -> None:
        super().__init__(client, retry=retry)

    @staticmethod
    def checked(client: Any) -> Any:
        return _streams_client(client)


class AsyncBotocoreStreams(AsyncBotocore):
    """The same in threads."""

    def __init__(self, client: Any, *, retry: Retry | None = None) -> None:
        self.blocking = BotocoreStreams(client, retry=retry)
        self._threads = None
        self._pid = 0


def _streams_client(client: Any) -> Any:
    model = getattr(getattr(client, "meta", None), "service_model", None)
    if model is None or model.service_name != "dynamodbstreams":
        raise RequestError(
            f"client={client!r:.80} is no client of DynamoDB Streams; give boto3.client('dynamodbstreams')",
            code=1023,
        )
    client.meta.events.register("before-parse.dynamodb-streams", take_text, unique_id="tablewright-take-text")
    return client
