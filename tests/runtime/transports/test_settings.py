"""Region, endpoint and the rest are what a boto3 client would have found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import boto3
import botocore.loaders
import botocore.session
import pytest
from botocore.config import Config

from tablewright.errors import RequestError
from tablewright.runtime.transports.aws.proxies import Proxy
from tablewright.runtime.transports.settings import Settings, read_settings

KEYS = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
CONFIG = """
[default]
region = eu-central-1
ca_bundle = /default/bundle.pem

[profile local]
region = ap-south-1
services = here

[profile everywhere]
region = ap-south-1
endpoint_url = http://global.example:1

[profile ignoring]
region = ap-south-1
endpoint_url = http://global.example:1
ignore_configured_endpoint_urls = true

[profile careful]
region = us-west-2
use_fips_endpoint = true
max_attempts = 7

[profile dangling]
region = us-west-2
services = nowhere

[services here]
dynamodb =
    endpoint_url = http://localhost:8000
"""


@pytest.fixture
def config_file(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(CONFIG)


LOADER = botocore.loaders.create_loader()
"""Shared, because it keeps the large files that every client begins with."""


def by_boto3(profile: str | None = None, **more: Any) -> tuple[str, str]:
    inner = botocore.session.Session(profile=profile)
    inner.register_component("data_loader", LOADER)
    client = boto3.Session(botocore_session=inner).client("dynamodb", **KEYS, **more)
    return client.meta.region_name, client.meta.endpoint_url


def found(settings: Settings) -> tuple[str, str]:
    """Without the slash of a lone host, which is always ours."""
    return settings.region, settings.endpoint.removesuffix("/")


REGIONS = ["us-east-1", "eu-west-3", "il-central-1", "mx-central-1", "cn-north-1", "us-gov-west-1", "us-iso-east-1"]


@pytest.mark.parametrize("region", REGIONS)
def test_endpoints_of_regions(region: str) -> None:
    assert found(read_settings(region_name=region)) == by_boto3(region_name=region)


@pytest.mark.parametrize("region", ["us-east-1", "us-gov-west-1"])
@pytest.mark.parametrize(
    "variables",
    [
        {"AWS_USE_FIPS_ENDPOINT": "true"},
        {"AWS_USE_DUALSTACK_ENDPOINT": "true"},
        {"AWS_USE_DUALSTACK_ENDPOINT": "false"},
    ],
)
def test_endpoints_of_kinds(region: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert found(read_settings(region_name=region)) == by_boto3(region_name=region)


def test_endpoints_of_kinds_by_config() -> None:
    config = Config(use_dualstack_endpoint=True, region_name="us-east-2")
    assert found(read_settings(config=config)) == by_boto3(config=config)


VARIABLES: dict[str, dict[str, str]] = {
    "none": {},
    "default region": {"AWS_DEFAULT_REGION": "sa-east-1"},
    "region": {"AWS_REGION": "sa-east-1"},
    "endpoint": {"AWS_ENDPOINT_URL": "http://all.example:2"},
    "own endpoint": {"AWS_ENDPOINT_URL": "http://all.example:2", "AWS_ENDPOINT_URL_DYNAMODB": "https://own.example"},
    "ignored": {"AWS_ENDPOINT_URL": "http://all.example:2", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"},
}


@pytest.mark.usefixtures("config_file")
def test_a_profile_may_ask_for_another_kind_of_endpoint() -> None:
    assert found(read_settings(profile_name="careful")) == by_boto3("careful")


@pytest.mark.parametrize("profile", [None, "local", "everywhere", "ignoring"])
@pytest.mark.usefixtures("config_file")
def test_profiles_and_variables(profile: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for variables in VARIABLES.values():
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            expected = by_boto3(profile)
            assert found(read_settings(profile_name=profile)) == expected, variables
            assert found(read_settings(session=boto3.Session(profile_name=profile))) == expected, variables
            assert found(read_settings(session=botocore.session.Session(profile=profile))) == expected, variables
            if profile is not None:
                patch.setenv("AWS_PROFILE", profile)
                assert found(read_settings()) == expected, variables


def test_arguments_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://all.example:2")
    settings = read_settings(region_name="eu-west-1", endpoint_url="http://mine.example:3/path")
    assert found(settings) == ("eu-west-1", "http://mine.example:3/path")


def test_aws_region_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    assert found(read_settings()) == ("eu-north-1", "https://dynamodb.eu-north-1.amazonaws.com")


def test_no_region_is_told() -> None:
    with pytest.raises(RequestError, match=r"region_name=.*AWS_DEFAULT_REGION"):
        read_settings()


@pytest.mark.parametrize(
    ("url", "region"),
    [("http://localhost:8000", "us-east-1"), ("https://dynamodb.eu-west-1.amazonaws.com", "eu-west-1")],
)
def test_a_given_endpoint_needs_no_region(url: str, region: str) -> None:
    assert read_settings(endpoint_url=url).region == region


@pytest.mark.parametrize("region", ["eu west", "us-east-1/../x", "-", "x" * 300])
def test_strange_regions_are_refused(region: str) -> None:
    with pytest.raises(RequestError, match=r"no endpoint|region_name="):
        read_settings(region_name=region)


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x", "http://", "http://x:port", "http://a b"])
def test_strange_endpoints_are_refused(url: str) -> None:
    with pytest.raises(RequestError, match="http://localhost:8000"):
        read_settings(endpoint_url=url)


@pytest.mark.usefixtures("config_file")
def test_mistakes_in_files_are_told() -> None:
    with pytest.raises(RequestError, match="services nowhere"):
        read_settings(profile_name="dangling")
    with pytest.raises(RequestError, match="nobody"):
        read_settings(profile_name="nobody")


def test_a_session_that_is_none_is_told() -> None:
    with pytest.raises(RequestError, match="neither a boto3 nor a botocore session"):
        read_settings(session="default")


# ---- trust -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("config_file")
def test_whose_certificates_are_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/requests.pem")
    assert read_settings().verify == "/default/bundle.pem"
    assert read_settings(profile_name="local").verify == "/requests.pem"
    monkeypatch.setenv("AWS_CA_BUNDLE", "/aws.pem")
    assert read_settings().verify == "/aws.pem"
    assert read_settings(verify="/mine.pem").verify == "/mine.pem"
    assert read_settings(verify=False).verify is False


def test_an_empty_bundle_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings(region_name="us-east-1").verify is True
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", " ")
    with pytest.raises(RequestError, match="empty"):
        read_settings(region_name="us-east-1")


# ---- Config ----------------------------------------------------------------------------------------------------------


def test_a_config_is_honoured() -> None:
    config = Config(
        region_name="eu-west-1",
        connect_timeout=1,
        read_timeout=2,
        max_pool_connections=33,
        proxies={"https": "http://me:pw@proxy.example:3128"},
        user_agent_extra="shop/1.0",
        user_agent_appid="shop",
        retries={"max_attempts": 4},
        tcp_keepalive=True,
    )
    settings = read_settings(config=config)
    assert settings.region == "eu-west-1"
    assert (settings.connect_seconds, settings.read_seconds) == (1, 2)
    assert settings.pool_size == 33
    assert settings.proxy == Proxy("proxy.example", 3128, "Basic bWU6cHc=")
    assert settings.user_agent.startswith("tablewright ")
    assert settings.user_agent.endswith(" app/shop shop/1.0")
    assert settings.attempts == 5
    assert settings.keep_alive


def test_what_a_config_does_not_say_is_not_taken_from_its_defaults() -> None:
    plain = read_settings(region_name="us-east-1")
    settings = read_settings(region_name="us-east-1", config=Config(user_agent_extra="x"))
    assert (settings.connect_seconds, settings.read_seconds) == (plain.connect_seconds, plain.read_seconds)


def test_the_config_of_a_session_is_honoured() -> None:
    session = botocore.session.Session()
    session.set_default_client_config(Config(read_timeout=7, connect_timeout=3))
    settings = read_settings(session=session, region_name="us-east-1", config=Config(connect_timeout=4))
    assert (settings.connect_seconds, settings.read_seconds) == (4, 7)


@pytest.mark.parametrize(("timeout", "read"), [(3, (3, 3)), ((1, 2.5), (1, 2.5))])
def test_timeouts(timeout: Any, read: tuple[float, float]) -> None:
    settings = read_settings(region_name="us-east-1", timeout=timeout, config=Config(read_timeout=50))
    assert (settings.connect_seconds, settings.read_seconds) == read


@pytest.mark.parametrize("timeout", [0, -1, (1, 0)])
def test_timeouts_that_cannot_be(timeout: Any) -> None:
    with pytest.raises(RequestError, match="timeout="):
        read_settings(region_name="us-east-1", timeout=timeout)


@pytest.mark.usefixtures("config_file")
def test_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().attempts is None
    assert read_settings(profile_name="careful").attempts == 7
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "2")
    assert read_settings().attempts == 2
    assert read_settings(config=Config(retries={"total_max_attempts": 3})).attempts == 3


# ---- where requests go -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "host", "port", "line"),
    [
        ("http://localhost:8000", "localhost:8000", 8000, "/"),
        ("http://localhost:80/", "localhost", 80, "/"),
        ("https://LOCALHOST", "localhost", 443, "/"),
        ("https://localhost:8443/a/b", "localhost:8443", 8443, "/a/b"),
        ("http://[::1]:8000", "[::1]:8000", 8000, "/"),
    ],
)
def test_destinations(url: str, host: str, port: int, line: str) -> None:
    settings = read_settings(endpoint_url=url)
    assert settings.port == port
    assert settings.destination.host == host
    assert settings.destination.line == line


def test_proxies_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:1")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert read_settings(endpoint_url="http://outside.example").proxy == Proxy("proxy.example", 1)
    assert read_settings(endpoint_url="http://inside.example").proxy is None
    assert read_settings(endpoint_url="https://outside.example").proxy is None
    assert read_settings(endpoint_url="http://outside.example", config=Config(proxies={})).proxy is None
    assert "http_proxy" in os.environ
