"""The way to botocore, which is imported only here and only when there is something that it alone can answer:
configuration files, profiles, sessions that were handed in, and endpoints off the beaten track.
"""

from __future__ import annotations

import os
from typing import Any, cast

from tablewright.errors import RequestError

CONFIG_FILES = {"AWS_CONFIG_FILE": "~/.aws/config"}
CREDENTIAL_FILES = {
    "AWS_SHARED_CREDENTIALS_FILE": "~/.aws/credentials",
    "AWS_CREDENTIAL_FILE": "",
    "BOTO_CONFIG": "~/.boto",
}
PROFILES = ("AWS_DEFAULT_PROFILE", "AWS_PROFILE")


def named_profile(profile_name: str | None = None) -> str | None:
    """The profile that was asked for, by argument or environment."""
    return profile_name or next((os.environ[name] for name in PROFILES if os.environ.get(name)), None)


def has_file(files: dict[str, str]) -> bool:
    """Whether one of these files exists, where its variable or the default says."""
    places = [os.environ.get(variable, default) for variable, default in files.items()]
    # pathlib would take milliseconds to import
    return any(os.path.isfile(os.path.expanduser(place)) for place in places if place)  # noqa: PTH111, PTH113


def botocore_session(session: Any = None, profile_name: str | None = None) -> Any:
    """The botocore session inside a boto3 session, the session itself if it is one, or a new one."""
    if session is not None:
        inner = getattr(session, "_session", session)
        if not hasattr(inner, "get_config_variable"):
            raise RequestError(f"session={session!r} is neither a boto3 nor a botocore session", code=1023)
        return inner
    from botocore.session import Session  # pyright: ignore[reportMissingTypeStubs]

    return Session(profile=profile_name)


def variable(session: Any, name: str) -> Any:
    """One of botocore's settings: environment first, then the profile in the configuration file."""
    from botocore.exceptions import BotoCoreError  # pyright: ignore[reportMissingTypeStubs]

    try:
        return session.get_config_variable(name)
    except BotoCoreError as error:
        raise _unreadable(error) from error


def configured_endpoint(session: Any) -> str | None:
    """`endpoint_url` of the profile's services section, or of the profile itself."""
    from botocore.exceptions import BotoCoreError  # pyright: ignore[reportMissingTypeStubs]

    try:
        profile: dict[str, Any] = session.get_scoped_config()
        services: dict[str, Any] = session.full_config.get("services", {}).get(profile.get("services"), {})
    except BotoCoreError as error:
        raise _unreadable(error) from error
    if "services" in profile and not services:
        raise RequestError(
            f"the profile refers to [services {profile['services']}], which the configuration file does not have; "
            "add the section or remove the reference",
            code=1010,
        )
    own: Any = services.get("dynamodb")
    endpoint = cast("dict[str, str]", own).get("endpoint_url") if isinstance(own, dict) else None
    return endpoint or profile.get("endpoint_url")


def resolved_endpoint(session: Any, region: str, config: Any) -> str:
    """The endpoint as botocore's rules have it: other partitions, FIPS, dual stack."""
    from botocore.exceptions import BotoCoreError  # pyright: ignore[reportMissingTypeStubs]

    unused = {"aws_access_key_id": "unused", "aws_secret_access_key": "unused"}  # or it would look for some
    try:
        client = session.create_client("dynamodb", region_name=region, config=config, **unused)
    except (BotoCoreError, ValueError) as error:
        raise RequestError(f"no endpoint of DynamoDB is known for region {region!r}: {error}", code=1010) from error
    return str(client.meta.endpoint_url)


def _unreadable(error: Exception) -> RequestError:
    return RequestError(
        f"the AWS configuration cannot be used: {error}; correct it, or name another profile", code=1010
    )
