"""Where DynamoDB is and how to speak to it, found as boto3 finds it.

    region     argument, Config, session, AWS_DEFAULT_REGION, profile; and then, which boto3 does not read, AWS_REGION
    endpoint   argument, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, the profile's services section, the profile
    trust      argument, AWS_CA_BUNDLE, the profile's ca_bundle, REQUESTS_CA_BUNDLE
    proxy      Config, HTTP_PROXY, HTTPS_PROXY and NO_PROXY

botocore is asked only if there is something that it alone can tell: a session, a profile, a configuration file, another
partition than `aws`, dual-stack or FIPS endpoints. Endpoints with account ids are not used; the regional ones that
are serve the same. Times: 5 s to connect and 30 s for an answer, unless Config or `timeout=` say otherwise.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from tablewright.errors import RequestError
from tablewright.runtime.transports.aws.headers import check_region, check_value, is_host
from tablewright.runtime.transports.aws.proxies import Proxy, find_proxy
from tablewright.runtime.transports.aws.session import (
    CONFIG_FILES,
    botocore_session,
    configured_endpoint,
    has_file,
    named_profile,
    resolved_endpoint,
    variable,
)
from tablewright.runtime.transports.credentials import find_credentials
from tablewright.runtime.transports.sigv4 import Credentials, Destination

if TYPE_CHECKING:
    from collections.abc import Mapping


CONNECT_SECONDS = 5.0
READ_SECONDS = 30.0
PLAIN_REGION = re.compile(r"(?:us|eu|ap|sa|ca|me|af|il|mx)-[a-z]+-\d+")
AWS_HOST = re.compile(r"dynamodb\.([a-z0-9-]+)\.amazonaws\.com")
LOCAL_REGION = "us-east-1"
PORTS = {"http": 80, "https": 443}
TRUE = frozenset({"true", "1"})
STANDS_IN_A_LINE = re.compile(r"[\x21-\x7e]+")


class Settings(msgspec.Struct, frozen=True):
    """All that a transport must know. `endpoint` has a path, `session` is botocore's if one was handed in."""

    endpoint: str
    region: str
    credentials: Credentials
    verify: bool | str = True
    client_cert: str | tuple[str, str] | None = None
    proxy: Proxy | None = None
    connect_seconds: float = CONNECT_SECONDS
    read_seconds: float = READ_SECONDS
    pool_size: int | None = None
    keep_alive: bool = False
    attempts: int | None = None
    user_agent: str = "tablewright"
    session: Any = None

    @property
    def is_secure(self) -> bool:
        return self.endpoint.startswith("https:")

    @property
    def host(self) -> str:
        return urlsplit(self.endpoint).hostname or ""

    @property
    def port(self) -> int:
        parts = urlsplit(self.endpoint)
        return parts.port or PORTS[parts.scheme]

    @property
    def destination(self) -> Destination:
        """What requests say of where they go; a proxy is told the whole URL unless there is a tunnel."""
        parts = urlsplit(self.endpoint)
        host = f"[{self.host}]" if ":" in self.host else self.host
        netloc = host if self.port == PORTS[parts.scheme] else f"{host}:{self.port}"
        path = parts.path or "/"
        if self.proxy is None or self.is_secure:
            return Destination(netloc, self.region, path, path, self.user_agent)
        line = f"{parts.scheme}://{netloc}{path}"
        return Destination(netloc, self.region, path, line, self.user_agent, self.proxy.header)


def read_settings(
    *,
    session: Any = None,
    profile_name: str | None = None,
    region_name: str | None = None,
    endpoint_url: str | None = None,
    aws_access_key_id: str | None = None,
    aws_secret_access_key: str | None = None,
    aws_session_token: str | None = None,
    verify: bool | str | None = None,
    config: Any = None,
    timeout: float | tuple[float, float] | None = None,
) -> Settings:
    """The arguments of `Database.aws`, completed by sessions, the environment and configuration files."""
    source = _find_source(session, profile_name)
    options = _options_of(source, config)
    region = region_name or options.get("region_name") or _find_region(source)
    if region:
        check_region(region)
    endpoint = endpoint_url or _find_endpoint(source, options) or _aws_endpoint(region, source, options, config)
    connect, read = _read_timeout(timeout, options)
    endpoint, region = _checked_endpoint(endpoint), region or _region_of(endpoint)
    check_region(region)
    return Settings(
        endpoint=endpoint,
        region=region,
        credentials=find_credentials(
            session=session,
            profile_name=profile_name,
            access_key=aws_access_key_id,
            secret_key=aws_secret_access_key,
            token=aws_session_token,
        ),
        verify=_find_trust(verify, source),
        client_cert=options.get("client_cert"),
        proxy=find_proxy(endpoint, options.get("proxies")),
        connect_seconds=connect,
        read_seconds=read,
        pool_size=options.get("max_pool_connections"),
        keep_alive=bool(options.get("tcp_keepalive")),
        attempts=_find_attempts(source, options),
        user_agent=_user_agent(source, options),
        session=None if session is None else source,
    )


def _find_source(session: Any, profile_name: str | None) -> Any:
    """A botocore session if one is needed to read the settings, None if the environment says all."""
    if session is not None or named_profile(profile_name) is not None or has_file(CONFIG_FILES):
        return botocore_session(session, profile_name)
    return None


def _options_of(source: Any, config: Any) -> Mapping[str, Any]:
    """What a botocore Config was given, on top of the session's own; its defaults are not taken for wishes."""
    default = None if source is None else source.get_default_client_config()
    options: dict[str, Any] = {}
    for each in (default, config):
        if each is not None:
            options.update(getattr(each, "_user_provided_options", {}))
    return options


def _setting(source: Any, name: str, environment: str) -> Any:
    """A setting that botocore would read from a file after the environment."""
    return os.environ.get(environment) if source is None else variable(source, name)


def _find_region(source: Any) -> str | None:
    return _setting(source, "region", "AWS_DEFAULT_REGION") or os.environ.get("AWS_REGION")


def _find_endpoint(source: Any, options: Mapping[str, Any]) -> str | None:
    if _is_true(
        options.get("ignore_configured_endpoint_urls"),
        _setting(source, "ignore_configured_endpoint_urls", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"),
    ):
        return None
    given = os.environ.get("AWS_ENDPOINT_URL_DYNAMODB") or os.environ.get("AWS_ENDPOINT_URL")
    return given or (None if source is None else configured_endpoint(source))


def _is_true(*given: Any) -> bool:
    """The first that was said at all decides."""
    said = next((each for each in given if each is not None), False)
    return said.lower() in TRUE if isinstance(said, str) else bool(said)


def _aws_endpoint(region: str | None, source: Any, options: Mapping[str, Any], config: Any) -> str:
    if region is None:
        raise RequestError(
            "in which region is the table? Pass region_name=, set AWS_DEFAULT_REGION or AWS_REGION, or name a profile "
            "that has one; for a DynamoDB elsewhere pass endpoint_url=",
            code=1010,
        )
    fips = _is_true(options.get("use_fips_endpoint"), _setting(source, "use_fips_endpoint", "AWS_USE_FIPS_ENDPOINT"))
    dual = _is_true(
        options.get("use_dualstack_endpoint"), _setting(source, "use_dualstack_endpoint", "AWS_USE_DUALSTACK_ENDPOINT")
    )
    if PLAIN_REGION.fullmatch(region) and not fips and not dual:
        return f"https://dynamodb.{region}.amazonaws.com"
    return resolved_endpoint(source or botocore_session(), region, config)


def _region_of(endpoint: str) -> str:
    """The region that signatures name when nobody told one: the host's, or any for servers that do not care."""
    found = AWS_HOST.fullmatch(urlsplit(endpoint).hostname or "")
    return found[1] if found else LOCAL_REGION


def _checked_endpoint(endpoint: str) -> str:
    parts = urlsplit("")
    try:
        parts = urlsplit(endpoint)
        usable = parts.scheme in PORTS and is_host(parts.hostname or "") and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable or not STANDS_IN_A_LINE.fullmatch(endpoint):
        shown = f"endpoint_url={endpoint.rpartition('@')[2][:200]!a}"  # a password before the @ is nobody's business
        raise RequestError(f"{shown} is not a URL such as http://localhost:8000, in plain ASCII", code=1010)
    if "@" in parts.netloc:
        raise RequestError("endpoint_url has a user name; requests are signed, so leave it out", code=1010)
    return endpoint if parts.path else f"{endpoint}/"


def _find_trust(verify: bool | str | None, source: Any) -> bool | str:
    given = verify if verify is not None else _setting(source, "ca_bundle", "AWS_CA_BUNDLE")
    trust: bool | str | None = os.environ.get("REQUESTS_CA_BUNDLE") if given is None else given
    if isinstance(trust, str) and not trust.strip():
        raise RequestError(
            "the path of the trusted certificates is empty; correct verify=, AWS_CA_BUNDLE, REQUESTS_CA_BUNDLE or "
            "ca_bundle",
            code=1010,
        )
    return True if trust is None else trust


def _read_timeout(timeout: float | tuple[float, float] | None, options: Mapping[str, Any]) -> tuple[float, float]:
    """Seconds to connect and to answer; one number is the limit of both."""
    if timeout is None:
        timeout = (options.get("connect_timeout") or CONNECT_SECONDS, options.get("read_timeout") or READ_SECONDS)
    connect, read = timeout if isinstance(timeout, tuple) else (timeout, timeout)
    if connect <= 0 or read <= 0:
        raise RequestError("timeout= is a number of seconds above 0, or two: to connect and to answer", code=1010)
    return float(connect), float(read)


def _find_attempts(source: Any, options: Mapping[str, Any]) -> int | None:
    """How often botocore would try, where it was told; the first time counts."""
    retries: Mapping[str, int] = options.get("retries") or {}
    if "total_max_attempts" in retries:
        return retries["total_max_attempts"]
    if "max_attempts" in retries:
        return retries["max_attempts"] + 1
    told = _setting(source, "max_attempts", "AWS_MAX_ATTEMPTS")
    return int(told) if told else None


def _user_agent(source: Any, options: Mapping[str, Any]) -> str:
    python = ".".join(str(part) for part in sys.version_info[:3])
    app = options.get("user_agent_appid") or _setting(source, "user_agent_appid", "AWS_SDK_UA_APP_ID")
    parts = [
        options.get("user_agent") or f"tablewright Python/{python} {sys.platform}",
        f"app/{app}" if app else "",
        options.get("user_agent_extra") or "",
    ]
    told = " ".join(" ".join(part.split()) for part in parts if part)
    check_value(told, "the user agent (user_agent, user_agent_appid or user_agent_extra of a Config)")
    return told
