"""Keys are found where botocore finds them, and in its order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.credentials import RefreshableCredentials

from tablewright.errors import CredentialsMissing
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.credentials import Found, FromBotocore, find_credentials
from tablewright.runtime.transports.sigv4 import Keys
from tests.runtime.transports.scripted import Scripted, answer


@pytest.fixture
def profiles(tmp_path: Path) -> Path:
    path = tmp_path / "credentials"
    path.write_text(
        "[default]\naws_access_key_id = file\naws_secret_access_key = secret\n"
        "[other]\naws_access_key_id = other\naws_secret_access_key = secret\naws_session_token = token\n"
    )
    return path


def by_botocore(profile: str | None = None) -> Keys:
    found = botocore.session.Session(profile=profile).get_credentials().get_frozen_credentials()
    return Keys(found.access_key, found.secret_key, found.token)


def test_arguments_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "environment")
    given = find_credentials(access_key="a", secret_key="b", token="c")
    assert given.is_ready
    given.renew()
    assert given.keys() == Keys("a", "b", "c")


@pytest.mark.parametrize(("given", "lacking"), [({"access_key": "a"}, "secret"), ({"secret_key": "a"}, "access")])
def test_arguments_go_together(given: dict[str, str], lacking: str) -> None:
    with pytest.raises(CredentialsMissing, match=f"aws_{lacking}"):
        find_credentials(**given)


@pytest.mark.parametrize("token", ["AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN", None])
def test_the_environment(token: str | None, monkeypatch: pytest.MonkeyPatch, profiles: Path) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_PROFILE", "other")
    if token:
        monkeypatch.setenv(token, "token")
    assert Found().keys() == by_botocore() == Keys("environment", "secret", "token" if token else None)


def test_half_an_environment_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "environment")
    with pytest.raises(CredentialsMissing, match="AWS_SECRET_ACCESS_KEY is not"):
        Found().keys()


def test_a_named_profile_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch, profiles: Path) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    assert Found("other").keys() == by_botocore("other") == Keys("other", "secret", "token")


def test_files_come_before_containers(monkeypatch: pytest.MonkeyPatch, profiles: Path) -> None:
    monkeypatch.setenv(container.FULL_URI, "http://localhost:1/")
    assert Found().keys() == by_botocore() == Keys("file", "secret")


def test_a_profile_that_is_missing_is_told(profiles: Path) -> None:
    with pytest.raises(CredentialsMissing, match="nobody"):
        Found("nobody").keys()


def test_no_keys_anywhere_are_told() -> None:
    with pytest.raises(CredentialsMissing, match="AWS_ACCESS_KEY_ID"):
        Found().keys()


def test_files_are_read_again_when_keys_were_refused(profiles: Path) -> None:
    found = Found()
    assert found.keys().access_key == "file"
    profiles.write_text(profiles.read_text().replace("= file", "= rotated"))
    assert found.keys().access_key == "file"
    found.renew()
    assert found.keys().access_key == "rotated"


@pytest.mark.parametrize("kind", [boto3.Session, None])
def test_a_session_has_its_own(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "environment")
    if kind is None:
        session = botocore.session.Session()
        session.set_credentials("own", "secret", "token")
    else:
        session = kind("own", "secret", "token")
    credentials = find_credentials(session=session)
    assert credentials.keys() == Keys("own", "secret", "token")
    credentials.renew()
    assert credentials.keys() == Keys("own", "secret", "token")


class Session:
    """As much of botocore's as is needed."""

    def __init__(self, credentials: Any) -> None:
        self.credentials = credentials

    def get_credentials(self) -> Any:
        return self.credentials


def refreshed_by(answers: list[dict[str, str]]) -> FromBotocore:
    credentials = RefreshableCredentials.create_from_metadata(answers.pop(0), lambda: answers.pop(0), "test")
    session = Session(credentials)
    return FromBotocore(lambda: session)


def lent(name: str, expires: str) -> dict[str, str]:
    return {"access_key": name, "secret_key": "secret", "token": "token", "expiry_time": expires}


def test_refresh_of_botocore_is_followed() -> None:
    credentials = refreshed_by([lent("old", "2020-01-01T00:00:00Z"), lent("new", "2999-01-01T00:00:00Z")])
    assert not credentials.is_ready
    assert credentials.keys() == Keys("new", "secret", "token")
    assert credentials.is_ready
    assert credentials.keys() is credentials.keys()


def test_failures_of_botocore_are_ours() -> None:
    credentials = refreshed_by([lent("old", "2020-01-01T00:00:00Z"), lent("older", "2020-01-01T00:00:00Z")])
    with pytest.raises(CredentialsMissing, match="could not be fetched"):
        credentials.keys()


def test_instance_metadata_through_botocore(monkeypatch: pytest.MonkeyPatch) -> None:
    role = (
        b'{"Code":"Success","AccessKeyId":"instance","SecretAccessKey":"secret","Token":"token",'
        b'"Expiration":"2999-01-01T00:00:00Z"}'
    )
    with Scripted([answer(b"session"), answer(b"my-role"), answer(role)]) as server:
        monkeypatch.delenv("AWS_EC2_METADATA_DISABLED")
        monkeypatch.setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url)
        assert Found().keys() == Keys("instance", "secret", "token")
        assert server.requests[2].startswith(b"GET /latest/meta-data/iam/security-credentials/my-role ")


def test_keys_of_the_environment_need_no_botocore() -> None:
    code = """
import os, sys
os.environ.update(AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b", AWS_DEFAULT_REGION="eu-west-1")
from tablewright.runtime.transports.fast import open_fast
from tablewright.runtime.transports.settings import read_settings
fast = open_fast(read_settings())
fast.writer.write("GetItem", b"{}")
print(*sorted({"botocore", "ssl", "asyncio", "email.utils", "urllib.request", "http.client"} & sys.modules.keys()))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
