"""Keys, tokens and passwords are in no repr, no pickle, no log, no span and no error, wherever one looks."""

from __future__ import annotations

import asyncio
import gc
import io
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import tablewright as tw
from tablewright import Attr
from tablewright.runtime.observing.otel import otel
from tablewright.runtime.transports.aws import container
from tablewright.runtime.transports.aws.proxies import read_proxy
from tablewright.runtime.transports.credentials import FromContainer, find_credentials
from tablewright.runtime.transports.settings import read_settings
from tablewright.runtime.transports.sigv4 import Keys, Signer
from tests.runtime.transports.scripted import Scripted, Step, answer, refusal

SECRET, TOKEN, PASSWORD = "wJalrXUtnFEMIsecret", "IQoJb3JpZ2luTOKEN", "PROXYpassword"
HIDDEN = (SECRET, TOKEN, PASSWORD)
KEYS: dict[str, Any] = {
    "aws_access_key_id": "AKIDEXAMPLE",
    "aws_secret_access_key": SECRET,
    "aws_session_token": TOKEN,
    "region_name": "us-east-1",
}
CANONICAL = (
    "The request signature we calculated does not match. The Canonical String for this request should have been "
    f"'POST\\n/\\n\\nhost:x\\nx-amz-security-token:{TOKEN}\\nx-amz-target:y'"
)
STEPS: list[Step] = [
    answer(),
    refusal("SignatureDoesNotMatch", CANONICAL),
    refusal("ExpiredTokenException"),
    answer(f"<html>X-Amz-Security-Token: {TOKEN}</html>".encode(), status=400),
    answer(b"{", headers="x-amz-crc32: 1\r\n"),
    answer(b"{broken"),
]

shop = tw.Service("shop", table="shop")


class Order(tw.Entity, service=shop, name="order"):
    customer: Attr[str]

    @tw.primary
    def key(self, customer: str) -> None:
        """One order."""


def reachable(root: object) -> Iterator[object]:
    """Everything of ours that hangs on something."""
    seen: set[int] = set()
    left = [root]
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, type) or type(each).__module__.startswith(("pytest", "_pytest")):
            continue
        seen.add(id(each))
        if len(seen) > 200_000:
            return
        module = type(each).__module__
        if module.startswith("tablewright") or isinstance(each, BaseException):
            yield each
        is_open = module.startswith("tablewright") or module in ("builtins", "collections", "functools", "weakref")
        if is_open and type(each).__name__ not in ("module", "frame", "str", "bytes", "code"):
            left += [other for other in gc.get_referents(each) if type(other).__name__ != "module"]


def check(root: object) -> int:
    """No repr and no pickle of anything below holds a secret; how much was looked at."""
    count = 0
    for each in reachable(root):
        count += 1
        shown = f"{each!r} {each}"
        assert not any(hidden in shown for hidden in HIDDEN), type(each)
        assert not any(hidden.encode() in pickled(each) for hidden in HIDDEN), type(each)
    return count


def pickled(value: object) -> bytes:
    try:
        return pickle.dumps(value)
    except Exception:  # noqa: BLE001 - what cannot be pickled gives nothing away
        return b""


def told(error: BaseException) -> str:
    """All that an error says, with everything behind it."""
    return "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error))


def blocking(url: str, **more: Any) -> tuple[Any, Callable[[], object]]:
    db = tw.Database.aws(endpoint_url=url, retry=tw.Retry(attempts=1), **KEYS, **more)
    return db, lambda: db.run(Order.key("a").get())


def awaited(url: str, **more: Any) -> tuple[Any, Callable[[], object]]:
    db = tw.AsyncDatabase.aws(endpoint_url=url, retry=tw.Retry(attempts=1), **KEYS, **more)
    return db, lambda: asyncio.run(db.run(Order.key("a").get()))


@pytest.mark.parametrize("transport", ["fast", "botocore"])
@pytest.mark.parametrize("make", [blocking, awaited])
def test_databases_errors_logs_and_spans(
    make: Any, transport: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    seen: list[Any] = []
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    logger = logging.getLogger("tablewright")
    logger.addHandler(handler)
    with caplog.at_level(logging.DEBUG, logger="tablewright"), Scripted(STEPS * 2) as server:
        proxy = Config(proxies={})
        db, call = make(server.url, observe=[seen.append, otel(provider)], transport=transport, config=proxy)
        errors: list[BaseException] = []
        for _ in STEPS:
            try:
                call()
            except tw.TablewrightError as error:
                errors.append(error)
        assert len(errors) >= 4
        assert check(db) > 5
        for error in errors:
            assert not any(hidden in told(error) for hidden in HIDDEN), type(error)
            check(error)
    logger.removeHandler(handler)
    assert check(seen) >= len(STEPS)
    shown = [
        text.getvalue(),
        caplog.text,
        *capsys.readouterr(),
        *(span.to_json() for span in spans.get_finished_spans()),
    ]
    assert len(spans.get_finished_spans()) >= len(STEPS)
    assert not any(hidden in each for hidden in HIDDEN for each in shown)


@pytest.mark.parametrize("make", [tw.Database.aws, tw.AsyncDatabase.aws])
def test_databases_are_not_pickled(make: Any) -> None:
    with pytest.raises(TypeError, match="make one in each process"):
        pickle.dumps(make(**KEYS))


def test_settings_signers_and_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    proxied = Config(proxies={"http": f"http://user:{PASSWORD}@proxy.example:1"})
    settings = read_settings(endpoint_url="http://db.example", config=proxied, **KEYS)
    keys = settings.credentials.keys()
    signer = Signer(keys, settings.destination)
    signer.request("GetItem", b"{}", 0)
    assert keys.secret_key == SECRET
    assert settings.proxy == read_proxy(f"http://user:{PASSWORD}@proxy.example:1")
    for each in (settings, keys, signer, settings.proxy, settings.destination, settings.credentials):
        check(each)
        with pytest.raises(TypeError, match="is not pickled"):
            pickle.dumps(each)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    for source in (find_credentials(), find_credentials(session=boto3.Session("AKID", SECRET, TOKEN))):
        assert source.keys().secret_key == SECRET
        check(source)


def test_keys_of_containers(monkeypatch: pytest.MonkeyPatch) -> None:
    body = f'{{"AccessKeyId":"AKID","SecretAccessKey":"{SECRET}","Token":"{TOKEN}","Expiration":"%s"}}'
    good = (body % "2999-01-01T00:00:00Z").encode()
    with Scripted(
        [answer(good), answer(good, status=201), answer((body % "soon").encode()), answer(good[:-3])]
    ) as server:
        monkeypatch.setenv(container.FULL_URI, server.url)
        monkeypatch.setattr(container, "ATTEMPTS", 1)
        source = FromContainer()
        assert source.keys() == Keys("AKID", SECRET, TOKEN)
        check(source)
        for _ in range(3):
            with pytest.raises(tw.CredentialsMissing) as caught:
                container.fetch()
            assert not any(hidden in told(caught.value) for hidden in HIDDEN)


def test_a_store_of_blobs() -> None:
    store = tw.S3Store("bucket", **KEYS)
    check(store)
    with pytest.raises(TypeError, match="is not pickled"):
        pickle.dumps(store)
