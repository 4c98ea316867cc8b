"""The arguments of `Database.aws`, and the transport they lead to, which is opened by its first call.

Opening reads the environment and maybe configuration files. A database that a module makes while it is imported costs
nothing until it is used, and finds the environment as it is then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, TypedDict, TypeVar

from tablewright.errors import RequestError, TransportError
from tablewright.runtime.transports.aws.headers import check_arguments
from tablewright.runtime.transports.forks import ForkedLock

if TYPE_CHECKING:
    from collections.abc import Callable

    from tablewright.runtime.backoff import Retry
    from tablewright.runtime.transports import AsyncTransport, Transport
    from tablewright.runtime.transports.trace import Trace
    from tablewright.wire.call import Call, Reply

T = TypeVar("T")

TRANSPORTS = ("fast", "botocore")


class AwsSettings(TypedDict, total=False):
    """The keyword arguments of `Database.aws`, most of them as boto3 names them."""

    session: Any
    client: Any
    profile_name: str | None
    region_name: str | None
    endpoint_url: str | None
    aws_access_key_id: str | None
    aws_secret_access_key: str | None
    aws_session_token: str | None
    verify: bool | str | None
    config: Any
    retry: Retry | None
    timeout: float | tuple[float, float] | None
    transport: Literal["fast", "botocore"]


def open_transport(settings: AwsSettings) -> Transport:
    """A transport that blocks."""
    checked = _check_settings(settings)
    if checked.get("client") is not None:
        from tablewright.runtime.transports.botocore import Botocore

        return Botocore(checked["client"], retry=checked.get("retry"))
    return _Opening(lambda: _open_botocore(checked) if _is_botocore(checked) else _open_fast(checked))


def open_async_transport(settings: AwsSettings) -> AsyncTransport:
    """A transport to be awaited; botocore is called in threads."""
    checked = _check_settings(settings)
    if checked.get("client") is not None:
        from tablewright.runtime.transports.botocore import AsyncBotocore

        return AsyncBotocore(checked["client"], retry=checked.get("retry"))
    return _AsyncOpening(lambda: _open_async_botocore(checked) if _is_botocore(checked) else _open_fast_async(checked))


def _check_settings(settings: AwsSettings) -> dict[str, Any]:
    """What was said, if it can be meant."""
    said = {name: value for name, value in settings.items() if value is not None}
    unknown = sorted(set(said) - set(AwsSettings.__annotations__))
    if unknown:
        known = ", ".join(AwsSettings.__annotations__)
        raise RequestError(f"aws() does not know {unknown[0]!r}; it takes {known}", code=1010)
    if said.get("transport", "fast") not in TRANSPORTS:
        raise RequestError(f"transport={said['transport']!r} is none of {', '.join(TRANSPORTS)}", code=1010)
    beside = sorted(set(said) - {"client", "retry", "transport"})
    if "client" in said and beside:
        raise RequestError(f"a client brings its own settings; leave out {', '.join(beside)}, or client", code=1010)
    check_arguments(said)
    return said


def _is_botocore(said: dict[str, Any]) -> bool:
    return said.get("transport") == "botocore"


def _open_fast(said: dict[str, Any]) -> Transport:
    from tablewright.runtime.transports import fast
    from tablewright.runtime.transports.settings import read_settings

    return fast.open_fast(read_settings(**_without(said, "retry", "transport")), retry=said.get("retry"))


def _open_fast_async(said: dict[str, Any]) -> AsyncTransport:
    from tablewright.runtime.transports import fast_async
    from tablewright.runtime.transports.settings import read_settings

    return fast_async.open_fast_async(read_settings(**_without(said, "retry", "transport")), retry=said.get("retry"))


def _open_botocore(said: dict[str, Any]) -> Transport:
    from tablewright.runtime.transports.botocore import Botocore

    return Botocore(_own_client(said), retry=said.get("retry"), owned=True)


def _open_async_botocore(said: dict[str, Any]) -> AsyncTransport:
    from tablewright.runtime.transports.botocore import AsyncBotocore

    return AsyncBotocore(_own_client(said), retry=said.get("retry"), owned=True)


def _own_client(said: dict[str, Any]) -> Any:
    """A client made for these settings; botocore takes its timeouts in a Config."""
    from botocore.config import Config  # pyright: ignore[reportMissingTypeStubs]

    from tablewright.runtime.transports.botocore import make_client

    given = _without(said, "timeout", "transport")
    if "timeout" in said:
        timeout: Any = said["timeout"]
        connect, read = (timeout, timeout) if isinstance(timeout, int | float) else timeout
        times: Any = Config(connect_timeout=connect, read_timeout=read)
        given["config"] = times if given.get("config") is None else given["config"].merge(times)
    return make_client(**given)


def _without(said: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in said.items() if name not in names}


class Once(Generic[T]):
    """Makes something when it is first wanted, whichever thread wants it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self.make = make
        self.made: T | None = None
        self.closed = False
        self._lock = ForkedLock()

    def get(self) -> T:
        with self._lock:
            if self.closed:
                raise TransportError("this database is closed; make another one")
            if self.made is None:
                self.made = self.make()
            return self.made

    def close(self) -> T | None:
        """What is to be closed, if anything was ever made."""
        with self._lock:
            made, self.made, self.closed = self.made, None, True
            return made


class _Opening:
    """A transport that becomes another one when it is first used."""

    def __init__(self, make: Callable[[], Transport]) -> None:
        self.opened = Once(make)

    def call(self, call: Call, trace: Trace | None = None, /) -> Reply:
        self.call = self.opened.get().call  # type: ignore[method-assign]  # from now on without this detour
        return self.call(call, trace)

    def close(self) -> None:
        made = self.opened.close()
        self.__dict__.pop("call", None)
        if made is not None:
            made.close()


class _AsyncOpening:
    """The same for whoever awaits."""

    def __init__(self, make: Callable[[], AsyncTransport]) -> None:
        self.opened = Once(make)

    async def call(self, call: Call, trace: Trace | None = None, /) -> Reply:
        self.call = self.opened.get().call  # type: ignore[method-assign]  # from now on without this detour
        return await self.call(call, trace)

    async def close(self) -> None:
        made = self.opened.close()
        self.__dict__.pop("call", None)
        if made is not None:
            await made.close()
