"""Requests to DynamoDB, signed with AWS's Signature Version 4 and written out as bytes.

All of a request but its signature and its body is the same for every call of an action within one second, so it is
made, and hashed, once a second; the signing key is made once a day. What is cached hangs together on one value that is
replaced as a whole, and hashes are gone on with in copies, so that threads may share a signer. Tests compare every
signature with botocore's.
"""

from __future__ import annotations

import hmac
import re
import time
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol
from urllib.parse import quote

from tablewright.runtime.transports.forks import not_pickled

if TYPE_CHECKING:
    from collections.abc import Callable

SERVICE = "dynamodb"
TARGET = "DynamoDB_20120810."
CONTENT_TYPE = "application/x-amz-json-1.0"
DAY = len("20260131")
BLOCK_BYTES = 64  # of SHA-256
INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


class Keys(NamedTuple):
    """What a signature is made with; `token` belongs to keys that expire. They are neither shown nor pickled."""

    access_key: str
    secret_key: str
    token: str | None = None

    def __repr__(self) -> str:
        return f"Keys(access_key={self.access_key[:4]!r}...)"

    def __reduce__(self) -> NoReturn:
        not_pickled(self)


class _Hash(Protocol):
    """What `hashlib` makes, which has no public name."""

    def copy(self) -> _Hash: ...
    def update(self, data: bytes, /) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...


class Credentials(Protocol):
    """Where keys come from."""

    @property
    def is_ready(self) -> bool:
        """Whether `keys` would answer at once, without asking anybody."""
        ...

    def keys(self) -> Keys:
        """Those to use now; may have to fetch them first."""
        ...

    def renew(self, refused: str | None) -> None:
        """The keys with this id were refused: look for others, unless there are others by now. May take time."""
        ...


@dataclass(frozen=True, slots=True)
class Destination:
    """Where requests go: `host` as it stands in the Host header, `line` as in the first line of a request.

    `extra` are whole header lines that no signature covers.
    """

    host: str
    region: str
    path: str = "/"
    line: str = "/"
    user_agent: str = "tablewright"
    extra: str = field(default="", repr=False)  # it may hold a proxy's password

    __reduce__ = not_pickled


class _Moment(NamedTuple):
    """What requests of one second share.

    `inner` and `outer` are the two hashes of an HMAC, with the key and all that is known of the text. `pieces` of an
    action: the hash of the canonical request up to that of the body, and the head.
    """

    second: int
    stamp: str
    key: bytes
    scope: str
    inner: _Hash
    outer: _Hash
    pieces: dict[str, tuple[_Hash, bytes]]

    def __reduce__(self) -> NoReturn:
        not_pickled(self)

    def __repr__(self) -> str:
        return f"Moment({self.stamp!r})"


class Signer:
    """Writes requests that are signed with one set of keys."""

    def __init__(self, keys: Keys, destination: Destination) -> None:
        self.keys = keys
        self.destination = destination
        self._path = canonical_path(destination.path)
        self._moment = _Moment(-1, "", b"", "", sha256(), sha256(), {})

    def request(self, action: str, body: bytes, second: int) -> bytes:
        """The bytes to send for a call at this second of the epoch."""
        moment = self._moment
        if moment.second != second:
            moment = self._moment = self._begin(second, moment)
        pieces = moment.pieces.get(action)
        if pieces is None:
            pieces = moment.pieces[action] = self._pieces(action, moment)
        canonical, inner, outer = pieces[0].copy(), moment.inner.copy(), moment.outer.copy()
        canonical.update(sha256(body).hexdigest().encode())
        inner.update(canonical.hexdigest().encode())
        outer.update(inner.digest())
        return b"%b%b\r\nContent-Length: %d\r\n\r\n%b" % (pieces[1], outer.hexdigest().encode(), len(body), body)

    def _begin(self, second: int, before: _Moment) -> _Moment:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(second))
        day = stamp[:DAY]
        region = self.destination.region
        scope = f"{day}/{region}/{SERVICE}/aws4_request"
        key = before.key if before.scope == scope else _day_key(self.keys.secret_key, day, region)
        inner, outer = _hmac_hashes(key)
        inner.update(f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n".encode())
        return _Moment(second, stamp, key, scope, inner, outer, {})

    def _pieces(self, action: str, moment: _Moment) -> tuple[_Hash, bytes]:
        to = self.destination
        signed = {"Content-Type": CONTENT_TYPE, "Host": to.host, "X-Amz-Date": moment.stamp}
        if self.keys.token:
            signed["X-Amz-Security-Token"] = self.keys.token
        signed["X-Amz-Target"] = TARGET + action  # the order is that of the alphabet, as the signature demands
        names = ";".join(signed).lower()
        canonical = "".join(f"{name.lower()}:{' '.join(value.split())}\n" for name, value in signed.items())
        lines = "".join(f"{name}: {value}\r\n" for name, value in signed.items())
        head = (
            f"POST {to.line} HTTP/1.1\r\n{lines}User-Agent: {to.user_agent}\r\nAccept-Encoding: identity\r\n{to.extra}"
            f"Authorization: AWS4-HMAC-SHA256 Credential={self.keys.access_key}/{moment.scope}, "
            f"SignedHeaders={names}, Signature="
        )
        return sha256(f"POST\n{self._path}\n\n{canonical}\n{names}\n".encode()), head.encode()


def _hmac_hashes(key: bytes) -> tuple[_Hash, _Hash]:
    """The hashes that an HMAC begins with; `key` is shorter than a block. Half the time of `hmac.digest` is spent here,
    which is why they are kept.
    """
    padded = key.ljust(BLOCK_BYTES, b"\0")
    return sha256(padded.translate(INNER_PAD)), sha256(padded.translate(OUTER_PAD))


def _day_key(secret_key: str, day: str, region: str) -> bytes:
    key = f"AWS4{secret_key}".encode()
    for part in (day, region, SERVICE, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def canonical_path(path: str) -> str:
    """A path as signatures spell it: without dot segments and empty ones, and quoted (a second time)."""
    kept: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment not in ("", "."):
            kept.append(segment)
    middle = "/".join(kept)
    return quote(f"/{middle}/" if middle and path.endswith("/") else f"/{middle}", safe="/~")


class RequestWriter:
    """Writes requests with the keys of the moment, by the clock of the server."""

    def __init__(
        self, credentials: Credentials, destination: Destination, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.credentials = credentials
        self.destination = destination
        self.clock = clock
        self.offset_seconds = 0.0
        self._signer: Signer | None = None

    def now(self) -> float:
        """The time that requests are signed with."""
        return self.clock() + self.offset_seconds

    def write(self, action: str, body: bytes) -> bytes:
        """The bytes of one attempt. May wait for keys, unless `credentials.is_ready`."""
        keys = self.credentials.keys()
        signer = self._signer
        if signer is None or (signer.keys is not keys and signer.keys != keys):
            signer = self._signer = Signer(keys, self.destination)
        return signer.request(action, body, int(self.clock() + self.offset_seconds))

    def renew(self, access_key: str | None = None, offset_seconds: float | None = None) -> None:
        """A signature was refused: set the clock, if the server's is known to differ, or look for other keys.

        How far ahead the server's clock is of ours is the same for all who were refused, however many they are.
        """
        if offset_seconds is None:
            self.credentials.renew(access_key)
        else:
            self.offset_seconds = offset_seconds


# ---- requests that were refused --------------------------------------------------------------------------------------

SIGNED_AT = re.compile(rb"\r\nX-Amz-Date: (\d{8}T\d{6}Z)\r\n")
SIGNED_WITH = re.compile(rb"\r\nAuthorization: AWS4-HMAC-SHA256 Credential=([^/\r]+)/")


def signed_at(request: bytes) -> float:
    """The second that stands in a request's signature."""
    from calendar import timegm  # only refusals pay for the import

    found = SIGNED_AT.search(request)
    assert found is not None
    return float(timegm(time.strptime(found[1].decode(), "%Y%m%dT%H%M%SZ")))


def signed_with(request: bytes) -> str:
    """The id of the keys that a request was signed with."""
    found = SIGNED_WITH.search(request)
    assert found is not None
    return found[1].decode()
