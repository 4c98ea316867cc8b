"""Test doubles that hang on botocore: who answers `before-send` keeps a request from being sent.

moto's `mock_aws` does so, by a handler among botocore's built-in ones. Nobody is asked unless botocore was imported by
somebody else and has such handlers, so that there is nothing to pay otherwise.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tablewright.runtime.transports.http import Response

if TYPE_CHECKING:
    from collections.abc import Callable

EVENT = "before-send.dynamodb."


class BeforeSend:
    """The handlers of a session that was handed in, or botocore's built-in ones."""

    def __init__(self, url: str, session: Any = None) -> None:
        self.url = url
        self._emitter = None if session is None else session.get_component("event_emitter")
        self._seen: object = None
        self._built_in: list[tuple[str, Callable[..., Any]]] = []
        self._listened: dict[str, bool] = {}

    def listens(self, action: str) -> bool:
        """Whether somebody may want to answer this action."""
        if self._emitter is not None:
            return self._is_listened_to(action)
        handlers = sys.modules.get("botocore.handlers")
        if handlers is None:
            return False
        built_in: list[tuple[Any, ...]] = handlers.BUILTIN_HANDLERS
        if len(built_in) != self._seen:
            self._seen = len(built_in)
            self._built_in = [(each[0], each[1]) for each in built_in if str(each[0]).startswith("before-send")]
        return bool(self._built_in)

    def _is_listened_to(self, action: str) -> bool:
        """Looked up once an action, and anew when handlers came or went: the emitter then begins a new cache."""
        emitter = getattr(self._emitter, "_emitter", self._emitter)
        cache, handlers = getattr(emitter, "_lookup_cache", None), getattr(emitter, "_handlers", None)
        if cache is None or handlers is None:
            return True
        if cache is not self._seen:
            self._seen, self._listened = cache, {}
        if action not in self._listened:
            self._listened[action] = bool(handlers.prefix_search(EVENT + action))
        return self._listened[action]

    def answer(self, action: str, request: bytes) -> Response | None:
        """The answer of whoever listens, to a request that would otherwise be sent now."""
        prepared = _prepare(self.url, request)
        event = EVENT + action
        if self._emitter is not None:
            _, given = self._emitter.emit_until_response(event, request=prepared)
            return None if given is None else _translate(given)
        for prefix, handler in self._built_in:
            if f"{event}.".startswith(f"{prefix}."):
                given = handler(event_name=event, request=prepared)
                if given is not None:
                    return _translate(given)
        return None


def _prepare(url: str, request: bytes) -> Any:
    """The bytes of a request as the object that botocore's handlers know."""
    from botocore.awsrequest import AWSPreparedRequest, HeadersDict  # pyright: ignore[reportMissingTypeStubs]

    head, _, body = request.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")[1:]
    headers = HeadersDict({name: value for name, _, value in (line.partition(": ") for line in lines)})
    return AWSPreparedRequest("POST", url, headers, body, stream_output=False)


def _translate(given: Any) -> Response:
    """The answer of botocore's kind as ours."""
    headers = "".join(f"{name}: {value}\r\n" for name, value in given.headers.items())
    head = f"HTTP/1.1 {given.status_code} Answered\r\n{headers}".encode("latin-1", "replace")
    return Response(given.status_code, head, head.lower(), given.content, True)
