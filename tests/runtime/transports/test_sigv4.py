"""Every signature is the one that botocore makes for the same request."""

from __future__ import annotations

import random
import string
import time

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from tablewright.runtime.transports.credentials import Fixed
from tablewright.runtime.transports.sigv4 import Destination, Keys, RequestWriter, Signer, canonical_path

LETTERS = string.ascii_letters + string.digits
REGIONS = ("us-east-1", "eu-west-1", "cn-north-1", "us-gov-west-1", "local")
ACTIONS = ("GetItem", "PutItem", "Query", "TransactWriteItems", "DescribeTable")
HOSTS = ("dynamodb.us-east-1.amazonaws.com", "127.0.0.1:8000", "localhost:4566", "[::1]:8000", "xn--bcher-kva.example")
PATH_PARTS = ("", ".", "..", "a", "b c", "%20", "~x", "é", "a:b", "q+r", "x=y")
CENTURY = 100 * 366 * 24 * 3600


def parsed(request: bytes) -> tuple[str, dict[str, str], bytes]:
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return first, dict(line.split(": ", 1) for line in lines), body


def by_botocore(keys: Keys, to: Destination, headers: dict[str, str], body: bytes) -> str:
    auth = SigV4Auth(Credentials(keys.access_key, keys.secret_key, keys.token), "dynamodb", to.region)
    given = {name: headers[name] for name in ("Content-Type", "X-Amz-Target", "X-Amz-Date")}
    request = AWSRequest("POST", f"https://{to.host}{to.path}", {**given, "Host": to.host}, body)
    request.context["timestamp"] = headers["X-Amz-Date"]
    if keys.token:
        request.headers["X-Amz-Security-Token"] = keys.token
    signature = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    names = auth.signed_headers(auth.headers_to_sign(request))
    return f"AWS4-HMAC-SHA256 Credential={auth.scope(request)}, SignedHeaders={names}, Signature={signature}"


def some(chance: random.Random, letters: str, most: int) -> str:
    return "".join(chance.choices(letters, k=chance.randint(1, most)))


def test_signatures_are_those_of_botocore() -> None:
    chance = random.Random(20260131)
    signers: list[Signer] = []
    for _ in range(3000):
        if not signers or chance.random() < 0.5:  # else one that has signed before, whose caches are warm
            token = some(chance, LETTERS + "+/=", 200) if chance.random() < 0.5 else None
            path = "/" + "/".join(chance.choices(PATH_PARTS, k=chance.randint(0, 4)))
            to = Destination(chance.choice(HOSTS), chance.choice(REGIONS), path)
            signers.append(Signer(Keys(some(chance, LETTERS, 20), some(chance, LETTERS + "+/", 40), token), to))
        signer = chance.choice(signers)
        body = chance.randbytes(chance.randint(0, 300))
        second = chance.choice((chance.randrange(CENTURY), 1_800_000_000, 1_800_000_001))

        _, headers, sent = parsed(signer.request(chance.choice(ACTIONS), body, second))

        assert headers["X-Amz-Date"] == time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(second))
        assert headers["Authorization"] == by_botocore(signer.keys, signer.destination, headers, body)
        assert headers["Content-Length"] == str(len(body))
        assert sent == body


@pytest.mark.parametrize("path", ["", "/", "/a/b", "/a/", "//a//b//", "/a/./b/../c", "/../x", "/ü b/%41"])
def test_paths_are_spelled_as_by_botocore(path: str) -> None:
    request = AWSRequest("POST", f"https://example.com{path}", {}, b"")
    request.context["timestamp"] = "20260131T000000Z"
    auth = SigV4Auth(Credentials("a", "b"), "dynamodb", "us-east-1")
    assert auth.canonical_request(request).split("\n")[1] == canonical_path(path)


def test_the_head_says_where_it_goes() -> None:
    to = Destination("db.example:8000", "us-east-1", "/x", line="http://db.example:8000/x", user_agent="me/1")
    first, headers, _ = parsed(Signer(Keys("id", "secret", "token"), to).request("Scan", b"{}", 0))
    assert first == "POST http://db.example:8000/x HTTP/1.1"
    assert headers["Host"] == "db.example:8000"
    assert headers["User-Agent"] == "me/1"
    assert headers["X-Amz-Target"] == "DynamoDB_20120810.Scan"
    assert headers["X-Amz-Security-Token"] == "token"
    assert headers["Accept-Encoding"] == "identity"


class Rotating:
    is_ready = True

    def __init__(self) -> None:
        self.current = Keys("first", "secret")

    def keys(self) -> Keys:
        return self.current

    def renew(self, refused: str | None) -> None:
        assert refused == "first"
        self.current = Keys("second", "other secret", "token")


def test_the_writer_follows_its_credentials() -> None:
    writer = RequestWriter(Rotating(), Destination("h", "us-east-1"), clock=lambda: 1_800_000_000.0)
    before = parsed(writer.write("GetItem", b"{}"))[1]
    writer.renew("first")
    after = parsed(writer.write("GetItem", b"{}"))[1]
    assert "Credential=first/" in before["Authorization"]
    assert "Credential=second/" in after["Authorization"]
    assert after["X-Amz-Security-Token"] == "token"


def test_the_writer_follows_the_clock_of_the_server() -> None:
    writer = RequestWriter(Fixed(Keys("a", "b")), Destination("h", "us-east-1"), clock=lambda: 0.0)
    assert parsed(writer.write("GetItem", b"{}"))[1]["X-Amz-Date"] == "19700101T000000Z"
    for _ in range(50):  # however many were refused
        writer.renew("a", 3600.0)
    assert writer.now() == 3600.0
    assert parsed(writer.write("GetItem", b"{}"))[1]["X-Amz-Date"] == "19700101T010000Z"
