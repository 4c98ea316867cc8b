"""Nothing that ends up in the head of a request can begin a line of its own, and nobody is shown a secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import botocore.session
import pytest
from botocore.config import Config
from hypothesis import given
from hypothesis import strategies as st

import tablewright as tw
from tablewright.errors import CredentialsMissing, RequestError, TablewrightError
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.aws.headers import is_host
from tablewright.runtime.transports.credentials import FromContainer, find_credentials
from tablewright.runtime.transports.settings import read_settings
from tablewright.runtime.transports.sigv4 import Keys, Signer
from tests.runtime.transports.scripted import Scripted, answer

HOSTILE = ["x\r\nX-Evil: 1", "x\n", "x\r", "x\0y", "x\x7f", "x\x1b[0m", "schlüssel", "x☃", "\x85x", "\u2028x"]
DATABASES: list[Callable[..., Any]] = [tw.Database.aws, tw.AsyncDatabase.aws]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("name", ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"])
@pytest.mark.parametrize("make", DATABASES)
@pytest.mark.parametrize("transport", ["fast", "botocore"])
def test_keys_as_arguments(make: Callable[..., Any], transport: str, name: str, value: str) -> None:
    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret", "aws_session_token": "token"}
    with pytest.raises(CredentialsMissing, match=f"^{name} ") as caught:
        make(region_name="us-east-1", transport=transport, **{**keys, name: f"SECRET{value}SECRET"})
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("value", [" x", "x ", "x\n"])
def test_keys_with_something_around_them(value: str) -> None:
    with pytest.raises(CredentialsMissing, match="look for a line break at its end"):
        tw.Database.aws(region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key=value)


@pytest.mark.parametrize("region", [*HOSTILE, " x", "x ", "us-east-1/evil", "a,b", ""])
@pytest.mark.parametrize("make", DATABASES)
def test_regions_as_arguments(make: Callable[..., Any], region: str) -> None:
    with pytest.raises(RequestError, match="region_name="):
        make(region_name=region, endpoint_url="http://localhost:8000")


@pytest.mark.parametrize("value", [b"bytes", 7])
def test_other_values_than_texts(value: Any) -> None:
    with pytest.raises(RequestError, match="give a text"):
        tw.Database.aws(region_name="us-east-1", aws_access_key_id=value, aws_secret_access_key="x")


@pytest.mark.parametrize("variable", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"])
@pytest.mark.parametrize("value", ["x\r\nX-Evil: 1", "x\n", "x\x7f", "x☃"])
def test_keys_of_the_environment(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "good")
    monkeypatch.setenv(variable, value)
    with pytest.raises(CredentialsMissing, match=variable):
        find_credentials().keys()


@pytest.mark.parametrize("variable", ["AWS_DEFAULT_REGION", "AWS_REGION"])
def test_regions_of_the_environment(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "us-east-1\r\nX-Evil: 1")
    for endpoint in (None, "http://localhost:8000"):
        with pytest.raises(RequestError, match="region_name="):
            read_settings(endpoint_url=endpoint)


@pytest.mark.parametrize("member", ["AccessKeyId", "SecretAccessKey", "Token"])
def test_keys_of_containers(member: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"AccessKeyId": "id", "SecretAccessKey": "s", "Token": "t", "Expiration": "2999-01-01T00:00:00Z"}
    text = (
        "{"
        + ",".join(f'"{name}":"{value}' + ('\\r\\nX: 1"' if name == member else '"') for name, value in given.items())
        + "}"
    )
    with Scripted([answer(text.encode())]) as server:
        monkeypatch.setenv(container.FULL_URI, server.url)
        with pytest.raises(CredentialsMissing, match="no header may have"):
            FromContainer().keys()


def test_keys_of_sessions() -> None:
    session = botocore.session.Session()
    session.set_credentials("id", "secret", "token\r\nX-Evil: 1")
    with pytest.raises(CredentialsMissing, match="the token of the AWS credentials"):
        find_credentials(session=session).keys()


@pytest.mark.parametrize("uri", ["/path\r\nX: 1", "/a b", "/☃"])
def test_paths_of_containers(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(container.RELATIVE_URI, uri)
    with pytest.raises(CredentialsMissing, match="AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"):
        container.endpoint()


ENDPOINTS = [
    *(
        "http://a\r\nb:8000",
        "http://a\0b",
        "http://a\x7fb",
        "http://bücher.example",
        "http://a..b",
        "http://" + "a" * 64,
    ),
    *(
        "http://a/\r\nX: 1",
        "http://a/pa th",
        "http://a/\u2028",
        "http://[::1\x00]",
        "http://-a",
        "http://a;b",
        "http://a\\b",
    ),
    *("http://" + ".".join(["abc"] * 80), "http://user:PASSWORD@x\x00y", "http://[fe80::1%25\r\n]"),
]


@pytest.mark.parametrize("url", ENDPOINTS)
def test_endpoints(url: str) -> None:
    with pytest.raises(RequestError, match="is not a URL") as caught:
        read_settings(endpoint_url=url, region_name="us-east-1")
    assert "PASSWORD" not in str(caught.value)


def test_endpoints_with_passwords() -> None:
    with pytest.raises(RequestError, match="has a user name") as caught:
        read_settings(endpoint_url="http://user:PASSWORD@localhost:1", region_name="us-east-1")
    assert "PASSWORD" not in str(caught.value)


def test_user_agents_and_proxies() -> None:
    with pytest.raises(RequestError, match="user agent"):
        read_settings(region_name="us-east-1", config=Config(user_agent_extra="x\0y"))
    with pytest.raises(RequestError, match="proxy's URL"):
        read_settings(region_name="us-east-1", config=Config(proxies={"https": "http://a\0b"}))


@pytest.mark.parametrize(
    "host", ["localhost", "dynamodb_local", "127.0.0.1", "::1", "fe80::1%eth0", "a-b.example.", "x" * 63]
)
def test_hosts_that_are_in_use(host: str) -> None:
    assert is_host(host)


@given(st.text(max_size=12))
def test_a_request_has_the_lines_that_we_wrote(text: str) -> None:
    """Whatever is let through makes no line of its own."""
    try:
        settings = read_settings(
            endpoint_url="http://localhost:1",
            region_name="r" + text,
            aws_access_key_id="a" + text + "a",
            aws_secret_access_key="s",
            aws_session_token="t" + text + "t",
        )
        keys = settings.credentials.keys()
    except TablewrightError:
        return
    assert keys == Keys("a" + text + "a", "s", "t" + text + "t")
    head = Signer(keys, settings.destination).request("GetItem", b"{}", 0).partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0].decode() for line in head.split(b"\r\n")[1:]]
    signed = ["Content-Type", "Host", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Target"]
    assert names == [*signed, "User-Agent", "Accept-Encoding", "Authorization", "Content-Length"]
