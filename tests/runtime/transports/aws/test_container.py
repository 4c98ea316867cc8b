"""Container credentials from an endpoint on loopback, by botocore's rules."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tablewright.errors import CredentialsMissing
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.credentials import Found, FromContainer
from tablewright.runtime.transports.sigv4 import Keys
from tests.runtime.transports.scripted import Scripted, answer, header

HOUR = 3600.0


def lent(number: int, expires: float) -> bytes:
    stamp = datetime.fromtimestamp(expires, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return answer(
        b'{"RoleArn":"x","AccessKeyId":"id %d","SecretAccessKey":"secret","Token":"token","Expiration":"%s"}'
        % (number, stamp.encode())
    )


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "PAUSE_SECONDS", 0.0)


def test_keys_of_a_full_uri(monkeypatch: pytest.MonkeyPatch) -> None:
    with Scripted([lent(1, time.time() + HOUR)]) as server:
        monkeypatch.setenv(container.FULL_URI, f"{server.url}/v1/credentials?role=me")
        monkeypatch.setenv(container.TOKEN, "Bearer me")
        credentials = Found()
        assert not credentials.is_ready
        assert credentials.keys() == Keys("id 1", "secret", "token")
        assert credentials.keys() == Keys("id 1", "secret", "token")
        assert credentials.is_ready
        assert len(server.requests) == 1
        assert server.requests[0].startswith(b"GET /v1/credentials?role=me HTTP/1.1\r\n")
        assert header(server.requests[0], "Authorization") == "Bearer me"


def test_keys_of_a_relative_uri(monkeypatch: pytest.MonkeyPatch) -> None:
    with Scripted([lent(1, time.time() + HOUR)]) as server:
        monkeypatch.setenv(container.RELATIVE_URI, "/v2/credentials/abc")
        assert container.endpoint().geturl() == "http://169.254.170.2/v2/credentials/abc"
        monkeypatch.setattr(container, "ECS_HOST", f"127.0.0.1:{server.port}")
        assert Found().keys().access_key == "id 1"
        assert header(server.requests[0], "Authorization") is None


def test_the_token_file_is_read_each_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    token = tmp_path / "token"
    with Scripted([lent(1, time.time() + HOUR), lent(2, time.time() + HOUR)]) as server:
        monkeypatch.setenv(container.FULL_URI, server.url)
        monkeypatch.setenv(container.TOKEN_FILE, str(token))
        monkeypatch.setenv(container.TOKEN, "ignored")
        token.write_text("first")
        credentials = Found()
        assert credentials.keys().access_key == "id 1"
        token.write_text("second")
        credentials.renew()
        assert credentials.keys().access_key == "id 2"
        assert [header(request, "Authorization") for request in server.requests] == ["first", "second"]


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("http://169.254.170.2/x", True),
        ("http://169.254.170.23/v1/credentials", True),
        ("http://[fd00:ec2::23]/v1/credentials", True),
        ("http://127.0.0.9/x", True),
        ("http://[::1]/x", True),
        ("http://localhost:1/x", True),
        ("https://keys.example/x", True),
        ("http://keys.example/x", False),
        ("http://169.254.169.254/x", False),
        ("http://localhost.example/x", False),
    ],
)
def test_keys_are_not_fetched_from_anywhere(host: str, allowed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from botocore.utils import ContainerMetadataFetcher

    monkeypatch.setenv(container.FULL_URI, host)
    if allowed:
        assert container.endpoint().geturl() == host
        ContainerMetadataFetcher()._validate_allowed_url(host)
    else:
        with pytest.raises(CredentialsMissing, match="not fetched in clear text"):
            container.endpoint()
        with pytest.raises(ValueError, match="Unsupported host"):
            ContainerMetadataFetcher()._validate_allowed_url(host)


def test_a_token_with_a_line_break_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(container.TOKEN, "a\r\nHost: b")
    with pytest.raises(CredentialsMissing, match="line break"):
        container.authorization()


def test_a_missing_token_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(container.TOKEN_FILE, str(tmp_path / "nowhere"))
    with pytest.raises(CredentialsMissing, match="nowhere"):
        container.authorization()


def test_an_endpoint_may_stumble(monkeypatch: pytest.MonkeyPatch) -> None:
    with Scripted([answer(b"busy", status=500), answer(b"[]"), lent(1, time.time() + HOUR)]) as server:
        monkeypatch.setenv(container.FULL_URI, server.url)
        assert container.fetch().keys.access_key == "id 1"


def test_an_endpoint_that_stays_down_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with Scripted([answer(b"SECRET", status=404)] * 3) as server:
        monkeypatch.setenv(container.FULL_URI, server.url)
        with pytest.raises(CredentialsMissing, match="HTTP status 404") as told:
            container.fetch()
        assert "SECRET" not in str(told.value)  # what an endpoint sends may be keys
        assert len(server.requests) == container.ATTEMPTS


# ---- refresh ---------------------------------------------------------------------------------------------------------


class Lender:
    """Lends keys for an hour, on its own clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.count = 0
        self.broken = False

    def fetch(self) -> container.Lent:
        if self.broken:
            raise CredentialsMissing("the endpoint is down")
        self.count += 1
        return container.Lent(Keys(f"id {self.count}", "secret", "token"), self.now + HOUR)

    def credentials(self) -> FromContainer:
        return FromContainer(self.fetch, lambda: self.now)


def test_keys_are_renewed_before_they_expire() -> None:
    lender = Lender()
    credentials = lender.credentials()
    assert credentials.keys().access_key == "id 1"
    lender.now = HOUR - 16 * 60
    assert credentials.keys().access_key == "id 1"
    assert credentials.is_ready
    lender.now = HOUR - 14 * 60
    assert not credentials.is_ready
    assert credentials.keys().access_key == "id 2"


def test_old_keys_serve_as_long_as_they_are_good() -> None:
    lender = Lender()
    credentials = lender.credentials()
    credentials.keys()
    lender.broken = True
    lender.now = HOUR - 5 * 60
    assert credentials.keys().access_key == "id 1"
    lender.now = HOUR + 1
    with pytest.raises(CredentialsMissing, match="down"):
        credentials.keys()
    lender.broken = False
    assert credentials.keys().access_key == "id 2"


def test_refused_keys_are_replaced_at_once() -> None:
    lender = Lender()
    credentials = lender.credentials()
    credentials.keys()
    credentials.renew()
    assert credentials.keys().access_key == "id 2"
