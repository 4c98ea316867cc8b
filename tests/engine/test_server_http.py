from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.engine.server.http import MAX_BODY_BYTES, MAX_HEAD_BYTES, Parser, RefusedError, Request


def requests(*pieces: bytes) -> list[Request]:
    parser, found = Parser(), list[Request]()
    for piece in pieces:
        parser.feed(piece)
        while (request := parser.next_request()) is not None:
            found.append(request)
    return found


def refusal(*pieces: bytes) -> int:
    with pytest.raises(RefusedError) as caught:
        requests(*pieces)
    return caught.value.status


PLAIN = b"POST /?a=1 HTTP/1.1\r\nHost: x\r\nX-Thing:  two words \r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;note=1\r\nlo\r\n0\r\n\r\n"


def test_reads_method_target_headers_and_body() -> None:
    (request,) = requests(PLAIN)
    assert (request.method, request.target, request.body) == ("POST", "/?a=1", b"hello")
    assert request.headers["x-thing"] == "two words"
    assert request.keep_alive


def test_reads_chunks() -> None:
    (request,) = requests(CHUNKED)
    assert request.body == b"hello"


def test_reads_requests_that_follow_each_other() -> None:
    found = requests(PLAIN + CHUNKED + b"\r\n" + b"GET / HTTP/1.0\r\n\r\n")
    assert [request.method for request in found] == ["POST", "POST", "GET"]
    assert not found[2].keep_alive


@given(st.lists(st.integers(1, 40), max_size=20), st.sampled_from([PLAIN, CHUNKED, PLAIN + CHUNKED]))
def test_the_cuts_between_pieces_do_not_matter(sizes: list[int], whole: bytes) -> None:
    pieces, at = list[bytes](), 0
    for size in sizes:
        pieces.append(whole[at : at + size])
        at += size
    pieces.append(whole[at:])
    assert requests(*pieces) == requests(whole)


@pytest.mark.parametrize(
    ("header", "keep"),
    [(b"HTTP/1.1\r\nConnection: close", False), (b"HTTP/1.1", True), (b"HTTP/1.0\r\nConnection: Keep-Alive", True)],
)
def test_knows_who_wants_to_stay(header: bytes, keep: bool) -> None:
    (request,) = requests(b"GET / " + header + b"\r\n\r\n")
    assert request.keep_alive is keep


@pytest.mark.parametrize(
    "head",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",  # TLS
        b"POST / HTTP/2.0",
        b"POST /",
        b"POST  / HTTP/1.1",
        b"PO(ST / HTTP/1.1",
        b"POST / HTTP/1.1\r\nno colon",
        b"POST / HTTP/1.1\r\n folded: line",
        b"POST / HTTP/1.1\r\nspace : before",
        b"POST / HTTP/1.1\r\nbare: line\nfeed",
        b"POST / HTTP/1.1\r\nnull: \0",
        b"POST / HTTP/1.1\r\nContent-Length: -1",
        b"POST / HTTP/1.1\r\nContent-Length: +1",
        b"POST / HTTP/1.1\r\nContent-Length: 1_0",
        b"POST / HTTP/1.1\r\nContent-Length: \xb2",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
    ],
)
def test_malformed_heads_are_refused(head: bytes) -> None:
    assert refusal(head + b"\r\n\r\n") == 400


@pytest.mark.parametrize("size", [b"", b"x", b"-1", b"0x1", b"1_0", b"f" * 16, b" ", b"1 2"])
def test_malformed_chunk_sizes_are_refused(size: bytes) -> None:
    assert refusal(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\nabc") == 400


def test_chunks_must_end_where_they_say() -> None:
    assert refusal(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n") == 400
    assert refusal(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\ntrailer: 1\r\n\r\n") == 400
    assert refusal(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * 300) == 400


def test_unknown_codings_and_expectations_are_refused() -> None:
    assert refusal(b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n") == 501
    assert refusal(b"POST / HTTP/1.1\r\nExpect: a lot\r\n\r\n") == 417


def test_heads_are_limited() -> None:
    assert refusal(b"GET / HTTP/1.1\r\nx: ", b"y" * MAX_HEAD_BYTES) == 431
    assert refusal(b"y" * (MAX_HEAD_BYTES + 1)) == 431


def test_bodies_are_limited() -> None:
    assert refusal(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1)) == 413
    assert refusal(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (MAX_BODY_BYTES + 1)) == 413


def test_many_small_chunks_are_limited_as_well() -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    start = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert refusal(start, *([chunk] * (MAX_BODY_BYTES // 0x10000 + 1))) == 413


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_noise_never_breaks_the_parser(pieces: list[bytes]) -> None:
    with suppress(RefusedError):
        requests(*pieces)
