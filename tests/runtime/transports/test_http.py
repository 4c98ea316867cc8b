"""The parser gives the same answers however their bytes are cut."""

from __future__ import annotations

import gzip
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.runtime.transports import http
from tablewright.runtime.transports.http import Parser, ProtocolFault, Response, unpack

DATE = b"\r\ndate:"


def fed(data: bytes, cuts: list[int] | None = None, parser: Parser | None = None) -> Response | None:
    """What the parser says after the last piece; it must be silent before."""
    parser = parser or Parser()
    edges = [0, *sorted(cut for cut in cuts or () if 0 < cut < len(data)), len(data)]
    pieces = [data[low:high] for low, high in pairwise(edges) if low < high]
    for piece in pieces[:-1]:
        assert parser.feed(piece) is None
    return parser.feed(pieces[-1])


def chunked(body: bytes, sizes: list[int], trailers: bytes = b"") -> bytes:
    text, at = b"", 0
    for size in [*(size for size in sizes if size > 0), len(body)]:
        piece = body[at : at + size]
        at += len(piece)
        text += b"%x;note=1\r\n%b\r\n" % (len(piece), piece) if piece else b""
    return text + b"0\r\n" + trailers + b"\r\n"


bodies = st.binary(max_size=400)
cuts = st.lists(st.integers(1, 700), max_size=8)


@settings(deadline=None, max_examples=200)
@given(
    body=bodies,
    cuts=cuts,
    status=st.sampled_from([200, 400, 500]),
    spelled=st.sampled_from(["Content-Length: ", "content-length:", "CONTENT-LENGTH:  \t"]),
)
def test_bodies_with_a_length(body: bytes, cuts: list[int], status: int, spelled: str) -> None:
    data = f"HTTP/1.1 {status} Words here\r\nDate: today\r\n{spelled}{len(body)}\r\n\r\n".encode() + body
    response = fed(data, cuts)
    assert response is not None
    assert (response.status, response.body, response.reusable) == (status, body, True)
    assert response.header(DATE) == b"today"


@settings(deadline=None, max_examples=200)
@given(
    body=bodies,
    sizes=st.lists(st.integers(0, 90), max_size=6),
    cuts=cuts,
    trailers=st.sampled_from([b"", b"X-Sum: 1\r\n"]),
)
def test_bodies_in_chunks(body: bytes, sizes: list[int], cuts: list[int], trailers: bytes) -> None:
    data = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(body, sizes, trailers)
    response = fed(data, cuts)
    assert response is not None
    assert (response.status, response.body, response.reusable) == (200, body, True)


def test_many_chunks_do_not_pile_up() -> None:
    parser = Parser()
    assert parser.feed(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") is None
    for _ in range(100):
        assert parser.feed(b"4000\r\n" + bytes(0x4000) + b"\r\n") is None
    response = parser.feed(b"0\r\n\r\n")
    assert response is not None
    assert len(response.body) == 100 * 0x4000
    assert len(parser._buffer) <= 2 * http.BUFFER_BYTES


@settings(deadline=None, max_examples=50)
@given(body=bodies, cuts=cuts)
def test_bodies_that_end_with_the_connection(body: bytes, cuts: list[int]) -> None:
    parser = Parser()
    assert fed(b"HTTP/1.1 200 OK\r\n\r\n" + body, cuts, parser) is None
    response = parser.filled(0)
    assert response is not None
    assert (response.body, response.reusable) == (body, False)


def test_answers_follow_each_other() -> None:
    parser = Parser()
    for body in (b"{}", b"[1]" * 50_000, b"", b"{}"):
        response = fed(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body, [10, 60_000], parser)
        assert response is not None
        assert response.body == body
        assert parser.is_empty


def test_a_large_answer_is_not_remembered_in_memory() -> None:
    parser = Parser()
    body = bytes(3 * http.KEPT_BYTES)
    response = fed(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body, [1000], parser)
    assert response is not None
    assert response.body == body
    assert len(parser._buffer) == http.BUFFER_BYTES


@pytest.mark.parametrize("cut", [[], [30]])
def test_interim_answers_are_skipped(cut: list[int]) -> None:
    response = fed(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", cut)
    assert response is not None
    assert (response.status, response.body) == (204, b"")


@pytest.mark.parametrize(
    ("head", "reusable"),
    [
        ("HTTP/1.1 200 OK\r\n", True),
        ("HTTP/1.1 200\r\n", True),
        ("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n", True),
        ("HTTP/1.1 200 OK\r\nConnection: close\r\n", False),
        ("HTTP/1.1 200 OK\r\nconnection:Close\r\n", False),
        ("HTTP/1.0 200 OK\r\n", False),
        ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n", True),
    ],
)
def test_who_keeps_the_connection(head: str, reusable: bool) -> None:
    response = fed(f"{head}Content-Length: 2\r\n\r\n{{}}".encode())
    assert response is not None
    assert response.reusable is reusable
    assert response.body == b"{}"


def test_bytes_that_nobody_asked_for_spoil_the_connection() -> None:
    response = fed(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n")
    assert response is not None
    assert response.body == b"{}"
    assert not response.reusable


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"SSH-2.0-OpenSSH\r\n\r\n", "does not begin as HTTP"),
        (b"HTTP/2 200\r\n\r\n", "does not begin as HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1_0\r\n\r\n", "length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "length"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n", "longer than"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "transfer encoding"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "size of a chunk"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, "size of a chunk"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "longer than"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "longer than it says"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * 20_000, "trailers"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 20_000, "head"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 20_000 + b"\r\n", "head"),
    ],
)
def test_what_is_no_answer_is_refused(data: bytes, complaint: str) -> None:
    with pytest.raises(ProtocolFault, match=complaint):
        Parser().feed(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    ],
)
def test_an_early_end_is_told(data: bytes) -> None:
    parser = Parser()
    if data:
        assert parser.feed(data) is None
    with pytest.raises(ConnectionResetError, match="middle" if data else "without an answer"):
        parser.filled(0)


def test_bodies_are_unpacked() -> None:
    assert unpack(gzip.compress(b"text" * 100)) == b"text" * 100
    with pytest.raises(ProtocolFault, match="incomplete"):
        unpack(gzip.compress(b"text" * 100)[:-9])
    with pytest.raises(ProtocolFault, match="cannot be read"):
        unpack(b"plain")


def test_unpacking_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY_BYTES", 1000)
    with pytest.raises(ProtocolFault, match="longer than"):
        unpack(gzip.compress(bytes(1001)))
